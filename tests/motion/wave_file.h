/* The file of a wave maker, for its tests: rows that are written, and errors of reading it. */
#ifndef SLUICE_TESTS_WAVE_FILE_H
#define SLUICE_TESTS_WAVE_FILE_H
#include "wave_fixture.h"

static char path[] = "/tmp/sluice-wave-file-XXXXXX.csv";
static char rows[1 << 22];
static size_t used;

/* Waves of a kind that read `path`. */
static void begin(int kind)
{
    begin_waves(kind);
    strcpy(motion.table, path);
}

static void header(const char *text)
{
    used = (size_t)snprintf(rows, sizeof rows, "%s\n", text);
}

static void row(double a, double b)
{
    used += (size_t)snprintf(rows + used, sizeof rows - used, "%.17g,%.17g\n", a, b);
}

static sluice_status read_motions(struct sluice_motions *motions, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(1);
    return sluice_motions_read(motions, &config);
}

static void refused(const char *text, const char *message)
{
    struct sluice_motions motions;
    const sluice_status status = read_motions(&motions, text);
    const int said = status == SLUICE_BAD_INPUT && strstr(sluice_message(), message) != NULL;
    if (!ok(said && !motions.config, "%s", message))
        diag("said: %s", status == SLUICE_OK ? "nothing" : sluice_message());
    sluice_motions_destroy(&motions);
}

/* Makes the file; 0: it cannot. */
static int open_file(void)
{
    const int file = mkstemps(path, 4);
    if (file >= 0)
        close(file);
    return file >= 0;
}
#endif
