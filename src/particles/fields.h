/* The field table: everything that a particle can carry. Storage, reordering, checkpoints, memory
 * accounts and the output's units are made from it. Here are the fields that models share; those
 * of effects, and of a gas, are in their own folders (physics/effects.def).
 *
 *   X(NAME, text, components, type, life, unit, description)
 *
 * components: D is the case's dimension, D1 is D + 1, S the components of a symmetric tensor: xx,
 * xy, yy, and in 3-D xz, yz, zz. Fields are interleaved arrays [n][components].
 *
 * type: REAL is float or double, the run's precision. U32 is uint32_t, ID sluice_id (id.h). LOW is
 * the rounding error of the field before it: 16 bits (kernels/types/compensated.h), or a double in
 * a double run.
 *
 * life: STATE is carried from step to step, reordered with the particles and checkpointed. SCRATCH
 * is computed anew in each step after the sort; the sort uses its memory (columns.h).
 *
 * In 3-D and float a WCSPH fluid particle takes 110 bytes, 86 of state and 24 of scratch. A wall
 * particle takes 32; 84 if some walls move; 16 more with ghost nodes, and a node takes 44 or 96.
 * Each takes 4 more where its type has several groups, and fluid where there are two.
 * The scratch space for sorting is added to that. */
#ifndef SLUICE_PARTICLES_FIELDS_H
#define SLUICE_PARTICLES_FIELDS_H
#include <stdint.h>

#define SLUICE_FIELDS(X)                                                                           \
    X(POSITION, "position", D1, REAL, STATE, "m",                                                  \
      "offset from the centre of the frame; the mass (kg) last")                                   \
    X(POSITION_LOW, "position compensation", D, LOW, STATE, "m",                                   \
      "what the rounding of position has lost")                                                    \
    X(FRAME, "frame", 1, U32, STATE, "1", "slot of the frame in the table of frames")              \
    X(ID, "id", 1, ID, STATE, "1", "identity, for life")                                           \
    X(VELOCITY, "velocity", D, REAL, STATE, "m/s", "velocity")                                     \
    X(VELOCITY_LOW, "velocity compensation", D, LOW, STATE, "m/s",                                 \
      "what the rounding of velocity has lost")                                                    \
    X(SCALAR, "scalar", 1, REAL, STATE, "mixed",                                                   \
      "of water the relative density r = rho/rho0 - 1 (1), of a gas the internal energy u (J/kg)") \
    X(SCALAR_LOW, "scalar compensation", 1, LOW, STATE, "mixed",                                   \
      "what the rounding of r or u has lost")                                                      \
    X(ACCELERATION, "acceleration", D, REAL, STATE, "m/s^2", "a(n)")                               \
    X(ACCELERATION_OLD, "previous acceleration", D, REAL, STATE, "m/s^2", "a(n-1)")                \
    X(RATE, "rate", 1, REAL, STATE, "mixed", "dr/dt(n) (1/s), of a gas du/dt(n) (W/kg)")           \
    X(RATE_OLD, "previous rate", 1, REAL, STATE, "1/s", "dr/dt(n-1)")                              \
    X(REFERENCE, "reference", D, REAL, STATE, "m",                                                 \
      "of a wall that moves: the place at t = 0, from the centre of its motion")                   \
    X(REFERENCE_LOW, "reference compensation", D, REAL, STATE, "m",                                \
      "what the rounding of reference has lost")                                                   \
    X(MOTION, "motion", 1, U32, STATE, "1",                                                        \
      "1 + the number of the motion, or motions + that of the body; 0: at rest")                   \
    X(GROUP, "group", 1, U32, STATE, "1",                                                          \
      "where particles of a type have several groups: its number")                                 \
    X(RETIRES, "retires", 1, U32, STATE, "1", "not 0: the next sort takes the particle out")       \
    X(PREDICTED, "predicted", D1, REAL, SCRATCH, "m/s",                                            \
      "predicted velocity; last the head (1) of the predicted r, of fluid usually less g.x/c0^2, " \
      "with a filter less its mean: kernels/pointwise/wcsph_predict.h")                            \
    X(EOS, "equation of state", 2, REAL, SCRATCH, "mixed",                                         \
      "p/rho^2 (m^5/(kg s^2)), rho0/rho (1), from the predicted r")

enum sluice_field {
#define X(name, text, components, type, life, unit, description) SLUICE_FIELD_##name,
    SLUICE_FIELDS(X)
#define EFFECT_FIELD X
#include "physics/effects.def"
#undef X
        SLUICE_FIELD_COUNT
};

/* A field's bit, and sets of them. Pairs and pointwise operations declare the fields that they read
 * and write. */
#define SLUICE_FIELD_BIT(f) (UINT64_C(1) << (f))
#define SLUICE_BIT(name)    SLUICE_FIELD_BIT(SLUICE_FIELD_##name)
typedef uint64_t sluice_fields;

enum sluice_field_components {
    SLUICE_COMPONENTS_D = -1,
    SLUICE_COMPONENTS_D1 = -2,
    SLUICE_COMPONENTS_S = -3
};
enum sluice_field_type { SLUICE_TYPE_REAL, SLUICE_TYPE_LOW, SLUICE_TYPE_U32, SLUICE_TYPE_ID };
enum sluice_field_life { SLUICE_LIFE_STATE, SLUICE_LIFE_SCRATCH };

struct sluice_field_info {
    const char *name;
    int components; /* a count, or one of sluice_field_components' negative ones */
    enum sluice_field_type type;
    enum sluice_field_life life;
    const char *unit;
    const char *description;
};
extern const struct sluice_field_info sluice_field_table[SLUICE_FIELD_COUNT];

/* The fields of effects that snapshots and probes can have: EFFECT_OUTPUT of physics/effects.def. A
 * set of them is an unsigned with the bits 1 << number. */
enum sluice_effect_output_number {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) SLUICE_EFFECT_OUTPUT_##NAME,
#include "physics/effects.def"
    SLUICE_EFFECT_OUTPUTS
};
struct sluice_effect_output {
    enum sluice_field field;
    const char *word; /* in configs; the name of its columns */
};
extern const struct sluice_effect_output sluice_effect_outputs[SLUICE_EFFECT_OUTPUTS];

/* Numbers of a particle on the host and in files, in 2-D as in 3-D: 1; 3 of a vector; 6 of a
 * symmetric tensor, in VTK's order xx, yy, zz, xy, yz, xz. */
int sluice_effect_output_columns(int output);
/* The fields of a set of outputs. */
sluice_fields sluice_effect_output_fields(unsigned outputs);

/* Components of a field in `dimension` dimensions, and bytes of one particle's entry if a real has
 * `real_bytes` (4 or 8). */
int sluice_field_components(enum sluice_field field, int dimension);
int sluice_field_bytes(enum sluice_field field, int dimension, int real_bytes);
#endif
