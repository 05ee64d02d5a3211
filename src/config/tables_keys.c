/* The rows of the keys outside lists. */
#include "config/table_rows.h"
#include "config/tables.h"

#include "kernels/registry.h"
#include "kernels/types/fluid_choices.h"

/* Words after an empty one are accepted but not listed. */
#ifdef SLUICE_WITH_EMULATED
#define TESTS_BACKENDS "||emulated"
#else
#define TESTS_BACKENDS
#endif

static const char wall_words[] =
#define EFFECT_WALLS(value, word, has) word "|"
#include "physics/effects.def"
    ;

static const char output_words[] =
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) word "|"
#include "physics/effects.def"
    ;

#define OF                       sluice_config
#define WCSPH                    WHEN(model, BIT(SLUICE_MODEL_WCSPH))
#define LJ                       WHEN(model, BIT(SLUICE_MODEL_LJ))
#define GAS                      WHEN(model, BIT(SLUICE_MODEL_GAS))
#define SPH                      WHEN(model, BIT(SLUICE_MODEL_WCSPH) | BIT(SLUICE_MODEL_GAS))
#define WCSPH_WHEN(member, bits) WHEN2(model, BIT(SLUICE_MODEL_WCSPH), member, bits)
#define BODIES                   WCSPH_WHEN(moves_bodies, BIT(1))
#define LJ_WHEN(member, bits)    WHEN2(model, BIT(SLUICE_MODEL_LJ), member, bits)
#define NUMBER(type, name, member, path, preset, unit, least, most, doc, ...)                      \
    NAMED_KEY(name.member, path, type, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__),
#define EFFECT_REAL(...) NUMBER(REAL, __VA_ARGS__)
#define EFFECT_INT(...)  NUMBER(INT, __VA_ARGS__)
#define EFFECT_BOOL(name, member, path, preset, doc, ...)                                          \
    NAMED_KEY(name.member, path, BOOL, preset, NULL, "", 0, 1, NULL, doc, __VA_ARGS__),
#define EFFECT_CHOICE(name, member, path, preset, LIST, doc, ...)                                  \
    NAMED_KEY(name.member, path, CHOICE, preset, NULL, "", 0, 0, LIST(SLUICE_CHOICES), doc,        \
              __VA_ARGS__),

static const struct sluice_row keys[] = {
    TEXT_(title, 0, "", NULL, "one line that names the case in logs and plots; empty: none",
          ALWAYS),
    CHOICE_(model, REQUIRED, SLUICE_MODELS,
            "the physics: weakly compressible SPH, Lennard-Jones particles, or an ideal gas with a "
            "smoothing length a particle",
            ALWAYS),
    CHOICE_(
        settings, 0, SLUICE_SETTINGS,
        "a named set of values for the keys that are not given; waves: kernel.h_over_dp = 2.0, "
        "fluid.gradients = \"renormalised\", fluid.viscosity = { kind = \"artificial\"; alpha = "
        "0.001; }",
        WCSPH),
    CHOICE_(units, 0, SLUICE_UNIT_SYSTEMS, "SI, or the reduced units of Lennard-Jones", ALWAYS),
    KEY(dimension, SMALL, REQUIRED, NULL, "1", 2, 3, NULL, "2 or 3 dimensions; up is the last axis",
        ALWAYS),
    REAL_(spacing, REQUIRED, "m", 1e-9, 1e6,
          "distance dp of the particles of the starting lattice; of a gas dp^D is the volume of a "
          "particle of the densest shape",
          SPH),

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
    TEXT_(acceleration, 0, "", NULL,
          "CSV table of an acceleration beside gravity, relative to the config's folder: t or time "
          "(s), and any of x, y, z (m/s^2), straight between its rows. It acts on all water and "
          "bodies: for a tank that is shaken, and drawn at rest, minus that of the tank",
          WCSPH),

    CHOICE_(kernel.name, 0, SLUICE_SMOOTHING_KERNELS,
            "the smoothing kernel, of support 2h, the quintic spline of 3h", SPH),
    REAL_(kernel.h_over_dp, 1.5, "1", 1.0, 3.0,
          "smoothing length h in spacings; of a gas in (m/rho)^(1/D)", SPH),

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
    CHOICE_(fluid.masses, 0, SLUICE_MASS_RULES,
            "mass of a particle at the start: rho0 dp^D everywhere, or rho dp^D with the density "
            "of the water at rest at its depth",
            WCSPH),
#include "physics/effects.def"

    WORD_(boundary.kind, SLUICE_BOUNDARY_ADAMI, wall_words,
          "walls: pressure extrapolated from the fluid (Adami et al. 2012), wall density from "
          "continuity (Crespo et al. 2007), a force between particles (Monaghan 1994), or "
          "pressure found at ghost nodes in the fluid (English et al. 2022)",
          WCSPH),
    INT_(boundary.layers, 0, "1", 0, 100,
         "layers of wall particles; 0: as many as the kernel reaches; fewer give a warning", WCSPH),
    BOOL_(boundary.spring, 1, "a stiff conservative spring against penetration of walls", WCSPH),

    NAMED_KEY(contact.material.stiffness, "contact.stiffness", REAL, 1e6, NULL, "Pa", 1, 1e14, NULL,
              "Young's modulus of walls in contacts with bodies", BODIES),
    NAMED_KEY(contact.material.poisson, "contact.poisson", REAL, 0.3, NULL, "1", 0, 0.5, NULL,
              "Poisson's ratio of walls", BODIES),
    NAMED_KEY(contact.material.restitution, "contact.restitution", REAL, 0.5, NULL, "1", 0, 1, NULL,
              "of impacts on walls: speed after over speed before", BODIES),
    NAMED_KEY(contact.material.friction, "contact.friction", REAL, 0.4, NULL, "1", 0, 10, NULL,
              "coefficient of friction on walls", BODIES),

    NAMED_KEY(pair.index, "pair.name", CHOICE, REQUIRED, NULL, "", 0, 0, sluice_choices_of_pairs,
              "the pair interaction", LJ),
    CHOICE_(lattice.kind, REQUIRED, SLUICE_CRYSTALS, "crystal of the particles at the start",
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
          "time step in units of the stable one: unstable above 0.45; of a gas h over the largest "
          "signal velocity of its pairs",
          SPH),
    REAL_(time.step, 0, "s", 0, 1e9, "a fixed time step; 0: chosen anew each step (wcsph, gas)",
          ALWAYS),
    REAL_(time.first, 1, "1", 1e-4, 1,
          "the first step in units of the stable one, for a start with a jump; each later step is "
          "at most 5% longer than the one before",
          SPH),
    REAL_(time.predictor, 0.2, "1", 0, 0.5,
          "weight of the last change of acceleration in the prediction; 1/6 conserves best, up to "
          "cfl 0.2",
          WCSPH),

    INT_(energy.every, 10, "1", 0, 1e12,
         "steps between rows of energy.csv, which also has one of the last step, and between sums "
         "of energies and momenta; 0: no budget",
         ALWAYS),
    REAL_(energy.tolerance, 1e-3, "1", 1e-16, 1e6,
          "largest residual of the energy budget, in reference energies", ALWAYS),
    REAL_(energy.reference, 0, "J", 0, 1e300,
          "reference energy; 0: M |g| depth, with that of bodies; without gravity and of a gas the "
          "initial energy",
          ALWAYS),

    REAL_(output.every, REQUIRED, "s", 0, 1e12, "time between snapshots; 0: none", ALWAYS),
    REAL_(output.bodies, 0, "s", 0, 1e12,
          "time between rows of body_NAME.csv; 0: a thousandth of time.end", BODIES),
    INT_(output.compression, 1, "1", 0, 9, "0: fast and large, 9: slow and small", ALWAYS),
    CHOICE_(output.precision, 0, SLUICE_PRECISIONS, "precision of snapshots", ALWAYS),
    REAL_(output.checkpoint_every_s, 600, "s", 0, 1e9,
          "wall-clock time between checkpoints; 0: one at the end only", ALWAYS),
    INT_(output.keep, 2, "1", 0, 1000000, "checkpoints kept; 0: none unless asked for", ALWAYS),
    KEY(output.fields, WORDS, 0, NULL, "", 0, 0, output_words,
        "fields of effects that snapshots and checkpoints show; each is an array of the particles",
        WCSPH),
    BOOL_(output.forces, 0,
          "snapshots and checkpoints show the force on each particle and its potential energy; in "
          "one process alone",
          LJ),

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

const struct sluice_table sluice_config_keys = {
    "", "", keys, COUNT(keys), sizeof(struct sluice_config), 0, 0, 0, ~0u, 0, 0};
