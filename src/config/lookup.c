/* Questions about a config that has been read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/reader.h"
#include "core/processors.h"
#include "kernels/registry.h"

const char *sluice_config_group(const struct sluice_config *config, int shape,
                                char text[SLUICE_TEXT_MAX])
{
    static const char *const kinds[] = {SLUICE_SHAPES(SLUICE_CHOICE_WORD)};
    const struct sluice_shape *s = &config->shapes[shape];
    if (s->name[0])
        snprintf(text, SLUICE_TEXT_MAX, "%s", s->name);
    else
        snprintf(text, SLUICE_TEXT_MAX, "%s %d", s->kind < 0 ? "shape" : kinds[s->kind], shape + 1);
    return text;
}

int sluice_config_mover(const struct sluice_config *config, int shape)
{
    const struct sluice_shape *s = &config->shapes[shape];
    if (s->body)
        return config->motion_count + s->body - 1;
    for (int i = 0; i < config->motion_count && s->motion[0]; i++)
        if (strcmp(config->motions[i].name, s->motion) == 0)
            return i;
    return -1;
}

const struct sluice_boundary_info sluice_boundaries[SLUICE_BOUNDARY_COUNT] = {
#define EFFECT_WALLS(value, word, has) {word, has},
#include "physics/effects.def"
};

/* The columns of probes; the last one of a list has no name. */
static const struct sluice_column columns[SLUICE_PROBE_KIND_COUNT][9] = {
    [SLUICE_PROBE_HEIGHT] =
        {{"height", NULL, "m", "the water's level over the floor; empty without water"},
         {"bed", NULL, "m",
          "the surface of the wall under the water, over the floor: the floor, a step, a beach, a "
          "piston where it is now"},
         {"depth", NULL, "m", "height - bed; 0 on a dry bed"},
         {"elevation", NULL, "m",
          "height less its first value, at rest: what a wave gauge reads; empty where the bed is "
          "dry at the start"}},
    [SLUICE_PROBE_FRONT] = {{"front", NULL, "m",
                             "how far fluid above the height `above` reaches; empty without any"},
                            {"foremost", NULL, "m", "how far fluid at any height reaches"}},
    [SLUICE_PROBE_FORCE] = {{"f*", NULL, "N", "force of the fluid"},
                            {"torque", "t*", "N m", "torque of this force about `about`"}},
    [SLUICE_PROBE_FLUX] = {{"flux", NULL, "m^3/s",
                            "volume that passes in a second, positive along the axis"},
                           {"volume", NULL, "m^3", "volume that has passed so far"}},
    [SLUICE_PROBE_OVERTOPPING] =
        {{"q", NULL, "m^3/(s m)", "discharge now, a metre of the crest; below 0 it flows back"},
         {"q_mean", NULL, "m^3/(s m)", "mean of the discharge since the first row"},
         {"passed", NULL, "m^3/m", "volume that has passed over so far"},
         {"returned", NULL, "m^3/m", "volume that has flowed back so far"},
         {"events", NULL, "1", "overtopping events that have ended"},
         {"event_volume", NULL, "m^3/m", "volume of the present event; 0: there is none"},
         {"last_volume", NULL, "m^3/m", "volume of the last event that ended; empty: none yet"},
         {"largest_volume", NULL, "m^3/m",
          "volume of the largest event that ended; empty: none yet"}},
    [SLUICE_PROBE_RUNUP] =
        {{"runup", NULL, "m",
          "height of the bed, over the floor, at the highest point that the water reaches; empty "
          "while no point is under water"},
         {"x", "x,y", "m", "place of this point; empty likewise"}},
    [SLUICE_PROBE_PROFILE] = {{"height", NULL, "m", "the water's level over the floor"},
                              {"bed", NULL, "m",
                               "the surface of the wall under the water, over the floor"}},
    [SLUICE_PROBE_PATCH] = {{"pressure", NULL, "Pa",
                             "mean pressure over the whole area; dry parts count as 0"},
                            {"wet", NULL, "1", "fraction of the area with water on it, 0 to 1"}},
};

/* Those of some runs. */
static const struct sluice_column more[SLUICE_PROBE_KIND_COUNT][3] = {
    [SLUICE_PROBE_LINE] = {{"point", NULL, "1",
                            "with `table = \"long\"`: the number of the place, from 0"},
                           {"*", NULL, "m", "with `table = \"long\"`: the place"}},
    [SLUICE_PROBE_HEIGHT] =
        {{"theory", NULL, "m",
          "where the case makes waves: the elevation that they should have there, without "
          "reflection; empty where they do not come to on a straight path: behind the wall that "
          "reflects them, in a wall, behind a paddle or within its stroke. There is no such column "
          "where several paddles face the same way, or one moves by a record or at an angle to the "
          "axes"}},
};

const struct sluice_probe_kind_info sluice_probe_kinds[SLUICE_PROBE_KIND_COUNT] = {
#define ROW(_, value, word, has, sentence, not_of_gas)                                             \
    {word, sentence, has, not_of_gas, columns[value], more[value]},
    SLUICE_PROBE_KINDS(ROW, )
#undef ROW
};

int sluice_config_walls_have(const struct sluice_config *config, unsigned property)
{
    return (sluice_boundaries[config->boundary.kind].has & property) != 0;
}

static int is_wall(const struct sluice_shape *s)
{
    return s->kind == SLUICE_SHAPE_WALLS || s->type == SLUICE_SHAPE_WALL;
}

int sluice_config_may_have_walls(const struct sluice_config *config)
{
    int walls = config->particles[0] != 0 || config->shape_count == 0; /* 0: it could not be read */
    for (int i = 0; i < config->shape_count; i++)
        walls |= is_wall(&config->shapes[i]);
    return walls;
}

int sluice_config_slip(const struct sluice_config *config, int shape)
{
    const int own = shape < 0 ? SLUICE_SHAPE_SLIP_BOUNDARY : config->shapes[shape].slip;
    return own == SLUICE_SHAPE_SLIP_FREE   ? SLUICE_SLIP_FREE
           : own == SLUICE_SHAPE_SLIP_NONE ? SLUICE_SLIP_NONE
                                           : config->wall_friction.slip;
}

unsigned sluice_config_slips(const struct sluice_config *config)
{
    unsigned slips = sluice_config_uses_slip(config) ? 1u << sluice_config_slip(config, -1) : 0;
    for (int i = 0; i < config->shape_count; i++)
        slips |= is_wall(&config->shapes[i]) ? 1u << sluice_config_slip(config, i) : 0;
    return slips;
}

int sluice_config_uses_slip(const struct sluice_config *config)
{
    int walls = 0, uses = config->particles[0] != 0;
    for (int i = 0; i < config->shape_count; i++) {
        const struct sluice_shape *s = &config->shapes[i];
        walls += is_wall(s);
        uses |= is_wall(s) && s->slip <= SLUICE_SHAPE_SLIP_BOUNDARY;
    }
    return uses || walls == 0;
}

int sluice_config_may_have_second(const struct sluice_config *config)
{
    int filled = config->particles[0] != 0;
    for (int i = 0; i < config->shape_count; i++)
        filled |= config->shapes[i].type == SLUICE_SHAPE_FLUID && config->shapes[i].phase == 2;
    return filled;
}

const char *sluice_config_unit(const struct sluice_config *config, const char *unit)
{
    return config->units == SLUICE_UNITS_SI ? unit : "";
}

void sluice_config_print_number(const struct sluice_config *config, const char *name, double value,
                                const char *unit, const char *note, FILE *out)
{
    fprintf(out, "  %-18s%.6g%s%s\n", name, value, sluice_config_unit(config, unit), note);
}

int sluice_config_threads(const struct sluice_config *config, int sharing)
{
    const int most = sluice_processors_most();
    if (config->backend.threads > 0)
        return (int)config->backend.threads;
    if (sluice_processors_asked() > 0)
        return most;
    return most > sharing ? most / sharing : 1;
}

const struct sluice_probe *sluice_config_probe_of(const struct sluice_config *config, int kind)
{
    for (int i = 0; i < config->probe_count; i++)
        if (config->probes[i].kind == kind)
            return &config->probes[i];
    return NULL;
}

unsigned sluice_initial_fields(int kind, int model)
{
    enum {
        V = 1 << SLUICE_FIELD_OF_VELOCITY,
        P = 1 << SLUICE_FIELD_OF_PRESSURE,
        D = 1 << SLUICE_FIELD_OF_DENSITY,
        E = 1 << SLUICE_FIELD_OF_ENERGY
    };
    static const struct {
        unsigned water, gas; /* Lennard-Jones has the velocities of water's */
    } fields[] = {[SLUICE_INITIAL_UNIFORM] = {V | P | D, V | P | D | E},
                  [SLUICE_INITIAL_LINEAR] = {V | P | D, V | P | D | E},
                  [SLUICE_INITIAL_QUADRATIC] = {P | D, P | D | E},
                  [SLUICE_INITIAL_ROTATION] = {V, V},
                  [SLUICE_INITIAL_TAYLOR_GREEN] = {V | P, 0},
                  [SLUICE_INITIAL_ACOUSTIC_WAVE] = {V | P | D, 0},
                  [SLUICE_INITIAL_GRAVITY_WAVE] = {V, 0},
                  [SLUICE_INITIAL_HYDROSTATIC] = {P | D, 0},
                  [SLUICE_INITIAL_SINE] = {0, V | P | D | E},
                  [SLUICE_INITIAL_VORTEX] = {0, V | P},
                  [SLUICE_INITIAL_SHEAR] = {0, V | D},
                  [SLUICE_INITIAL_POINT] = {0, E}};
    return model == SLUICE_MODEL_GAS ? fields[kind].gas : fields[kind].water;
}

double sluice_config_pair_number(const struct sluice_config *config, const char *path,
                                 double preset)
{
    const struct sluice_pair_info *pair = &sluice_pairs[config->pair.index];
    for (int i = 0; i < pair->param_count; i++) {
        const struct sluice_param *p = &pair->params[i];
        if (strcmp(p->path, path) == 0)
            return sluice_param_get(p, config->pair.params.bytes, 0);
    }
    return preset;
}

const char *sluice_config_where(const struct sluice_config *config, const char *path)
{
    const char *rest;
    struct sluice_tree_node *node = sluice_tree_walk(config->source->root, path, &rest);
    if (rest)
        return "default";
    if (!node->where) {
        const size_t size = strlen(node->set ? node->set : node->file ? node->file : "") + 32;
        node->where = malloc(size);
        if (node->where && node->set)
            snprintf(node->where, size, "--set %s", node->set);
        else if (node->where)
            snprintf(node->where, size, "%s:%d", node->file ? node->file : "", node->line);
    }
    return node->where ? node->where : "?";
}

int sluice_config_makes_waves(const struct sluice_config *config)
{
    int waves = 0;
    for (int i = 0; i < config->motion_count; i++)
        waves |= config->motions[i].kind == SLUICE_MOTION_WAVE;
    for (int i = 0; i < config->initial_count; i++)
        waves |= config->initials[i].kind == SLUICE_INITIAL_GRAVITY_WAVE;
    return waves;
}
