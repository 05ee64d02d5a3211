/* The configuration of a run, read from text in libconfig's syntax, checked in full, every value
 * typed and in the units of the case.
 *
 * The parameter tables (config/tables.h and the pairs' own) are the one source of reading,
 * checking, `sluice info` and the generated reference. Nothing is allocated for the simulation
 * before a config has been read without an error. */
#ifndef SLUICE_CONFIG_CONFIG_H
#define SLUICE_CONFIG_CONFIG_H
#include <stdio.h>

#include "config/boundary.h"
#include "config/probe_kinds.h"
#include "config/flow_settings.h"
#include "core/param.h"
#include "core/status.h"

/* The choices of each key: value and word, in the order of `sluice info`. The tables of keys and
 * every list of these words are made from them. */
#define SLUICE_MODELS(X)                                                                           \
    X(SLUICE_MODEL_WCSPH, "wcsph")                                                                 \
    X(SLUICE_MODEL_LJ, "lj")                                                                       \
    X(SLUICE_MODEL_GAS, "gas")
enum sluice_model_name { SLUICE_MODELS(SLUICE_CHOICE_VALUE) };
#define SLUICE_SETTINGS(X)                                                                         \
    X(SLUICE_SETTINGS_NONE, "none")                                                                \
    X(SLUICE_SETTINGS_WAVES, "waves")
enum sluice_settings { SLUICE_SETTINGS(SLUICE_CHOICE_VALUE) };
#define SLUICE_UNIT_SYSTEMS(X) X(SLUICE_UNITS_SI, "si") X(SLUICE_UNITS_LJ, "lj")
enum sluice_units { SLUICE_UNIT_SYSTEMS(SLUICE_CHOICE_VALUE) };
#define EFFECT_CHOICES(type, LIST) enum type { LIST(SLUICE_CHOICE_VALUE) };
#include "physics/effects.def"
#define SLUICE_PRECISIONS(X) X(SLUICE_OUTPUT_FLOAT, "float") X(SLUICE_OUTPUT_DOUBLE, "double")
enum sluice_output_precision { SLUICE_PRECISIONS(SLUICE_CHOICE_VALUE) };
#define SLUICE_MASS_RULES(X)                                                                       \
    X(SLUICE_MASSES_LATTICE, "lattice")                                                            \
    X(SLUICE_MASSES_HYDROSTATIC, "hydrostatic")
enum sluice_masses { SLUICE_MASS_RULES(SLUICE_CHOICE_VALUE) };
#define SLUICE_CRYSTALS(X)                                                                         \
    X(SLUICE_LATTICE_FCC, "fcc")                                                                   \
    X(SLUICE_LATTICE_SQUARE, "square")                                                             \
    X(SLUICE_LATTICE_CUBIC, "cubic")
#define SLUICE_LATTICES(X) SLUICE_CRYSTALS(X) X(SLUICE_LATTICE_HEXAGONAL, "hexagonal")
enum sluice_lattice_kind { SLUICE_LATTICES(SLUICE_CHOICE_VALUE) };

#define SLUICE_FAR 1e9 /* m: largest coordinate */
#define SLUICE_SHAPES(X)                                                                           \
    X(SLUICE_SHAPE_BOX, "box")                                                                     \
    X(SLUICE_SHAPE_SPHERE, "sphere")                                                               \
    X(SLUICE_SHAPE_CYLINDER, "cylinder")                                                           \
    X(SLUICE_SHAPE_DISC, "disc")                                                                   \
    X(SLUICE_SHAPE_CONE, "cone")                                                                   \
    X(SLUICE_SHAPE_HALF_SPACE, "half-space")                                                       \
    X(SLUICE_SHAPE_POLYGON, "polygon")                                                             \
    X(SLUICE_SHAPE_HEIGHTFIELD, "heightfield")                                                     \
    X(SLUICE_SHAPE_MESH, "mesh")                                                                   \
    X(SLUICE_SHAPE_WALLS, "walls")
enum sluice_shape_kind { SLUICE_SHAPES(SLUICE_CHOICE_VALUE) };
#define SLUICE_SHAPE_TYPES(X)                                                                      \
    X(SLUICE_SHAPE_FLUID, "fluid")                                                                 \
    X(SLUICE_SHAPE_WALL, "wall")                                                                   \
    X(SLUICE_SHAPE_VOID, "void")                                                                   \
    X(SLUICE_SHAPE_PART, "part")                                                                   \
    X(SLUICE_SHAPE_BODY, "body")
enum sluice_shape_type { SLUICE_SHAPE_TYPES(SLUICE_CHOICE_VALUE) };
#define SLUICE_FILLS(X) X(SLUICE_FILL_SOLID, "solid") X(SLUICE_FILL_SHELL, "shell")
enum sluice_fill { SLUICE_FILLS(SLUICE_CHOICE_VALUE) };
#define SLUICE_FITS(X) X(SLUICE_FIT_LATTICE, "lattice") X(SLUICE_FIT_SURFACE, "surface")
enum sluice_fit_kind { SLUICE_FITS(SLUICE_CHOICE_VALUE) };

/* `face` and `sides` name "x-" "x+" "y-" ... by 2 axis + (high side); `sides` holds bits of them.
 */
struct sluice_shape {
    char name[SLUICE_TEXT_MAX]; /* of its group; "": a group of its own */
    int kind, fill, fit;
    int content;                   /* enum sluice_shape_type, as the key `type` has it */
    int type;                      /* of its particles: those of a body are walls */
    int body;                      /* 1 + the number of its body; 0: none */
    int phase;                     /* fluid: 2 the second fluid, else the first */
    double min[3], max[3];         /* box, m */
    double centre[3], radius;      /* sphere, disc, cylinder, cone, m */
    double top_radius;             /* cone: at the upper end of its axis, m */
    int axis;                      /* of a cylinder, a cone, a prism: 0 x, 1 y, 2 z */
    double length;                 /* of a cylinder or a cone, about its centre, m */
    double normal[3];              /* half-space: out of the solid, of any length */
    struct sluice_points points;   /* polygon */
    double from, to;               /* prism of a polygon: its ends along the axis, m */
    char surface[SLUICE_TEXT_MAX]; /* polygon, heightfield, mesh: file; made absolute */
    double base;                   /* mesh: height of the ground beneath a sheet; infinite: none */
    double no_data;                /* heightfield: a height that is none; infinite: all are */
    unsigned sides;                /* walls: which faces of the domain */
    int slip;                      /* wall: enum sluice_shape_slip */
    double scale, rotation_axis[3], rotation_degrees, move[3]; /* applied in this order */
    char within[SLUICE_TEXT_MAX], without[SLUICE_TEXT_MAX];    /* names of shapes, or "" */
    char motion[SLUICE_TEXT_MAX]; /* wall: name of its motion or its body, or "" */
    /* Of a gas: */
    double density, pressure, energy; /* kg/m^3; Pa or J/kg: one of the two is given */
    double velocity[3];               /* m/s */
    int lattice;                      /* enum sluice_lattice_kind */
    double spacing;                   /* V^(1/D) of a particle, m; 0: by the mass of a particle */
    char file[SLUICE_TEXT_MAX];       /* its place in the config, for messages */
    int line;
};

#define SLUICE_MOTIONS(X)                                                                          \
    X(SLUICE_MOTION_LINEAR, "linear")                                                              \
    X(SLUICE_MOTION_SINE, "sine")                                                                  \
    X(SLUICE_MOTION_ROTATION, "rotation")                                                          \
    X(SLUICE_MOTION_TABLE, "table")                                                                \
    X(SLUICE_MOTION_WAVE, "wave")
enum sluice_motion_kind { SLUICE_MOTIONS(SLUICE_CHOICE_VALUE) };

/* The path through the rows of a motion's table. */
#define SLUICE_INTERPOLATIONS(X)                                                                   \
    X(SLUICE_INTERPOLATION_SPLINE, "spline")                                                       \
    X(SLUICE_INTERPOLATION_MONOTONE, "monotone")                                                   \
    X(SLUICE_INTERPOLATION_LINEAR, "linear")
enum sluice_interpolation { SLUICE_INTERPOLATIONS(SLUICE_CHOICE_VALUE) };

/* A motion of walls. The geometry gives their places at t = 0. */
struct sluice_motion {
    char name[SLUICE_TEXT_MAX];
    int kind;
    double velocity[3], acceleration[3]; /* linear: x = v t + a t^2/2, m/s, m/s^2 */
    double amplitude[3], angle;          /* sine: A (sin(2 pi t/period + phase) - sin(phase)), m */
    double period, phase;                /* s, rad */
    double rate;                         /* rotation: angular velocity, rad/s */
    char table[SLUICE_TEXT_MAX];         /* CSV: t, and x, y, z, angle; made absolute */
    int interpolation;                   /* of a table: enum sluice_interpolation */
    double filter;                       /* of a table: frequency of its low-pass, Hz; 0: none */
    struct sluice_wave_settings wave;    /* of a wave maker; its period and phase are above */
    char carries[SLUICE_TEXT_MAX];       /* name of a group; "": shapes that name the motion */
    double centre[3];                    /* of the rotation at t = 0, m */
    int axis;                            /* of the rotation: 0 x, 1 y, 2 z */
    char file[SLUICE_TEXT_MAX];
    int line;
};

/* What a contact of solids depends on. */
struct sluice_material {
    double stiffness, poisson; /* Young's modulus, Pa; Poisson's ratio */
    double restitution, friction;
};

#define SLUICE_MOORINGS(X) X(SLUICE_MOORING_SPRING, "spring") X(SLUICE_MOORING_HINGE, "hinge")
enum sluice_mooring_kind { SLUICE_MOORINGS(SLUICE_CHOICE_VALUE) };

/* Forms of the table of a line of points. */
#define SLUICE_LINE_TABLES(X) X(SLUICE_TABLE_WIDE, "wide") X(SLUICE_TABLE_LONG, "long")
enum sluice_line_table { SLUICE_LINE_TABLES(SLUICE_CHOICE_VALUE) };

/* A spring or a hinge between a body and a point, or another body. */
struct sluice_mooring {
    int kind;
    char name[SLUICE_TEXT_MAX];
    char body[SLUICE_TEXT_MAX], other[SLUICE_TEXT_MAX]; /* names; other "": a point of space */
    double at[3], to[3];       /* the points at t = 0, m; INFINITY: the centre of mass */
    double stiffness, damping; /* N/m, N s/m; in 2-D per metre of depth */
    double length;             /* of the spring at rest, m; INFINITY: that at t = 0 */
    int slack;                 /* it pulls only */
    double axis[3], width;     /* of a hinge in space: two joints this far apart, m */
    char file[SLUICE_TEXT_MAX];
    int line;
};

/* What all bodies of one name have in common: the shapes of type "body" with this name. */
struct sluice_body {
    char name[SLUICE_TEXT_MAX];
    int each;                       /* each shape is a body of its own: NAME_1, NAME_2, ... */
    double density, mass;           /* kg/m^3; kg, in 2-D kg/m: one of the two is given */
    double centre[3];               /* of mass, m */
    int has_centre, has_inertia;    /* they were given; else they follow from the shapes */
    double inertia[3], products[3]; /* about the centre: xx, yy, zz; xy, xz, yz; kg m^2;
                                      INFINITY: not given */
    double velocity[3], spin[3];    /* at the start, m/s, 1/s; in 2-D spin[0] about z */
    char locked[SLUICE_TEXT_MAX];   /* degrees of freedom, as "x, rz" */
    unsigned locks;                 /* of these: bits x, y, z, rx, ry, rz */
    double release;                 /* s: held until then */
    struct sluice_material material;
    char file[SLUICE_TEXT_MAX];
    int line;
};

#define SLUICE_INITIALS(X)                                                                         \
    X(SLUICE_INITIAL_UNIFORM, "uniform")                                                           \
    X(SLUICE_INITIAL_LINEAR, "linear")                                                             \
    X(SLUICE_INITIAL_QUADRATIC, "quadratic")                                                       \
    X(SLUICE_INITIAL_ROTATION, "rotation")                                                         \
    X(SLUICE_INITIAL_TAYLOR_GREEN, "taylor-green")                                                 \
    X(SLUICE_INITIAL_ACOUSTIC_WAVE, "acoustic-wave")                                               \
    X(SLUICE_INITIAL_GRAVITY_WAVE, "gravity-wave")                                                 \
    X(SLUICE_INITIAL_HYDROSTATIC, "hydrostatic")                                                   \
    X(SLUICE_INITIAL_SINE, "sine")                                                                 \
    X(SLUICE_INITIAL_VORTEX, "vortex")                                                             \
    X(SLUICE_INITIAL_SHEAR, "shear")                                                               \
    X(SLUICE_INITIAL_POINT, "point")
enum sluice_initial_kind { SLUICE_INITIALS(SLUICE_CHOICE_VALUE) };
#define SLUICE_INITIAL_FIELDS(X)                                                                   \
    X(SLUICE_FIELD_OF_VELOCITY, "velocity")                                                        \
    X(SLUICE_FIELD_OF_PRESSURE, "pressure")                                                        \
    X(SLUICE_FIELD_OF_DENSITY, "density")                                                          \
    X(SLUICE_FIELD_OF_ENERGY, "energy")
enum sluice_initial_field { SLUICE_INITIAL_FIELDS(SLUICE_CHOICE_VALUE) };

struct sluice_initial {
    int field, kind;
    double value[3]; /* uniform: the value (but of the velocity: [0]); quadratic: value[0] at the
                        centre; sine: the amplitude */
    double gradient[3][3];       /* linear: field_i = value_i + gradient[i][j] (x_j - centre_j) */
    double centre[3], curvature; /* quadratic: value + curvature |x - centre|^2 */
    double rate;                 /* rotation: angular velocity about the centre (z axis), 1/s */
    double amplitude, depth;     /* waves: relative density, or surface elevation, m; taylor-green:
                                    speed U; point: energy, J */
    double level; /* hydrostatic: of the water, m; INFINITY: the highest of what shares its level */
    char on[SLUICE_TEXT_MAX]; /* name of the fluid that is set; "": all */
    double radius; /* point: of the kernel that the energy is spread over, m; 0: the support */
    int mode[3];   /* waves: whole waves (acoustic, sine) or half waves (gravity) across the domain
                      on each axis */
    char file[SLUICE_TEXT_MAX];
    int line;
};

#define SLUICE_FORCES(X) X(SLUICE_FORCE_CENTRAL, "central")
enum sluice_force_kind { SLUICE_FORCES(SLUICE_CHOICE_VALUE) };
enum { SLUICE_CONFIG_CENTRALS = 8, SLUICE_CONFIG_MOTIONS = 1024 };

/* a = -strength^2 (x - centre), with the potential strength^2 |x - centre|^2/2. */
struct sluice_central_config {
    double centre[3], strength; /* m, 1/s */
    int kind;
    char file[SLUICE_TEXT_MAX];
    int line;
};

#define SLUICE_PROBE_QUANTITIES(X)                                                                 \
    X(SLUICE_QUANTITY_PRESSURE, "pressure")                                                        \
    X(SLUICE_QUANTITY_VELOCITY, "velocity")                                                        \
    X(SLUICE_QUANTITY_DENSITY, "density")                                                          \
    X(SLUICE_QUANTITY_ENERGY, "energy")                                                            \
    X(SLUICE_QUANTITY_SMOOTHING, "smoothing-length")                                               \
    X(SLUICE_QUANTITY_ALL, "all")
/* SLUICE_QUANTITY_OUTPUTS + the number of an output of an effect (particles/fields.h) is one, too.
 */
enum sluice_probe_quantity { SLUICE_PROBE_QUANTITIES(SLUICE_CHOICE_VALUE) SLUICE_QUANTITY_OUTPUTS };

struct sluice_probe {
    char name[SLUICE_TEXT_MAX];
    int kind, quantity;
    char on[SLUICE_TEXT_MAX]; /* point: name of the shape with its face, or ""; patch: of the shape;
                                 force: of the group */
    int face;                 /* of that shape: 2 axis + (high side); -1: none */
    double at[3];   /* point: full coordinates, or the face's own two (3-D) or one (2-D); patch: its
                       centre, in the face's own ones; height: the horizontal ones */
    double size[3]; /* patch: its sides along the face's own axes, m */
    int round;      /* patch: the ellipse within the sides */
    double from[3], to[3]; /* line, runup; flux, overtopping: corners of the section */
    int points;            /* line, runup */
    int table;             /* line: enum sluice_line_table */
    int axis;              /* front: along this axis */
    double about[3];       /* force: the point that the torque is about, m */
    double above;          /* front: only particles higher than this along the last axis, m */
    double depth;          /* runup: the least depth of water that counts, m; 0: half a spacing */
    double gap, least;     /* overtopping: ends an event, s; its least volume, m^3/m; 0: dp^2 */
    int reverse;           /* overtopping: it passes over against the axis */
    double every;          /* s */
    char file[SLUICE_TEXT_MAX];
    int line;
};

struct sluice_config {
    char title[SLUICE_TEXT_MAX];
    int settings; /* enum sluice_settings */
    int model, units, dimension;
    double spacing; /* dp, m */
    struct {
        double min[3], max[3];
        int periodic[3];
        int frame_shift[3];
    } domain;
    double gravity[3];                  /* m/s^2 */
    char acceleration[SLUICE_TEXT_MAX]; /* table of one beside gravity; "": none */
    struct {
        int name;
        double h_over_dp;
    } kernel;
    struct {
        double density;             /* rho0, kg/m^3 */
        int eos;                    /* enum sluice_eos */
        double gamma, sound_speed;  /* sound_speed 0: 10 sqrt(2 |g| H) of the case */
        double background_pressure; /* Pa */
        int masses;                 /* rho0 dp^D, or with the density at rest rho(z) dp^D */
    } fluid;
/* The settings of effects, config->NAME.member (physics/effects.def). */
#define EFFECT_SETTINGS(name) struct {
#define EFFECT_SETTINGS_END(name)                                                                  \
    }                                                                                              \
    name;
#define EFFECT_GROUP(name, path)                                              int used;
#define EFFECT_REAL(name, member, path, preset, unit, least, most, doc, when) double member;
#define EFFECT_INT(name, member, path, preset, unit, least, most, doc, when)  long long member;
#define EFFECT_BOOL(name, member, path, preset, doc, when)                    int member;
#define EFFECT_CHOICE(name, member, path, preset, LIST, doc, when)            int member;
#include "physics/effects.def"
    struct {
        int kind;
        long long layers;
        int spring;
    } boundary;
    struct {
        struct sluice_material material; /* of walls */
    } contact;
    int shape_count, motion_count, body_count, mooring_count, initial_count, central_count,
        probe_count, opening_count;
    int moves_bodies; /* the list bodies has entries */
    int rigid_count;  /* bodies: one or more of each entry of `bodies` */
    struct sluice_shape *shapes;
    struct sluice_motion *motions;
    struct sluice_body *bodies;
    struct sluice_mooring *moorings;
    struct sluice_initial *initials;
    struct sluice_central_config *centrals;
    struct sluice_probe *probes;
    struct sluice_opening *openings;
    struct {
        int index; /* SLUICE_PAIR_... of kernels/registry.h, from pair.name; -1 with model wcsph */
        union {
            double align;
            char bytes[256];
        } params; /* the pair's own struct, filled by its own table of parameters */
    } pair;
    struct {
        int used;
        int kind;
        long long cells[3];
        double density;
    } lattice;
    struct {
        int used;
        double temperature;
        long long seed;
    } thermal;
    char particles[SLUICE_TEXT_MAX]; /* CSV or snapshot to start from; "" none; made absolute
                                        against the config's folder */
    struct {
        double end;
        long long max_steps;
        double cfl, step, first, predictor;
    } time;
    struct {
        long long every;
        double tolerance, reference;
    } energy;
    struct {
        double every, bodies;
        long long compression;
        int precision;
        double checkpoint_every_s;
        long long keep;
        unsigned fields; /* outputs of effects: particles/fields.h */
        int forces;      /* of Lennard-Jones: forces and potential energies of particles */
    } output;
    struct {
        char name[SLUICE_TEXT_MAX], strategy[SLUICE_TEXT_MAX], isa[SLUICE_TEXT_MAX];
        int precision; /* enum sluice_output_precision */
        long long threads, device;
        long long bins[3];       /* bins a cutoff on x, y, z; 0: by the number of neighbours */
        long long frame_cutoffs; /* K */
        int keep_order;          /* a sort may serve for several steps */
        int share_devices;       /* several ranks may use one GPU */
        double patience;         /* s: of a rank that waits for others */
        double auto_share;       /* part of a run's time that auto may spend measuring */
        int auto_cache;          /* auto keeps its choice for later runs */
    } backend;
    struct sluice_config_source *source; /* private: texts, and the place of each key */
};

/* Reads `path` (with its @include files), applies `set_count` overrides "path=value", checks
 * everything, fills `config`. Errors: all errors of the file, one a line, "FILE:LINE: key:
 * message"; of syntax errors the first. The message may be longer than
 * sluice_message() holds, so it is also written to `errors` when that is not NULL; so are warnings
 * ("FILE:LINE: key: warning: ..."), which fail nothing. After an error `config` is empty and owns
 * nothing. */
sluice_status sluice_config_read(struct sluice_config *config, const char *path,
                                 const char *const *set, int set_count, FILE *errors);

/* The same from text in memory (a snapshot's /Config, a test); `name` is the file in messages.
 * `text` NULL: from the file `name`. */
sluice_status sluice_config_parse(struct sluice_config *config, const char *text, const char *name,
                                  const char *const *set, int set_count, FILE *errors);
void sluice_config_destroy(struct sluice_config *config);

/* Whether shapes or a file may give particles of walls; and of the second fluid. */
int sluice_config_may_have_walls(const struct sluice_config *config);
int sluice_config_may_have_second(const struct sluice_config *config);
/* The friction of walls, enum sluice_slip: of a shape, or with shape -1 of walls of a file whose
 * group has no shape. */
int sluice_config_slip(const struct sluice_config *config, int shape);
/* The bits 1 << enum sluice_slip of all walls that there may be; never 0. */
unsigned sluice_config_slips(const struct sluice_config *config);
/* Whether some walls may have the friction of boundary.slip. */
int sluice_config_uses_slip(const struct sluice_config *config);
/* Whether it has a maker of waves, or an initial gravity wave. */
int sluice_config_makes_waves(const struct sluice_config *config);
/* Whether the walls of the config have a property, SLUICE_WALL_... of boundary.h. */
int sluice_config_walls_have(const struct sluice_config *config, unsigned property);

/* The threads that prepare a case: backend.threads, or as many as a run uses at most; of `sharing`
 * ranks on this host, this one's share of its processors. */
int sluice_config_threads(const struct sluice_config *config, int sharing);

/* The first probe of a kind (enum sluice_probe_kind); NULL: none. */
const struct sluice_probe *sluice_config_probe_of(const struct sluice_config *config, int kind);

/* The name of a shape's group: the shape's name, or its kind and number ("box 3"). Returns `text`.
 */
const char *sluice_config_group(const struct sluice_config *config, int shape,
                                char text[SLUICE_TEXT_MAX]);

/* What carries the particles of a shape: a motion, or motion_count + the number of a body; -1: they
 * are at rest. */
int sluice_config_mover(const struct sluice_config *config, int shape);

/* The entry of `bodies` that a shape of type "body" belongs to; -1: none. */
int sluice_config_body_entry(const struct sluice_config *config, int shape);

/* What a kind of initial field can set with a model: bits 1 << enum sluice_initial_field. */
unsigned sluice_initial_fields(int kind, int model);

/* A parameter of the config's pair by the path of its key ("pair.mass"), a flag as 0 or 1;
 * `preset` if the pair has no such key. */
double sluice_config_pair_number(const struct sluice_config *config, const char *path,
                                 double preset);

/* `unit` in SI, otherwise "". */
const char *sluice_config_unit(const struct sluice_config *config, const char *unit);
/* A row of `sluice check`: a name, a number with its unit in SI, and a note. */
void sluice_config_print_number(const struct sluice_config *config, const char *name, double value,
                                const char *unit, const char *note, FILE *out);

/* The effective configuration as libconfig text: every key, defaults marked with a comment. Reading
 * it back gives the same config. The text belongs to the config and lives as long as it. */
const char *sluice_config_text(const struct sluice_config *config);

/* "FILE:LINE" where a key was set, or "default". */
const char *sluice_config_where(const struct sluice_config *config, const char *path);

/* Every key with type, default, unit, range and sentence: as text, or as docs/config.md has it. */
void sluice_config_describe(FILE *out, int markdown);
#endif
