/* A plan: the particles, pairs and messages that each of several ranks would have, by the planes
 * that a run makes at its start, and the time of a step on known machines. Nothing is computed, and
 * no rank is started. */
#ifndef SLUICE_PLAN_PLAN_H
#define SLUICE_PLAN_PLAN_H
#include "core/json.h"
#include "plan/step_cost.h"
#include "sim/sim.h"

enum { SLUICE_PLAN_RANKS_MOST = 1 << 16 };

struct sluice_plan_rank {
    double own[SLUICE_TYPE_COUNT], halo[SLUICE_TYPE_COUNT]; /* particles */
    double sends[SLUICE_TYPE_COUNT]; /* own particles, once for each rank whose halo has it */
};

/* Bytes of a particle that a rank sends to each rank whose halo has it. */
struct sluice_plan_traffic {
    double at_sort[SLUICE_TYPE_COUNT];    /* 0: of a set that is sorted once */
    double after_pass[SLUICE_TYPE_COUNT]; /* each step */
    double sorts, passes;            /* rounds of messages at a sort, and a step after passes */
    double state[SLUICE_TYPE_COUNT]; /* of a particle's carried fields */
};

struct sluice_plan {
    const struct sluice_machine *machine; /* borrowed */
    const struct sluice_case *setup;      /* borrowed */
    int ranks;
    double reach;                    /* m: width of the halo around a rank's region */
    double scale[SLUICE_TYPE_COUNT]; /* planned particles of a type over those of the case */
    double particles;                /* planned */
    double frames;                   /* in the table, which all ranks have */
    double samples;                  /* that the planes are made from */
    double place;                    /* particles of fluid that one counted place stands for */
    struct sluice_plan_rank *rank;   /* [ranks] */
    struct sluice_plan_traffic traffic;
    double pairs_a_particle; /* of the fluid */
    double output_bytes;     /* a step */
};

struct sluice_plan_options {
    const struct sluice_machine *machine;
    int ranks;
    double particles;    /* about: a finer spacing in the same shapes; 0: the case's own */
    double output_every; /* steps of the case between two snapshots; 0: none are written */
};

/* sim: created, and not necessarily started. Makes all particles of the case, chunk by chunk.
 * Errors: memory. */
sluice_status sluice_plan_create(struct sluice_plan *plan, const struct sluice_sim *sim,
                                 const struct sluice_plan_options *options);
/* The same ranks on another machine of the same kind, on the host or a device. */
sluice_status sluice_plan_copy(struct sluice_plan *plan, const struct sluice_plan *from,
                               const struct sluice_machine *machine);
void sluice_plan_destroy(struct sluice_plan *plan);

/* passes.c: the fields of a particle that ranks send, by the passes of the model's step. */
sluice_status sluice_plan_find_traffic(struct sluice_plan_traffic *traffic,
                                       const struct sluice_sim *sim,
                                       const struct sluice_machine *machine);

/* The spread of a number over all ranks. */
struct sluice_spread {
    double least, mean, most;
};

/* memory.c: bytes of the rank that needs most, as predicted for the sim's backend; of the device, 0
 * for a backend on the host. sim: after sluice_sim_start. */
struct sluice_plan_memory {
    double host, device;
};
struct sluice_plan_memory sluice_plan_memory(const struct sluice_plan *plan,
                                             const struct sluice_sim *sim);

/* A plan in numbers. */
struct sluice_plan_summary {
    struct sluice_spread own, halo, bytes; /* particles; sent a step */
    double halo_fraction;                  /* halo particles over all particles of the ranks */
    double places;                         /* places counted a rank as its halo of fluid, mean */
    double rounds, sums;                   /* a step */
    double seconds, alone;                 /* a step: on all ranks; on one */
    double busiest; /* time of the busiest rank over the mean, by the planes of the start */
};
struct sluice_plan_summary sluice_plan_summarise(const struct sluice_plan *plan);

/* report.c: plans for these numbers of ranks, as text and as JSON. */
struct sluice_plan_request {
    const int *ranks; /* [count] */
    int count;
    double particles; /* 0: the case's own */
    int weak;         /* so many for each rank */
};
sluice_status sluice_plan_print(const struct sluice_sim *sim,
                                const struct sluice_plan_request *request, FILE *out);
sluice_status sluice_plan_write(const struct sluice_sim *sim,
                                const struct sluice_plan_request *request,
                                struct sluice_json *json);
#endif
