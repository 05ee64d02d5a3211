/* Checks of keys together: contradictions, and values that are out of bounds for this case. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/foreign.h"
#include "config/checks.h"
#include "kernels/registry.h"
#include "particles/id.h"

enum { SNAPSHOTS_MAX = 999999 };
static const double ids_max = (double)SLUICE_ID_MAX, frames_max = 5e7;

static void check_domain(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    if (!sluice_entry_given(e, "domain.max") || c->lattice.used)
        return;
    for (int a = 0; a < c->dimension; a++)
        if (!(c->domain.min[a] < c->domain.max[a]))
            sluice_entry_report(e, "domain.max",
                                "%g along %c is not above domain.min, %g: raise it",
                                c->domain.max[a], "xyz"[a], c -> domain.min[a]);
}

/* The reach of the pairs, m; 0: not known. */
static double cutoff(const struct sluice_config *c)
{
    if (c->model == SLUICE_MODEL_WCSPH && c->kernel.name < 0) /* reported at kernel.name */
        return 0;
    if (c->model == SLUICE_MODEL_WCSPH)
        return sluice_kernel_support(c->kernel.name) * c->kernel.h_over_dp * c->spacing;
    return c->model == SLUICE_MODEL_LJ && c->pair.index >= 0 /* a gas's follows from its shapes */
               ? sluice_pairs[c->pair.index].support(c->pair.params.bytes)
               : 0;
}

/* The length of the domain along an axis, m; 0: not known. */
static double domain_length(const struct sluice_config *c, int axis)
{
    if (!c->lattice.used)
        return c->domain.max[axis] - c->domain.min[axis];
    if (c->lattice.kind < 0 || !(c->lattice.density > 0))
        return 0;
    const double basis = c->lattice.kind == SLUICE_LATTICE_FCC ? 4 : 1;
    return (double)c->lattice.cells[axis] * pow(basis / c->lattice.density, 1.0 / c->dimension);
}

/* A particle must not meet two images of another: a periodic box is at least two cutoffs wide. */
static void check_periodic(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    const double least = 2 * cutoff(c);
    for (int a = 0; a < c->dimension; a++) {
        const double length = domain_length(c, a);
        if (!c->domain.periodic[a] || !(length > 0))
            continue;
        if (length < least * (1 - 1e-12))
            sluice_entry_report(e, "domain.periodic",
                                "the domain is %g long along %c, a periodic one must be two "
                                "cutoffs or more, %g: make it longer, or the cutoff shorter (%s)",
                                length, "xyz"[a], least,
                                c -> model == SLUICE_MODEL_LJ ? "pair.cutoff"
                                                              : "spacing, kernel.h_over_dp");
        if (least > 0 && length / least > frames_max)
            sluice_entry_report(e, "domain.periodic",
                                "the domain is %g long along %c, more than %g times the cutoff of "
                                "%g: make it shorter, or the cutoff longer",
                                length, "xyz"[a], 2 * frames_max, least / 2);
        if (c->central_count > 0)
            sluice_entry_report(e, "forces",
                                "a central force has no potential along the periodic axis %c: make "
                                "it open, or remove the force",
                                "xyz"[a]);
    }
}

/* Warns where gravity pulls only towards sides that are open, and no wall but those of other sides
 * of the domain can catch the fluid. */
static void check_floor(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    unsigned sides = 0;
    int others = c->particles[0] != 0 || c->central_count > 0, open = -1;
    for (int i = 0; i < c->shape_count; i++) {
        const struct sluice_shape *s = &c->shapes[i];
        if (s->kind == SLUICE_SHAPE_WALLS)
            sides |= s->sides;
        else
            others |= s->type == SLUICE_SHAPE_WALL;
    }
    for (int a = 0; a < c->dimension; a++) {
        if (c->gravity[a] == 0 || c->domain.periodic[a])
            continue;
        others |= (sides & 1u << (2 * a + (c->gravity[a] > 0))) != 0;
        if (open < 0 || fabs(c->gravity[a]) >= fabs(c->gravity[open]))
            open = a;
    }
    if (sides != 0 && !others && open >= 0)
        sluice_entry_report(e, "gravity",
                            "warning: it pulls towards %c%c, a side of the domain without a wall, "
                            "where the fluid will fall out: add \"%c%c\" to the sides of walls",
                            "xyz"[open], "-+"[c->gravity[open] > 0], "xyz"[open],
                            "-+"[c->gravity[open] > 0]);
}

/* The periodic axis that gravity points along, -1: none. */
static int periodic_gravity(const struct sluice_config *c)
{
    for (int a = c->dimension - 1; a >= 0; a--)
        if (c->domain.periodic[a] && c->gravity[a] != 0)
            return a;
    return -1;
}

static void check_gravity(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    const double g = sqrt(c->gravity[0] * c->gravity[0] + c->gravity[1] * c->gravity[1] +
                          c->gravity[2] * c->gravity[2]);
    const int along = periodic_gravity(c);
    if (c->model != SLUICE_MODEL_WCSPH || sluice_entry_refused(e, "gravity"))
        return;
    const int speed_from_depth = c->fluid.sound_speed == 0 &&
                                 !sluice_entry_refused(e, "fluid.sound_speed");
    const struct sluice_conflict conflicts[] = {
        {c->dimension > 0 && c->gravity[c->dimension - 1] > 0, "gravity",
         "warning: it points up, along the last axis: is a minus sign missing?"},
        /* After an error the walls may be missing because of it. */
        {e->r->report->errors == 0 && g > 0 && along < 0 && c->central_count == 0 &&
             !sluice_config_may_have_walls(c),
         "gravity",
         "warning: nothing holds the fluid, which will fall: add a shape of walls to the "
         "geometry"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    if (e->r->report->errors == 0 && !conflicts[0].holds)
        check_floor(e);
    if (speed_from_depth && g == 0)
        sluice_entry_report(e, "fluid.sound_speed",
                            "0 takes it from the fluid's depth, but there is no gravity: give ten "
                            "times the largest speed, in m/s, or set gravity, as %s",
                            c->dimension == 3 ? "[0.0, 0.0, -9.81]" : "[0.0, -9.81]");
    if (speed_from_depth && along >= 0)
        sluice_entry_report(e, "fluid.sound_speed",
                            "0 takes it from the fluid's depth, but gravity points along the "
                            "periodic axis %c: give ten times the largest speed, in m/s",
                            "xyz"[along]);
    if (c->fluid.masses == SLUICE_MASSES_HYDROSTATIC && (g == 0 || along >= 0))
        sluice_entry_report(
            e, "fluid.masses", "\"hydrostatic\" needs a depth, but %s: write \"lattice\"",
            g == 0 ? "there is no gravity" : "gravity points along a periodic axis");
}

static void check_lattice(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    double count = c->lattice.kind == SLUICE_LATTICE_FCC ? 4 : 1;
    if (!c->lattice.used || c->lattice.kind < 0 || c->dimension == 0 || c->model != SLUICE_MODEL_LJ)
        return;
    for (int a = 0; a < c->dimension; a++)
        count *= (double)c->lattice.cells[a];
    if (count > ids_max)
        sluice_entry_report(
            e, "lattice.cells",
            "%g particles, at most %.0f are possible: take fewer cells" SLUICE_ID_REMEDY, count,
            ids_max);
    if ((c->lattice.kind == SLUICE_LATTICE_SQUARE) != (c->dimension == 2))
        sluice_entry_report(e, "lattice.kind",
                            "this lattice has %d dimensions, the case %d: choose %s",
                            c->dimension == 2 ? 3 : 2, c->dimension,
                            c->dimension == 2 ? "\"square\"" : "\"fcc\" or \"cubic\"");
}

/* The particles come from shapes, a lattice or a file. */
static void check_start(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    const struct sluice_tree_node *geometry = sluice_tree_find(e->node, "geometry");
    const int from_file = c->particles[0] != 0, lj = c->model == SLUICE_MODEL_LJ;
    int no_fluid = !lj && c->model >= 0 && !from_file && !sluice_entry_refused(e, "particles") &&
                   (!geometry || geometry->kind == SLUICE_TREE_LIST);
    for (int i = 0; i < c->shape_count; i++)
        no_fluid &= c->shapes[i].type != SLUICE_SHAPE_FLUID && c->shapes[i].type >= 0;
    const struct sluice_conflict conflicts[] = {
        {c->lattice.used && from_file, "particles",
         "given together with a lattice: remove one of the two"},
        {lj && !c->lattice.used && !from_file, "lattice",
         "there are no particles: give a lattice, or a file by the key particles"},
        {no_fluid, "geometry",
         "no shape is of type \"fluid\": add one, or give a file by the key particles"},
        {c->model == SLUICE_MODEL_GAS && from_file && c->shape_count > 0, "geometry",
         "the file of particles has the whole gas: remove the shapes, or the key particles"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    check_lattice(e);
}

/* What effects need, what they exclude, and where they change nothing: physics/effects.def. */
static void check_effects(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    const struct sluice_conflict conflicts[] = {
#define EFFECT_RULE(holds, key, message)                  {holds, key, message},
#define EFFECT_EXCLUDES(holds, key, what, reason, remedy) {holds, key, reason ": " remedy},
#include "physics/effects.def"
    };
    const struct {
        int holds;
        unsigned property;
        const char *key, *problem;
    } needs[] = {
#define EFFECT_NEEDS_WALLS(holds, property, key, what, reason, remedy)                             \
    {holds, property, key, reason ": " remedy},
#include "physics/effects.def"
    };
    if (c->model != SLUICE_MODEL_WCSPH)
        return;
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    sluice_check_outputs(e, "output.fields", c->output.fields);
    if (c->output.fields && c->output.every == 0 && c->output.keep == 0)
        sluice_entry_report(e, "output.fields",
                            "warning: no file shows them: output.every and output.keep are 0");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].holds && c->boundary.kind >= 0 &&
            !sluice_config_walls_have(c, needs[i].property))
            sluice_entry_report(e, needs[i].key, "\"%s\" walls %s",
                                sluice_boundaries[c->boundary.kind].word, needs[i].problem);
}

static void check_forces(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    if (c->model != SLUICE_MODEL_LJ || !c->output.forces)
        return;
    if (c->pair.index >= 0 && c->pair.index != SLUICE_PAIR_lj) /* a pair that was added */
        sluice_entry_report(e, "output.forces",
                            "potential energies of particles are those of pair.name = \"lj\", but "
                            "that is \"%s\": remove one of the two",
                            sluice_pairs[c->pair.index].name);
    if (c->output.every == 0 && c->output.keep == 0)
        sluice_entry_report(e, "output.forces",
                            "warning: no file shows them: output.every and output.keep are 0");
}

static void check_time(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    if (c->model == SLUICE_MODEL_LJ && c->time.step == 0 && !sluice_entry_refused(e, "time.step"))
        sluice_entry_report(e, "time.step", "model \"lj\" takes fixed steps: give one, as 0.005");
    if (c->time.step > 0 && c->time.step < c->time.end * 1e-13)
        sluice_entry_report(
            e, "time.step",
            "%g is below the rounding error of time.end, %g: it must be 1e-13 of it or more",
            c->time.step, c->time.end);
    if (c->output.every > 0 && c->time.end / c->output.every > SNAPSHOTS_MAX)
        sluice_entry_report(
            e, "output.every",
            "%g s makes %.3g snapshots until time.end, at most %d are allowed: give %.2g s or more",
            c->output.every, c->time.end / c->output.every, SNAPSHOTS_MAX,
            c->time.end / SNAPSHOTS_MAX);
    if (c->output.every > c->time.end * (1 + 1e-9) && c->time.end > 0 && e->r->report->errors == 0)
        sluice_entry_report(e, "output.every",
                            "warning: %.9g is longer than the run, time.end = %.9g: only the start "
                            "would be saved; give %.9g or less, or 0 for no snapshots",
                            c->output.every, c->time.end, c->time.end);
}

static void check_stability(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->base;
    if (c->model == SLUICE_MODEL_WCSPH && c->time.step > 0)
        sluice_entry_report(e, "time.step",
                            "warning: a fixed step may be unstable: with 0 it follows the speed of "
                            "sound");
    if (c->time.first < 1 && c->time.step > 0)
        sluice_entry_report(e, "time.first",
                            "%g has no effect with a fixed time.step: remove one of the two",
                            c->time.first);
    if (c->model == SLUICE_MODEL_GAS && c->time.step > 0)
        sluice_entry_report(e, "time.step",
                            "warning: a fixed step may be unstable: with 0 it follows the signals "
                            "of the gas");
    if (c->model != SLUICE_MODEL_WCSPH)
        return;
    if (c->time.cfl > 0.4)
        sluice_entry_report(e, "time.cfl",
                            "warning: %g is near the limit of stability, 0.45: 0.3 is safe",
                            c->time.cfl);
    else if (c->time.predictor < 0.16 && c->time.cfl > 0.2)
        sluice_entry_report(e, "time.predictor",
                            "warning: %g lets sound grow at cfl %g without dissipation: take 0.2, "
                            "or a cfl of 0.2 or less",
                            c->time.predictor, c->time.cfl);
}

/* A path is relative to the folder of the file that gives it; from --set, to that of the process.
 */
static void place_file(const struct sluice_entry *e, const char *key, char path[SLUICE_TEXT_MAX])
{
    const struct sluice_tree_node *node = sluice_tree_find(e->node, key);
    char folder[PATH_MAX + 1] = "", cwd[PATH_MAX] = "", joined[2 * PATH_MAX + SLUICE_TEXT_MAX];
    if (!path[0] || path[0] == '/' || !node)
        return;
    const char *slash = node->file ? strrchr(node->file, '/') : NULL;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - node->file), node->file);
    if (folder[0] != '/' && getcwd(cwd, sizeof cwd - 1))
        strcat(cwd, "/");
    snprintf(joined, sizeof joined, "%s%s%s", cwd, folder, path);
    if (strlen(joined) < SLUICE_TEXT_MAX)
        strcpy(path, joined);
    else
        sluice_entry_report(e, key,
                            "the whole path has %zu bytes, at most %d are allowed: move the file",
                            strlen(joined), SLUICE_TEXT_MAX - 1);
}

/* Refuses files of other programs, by their ending. */
static void check_particle_file(const struct sluice_entry *e)
{
    const char *dot = strrchr(e->r->config->particles, '.');
    const struct sluice_foreign *foreign = dot ? sluice_foreign_find(dot + 1, "particles") : NULL;
    char answer[SLUICE_FOREIGN_BYTES];
    if (!foreign || foreign->at[0] == 0)
        return;
    sluice_foreign_text(foreign, answer, sizeof answer);
    sluice_entry_report(e, "particles", "\"%.60s\": %s", dot, answer);
}

static void place_files(const struct sluice_entry *e)
{
    struct sluice_config *c = e->base;
    check_particle_file(e);
    place_file(e, "particles", c->particles);
    place_file(e, "acceleration", c->acceleration);
    for (int i = 0; i < c->motion_count; i++) {
        char key[SLUICE_KEY_BYTES];
        snprintf(key, sizeof key, "motions.[%d].file", i);
        place_file(e, key, c->motions[i].table);
    }
    for (int i = 0; i < c->opening_count; i++) {
        char key[SLUICE_KEY_BYTES];
        snprintf(key, sizeof key, "openings.[%d].file", i);
        place_file(e, key, c->openings[i].table);
    }
    for (int i = 0; i < c->shape_count; i++) {
        char key[SLUICE_KEY_BYTES];
        snprintf(key, sizeof key, "geometry.[%d].file", i);
        place_file(e, key, c->shapes[i].surface);
    }
}

void sluice_reader_check(struct sluice_reader *r)
{
    const struct sluice_entry all = sluice_entry_of_config(r);
    place_files(&all);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_GEOMETRY], sluice_check_shape);
    check_domain(&all);
    check_periodic(&all);
    check_gravity(&all);
    check_start(&all);
    check_effects(&all);
    check_forces(&all);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_MOTIONS], sluice_check_motion);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_BODIES], sluice_check_body);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_MOORINGS], sluice_check_mooring);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_INITIAL], sluice_check_initial);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_PROBES], sluice_check_probe);
    sluice_entry_each(r, &sluice_config_lists[SLUICE_TABLE_OPENINGS], sluice_check_opening);
    check_time(&all);
    check_stability(&all);
}
