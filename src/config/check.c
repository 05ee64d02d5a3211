/* What keys say together. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/foreign.h"
#include "config/reader.h"
#include "kernels/registry.h"

static const char axis_name[] = "xyz";

enum { SNAPSHOTS_MAX = 999999 };
static const double ids_max = 4294967295.0, frames_max = 5e7;

static const struct sluice_tree_node *at(const struct sluice_reader *r, const char *path)
{
    return sluice_reader_place(r->root, path);
}

static void check_domain(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    if (!sluice_reader_given(r->root, "domain.max") || c->lattice.used)
        return;
    for (int a = 0; a < c->dimension; a++)
        if (!(c->domain.min[a] < c->domain.max[a]))
            sluice_report_error(r->report, at(r, "domain.max"), "domain.max",
                                "%g along %c is not above domain.min, %g: raise it",
                                c->domain.max[a], axis_name[a], c->domain.min[a]);
}

/* The reach of the pairs, m; 0: not known. */
static double cutoff(const struct sluice_config *c)
{
    if (c->model == SLUICE_MODEL_WCSPH && c->kernel.name < 0) /* no kernel's name: that is said */
        return 0;
    if (c->model == SLUICE_MODEL_WCSPH)
        return sluice_kernel_support(c->kernel.name) * c->kernel.h_over_dp * c->spacing;
    return c->model == SLUICE_MODEL_LJ && c->pair.index >= 0
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

/* Images of a particle must not meet it twice: a periodic box is two cutoffs wide or more. */
static void check_periodic(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    const double least = 2 * cutoff(c);
    if (c->fluid.shifting.kind != SLUICE_SHIFTING_NONE && c->model == SLUICE_MODEL_WCSPH) {
        if (c->central_count > 0)
            sluice_report_error(r->report, at(r, "forces"), "forces",
                                "the energy budget does not know what particle shifting does in a "
                                "central force: remove the force, or fluid.shifting");
        if (c->boundary.kind == SLUICE_BOUNDARY_REPULSIVE)
            sluice_report_error(r->report, at(r, "boundary.kind"), "boundary.kind",
                                "the energy budget does not know what particle shifting does at "
                                "repulsive walls: take another kind, or remove fluid.shifting");
    }
    for (int a = 0; a < c->dimension; a++) {
        const double length = domain_length(c, a);
        if (!c->domain.periodic[a] || !(length > 0))
            continue;
        if (length < least * (1 - 1e-12))
            sluice_report_error(r->report, at(r, "domain.periodic"), "domain.periodic",
                                "the domain is %g long along %c, a periodic one must be two "
                                "cutoffs or more, %g: make it longer, or the "
                                "cutoff shorter (%s)",
                                length, axis_name[a], least,
                                c->model == SLUICE_MODEL_LJ ? "pair.cutoff"
                                                            : "spacing, kernel.h_over_dp");
        if (least > 0 && length / least > frames_max)
            sluice_report_error(r->report, at(r, "domain.periodic"), "domain.periodic",
                                "the domain is %g long along %c, more than %g times the cutoff of "
                                "%g: make it shorter, or the cutoff longer",
                                length, axis_name[a], 2 * frames_max, least / 2);
        if (c->central_count > 0)
            sluice_report_error(r->report, at(r, "forces"), "forces",
                                "a central force has no potential along the periodic axis %c: make "
                                "it open, or remove the force",
                                axis_name[a]);
    }
}

/* Or may have: in a file of particles, in a geometry that could not be read. */
static int has_walls(const struct sluice_config *c)
{
    int walls = c->particles[0] != 0 || c->shape_count == 0;
    for (int i = 0; i < c->shape_count; i++)
        walls |= c->shapes[i].kind == SLUICE_SHAPE_WALLS || c->shapes[i].type == SLUICE_SHAPE_WALL;
    return walls;
}

static void check_gravity(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    const double g = sqrt(c->gravity[0] * c->gravity[0] + c->gravity[1] * c->gravity[1] +
                          c->gravity[2] * c->gravity[2]);
    const struct sluice_tree_node *gravity = sluice_tree_find(r->root, "gravity");
    int along = -1;
    if (c->model != SLUICE_MODEL_WCSPH || (gravity && gravity->bad))
        return;
    for (int a = 0; a < c->dimension; a++)
        if (c->domain.periodic[a] && c->gravity[a] != 0)
            along = a;
    if (c->dimension > 0 && c->gravity[c->dimension - 1] > 0)
        sluice_report_warning(r->report, gravity, "gravity",
                              "it points up, along the last axis: is a minus sign missing?");
    /* With an error, walls may be what is wrong. */
    if (r->report->errors == 0 && g > 0 && along < 0 && c->central_count == 0 && !has_walls(c))
        sluice_report_warning(r->report, gravity, "gravity",
                              "nothing holds the fluid, which will fall: add a shape of walls to "
                              "the geometry");
    const struct sluice_tree_node *speed = sluice_tree_find(r->root, "fluid.sound_speed");
    if (c->fluid.sound_speed == 0 && !(speed && speed->bad)) {
        if (g == 0)
            sluice_report_error(r->report, at(r, "fluid.sound_speed"), "fluid.sound_speed",
                                "0 takes it from the fluid's depth, but there is no gravity: give "
                                "ten times the largest speed, in m/s, or set gravity, as %s",
                                c->dimension == 3 ? "[0.0, 0.0, -9.81]" : "[0.0, -9.81]");
        else if (along >= 0)
            sluice_report_error(r->report, at(r, "fluid.sound_speed"), "fluid.sound_speed",
                                "0 takes it from the fluid's depth, but gravity points along the "
                                "periodic axis %c: give ten times the "
                                "largest speed, in m/s",
                                axis_name[along]);
    }
    if (c->fluid.masses == SLUICE_MASSES_HYDROSTATIC && (g == 0 || along >= 0))
        sluice_report_error(r->report, at(r, "fluid.masses"), "fluid.masses",
                            "\"hydrostatic\" needs a depth, but %s: write \"lattice\"",
                            g == 0 ? "there is no gravity"
                                   : "gravity points along a periodic axis");
    if (c->fluid.diffusion.kind == SLUICE_DIFFUSION_MOLTENI && g > 0)
        sluice_report_warning(r->report, at(r, "fluid.diffusion.kind"), "fluid.diffusion.kind",
                              "\"molteni\" under gravity makes the pressure of water at rest wrong "
                              "by 17 to 19%%: \"hydrostatic\" does not");
    if (c->boundary.slip == SLUICE_SLIP_NONE && c->boundary.kind == SLUICE_BOUNDARY_REPULSIVE)
        sluice_report_error(
            r->report, at(r, "boundary.slip"), "boundary.slip",
            "\"repulsive\" walls have no friction: choose another boundary.kind, or "
            "\"free\"");
    if (c->boundary.slip == SLUICE_SLIP_NONE && c->fluid.viscosity.kind == SLUICE_VISCOSITY_NONE)
        sluice_report_warning(r->report, at(r, "boundary.slip"), "boundary.slip",
                              "\"no-slip\" changes nothing without viscosity");
}

static void check_start(struct sluice_reader *r)
{
    struct sluice_config *c = r->config;
    int fluid = c->particles[0] != 0;
    if (c->lattice.used && c->particles[0])
        sluice_report_error(r->report, at(r, "particles"), "particles",
                            "given beside a lattice: remove one of the two");
    if (c->model == SLUICE_MODEL_LJ && !c->lattice.used && !c->particles[0])
        sluice_report_error(
            r->report, r->root, "lattice",
            "nothing says where particles are: give a lattice, or a file by the key particles");
    const struct sluice_tree_node *geometry = sluice_tree_find(r->root, "geometry"),
                                  *file = sluice_tree_find(r->root, "particles");
    for (int i = 0; i < c->shape_count; i++)
        fluid |= c->shapes[i].type == SLUICE_SHAPE_FLUID || c->shapes[i].type < 0;
    if (c->model == SLUICE_MODEL_WCSPH && !fluid && !(file && file->bad) &&
        (!geometry || geometry->kind == SLUICE_TREE_LIST))
        sluice_report_error(
            r->report, geometry ? geometry : r->root, "geometry",
            "no shape is of type \"fluid\": add one, or give a file by the key particles");
    if (c->lattice.used && c->lattice.kind >= 0 && c->dimension > 0) {
        double count = c->lattice.kind == SLUICE_LATTICE_FCC ? 4 : 1;
        for (int a = 0; a < c->dimension; a++)
            count *= (double)c->lattice.cells[a];
        if (count > ids_max)
            sluice_report_error(r->report, at(r, "lattice.cells"), "lattice.cells",
                                "%g particles, at most %.0f have ids: take fewer cells", count,
                                ids_max);
        if ((c->lattice.kind == SLUICE_LATTICE_SQUARE) != (c->dimension == 2))
            sluice_report_error(r->report, at(r, "lattice.kind"), "lattice.kind",
                                "this lattice has %d dimensions, the case %d: choose %s",
                                c->dimension == 2 ? 3 : 2, c->dimension,
                                c->dimension == 2 ? "\"square\"" : "\"fcc\" or \"cubic\"");
    }
}

/* What the pair of two fluids does not know. */
static void check_second(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    int second = c->particles[0] != 0;
    for (int i = 0; i < c->shape_count; i++)
        second |= c->shapes[i].type == SLUICE_SHAPE_FLUID && c->shapes[i].phase == 2;
    if (c->model != SLUICE_MODEL_WCSPH || !c->fluid.second.used)
        return;
    if (!second)
        sluice_report_error(r->report, at(r, "fluid.second"), "fluid.second",
                            "nothing is filled with it: give a shape phase = 2, or a file of "
                            "particles with a column phase");
    if (c->fluid.viscosity.kind == SLUICE_VISCOSITY_SPS)
        sluice_report_error(r->report, at(r, "fluid.viscosity.kind"), "fluid.viscosity.kind",
                            "\"sps\" does not know a second fluid: take another kind, or remove "
                            "fluid.second");
    if (c->fluid.diffusion.kind == SLUICE_DIFFUSION_ANTUONO)
        sluice_report_error(r->report, at(r, "fluid.diffusion.kind"), "fluid.diffusion.kind",
                            "\"antuono\" does not know a second fluid: take another kind, or "
                            "remove fluid.second");
    if (c->fluid.shifting.kind != SLUICE_SHIFTING_NONE)
        sluice_report_error(r->report, at(r, "fluid.shifting.kind"), "fluid.shifting.kind",
                            "particles of two fluids are not shifted: take \"none\", or remove "
                            "fluid.second");
    if (c->boundary.kind != SLUICE_BOUNDARY_ADAMI && c->boundary.kind >= 0)
        sluice_report_error(r->report, at(r, "boundary.kind"), "boundary.kind",
                            "only walls of kind \"adami\" know a second fluid: take it, or remove "
                            "fluid.second");
    if (sluice_config_probe_of(c, SLUICE_PROBE_FORCE))
        sluice_report_error(r->report, at(r, "probes"), "probes",
                            "forces of two fluids are not measured: remove the probes of kind "
                            "\"force\", or fluid.second");
}

static void check_time(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    const struct sluice_tree_node *step = sluice_tree_find(r->root, "time.step");
    if (c->model == SLUICE_MODEL_LJ && c->time.step == 0 && !(step && step->bad))
        sluice_report_error(r->report, at(r, "time.step"), "time.step",
                            "model \"lj\" takes fixed steps: give one, as 0.005");
    if (c->model == SLUICE_MODEL_WCSPH && c->time.step > 0)
        sluice_report_warning(r->report, step, "time.step",
                              "a fixed step may be unstable: with 0 it follows the speed of sound");
    if (!sluice_reader_given(r->root, "time.end"))
        return;
    if (c->time.step > 0 && c->time.step < c->time.end * 1e-13)
        sluice_report_error(r->report, step, "time.step",
                            "%g is lost beside time.end, %g: it must be 1e-13 of it or more",
                            c->time.step, c->time.end);
    if (c->output.every > 0 && c->time.end / c->output.every > SNAPSHOTS_MAX)
        sluice_report_error(
            r->report, at(r, "output.every"), "output.every",
            "%g s makes %.3g snapshots until time.end, at most %d are allowed: give %.2g s or more",
            c->output.every, c->time.end / c->output.every, SNAPSHOTS_MAX,
            c->time.end / SNAPSHOTS_MAX);
}

static void check_stability(struct sluice_reader *r)
{
    const struct sluice_config *c = r->config;
    if (c->model != SLUICE_MODEL_WCSPH)
        return;
    if (c->time.first < 1 && c->time.step > 0)
        sluice_report_error(r->report, at(r, "time.first"), "time.first",
                            "%g with a fixed time.step: take it away, or the step", c->time.first);
    if (c->time.cfl > 0.4)
        sluice_report_warning(r->report, at(r, "time.cfl"), "time.cfl",
                              "%g is near the limit of stability, 0.45: 0.3 is safe", c->time.cfl);
    else if (c->time.predictor < 0.16 && c->time.cfl > 0.2)
        sluice_report_warning(
            r->report, at(r, "time.predictor"), "time.predictor",
            "%g lets sound grow at cfl %g without dissipation: take 0.2, or a cfl of 0.2 or less",
            c->time.predictor, c->time.cfl);
}

/* A file is relative to the folder of the file that names it; from --set, to the folder of the
 * process. */
static void place_file(struct sluice_reader *r, const struct sluice_tree_node *node,
                       const char *key, char path[SLUICE_TEXT_MAX])
{
    char folder[PATH_MAX] = "", joined[2 * PATH_MAX + SLUICE_TEXT_MAX];
    if (!path[0] || path[0] == '/' || !node)
        return;
    const char *slash = node->file ? strrchr(node->file, '/') : NULL;
    char cwd[PATH_MAX];
    if (slash)
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - node->file), node->file);
    if (folder[0] != '/' && getcwd(cwd, sizeof cwd))
        snprintf(joined, sizeof joined, "%s/%s%s", cwd, folder, path);
    else
        snprintf(joined, sizeof joined, "%s%s", folder, path);
    if (strlen(joined) >= SLUICE_TEXT_MAX) {
        sluice_report_error(r->report, node, key,
                            "the whole path has %zu bytes, at most %d are allowed: move the file",
                            strlen(joined), SLUICE_TEXT_MAX - 1);
        return;
    }
    strcpy(path, joined);
}

/* Files of other programs, by their ending. */
static void check_particle_file(struct sluice_reader *r)
{
    const char *dot = strrchr(r->config->particles, '.');
    const struct sluice_foreign *foreign = dot ? sluice_foreign_find(dot + 1, "particles") : NULL;
    char answer[SLUICE_FOREIGN_BYTES];
    if (!foreign || foreign->at[0] == 0)
        return;
    sluice_foreign_text(foreign, answer, sizeof answer);
    sluice_report_error(r->report, at(r, "particles"), "particles", "\"%.60s\": %s", dot, answer);
}

static void place_files(struct sluice_reader *r)
{
    struct sluice_config *c = r->config;
    check_particle_file(r);
    place_file(r, sluice_tree_find(r->root, "particles"), "particles", c->particles);
    for (int i = 0; i < c->motion_count; i++) {
        char key[SLUICE_KEY_BYTES];
        snprintf(key, sizeof key, "motions.[%d].file", i);
        place_file(r, sluice_tree_find(sluice_reader_entry(r, SLUICE_TABLE_MOTIONS, i), "file"),
                   key, c->motions[i].table);
    }
}

void sluice_reader_check(struct sluice_reader *r)
{
    place_files(r);
    sluice_reader_check_shapes(r);
    check_domain(r);
    check_periodic(r);
    check_gravity(r);
    check_start(r);
    check_second(r);
    sluice_reader_check_motions(r);
    sluice_reader_check_initials(r);
    sluice_reader_check_probes(r);
    check_time(r);
    check_stability(r);
}
