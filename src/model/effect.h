/* An effect is what water does beside pressure and gravity, or a kind of walls. It lives in its
 * folder of src/physics: its data in NAME.def (physics/effects.def), and here what it does and
 * when. Water walks the list of a run's effects; it names none of them. docs/adding-an-effect.md
 * adds one. */
#ifndef SLUICE_MODEL_EFFECT_H
#define SLUICE_MODEL_EFFECT_H
#include <stdio.h>

#include "core/warnings.h"
#include "files/columns.h"
#include "model/model.h"

/* Queues what the effect does in a stage. */
typedef sluice_status sluice_effect_work(struct sluice_model *m, struct sluice_backend *b,
                                         const struct sluice_grid *g, struct sluice_passes *passes);

/* When effects act in a step; within a stage in the order of the list. */
enum sluice_stage {
    SLUICE_STAGE_PREDICT, /* after the fluid's prediction */
    SLUICE_STAGE_WALLS,   /* then the state of walls is found */
    SLUICE_STAGE_BEFORE,  /* before the pair loop of the fluid */
    SLUICE_STAGE_AFTER,   /* after it */
    SLUICE_STAGE_FINISH,  /* after the second kick, whose time it counts as; no passes */
    SLUICE_STAGE_COUNT
};

/* A case whose particles and state are known, as effects see it. */
struct sluice_effect_setup {
    struct sluice_physics *physics;
    const struct sluice_grid *grid;
    struct sluice_warnings *warnings;
    int64_t fluid, walls;                 /* particles */
    uint32_t fluid_group;                 /* the first group that has fluid: particles/groups.h */
    const double *fluid_low, *fluid_high; /* extent of the fluid's lattice cells, m */
    /* Calls visit for each particle of a type, with its place, m. Errors: memory. */
    sluice_status (*each_place)(const struct sluice_effect_setup *setup, enum sluice_type type,
                                void (*visit)(void *data, const double x[3]), void *data);
    /* The same for the wall particles that motions or bodies carry, at the start. */
    sluice_status (*each_moving)(const struct sluice_effect_setup *setup,
                                 void (*visit)(void *data, const double x[3]), void *data);
    /* Fills x[walls] with their places, m. Errors: memory. */
    sluice_status (*wall_places)(const struct sluice_effect_setup *setup, double (*x)[3]);
    const void *of; /* the caller's own, for these */
};

enum { SLUICE_EFFECT_COLUMNS_MOST = 32 }; /* of a table of an effect */
enum { SLUICE_EFFECT_SWAPS = 3 };         /* of an effect, the end included */

/* Members that an effect does not need are NULL or 0. */
struct sluice_effect {
    const char *name;
    /* Derives the parameters of p->wcsph from p->config, for runs with and without it. */
    void (*derive)(struct sluice_physics *p);
    /* Whether a run has it, by the derived parameters. The members below are called only for runs
     * that have it. NULL: every run has it. */
    int (*used)(const struct sluice_physics *p);
    /* SLUICE_BIT(...) of the fields that a set of this type needs for it. */
    sluice_fields (*fields)(const struct sluice_physics *p, enum sluice_type type);
    /* The fastest decay of a velocity by it, 1/s: these rates add up, and bound the time step. */
    double (*decay)(const struct sluice_physics *p);
    /* Once the particles of the case and their state are known: warns, refuses (status), or makes
     * its table in p->table[SLUICE_EFFECT_name]. */
    sluice_status (*prepare)(const struct sluice_effect_setup *setup);
    /* Its lines of `sluice check`. */
    void (*print)(const struct sluice_physics *p, FILE *out);
    int passes; /* that it queues in a step at most: memory for their sums is allocated once */
    /* Changes the pair loop's parameters for the running step. */
    void (*begin_step)(const struct sluice_model *m, struct wcsph_params *params);
    /* The time of a stage counts as `section`. */
    struct {
        sluice_effect_work *work;
        enum sluice_section section;
    } stage[SLUICE_STAGE_COUNT];
    /* For effects by which particles come or go, since then no step is queued ahead. prepare_next:
     * while a device computes the running step, what the host does for the next one. add_sums:
     * once the results of the step are there, adds to m->beside what the host sums. */
    sluice_status (*prepare_next)(struct sluice_model *m, struct sluice_backend *b);
    void (*add_sums)(struct sluice_model *m);
    /* Fields of the fluid that lag by a step: the forces find one, and those of the next step use
     * it. The two change places once a step is predicted. A pair {0} ends the list. */
    struct sluice_swap {
        enum sluice_field used, found;
    } swap[SLUICE_EFFECT_SWAPS];
    int starts_twice;    /* its first forces need an evaluation before; so do fields that swap */
    int moves_particles; /* it moves them in its last stage, so each step sorts */
    /* Where particles come or go by it (docs/design.md, "The life of a particle"): */
    struct {
        /* Whether particles may come or go in the running step, which then begins with a sort. */
        int (*now)(const struct sluice_model *m);
        int64_t (*births)(const struct sluice_physics *p); /* in a step, at most */
        /* Of every particle that comes, kg; NULL or 0: they differ. */
        double (*mass)(const struct sluice_physics *p);
        /* From a time, s, to time.end: at most how many come (INFINITY: not known), and *going:
         * about how many go (NAN: not known). NULL: `births` come in each step. */
        double (*until_end)(const struct sluice_physics *p, double from, double *going);
        /* Between the drift and that sort: adds to `born` (backend/particle_list.h), the same on
         * all ranks, and sets the field RETIRES of fluid that goes. */
        sluice_status (*work)(struct sluice_model *m, struct sluice_backend *b,
                              const struct sluice_grid *g, struct sluice_particle_list *born);
        /* What came and what went in the step, with their energies; a device may still compute
         * its end. */
        void (*booked)(struct sluice_model *m, const struct sluice_grid *g,
                       const struct sluice_particle_list *born,
                       const struct sluice_particle_list *gone);
    } change;
    /* Its own numbers, which checkpoints keep, the same on all ranks. */
    struct {
        double *(*at)(const struct sluice_physics *p, int64_t *count);
        void (*restored)(const struct sluice_physics *p); /* they are those of a checkpoint */
    } state;
    /* Its tables in the run's folder, with a row where energy.csv has one: */
    struct {
        int (*count)(const struct sluice_physics *p);
        const char *kind, *what; /* the first word of their files, KIND_NAME.csv; a sentence */
        const char *(*name)(const struct sluice_physics *p, int table);
        const struct sluice_column *columns; /* after step and time, of all of them */
        /* Fills a row, on all ranks. `ends`: the means of the next row begin here. 0: the row is
         * of the last step, and a restart goes on with its means. NAN: no value. */
        void (*row)(const struct sluice_model *m, const struct sluice_grid *g, int table, int ends,
                    double row[SLUICE_EFFECT_COLUMNS_MOST]);
    } tables;
};

/* src/physics/effects.c: all effects, as in enum sluice_effect_id. */
extern const struct sluice_effect *const sluice_effects[SLUICE_EFFECT_COUNT];

/* Derives the parameters of all effects, in the order of the list. */
void sluice_effects_derive(struct sluice_physics *p);
/* The fields that the effects of a run need. */
sluice_fields sluice_effects_fields(const struct sluice_physics *p, enum sluice_type type);
int sluice_effects_passes(const struct sluice_physics *p);
/* The sum of their fastest decays, 1/s. */
double sluice_effects_decay(const struct sluice_physics *p);
sluice_status sluice_effects_prepare(const struct sluice_effect_setup *setup);
void sluice_effects_print(const struct sluice_physics *p, FILE *out);
void sluice_effects_begin_step(const struct sluice_model *m, struct wcsph_params *params);
void sluice_effects_swap(struct sluice_model *m);
/* The fields that are found for the next step. */
sluice_fields sluice_effects_found(const struct sluice_physics *p);
int sluice_effects_start_twice(const struct sluice_physics *p);
int sluice_effects_move_particles(const struct sluice_physics *p);

sluice_status sluice_effects_prepare_next(struct sluice_model *m, struct sluice_backend *b);
void sluice_effects_add_sums(struct sluice_model *m);

/* Whether particles come or go by effects: in the run, or in the running step. */
int sluice_effects_can_change(const struct sluice_physics *p);
/* Whether all particles that come have this mass (kg), as the run's precision holds it: pair loops
 * then read none. */
int sluice_effects_bear_alike(const struct sluice_physics *p, double mass, int real_bytes);
int sluice_effects_change_now(const struct sluice_model *m);
/* Queues the changes of the running step, and fills `born`. */
sluice_status sluice_effects_change(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_particle_list *born);
/* Tells the effects what came and went in a step. */
void sluice_effects_book(struct sluice_model *m, const struct sluice_grid *g,
                         const struct sluice_particle_list *born,
                         const struct sluice_particle_list *gone);
/* The numbers of effect e of a run, and how many; NULL: none. */
double *sluice_effects_state(const struct sluice_physics *p, int e, int64_t *count);
void sluice_effects_restored(const struct sluice_physics *p);
/* The number of tables of all effects, and the effect that has table k of them, which becomes its
 * number there. */
int sluice_effects_tables(const struct sluice_physics *p);
const struct sluice_effect *sluice_effects_table(const struct sluice_physics *p, int *k);
/* The most particles that come in a step; and in `steps` from a time on, by which the run ends
 * (INFINITY: not known), with about how many go (NAN: not known). */
int64_t sluice_effects_births(const struct sluice_physics *p);
double sluice_effects_births_until_end(const struct sluice_physics *p, double from, double steps,
                                       double *going);

/* Queues a stage of all effects of the run. passes: NULL in the last stage. */
sluice_status sluice_effects_act(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes,
                                 enum sluice_stage stage);
#endif
