#define _GNU_SOURCE
#include "core/processors.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, THREADS_MOST = 4096 };

/* --- Control groups --- */

/* Reads up to two numbers of a file, "max" as -1; returns their count. */
static int read_numbers(const char *folder, const char *name, double number[2])
{
    char path[PATH_SIZE], text[2][32] = {"", ""};
    int found = 0;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return 0;
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    found = fscanf(in, "%31s %31s", text[0], text[1]);
    fclose(in);
    for (int k = 0; k < found; k++)
        number[k] = strcmp(text[k], "max") == 0 ? -1 : strtod(text[k], NULL);
    return found < 0 ? 0 : found;
}

/* Processors that one group may use; 0: no limit. Version 2 has quota and period in one file. */
static double quota_of(const char *folder, int version)
{
    double quota[2] = {-1, 0}, period[2] = {0, 0};
    if (version == 2)
        read_numbers(folder, "cpu.max", quota);
    else if (read_numbers(folder, "cpu.cfs_quota_us", quota) > 0 &&
             read_numbers(folder, "cpu.cfs_period_us", period) > 0)
        quota[1] = period[0];
    return quota[0] > 0 && quota[1] > 0 ? quota[0] / quota[1] : 0;
}

/* The smallest quota of a group and its parents, up to the mount. In a container the mount may
 * show only the inner part of the path; then the search ends at its root. */
static double least_quota(const char *mount, const char *below, const char *group, int version)
{
    char folder[PATH_SIZE];
    const int base = snprintf(folder, sizeof folder, "%s%s", mount, below);
    double least = 0;
    if (base < 0 || base + (int)strlen(group) >= (int)sizeof folder)
        return 0;
    for (strcpy(folder + base, group);;) {
        const double quota = quota_of(folder, version);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(folder + base, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}

/* Whether a comma-separated list contains the word. */
static int has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    while (strncmp(list, word, n) != 0 || (list[n] != '\0' && list[n] != ',')) {
        const char *comma = strchr(list, ',');
        if (!comma)
            return 0;
        list = comma + 1;
    }
    return 1;
}

double sluice_processors_of_groups(const char *groups, const char *mount)
{
    char line[PATH_SIZE], *controllers, *group;
    double least = 0;
    for (const char *at = groups; *at;) {
        const size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", n < sizeof line ? (int)n : (int)sizeof line - 1, at);
        at += n + (at[n] == '\n');
        controllers = strchr(line, ':'); /* 4:cpu,cpuacct:/group, or 0::/group */
        group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        controllers++;
        double quota = 0;
        if (!*controllers)
            quota = least_quota(mount, "", group, 2);
        else if (has_word(controllers, "cpu"))
            quota = least_quota(mount, "/cpu", group, 1);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    return least;
}

static double quota_of_this_process(void)
{
    char text[PATH_SIZE];
    FILE *in = fopen("/proc/self/cgroup", "r");
    if (!in)
        return 0;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return sluice_processors_of_groups(text, "/sys/fs/cgroup");
}

int sluice_processors_usable(void)
{
    cpu_set_t set;
    const double quota = quota_of_this_process();
    /* The set is too small for some machines of more than 1024 processors. */
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                        : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (quota > 0 && ceil(quota) < n)
        n = (int)ceil(quota);
    return n > 1 ? n : 1;
}

/* --- The environment --- */

int sluice_processors_asked(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    char *end;
    const long n = text ? strtol(text, &end, 10) : 0; /* "4,2": the outer level's */
    return n < 1 ? 0 : n < THREADS_MOST ? (int)n : THREADS_MOST;
}

int sluice_processors_most(void)
{
    const int asked = sluice_processors_asked();
    return asked > 0 ? asked : sluice_processors_usable();
}

/* Parses a count with an optional suffix k, M, G or T, or "infinite"; -1: neither. */
static long long spin_count(const char *text)
{
    char *end;
    if (strncasecmp(text, "infinit", 7) == 0)
        return LLONG_MAX;
    const double n = strtod(text, &end);
    const char *suffix = strchr("kMGT", *end);
    const double scale = *end && suffix ? pow(1000, (double)(suffix - "kMGT") + 1) : 1;
    if (end == text || !(n >= 0))
        return -1;
    return n * scale < 1e18 ? (long long)(n * scale) : LLONG_MAX;
}

long long sluice_processors_spins(int threads)
{
    const char *count = getenv("GOMP_SPINCOUNT"), *policy = getenv("OMP_WAIT_POLICY");
    const long long spins = count ? spin_count(count) : -1;
    if (spins >= 0)
        return spins;
    if (policy && strcasecmp(policy, "active") == 0)
        return LLONG_MAX;
    if (policy && strcasecmp(policy, "passive") == 0)
        return 0;
    return threads > sluice_processors_usable() ? 0 : -1;
}
