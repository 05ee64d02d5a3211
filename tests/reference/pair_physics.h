/* The physics of kernels/pair/pairs.c: parameters of the WCSPH pairs. */
#ifndef SLUICE_TESTS_PAIR_PHYSICS_H
#define SLUICE_TESTS_PAIR_PHYSICS_H
#include "kernels/types/wcsph_params.h"

/* Water with artificial viscosity, density diffusion, and walls that slip. */
#define PHYSICS_WATER PHYSICS_VISCOUS, .slip = 1
#define PHYSICS_VISCOUS                                                                            \
    .sound_speed = 10, .gamma = 7, .alpha = 0.1, .delta = 0.1, .hydrostatic_diffusion = 1,         \
    .ghost = 1, .spring = 1

/* Walls of MOTION 1 and 2 turn. */
static const struct rigid_motion_params turning = {
    .count = 2, .motion = {{.spin = {0.3, -0.2, 0.5}}, {.spin = {-0.1, 0.4, -0.6}}}};
static const struct rigid_motion_params turning_in_plane = {
    .count = 2, .motion = {{.spin = {0, 0, 0.5}}, {.spin = {0, 0, -0.6}}}};

struct physics {
    const char *name;
    struct wcsph_params p;
    sluice_fields wall_fields;
    int dynamic; /* the walls have a density of their own, and a pass for it */
    int equal;   /* all particles have the same mass */
};

static const struct physics physics[] = {
    {"the usual case",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2} /* the last axis: check_case */,
      .begins = 1, .body = {0.7, -0.2, -2}, .piezometric = 1},
     0,
     0,
     1},
    {"free slip",
     {PHYSICS_WATER, .rho0 = 1, .background = 3, .gravity = {0.3, -1, -2}},
     SLUICE_BIT(HEAD) | SLUICE_BIT(NODE),
     0,
     0},
    {"some walls slip, moving walls",
     {.rho0 = 1.2,
      .sound_speed = 10,
      .gamma = 7,
      .gravity = {0, 0, -2},
      .alpha = 0.05,
      .nu = 0.1,
      .smagorinsky = 0.5,
      .isotropic = 0.1,
      .corrected_diffusion = 1,
      .delta = 0.1,
      .hydrostatic_diffusion = 1,
      .slip = 0,
      .some_slip = 1,
      .ghost = 1,
      .spring = 1},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(HEAD) |
         SLUICE_BIT(NODE) | SLUICE_BIT(MOTION) | SLUICE_BIT(HAS_FRICTION),
     0,
     1},
    {"dynamic walls, inviscid",
     {.rho0 = 1, .sound_speed = 10, .gamma = 7, .slip = 1, .ghost = 0, .spring = 0},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(SCALAR) | SLUICE_BIT(RATE),
     1,
     0},
    {"law of the wall, limited tension, moving walls",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}, .nu = 0.02,
      .wall_law = {.used = 1, .nu = 0.02, .roughness = 0.01}, .limits_tension = 1, .tension = 0.003,
      .gap = 0.001, .dt = 0.002},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(MOTION),
     0,
     1},
    {"law of the wall, rough; artificial viscosity",
     {PHYSICS_WATER, .rho0 = 1, .wall_law = {.used = 1, .nu = 0, .roughness = 0.01},
      .artificial_walls = 1},
     0,
     0,
     0},
    {"law of the wall, artificial viscosity, some walls slip",
     {PHYSICS_WATER, .rho0 = 1, .wall_law = {.used = 1, .nu = 0, .roughness = 0.01},
      .artificial_walls = 1, .some_slip = 1},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(MOTION) | SLUICE_BIT(HAS_FRICTION),
     0,
     0},
    {"law of the wall, eddies of a mixing length",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}, .begins = 1, .body = {0.7, -0.2, -2},
      .wall_law = {.used = 1, .nu = 0.02}, .mixing = {.most = 0.1, .nu_most = 0.03}},
     0,
     0,
     1},
    {"laminar viscosity, no slip, moving walls",
     {PHYSICS_VISCOUS, .rho0 = 1.1, .gravity = {0, 0, -2}, .nu = 0.05},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED),
     0,
     1},
    {"gradient of the head",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}, .corrected_diffusion = 1},
     SLUICE_BIT(VELOCITY),
     0,
     1},
    {"sub-particle stress, no slip, moving walls",
     {PHYSICS_VISCOUS, .rho0 = 1.1, .gravity = {0, 0, -2}, .nu = 0.02, .smagorinsky = 0.5,
      .isotropic = 0.1},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED),
     0,
     1},
    {"masses that differ", {PHYSICS_WATER, .rho0 = 1.1, .piezometric = 1}, 0, 0, 0},
    {"renormalised gradients, moving walls",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}, .renormalised = 1, .memory = 0.3,
      .dt = 0.002},
     SLUICE_BIT(VELOCITY),
     0,
     1},
    {"renormalised gradients, masses that differ",
     {PHYSICS_WATER, .rho0 = 1.1, .piezometric = 1, .renormalised = 1, .memory = 0.3, .dt = 0.002},
     0,
     0,
     0},
    {"renormalised gradients, with all that needs gradients",
     {PHYSICS_VISCOUS, .rho0 = 1.1, .gravity = {0, 0, -2}, .nu = 0.02, .smagorinsky = 0.5,
      .isotropic = 0.1, .corrected_diffusion = 1, .renormalised = 1, .memory = 0.3, .dt = 0.002},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED),
     0,
     0},
    {"renormalised gradients, law of the wall, eddies, limited tension",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}, .wall_law = {.used = 1, .nu = 0.02},
      .mixing = {.most = 0.1, .nu_most = 0.03}, .limits_tension = 1, .tension = 0.003, .gap = 0.001,
      .artificial_walls = 1, .renormalised = 1, .memory = 0.3, .dt = 0.002},
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(MOTION),
     0,
     1},
    {"the usual case, moving walls",
     {PHYSICS_WATER, .rho0 = 1.1, .gravity = {0, 0, -2}},
     SLUICE_BIT(VELOCITY),
     0,
     1},
};

/* The heavy fluid, and the light one's own parameters. Half of the ids are of the light one. */
static const struct physics two_fluids = {"two fluids",
                                          {.rho0 = 20,
                                           .sound_speed = 10,
                                           .gamma = 7,
                                           .gravity = {0.3, -1, -2},
                                           .alpha = 0.05,
                                           .nu = 0.1,
                                           .delta = 0.1,
                                           .hydrostatic_diffusion = 1,
                                           .slip = 0,
                                           .some_slip = 1,
                                           .ghost = 1,
                                           .spring = 1},
                                          SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) |
                                              SLUICE_BIT(ACCELERATION) | SLUICE_BIT(HAS_FRICTION),
                                          0,
                                          0};
static const struct wcsph_params light = {
    .rho0 = 0.5, .sound_speed = 40, .gamma = 1.4, .alpha = 0.02, .nu = 0.3};
#endif
