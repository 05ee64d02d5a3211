/* The openings of a run; internal to src/physics/openings. All of it is on the host, in double, and
 * the same on every rank: columns, how far their rows have come, and what the water in front of
 * them does. */
#ifndef SLUICE_PHYSICS_OPENINGS_H
#define SLUICE_PHYSICS_OPENINGS_H
#include "core/vector.h"
#include "kernels/types/opening_params.h"
#include "model/effect.h"

/* openings: "in" (a.cfg:7): how messages begin. */
#define OPENING_NAME          "openings: \"%s\" (%s:%d): "
#define OPENING_NAME_OF(keys) (keys)->name, (keys)->file, (keys)->line

/* Sums since the last row of an opening's table. */
struct opening_sums {
    double time, work, mass; /* s; of the opening, J; in its strip, kg s */
    double volume, energy;   /* m^3 that passed the buffers inwards; energy of it, J */
};

/* What an opening has let through, and what its gauges say. In checkpoints. */
struct opening_totals {
    double particles[2], mass[2], energy[2]; /* in, out */
    double power;                            /* of the last step, W */
    double level; /* height of the water's surface in the strip, by its pressure, m */
    double mean;  /* slow mean of the head, or of the velocity, for `absorb` */
    struct opening_sums since;
};

/* A column. In checkpoints. */
struct opening_row {
    double moved; /* how far its rows have come into the water since the last one came, m */
    double speed; /* at which they move now, along the normal, m/s */
    double velocity, head, rule; /* what its particles get in this step: struct opening_column */
};

/* What a column has measured in the last step. In checkpoints. */
struct opening_measured {
    double weight, velocity, head, mass; /* over a full strip's, 0: dry; m/s; 1; kg in its strip */
    double held;                         /* kg in its buffer */
};

/* What a gauge measured last, smoothed. In checkpoints. */
struct opening_gauge {
    double weight, velocity, head, mass; /* 0: dry; m/s; 1; kg in its strip */
};

/* What came in a column in the running step. */
struct opening_born {
    int rows;
    int64_t before; /* particles of its opening in the list before them */
};

struct opening_steps; /* what changes in time: opening_table.c */

struct opening {
    const struct sluice_opening *keys;       /* borrowed */
    double corner[3], normal[3], edge[2][3]; /* m; unit vectors */
    double axis[3], across_axis[2][3]; /* of its columns, axis.normal = 1; edges without their part
                                          along it: d.across_axis is a place on the face, m */
    double spacing, size, centre[3];   /* m: of particles, of columns across */
    int across;           /* particles across a column: 1 but in large openings in 3-D */
    int columns[2], rows; /* of its buffer */
    double end, late;     /* m: the depth at which water goes; how late a row comes */
    int first;
    int64_t came;             /* particles in the running step */
    double furthest, fastest; /* bounds of its rows: how far moved, m, and how fast, m/s */
    double *height;           /* [columns] of their middles along gravity, m */
    int has_surface;          /* gravity along the face, and no pressure given */
    int starts_wet;           /* some of its columns start with water */
    double low, high;         /* heights of its lower and upper edges, m */
    struct opening_steps *steps;
    double *profile; /* [columns] velocity, in any unit */
};

struct openings {
    int count, columns;
    int known, swept; /* the gauges have measured; what has left was looked for in this step */
    int uploaded;     /* the columns are on the device */
    double leaves;    /* the largest speed outwards, m/s */
    struct opening *opening;       /* [count] */
    struct opening_box *box;       /* [count] */
    struct opening_column *column; /* [columns], as they are uploaded */
    struct opening_born *born;     /* [columns] */
    double *line;                  /* [columns] work space */
    double *own;                   /* [OPENING_TERMS][columns] memory for the sums of a step */
    const double *sum;          /* those of the running step, here or in the backend; NULL: none */
    struct opening_row *next;   /* [columns]: velocity, head, rule of the next step */
    struct opening_gauge *seen; /* [columns] as they become in the running step */
    uint32_t group;
    /* The state, one array of doubles: */
    double *state;
    int64_t state_count;
    double *out;                       /* 1: how far water has left since the last sweep, m */
    struct opening_totals *totals;     /* [count] */
    struct opening_row *row;           /* [columns] */
    struct opening_gauge *gauge;       /* [columns] */
    struct opening_measured *measured; /* [columns] */
};

/* The height of a place along gravity, m; 0 without gravity. */
static inline double opening_height(const struct wcsph_params *water, const double x[3])
{
    const double norm = sluice_norm(water->gravity);
    return norm > 0 ? -sluice_dot(water->gravity, x) / norm : 0;
}

/* Particles in a row of a column. */
static inline int opening_row_of(const struct opening *of)
{
    return of->across * of->across; /* 1 in 2-D */
}

static inline int opening_columns_of(const struct opening *of)
{
    return of->columns[0] * of->columns[1];
}

/* opening_place.c: makes the openings of a case. Errors: those of the place. */
sluice_status openings_create(const struct sluice_effect_setup *setup, struct openings **out);
void openings_destroy(struct openings *o);
/* The velocity of each column in the profile of the keys, in any unit; once openings_fill has found
 * the ground. With heights it is the one of the largest velocity, until the first step. */
void openings_set_profiles(struct openings *o, const struct sluice_physics *p);
/* The middle of column c of an opening on its face, m. */
void opening_column_middle(const struct opening *of, int c, double x[3]);
/* The height of column c over the lower edge of its opening, m. Without gravity along the last
 * edge. */
double opening_column_height(const struct opening *of, const struct wcsph_params *water, int c);
/* Head in a column at a place, 1. */
double opening_head_at(const struct opening *of, const struct sluice_physics *p, double head,
                       const double x[3]);
/* The mass of a particle that comes with a relative density, kg. */
double opening_particle_mass(const struct sluice_physics *p, double relative_density);
/* The column at a place; -1: none. *s: its distance from the face, m. */
int opening_column_of(const struct opening *of, const struct sluice_grid *g, const double x[3],
                      double *s);

/* How far the rows of a column have come at the end of the running step, m. */
static inline double opening_moved(const struct sluice_model *m, const struct opening_row *row)
{
    return row->moved + row->speed * m->dt;
}

/* opening_births.c: adds the rows that are due in the running step. Errors: memory; a place outside
 * the domain. */
sluice_status openings_come(struct openings *o, const struct sluice_model *m,
                            const struct sluice_backend *b, const struct sluice_grid *g,
                            struct sluice_particle_list *born);
/* The mass of every particle that comes, kg; 0: with hydrostatic masses it follows the pressure. */
double openings_born_mass(const struct sluice_physics *p);

/* opening_state.c: a sum over the columns of an opening. */
double opening_sum(const struct openings *o, const struct opening *of, enum opening_term term);
/* Takes from its sums what the running step has measured. */
void openings_take(struct openings *o, const struct sluice_physics *p);
/* The gauges' reading, after a step of dt, of what was measured last, and what follows for the
 * columns. */
void openings_read(struct openings *o, const struct sluice_physics *p, double time, double dt,
                   int real_bytes);
/* opening_rows.c: the rows of opening_NAME.csv. gather: adds a step of dt to the sums of their
 * means.
 */
extern const struct sluice_column opening_columns[];
void openings_gather(struct openings *o, const struct sluice_physics *p, double dt);
void opening_fill_row(const struct openings *o, const struct wcsph_params *water, int opening,
                      double *row);
/* The area of a column, and of the open columns below a height, m^2; in 2-D m. */
double opening_column_area(const struct opening *of, const struct wcsph_params *water);
double opening_area_below(const struct openings *o, const struct opening *of,
                          const struct wcsph_params *water, double height);
/* The height up to which water of an area fills the opening, m. NAN: without gravity, or the
 * opening is level itself. */
double opening_surface_of(const struct openings *o, const struct opening *of,
                          const struct wcsph_params *water, double area);

/* opening_fill.c: closes the columns in whose buffers walls stand, and finds the water in the rest.
 * Errors: a buffer is filled in part. */
sluice_status openings_fill(struct openings *o, const struct sluice_effect_setup *setup);

/* opening_checks.c. Before the buffers' particles are known: where openings are, and what their
 * tables give; and after: the water at the start. Warnings, and errors: SLUICE_BAD_INPUT. */
sluice_status openings_check_places(const struct openings *o,
                                    const struct sluice_effect_setup *setup);
sluice_status openings_check_start(const struct openings *o,
                                   const struct sluice_effect_setup *setup);
/* The stream through an opening at the start. A subcritical one takes one condition at each end, a
 * supercritical one two where it enters, and none where it leaves (Chow 1959; Federico et al.
 * 2012).
 */
struct opening_stream {
    double discharge, speed, depth,
        froude;       /* m^3/s, m/s, m; NAN: not known, or without a surface */
    int takes, given; /* conditions */
};
/* opening_report.c: for `sluice check`, and how many particles come and go until time.end. */
struct opening_stream opening_stream_of(const struct openings *o, const struct opening *of,
                                        const struct wcsph_params *water);
int opening_flows(const struct opening *of); /* it gives a velocity or a discharge */
int opening_presses(const struct opening *of);
/* The area that has water at the start, m^2; in 2-D m. */
double opening_wet_area(const struct openings *o, const struct opening *of,
                        const struct wcsph_params *water);
/* The most that enters (sign 1) or leaves (-1) through an area by what is given, m^3/s; NAN: it is
 * not given. */
double opening_most_through(const struct opening *of, double area, int sign);
void openings_print(const struct openings *o, const struct sluice_physics *p, FILE *out);
double openings_until_end(const struct openings *o, const struct sluice_physics *p, double from,
                          double *going);

/* opening_table.c: the value of a quantity at a time, from the keys or the file. INFINITY: it is
 * not given. */
enum opening_quantity {
    OPENING_VELOCITY,
    OPENING_DISCHARGE,
    OPENING_LEVEL,
    OPENING_PRESSURE,
    OPENING_QUANTITIES
};
sluice_status opening_steps_read(struct opening *of);
/* A table with heights: the velocity at one of them over the lower edge, and the means of all its
 * times over n heights, which opening_given then returns. Returns the time of the largest one. */
int opening_has_heights(const struct opening *of);
void opening_heights(const struct opening *of, double *first,
                     double *last); /* that all times have */
double opening_velocity_at(const struct opening *of, double time, double height);
double opening_set_means(struct opening *of, const double *height, int n);
void opening_steps_free(struct opening *of);
double opening_given(const struct opening *of, enum opening_quantity q, double time);
int opening_gives(const struct opening *of, enum opening_quantity q);
/* Its largest value times `sign`, at any time; and that of the velocity, at any height. */
double opening_most(const struct opening *of, enum opening_quantity q, int sign);
double opening_fastest(const struct opening *of, int sign);
#endif
