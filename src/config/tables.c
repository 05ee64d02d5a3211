#include "config/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/registry.h"
#include "kernels/types/fluid_choices.h"

#define BIT(value) (1u << (value))
#define REQUIRED   NAN

/* Words after an empty one are accepted but not listed. */
#ifdef SLUICE_WITH_EMULATED
#define TESTS_BACKENDS "||emulated"
#else
#define TESTS_BACKENDS
#endif

#define PARAM(member, path, type, ...)                                                             \
    path, SLUICE_PARAM_##type, offsetof(struct OF, member), __VA_ARGS__
/* member, path, type, default, default text, unit, least, most, choices, sentence, conditions */
#define NAMED_KEY(member, path, type, preset, text, unit, least, most, choices, doc, ...)          \
    {                                                                                              \
        {PARAM(member, path, type, preset, text, unit, least, most, choices, doc)}, __VA_ARGS__    \
    }
/* A key whose path is the name of its member. */
#define KEY(member, ...)   NAMED_KEY(member, #member, __VA_ARGS__)
#define ALWAYS             .length = SLUICE_LENGTH_DIMENSION
#define WHEN(member, bits) .when = {{offsetof(struct OF, member), bits}}
#define WHEN2(member, bits, member2, bits2)                                                        \
    .when = {{offsetof(struct OF, member), bits}, {offsetof(struct OF, member2), bits2}}
#define REAL_(member, preset, unit, least, most, doc, ...)                                         \
    KEY(member, REAL, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)
#define INT_(member, preset, unit, least, most, doc, ...)                                          \
    KEY(member, INT, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)
#define BOOL_(member, preset, doc, ...)                                                            \
    KEY(member, BOOL, preset, NULL, "", 0, 1, NULL, doc, __VA_ARGS__)
#define WORD_(member, preset, words, doc, ...)                                                     \
    KEY(member, CHOICE, preset, NULL, "", 0, 0, words, doc, __VA_ARGS__)
#define CHOICE_(member, preset, list, doc, ...)                                                    \
    WORD_(member, preset, list(SLUICE_CHOICES), doc, __VA_ARGS__)
#define TEXT_(member, preset, text, choices, doc, ...)                                             \
    KEY(member, TEXT, preset, text, "", 0, 0, choices, doc, __VA_ARGS__)
#define VECTOR_(member, preset, unit, least, most, doc, ...)                                       \
    KEY(member, VECTOR, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)

#define FAR SLUICE_FAR

/* --- Keys outside lists ------------------------------------------------------------------------
 */
#define OF                       sluice_config
#define WCSPH                    WHEN(model, BIT(SLUICE_MODEL_WCSPH))
#define LJ                       WHEN(model, BIT(SLUICE_MODEL_LJ))
#define WCSPH_WHEN(member, bits) WHEN2(model, BIT(SLUICE_MODEL_WCSPH), member, bits)
#define LJ_WHEN(member, bits)    WHEN2(model, BIT(SLUICE_MODEL_LJ), member, bits)
#define ARTIFICIAL               (BIT(SLUICE_VISCOSITY_ARTIFICIAL) | BIT(SLUICE_VISCOSITY_BOTH))
#define SHIFTED                  (BIT(SLUICE_SHIFTING_EVERYWHERE) | BIT(SLUICE_SHIFTING_INSIDE))
static const struct sluice_row keys[] = {
    TEXT_(title, 0, "", NULL, "one line that names the case in logs and plots; empty: none",
          ALWAYS),
    CHOICE_(model, REQUIRED, SLUICE_MODELS,
            "the physics: weakly compressible SPH, or Lennard-Jones particles", ALWAYS),
    CHOICE_(units, 0, SLUICE_UNIT_SYSTEMS, "SI, or the reduced units of Lennard-Jones", ALWAYS),
    KEY(dimension, SMALL, REQUIRED, NULL, "1", 2, 3, NULL, "2 or 3 dimensions; up is the last axis",
        ALWAYS),
    REAL_(spacing, REQUIRED, "m", 1e-9, 1e6, "distance dp of the particles of the starting lattice",
          WCSPH),

    VECTOR_(domain.min, 0, "m", -FAR, FAR, "lower corner of the domain", ALWAYS),
    VECTOR_(domain.max, REQUIRED, "m", -FAR, FAR,
            "upper corner of the domain; a fluid particle beyond it is removed and counted; a "
            "lattice sets it",
            WHEN(lattice.used, BIT(0))),
    KEY(domain.periodic, BOOLS, 0, NULL, "", 0, 1, NULL,
        "whether the domain repeats itself along an axis", ALWAYS),
    KEY(domain.frame_shift, INTS, 0, NULL, "1", -1e9, 1e9, NULL,
        "added to every frame index: the same case, far from the origin", ALWAYS),
    VECTOR_(gravity, 0, "m/s^2", -1e6, 1e6, "acceleration of gravity", ALWAYS),

    CHOICE_(kernel.name, 0, SLUICE_SMOOTHING_KERNELS,
            "the smoothing kernel, of support 2h, the quintic spline of 3h", WCSPH),
    REAL_(kernel.h_over_dp, 1.5, "1", 1.0, 3.0, "smoothing length h in spacings", WCSPH),

    REAL_(fluid.density, 1000, "kg/m^3", 1e-6, 1e9, "reference density rho0", WCSPH),
    CHOICE_(fluid.eos, 0, SLUICE_EQUATIONS_OF_STATE,
            "equation of state: p = rho0 c0^2/gamma ((rho/rho0)^gamma - 1), or c0^2 (rho - rho0)",
            WCSPH),
    REAL_(fluid.gamma, 7, "1", 1.1, 20, "exponent of the Tait equation",
          WCSPH_WHEN(fluid.eos, BIT(0))),
    REAL_(fluid.sound_speed, 0, "m/s", 0, 1e7,
          "numerical speed of sound c0; 0: 10 sqrt(2 |g| H), H the fluid's extent along gravity",
          WCSPH),
    REAL_(fluid.background_pressure, 0, "Pa", 0, 1e15,
          "added to the pressure in the forces, against clumps under negative pressure; for fluid "
          "without a free surface; pressures in configs and outputs exclude it",
          WCSPH),
    CHOICE_(fluid.viscosity.kind, SLUICE_VISCOSITY_ARTIFICIAL, SLUICE_VISCOSITIES,
            "artificial (Monaghan 1992), laminar (Morris et al. 1997), or both; or laminar with "
            "the stress of eddies smaller than the spacing (Dalrymple & Rogers 2006)",
            WCSPH),
    REAL_(fluid.viscosity.alpha, 0.02, "1", 0, 1, "coefficient of the artificial viscosity",
          WCSPH_WHEN(fluid.viscosity.kind, ARTIFICIAL)),
    REAL_(fluid.viscosity.nu, 1e-6, "m^2/s", 0, 1e6, "kinematic viscosity; the default is water's",
          WCSPH_WHEN(fluid.viscosity.kind, BIT(SLUICE_VISCOSITY_LAMINAR) |
                                               BIT(SLUICE_VISCOSITY_BOTH) |
                                               BIT(SLUICE_VISCOSITY_SPS))),
    REAL_(fluid.viscosity.smagorinsky, 0.12, "1", 0, 1,
          "C_s of the eddies' viscosity (C_s dp)^2 |S|",
          WCSPH_WHEN(fluid.viscosity.kind, BIT(SLUICE_VISCOSITY_SPS))),
    REAL_(fluid.viscosity.isotropic, 0.00066, "1", 0, 1,
          "C_I of the eddies' pressure 2/3 rho C_I dp^2 |S|^2",
          WCSPH_WHEN(fluid.viscosity.kind, BIT(SLUICE_VISCOSITY_SPS))),
    CHOICE_(fluid.diffusion.kind, SLUICE_DIFFUSION_HYDROSTATIC, SLUICE_DIFFUSIONS,
            "density diffusion: Molteni and Colagrossi 2009 (wrong under gravity), without the "
            "hydrostatic slope (Fourtakas et al. 2019), or without the renormalised density "
            "gradient (Antuono et al. 2010)",
            WCSPH),
    REAL_(fluid.diffusion.delta, 0.1, "1", 0, 1, "coefficient of the density diffusion",
          WCSPH_WHEN(fluid.diffusion.kind, BIT(SLUICE_DIFFUSION_MOLTENI) |
                                               BIT(SLUICE_DIFFUSION_HYDROSTATIC) |
                                               BIT(SLUICE_DIFFUSION_ANTUONO))),
    REAL_(fluid.diffusion.filter, 0, "s", 0, 1e6,
          "differences of density that last longer than this are not diffused, so that still water "
          "stays still: 10 to 30 sqrt(depth/g); 0: all are",
          WCSPH_WHEN(fluid.diffusion.kind, BIT(SLUICE_DIFFUSION_HYDROSTATIC))),
    CHOICE_(fluid.shifting.kind, SLUICE_SHIFTING_NONE, SLUICE_SHIFTINGS,
            "particles are shifted to stay evenly spread (Sun et al. 2017): everywhere for fluid "
            "without a free surface; inside: not at free surfaces",
            WCSPH),
    REAL_(fluid.shifting.strength, 4, "1", 0, 20,
          "coefficient A of the shifting: dx = -A c0/10 h dt sum V (1 + ...) grad W",
          WCSPH_WHEN(fluid.shifting.kind, SHIFTED)),
    CHOICE_(fluid.shifting.density, SLUICE_SHIFTING_KEPT, SLUICE_SHIFTING_DENSITIES,
            "a shift keeps the density (Sun et al. 2017), or is a term of the continuity equation "
            "(Sun et al. 2019; for closed boxes)",
            WCSPH_WHEN(fluid.shifting.kind, SHIFTED)),
    REAL_(
        fluid.tension, 1, "1", 0, 1,
        "the largest tension that the fluid bears, in rho0 c0^2: 1e-4 for water with spray; 1: no "
        "limit",
        WCSPH),
    CHOICE_(fluid.masses, 0, SLUICE_MASS_RULES,
            "mass of a particle at the start: rho0 dp^D everywhere, or rho dp^D with the density "
            "of the water at rest at its depth",
            WCSPH),
    REAL_(fluid.second.density, REQUIRED, "kg/m^3", 1e-6, 1e9,
          "reference density of the second fluid, which shapes and particles of phase 2 hold",
          WCSPH_WHEN(fluid.second.used, BIT(1))),
    REAL_(fluid.second.gamma, 7, "1", 1.1, 20, "exponent of its Tait equation",
          WHEN2(fluid.eos, BIT(0), fluid.second.used, BIT(1))),
    REAL_(fluid.second.sound_speed, 0, "m/s", 0, 1e7,
          "its speed of sound; 0: as stiff as the first fluid, rho0 c0^2 the same",
          WCSPH_WHEN(fluid.second.used, BIT(1))),
    REAL_(fluid.second.alpha, 0.02, "1", 0, 1, "coefficient of its artificial viscosity",
          WHEN2(fluid.viscosity.kind, ARTIFICIAL, fluid.second.used, BIT(1))),
    REAL_(fluid.second.nu, 1e-6, "m^2/s", 0, 1e6, "its kinematic viscosity",
          WHEN2(fluid.viscosity.kind, BIT(SLUICE_VISCOSITY_LAMINAR) | BIT(SLUICE_VISCOSITY_BOTH),
                fluid.second.used, BIT(1))),
    REAL_(fluid.second.repulsion, 0, "1", 0, 0.5,
          "repulsion between the two fluids; 0.08 if they overturn and their densities differ ten "
          "times or more (Monaghan & Rafiee 2013); 0: none",
          WCSPH_WHEN(fluid.second.used, BIT(1))),

    WORD_(boundary.kind, 0, SLUICE_BOUNDARIES(SLUICE_BOUNDARY_CHOICES),
          "walls: pressure extrapolated from the fluid (Adami et al. 2012), wall density from "
          "continuity (Crespo et al. 2007), a force between particles (Monaghan 1994), or "
          "pressure found at ghost nodes in the fluid (English et al. 2022)",
          WCSPH),
    CHOICE_(boundary.slip, 0, SLUICE_SLIPS,
            "friction of walls: none; the laminar viscosity of fluid that sticks to them; the law "
            "of the wall, laminar or turbulent; artificial viscosity as between fluid (for "
            "comparison)",
            WCSPH),
    REAL_(boundary.nu, 0, "m^2/s", 0, 1e6,
          "kinematic viscosity in the law of the wall; 0: that of fluid.viscosity, or water's 1e-6 "
          "where it has none",
          WCSPH_WHEN(boundary.slip, BIT(SLUICE_SLIP_LAW))),
    REAL_(boundary.roughness, 0, "m", 0, 1e3,
          "grain ks of the walls in the law of the wall (Nikuradse 1933); 0: smooth",
          WCSPH_WHEN(boundary.slip, BIT(SLUICE_SLIP_LAW))),
    REAL_(boundary.mixing_length, 0, "m", 0, 1e3,
          "the largest mixing length of the eddies that carry this friction into the stream; "
          "nearer to walls it is 0.41 times the distance; 0.1 of a channel's depth; 0: no eddies",
          WCSPH_WHEN(boundary.slip, BIT(SLUICE_SLIP_LAW))),
    INT_(boundary.layers, 0, "1", 0, 100,
         "layers of wall particles; 0: as many as the kernel reaches; fewer give a warning", WCSPH),
    BOOL_(boundary.spring, 1, "a stiff conservative spring against penetration of walls", WCSPH),

    NAMED_KEY(pair.index, "pair.name", CHOICE, REQUIRED, NULL, "", 0, 0, sluice_choices_of_pairs,
              "the pair interaction", LJ),
    CHOICE_(lattice.kind, REQUIRED, SLUICE_LATTICES, "crystal of the particles at the start",
            LJ_WHEN(lattice.used, BIT(1))),
    KEY(lattice.cells, LONGS, REQUIRED, NULL, "1", 1, 10000, NULL, "unit cells along each axis",
        LJ_WHEN(lattice.used, BIT(1))),
    REAL_(lattice.density, REQUIRED, "1/length^D", 1e-6, 1e6, "particles per volume (area in 2-D)",
          LJ_WHEN(lattice.used, BIT(1))),
    REAL_(thermal.temperature, REQUIRED, "energy", 0, 1e6,
          "temperature of the random velocities at the start", LJ_WHEN(thermal.used, BIT(1))),
    INT_(thermal.seed, 1, "1", 0, 9007199254740992.0, "seed of the random velocities",
         LJ_WHEN(thermal.used, BIT(1))),
    TEXT_(particles, 0, "", NULL,
          "CSV table or snapshot to start from, relative to the config's folder", ALWAYS),

    REAL_(time.end, REQUIRED, "s", 1e-12, 1e12,
          "the run ends at the first step at or after this time", ALWAYS),
    INT_(time.max_steps, 0, "1", 0, 1e15, "most steps; 0: no limit", ALWAYS),
    REAL_(time.cfl, 0.3, "1", 1e-4, 0.45,
          "time step in units of the stable one: unstable above 0.45", WCSPH),
    REAL_(time.step, 0, "s", 0, 1e9, "a fixed time step; 0: chosen anew each step (wcsph)", ALWAYS),
    REAL_(time.first, 1, "1", 1e-4, 1,
          "the first step in units of the stable one, for a start with a jump; each later step is "
          "at most 5% longer than the one before",
          WCSPH),
    REAL_(time.predictor, 0.2, "1", 0, 0.5,
          "weight of the last change of acceleration in the prediction; 1/6 conserves best, up to "
          "cfl 0.2",
          WCSPH),

    INT_(energy.every, 1, "1", 0, 1e12,
         "steps between rows of energy.csv, and between sums of the pairs' energy (lj); 0: no "
         "budget",
         ALWAYS),
    REAL_(energy.tolerance, 1e-3, "1", 1e-16, 1e6,
          "largest residual of the energy budget, in reference energies", ALWAYS),
    REAL_(energy.reference, 0, "J", 0, 1e300,
          "reference energy; 0: M |g| depth, or without gravity the initial energy", ALWAYS),

    REAL_(output.every, REQUIRED, "s", 0, 1e12, "time between snapshots; 0: none", ALWAYS),
    INT_(output.compression, 1, "1", 0, 9, "0: fast and large, 9: slow and small", ALWAYS),
    CHOICE_(output.precision, 0, SLUICE_PRECISIONS, "precision of snapshots", ALWAYS),
    REAL_(output.checkpoint_every_s, 600, "s", 0, 1e9,
          "wall-clock time between checkpoints; 0: one at the end only", ALWAYS),
    INT_(output.keep, 2, "1", 0, 1000000, "checkpoints kept; 0: none unless asked for", ALWAYS),

    TEXT_(backend.name, 0, "auto", "auto|cpu|cuda|hip" TESTS_BACKENDS,
          "device of the run; auto: a GPU that this program can use, else cpu", ALWAYS),
    TEXT_(backend.strategy, 0, "auto", SLUICE_STRATEGY_WORDS, "how pairs are found", ALWAYS),
    TEXT_(backend.isa, 0, "", "|x86-64|x86-64-v3|x86-64-v4|native",
          "instruction set of the CPU backend; empty: the best of this machine", ALWAYS),
    CHOICE_(backend.precision, 0, SLUICE_PRECISIONS, "precision of the particles in memory",
            ALWAYS),
    INT_(backend.threads, 0, "1", 0, 4096,
         "threads; 0: the fastest number, up to the processors it may use", ALWAYS),
    REAL_(backend.patience, 300, "s", 0, 1e9,
          "a rank that waits so long for another one ends all; 0: never", ALWAYS),
    INT_(backend.device, -1, "1", -1, 1023, "number of the GPU; -1: each rank another one", ALWAYS),
    BOOL_(backend.share_devices, 0, "ranks may use one GPU, more slowly; for tests", ALWAYS),
    KEY(backend.bins, LONGS, 0, NULL, "1", 0, 64, NULL,
        "search bins a cutoff; 0: by the backend, the pair and the number of neighbours", ALWAYS),
    INT_(backend.frame_cutoffs, 8, "1", 2, 4096,
         "width of a frame in cutoffs, at least; along a periodic axis 7/8 of that", ALWAYS),
    BOOL_(backend.keep_order, 1, "on a GPU one sort serves several steps; false: sort in each step",
          ALWAYS),
    REAL_(backend.auto_share, 0.01, "1", 0, 1e6,
          "strategy auto: its measurements take at most this part of the run's time, counted over "
          "at most 10,000 steps; 0: a fixed rule",
          ALWAYS),
    BOOL_(backend.auto_cache, 1,
          "strategy auto: keep what was fastest for later runs, in ~/.cache/sluice", ALWAYS),
};
#undef OF

/* --- geometry ----------------------------------------------------------------------------------
 */
#define OF      sluice_shape
#define LONG_   (BIT(SLUICE_SHAPE_CYLINDER) | BIT(SLUICE_SHAPE_CONE))
#define ROUND   (BIT(SLUICE_SHAPE_SPHERE) | BIT(SLUICE_SHAPE_DISC) | LONG_)
#define PLANE   BIT(SLUICE_SHAPE_HALF_SPACE)
#define PRISM   BIT(SLUICE_SHAPE_POLYGON)
#define SURFACE (PRISM | BIT(SLUICE_SHAPE_HEIGHTFIELD) | BIT(SLUICE_SHAPE_MESH))
#define FILLED  (BIT(SLUICE_SHAPE_BOX) | ROUND | PLANE | SURFACE)
static const struct sluice_row shapes[] = {
    NAMED_KEY(kind, "shape", CHOICE, REQUIRED, NULL, "", 0, 0, SLUICE_SHAPES(SLUICE_CHOICES),
              "form of the shape; walls: layers outside the domain's faces; sphere, cylinder, cone "
              "and mesh in 3-D, disc in 2-D; polygon: in 3-D a prism; heightfield: the ground "
              "beneath heights from a table; mesh: a closed surface from a file",
              ALWAYS),
    CHOICE_(type, REQUIRED, SLUICE_SHAPE_TYPES,
            "content of the shape; void cuts; part: only within and without of other shapes use "
            "it; where shapes overlap the later one wins",
            WHEN(kind, FILLED)),
    CHOICE_(fill, SLUICE_FILL_SHELL, SLUICE_FILLS,
            "fill the whole wall, or only the layers within reach of the fluid",
            WHEN2(kind, FILLED, type, BIT(SLUICE_SHAPE_WALL))),
    CHOICE_(fit, SLUICE_FIT_LATTICE, SLUICE_FITS,
            "wall particles in the cells of the lattice, or in layers along the true surface, "
            "evenly spread, with the fluid's first rows moved to fit",
            WHEN2(kind, FILLED, type, BIT(SLUICE_SHAPE_WALL))),
    KEY(phase, SMALL, 1, NULL, "1", 1, 2, NULL, "the fluid of the shape; 2: fluid.second",
        WHEN2(kind, FILLED, type, BIT(SLUICE_SHAPE_FLUID))),
    TEXT_(name, 0, "", NULL, "name of the group of the shape: shapes of one name are one group",
          ALWAYS),
    VECTOR_(min, REQUIRED, "m", -FAR, FAR, "lower corner", WHEN(kind, BIT(SLUICE_SHAPE_BOX))),
    VECTOR_(max, REQUIRED, "m", -FAR, FAR, "upper corner", WHEN(kind, BIT(SLUICE_SHAPE_BOX))),
    VECTOR_(centre, REQUIRED, "m", -FAR, FAR, "centre; of a half-space: a point of its face",
            WHEN(kind, ROUND | PLANE)),
    REAL_(radius, REQUIRED, "m", 1e-12, FAR, "radius; of a cone: at the lower end of its axis",
          WHEN(kind, ROUND)),
    REAL_(top_radius, 0, "m", 0, FAR, "radius of a cone at the upper end of its axis",
          WHEN(kind, BIT(SLUICE_SHAPE_CONE))),
    WORD_(
        axis, 2, "x|y|z",
        "direction of a cylinder or a cone; in 3-D of a polygon's prism, whose points are (y, z), "
        "(x, z) or (x, y)",
        WHEN(kind, LONG_ | PRISM)),
    REAL_(length, REQUIRED, "m", 1e-12, FAR, "length of a cylinder or a cone, about its centre",
          WHEN(kind, LONG_)),
    VECTOR_(normal, REQUIRED, "1", -FAR, FAR, "direction out of a half-space, of any length",
            WHEN(kind, PLANE)),
    KEY(points, POINTS, 0, NULL, "m", -FAR, FAR, NULL,
        "corners of a polygon in order, up to 100; the last joins the first", WHEN(kind, PRISM)),
    REAL_(from, -FAR, "m", -FAR, FAR, "lower end of a polygon's prism along its axis (3-D)",
          WHEN(kind, PRISM)),
    REAL_(to, FAR, "m", -FAR, FAR, "upper end of that prism", WHEN(kind, PRISM)),
    NAMED_KEY(
        surface, "file", TEXT, 0, "", "", 0, 0, NULL,
        "mesh: an STL, OBJ or PLY file; heightfield: a CSV table with the columns x, y (2-D), "
        "or x, z or x, y, z (3-D); polygon: a CSV table of its corners; relative to the "
        "config's folder",
        WHEN(kind, SURFACE)),
    REAL_(scale, 1, "1", 1e-9, 1e9,
          "factor of all lengths of the shape, such as 0.001 for a file "
          "in mm",
          WHEN(kind, FILLED)),
    REAL_(rotation_degrees, 0, "degrees", -360, 360,
          "angle of a rotation about the origin, after the scaling, anticlockwise",
          WHEN(kind, FILLED)),
    VECTOR_(rotation_axis, 0, "1", -FAR, FAR,
            "axis of the rotation in 3-D, of any length; [0, 0, 0] is z", WHEN(kind, FILLED)),
    VECTOR_(move, 0, "m", -FAR, FAR, "displacement, after the rotation", WHEN(kind, FILLED)),
    TEXT_(within, 0, "", NULL, "only what lies in shapes of this name, too; they come earlier",
          WHEN(kind, FILLED)),
    TEXT_(without, 0, "", NULL, "without what lies in shapes of this name; they come earlier",
          WHEN(kind, FILLED)),
    KEY(sides, SIDES, REQUIRED, NULL, "", 0, 0, NULL,
        "faces of the domain: x- x+ y- y+ z- z+, or left right bottom top front back",
        WHEN(kind, BIT(SLUICE_SHAPE_WALLS))),
    TEXT_(motion, 0, "", NULL, "name of the motion that moves the wall", ALWAYS),
};
#undef OF

/* --- motions -----------------------------------------------------------------------------------
 */
#define OF    sluice_motion
#define TURNS (BIT(SLUICE_MOTION_SINE) | BIT(SLUICE_MOTION_ROTATION) | BIT(SLUICE_MOTION_TABLE))
static const struct sluice_row motions[] = {
    CHOICE_(kind, REQUIRED, SLUICE_MOTIONS,
            "linear: steady or accelerated; sine: to and fro; rotation: at a steady rate; table: "
            "from a file. The geometry gives the places at t = 0",
            ALWAYS),
    TEXT_(name, 0, "", NULL, "name of the motion, for shapes", ALWAYS),
    TEXT_(carries, 0, "", NULL,
          "group that it moves: shapes and rows of the particle file with this name", ALWAYS),
    VECTOR_(velocity, 0, "m/s", -1e6, 1e6, "velocity at t = 0",
            WHEN(kind, BIT(SLUICE_MOTION_LINEAR))),
    VECTOR_(acceleration, 0, "m/s^2", -1e9, 1e9, "constant acceleration",
            WHEN(kind, BIT(SLUICE_MOTION_LINEAR))),
    VECTOR_(amplitude, 0, "m", -FAR, FAR,
            "amplitude of the displacement: amplitude (sin(2 pi t/period + phase) - sin(phase))",
            WHEN(kind, BIT(SLUICE_MOTION_SINE))),
    REAL_(angle, 0, "rad", -1e6, 1e6, "amplitude of the rotation to and fro, in the same phase",
          WHEN(kind, BIT(SLUICE_MOTION_SINE))),
    REAL_(period, REQUIRED, "s", 1e-12, 1e12, "period of the sine",
          WHEN(kind, BIT(SLUICE_MOTION_SINE))),
    REAL_(phase, 0, "rad", -1e6, 1e6,
          "phase of the sine at t = 0; -1.5707963267948966: starts at rest",
          WHEN(kind, BIT(SLUICE_MOTION_SINE))),
    REAL_(rate, REQUIRED, "rad/s", -1e9, 1e9, "angular velocity, anticlockwise",
          WHEN(kind, BIT(SLUICE_MOTION_ROTATION))),
    NAMED_KEY(table, "file", TEXT, 0, "", "", 0, 0, NULL,
              "CSV table with the columns t and any of x, y, z (m), angle (rad), relative to the "
              "config's folder; a cubic spline goes through its rows",
              WHEN(kind, BIT(SLUICE_MOTION_TABLE))),
    VECTOR_(centre, 0, "m", -FAR, FAR, "centre of the rotation at t = 0; it moves with the wall",
            WHEN(kind, TURNS)),
    WORD_(axis, 2, "x|y|z", "axis of the rotation; z in 2-D", WHEN(kind, TURNS)),
};
#undef OF

/* --- initial -----------------------------------------------------------------------------------
 */
#define OF sluice_initial
#define POLYNOMIAL                                                                                 \
    (BIT(SLUICE_INITIAL_UNIFORM) | BIT(SLUICE_INITIAL_LINEAR) | BIT(SLUICE_INITIAL_QUADRATIC))
#define CENTRED                                                                                    \
    (BIT(SLUICE_INITIAL_LINEAR) | BIT(SLUICE_INITIAL_QUADRATIC) | BIT(SLUICE_INITIAL_ROTATION))
#define WAVES (BIT(SLUICE_INITIAL_ACOUSTIC_WAVE) | BIT(SLUICE_INITIAL_GRAVITY_WAVE))
static const struct sluice_row initials[] = {
    CHOICE_(field, REQUIRED, SLUICE_INITIAL_FIELDS, "field that is set", ALWAYS),
    CHOICE_(kind, REQUIRED, SLUICE_INITIALS, "the form of the field", ALWAYS),
    VECTOR_(value, 0, "m/s, Pa or kg/m^3", -1e12, 1e12,
            "the value, at the centre; a vector for the velocity, a number otherwise",
            WHEN(kind, POLYNOMIAL), .length = SLUICE_LENGTH_OF_FIELD),
    KEY(gradient, MATRIX, REQUIRED, NULL, "1/s, Pa/m or kg/m^4", -1e12, 1e12, NULL,
        "field_i = value_i + sum_j gradient_ij (x_j - centre_j): a list of rows for the velocity, "
        "one row otherwise",
        WHEN(kind, BIT(SLUICE_INITIAL_LINEAR)), .length = SLUICE_LENGTH_OF_FIELD),
    VECTOR_(centre, 0, "m", -FAR, FAR, "point where the field has its value", WHEN(kind, CENTRED)),
    REAL_(curvature, REQUIRED, "Pa/m^2 or kg/m^5", -1e12, 1e12, "value + curvature |x - centre|^2",
          WHEN(kind, BIT(SLUICE_INITIAL_QUADRATIC))),
    REAL_(rate, REQUIRED, "1/s", -1e9, 1e9, "angular velocity about the z axis through the centre",
          WHEN(kind, BIT(SLUICE_INITIAL_ROTATION))),
    REAL_(amplitude, REQUIRED, "1, m or m/s", -1e9, 1e9,
          "relative density of an acoustic wave, elevation of a gravity wave, speed of a "
          "Taylor-Green vortex",
          WHEN(kind, WAVES | BIT(SLUICE_INITIAL_TAYLOR_GREEN))),
    REAL_(depth, 0, "m", 0, FAR,
          "still depth under a gravity wave; 0: the fluid's extent along gravity",
          WHEN(kind, BIT(SLUICE_INITIAL_GRAVITY_WAVE))),
    KEY(mode, INTS, 0, NULL, "1", 0, 1000, NULL,
        "whole waves (gravity-wave: half waves) across the domain on each axis; 0 counts as 1 in a "
        "Taylor-Green vortex",
        WHEN(kind, WAVES | BIT(SLUICE_INITIAL_TAYLOR_GREEN))),
};
#undef OF

/* --- forces ------------------------------------------------------------------------------------
 */
#define OF sluice_central_config
static const struct sluice_row forces[] = {
    CHOICE_(kind, REQUIRED, SLUICE_FORCES, "a = -strength^2 (x - centre)", ALWAYS),
    VECTOR_(centre, 0, "m", -FAR, FAR, "point where the force vanishes", ALWAYS),
    REAL_(strength, REQUIRED, "1/s", 0, 1e9, "angular frequency of a particle in the force field",
          ALWAYS),
};
#undef OF

/* --- probes ------------------------------------------------------------------------------------
 */
#define OF       sluice_probe
#define SAMPLES  (BIT(SLUICE_PROBE_POINT) | BIT(SLUICE_PROBE_LINE))
#define ON_FACES (BIT(SLUICE_PROBE_POINT) | BIT(SLUICE_PROBE_PATCH))
#define ENDS     (BIT(SLUICE_PROBE_LINE) | BIT(SLUICE_PROBE_FLUX) | BIT(SLUICE_PROBE_RUNUP))
static const struct sluice_row probes[] = {
    CHOICE_(kind, REQUIRED, SLUICE_PROBES,
            "a point; points on a line; the height of the water; the foremost fluid along an axis; "
            "the force of the fluid on a group of walls; the volume flow through a section; the "
            "run-up of the water on a slope; the mean pressure on a patch of a face",
            ALWAYS),
    TEXT_(name, 0, "", NULL,
          "name of its file, probe_NAME.csv; default: the kind and the number of the probe",
          ALWAYS),
    REAL_(every, REQUIRED, "s", 1e-12, 1e12, "time between rows", ALWAYS),
    CHOICE_(quantity, 0, SLUICE_PROBE_QUANTITIES, "quantity to sample", WHEN(kind, SAMPLES)),
    TEXT_(on, 0, "", NULL,
          "name of the shapes with the face of the point or patch, or of the group for the force",
          WHEN(kind, ON_FACES | BIT(SLUICE_PROBE_FORCE))),
    KEY(face, FACE, -1, NULL, "", 0, 0, NULL,
        "their face, or the side they are seen from: x- x+ y- y+ z- z+, or left right bottom top "
        "front back",
        WHEN(kind, ON_FACES)),
    VECTOR_(at, REQUIRED, "m", -FAR, FAR,
            "the point; on a face: its place, or the patch's centre, along the other axes; height: "
            "the horizontal place",
            WHEN(kind, ON_FACES | BIT(SLUICE_PROBE_HEIGHT)), .length = SLUICE_LENGTH_FREE),
    VECTOR_(size, REQUIRED, "m", 1e-9, FAR, "sides of the patch along the other axes",
            WHEN(kind, BIT(SLUICE_PROBE_PATCH)), .length = SLUICE_LENGTH_FREE),
    BOOL_(round, 0, "the patch is the ellipse within its sides: equal sides make a disc (3-D)",
          WHEN(kind, BIT(SLUICE_PROBE_PATCH))),
    VECTOR_(from, REQUIRED, "m", -FAR, FAR,
            "first point (of a run-up: the lowest of the slope), or a corner of the section",
            WHEN(kind, ENDS)),
    VECTOR_(to, REQUIRED, "m", -FAR, FAR,
            "last point, or the opposite corner; flux: from and to agree on one axis, the "
            "direction of the flow",
            WHEN(kind, ENDS)),
    KEY(points, SMALL, REQUIRED, NULL, "1", 2, 100000, NULL,
        "points of the line, its ends included",
        WHEN(kind, BIT(SLUICE_PROBE_LINE) | BIT(SLUICE_PROBE_RUNUP))),
    WORD_(axis, 0, "x|y|z", "axis of the front", WHEN(kind, BIT(SLUICE_PROBE_FRONT))),
    REAL_(above, 0, "m", -FAR, FAR, "only particles higher than this along the last axis",
          WHEN(kind, BIT(SLUICE_PROBE_FRONT))),
    VECTOR_(about, 0, "m", -FAR, FAR, "centre of the torque", WHEN(kind, BIT(SLUICE_PROBE_FORCE))),
};
#undef OF

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))
#define LIST(path, doc, rows, entry, list, count, limit, models)                                   \
    {                                                                                              \
        path, doc, rows, COUNT(rows), sizeof(struct entry), offsetof(struct sluice_config, list),  \
            offsetof(struct sluice_config, count), limit, models, offsetof(struct entry, file),    \
            offsetof(struct entry, line)                                                           \
    }

const struct sluice_table sluice_config_keys = {
    "", "", keys, COUNT(keys), sizeof(struct sluice_config), 0, 0, 0, ~0u, 0, 0};

const struct sluice_table sluice_config_lists[SLUICE_TABLE_COUNT] = {
    LIST("geometry", "the shapes of the fluid and the walls", shapes, sluice_shape, shapes,
         shape_count, 10000, BIT(SLUICE_MODEL_WCSPH)),
    LIST("motions", "how walls move", motions, sluice_motion, motions, motion_count,
         SLUICE_CONFIG_MOTIONS, BIT(SLUICE_MODEL_WCSPH)),
    LIST("initial", "fields at the start, applied in order; the fluid is at rest without any",
         initials, sluice_initial, initials, initial_count, 100, ~0u),
    LIST("forces", "body forces beside gravity", forces, sluice_central_config, centrals,
         central_count, SLUICE_CONFIG_CENTRALS, ~0u),
    LIST("probes", "measurements during the run", probes, sluice_probe, probes, probe_count, 1000,
         BIT(SLUICE_MODEL_WCSPH)),
};
