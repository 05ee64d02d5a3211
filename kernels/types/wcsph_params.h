/* Parameters of the WCSPH pairs and pointwise operations, in double, which the model derives from
 * the config. */
#ifndef SLUICE_KERNELS_TYPES_WCSPH_PARAMS_H
#define SLUICE_KERNELS_TYPES_WCSPH_PARAMS_H
#include "kernels/types/interaction.h"
#include "kernels/types/rigid_motion_params.h"
#include "particles/particles.h"

/* Friction of walls by the law of the wall (kernels/pair/wall_law.h). */
struct wall_law_params {
    int used;
    double nu, roughness; /* kinematic viscosity, m^2/s; grain of the wall ks, m; 0: smooth */
    double y[3]; /* y = y[0] + y[1] m + y[2] m^2, m: the mean distance of a plane wall's particles,
                    by their F, from fluid at the distance y, m */
};

/* Eddy viscosity by a mixing length (kernels/pair/mixing_length.h). */
struct mixing_length_params {
    double most;    /* the largest mixing length, m; 0: there is no eddy viscosity */
    double nu_most; /* the largest eddy viscosity that the running step bears, m^2/s */
};

/* The terms that a case of water may have beside pressure, artificial viscosity, diffusion and
 * walls: those of its pair loop (kernels/pair/wcsph_terms.h). */
enum wcsph_term {
    WCSPH_MASSES = 1 << 0,           /* masses that differ */
    WCSPH_TILTED = 1 << 1,           /* the diffusion's gravity is not along the last axis */
    WCSPH_LAMINAR = 1 << 2,          /* laminar viscosity, in the central form, or: */
    WCSPH_MORRIS = 1 << 3,           /* in the form along v */
    WCSPH_STRESS = 1 << 4,           /* sub-particle stress */
    WCSPH_SLOPE = 1 << 5,            /* diffusion with the gradient of the head */
    WCSPH_EDDIES = 1 << 6,           /* mixing length */
    WCSPH_ARTIFICIAL_WALLS = 1 << 7, /* artificial viscosity at walls */
    WCSPH_LAW = 1 << 8,              /* law of the wall */
    WCSPH_SPIN = 1 << 9,             /* the same at walls that turn */
    WCSPH_TENSION = 1 << 10,         /* limit on tension */
    WCSPH_TWO = 1 << 11,             /* two fluids */
    WCSPH_REPULSION = 1 << 12,       /* that repel each other */
    WCSPH_RENORMALISED = 1 << 13,    /* renormalised gradients */
    WCSPH_SOME_SLIP = 1 << 14,       /* law of the wall or artificial viscosity, not at all walls */
    WCSPH_ALL = (1 << 15) - 1,       /* these: the loops for every case have them */
    WCSPH_SHIFT = 1 << 15            /* shifts are found in the same loop */
};

/* Particle shifting (kernels/pair/pair_shift.h). */
struct shifting_params {
    int used;
    double strength;   /* A */
    double w_dp;       /* W(dp), 1/m^D */
    double gravity[3]; /* m/s^2, which has a potential */
    int inside;        /* 1: not at a free surface */
    int counted;       /* 1: the density counts the shift */
};

struct wcsph_params {
    int dimension;
    int kernel;               /* enum sluice_kernel */
    double spacing, h;        /* dp, smoothing length, m */
    double rho0, sound_speed; /* kg/m^3, m/s */
    int eos;                  /* enum sluice_eos */
    double gamma;             /* of the Tait equation */
    double background;        /* pressure that is added to the equation of state's, Pa */
    double gravity[3];        /* m/s^2, of hydrostatic terms: 0 along periodic axes */
    int begins;               /* 1: the pair loop sets ACCELERATION; 0: it adds to it */
    double body[3];           /* m/s^2: begins = 1: the acceleration by body forces */
    double alpha, nu; /* artificial viscosity (0: none), kinematic viscosity m^2/s (0: none) */
    int viscous_form; /* enum sluice_viscous_form, of nu */
    double smagorinsky, isotropic; /* C_s and C_I of the sub-particle stress (both 0: none) */
    double delta;                  /* density diffusion (0: none) */
    int hydrostatic_diffusion; /* 1: with the hydrostatic correction; 0: Molteni & Colagrossi 2009
                                */
    int piezometric; /* 1: the predicted head is less g.x/c0^2, so it is uniform in water at
                        rest and needs no hydrostatic correction */
    double filter; /* s: the diffused head is less its running mean over this time; 0: it is not */
    int corrected_diffusion; /* 1: with the renormalised gradient of the head (Antuono et al. 2010)
                              */
    int slip;                /* 1: walls have no part in the laminar terms; 0: no slip */
    int some_slip;           /* 1: walls whose HAS_FRICTION is 0 have no friction */
    int artificial_walls;    /* 1: artificial viscosity acts between fluid and walls, too */
    struct wall_law_params wall_law;
    struct mixing_length_params mixing;
    int limits_tension;  /* 1: the pressure and the head are those of max(r, -tension), */
    double tension, gap; /* and r >= -tension - gap: below -tension, r says how far a gap opened */
    double dt;           /* of the running step, s: for that limit, s and shifts; 0: none */
    struct shifting_params shift;
    int renormalised; /* 1: the gradients of pressure and continuity are renormalised, */
    double memory;    /* s: and what that adds to the density is forgotten over this time */
    const struct rigid_motion_params *motions; /* of walls that turn, for their friction; NULL:
                                                  none does, or none has friction */
    int ghost;  /* 1: wall pressure is extrapolated (Adami, mdbc), its power is P_ghost; 0: not */
    int spring; /* 1: the anti-penetration spring acts */
    double repulsion;                  /* between two fluids (0: none) */
    const struct wcsph_params *second; /* of the second fluid; NULL: there is one fluid */
};

/* The parameters of the fluid of this phase: 0 the first, 1 the second. */
static inline const struct wcsph_params *wcsph_of(const struct wcsph_params *p, uint32_t phase)
{
    return p->second && phase ? p->second : p;
}

/* The speed of sound of the fluid in which it is largest, and smallest, m/s. */
static inline double wcsph_fastest_sound(const struct wcsph_params *p)
{
    return p->second && p->second->sound_speed > p->sound_speed ? p->second->sound_speed
                                                                : p->sound_speed;
}

static inline double wcsph_slowest_sound(const struct wcsph_params *p)
{
    return p->second && p->second->sound_speed < p->sound_speed ? p->second->sound_speed
                                                                : p->sound_speed;
}

/* The harmonic mean of what two fluids have, over the density of the lighter one. */
static inline double wcsph_mean_over_lighter(const struct wcsph_params *p, double first,
                                             double second)
{
    const double lighter = p->rho0 < p->second->rho0 ? p->rho0 : p->second->rho0;
    return first + second > 0 ? 2 * first * second / (first + second) / lighter : 0;
}

/* The least r that the pressure knows. */
static inline double wcsph_least(const struct wcsph_params *p)
{
    return p->limits_tension ? -p->tension : -1;
}

/* Laminar viscosity, of either fluid. */
static inline int wcsph_is_viscous(const struct wcsph_params *p)
{
    return p->nu > 0 || (p->second && p->second->nu > 0);
}

static inline int wcsph_has_stress(const struct wcsph_params *p)
{
    return p->smagorinsky > 0 || p->isotropic > 0;
}

/* Whether walls differ in what their slip changes; they have the field HAS_FRICTION then. */
static inline int wcsph_slips_differ(const struct wcsph_params *p)
{
    return p->some_slip &&
           (wcsph_is_viscous(p) || wcsph_has_stress(p) || p->wall_law.used || p->artificial_walls);
}

/* Whether the diffusion's bracket has a hydrostatic correction. */
static inline int wcsph_corrects(const struct wcsph_params *p)
{
    return p->hydrostatic_diffusion && !p->piezometric && p->filter == 0;
}

/* The terms of a case; mass: of every particle, kg; 0: various. */
static inline unsigned wcsph_terms_of(const struct wcsph_params *p, double mass)
{
    const int tilted = wcsph_corrects(p) &&
                       (p->gravity[0] != 0 || (p->dimension == 3 && p->gravity[1] != 0)),
              laminar = wcsph_is_viscous(p), morris = p->viscous_form != SLUICE_VISCOUS_CENTRAL;
    return (mass > 0 || p->second ? 0u : WCSPH_MASSES) | (tilted ? WCSPH_TILTED : 0) |
           (laminar ? WCSPH_LAMINAR : 0) | (laminar && morris ? WCSPH_MORRIS : 0) |
           (wcsph_has_stress(p) ? WCSPH_STRESS : 0) | (p->corrected_diffusion ? WCSPH_SLOPE : 0) |
           (p->mixing.most > 0 ? WCSPH_EDDIES : 0) |
           (p->artificial_walls ? WCSPH_ARTIFICIAL_WALLS : 0) | (p->wall_law.used ? WCSPH_LAW : 0) |
           (p->some_slip && (p->artificial_walls || p->wall_law.used) ? WCSPH_SOME_SLIP : 0) |
           (p->wall_law.used && rigid_motion_turns(p->motions) ? WCSPH_SPIN : 0) |
           (p->renormalised ? WCSPH_RENORMALISED : 0) |
           (p->shift.used && !p->limits_tension ? WCSPH_SHIFT : 0) |
           (p->limits_tension && p->dt > 0 ? WCSPH_TENSION : 0) | (p->second ? WCSPH_TWO : 0) |
           (p->second && p->repulsion > 0 ? WCSPH_REPULSION : 0);
}

/* For kernels/pointwise/body_force.h. */
struct body_force_params {
    double gravity[3]; /* m/s^2 */
    int central_count;
    const struct sluice_central *central;
};

/* For kernels/pointwise/wcsph_predict.h. */
struct wcsph_predict_params {
    struct wcsph_params wcsph;
    double dt, dt_old, beta; /* this step, the last one, the predictor's weight; dt = 0: predict the
                                present state */
    struct sluice_place origin;           /* x = 0 of a piezometric head */
    int clamp;                            /* 1: r >= 0 (dynamic walls) */
    const struct body_force_params *body; /* the next ACCELERATION starts with these, in the array
                                             of ACCELERATION_OLD: the two are swapped afterwards.
                                             NULL: it does not */
};

/* For kernels/pointwise/filter_head.h. */
struct wcsph_filter_params {
    struct wcsph_params wcsph;
    double dt;                  /* s, of this step */
    int starts;                 /* 1: the mean begins with the present head */
    struct sluice_place origin; /* x = 0 of the head of gravity */
};

/* For kernels/pointwise/find_mixing_length.h: node (i, j, k) of a table over the domain
 * is length[(k n[1] + j) n[0] + i], at `origin` + (i, j, k) step. */
struct mixing_length_table {
    int64_t n[3];               /* nodes on each axis, at least 2; 1 on the missing one */
    double step[3];             /* m */
    struct sluice_place origin; /* of node (0, 0, 0) */
    float *length;              /* m; NULL: there is no table */
};

/* For kernels/pointwise/from_ghosts.h. */
struct from_ghosts_params {
    struct wcsph_params wcsph;
    const struct sluice_set *ghosts;
    const struct rigid_motion_params
        *motions; /* the walls' motions at this time; count 0: none moves */
};

/* For kernels/pair/pair_reaction.h. */
struct wcsph_reaction_params {
    struct wcsph_params wcsph;
    int repulsive; /* 1: the walls of pair_repulsive.h */
};
#endif
