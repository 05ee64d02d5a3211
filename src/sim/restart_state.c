#include "sim/tune.h"
#include "sim/output_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/backends/backends.h"
#include "model/effect.h"
#include "particles/id_order.h"
#include "sim/sim_internal.h"

/* Reals of the simulation: X(name, address, count, unit). */
#define STATE_REALS(X)                                                                             \
    X("Time", &sim->time, 1, "s")                                                                  \
    X("TimeStep", &sim->dt, 1, "s")                                                                \
    X("TimeStepOld", &sim->dt_old, 1, "s")                                                         \
    X("TimeStepNext", &sim->dt_next, 1, "s")                                                       \
    X("Drifted", &sim->backend.drifted, 1, "m")                                                    \
    X("Powers", sim->power, SLUICE_SUM_COUNT, "W")                                                 \
    X("ForcePower", &sim->force_power, 1, "W")                                                     \
    X("LostPower", &sim->lost_power, 1, "W")                                                       \
    X("StartTotal", &sim->start_total, 1, "J")                                                     \
    X("ReferenceEnergy", &sim->reference_energy, 1, "J")                                           \
    X("MaxResidual", &o->max_residual, 1, "J")                                                     \
    X("MaxIdentity", &o->max_identity, 1, "1")                                                     \
    X("Support", &sim->support, 1, "m")                                                            \
    X("RestRate", &sim->rest.rate, 1, "1/s")                                                       \
    X("AutoMean", &sim->tuning.last.mean, 1, "1")                                                  \
    X("Flows", (double *)sim->flow, SLUICE_FLOWS *SLUICE_FLOW_REALS, "mixed")                      \
    X("FluidMass", &sim->set[SLUICE_FLUID].mass, 1, "kg")                                          \
    X("WallMass", &sim->set[SLUICE_WALL].mass, 1, "kg")

/* Whole numbers. */
#define STATE_INTS(X)                                                                              \
    X("Step", &sim->step, 1)                                                                       \
    X("OrdersParticles", sim->backend.orders.particles, SLUICE_TYPE_COUNT)                         \
    X("AutoStep", &sim->tuning.last.step, 1)                                                       \
    X("AutoFullest", &sim->tuning.last.fullest, 1)                                                 \
    X("FirstBorn", &sim->model.first_born, 1)                                                      \
    X("FlowParticles", sim->flow_particles, SLUICE_FLOWS)                                          \
    X("Negative", &sim->negative_count, 1)                                                         \
    X("SnapshotNext", &o->snapshot_next, 1)                                                        \
    X("SnapshotNumber", &o->snapshot_number, 1)

/* The value with sluice_groups_digest, of a run that started from a particle file. */
#define GROUPS "Groups"
/* struct sluice_body_state of each body. */
#define BODIES "Bodies"
enum { STATE_MAX = 80, CHOICES_MAX = 4 };
#define COUNT_MAX (INT64_C(1) << 53)

/* The choices that decide the bits of a run: they must be the same after a restart. */
static int choices_of(const struct sluice_sim *sim, struct sluice_value out[CHOICES_MAX])
{
    const char *const names[CHOICES_MAX] = {"Backend", "InstructionSet", "Strategy",
                                            "MotionTables"};
    const char *const words[CHOICES_MAX] = {sim->backend.ops->name, sim->backend.isa,
                                            sluice_strategies[sim->backend.orders.strategy].name,
                                            sim->setup->motion_digest};
    const int has_tables = sim->config->motion_count > 0 || sim->config->acceleration[0],
              count = has_tables ? CHOICES_MAX : CHOICES_MAX - 1;
    for (int i = 0; i < count; i++)
        out[i] = (struct sluice_value){names[i], SLUICE_VALUE_TEXT, 1, words[i], ""};
    return count;
}

/* Numbers of probes, as a value of the checkpoint. Returns 0 if none has these. */
static int value_of_probes(const struct sluice_output *o, int which, struct sluice_value *value)
{
    const struct sluice_probe_state of = sluice_probes_state(o->probes, which);
    *value = (struct sluice_value){of.name, SLUICE_VALUE_REAL, of.count, of.at, of.unit};
    return of.at != NULL;
}

/* The numbers of effect e, as a value of the checkpoint. Returns 0 if it has none. */
static int value_of_effect(const struct sluice_sim *sim, int e, struct sluice_value *value)
{
    static const char *const names[SLUICE_EFFECT_COUNT] = {
#define EFFECT(name, title) "Effect_" #name,
#include "physics/effects.def"
    };
    int64_t count;
    double *at = sluice_effects_state(&sim->setup->physics, e, &count);
    *value = (struct sluice_value){names[e], SLUICE_VALUE_REAL, count, at, "mixed"};
    return at != NULL;
}

static sluice_status restore_effects(struct sluice_sim *sim,
                                     const struct sluice_checkpoint *checkpoint)
{
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        struct sluice_value value;
        int64_t count;
        if (value_of_effect(sim, e, &value))
            SLUICE_TRY(sluice_checkpoint_reals(
                checkpoint, value.name, sluice_effects_state(&sim->setup->physics, e, &count),
                value.count));
    }
    sluice_effects_restored(&sim->setup->physics);
    return SLUICE_OK;
}

/* Contacts that have a history, and their numbers: contact/contact.h. */
#define CONTACT_COUNT "ContactCount"
#define CONTACTS      "Contacts"

static int body_reals(const struct sluice_sim *sim)
{
    return sim->model.bodies.count * SLUICE_BODY_STATE_REALS;
}

/* The history of contacts; the caller frees it. */
static sluice_status list_contacts(const struct sluice_sim *sim,
                                   double (**number)[SLUICE_CONTACT_NUMBERS], int64_t *count)
{
    const struct sluice_contacts *contacts = sim->model.bodies.contacts;
    *count = contacts ? sluice_contacts_history(contacts, NULL) : 0;
    if (*count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(*number, *count, "contacts");
    sluice_contacts_history(contacts, *number);
    return SLUICE_OK;
}

static sluice_status restore_bodies(struct sluice_sim *sim,
                                    const struct sluice_checkpoint *checkpoint)
{
    struct sluice_bodies *b = &sim->model.bodies;
    double(*number)[SLUICE_CONTACT_NUMBERS] = NULL;
    int64_t count;
    if (b->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, BODIES, (double *)b->state, body_reals(sim)));
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, CONTACT_COUNT, &count, 1));
    SLUICE_CHECK(count >= 0 && count < COUNT_MAX / SLUICE_CONTACT_NUMBERS, SLUICE_IO,
                 "restart: the checkpoint is damaged: %lld contacts of bodies cannot be",
                 (long long)count);
    if (count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(number, count, "contacts");
    sluice_status status = sluice_checkpoint_reals(checkpoint, CONTACTS, (double *)number,
                                                   count * SLUICE_CONTACT_NUMBERS);
    if (status == SLUICE_OK)
        status = sluice_contacts_restore(b->contacts,
                                         (const double(*)[SLUICE_CONTACT_NUMBERS])number, count);
    free(number);
    return status;
}

sluice_status sluice_state_write(const char *path, struct sluice_output *o, struct sluice_sim *sim)
{
    struct sluice_value value[STATE_MAX];
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    int64_t bins[3];
    int n = 0;
#define X(name, address, count, unit)                                                              \
    value[n++] = (struct sluice_value){name, SLUICE_VALUE_REAL, count, address, unit};
    STATE_REALS(X)
#undef X
#define X(name, address, count)                                                                    \
    value[n++] = (struct sluice_value){name, SLUICE_VALUE_INT, count, address, "1"};
    STATE_INTS(X)
#undef X
    n += choices_of(sim, value + n);
    double row[1 + SLUICE_BUDGET_COLUMNS] = {sim->now.dt};
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        row[1 + c] = sluice_budget_value(&sim->now, c);
    value[n++] = (struct sluice_value){"Budget", SLUICE_VALUE_REAL, 1 + SLUICE_BUDGET_COLUMNS, row,
                                       "J"};
    for (int c = 0; c < 3; c++)
        bins[c] = sim->grid.bins_log2[c];
    value[n++] = (struct sluice_value){"BinsLog2", SLUICE_VALUE_INT, 3, bins, "1"};
    const int64_t groups = sluice_groups_digest(&sim->setup->groups);
    if (sim->config->particles[0])
        value[n++] = (struct sluice_value){GROUPS, SLUICE_VALUE_INT, 1, &groups, "1"};
    if (sim->pairs_at_start > 0)
        value[n++] = (struct sluice_value){"PairsAtStart", SLUICE_VALUE_REAL, 1,
                                           &sim->pairs_at_start, "1"};
    if (sim->model.bodies.count)
        value[n++] = (struct sluice_value){BODIES, SLUICE_VALUE_REAL, body_reals(sim),
                                           sim->model.bodies.state, "mixed"};
    if (sim->config->probe_count)
        value[n++] = (struct sluice_value){"ProbeNext", SLUICE_VALUE_INT, sim->config->probe_count,
                                           o->probe_next, "1"};
    for (int k = 0; k < SLUICE_PROBE_STATES; k++)
        n += value_of_probes(o, k, &value[n]);
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        n += value_of_effect(sim, e, &value[n]);

    double(*history)[SLUICE_CONTACT_NUMBERS] = NULL;
    int64_t contacts = 0;
    SLUICE_TRY(list_contacts(sim, &history, &contacts));
    if (sim->model.bodies.count)
        value[n++] = (struct sluice_value){CONTACT_COUNT, SLUICE_VALUE_INT, 1, &contacts, "1"};
    if (contacts > 0)
        value[n++] = (struct sluice_value){CONTACTS, SLUICE_VALUE_REAL,
                                           contacts * SLUICE_CONTACT_NUMBERS, history, "mixed"};

    const int set_count = sluice_sim_sets(sim, SLUICE_TYPE_COUNT, sets);
    const struct sluice_checkpoint_state state = {.backend = &sim->backend,
                                                  .grid = &sim->grid,
                                                  .sets = sets,
                                                  .set_count = set_count,
                                                  .values = value,
                                                  .value_count = n};
    const sluice_status status = sluice_checkpoint_write(path, &o->host, &o->header, &state);
    free(history);
    return status;
}

/* The last choice of auto stays in use. */
static sluice_status restore_choice(struct sluice_sim *sim,
                                    const struct sluice_checkpoint *checkpoint)
{
    struct sluice_choice *last = &sim->tuning.last;
    int64_t bins[3];
    char name[SLUICE_TEXT_MAX];
    if (!sim->tuning.is_auto)
        return SLUICE_OK;
    SLUICE_TRY(sluice_checkpoint_text(checkpoint, "Strategy", name, sizeof name));
    SLUICE_TRY(sluice_strategy_find(name, &last->strategy));
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "BinsLog2", bins, 3));
    for (int c = 0; c < 3; c++)
        last->bins_log2[c] = (int)bins[c];
    sluice_tune_use(sim, last);
    return SLUICE_OK;
}

static sluice_status check_choices(const struct sluice_sim *sim,
                                   const struct sluice_checkpoint *checkpoint)
{
    struct sluice_value choice[CHOICES_MAX];
    int64_t bins[3];
    const int choices = choices_of(sim, choice);
    for (int i = 0; i < choices; i++) {
        char was[256]; /* a device's description, at most */
        SLUICE_TRY(sluice_checkpoint_text(checkpoint, choice[i].name, was, sizeof was));
        SLUICE_CHECK(strcmp(was, choice[i].data) == 0, SLUICE_BAD_INPUT,
                     "restart: the checkpoint's %s is \"%s\", here it would be \"%s\": the run "
                     "would not go on to the same bits; "
                     "start a new run from a snapshot instead (particles = \"FILE\")",
                     choice[i].name, was, (const char *)choice[i].data);
    }
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "BinsLog2", bins, 3));
    for (int c = 0; c < 3; c++)
        SLUICE_CHECK(
            bins[c] == sim->grid.bins_log2[c], SLUICE_BAD_INPUT,
            "restart: the checkpoint has 2^%lld bins a frame on axis %d, this program makes 2^%d",
            (long long)bins[c], c, sim->grid.bins_log2[c]);
    return SLUICE_OK;
}

/* The groups of the particles come from the file that the run started from. */
static sluice_status check_groups(const struct sluice_sim *sim,
                                  const struct sluice_checkpoint *checkpoint)
{
    int64_t was;
    if (!sluice_checkpoint_has(checkpoint, GROUPS)) /* no particle file */
        return SLUICE_OK;
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, GROUPS, &was, 1));
    SLUICE_CHECK(was == sluice_groups_digest(&sim->setup->groups), SLUICE_BAD_INPUT,
                 "restart: %s is not the file that the run started from: its ids or names differ; "
                 "put that file back, or start a new run from a snapshot (particles = \"FILE\")",
                 sim->config->particles);
    return SLUICE_OK;
}

static sluice_status add_ids(void *data, const struct sluice_start *chunk, int64_t first,
                             struct sluice_threads *team)
{
    uint64_t *digest = data;
    (void)first;
    (void)team;
    *digest += sluice_digest_ids(chunk->id, chunk->count);
    return SLUICE_OK;
}

/* The case has arrays of its wall particles and ghost nodes by id, so these must be the same. */
static sluice_status check_walls(const struct sluice_sim *sim,
                                 const struct sluice_checkpoint *checkpoint)
{
    for (int t = SLUICE_WALL; t <= SLUICE_GHOST; t++) {
        const char *name = t == SLUICE_WALL ? "wall" : "ghost";
        const int64_t there = sluice_checkpoint_count(checkpoint, (enum sluice_type)t),
                      made = sim->setup->start[t].count;
        uint64_t of_case = 0, digest;
        SLUICE_CHECK(there == made, SLUICE_IO,
                     "restart: the checkpoint has %lld %s particles, its own configuration makes "
                     "%lld",
                     (long long)there, name, (long long)made);
        if (there == 0)
            continue;
        SLUICE_TRY(sluice_checkpoint_digest_ids(checkpoint, (enum sluice_type)t, &digest));
        SLUICE_TRY(sluice_case_each(sim->setup, (enum sluice_type)t, add_ids, &of_case));
        SLUICE_CHECK(digest == of_case, SLUICE_IO,
                     "restart: the %s particles of the checkpoint have other ids than those that "
                     "its own configuration makes here; restart with the program that wrote it",
                     name);
    }
    return SLUICE_OK;
}

/* The restored times and counters must be possible ones. */
static sluice_status check_numbers(const struct sluice_output *o, const struct sluice_sim *sim)
{
    const int64_t count[] = {sim->step,
                             sim->flow_particles[SLUICE_FLOW_ENTERED],
                             sim->flow_particles[SLUICE_FLOW_LEFT],
                             sim->flow_particles[SLUICE_FLOW_REMOVED],
                             sim->model.first_born,
                             sim->backend.orders.particles[SLUICE_FLUID],
                             o->snapshot_next,
                             o->snapshot_number};
    int right = isfinite(sim->time) && sim->time >= 0 && isfinite(sim->dt_next) &&
                sim->dt_next > 0 && isfinite(sim->backend.drifted) && sim->backend.drifted >= 0;
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        right &= count[i] >= 0 && count[i] < COUNT_MAX;
    for (int i = 0; i < sim->config->probe_count; i++)
        right &= o->probe_next[i] >= 0 && o->probe_next[i] < COUNT_MAX;
    SLUICE_CHECK(
        right, SLUICE_IO,
        "restart: the checkpoint is damaged: step %lld at t = %.9g, next time step %.9g, or "
        "a count of its output, cannot be",
        (long long)sim->step, sim->time, sim->dt_next);
    return SLUICE_OK;
}

static sluice_status read_budget(struct sluice_sim *sim, const struct sluice_checkpoint *checkpoint)
{
    double row[1 + SLUICE_BUDGET_COLUMNS];
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, "Budget", row, 1 + SLUICE_BUDGET_COLUMNS));
    sim->now.dt = row[0];
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        *sluice_budget_at(&sim->now, c) = row[1 + c];
    return SLUICE_OK;
}

static sluice_status read_numbers(struct sluice_output *o, struct sluice_sim *sim,
                                  const struct sluice_checkpoint *checkpoint)
{
    const struct {
        const char *name;
        double *at;
        int count;
    } real[] = {
#define X(name, address, count, unit) {name, address, count},
        STATE_REALS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        SLUICE_TRY(sluice_checkpoint_reals(checkpoint, real[i].name, real[i].at, real[i].count));
#define X(name, address, count)                                                                    \
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, name, address, count));
    STATE_INTS(X)
#undef X
    SLUICE_TRY(read_budget(sim, checkpoint));
    if (sluice_checkpoint_reals(checkpoint, "PairsAtStart", &sim->pairs_at_start, 1) != SLUICE_OK)
        sim->pairs_at_start = 0; /* an earlier version, or not counted */
    SLUICE_TRY(restore_bodies(sim, checkpoint));
    SLUICE_TRY(restore_effects(sim, checkpoint));
    if (sim->config->probe_count)
        SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "ProbeNext", o->probe_next,
                                          sim->config->probe_count));
    for (int k = 0; k < SLUICE_PROBE_STATES; k++) {
        const struct sluice_probe_state of = sluice_probes_state(o->probes, k);
        if (of.at)
            SLUICE_TRY(sluice_checkpoint_reals(checkpoint, of.name, of.at, of.count));
    }
    SLUICE_TRY(check_numbers(o, sim));
    sim->queued = sim->energy_step = sim->step;
    sim->now.step = sim->step;
    sim->now.time = sim->model.time = sim->time;
    sluice_bodies_advance(&sim->model.bodies, sim->time, 0, 0, 0, sim->model.team);
    return SLUICE_OK;
}

/* Brings the sets in the order of an earlier sort, and makes the backend's search tables for it. */
static sluice_status restore_sorted(struct sluice_sim *sim,
                                    const struct sluice_checkpoint *checkpoint,
                                    struct sluice_set *const *sets, int n)
{
    struct sluice_backend *b = &sim->backend;
    struct sluice_sorted *sorted[SLUICE_TYPE_COUNT] = {NULL};
    uint32_t *order[SLUICE_TYPE_COUNT] = {NULL};
    sluice_status status = SLUICE_OK;
    SLUICE_CHECK(b->ops->bin_as, SLUICE_BAD_INPUT,
                 "restart: the checkpoint is of a backend that does not sort in every step");
    for (int s = 0; s < n && status == SLUICE_OK; s++)
        if (sets[s]->moves)
            status = sluice_checkpoint_read_order(checkpoint, sets[s], sim->grid.bins_log2 + 1,
                                                  &sorted[sets[s]->type], &order[sets[s]->type]);
    if (status == SLUICE_OK)
        status = sluice_checkpoint_read_sets(checkpoint, b, &sim->grid, sets, n, order);
    if (status == SLUICE_OK)
        status = b->ops->bin_as(b, &sim->grid, sets, n, sorted);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        free(sorted[t]);
        free(order[t]);
    }
    return status;
}

static sluice_status restore_sets(struct sluice_sim *sim,
                                  const struct sluice_checkpoint *checkpoint,
                                  struct sluice_set *const *sets, int n)
{
    if (sim->backend.drifted > 0)
        return restore_sorted(sim, checkpoint, sets, n);
    SLUICE_TRY(sluice_checkpoint_read_sets(checkpoint, &sim->backend, &sim->grid, sets, n, NULL));
    return sluice_sim_sort(sim, &sim->flight[0]);
}

sluice_status sluice_state_restore(struct sluice_output *o, struct sluice_sim *sim,
                                   struct sluice_checkpoint *checkpoint)
{
    int64_t count[SLUICE_TYPE_COUNT], held[SLUICE_TYPE_COUNT];
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    SLUICE_CHECK(sluice_checkpoint_real_bytes(checkpoint) == sim->backend.real_bytes,
                 SLUICE_BAD_INPUT,
                 "restart: the checkpoint's reals have %d bytes, this run's %d; leave "
                 "backend.precision as it was",
                 sluice_checkpoint_real_bytes(checkpoint), sim->backend.real_bytes);
    SLUICE_TRY(restore_choice(sim, checkpoint));
    SLUICE_TRY(check_choices(sim, checkpoint));
    SLUICE_TRY(check_groups(sim, checkpoint));
    SLUICE_TRY(check_walls(sim, checkpoint));
    SLUICE_TRY(read_numbers(o, sim, checkpoint));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        count[t] = sluice_checkpoint_count(checkpoint, (enum sluice_type)t);
    const int64_t most = sim->setup->start[SLUICE_FLUID].count +
                         sim->flow_particles[SLUICE_FLOW_ENTERED];
    SLUICE_CHECK(count[SLUICE_FLUID] <= most, SLUICE_IO,
                 "restart: the checkpoint has %lld fluid particles, its own configuration, with "
                 "those that came, %lld",
                 (long long)count[SLUICE_FLUID], (long long)most);
    SLUICE_TRY(sluice_checkpoint_divide(checkpoint, sim->backend.domain, &sim->grid, held));
    SLUICE_TRY(sluice_sim_create_sets(sim, count, held));
    const int n = sluice_sim_sets(sim, SLUICE_TYPE_COUNT, sets);
    SLUICE_TRY(restore_sets(sim, checkpoint, sets, n));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    SLUICE_CHECK(sim->flight[0].gone.count == 0, SLUICE_IO,
                 "restart: %lld particles of the checkpoint lie beyond the domain; start a new run "
                 "from a snapshot instead (particles = \"FILE\")",
                 (long long)sim->flight[0].gone.count);
    return SLUICE_OK;
}
