#include "sim/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/version.h"
#include "domain/domain.h"
#include "files/run_files.h"
#include "bodies/body_files.h"
#include "bodies/body_tables.h"
#include "model/effect.h"
#include "sim/sim_internal.h"

enum { PATH_SIZE = 4096, TEAM_MOST = 16 };

sluice_status sluice_output_check(const struct sluice_config *config, int ranks)
{
    SLUICE_CHECK(!config->output.forces || ranks == 1, SLUICE_BAD_INPUT,
                 "output.forces: one process alone can write forces and potential energies, and "
                 "there are %d ranks: start one, or set the key to false",
                 ranks);
    return SLUICE_OK;
}

sluice_status sluice_output_create(struct sluice_output *o, const struct sluice_sim *sim)
{
    const int n = sim->config->probe_count, rows = sim->config->energy.every > 0;
    SLUICE_TRY(sluice_output_check(sim->config, sluice_world()->size));
    o->table_count = n + sim->model.bodies.count + sim->config->mooring_count +
                     (rows ? sluice_effects_tables(sim->model.physics) : 0);
    SLUICE_TRY(sluice_run_files_allow(o->table_count + sim->changes));
    SLUICE_ALLOCATE(o->table, o->table_count, "tables");
    if (n == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_probes_create(&o->probes, sim->setup));
    SLUICE_ALLOCATE(o->probe_next, n, "probes");
    SLUICE_ALLOCATE(o->probe_due, n, "probes");
    o->probe_count = n;
    return SLUICE_OK;
}

static void fill_header(struct sluice_snapshot_header *h, const struct sluice_sim *sim)
{
    static const char *const kernels[] = {SLUICE_SMOOTHING_KERNELS(SLUICE_CHOICE_WORD)},
                             *const equations[] = {SLUICE_EQUATIONS_OF_STATE(SLUICE_CHOICE_WORD)},
                             *const units[] = {SLUICE_UNIT_SYSTEMS(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = sim->config;
    const struct wcsph_params *wcsph = sim->matter.water;
    const struct sluice_grid *g = &sim->grid;
    *h = (struct sluice_snapshot_header){
        .dimension = config->dimension,
        .spacing = config->spacing,
        .units = units[config->units],
        .seed = config->thermal.seed,
        .ranks = sluice_world()->size,
        .version = sluice_version.version,
        .revision = sluice_version.revision,
        .compiler = sluice_version.compiler,
        .backend = sim->backend.ops->name,
        .device = sim->backend.isa,
        .config = sluice_config_text(config),
        .precision = config->output.precision == SLUICE_OUTPUT_DOUBLE ? 8 : 4,
        .compression = (int)config->output.compression};
    for (int axis = 0; axis < 3; axis++) {
        h->low[axis] = g->low[axis];
        h->high[axis] = g->high[axis];
        h->periodic[axis] = g->periodic[axis];
        h->frame_width[axis] = g->width[axis];
        h->gravity[axis] = config->gravity[axis];
    }
    if (!wcsph)
        return;
    h->smoothing_length = wcsph->h;
    h->rho0 = wcsph->rho0;
    h->sound_speed = wcsph->sound_speed;
    h->kernel = kernels[config->kernel.name];
    h->eos = equations[wcsph->eos];
}

/* The number of the first output after the present time, in units of `every`. */
static int64_t number_after(const struct sluice_sim *sim, double every)
{
    int64_t n = every > 0 ? (int64_t)floor(sim->time / every) : 0;
    while (n > 0 && !sluice_time_reached(sim->time, (double)(n - 1) * every))
        n--;
    while (every > 0 && sluice_time_reached(sim->time, (double)n * every))
        n++;
    return n;
}

/* The time of the next row of a force probe; INFINITY: never. */
static double next_force(const struct sluice_output *o, const struct sluice_sim *sim)
{
    double next = INFINITY;
    for (int i = 0; i < sim->config->probe_count; i++)
        if (sim->config->probes[i].kind == SLUICE_PROBE_FORCE)
            next = fmin(next, (double)o->probe_next[i] * sim->config->probes[i].every);
    return next;
}

/* Removes the files that the restarted run wrote after its checkpoint, or left unfinished. */
static sluice_status cut_back(struct sluice_output *o, const struct sluice_sim *sim)
{
    const struct sluice_series_from from = {sim->step, o->snapshot_number};
    int64_t later;
    SLUICE_TRY(sluice_run_files_remove_temporaries(o->folder));
    SLUICE_TRY(
        sluice_series_rebuild(&o->series, &sluice_snapshot_series, o->folder, &from, o->log));
    /* Later checkpoints are damaged, or the restart would not have passed over them. */
    SLUICE_TRY(sluice_checkpoint_prune(o->folder, sim->step, sim->config->output.keep, &later));
    if (later > 0)
        sluice_log_line(o->log, "removed %lld damaged checkpoint%s later than that of step %lld",
                        (long long)later, later == 1 ? "" : "s", (long long)sim->step);
    return SLUICE_OK;
}

/* Whether the sets have the fields that EFFECT_OUTPUT of their effects promises. */
static sluice_status check_fields(const struct sluice_sim *sim)
{
    sluice_fields there = 0, asked = sluice_effect_output_fields(sim->config->output.fields);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        there |= sim->set[t].fields;
    SLUICE_CHECK(!(asked & ~there), SLUICE_DEVICE,
                 "internal: output.fields: no effect of this run has one of them");
    return SLUICE_OK;
}

static void set_forces(struct sluice_output *o, const struct sluice_config *config)
{
    double pressure;
    memcpy(&o->lj.pair, config->pair.params.bytes, sizeof o->lj.pair);
    sluice_lj_tail(config, 1, &o->lj.tail, &pressure); /* it is proportional to the density */
    o->host.lj = &o->lj;
}

sluice_status sluice_output_open(struct sluice_output *o, struct sluice_sim *sim,
                                 const char *folder, int restarted)
{
    o->folder = folder;
    o->log = sim->log;
    o->checkpoint_wall = sluice_seconds();
    o->checkpoint_step = restarted ? sim->step : -1;
    fill_header(&o->header, sim);
    o->host.groups = &sim->setup->groups;
    o->host.outputs = sim->config->output.fields;
    if (sim->config->output.forces)
        set_forces(o, sim->config);
    SLUICE_TRY(check_fields(sim));
    if (restarted) {
        o->snapshot_next = number_after(sim, sim->config->output.every);
        o->body_next = number_after(sim, sluice_body_rows_every(sim->config));
        if (sluice_output_writes())
            SLUICE_TRY(cut_back(o, sim));
    } else if (sluice_output_writes()) {
        SLUICE_TRY(sluice_series_open(&o->series, &sluice_snapshot_series, folder));
    }
    if (sim->config->output.every > 0)
        SLUICE_TRY(sluice_snapshot_writer_create(&o->writer,
                                                 sluice_output_writes() ? &o->series : NULL,
                                                 &o->host, sluice_sim_matter(sim)));
    if (restarted)
        sim->reaction_time = next_force(o, sim);
    else if (sim->config->output.every > 0 && sluice_output_writes())
        SLUICE_TRY(sluice_wall_file_write(folder, &sim->setup->geometry, &o->header));
    SLUICE_TRY(sluice_output_open_tables(o, sim));
    if (sim->model.bodies.count && sluice_output_writes()) {
        const struct sluice_series_from from = {sim->step, o->snapshot_number};
        SLUICE_TRY(
            sluice_body_files_open(&o->body_series, folder, restarted ? &from : NULL, o->log));
    }
    return SLUICE_OK;
}

/* Whether the output at the time next * every is due. */
static int is_reached(double time, int64_t next, double every)
{
    return every > 0 && sluice_time_reached(time, (double)next * every);
}

/* The same at this step; then *next becomes the first later number. */
static int due(const struct sluice_sim *sim, int64_t *next, double every)
{
    if (!is_reached(sim->time, *next, every))
        return 0;
    *next = number_after(sim, every);
    return 1;
}

/* Chooses the threads that share the work on files. `beside`: steps go on meanwhile; where they
 * need the host's processors, the writer's thread is alone. */
static sluice_status choose_team(struct sluice_output *o, const struct sluice_sim *sim, int beside)
{
    struct sluice_threads *team = beside ? NULL : sim->backend.team;
    if (!sim->backend.ops->on_host) {
        const int most = sluice_config_threads(sim->config, sluice_world()->sharing);
        if (!o->team)
            SLUICE_TRY(sluice_threads_create(&o->team, most < TEAM_MOST ? most : TEAM_MOST));
        team = o->team;
    }
    if (o->host.team != team) /* else the writer may be reading it */
        o->host.team = team;
    return SLUICE_OK;
}

static sluice_status take_copy(struct sluice_particle_copy *copy, struct sluice_sim *sim)
{
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    const int n = sluice_sim_sets(sim, SLUICE_WALL + 1, sets);
    copy->outputs = sim->config->output.fields;
    copy->forces = sim->config->output.forces;
    return sluice_particle_copy_take(copy, &sim->backend, &sim->grid, sets, n,
                                     sluice_sim_matter(sim) != NULL);
}

/* The terms of the budget for the header of a file; none if the powers are not summed. */
static void energies_of(const struct sluice_sim *sim, struct sluice_named_real *out, int *count)
{
    *count = 0;
    if (!sim->model.energy)
        return;
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        out[(*count)++] = (struct sluice_named_real){sluice_budget_columns[c].name,
                                                     sluice_budget_columns[c].unit,
                                                     sluice_budget_value(&sim->now, c)};
}

/* beside: steps go on meanwhile. Where they need the host's processors, gzip has one thread. */
static void stamp(struct sluice_output *o, const struct sluice_sim *sim,
                  struct sluice_named_real *energies, int beside)
{
    o->header.threads = beside && sim->backend.ops->on_host ? 1 : (int)sim->config->backend.threads;
    o->header.time = sim->time;
    o->header.dt = sim->dt;
    o->header.step = sim->step;
    energies_of(sim, energies, &o->header.energy_count);
    o->header.energies = energies;
    o->header.body = sluice_bodies_list(&sim->model.bodies, &o->header.bodies);
}

/* Warns once, as soon as the run has waited noticeably. */
static void warn_of_slow_disk(struct sluice_output *o)
{
    const double waited = sluice_snapshot_writer_waited(o->writer);
    if (o->warned_of_disk || waited < 0.1)
        return;
    o->warned_of_disk = 1;
    sluice_log_warning(o->log,
                       "snapshots come faster than they can be written: the run waited %.2g s; a "
                       "larger output.every or a smaller output.compression would help",
                       waited);
}

static sluice_status write_snapshot(struct sluice_output *o, struct sluice_sim *sim)
{
    struct sluice_named_real energies[SLUICE_BUDGET_COLUMNS];
    struct sluice_particle_copy *copy;
    char path[PATH_SIZE];
    SLUICE_TRY(sluice_snapshot_path(path, sizeof path, o->folder, o->snapshot_number));
    SLUICE_TRY(sluice_output_flush_tables(o, 0));
    if (sim->model.bodies.count && sluice_output_writes()) {
        SLUICE_TRY(sluice_snapshot_writer_drain(o->writer));
        stamp(o, sim, energies, 0);
        SLUICE_TRY(sluice_body_files_write(&o->body_series, &sim->model.bodies, o->folder,
                                           o->snapshot_number, &o->header));
    }
    SLUICE_TRY(sluice_snapshot_writer_buffer(o->writer, &copy));
    warn_of_slow_disk(o);
    SLUICE_TRY(choose_team(o, sim, 1));
    SLUICE_TRY(take_copy(copy, sim));
    stamp(o, sim, energies, 1);
    SLUICE_TRY(sluice_snapshot_writer_queue(o->writer, path, &o->header));
    o->snapshot_number++;
    return SLUICE_OK;
}

sluice_status sluice_output_write_particles(struct sluice_sim *sim, const char *path)
{
    struct sluice_named_real energies[SLUICE_BUDGET_COLUMNS];
    struct sluice_output o = {0};
    struct sluice_host_particles particles = {0};
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    const int n = sluice_sim_sets(sim, SLUICE_WALL + 1, sets);
    fill_header(&o.header, sim);
    stamp(&o, sim, energies, 0);
    particles.groups = &sim->setup->groups;
    sluice_status status = sluice_host_particles_collect(&particles, &sim->backend, &sim->grid,
                                                         sets, n, sluice_sim_matter(sim));
    if (status == SLUICE_OK)
        status = sluice_snapshot_write(path, &particles, &o.header);
    particles.groups = NULL;
    sluice_host_particles_destroy(&particles);
    return status;
}

/* The writer of snapshots has a team of its own, for it works beside the steps. */
static sluice_status share_forces(struct sluice_output *o, const struct sluice_sim *sim)
{
    const int most = sluice_config_threads(sim->config, sluice_world()->sharing);
    if (sim->backend.ops->on_host || o->probe_team ||
        !sluice_config_probe_of(sim->config, SLUICE_PROBE_FORCE))
        return SLUICE_OK;
    SLUICE_TRY(sluice_threads_create(&o->probe_team, most < TEAM_MOST ? most : TEAM_MOST));
    sluice_probes_share(o->probes, o->probe_team);
    return SLUICE_OK;
}

static sluice_status write_probes(struct sluice_output *o, struct sluice_sim *sim)
{
    int any = 0;
    for (int i = 0; i < o->probe_count; i++) {
        o->probe_due[i] = (unsigned char)due(sim, &o->probe_next[i], sim->config->probes[i].every);
        any |= o->probe_due[i];
    }
    sim->reaction_time = next_force(o, sim);
    if (!any)
        return SLUICE_OK;
    SLUICE_TRY(share_forces(o, sim));
    SLUICE_TRY(sluice_probes_prepare(o->probes, sim->support, sim->time));
    SLUICE_TRY(sluice_probes_fetch(o->probes, &sim->backend, &sim->grid, sim->set, o->probe_due,
                                   &o->probed));
    SLUICE_TRY(sluice_probes_measure(o->probes, &o->probed, sim->time, o->probe_due));
    for (int i = 0; i < o->probe_count; i++) {
        const struct sluice_probe_table *table = sluice_probes_table(o->probes, i);
        const int rows = o->probe_due[i] && sluice_output_writes() ? table->rows : 0;
        for (int r = 0; r < rows; r++)
            SLUICE_TRY(sluice_csv_row(&o->table[i], sim->step, sim->time,
                                      table->values + (size_t)r * (size_t)table->columns));
    }
    return SLUICE_OK;
}

double sluice_larger_residual(double most, double residual)
{
    return isnan(residual) ? INFINITY : fmax(most, fabs(residual));
}

sluice_status sluice_output_write(struct sluice_output *o, struct sluice_sim *sim)
{
    const long long every = sim->config->energy.every;
    const int row = every > 0 && sim->step % every == 0,
              last = every > 0 && sluice_sim_finished(sim);
    if (sim->model.energy) {
        if (row) { /* what the end adds is no part of the state: a restart may go on from there */
            o->max_residual = sluice_larger_residual(o->max_residual, sim->now.residual);
            o->max_identity = fmax(o->max_identity, fabs(sim->now.identity));
        }
        if ((row || last) && sluice_output_writes())
            SLUICE_TRY(sluice_output_write_energy(o, sim));
    }
    if (sim->changes && (row || last) && sluice_output_writes())
        SLUICE_TRY(sluice_output_write_population(o, sim));
    if (row || last)
        SLUICE_TRY(sluice_output_write_effects(o, sim, row));
    if (o->writer)
        SLUICE_TRY(sluice_snapshot_writer_check(o->writer));
    SLUICE_TRY(write_probes(o, sim));
    if (sim->model.bodies.count && due(sim, &o->body_next, sluice_body_rows_every(sim->config)))
        SLUICE_TRY(sluice_output_write_bodies(o, sim));
    if (due(sim, &o->snapshot_next, sim->config->output.every))
        SLUICE_TRY(write_snapshot(o, sim));
    return SLUICE_OK;
}

int sluice_output_checkpoint_due(const struct sluice_output *o, const struct sluice_sim *sim)
{
    const double wait = sim->config->output.checkpoint_every_s;
    return wait > 0 && sim->config->output.keep > 0 && sluice_seconds() - o->checkpoint_wall > wait;
}

/* Whether an output needs the particles of a step, or the step is the last. */
static int needs_particles(const struct sluice_output *o, const struct sluice_sim *sim,
                           int64_t step, double time)
{
    const struct sluice_config *config = sim->config;
    int needed = sluice_time_reached(time, config->time.end) ||
                 (config->time.max_steps > 0 && step >= config->time.max_steps) ||
                 is_reached(time, o->snapshot_next, config->output.every);
    for (int i = 0; i < o->probe_count; i++)
        needed |= is_reached(time, o->probe_next[i], config->probes[i].every);
    return needed;
}

int64_t sluice_output_queue_limit(const struct sluice_output *o, const struct sluice_sim *sim)
{
    const double fixed = sim->config->time.step;
    int64_t step = sim->step + 1;
    if (fixed <= 0)
        return needs_particles(o, sim, step, sim->time + sim->dt_next) ? step : step + 1;
    while (step <= sim->step + SLUICE_IN_FLIGHT &&
           !needs_particles(o, sim, step, (double)step * fixed))
        step++;
    return step;
}

int sluice_output_needs_particles(const struct sluice_output *o, const struct sluice_sim *sim)
{
    return needs_particles(o, sim, sim->step, sim->time);
}

sluice_status sluice_output_checkpoint(struct sluice_output *o, struct sluice_sim *sim)
{
    struct sluice_named_real energies[SLUICE_BUDGET_COLUMNS];
    struct sluice_particle_copy *copy = &o->host.copy;
    char path[PATH_SIZE];
    if (o->checkpoint_step == sim->step)
        return SLUICE_OK;
    if (o->writer) {
        SLUICE_TRY(sluice_snapshot_writer_drain(o->writer));
        SLUICE_TRY(sluice_snapshot_writer_buffer(o->writer, &copy));
    }
    SLUICE_TRY(sluice_output_flush_tables(o, 1));
    SLUICE_TRY(choose_team(o, sim, 0));
    SLUICE_TRY(take_copy(copy, sim));
    SLUICE_TRY(sluice_host_particles_slice(&o->host, copy, sluice_output_world()));
    SLUICE_TRY(sluice_host_particles_convert(&o->host, copy, sluice_sim_matter(sim)));
    stamp(o, sim, energies, 0);
    SLUICE_TRY(sluice_checkpoint_path(path, sizeof path, o->folder, sim->step));
    SLUICE_TRY(sluice_state_write(path, o, sim));
    if (sluice_output_writes())
        SLUICE_TRY(sluice_checkpoint_prune(o->folder, sim->step, sim->config->output.keep, NULL));
    o->checkpoint_wall = sluice_seconds();
    o->checkpoint_step = sim->step;
    sluice_log_line(sim->log, "checkpoint at step %lld, t = %.9g: %s", (long long)sim->step,
                    sim->time, path);
    return SLUICE_OK;
}

sluice_status sluice_output_close(struct sluice_output *o)
{
    const double waited = o->writer ? sluice_snapshot_writer_waited(o->writer) : 0;
    sluice_status status = sluice_snapshot_writer_destroy(&o->writer);
    if (waited >= 0.01)
        sluice_log_line(o->log, "the run waited %.3g s for snapshots to be written", waited);
    const sluice_status tables = sluice_output_close_tables(o);
    status = status == SLUICE_OK ? tables : status;
    sluice_series_close(&o->series);
    sluice_series_close(&o->body_series);
    sluice_probes_destroy(&o->probes);
    free(o->probe_next);
    free(o->probe_due);
    sluice_host_particles_destroy(&o->host);
    sluice_threads_destroy(&o->team);
    sluice_threads_destroy(&o->probe_team);
    sluice_host_particles_destroy(&o->probed);
    return status;
}
