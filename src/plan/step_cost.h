/* The cost of a step on several ranks: a model with measured constants.
 *
 *   T(N) = max over ranks of (work + halo + messages) + sums,  or the output's time if that is more
 *
 *   work      step + pair P + fluid F + wall W      P ordered pairs, F and W own particles
 *   halo      divided + copy C                      C halo particles of fluid; 0 for one rank
 *   messages  rounds round + bytes / bandwidth      a round: a message to each neighbour, at once
 *   sums      sums log2(N) sum + (listing N + 2 frame_bytes / bandwidth) / steps_a_sort
 *   output    output_bytes / disk                   written beside the steps
 *
 * docs/scaling.md compares it with what was measured. */
#ifndef SLUICE_PLAN_STEP_COST_H
#define SLUICE_PLAN_STEP_COST_H

struct sluice_link {
    double round;     /* s of a round of messages, however short they are */
    double bandwidth; /* B/s that a rank sends */
};

/* A kind of machine, whose ranks are threads or devices. */
struct sluice_machine {
    const char *name;
    const char *measured, *assumed; /* where the constants come from; "": all are measured */
    int on_device;                  /* one sort serves for several steps */
    double steps_a_sort;
    double step, pair, fluid, wall; /* s: a step, an ordered pair, a particle */
    double divided, copy;           /* s: a step of several ranks, a halo particle of fluid */
    double listing;                 /* s a sort for each rank there is */
    double sum;                     /* s of a sum over two ranks */
    int ranks_a_host;               /* more ranks use the link between hosts */
    struct sluice_link inside, between;
    double disk; /* B/s of all ranks together */
};

enum { SLUICE_MACHINES = 3 };
extern const struct sluice_machine sluice_machines[SLUICE_MACHINES];
/* The number of the first one whose ranks are devices, or are not. */
int sluice_machine_of_kind(int on_device);

/* The work of one rank in a step. */
struct sluice_step_load {
    double pairs, fluid, wall; /* of own particles */
    double halo;               /* particles of the fluid */
    double bytes;              /* sent to other ranks */
};

/* The work that all ranks do alike. */
struct sluice_step_rounds {
    int ranks;
    double rounds, sums; /* a step, the sort's share with them */
    double frame_bytes;  /* summed over all ranks at a sort */
    double output_bytes; /* of all ranks, a step */
};

/* s. */
double sluice_step_seconds_of_rank(const struct sluice_machine *m, const struct sluice_step_load *l,
                                   const struct sluice_step_rounds *r);
/* The step's, if its slowest rank takes so long. */
double sluice_step_seconds(const struct sluice_machine *m, const struct sluice_step_rounds *r,
                           double slowest);
#endif
