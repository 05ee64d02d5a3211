/* Openings: water comes and goes through them (docs/theory.md, "Openings"). The particles behind an
 * opening, in its buffer, are fluid whose velocity and density the opening gives. New rows come at
 * the end of the buffer, and what passes this end goes. */
#include "physics/openings/openings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "physics/effects.h"

static struct openings *of_run(const struct sluice_physics *p)
{
    return p->table[SLUICE_EFFECT_openings].head;
}

static int used(const struct sluice_physics *p)
{
    return p->config->opening_count > 0;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(RETIRES) : 0;
}

/* --- The start --- */

static void destroy(void *head)
{
    openings_destroy(head);
}

static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    struct sluice_effect_table *table = &setup->physics->table[SLUICE_EFFECT_openings];
    struct openings *o;
    SLUICE_TRY(openings_create(setup, &o));
    table->head = o;
    table->destroy = destroy;
    table->bytes = (size_t)o->count * sizeof *o->box + (size_t)o->columns * sizeof *o->column;
    table->data = calloc(1, table->bytes);
    SLUICE_CHECK(table->data, SLUICE_DEVICE, "no memory for openings");
    memcpy(table->data, o->box, (size_t)o->count * sizeof *o->box);
    SLUICE_TRY(openings_check_places(o, setup));
    SLUICE_TRY(openings_fill(o, setup));
    openings_set_profiles(o, setup->physics);
    return openings_check_start(o, setup);
}

static void print(const struct sluice_physics *p, FILE *out)
{
    openings_print(of_run(p), p, out);
}

/* --- What comes and goes --- */

/* Whether a row is due, or what has left is to be looked for. */
static int now(const struct sluice_model *m)
{
    const struct openings *o = of_run(m->physics);
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        if (of->furthest + of->fastest * m->dt < of->spacing + of->late)
            continue;
        for (int c = of->first; c < of->first + opening_columns_of(of); c++)
            if (o->column[c].rule == OPENING_HOLDS && of->keys->kind != SLUICE_OPENING_OUTLET &&
                opening_moved(m, &o->row[c]) >= of->spacing + of->late)
                return 1;
    }
    return *o->out + o->leaves * m->dt > m->physics->wcsph.spacing / 2;
}

static int64_t births(const struct sluice_physics *p)
{
    const struct openings *o = of_run(p);
    int64_t all = 0;
    for (int i = 0; i < o->count; i++)
        if (o->opening[i].keys->kind != SLUICE_OPENING_OUTLET)
            all += (int64_t)opening_columns_of(&o->opening[i]) * opening_row_of(&o->opening[i]);
    return all;
}

static double until_end(const struct sluice_physics *p, double from, double *going)
{
    return openings_until_end(of_run(p), p, from, going);
}

/* The columns of the next operations. */
static sluice_status upload(const struct sluice_model *m, struct sluice_backend *b)
{
    struct openings *o = of_run(m->physics);
    char *to = m->table[SLUICE_EFFECT_openings];
    o->uploaded = 1;
    return b->ops->upload(b, to + (size_t)o->count * sizeof *o->box, o->column,
                          (size_t)o->columns * sizeof *o->column);
}

/* The operations' parameters. */
struct parameters {
    struct wcsph_predict_params predict;
    struct openings_params openings;
};

static void fill(struct parameters *to, const struct sluice_model *m, const struct sluice_grid *g)
{
    const struct openings *o = of_run(m->physics);
    const char *table = m->table[SLUICE_EFFECT_openings];
    to->predict = (struct wcsph_predict_params){.wcsph = m->physics->wcsph,
                                                .dt = m->dt,
                                                .dt_old = m->dt_old,
                                                .beta = m->physics->config->time.predictor};
    sluice_grid_place(g, g->low, &to->predict.origin);
    to->openings = (struct openings_params){
        .predict = &to->predict,
        .energy = &m->scalar_energy,
        .box = (const void *)table,
        .column = (const void *)(table + (size_t)o->count * sizeof *o->box),
        .count = o->count,
        .sets = m->dt > 0 || m->step == 0}; /* not where forces are only timed */
}

static sluice_status act(struct sluice_model *m, struct sluice_backend *b,
                         const struct sluice_grid *g, const char *name, int op)
{
    struct parameters parameters;
    fill(&parameters, m, g);
    const struct sluice_point point = {name, op, &parameters.openings, m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

static sluice_status change(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_particle_list *born)
{
    struct openings *o = of_run(m->physics);
    if (!o->uploaded)
        SLUICE_TRY(upload(m, b));
    SLUICE_TRY(act(m, b, g, "openings retire", SLUICE_POINTWISE_openings_retire));
    o->swept = 1;
    return openings_come(o, m, b, g, born);
}

static void add_to_totals(struct opening_totals *totals, int out,
                          const struct sluice_listed_particle *p)
{
    totals->particles[out]++;
    totals->mass[out] += p->mass;
    totals->energy[out] += p->energy;
}

/* What came and went is known. The list of what came begins with that of the openings. */
static void booked(struct sluice_model *m, const struct sluice_grid *g,
                   const struct sluice_particle_list *born, const struct sluice_particle_list *gone)
{
    const struct openings *o = of_run(m->physics);
    const struct sluice_listed_particle *next = born->particle;
    for (int i = 0; i < o->count; i++) {
        for (int64_t k = 0; k < o->opening[i].came; k++)
            add_to_totals(&o->totals[i], 0, next++);
        o->opening[i].came = 0;
    }
    for (int64_t k = 0; k < gone->count; k++) {
        const struct sluice_listed_particle *p = &gone->particle[k];
        double x[3], s;
        if (!p->retires)
            continue;
        struct opening *of = &o->opening[p->retires - 1];
        add_to_totals(&o->totals[p->retires - 1], 1, p);
        sluice_grid_coordinates(g, &p->place, x);
        const int c = opening_column_of(of, g, x, &s);
        if (c < 0)
            continue;
        o->row[of->first + c].moved += of->spacing / opening_row_of(of);
        of->furthest = fmax(of->furthest, o->row[of->first + c].moved);
    }
}

/* --- The stages --- */

/* Before the pair loop the buffers have their velocity and pressure of the step's end. */
static sluice_status predict(struct sluice_model *m, struct sluice_backend *b,
                             const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)passes;
    if (!of_run(m->physics)->uploaded)
        SLUICE_TRY(upload(m, b));
    return act(m, b, g, "openings predict", SLUICE_POINTWISE_openings_predict);
}

/* What is uploaded of a column. */
static void set_column(struct opening_column *column, const struct opening_row *row)
{
    column->velocity = row->velocity;
    column->head = row->head;
    column->rule = (int32_t)row->rule;
}

/* The bounds by which `now` says at once that nothing is due. */
static void set_bounds(struct openings *o)
{
    o->leaves = 0;
    for (struct opening *of = o->opening; of < o->opening + o->count; of++) {
        of->furthest = of->fastest = 0;
        for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
            of->furthest = fmax(of->furthest, o->row[c].moved);
            of->fastest = fmax(of->fastest, o->row[c].speed);
            o->leaves = fmax(o->leaves, -o->row[c].speed);
        }
    }
}

/* The next columns hold from now on. */
static void use_next(struct openings *o)
{
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
            struct opening_row *row = &o->row[c];
            const int held = o->column[c].rule == OPENING_HOLDS,
                      holds = o->next[c].rule == OPENING_HOLDS;
            if (o->known && !held && holds) /* the column is empty: all its rows come */
                row->moved = of->rows * of->spacing;
            if (o->known && held && !holds)
                *o->out = INFINITY; /* they go in the next step */
            row->velocity = o->next[c].velocity;
            row->head = o->next[c].head;
            row->rule = o->next[c].rule;
            set_column(&o->column[c], row);
        }
    }
    memcpy(o->gauge, o->seen, (size_t)o->columns * sizeof *o->gauge);
    o->known = 1;
    o->uploaded = 0;
    set_bounds(o);
}

/* Queues the sums over the water and the buffers. later: they are there once the step is done. */
static sluice_status sum(struct openings *o, struct sluice_model *m, struct sluice_backend *b,
                         const struct sluice_grid *g, int later)
{
    struct parameters parameters;
    fill(&parameters, m, g);
    struct sluice_label_sums sums = {.formula = SLUICE_LABELLED_openings_sums,
                                     .params = &parameters.openings,
                                     .set = m->set[SLUICE_FLUID],
                                     .labels = o->columns,
                                     .terms = OPENING_TERMS,
                                     .out = o->own,
                                     .later = later};
    sums.scale[OPENING_MASS] = sums.scale[OPENING_HELD] = m->physics->scales.mass;
    sums.scale[OPENING_JUMP] = m->physics->scales.energy;
    sums.scale[OPENING_POWER] = m->physics->scales.power;
    SLUICE_TRY(b->ops->sum_labels(b, g, &sums));
    o->sum = sums.out;
    return SLUICE_OK;
}

/* The sums are there: the powers of the openings, and what their columns have measured. */
static void add_sums(struct sluice_model *m)
{
    struct openings *o = of_run(m->physics);
    if (!o->sum)
        return;
    for (int i = 0; i < o->count; i++) {
        struct opening_totals *totals = &o->totals[i];
        const double jump = opening_sum(o, &o->opening[i], OPENING_JUMP);
        totals->power = opening_sum(o, &o->opening[i], OPENING_POWER);
        totals->since.work += totals->power * m->dt + jump;
        totals->since.time += m->dt;
        m->beside[SLUICE_SUM_OPENING_JUMP] += jump;
        m->beside[SLUICE_SUM_OPENING_POWER] += totals->power;
    }
    openings_take(o, m->physics);
    o->sum = NULL;
}

/* The first forces measure what the columns begin with. */
static sluice_status start(struct openings *o, struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g)
{
    const int knew = o->known;
    SLUICE_TRY(sum(o, m, b, g, 0));
    add_sums(m);
    openings_read(o, m->physics, m->time, m->dt, b->real_bytes);
    if (knew)
        SLUICE_TRY(act(m, b, g, "openings hold", SLUICE_POINTWISE_openings_hold));
    for (int c = 0; c < o->columns; c++)
        o->row[c].speed = o->column[c].velocity;
    use_next(o);
    return SLUICE_OK;
}

/* After the pair loop. Forces that are only timed measure nothing. */
static sluice_status measure(struct sluice_model *m, struct sluice_backend *b,
                             const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct openings *o = of_run(m->physics);
    (void)passes;
    if (m->step == 0 && m->dt == 0)
        return start(o, m, b, g);
    if (m->dt > 0)
        SLUICE_TRY(sum(o, m, b, g, 1));
    return act(m, b, g, "openings hold", SLUICE_POINTWISE_openings_hold);
}

/* While a device computes the step: the columns of the next one, from what the step before has
 * measured. So no device waits for the host. */
static sluice_status prepare_next(struct sluice_model *m, struct sluice_backend *b)
{
    struct openings *o = of_run(m->physics);
    openings_read(o, m->physics, m->time, m->dt, b->real_bytes);
    *o->out = o->swept ? 0 : *o->out + o->leaves * m->dt;
    openings_gather(o, m->physics, m->dt);
    o->swept = 0;
    for (int c = 0; c < o->columns; c++) {
        struct opening_row *row = &o->row[c];
        row->moved = opening_moved(m, row) - o->born[c].rows * m->physics->wcsph.spacing;
        row->speed = o->column[c].velocity;
        o->born[c].rows = 0;
    }
    use_next(o);
    return upload(m, b);
}

/* --- Tables and the checkpoint --- */

static int tables(const struct sluice_physics *p)
{
    return of_run(p)->count;
}

static const char *table_name(const struct sluice_physics *p, int table)
{
    return of_run(p)->opening[table].keys->name;
}

static void row(const struct sluice_model *m, const struct sluice_grid *g, int table, int ends,
                double values[SLUICE_EFFECT_COLUMNS_MOST])
{
    struct openings *o = of_run(m->physics);
    (void)g;
    opening_fill_row(o, &m->physics->wcsph, table, values);
    if (ends)
        o->totals[table].since = (struct opening_sums){0};
}

static double *state(const struct sluice_physics *p, int64_t *count)
{
    struct openings *o = of_run(p);
    *count = o->state_count;
    return o->state;
}

static void restored(const struct sluice_physics *p)
{
    struct openings *o = of_run(p);
    o->known = 1;
    o->uploaded = 0;
    for (int c = 0; c < o->columns; c++)
        set_column(&o->column[c], &o->row[c]);
    set_bounds(o);
}

const struct sluice_effect sluice_effect_openings = {
    .name = "openings",
    .used = used,
    .fields = fields,
    .prepare = prepare,
    .print = print,
    .stage[SLUICE_STAGE_PREDICT] = {predict, SLUICE_SECTION_POINTWISE},
    .stage[SLUICE_STAGE_AFTER] = {measure, SLUICE_SECTION_POINTWISE},
    .prepare_next = prepare_next,
    .add_sums = add_sums,
    .starts_twice = 1,
    .state = {.at = state, .restored = restored},
    .tables = {tables, "opening", "What passes an opening, and the water in front of it",
               table_name, opening_columns, row},
    .change = {.now = now,
               .births = births,
               .mass = openings_born_mass,
               .until_end = until_end,
               .work = change,
               .booked = booked},
};
