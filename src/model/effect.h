/* An effect is what water does beside pressure and gravity, or a kind of walls. It lives in its
 * folder of src/physics, and says here what it needs and when it acts. Water walks the list of a
 * run's effects; it names none of them. docs/adding-a-boundary.md adds a kind of walls. */
#ifndef SLUICE_MODEL_EFFECT_H
#define SLUICE_MODEL_EFFECT_H
#include "model/model.h"

/* Queues what the effect does in a stage. */
typedef sluice_status sluice_effect_work(struct sluice_model *m, struct sluice_backend *b,
                                         const struct sluice_grid *g, struct sluice_passes *passes);

/* When effects act in a step; within a stage in the order of the list. */
enum sluice_stage {
    SLUICE_STAGE_PREDICT, /* after the fluid's prediction */
    SLUICE_STAGE_BEFORE,  /* before the pair loop of the fluid */
    SLUICE_STAGE_AFTER,   /* after it */
    SLUICE_STAGE_FINISH,  /* after the second kick, whose time it counts as; no passes */
    SLUICE_STAGE_COUNT
};

struct sluice_effect {
    const char *name;
    /* Whether a run has it. */
    int (*used)(const struct sluice_physics *p);
    /* SLUICE_BIT(...) of the fields that a set of this type needs for it; NULL: none. */
    sluice_fields (*fields)(const struct sluice_physics *p, enum sluice_type type);
    int passes; /* that it queues in a step, at most */
    /* NULL: it does nothing in this stage. The time counts as `section`. */
    struct {
        sluice_effect_work *work;
        enum sluice_section section;
    } stage[SLUICE_STAGE_COUNT];
};

/* src/physics/effects.c: all effects, in the order in which they act; NULL at the end. */
extern const struct sluice_effect *const sluice_effects[];

/* The fields that the effects of a run need. */
sluice_fields sluice_effects_fields(const struct sluice_physics *p, enum sluice_type type);

/* Queues a stage of all effects of the run. passes: NULL in the last stage. */
sluice_status sluice_effects_act(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes,
                                 enum sluice_stage stage);
#endif
