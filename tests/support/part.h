/* A part of a slow test, where the whole would take too long: under sanitizers, on the emulated
 * GPU, for commands of the documents. SLUICE_TEST_PART=2/6 in the environment is the second of six.
 * */
#ifndef SLUICE_TESTS_PART_H
#define SLUICE_TESTS_PART_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends the program if the variable makes no sense. */
__attribute__((unused)) static void part_read(int *part, int *parts)
{
    const char *asked = getenv("SLUICE_TEST_PART");
    *part = *parts = 1;
    if (asked && (sscanf(asked, "%d/%d", part, parts) != 2 || *part < 1 || *part > *parts)) {
        printf("Bail out! SLUICE_TEST_PART=%s is not a part, such as 2/6\n", asked);
        exit(1);
    }
    if (*parts > 1)
        printf("# part %d of %d\n", *part, *parts);
}

/* Prints the output of a part; its checks get the numbers after `done`. Returns the number of its
 * checks, and counts those that failed. */
__attribute__((unused)) static int part_print(FILE *said, int done, int *failed)
{
    char line[4096];
    int made = 0, number;
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        const int bad = strncmp(line, "not ok ", 7) == 0;
        if (bad || strncmp(line, "ok ", 3) == 0) {
            const char *rest = line + (bad ? 7 : 3);
            sscanf(rest, "%d", &number);
            printf("%sok %d%s", bad ? "not " : "", done + ++made,
                   rest + strspn(rest, "0123456789"));
            *failed += bad;
        } else if (strncmp(line, "1..", 3) != 0) {
            fputs(line, stdout);
        }
    }
    return made;
}

/* Divides a test of this process alone among the cores, unless a part of it was asked for: each
 * child returns 0 and goes on with its part. The parent returns 1 once it has printed what all of
 * them said; *status is what main returns. */
__attribute__((unused)) static int part_fork(int *part, int *parts, int *status)
{
    enum { MOST = 8 };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int n = cores < MOST ? (int)cores : MOST;
    FILE *said[MOST];
    pid_t child[MOST];
    int done = 0, failed = 0, broken = 0;
    part_read(part, parts);
    if (*parts > 1 || n < 2)
        return 0;
    fflush(stdout);
    for (int k = 0; k < n; k++) {
        said[k] = tmpfile();
        child[k] = said[k] ? fork() : -1;
        if (child[k] == 0) {
            dup2(fileno(said[k]), STDOUT_FILENO);
            *part = k + 1;
            *parts = n;
            return 0;
        }
    }
    for (int k = 0; k < n; k++) {
        int ended = 1;
        if (child[k] < 0 || waitpid(child[k], &ended, 0) != child[k] || ended != 0)
            broken++;
        done += said[k] ? part_print(said[k], done, &failed) : 0;
        if (said[k])
            fclose(said[k]);
    }
    printf("1..%d\n", done);
    *status = failed > 0 || broken > 0 || done == 0;
    return 1;
}

/* Whether check n (0, 1, ...) is of this part, of `most` parts where there are more. */
__attribute__((unused)) static int part_has(int n, int most)
{
    static int part, parts;
    if (!parts)
        part_read(&part, &parts);
    const int turns = parts < most ? parts : most;
    return n % turns == (part - 1) % turns;
}
#endif
