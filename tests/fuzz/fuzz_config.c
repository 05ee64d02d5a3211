#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "case/case.h"
#include "geometry/geometry.h"

enum { PARTICLES_MAX = 4000, LAYERS_MAX = 16 };

void fuzz_require(int holds, const char *reason)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s; the last message is: %s\n", reason, sluice_message());
    abort();
}

/* The domain's cells limit the arrays over cells, the shapes' boxes the particles. */
int fuzz_is_small(const struct sluice_config *config)
{
    struct sluice_geometry geometry;
    struct sluice_warnings warnings = {0};
    double cells = 1;
    for (int a = 0; a < config->dimension; a++)
        cells *= (config->domain.max[a] - config->domain.min[a]) / config->spacing + LAYERS_MAX;
    if (config->lattice.used)
        cells = 4.0 * (double)config->lattice.cells[0] * (double)config->lattice.cells[1] *
                (double)config->lattice.cells[2];
    if (config->lattice.used || config->shape_count == 0)
        return config->lattice.used && cells <= PARTICLES_MAX;
    if (!(cells <= 4 * PARTICLES_MAX))
        return 0;
    const int made = sluice_geometry_create(&geometry, config, LAYERS_MAX, &warnings) == SLUICE_OK;
    const int is_small = made && sluice_geometry_bound(&geometry) <= PARTICLES_MAX;
    sluice_geometry_destroy(&geometry);
    return is_small;
}

/* Printed to memory: all of it must be readable. */
static void make_case(const struct sluice_config *config)
{
    struct sluice_case setup;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    const sluice_status status = sluice_case_create(&setup, config, out);
    fuzz_require(status == SLUICE_OK || *sluice_message(), "a case that fails has no message");
    if (status == SLUICE_OK) {
        sluice_case_print(&setup, out);
        sluice_case_destroy(&setup);
    }
    fclose(out);
    free(text);
}

/* Whether two effective configurations are equal except for the marks of defaults. */
static int say_the_same(const char *a, const char *b)
{
    static const char mark[] = " # default";
    while (*a && *b) {
        const size_t of_a = strcspn(a, "\n"), of_b = strcspn(b, "\n"), m = sizeof mark - 1;
        const size_t left = of_a > m && memcmp(a + of_a - m, mark, m) == 0 ? of_a - m : of_a;
        const size_t right = of_b > m && memcmp(b + of_b - m, mark, m) == 0 ? of_b - m : of_b;
        if (left != right || memcmp(a, b, left) != 0)
            return 0;
        a += of_a + (a[of_a] == '\n');
        b += of_b + (b[of_b] == '\n');
    }
    return *a == *b;
}

/* The effective configuration says the same as the config. */
static void read_again(const struct sluice_config *config)
{
    struct sluice_config again;
    const char *text = sluice_config_text(config);
    fuzz_require(sluice_config_parse(&again, text, "again.cfg", NULL, 0, NULL) == SLUICE_OK,
                 "the effective configuration cannot be read again");
    fuzz_require(say_the_same(text, sluice_config_text(&again)),
                 "the effective configuration, read again, is another");
    sluice_config_destroy(&again);
}

void fuzz_config(const uint8_t *data, size_t size)
{
    struct sluice_config config;
    char *text = malloc(size + 1), *errors = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&errors, &length);
    if (!text || !out)
        exit(1);
    memcpy(text, data, size);
    text[size] = '\0';
    const sluice_status status = sluice_config_parse(&config, text, "fuzz.cfg", NULL, 0, out);
    fclose(out);
    fuzz_require(status == SLUICE_OK ||
                     (status == SLUICE_BAD_INPUT && *errors && *sluice_message()),
                 "a wrong config has no message");
    if (status == SLUICE_OK) {
        read_again(&config);
        if (fuzz_is_small(&config))
            make_case(&config);
        sluice_config_destroy(&config);
    }
    free(errors);
    free(text);
}
