/* Configs for the tests of cases, filled by hand: the defaults of a dam break, shapes added one by
 * one. */
#ifndef SLUICE_TESTS_CASE_CONFIG_H
#define SLUICE_TESTS_CASE_CONFIG_H
#include <math.h>
#include <string.h>

#include "case/case.h"
#include "kernels/registry.h"
#include "tap.h"

enum { TEST_SHAPES = 48 };

struct test_config {
    struct sluice_config config;
    struct sluice_shape shape[TEST_SHAPES];
    struct sluice_initial initial[TEST_SHAPES];
    struct sluice_probe probe[TEST_SHAPES];
};

__attribute__((unused)) static void test_write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(1);
}

__attribute__((unused)) static void test_wcsph(struct test_config *t, int dimension, double spacing)
{
    struct sluice_config *c = &t->config;
    memset(t, 0, sizeof *t);
    c->shapes = t->shape;
    c->initials = t->initial;
    c->probes = t->probe;
    c->model = SLUICE_MODEL_WCSPH;
    c->dimension = dimension;
    c->spacing = spacing;
    c->gravity[dimension - 1] = -9.81;
    c->kernel.h_over_dp = 1.5;
    c->fluid.density = 1000;
    c->fluid.gamma = 7;
    c->viscosity.kind = SLUICE_VISCOSITY_ARTIFICIAL;
    c->viscosity.alpha = 0.02;
    c->diffusion.kind = SLUICE_DIFFUSION_HYDROSTATIC;
    c->diffusion.delta = 0.1;
    c->boundary.spring = 1;
    c->pair.index = -1;
    c->backend.frame_cutoffs = 8;
}

__attribute__((unused)) static void test_lj(struct test_config *t, int dimension, double cutoff)
{
    struct sluice_config *c = &t->config;
    test_wcsph(t, dimension, 0);
    c->model = SLUICE_MODEL_LJ;
    c->units = SLUICE_UNITS_LJ;
    c->gravity[dimension - 1] = 0;
    c->pair.index = SLUICE_PAIR_lj;
    for (int i = 0; i < sluice_pairs[SLUICE_PAIR_lj].param_count; i++) {
        const struct sluice_param *p = &sluice_pairs[SLUICE_PAIR_lj].params[i];
        const double value = strcmp(p->path, "pair.cutoff") == 0 ? cutoff : p->preset;
        if (p->type == SLUICE_PARAM_REAL)
            memcpy(c->pair.params.bytes + p->offset, &value, sizeof value);
    }
}

__attribute__((unused)) static void test_gas(struct test_config *t, int dimension, double spacing)
{
    test_wcsph(t, dimension, spacing);
    t->config.model = SLUICE_MODEL_GAS;
    t->config.gravity[dimension - 1] = 0;
    t->config.gas.gamma = 1.4;
}

__attribute__((unused)) static void test_domain(struct test_config *t, double x, double y, double z)
{
    const double max[3] = {x, y, z};
    memcpy(t->config.domain.max, max, sizeof max);
}

/* The next shape, of this kind and type. */
__attribute__((unused)) static struct sluice_shape *test_shape(struct test_config *t, int kind,
                                                               int type)
{
    struct sluice_shape *s = &t->shape[t->config.shape_count++];
    s->kind = kind;
    s->type = type;
    strcpy(s->file, "test.cfg");
    s->scale = 1;
    s->base = s->no_data = INFINITY;
    s->line = 10 + t->config.shape_count;
    return s;
}

__attribute__((unused)) static struct sluice_shape *test_box(struct test_config *t, int type,
                                                             double x0, double y0, double z0,
                                                             double x1, double y1, double z1)
{
    struct sluice_shape *s = test_shape(t, SLUICE_SHAPE_BOX, type);
    const double min[3] = {x0, y0, z0}, max[3] = {x1, y1, z1};
    memcpy(s->min, min, sizeof min);
    memcpy(s->max, max, sizeof max);
    return s;
}

/* Walls on the sides whose bits are set: 1 x-, 2 x+, 4 y-, 8 y+, 16 z-, 32 z+. */
__attribute__((unused)) static struct sluice_shape *test_walls(struct test_config *t,
                                                               unsigned sides)
{
    struct sluice_shape *s = test_shape(t, SLUICE_SHAPE_WALLS, SLUICE_SHAPE_WALL);
    s->sides = sides;
    return s;
}

__attribute__((unused)) static struct sluice_initial *test_initial(struct test_config *t, int field,
                                                                   int kind)
{
    struct sluice_initial *f = &t->initial[t->config.initial_count++];
    f->field = field;
    f->kind = kind;
    f->level = INFINITY;
    strcpy(f->file, "test.cfg");
    f->line = 30 + t->config.initial_count;
    return f;
}

/* Builds the case; the number of warnings and their text are in `said` (of 4096). */
__attribute__((unused)) static sluice_status test_create(struct sluice_case *c,
                                                         const struct test_config *t, char *said)
{
    FILE *warnings = said ? fmemopen(said, 4096, "w") : NULL;
    const sluice_status status = sluice_case_create(c, &t->config, warnings);
    if (said)
        said[0] = said[0] && c->warning_count ? said[0] : 0;
    if (warnings)
        fclose(warnings);
    return status;
}

/* The case must be refused with a message that holds every one of the words given (up to a NULL).
 */
__attribute__((unused)) static void test_refused(const struct test_config *t, sluice_status code,
                                                 const char *const *words, const char *what)
{
    struct sluice_case c;
    const sluice_status status = sluice_case_create(&c, &t->config, NULL);
    int missing = 0;
    for (; *words && status == code; words++)
        if (!strstr(sluice_message(), *words)) {
            diag("'%s' is not in: %s", *words, sluice_message());
            missing++;
        }
    ok(status == code && !missing, "refused: %s", what);
    if (status != code)
        diag("status %d: %s", status, sluice_message());
    if (status == SLUICE_OK)
        sluice_case_destroy(&c);
}
#define REFUSED(t, code, what, ...)                                                                \
    test_refused((t), (code), (const char *const[]){__VA_ARGS__, NULL}, (what))

/* Whether two values have the same bits, also reals. */
__attribute__((unused)) static int same_bits(const void *a, const void *b, size_t bytes)
{
    const unsigned char *left = (const unsigned char *)a, *right = (const unsigned char *)b;
    size_t i = 0;
    while (i < bytes && left[i] == right[i])
        i++;
    return i == bytes;
}

/* Config coordinates of particle i of a type. */
__attribute__((unused)) static void test_x(const struct sluice_case *c, int type, int64_t i,
                                           double x[3])
{
    struct sluice_grid grid;
    if (sluice_grid_create(&grid, &c->grid) != SLUICE_OK)
        exit(1);
    sluice_grid_coordinates(&grid, &c->start[type].place[i], x);
    sluice_grid_destroy(&grid);
}
#endif
