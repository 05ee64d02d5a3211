/* A case made longer, for weak scaling. */
#include <stdio.h>

#include "bench/rank_runs.h"

enum { SETS = 64, SET_LENGTH = 192 };

/* The words for --set. */
struct sets {
    char text[SETS][SET_LENGTH];
    const char *set[SETS];
    int count;
};

static int longest_axis(const struct sluice_config *config)
{
    int axis = 0;
    for (int c = 1; c < config->dimension; c++)
        if (config->lattice.used
                ? config->lattice.cells[c] > config->lattice.cells[axis]
                : config->domain.max[c] - config->domain.min[c] >
                      (config->domain.max[axis] - config->domain.min[axis]) * (1 + 1e-9))
            axis = c;
    return axis;
}

static sluice_status add(struct sets *s, const char *key, const double x[3], int dimension)
{
    SLUICE_CHECK(s->count < SETS, SLUICE_BAD_INPUT, "--weak: the case has more than %d shapes",
                 SETS / 2 - 2);
    char *text = s->text[s->count];
    s->set[s->count++] = text;
    int length = snprintf(text, SET_LENGTH, "%s=[", key);
    for (int c = 0; c < 3 && c < dimension; c++)
        length += snprintf(text + length, (size_t)(SET_LENGTH - length), "%s%.11e", c ? ", " : "",
                           x[c]);
    snprintf(text + length, (size_t)(SET_LENGTH - length), "]");
    return SLUICE_OK;
}

static void add_cells(struct sets *s, const struct sluice_config *config, int axis, int times)
{
    long long n[3] = {config->lattice.cells[0], config->lattice.cells[1], config->lattice.cells[2]};
    char *text = s->text[s->count];
    n[axis] *= times;
    if (config->dimension == 2)
        snprintf(text, SET_LENGTH, "lattice.cells=[%lld, %lld]", n[0], n[1]);
    else
        snprintf(text, SET_LENGTH, "lattice.cells=[%lld, %lld, %lld]", n[0], n[1], n[2]);
    s->set[s->count++] = text;
}

/* The end of a box, stretched from the domain's low end. */
static sluice_status add_end(struct sets *s, const struct sluice_config *config, const char *key,
                             const double end[3], int axis, int times)
{
    const double low = config->domain.min[axis];
    double x[3] = {end[0], end[1], end[2]};
    x[axis] = low + times * (end[axis] - low);
    return add(s, key, x, config->dimension);
}

static sluice_status add_shape(struct sets *s, const struct sluice_config *config, int k, int axis,
                               int times)
{
    const struct sluice_shape *shape = &config->shapes[k];
    char key[64];
    if (shape->kind == SLUICE_SHAPE_WALLS) /* they follow the domain */
        return SLUICE_OK;
    SLUICE_CHECK(shape->kind == SLUICE_SHAPE_BOX && shape->rotation_degrees == 0, SLUICE_BAD_INPUT,
                 "--weak: only cases of boxes can be made longer, and geometry.[%d] is another "
                 "shape: measure without --weak",
                 k);
    snprintf(key, sizeof key, "geometry.[%d].min", k);
    SLUICE_TRY(add_end(s, config, key, shape->min, axis, times));
    snprintf(key, sizeof key, "geometry.[%d].max", k);
    return add_end(s, config, key, shape->max, axis, times);
}

static sluice_status stretch(struct sets *s, const struct sluice_config *config, int times)
{
    const int axis = longest_axis(config);
    SLUICE_CHECK(!config->particles[0], SLUICE_BAD_INPUT,
                 "--weak: a case with a particle file cannot be made longer: measure without it");
    if (config->lattice.used) {
        add_cells(s, config, axis, times);
    } else {
        SLUICE_TRY(add_end(s, config, "domain.max", config->domain.max, axis, times));
    }
    for (int k = 0; k < config->shape_count; k++)
        SLUICE_TRY(add_shape(s, config, k, axis, times));
    return SLUICE_OK;
}

sluice_status sluice_bench_stretch(const struct sluice_config *config, int times,
                                   struct sluice_config *stretched)
{
    struct sets s = {.count = 0};
    if (times > 1)
        SLUICE_TRY(stretch(&s, config, times));
    return sluice_config_parse(stretched, sluice_config_text(config), "the longer case", s.set,
                               s.count, NULL);
}
