/* Places of the probes: those that sit on a shape sit on the face that the lattice gave it; and the
 * beds under those that measure levels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"
#include "probes/probe_level.h"

/* The shape whose face is meant; the config has made sure that it is one alone. */
static int find_shape(const struct sluice_config *config, const char *name)
{
    char group[SLUICE_TEXT_MAX];
    for (int s = 0; s < config->shape_count; s++)
        if (strcmp(sluice_config_group(config, s, group), name) == 0)
            return s;
    return -1;
}

static sluice_status place_on_face(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                   struct sluice_case_probe *place)
{
    const int shape = find_shape(b->config, probe->on), axis = probe->face / 2,
              high = probe->face % 2;
    SLUICE_CHECK(
        shape >= 0, SLUICE_BAD_INPUT,
        "%s:%d: probe '%s': no shape of the geometry, whose face it could sit on, is named "
        "'%s'",
        probe->file, probe->line, probe->name, probe->on);
    SLUICE_CHECK(probe->face >= 0 && axis < b->config->dimension, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': on '%s' wants a face of it: x-, x+, y-, y+%s", probe->file,
                 probe->line, probe->name, probe->on, b->config->dimension == 3 ? ", z-, z+" : "");
    const struct sluice_shape_report *faces = &b->c->shapes[shape];
    int next = 0;
    if (b->config->shapes[shape].motion[0])
        sluice_case_warn(b, "probe '%s': '%s' moves, the probe stays where its face is at t = 0",
                         probe->name, probe->on);
    for (int a = 0; a < b->config->dimension; a++) {
        if (a == axis) {
            place->x[a] = high ? faces->actual_max[a] : faces->actual_min[a];
            continue;
        }
        place->x[a] = probe->at[next++];
        if (place->x[a] < faces->actual_min[a] || place->x[a] > faces->actual_max[a])
            sluice_case_warn(b,
                             "probe '%s': %c = %.6g lies beyond the face of '%s', which reaches "
                             "from %.6g to %.6g there",
                             probe->name, "xyz"[a], place -> x[a], probe -> on,
                             faces -> actual_min[a], faces -> actual_max[a]);
    }
    return SLUICE_OK;
}

static void warn_if_outside(struct sluice_case_builder *b, const struct sluice_probe *probe,
                            const double x[3])
{
    for (int a = 0; a < b->config->dimension; a++)
        if (x[a] < b->c->grid.low[a] || x[a] > b->c->grid.high[a])
            sluice_case_warn(b, "probe '%s': %c = %.6g lies outside the domain, from %.6g to %.6g",
                             probe->name, "xyz"[a], x[a], b -> c -> grid.low[a],
                             b->c->grid.high[a]);
}

/* A section may reach past walls, but must not miss the domain. */
static void warn_of_missed_domain(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                  const struct sluice_case_probe *place)
{
    const struct sluice_grid_options *grid = &b->c->grid;
    for (int a = 0; a < b->config->dimension; a++)
        if (fmax(place->x[a], place->to[a]) < grid->low[a] ||
            fmin(place->x[a], place->to[a]) > grid->high[a])
            sluice_case_warn(b,
                             "probe '%s': the section lies beyond the domain along %c, which "
                             "reaches from %.6g to %.6g: nothing flows through it; move it",
                             probe->name, "xyz"[a], grid -> low[a], grid -> high[a]);
}

static sluice_status check_force(const struct sluice_case_builder *b,
                                 const struct sluice_probe *probe)
{
    const struct sluice_start *wall = &b->c->start[SLUICE_WALL];
    const struct sluice_groups *g = &b->c->groups;
    const int group = sluice_groups_find(g, probe->on);
    char list[800];
    int64_t k = 0;
    SLUICE_CHECK(group >= 0 && g->group[group].type == SLUICE_WALL, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': '%.60s' is the name of no walls; walls are named %s",
                 probe->file, probe->line, probe->name, probe->on,
                 sluice_groups_list(g, SLUICE_WALL, list, sizeof list));
    while (k < wall->count && sluice_groups_of(g, wall->id[k]) != group)
        k++;
    SLUICE_CHECK(k < wall->count, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': '%s' has no wall particle left that a force could act on",
                 probe->file, probe->line, probe->name, probe->on);
    return SLUICE_OK;
}

static sluice_status place_probe(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                 struct sluice_case_probe *place)
{
    const int up = b->config->dimension - 1;
    for (int a = 0; a < b->config->dimension; a++)
        place->x[a] = b->config->lattice.used ? b->c->grid.low[a] : b->config->domain.min[a];
    switch (probe->kind) {
    case SLUICE_PROBE_POINT:
        if (probe->on[0])
            SLUICE_TRY(place_on_face(b, probe, place));
        else
            memcpy(place->x, probe->at, sizeof place->x);
        break;
    case SLUICE_PROBE_FLUX:
        memcpy(place->x, probe->from, sizeof place->x);
        memcpy(place->to, probe->to, sizeof place->to);
        warn_of_missed_domain(b, probe, place);
        return SLUICE_OK;
    case SLUICE_PROBE_LINE:
    case SLUICE_PROBE_RUNUP:
        memcpy(place->x, probe->from, sizeof place->x);
        memcpy(place->to, probe->to, sizeof place->to);
        warn_if_outside(b, probe, place->to);
        break;
    case SLUICE_PROBE_HEIGHT:
        for (int a = 0; a < up; a++)
            place->x[a] = probe->at[a];
        break;
    case SLUICE_PROBE_FORCE:
        memcpy(place->x, probe->about, sizeof place->x);
        return check_force(b, probe);
    default: /* front: the whole domain */
        break;
    }
    warn_if_outside(b, probe, place->x);
    return SLUICE_OK;
}

/* The beds under heights and run-ups as the case starts. */
static sluice_status find_beds(struct sluice_case_builder *b)
{
    const double top = b->c->grid.high[b->config->dimension - 1] -
                       b->config->domain.min[b->config->dimension - 1];
    struct sluice_levels *levels;
    sluice_status status = sluice_levels_create(&levels, b->c);
    for (int i = 0; levels && i < b->config->probe_count && status == SLUICE_OK; i++) {
        struct sluice_case_probe *place = &b->c->probes[i];
        const struct sluice_probe *probe = &b->config->probes[i];
        if (probe->kind != SLUICE_PROBE_HEIGHT && probe->kind != SLUICE_PROBE_RUNUP)
            continue;
        status = sluice_levels_beds(levels, i, &place->bed_low, &place->bed_high);
        if (place->bed_low >= top - 1e-6 * b->config->spacing)
            sluice_case_warn(b,
                             "probe '%s': a wall fills all of the domain's height above it: it "
                             "will never find water; move it",
                             probe->name);
    }
    sluice_levels_destroy(&levels);
    return status;
}

sluice_status sluice_case_place_probes(struct sluice_case_builder *b)
{
    b->c->probes = calloc((size_t)b->config->probe_count + 1, sizeof *b->c->probes);
    SLUICE_CHECK(b->c->probes, SLUICE_DEVICE, "no memory for %d probes", b->config->probe_count);
    for (int i = 0; i < b->config->probe_count; i++)
        SLUICE_TRY(place_probe(b, &b->config->probes[i], &b->c->probes[i]));
    return b->config->model == SLUICE_MODEL_WCSPH ? find_beds(b) : SLUICE_OK;
}
