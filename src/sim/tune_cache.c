#include "sim/tune_cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/version.h"
#include "domain/domain.h"
#include "files/safe_file.h"
#include "kernels/backends/backends.h"
#include "sim/tune.h"

enum { PATH_SIZE = 4096, FILE_MAX = 1 << 22 }; /* larger than any that was written here */

/* The path of the file. 0: the environment names no folder for it. */
static int find_path(char path[PATH_SIZE], struct sluice_log *log)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const int given = cache && cache[0] == '/', /* the XDG standard: ignore relative paths */
        length = given ? snprintf(path, PATH_SIZE, "%s/sluice/choices", cache)
                 : home && home[0] == '/'
                     ? snprintf(path, PATH_SIZE, "%s/.cache/sluice/choices", home)
                     : 0;
    if (length > 0 && length < PATH_SIZE)
        return 1;
    sluice_log_line(log, "auto: nothing is kept: neither XDG_CACHE_HOME nor HOME is a folder");
    return 0;
}

/* The length of a line's key; *c gets the choice after it. 0: the line is not in our format. */
static size_t parse_line(const char *line, size_t length, struct sluice_choice *c)
{
    char text[SLUICE_CACHE_KEY + 128], name[64];
    const char *tab = memchr(line, '\t', length);
    memset(c, 0, sizeof *c);
    if (!tab || length >= sizeof text)
        return 0;
    memcpy(text, tab, (size_t)(line + length - tab));
    text[line + length - tab] = '\0';
    if (sscanf(text, "\t%63[^\t]\t%d %d %d", name, &c->bins_log2[0], &c->bins_log2[1],
               &c->bins_log2[2]) != 4 ||
        sluice_strategy_find(name, &c->strategy) != SLUICE_OK)
        return 0;
    for (int a = 0; a < 3; a++)
        if (c->bins_log2[a] < 0 || c->bins_log2[a] > 30)
            return 0;
    return (size_t)(tab - line);
}

/* The file's text, malloc'ed; "" if there is no file; NULL if it cannot be used. */
static char *read_all(const char *path, struct sluice_log *log)
{
    char *text = NULL;
    const char *why = NULL;
    size_t bytes = 0;
    struct stat about;
    if (stat(path, &about) != 0) {
        if (errno == ENOENT)
            return calloc(1, 1);
        why = strerror(errno);
    } else if (!S_ISREG(about.st_mode) || about.st_size > FILE_MAX) {
        why = "it is no file that sluice wrote";
    } else if (sluice_safe_file_read(path, &text, &bytes) != SLUICE_OK) {
        why = sluice_message();
    } else if (strlen(text) != bytes) {
        why = "it is no text";
        text[0] = '\0';
    }
    if (why)
        sluice_log_line(log, "auto: %s is not used: %s", path, why);
    return text;
}

/* Finds strategy and bins of a key; returns 0 if there are none. */
static int find_key(const char *key, struct sluice_choice *c, struct sluice_log *log)
{
    char path[PATH_SIZE];
    int found = 0, wrong = 0;
    char *text = find_path(path, log) ? read_all(path, log) : NULL;
    for (const char *line = text; line && *line && !found;) {
        const size_t length = strcspn(line, "\n");
        const size_t key_length = parse_line(line, length, c);
        wrong += key_length == 0;
        found = key_length == strlen(key) && strncmp(line, key, key_length) == 0;
        line += length + (line[length] == '\n');
    }
    if (wrong)
        sluice_log_line(log, "auto: %s: %d lines are not understood, and ignored", path, wrong);
    free(text);
    return found;
}

/* A number on a logarithmic scale, in steps of a quarter. */
static int class_of(double x)
{
    return x > 0 ? (int)rint(log(x) / log(1.25)) : 0;
}

void sluice_choice_cache_key(const struct sluice_sim *sim, const struct sluice_passes *passes,
                             const struct sluice_choice *cells, char key[SLUICE_CACHE_KEY])
{
    size_t used = 0;
    const char *separator = "";
    double frame[3]; /* in cutoffs */
    for (int c = 0; c < 3; c++)
        frame[c] = c < sim->grid.dimension ? sim->grid.width[c] / sim->grid.cutoff : 0;
    used += (size_t)snprintf(key, SLUICE_CACHE_KEY, "%s, %s, sluice %s %s, threads %lld, ",
                             sim->backend.ops->name, sim->backend.isa, sluice_version.version,
                             sluice_version.revision, sim->config->backend.threads);
    for (int p = 0; p < passes->count && used < SLUICE_CACHE_KEY / 2; p++) {
        const struct sluice_pass *pass = &passes->pass[p];
        used += (size_t)snprintf(key + used, SLUICE_CACHE_KEY - used, "%s%s%s", separator,
                                 sluice_pairs[pass->pair].name,
                                 pass->sums & SLUICE_INSTANT_SUMS ? " E"
                                 : pass->sums                     ? " P"
                                                                  : "");
        separator = "+";
    }
    snprintf(key + used, SLUICE_CACHE_KEY - used,
             ", %d-D, %d bytes, frames %.3g %.3g %.3g, bins %lld %lld %lld, particles %d %d, cells "
             "%d %d",
             sim->config->dimension, sim->backend.real_bytes, frame[0], frame[1], frame[2],
             sim->config->backend.bins[0], sim->config->backend.bins[1],
             sim->config->backend.bins[2], class_of((double)sim->count[SLUICE_FLUID]),
             class_of((double)sim->count[SLUICE_WALL]), class_of(cells->mean),
             class_of((double)cells->fullest));
    used = strlen(key);
    if (sluice_world()->size > 1)
        snprintf(key + used, SLUICE_CACHE_KEY - used, ", ranks %d", sluice_world()->size);
    for (char *c = key; *c; c++)
        *c = *c == '\t' || *c == '\n' ? ' ' : *c;
}

sluice_status sluice_choice_cache_find(const struct sluice_sim *sim, const char *key,
                                       struct sluice_choice *choice, int *found)
{
    struct sluice_comm *world = sluice_world();
    struct {
        int found;
        struct sluice_choice choice;
    } of_first = {0};
    void *sent;
    size_t bytes;
    if (world->rank == 0)
        of_first.found = sim->config->backend.auto_cache &&
                         find_key(key, &of_first.choice, sim->log) &&
                         sluice_tune_is_possible(sim, &of_first.choice);
    SLUICE_TRY(sluice_comm_gather(world, &of_first, world->rank == 0 ? sizeof of_first : 0, 1,
                                  &sent, &bytes));
    memcpy(&of_first, sent, sizeof of_first);
    free(sent);
    *choice = of_first.choice;
    *found = of_first.found;
    return SLUICE_OK;
}

/* Creates the folder of the file, and its parent. */
static void make_folders(char path[PATH_SIZE])
{
    char *last = strrchr(path, '/');
    *last = '\0';
    char *before = strrchr(path, '/');
    *before = '\0';
    mkdir(path, 0700);
    *before = '/';
    mkdir(path, 0755);
    *last = '/';
}

/* Writes the new line, then the lines of other keys in their order: the oldest are last. */
static void write_lines(FILE *out, const char *text, const char *key, const struct sluice_choice *c)
{
    int kept = 1;
    struct sluice_choice other;
    fprintf(out, "%s\t%s\t%d %d %d\n", key, sluice_strategies[c->strategy].name, c->bins_log2[0],
            c->bins_log2[1], c->bins_log2[2]);
    for (const char *line = text; *line && kept < SLUICE_CACHE_ENTRIES;) {
        const size_t length = strcspn(line, "\n"), key_length = parse_line(line, length, &other);
        if (key_length > 0 && !(key_length == strlen(key) && strncmp(line, key, key_length) == 0)) {
            fprintf(out, "%.*s\n", (int)length, line);
            kept++;
        }
        line += length + (line[length] == '\n');
    }
}

void sluice_choice_cache_keep(const char *key, const struct sluice_choice *c,
                              struct sluice_log *log)
{
    char path[PATH_SIZE], *lines = NULL;
    size_t size = 0;
    if (!find_path(path, NULL))
        return;
    make_folders(path);
    char *text = read_all(path, NULL); /* the warning was logged when the file was read */
    FILE *out = text ? open_memstream(&lines, &size) : NULL;
    if (out) {
        write_lines(out, text, key, c);
        fclose(out);
        if (lines && sluice_safe_file_write(path, lines, size) != SLUICE_OK)
            sluice_log_line(log, "auto: the choice is not kept: %s", sluice_message());
    }
    free(lines);
    free(text);
}
