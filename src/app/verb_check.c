/* sluice check: does everything that a run does before its steps, and prints the result. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/json.h"
#include "app/config_from_options.h"
#include "app/verbs.h"
#include "geometry/geometry.h"
#include "plan/pace.h"
#include "plan/plan.h"
#include "probes/probe_report.h"
#include "sim/output.h"
#include "sim/sim.h"

static sluice_status print_text(const struct sluice_sim *sim, int64_t warnings,
                                const struct sluice_plan_request *plans)
{
    const char *unit = sim->config->units == SLUICE_UNITS_SI ? " s" : "";
    sluice_case_print(sim->setup, stdout);
    SLUICE_TRY(sluice_probes_print(sim->setup, stdout));
    printf("\n");
    sluice_sim_print_memory_line(sim, stdout);
    const int64_t steps = sluice_pace_steps_of_run(sim, 0), most = sluice_pace_steps_of_run(sim, 1);
    printf("first time step %.6g%s; about %" PRId64 " steps to t = %.6g%s", sim->dt_next, unit,
           steps, sim->config->time.end, unit);
    if (most > steps)
        printf(", more while bodies touch: %" PRId64 " if they always did", most);
    printf("\n");
    printf("energy is measured against %.6g%s\n", sim->reference_energy,
           sim->config->units != SLUICE_UNITS_SI ? ""
           : sim->config->dimension == 2         ? " J/m"
                                                 : " J");
    if (plans->count > 0)
        SLUICE_TRY(sluice_plan_print(sim, plans, stdout));
    if (warnings > 0)
        printf("%" PRId64 " warning%s, see above\n", warnings, warnings == 1 ? "" : "s");
    return SLUICE_OK;
}

static void write_faces(struct sluice_json *json, const char *key, const double face[3],
                        int dimension)
{
    sluice_json_begin(json, key, '[');
    for (int axis = 0; axis < dimension; axis++)
        sluice_json_real(json, NULL, face[axis]);
    sluice_json_end(json, '[');
}

/* Along which axes the extent of a shape is a length of the case: those between two walls of the
 * domain, for `walls`; none for a shape with a surface of its own; all for others. */
static void write_bounded(struct sluice_json *json, const struct sluice_case *setup, int shape)
{
    const struct sluice_config *config = setup->config;
    unsigned all = 0;
    for (int i = 0; i < config->shape_count; i++)
        all |= config->shapes[i].sides;
    const struct sluice_shape *asked = setup->geometry.asked ? &setup->geometry.asked[shape]
                                                             : &config->shapes[shape];
    const int walls = asked->kind == SLUICE_SHAPE_WALLS;
    sluice_json_begin(json, "bounded", '[');
    for (int axis = 0; axis < config->dimension; axis++)
        sluice_json_bool(
            json, NULL,
            sluice_geometry_is_plain(asked) &&
                (!walls || (sluice_has_side(all, axis, 0) && sluice_has_side(all, axis, 1))));
    sluice_json_end(json, '[');
}

static void write_domain(struct sluice_json *json, const struct sluice_config *config)
{
    write_faces(json, "domain_min", config->domain.min, config->dimension);
    write_faces(json, "domain_max", config->domain.max, config->dimension);
    sluice_json_begin(json, "periodic", '[');
    for (int axis = 0; axis < config->dimension; axis++)
        sluice_json_bool(json, NULL, config->domain.periodic[axis]);
    sluice_json_end(json, '[');
}

static void write_lattice(struct sluice_json *json, const struct sluice_gas_shape *s)
{
    static const char *const kind[] = {SLUICE_LATTICES(SLUICE_CHOICE_WORD)};
    const struct sluice_lattice *l = &s->lattice;
    sluice_json_text(json, "lattice", kind[l->kind]);
    sluice_json_real(json, "spacing", pow(sluice_lattice_volume(l), 1.0 / l->dimension));
    sluice_json_real(json, "particle_mass", s->mass);
    sluice_json_begin(json, "stretch", '[');
    for (int axis = 0; axis < l->dimension; axis++)
        sluice_json_real(json, NULL, l->edge[axis] / s->asked[axis]);
    sluice_json_end(json, '[');
}

static void write_range(struct sluice_json *json, const char *key, double least, double most)
{
    sluice_json_begin(json, key, '[');
    sluice_json_real(json, NULL, least);
    sluice_json_real(json, NULL, most);
    sluice_json_end(json, '[');
}

/* The least and the largest values of a gas at the start. */
static void write_gas(struct sluice_json *json, const struct sluice_case *setup)
{
    const struct sluice_gas_ranges *g = &setup->gas;
    const double stiff = gas_sound2(&setup->physics.gas);
    sluice_json_begin(json, "gas", '{');
    write_range(json, "density", g->density[0], g->density[1]);
    write_range(json, "pressure", g->pressure[0], g->pressure[1]);
    write_range(json, "energy", g->energy[0], g->energy[1]);
    write_range(json, "sound_speed", sqrt(stiff * g->energy[0]), sqrt(stiff * g->energy[1]));
    write_range(json, "smoothing_length", g->h[0], g->h[1]);
    sluice_json_end(json, '{');
}

static void write_shapes(struct sluice_json *json, const struct sluice_case *setup)
{
    static const char *const types[] = {SLUICE_SHAPE_TYPES(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = setup->config;
    sluice_json_begin(json, "shapes", '[');
    for (int i = 0; i < config->shape_count; i++) {
        const struct sluice_shape_report *shape = &setup->shapes[i];
        sluice_json_begin(json, NULL, '{');
        sluice_json_text(json, "name", config->shapes[i].name);
        sluice_json_text(json, "type", types[config->shapes[i].type]);
        sluice_json_int(json, "particles", shape->particles);
        write_faces(json, "asked_min", shape->asked_min, config->dimension);
        write_faces(json, "asked_max", shape->asked_max, config->dimension);
        write_faces(json, "actual_min", shape->actual_min, config->dimension);
        write_faces(json, "actual_max", shape->actual_max, config->dimension);
        write_bounded(json, setup, i);
        sluice_json_int(json, "cut", shape->cut);
        sluice_json_real(json, "clipped", shape->clipped);
        sluice_json_bool(json, "endless", shape->endless);
        sluice_json_real(json, "asked_volume", shape->asked_volume);
        sluice_json_real(json, "asked_volume_deviation", shape->deviation);
        sluice_json_real(json, "actual_volume", shape->actual_volume);
        sluice_json_real(json, "asked_mass", shape->asked_mass);
        sluice_json_int(json, "left_out", shape->displaced);
        sluice_json_int(json, "buried", shape->buried);
        sluice_json_real(json, "actual_mass", shape->actual_mass);
        if (setup->gas_shapes.shape && setup->gas_shapes.shape[i].lattice.count > 0)
            write_lattice(json, &setup->gas_shapes.shape[i]);
        sluice_json_end(json, '{');
    }
    sluice_json_end(json, '[');
}

static void write_groups(struct sluice_json *json, const struct sluice_case *setup)
{
    static const char *const types[] = {"fluid", "wall"};
    sluice_json_begin(json, "groups", '[');
    for (int k = 0; k < setup->groups.count; k++) {
        const struct sluice_group *g = &setup->groups.group[k];
        sluice_json_begin(json, NULL, '{');
        sluice_json_text(json, "name", g->name);
        sluice_json_text(json, "type", types[g->type]);
        sluice_json_int(json, "shapes", g->shapes);
        sluice_json_int(json, "rows", g->rows);
        sluice_json_int(json, "particles", g->particles);
        sluice_json_real(json, "mass", g->mass);
        sluice_json_end(json, '{');
    }
    sluice_json_end(json, '[');
}

static void write_body(struct sluice_json *json, const struct sluice_case *setup, int number)
{
    static const char *const axes[] = {"x", "y", "z", "rx", "ry", "rz"};
    const struct sluice_rigid_body *body = &setup->physics.bodies[number];
    const int dimension = setup->config->dimension;
    sluice_json_begin(json, NULL, '{');
    sluice_json_text(json, "name", body->name);
    sluice_json_int(json, "particles", sluice_case_body_particles(setup, number));
    sluice_json_real(json, "mass", body->mass);
    sluice_json_real(json, "volume", body->volume);
    sluice_json_real(json, "density", body->mass / body->volume);
    write_faces(json, "centre", body->centre, dimension);
    sluice_json_begin(json, "inertia", '['); /* in 3-D the rows of the tensor */
    for (int i = dimension == 2 ? 2 : 0; i < 3; i++)
        for (int k = dimension == 2 ? 2 : 0; k < 3; k++)
            sluice_json_real(json, NULL, body->inertia[i][k]);
    sluice_json_end(json, '[');
    sluice_json_begin(json, "locked", '[');
    for (int k = 0; k < 6; k++)
        if (body->entry->locks & 1u << k)
            sluice_json_text(json, NULL, axes[k]);
    sluice_json_end(json, '[');
    sluice_json_real(json, "release", body->entry->release);
    sluice_json_end(json, '{');
}

static void write_bodies(struct sluice_json *json, const struct sluice_sim *sim)
{
    static const char *const kinds[] = {SLUICE_MOORINGS(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = sim->config;
    if (config->rigid_count == 0)
        return;
    sluice_json_begin(json, "bodies", '[');
    for (int i = 0; i < sim->setup->physics.body_count; i++)
        write_body(json, sim->setup, i);
    sluice_json_end(json, '[');
    sluice_json_begin(json, "moorings", '[');
    for (int i = 0; i < config->mooring_count; i++) {
        const struct sluice_mooring *m = &config->moorings[i];
        sluice_json_begin(json, NULL, '{');
        sluice_json_text(json, "name", m->name);
        sluice_json_text(json, "kind", kinds[m->kind]);
        sluice_json_text(json, "body", m->body);
        sluice_json_text(json, "other", m->other);
        sluice_json_real(json, "stiffness", m->stiffness);
        sluice_json_real(json, "damping", m->damping);
        sluice_json_end(json, '{');
    }
    sluice_json_end(json, '[');
}

/* Fitted walls; distances in spacings. */
static void write_fit(struct sluice_json *json, const struct sluice_case *setup)
{
    const struct sluice_fit_report *f = &setup->fit;
    if (f->walls == 0)
        return;
    sluice_json_begin(json, "fit", '{');
    sluice_json_int(json, "wall_particles", f->walls);
    sluice_json_int(json, "left_out", f->thin + f->left);
    sluice_json_int(json, "wall_particles_missing", f->unplaced);
    sluice_json_int(json, "fluid_particles_off", f->fluid_unplaced);
    sluice_json_real(json, "wall_nearest", f->nearest);
    sluice_json_int(json, "fluid_moved", f->moved);
    sluice_json_int(json, "fluid_added", f->added);
    sluice_json_int(json, "fluid_removed", f->removed);
    sluice_json_real(json, "fluid_nearest", f->fluid_nearest);
    sluice_json_real(json, "fluid_to_wall", f->fluid_to_wall);
    sluice_json_real(json, "fluid_particles_by_volume", f->fluid_due);
    sluice_json_real(json, "largest_share_of_walls", f->fraction);
    sluice_json_end(json, '{');
}

/* Writes the text of each warning; a config's line has its place before "warning: ". Returns their
 * number; json NULL: counts only. */
static int64_t write_warnings(struct sluice_json *json, const char *lines)
{
    static const char mark[] = "warning: ";
    int64_t count = 0;
    for (const char *line = lines; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        char *text = strndup(line, strcspn(line, "\n")), *at = text ? strstr(text, mark) : NULL;
        if (at)
            memmove(at, at + sizeof mark - 1, strlen(at + sizeof mark - 1) + 1);
        if (json && (at || !text))
            sluice_json_text(json, NULL, text ? text : "no memory for the text of a warning");
        count += at || !text;
        free(text);
    }
    return count;
}

static sluice_status print_json(struct sluice_sim *sim, const char *path, const char *warnings,
                                const struct sluice_plan_request *plans)
{
    static const char *const models[] = {SLUICE_MODELS(SLUICE_CHOICE_WORD)};
    struct sluice_json json = {.out = stdout};
    const double *mass = sim->setup->fluid_mass;
    sluice_json_begin(&json, NULL, '{');
    sluice_json_text(&json, "verb", "check");
    sluice_json_int(&json, "exit", SLUICE_OK);
    sluice_json_text(&json, "config", path);
    sluice_json_text(&json, "title", sim->config->title);
    sluice_json_text(&json, "model", models[sim->config->model]);
    sluice_json_int(&json, "dimension", sim->config->dimension);
    sluice_json_real(&json, "spacing", sim->config->spacing);
    write_domain(&json, sim->config);
    sluice_json_int(&json, "fluid_particles", sim->set[SLUICE_FLUID].count);
    sluice_json_int(&json, "wall_particles", sim->set[SLUICE_WALL].count);
    sluice_json_real(&json, "fluid_mass", mass[0]);
    sluice_json_real(&json, "second_fluid_mass", mass[1]);
    sluice_json_real(&json, "cutoff", sim->setup->cutoff);
    sluice_json_text(&json, "backend", sim->backend.ops->name);
    sluice_json_text(&json, "isa", sim->backend.isa);
    sluice_json_text(&json, "precision", sim->backend.real_bytes == 8 ? "double" : "float");
    sluice_sim_write_memory(sim, &json);
    sluice_json_real(&json, "first_time_step", sim->dt_next);
    sluice_json_int(&json, "expected_steps", sluice_pace_steps_of_run(sim, 0));
    sluice_json_int(&json, "expected_steps_in_contact", sluice_pace_steps_of_run(sim, 1));
    sluice_json_real(&json, "end_time", sim->config->time.end);
    sluice_json_real(&json, "reference_energy", sim->reference_energy);
    sluice_json_int(&json, "warnings", write_warnings(NULL, warnings));
    sluice_json_begin(&json, "warning_texts", '[');
    write_warnings(&json, warnings);
    sluice_json_end(&json, '[');
    write_shapes(&json, sim->setup);
    write_groups(&json, sim->setup);
    write_bodies(&json, sim);
    write_fit(&json, sim->setup);
    if (sim->config->model == SLUICE_MODEL_GAS)
        write_gas(&json, sim->setup);
    if (plans->count > 0)
        SLUICE_TRY(sluice_plan_write(sim, plans, &json));
    sluice_pace_write(sim, &json); /* the last: it makes steps */
    sluice_json_end(&json, '{');
    return SLUICE_OK;
}

/* A file that --write names must be new, and end as ParaView expects. */
static sluice_status check_file(const char *path)
{
    const size_t length = path ? strlen(path) : 0;
    if (!path)
        return SLUICE_OK;
    SLUICE_CHECK(length > 4 && strcmp(path + length - 4, ".hdf") == 0, SLUICE_BAD_INPUT,
                 "--write %s: ParaView opens files by their ending: give the name %s.hdf", path,
                 path);
    SLUICE_CHECK(access(path, F_OK) != 0, SLUICE_BAD_INPUT,
                 "--write %s: there is such a file already: choose another name, or remove it",
                 path);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    SLUICE_CHECK(access(slash ? folder : ".", W_OK | X_OK) == 0, SLUICE_IO,
                 "--write %s: its folder cannot be written to: %s", path, strerror(errno));
    return SLUICE_OK;
}

static sluice_status write_file(struct sluice_sim *sim, const struct sluice_arguments *arguments)
{
    const char *path = arguments->value[SLUICE_OPTION_WRITE];
    if (!path)
        return SLUICE_OK;
    SLUICE_TRY(sluice_output_write_particles(sim, path));
    if (!arguments->given[SLUICE_OPTION_JSON] && !arguments->given[SLUICE_OPTION_QUIET])
        printf("particles of the start written to %s\n", path);
    return SLUICE_OK;
}

static sluice_status read_plans(const struct sluice_arguments *arguments,
                                int ranks[SLUICE_LIST_MAX], struct sluice_plan_request *plans)
{
    long long particles;
    *plans = (struct sluice_plan_request){.ranks = ranks};
    SLUICE_TRY(sluice_arguments_ints(arguments, SLUICE_OPTION_RANKS, 1, SLUICE_PLAN_RANKS_MOST,
                                     ranks, &plans->count));
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_PARTICLES, 1, 0, &particles));
    plans->weak = arguments->given[SLUICE_OPTION_WEAK];
    SLUICE_CHECK(plans->count > 0 || particles == 0, SLUICE_BAD_INPUT,
                 "--particles plans for several ranks: give --ranks, too");
    SLUICE_CHECK(particles > 0 || !plans->weak, SLUICE_BAD_INPUT,
                 "--weak plans for so many particles a rank: give --particles, too");
    plans->particles = (double)particles;
    return SLUICE_OK;
}

/* warnings: the config's; with --json the case's as well. */
static sluice_status check_case(const struct sluice_case *setup, const char *warnings,
                                const struct sluice_arguments *arguments)
{
    struct sluice_log log = {.terminal = arguments->given[SLUICE_OPTION_QUIET] ? NULL : stderr};
    int ranks[SLUICE_LIST_MAX];
    struct sluice_plan_request plans;
    struct sluice_sim sim;
    SLUICE_TRY(read_plans(arguments, ranks, &plans));
    for (int k = 0; k < plans.count; k++)
        SLUICE_TRY(sluice_output_check(setup->config, ranks[k]));
    sluice_status status = sluice_sim_create(&sim, setup->config, setup, &log);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    const int json = arguments->given[SLUICE_OPTION_JSON],
              text = !json && !arguments->given[SLUICE_OPTION_QUIET];
    if (status == SLUICE_OK && text)
        status = print_text(&sim, write_warnings(NULL, warnings) + setup->warning_count, &plans);
    if (status == SLUICE_OK)
        status = write_file(&sim, arguments);
    if (status == SLUICE_OK && json)
        status = print_json(&sim, arguments->positional[0], warnings, &plans);
    if (status == SLUICE_OK && text)
        sluice_pace_print(&sim);
    sluice_sim_destroy(&sim);
    return status;
}

/* Creates the case. With --json its warnings are added to *lines (the caller frees it), and are
 * printed afterwards. */
static sluice_status create_case(struct sluice_case *setup, const struct sluice_config *config,
                                 const struct sluice_arguments *arguments, char **lines)
{
    FILE *terminal = arguments->given[SLUICE_OPTION_QUIET] ? NULL : stderr, *warnings = terminal;
    char *text = NULL;
    size_t size = 0, before = 0;
    if (arguments->given[SLUICE_OPTION_JSON]) {
        warnings = open_memstream(&text, &size);
        SLUICE_CHECK(warnings, SLUICE_DEVICE, "no memory for the case's warnings");
        if (*lines)
            fprintf(warnings, "%s\n", *lines);
        fflush(warnings);
        before = size;
    }
    sluice_status status = sluice_case_create_on(setup, config, warnings, terminal);
    if (status == SLUICE_OK) {
        status = sluice_probes_check(setup, warnings);
        if (status != SLUICE_OK)
            sluice_case_destroy(setup);
    }
    if (!arguments->given[SLUICE_OPTION_JSON])
        return status;
    fclose(warnings);
    if (terminal && text)
        fputs(text + before, terminal);
    free(*lines);
    *lines = text;
    return status;
}

sluice_status sluice_verb_check(const struct sluice_arguments *arguments)
{
    struct sluice_config config;
    struct sluice_case setup;
    char *warnings = NULL;
    SLUICE_TRY(check_file(arguments->value[SLUICE_OPTION_WRITE]));
    sluice_status status = sluice_config_file_with_options(&config, arguments->positional[0],
                                                           arguments, &warnings);
    if (status == SLUICE_OK) {
        status = create_case(&setup, &config, arguments, &warnings);
        if (status == SLUICE_OK) {
            status = check_case(&setup, warnings, arguments);
            sluice_case_destroy(&setup);
        }
        sluice_config_destroy(&config);
    }
    free(warnings);
    return status;
}
