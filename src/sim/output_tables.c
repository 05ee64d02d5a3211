/* The tables of a run: energy.csv, population.csv where particles come and go, one of each probe,
 * body and mooring, and those of effects. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "bodies/body_tables.h"
#include "files/run_files.h"
#include "model/effect.h"
#include "sim/output_state.h"
#include "sim/sim_internal.h"

enum { PATH_SIZE = 4096, HEADER_SIZE = 2048 };

/* A restart keeps rows up to step `kept`. A table that is missing there begins: its earlier rows
 * are lost. */
static sluice_status open_table(struct sluice_output *o, struct sluice_csv *csv, const char *name,
                                const char *header, int64_t kept)
{
    char path[PATH_SIZE];
    if (!sluice_output_writes())
        return SLUICE_OK;
    SLUICE_TRY(sluice_run_file_path(o->folder, name, path, sizeof path));
    if (o->checkpoint_step < 0)
        return sluice_csv_create(csv, path, header, 17);
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        if (o->missing_tables++ == 0)
            snprintf(o->missing_table, sizeof o->missing_table, "%.255s", path);
        sluice_log_warning(o->log,
                           "%s is missing: its rows up to step %lld are lost, and it begins there; "
                           "if you have it, stop the run, put it back and restart",
                           path, (long long)kept);
    }
    return sluice_csv_reopen(csv, path, header, 17, kept);
}

/* Writes the gathered rows of a table; `to_disk`: and waits until they are on the disk. */
static sluice_status flush_table(const struct sluice_output *o, struct sluice_csv *csv, int to_disk)
{
    if (!csv->path)
        return SLUICE_OK;
    const sluice_status status = to_disk ? sluice_csv_sync(csv) : sluice_csv_flush(csv);
    if (csv->news)
        sluice_log_warning(o->log, "%s: %s", csv->path, csv->news);
    csv->news = NULL;
    return status;
}

static sluice_status close_table(const struct sluice_output *o, struct sluice_csv *csv)
{
    const sluice_status status = flush_table(o, csv, 0);
    const sluice_status closed = sluice_csv_close(csv);
    return status == SLUICE_OK ? closed : status;
}

static sluice_status open_probes(struct sluice_output *o, const struct sluice_sim *sim)
{
    for (int i = 0; i < o->probe_count; i++) {
        const struct sluice_probe_table *table = sluice_probes_table(o->probes, i);
        char name[SLUICE_TEXT_MAX + 16];
        snprintf(name, sizeof name, "probe_%s.csv", table->name);
        SLUICE_TRY(open_table(o, &o->table[i], name, table->header, sim->step));
        o->table[i].has_gaps = 1;
    }
    return SLUICE_OK;
}

/* The tables of bodies follow those of probes. */
static sluice_status open_bodies(struct sluice_output *o, const struct sluice_sim *sim)
{
    char header[HEADER_SIZE] = "";
    sluice_columns_header(sluice_body_columns, sim->config->dimension, header, sizeof header);
    for (int i = 0; i < sim->model.bodies.count; i++) {
        char name[SLUICE_TEXT_MAX + 16];
        snprintf(name, sizeof name, "body_%s.csv", sim->model.bodies.body[i].name);
        SLUICE_TRY(open_table(o, &o->table[o->probe_count + i], name, header, sim->step));
    }
    return SLUICE_OK;
}

/* Those of moorings follow. */
static struct sluice_csv *first_of_moorings(struct sluice_output *o, const struct sluice_sim *sim)
{
    return o->table + o->probe_count + sim->model.bodies.count;
}

static sluice_status open_moorings(struct sluice_output *o, const struct sluice_sim *sim)
{
    char header[HEADER_SIZE] = "";
    sluice_columns_header(sluice_mooring_columns, sim->config->dimension, header, sizeof header);
    for (int i = 0; i < sim->config->mooring_count; i++) {
        char name[SLUICE_TEXT_MAX + 16];
        snprintf(name, sizeof name, "mooring_%s.csv", sim->config->moorings[i].name);
        SLUICE_TRY(open_table(o, first_of_moorings(o, sim) + i, name, header, sim->step));
    }
    return SLUICE_OK;
}

/* The tables of effects are the last. */
static int first_of_effects(const struct sluice_output *o, const struct sluice_sim *sim)
{
    return o->probe_count + sim->model.bodies.count + (int)sim->config->mooring_count;
}

static sluice_status open_effects(struct sluice_output *o, const struct sluice_sim *sim,
                                  int64_t kept)
{
    const struct sluice_physics *p = sim->model.physics;
    for (int i = first_of_effects(o, sim); i < o->table_count; i++) {
        char name[SLUICE_TEXT_MAX + 32], header[HEADER_SIZE] = "";
        int k = i - first_of_effects(o, sim);
        const struct sluice_effect *effect = sluice_effects_table(p, &k);
        snprintf(name, sizeof name, "%s_%s.csv", effect->tables.kind, effect->tables.name(p, k));
        sluice_columns_header(effect->tables.columns, p->config->dimension, header, sizeof header);
        SLUICE_TRY(open_table(o, &o->table[i], name, header, kept));
        o->table[i].has_gaps = 1;
    }
    return SLUICE_OK;
}

sluice_status sluice_output_open_tables(struct sluice_output *o, const struct sluice_sim *sim)
{
    const int d = sim->config->dimension;
    const long long every = sim->config->energy.every;
    /* A run that goes on has no row of what was its end. */
    const int64_t kept = every > 0 && sim->step % every != 0 && !sluice_sim_finished(sim)
                             ? sim->step - 1
                             : sim->step;
    char energy[HEADER_SIZE] = "", population[HEADER_SIZE] = "";
    sluice_columns_header(sluice_budget_step, d, energy, sizeof energy);
    sluice_columns_header(sluice_budget_columns, d, energy, sizeof energy);
    sluice_columns_header(sluice_population_columns, d, population, sizeof population);
    if (sim->model.energy)
        SLUICE_TRY(open_table(o, &o->energy, "energy.csv", energy, kept));
    if (sim->changes && sim->config->energy.every > 0)
        SLUICE_TRY(open_table(o, &o->population, "population.csv", population, kept));
    SLUICE_TRY(open_bodies(o, sim));
    SLUICE_TRY(open_moorings(o, sim));
    SLUICE_TRY(open_effects(o, sim, kept));
    return open_probes(o, sim);
}

sluice_status sluice_output_flush_tables(struct sluice_output *o, int to_disk)
{
    SLUICE_TRY(flush_table(o, &o->energy, to_disk));
    SLUICE_TRY(flush_table(o, &o->population, to_disk));
    for (int i = 0; i < o->table_count; i++)
        SLUICE_TRY(flush_table(o, &o->table[i], to_disk));
    return SLUICE_OK;
}

sluice_status sluice_output_write_energy(struct sluice_output *o, const struct sluice_sim *sim)
{
    double row[1 + SLUICE_BUDGET_COLUMNS] = {sim->now.dt};
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        row[1 + c] = sluice_budget_value(&sim->now, c);
    return sluice_csv_row(&o->energy, sim->step, sim->time, row);
}

sluice_status sluice_output_write_population(struct sluice_output *o, const struct sluice_sim *sim)
{
    double row[SLUICE_POPULATION_COLUMNS];
    sluice_population_row(sim, row);
    return sluice_csv_row(&o->population, sim->step, sim->time, row);
}

sluice_status sluice_output_write_bodies(struct sluice_output *o, const struct sluice_sim *sim)
{
    const struct sluice_bodies *bodies = &sim->model.bodies;
    double row[SLUICE_BODY_COLUMNS_MOST], ends[SLUICE_MOORING_COLUMNS];
    if (!sluice_output_writes())
        return SLUICE_OK;
    for (int i = 0; i < bodies->count; i++) {
        sluice_body_row(bodies, i, row);
        SLUICE_TRY(sluice_csv_row(&o->table[o->probe_count + i], sim->step, sim->time, row));
    }
    for (int n = 0, i = 0; n < bodies->moorings.count; i++) {
        n += sluice_mooring_row(&bodies->moorings, sim->config->dimension, n, ends);
        SLUICE_TRY(sluice_csv_row(first_of_moorings(o, sim) + i, sim->step, sim->time, ends));
    }
    return SLUICE_OK;
}

sluice_status sluice_output_write_effects(struct sluice_output *o, const struct sluice_sim *sim,
                                          int ends)
{
    double row[SLUICE_EFFECT_COLUMNS_MOST];
    for (int i = first_of_effects(o, sim); i < o->table_count; i++) {
        int k = i - first_of_effects(o, sim);
        const struct sluice_effect *effect = sluice_effects_table(sim->model.physics, &k);
        effect->tables.row(&sim->model, &sim->grid, k, ends, row);
        if (sluice_output_writes())
            SLUICE_TRY(sluice_csv_row(&o->table[i], sim->step, sim->time, row));
    }
    return SLUICE_OK;
}

sluice_status sluice_output_close_tables(struct sluice_output *o)
{
    sluice_status status = close_table(o, &o->energy);
    const sluice_status population = close_table(o, &o->population);
    status = status == SLUICE_OK ? population : status;
    for (int i = 0; i < o->table_count; i++) {
        const sluice_status closed = close_table(o, &o->table[i]);
        status = status == SLUICE_OK ? closed : status;
    }
    if (o->missing_tables > 0 && status == SLUICE_OK)
        status = SLUICE_FAIL(SLUICE_IO,
                             "the run is done, but rows are lost: %s%s missing at the restart, and "
                             "begin%s there",
                             o->missing_table,
                             o->missing_tables == 1 ? " was" : " and other tables were",
                             o->missing_tables == 1 ? "s" : "");
    free(o->table);
    o->table = NULL;
    return status;
}
