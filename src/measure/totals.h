/* Sums over particles of a finished run: over those in a box, or the flow through a section. */
#ifndef SLUICE_MEASURE_TOTALS_H
#define SLUICE_MEASURE_TOTALS_H
#include "measure/finished_run.h"
#include "measure/output.h"
#include "measure/places.h"

/* Columns of a box. Momentum, centre and their like have a column for each axis. Energies are those
 * of the budget: the potential of gravity is 0 at the run's lower corner, with its wall layers. */
#define SLUICE_TOTALS(X)                                                                           \
    X(PARTICLES, "particles", "1", "number of particles")                                          \
    X(MASS, "mass", "kg", "their mass")                                                            \
    X(VOLUME, "volume", "m^3", "their volume, sum m/rho")                                          \
    X(KINETIC, "kinetic", "J", "sum m v^2/2")                                                      \
    X(POTENTIAL, "potential", "J", "in gravity, from the run's lower corner, and central forces")  \
    X(INTERNAL, "internal", "J", "compression of a fluid, internal energy of a gas")               \
    X(MOMENTUM_X, "momentum_x", "kg m/s", "momentum along x")                                      \
    X(MOMENTUM_Y, "momentum_y", "kg m/s", "momentum along y")                                      \
    X(MOMENTUM_Z, "momentum_z", "kg m/s", "momentum along z")                                      \
    X(CENTRE_X, "centre_x", "m", "centre of mass, along x")                                        \
    X(CENTRE_Y, "centre_y", "m", "centre of mass, along y")                                        \
    X(CENTRE_Z, "centre_z", "m", "centre of mass, along z")                                        \
    X(MAX_SPEED, "max_speed", "m/s", "largest speed of a particle")                                \
    X(VOLUME_FLOW, "volume_flow", "m^3/s", "volume that goes through the section in a second")     \
    X(MASS_FLOW, "mass_flow", "kg/s", "mass that goes through it in a second")
enum sluice_total {
#define X(id, name, unit, what) SLUICE_TOTAL_##id,
    SLUICE_TOTALS(X)
#undef X
        SLUICE_TOTAL_COUNT
};

/* The arguments of the sums; all is borrowed. */
struct sluice_totals {
    struct sluice_finished_run *run;
    struct sluice_measure_choice choice;
    int is_flow;                    /* through the section box.low .. box.high */
    int has_box;                    /* 0: all particles */
    struct sluice_measure_box box;  /* m; faces included */
    int columns;                    /* those that this run has: */
    int column[SLUICE_TOTAL_COUNT]; /* enum sluice_total */
};

/* A row of the table. */
struct sluice_totals_row {
    int64_t step, lost; /* particles left out, as they are not finite */
    double time;
    double value[SLUICE_TOTAL_COUNT]; /* by column; NAN: there is none, as of no particles */
};

/* Chooses the columns, and what must be read. */
void sluice_totals_begin(struct sluice_totals *totals);
const char *sluice_total_name(int total);
extern const struct sluice_column sluice_total_columns[SLUICE_TOTAL_COUNT + 1];
const char *sluice_total_unit(int total, int dimension);

/* Whether the potential counts along this axis, and is 0 at header.low of the run: there is gravity
 * along it, and it is not periodic. */
int sluice_totals_has_height(const struct sluice_totals *totals, int axis);

/* Sums at one snapshot. */
sluice_status sluice_totals_at(const struct sluice_totals *totals, int64_t number,
                               struct sluice_totals_row *row);

/* The table of all rows. */
sluice_status sluice_totals_open(const struct sluice_totals *totals, const char *path,
                                 struct sluice_measure_table *table);
#endif
