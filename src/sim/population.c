/* Particles that come and go, and what they bring and take along (docs/theory.md, "Particles that
 * come and go"). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/particle_list.h"
#include "domain/pack.h"
#include "kernels/registry.h"
#include "model/effect.h"
#include "sim/sim_internal.h"

/* --- Ids --- */

/* The id of the next particle that comes. They have ids in the order of the list, which is the same
 * on all ranks, so none asks another. */
static int64_t next_id(const struct sluice_sim *sim)
{
    return sim->model.first_born + sim->flow_particles[SLUICE_FLOW_ENTERED];
}

/* How many come until the end of the run, at most, and about how many go. */
static double births_until_end(const struct sluice_sim *sim, double *going)
{
    double leaving;
    const long long most = sim->config->time.max_steps;
    const double steps = most > 0 ? fmax(0, (double)(most - sim->step)) : INFINITY,
                 births = sluice_effects_births_until_end(&sim->setup->physics, sim->time, steps,
                                                          &leaving);
    if (going)
        *going = leaving;
    return births;
}

/* The largest id, if so many particles come. */
static double last_id(const struct sluice_sim *sim, double births)
{
    return (double)next_id(sim) + births - 1;
}

void sluice_sim_set_born_mass(struct sluice_sim *sim)
{
    struct sluice_set *fluid = &sim->set[SLUICE_FLUID];
    if (!sluice_effects_bear_alike(&sim->setup->physics, fluid->mass, fluid->real_bytes))
        fluid->mass = 0;
}

sluice_status sluice_sim_check_births(const struct sluice_sim *sim)
{
    const sluice_fields state = sluice_pack_state(&sim->set[SLUICE_FLUID]) &
                                ~sluice_particle_list_fields();
    const double births = (double)sluice_effects_births(&sim->setup->physics),
                 last = last_id(sim, births_until_end(sim, NULL));
    if (births == 0)
        return SLUICE_OK;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        SLUICE_CHECK(!(state >> f & 1), SLUICE_BAD_INPUT,
                     "particles come into this run, and nothing says what \"%s\" they bring (%s): "
                     "remove the effect that has it",
                     sluice_field_table[f].name, sluice_field_table[f].description);
    SLUICE_CHECK(
        last <= (double)SLUICE_ID_MAX || isinf(last), SLUICE_BAD_INPUT,
        "time.max_steps, time.end: with up to %.0f births in a step, ids reach %.0f by then, and "
        "the largest one is " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY,
        births, last);
    return SLUICE_OK;
}

void sluice_sim_print_newcomers(const struct sluice_sim *sim, FILE *out)
{
    double going;
    const double come = births_until_end(sim, &going), held = (double)sim->set[SLUICE_FLUID].count,
                 bytes = (double)SLUICE_COLUMN_BYTES * sim->set[SLUICE_FLUID].columns;
    if (isinf(come)) {
        fprintf(out, "how many come until the end is not given: ids are checked as they come, up "
                     "to " SLUICE_ID_MAX_TEXT "\n");
        return;
    }
    fprintf(out,
            "until the end up to %.0f particles come: ids reach %.0f of " SLUICE_ID_MAX_TEXT "; ",
            come, last_id(sim, come));
    if (isnan(going))
        fprintf(out, "if none went, %.0f of fluid would need %.3f MB then\n", held + come,
                1e-6 * (held + come) * bytes);
    else
        fprintf(out, "about %.0f go: %.0f of fluid then need %.3f MB\n", going,
                fmax(0, held + come - going), 1e-6 * fmax(0, held + come - going) * bytes);
}

int sluice_sim_ids_end(const struct sluice_sim *sim)
{
    const double births = sim->changes ? (double)sluice_effects_births(&sim->setup->physics) : 0;
    return births > 0 && (double)next_id(sim) + births - 1 > (double)SLUICE_ID_MAX;
}

/* --- Before the sort --- */

sluice_status sluice_sim_change(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_particle_list *born = &flight->born;
    born->count = 0;
    if (!sim->changes || !sluice_effects_change_now(&sim->model))
        return SLUICE_OK;
    SLUICE_TRY(sluice_effects_change(&sim->model, &sim->backend, &sim->grid, born));
    const int64_t id = next_id(sim);
    SLUICE_CHECK((double)(id + born->count - 1) <= (double)SLUICE_ID_MAX, SLUICE_BAD_INPUT,
                 "step %lld, t = %.9g: the particles that come next would have ids above the "
                 "largest one, " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY
                 ", and goes on from a snapshot (particles = \"FILE\")",
                 (long long)sim->step, sim->time);
    for (int64_t i = 0; i < born->count; i++)
        born->particle[i].id = (sluice_id)(id + i);
    return SLUICE_OK;
}

/* --- Once it is known what came and went --- */

/* What one list brings or takes along, piece by piece: the pieces follow from its length, so that
 * the sums do not depend on threads. */
enum { PIECES = 64, PIECE_LEAST = 256 };
struct changes {
    struct sluice_energy_terms terms;
    struct sluice_particle_list *list;
    int64_t length; /* of a piece, in particles */
    int came;       /* else they go */
    struct sluice_flow flow[PIECES][SLUICE_FLOWS];
    int64_t particles[PIECES][SLUICE_FLOWS];
};

static void sum_pieces(struct sluice_share *share, void *data)
{
    struct changes *of = data;
    int64_t i, last;
    while (sluice_share_block(share, of->list->count, of->length, &i, &last)) {
        const int64_t piece = i / of->length;
        for (; i < last; i++) {
            struct sluice_listed_particle *p = &of->list->particle[i];
            const enum sluice_flows k = of->came     ? SLUICE_FLOW_ENTERED
                                        : p->retires ? SLUICE_FLOW_LEFT
                                                     : SLUICE_FLOW_REMOVED;
            struct sluice_flow *flow = &of->flow[piece][k];
            double momentum[3];
            p->energy = sluice_model_energy_of(&of->terms, p, momentum);
            flow->energy += p->energy;
            flow->mass += p->mass;
            for (int c = 0; c < 3; c++)
                flow->momentum[c] += momentum[c];
            of->particles[piece][k]++;
        }
    }
}

static void add_flow(struct sluice_flow *to, const struct sluice_flow *from)
{
    for (int n = 0; n < SLUICE_FLOW_REALS; n++)
        ((double *)to)[n] += ((const double *)from)[n];
}

static void sum_list(struct sluice_sim *sim, struct sluice_flight *flight,
                     struct sluice_particle_list *list, int came)
{
    if (list->count == 0)
        return;
    const int64_t length = sluice_blocks(list->count, PIECES);
    struct changes of = {.list = list,
                         .length = length > PIECE_LEAST ? length : PIECE_LEAST,
                         .came = came,
                         .terms = sluice_model_energy_terms(&sim->model, &sim->grid, flight->dt)};
    const int64_t pieces = sluice_blocks(list->count, of.length);
    sluice_threads_run(sim->model.team, pieces, sum_pieces, &of);
    for (int64_t n = 0; n < pieces; n++)
        for (int k = 0; k < SLUICE_FLOWS; k++) {
            add_flow(&flight->flow[k], &of.flow[n][k]);
            flight->flow_particles[k] += of.particles[n][k];
        }
}

/* Sums the particles that came and went, and tells the effects. Those that went are sorted by id
 * first, so that neither sums nor message depend on the order of bins. */
void sluice_sim_sum_changes(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_particle_list *gone = &flight->gone;
    memset(flight->flow, 0, sizeof flight->flow);
    memset(flight->flow_particles, 0, sizeof flight->flow_particles);
    sum_list(sim, flight, &flight->born, 1);
    if (gone->count > 0)
        qsort(gone->particle, (size_t)gone->count, sizeof *gone->particle, sluice_sim_by_id);
    sum_list(sim, flight, gone, 0);
    sluice_effects_book(&sim->model, &sim->grid, &flight->born, gone);
}

/* The log has a line for each step in which particles leave the domain. The terminal has the first,
 * and then one whenever their number has doubled: spray would fill it. */
static void warn_of_removed(struct sluice_sim *sim, const struct sluice_flight *flight)
{
    double x[3] = {0, 0, 0};
    const struct sluice_listed_particle *first = flight->gone.particle;
    const int64_t all = sim->flow_particles[SLUICE_FLOW_REMOVED],
                  count = flight->flow_particles[SLUICE_FLOW_REMOVED];
    const int doubled = all >= 2 * sim->removed_reported;
    while (first->retires)
        first++;
    if (doubled)
        sim->removed_reported = all;
    sluice_grid_coordinates(&sim->grid, &first->place, x);
    sluice_log_write(sim->log, SLUICE_LOG_FILE | (doubled ? SLUICE_LOG_TERMINAL : 0), "warning: ",
                     "step %lld, t = %.6g: %lld particle%s left the domain (id %lld at %.6g, %.6g, "
                     "%.6g%s); %lld in all",
                     (long long)sim->step, sim->time, (long long)count, count == 1 ? "" : "s",
                     (long long)first->id, x[0], x[1], x[2], count == 1 ? "" : " and others",
                     (long long)all);
}

void sluice_sim_book_changes(struct sluice_sim *sim, struct sluice_flight *flight)
{
    for (int k = 0; k < SLUICE_FLOWS; k++) {
        add_flow(&sim->flow[k], &flight->flow[k]);
        sim->flow_particles[k] += flight->flow_particles[k];
    }
    sim->count[SLUICE_FLUID] += flight->born.count - flight->gone.count;
    if (flight->flow_particles[SLUICE_FLOW_REMOVED] > 0)
        warn_of_removed(sim, flight);
    sim->now.entered = sim->flow[SLUICE_FLOW_ENTERED].energy;
    sim->now.left = sim->flow[SLUICE_FLOW_LEFT].energy;
    sim->now.removed = sim->flow[SLUICE_FLOW_REMOVED].energy;
}

/* --- The table --- */

#define FLOW(name, what)                                                                           \
    {name, NULL, "1", "particles that " what}, {name "_mass", NULL, "kg", "their mass"},           \
        {name "_momentum_x," name "_momentum_y," name "_momentum_z", NULL, "kg m/s",               \
         "their momentum"},                                                                        \
        {name "_energy", NULL, "J", "their energy"},

const struct sluice_column sluice_population_columns[] = {
    {"particles", NULL, "1", "fluid particles in the domain"},
    {"mass", NULL, "kg", "their mass"},
    FLOW("entered", "have come in since the start") FLOW("left", "were taken out")
        FLOW("removed", "have left the domain"){0}};

void sluice_population_row(const struct sluice_sim *sim, double row[SLUICE_POPULATION_COLUMNS])
{
    *row++ = (double)sim->count[SLUICE_FLUID];
    *row++ = sim->summary[SLUICE_FLUID].mass;
    for (int k = 0; k < SLUICE_FLOWS; k++) {
        const struct sluice_flow *flow = &sim->flow[k];
        *row++ = (double)sim->flow_particles[k];
        *row++ = flow->mass;
        for (int c = 0; c < 3; c++)
            *row++ = flow->momentum[c];
        *row++ = flow->energy;
    }
}
