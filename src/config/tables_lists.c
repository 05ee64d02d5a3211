/* The rows of the lists. */
#include "config/table_rows.h"
#include "config/tables.h"

/* --- geometry ----------------------------------------------------------------------------------
 */
#define OF      sluice_shape
#define LONG_   (BIT(SLUICE_SHAPE_CYLINDER) | BIT(SLUICE_SHAPE_CONE))
#define ROUND   (BIT(SLUICE_SHAPE_SPHERE) | BIT(SLUICE_SHAPE_DISC) | LONG_)
#define PLANE   BIT(SLUICE_SHAPE_HALF_SPACE)
#define PRISM   BIT(SLUICE_SHAPE_POLYGON)
#define SURFACE (PRISM | BIT(SLUICE_SHAPE_HEIGHTFIELD) | BIT(SLUICE_SHAPE_MESH))
#define FILLED  (BIT(SLUICE_SHAPE_BOX) | ROUND | PLANE | SURFACE)
#define SOLID   (BIT(SLUICE_SHAPE_WALL) | BIT(SLUICE_SHAPE_BODY))
#define WATER   .models = BIT(SLUICE_MODEL_WCSPH)
#define GAS     WHEN2(kind, FILLED, content, BIT(SLUICE_SHAPE_FLUID)), .models = BIT(SLUICE_MODEL_GAS)
static const struct sluice_row shapes[] = {
    NAMED_KEY(kind, "shape", CHOICE, REQUIRED, NULL, "", 0, 0, SLUICE_SHAPES(SLUICE_CHOICES),
              "form of the shape; walls: layers outside the domain's faces; sphere, cylinder, cone "
              "and mesh in 3-D, disc in 2-D; polygon: in 3-D a prism; heightfield: the ground "
              "beneath heights from a table; mesh: a closed surface from a file",
              ALWAYS),
    NAMED_KEY(content, "type", CHOICE, REQUIRED, NULL, "", 0, 0, SLUICE_SHAPE_TYPES(SLUICE_CHOICES),
              "content of the shape; void cuts; part: only within and without of other shapes use "
              "it; body: a rigid body that moves freely, see bodies; where shapes overlap the "
              "later one wins",
              WHEN(kind, FILLED)),
    CHOICE_(fill, SLUICE_FILL_SHELL, SLUICE_FILLS,
            "fill the whole wall, or only the layers within reach of the fluid",
            WHEN2(kind, FILLED, content, SOLID), WATER),
    CHOICE_(fit, SLUICE_FIT_LATTICE, SLUICE_FITS,
            "wall particles in the cells of the lattice, or in layers along the true surface, "
            "evenly spread, with the fluid's first rows moved to fit",
            WHEN2(kind, FILLED, content, SOLID), WATER),
    CHOICE_(slip, SLUICE_SHAPE_SLIP_BOUNDARY, SLUICE_SHAPE_SLIPS,
            "friction of this wall or body: as boundary.slip, none, or by the laminar viscosity of "
            "fluid that sticks to it; where walls overlap the later shape's",
            WHEN(content, SOLID), OR(kind, BIT(SLUICE_SHAPE_WALLS)), WATER),
    KEY(phase, SMALL, 1, NULL, "1", 1, 2, NULL, "the fluid of the shape; 2: fluid.second",
        WHEN2(kind, FILLED, content, BIT(SLUICE_SHAPE_FLUID)), WATER),
    REAL_(density, REQUIRED, "kg/m^3", 1e-100, 1e100, "density of the gas", GAS),
    REAL_(pressure, 0, "Pa", 0, 1e100, "its pressure", GAS),
    REAL_(energy, 0, "J/kg", 0, 1e100, "its internal energy u, instead of the pressure", GAS),
    VECTOR_(velocity, 0, "m/s", -1e12, 1e12, "its velocity", GAS),
    CHOICE_(lattice, SLUICE_LATTICE_CUBIC, SLUICE_LATTICES,
            "lattice of its particles: cubic or fcc, in 2-D square (the default) or hexagonal; "
            "stretched a little so that whole cells fill a box; in other shapes about the centre",
            GAS),
    REAL_(spacing, 0, "m", 0, 1e6,
          "distance of its particles, (volume of one)^(1/D); 0: such that they have the mass of "
          "those of the densest shape, whose distance is the case's spacing",
          GAS),
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
    REAL_(
        base, INFINITY, "m", -FAR, FAR,
        "fills the ground beneath a mesh that is a sheet, such as a terrain, down to this height, "
        "as it lies in the case; without it a mesh must be closed",
        WHEN(kind, BIT(SLUICE_SHAPE_MESH))),
    REAL_(no_data, INFINITY, "file's unit", -1e39, 1e39,
          "the height that stands for none in a heightfield's table, such as -9999: rows of a line "
          "that have it are left out, those of a grid get the mean of their neighbours",
          WHEN(kind, BIT(SLUICE_SHAPE_HEIGHTFIELD))),
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
    TEXT_(motion, 0, "", NULL, "name of the motion that moves the wall",
          WHEN(content, ~BIT(SLUICE_SHAPE_BODY)), WATER),
};
#undef OF

/* --- motions -----------------------------------------------------------------------------------
 */
#define OF sluice_motion
static const struct sluice_row motions[] = {
#include "config/motions.def"
};
#undef OF

/* --- bodies ------------------------------------------------------------------------------------
 */
#define OF sluice_body
static const struct sluice_row bodies[] = {
    TEXT_(name, 0, "", NULL, "name of the shapes of type \"body\" that make the body", ALWAYS),
    BOOL_(each, 0,
          "each shape of that name is a body of its own, NAME_1, NAME_2, ...; false: they are one",
          ALWAYS),
    REAL_(density, 0, "kg/m^3", 0, 1e9, "density of the body, all through", ALWAYS),
    REAL_(mass, 0, "kg (2-D: kg/m)", 0, 1e30, "its mass, instead of the density", ALWAYS),
    VECTOR_(centre, INFINITY, "m", -FAR, FAR,
            "its centre of mass at the start; without it that of its volume", ALWAYS),
    VECTOR_(inertia, INFINITY, "kg m^2 (2-D: kg m)", 0, 1e30,
            "its moments of inertia about x, y, z through the centre, in 2-D that about z; without "
            "it that of its volume",
            .length = SLUICE_LENGTH_OF_TURN),
    VECTOR_(products, INFINITY, "kg m^2", -1e30, 1e30,
            "off-diagonal entries of its inertia tensor: xy, xz, yz (3-D), as -sum m x y",
            .length = SLUICE_LENGTH_OF_TURN),
    VECTOR_(velocity, 0, "m/s", -1e6, 1e6, "its velocity at the start, or at its release", ALWAYS),
    VECTOR_(spin, 0, "1/s", -1e6, 1e6,
            "its angular velocity then, a vector; in 2-D a number, anticlockwise",
            .length = SLUICE_LENGTH_OF_TURN),
    TEXT_(locked, 0, "", NULL,
          "degrees of freedom that are held, as \"x, rz\": x, y, z along the axes, rx, ry, rz "
          "about them",
          ALWAYS),
    REAL_(release, 0, "s", 0, 1e12, "the body is held until this time", ALWAYS),
    NAMED_KEY(material.stiffness, "stiffness", REAL, 1e6, NULL, "Pa", 1, 1e14, NULL,
              "Young's modulus in contacts; a stiffer body takes shorter steps", ALWAYS),
    NAMED_KEY(material.poisson, "poisson", REAL, 0.3, NULL, "1", 0, 0.5, NULL,
              "Poisson's ratio in contacts", ALWAYS),
    NAMED_KEY(material.restitution, "restitution", REAL, 0.5, NULL, "1", 0, 1, NULL,
              "speed after over speed before an impact", ALWAYS),
    NAMED_KEY(material.friction, "friction", REAL, 0.4, NULL, "1", 0, 10, NULL,
              "coefficient of friction in contacts", ALWAYS),
};
#undef OF

/* --- moorings ----------------------------------------------------------------------------------
 */
#define OF     sluice_mooring
#define SPRING BIT(SLUICE_MOORING_SPRING)
static const struct sluice_row moorings[] = {
    CHOICE_(kind, REQUIRED, SLUICE_MOORINGS,
            "spring: along the line between two points, with a damper; hinge: holds a point of the "
            "body in place, or two bodies together at a point",
            ALWAYS),
    TEXT_(name, 0, "", NULL,
          "name of its file, mooring_NAME.csv; default: the kind and the number of the mooring",
          ALWAYS),
    TEXT_(body, 0, "", NULL, "name of the body", ALWAYS),
    TEXT_(other, 0, "", NULL, "name of another body at the far end; without it a point of space",
          ALWAYS),
    VECTOR_(at, INFINITY, "m", -FAR, FAR,
            "the point of the body, as it is at the start; without it the centre of mass", ALWAYS),
    VECTOR_(to, INFINITY, "m", -FAR, FAR,
            "the far end at the start: a point of space, or of the other body", WHEN(kind, SPRING)),
    REAL_(stiffness, REQUIRED, "N/m (2-D: N/m^2)", 0, 1e30,
          "force over the spring's stretch, or over the way that a hinge gives", ALWAYS),
    REAL_(damping, 0, "N s/m (2-D: N s/m^2)", 0, 1e30, "force over the speed of the stretch",
          ALWAYS),
    REAL_(length, INFINITY, "m", 0, FAR,
          "length of the spring at rest; without it that at the start", WHEN(kind, SPRING)),
    BOOL_(slack, 0, "it pulls, but does not push: a rope", WHEN(kind, SPRING)),
    VECTOR_(axis, INFINITY, "1", -FAR, FAR, "axis of the hinge in 3-D, of any length",
            WHEN(kind, BIT(SLUICE_MOORING_HINGE))),
    REAL_(
        width, 0, "m", 0, FAR,
        "length of the hinge along its axis (3-D), which keeps the axis in place; 0: a ball joint",
        WHEN(kind, BIT(SLUICE_MOORING_HINGE))),
};
#undef OF

/* --- initial -----------------------------------------------------------------------------------
 */
#define OF sluice_initial
#define POLYNOMIAL                                                                                 \
    (BIT(SLUICE_INITIAL_UNIFORM) | BIT(SLUICE_INITIAL_LINEAR) | BIT(SLUICE_INITIAL_QUADRATIC))
#define CENTRED                                                                                    \
    (BIT(SLUICE_INITIAL_LINEAR) | BIT(SLUICE_INITIAL_QUADRATIC) | BIT(SLUICE_INITIAL_ROTATION) |   \
     BIT(SLUICE_INITIAL_VORTEX) | BIT(SLUICE_INITIAL_POINT))
#define WAVES (BIT(SLUICE_INITIAL_ACOUSTIC_WAVE) | BIT(SLUICE_INITIAL_GRAVITY_WAVE))
static const struct sluice_row initials[] = {
    CHOICE_(field, REQUIRED, SLUICE_INITIAL_FIELDS, "field that is set", ALWAYS),
    CHOICE_(kind, REQUIRED, SLUICE_INITIALS,
            "the form of the field; sine, vortex (Gresho & Chan 1990), shear (McNally et al. 2012) "
            "and point for a gas",
            ALWAYS),
    TEXT_(on, 0, "", NULL, "name of the fluid that is set: shapes, or rows of a file; empty: all",
          WHEN(kind, ~BIT(SLUICE_INITIAL_POINT))),
    REAL_(level, INFINITY, "m", -FAR, FAR,
          "where the water stands, along gravity's axis; without it at its highest place: water "
          "below other water shares its level, beside other water it has its own",
          WHEN(kind, BIT(SLUICE_INITIAL_HYDROSTATIC))),
    VECTOR_(value, 0, "m/s, Pa, kg/m^3 or J/kg", -1e12, 1e12,
            "the value, at the centre, or the amplitude of a sine, which is added; a vector for "
            "the velocity, a number otherwise",
            WHEN(kind, POLYNOMIAL | BIT(SLUICE_INITIAL_SINE)), .length = SLUICE_LENGTH_OF_FIELD),
    KEY(gradient, MATRIX, REQUIRED, NULL, "1/s, Pa/m, kg/m^4 or J/(kg m)", -1e12, 1e12, NULL,
        "field_i = value_i + sum_j gradient_ij (x_j - centre_j): a list of rows for the velocity, "
        "one row otherwise",
        WHEN(kind, BIT(SLUICE_INITIAL_LINEAR)), .length = SLUICE_LENGTH_OF_FIELD),
    VECTOR_(centre, 0, "m", -FAR, FAR, "point where the field has its value", WHEN(kind, CENTRED)),
    REAL_(curvature, REQUIRED, "Pa/m^2, kg/m^5 or J/(kg m^2)", -1e12, 1e12,
          "value + curvature |x - centre|^2", WHEN(kind, BIT(SLUICE_INITIAL_QUADRATIC))),
    REAL_(rate, REQUIRED, "1/s", -1e9, 1e9, "angular velocity about the z axis through the centre",
          WHEN(kind, BIT(SLUICE_INITIAL_ROTATION))),
    REAL_(amplitude, REQUIRED, "1, m, m/s or J", -1e100, 1e100,
          "relative density of an acoustic wave, elevation of a gravity wave, speed of a "
          "Taylor-Green vortex, energy of a point (J, in 2-D J/m), which is added",
          WHEN(kind, WAVES | BIT(SLUICE_INITIAL_TAYLOR_GREEN) | BIT(SLUICE_INITIAL_POINT))),
    REAL_(radius, 0, "m", 0, FAR,
          "radius of the kernel that a point's energy is spread over; 0: the largest support at "
          "the start",
          WHEN(kind, BIT(SLUICE_INITIAL_POINT))),
    REAL_(depth, 0, "m", 0, FAR,
          "still depth under a gravity wave; 0: the fluid's extent along gravity",
          WHEN(kind, BIT(SLUICE_INITIAL_GRAVITY_WAVE))),
    KEY(mode, INTS, 0, NULL, "1", 0, 1000, NULL,
        "whole waves (gravity-wave: half waves) across the domain on each axis; 0 counts as 1 in a "
        "Taylor-Green vortex",
        WHEN(kind, WAVES | BIT(SLUICE_INITIAL_TAYLOR_GREEN) | BIT(SLUICE_INITIAL_SINE))),
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
static const char quantity_words[] = SLUICE_PROBE_QUANTITIES(SLUICE_CHOICES)
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) word "|"
#include "physics/effects.def"
    ;

#define PROBE_WORD(_, value, word, ...)                           word "|"
#define PROBE_SENTENCE(_, value, word, has, sentence, not_of_gas) sentence "; "

#define OF       sluice_probe
#define ON_FACES SLUICE_PROBES_WITH(SLUICE_PROBE_TAKES_FACE)
#define PATCHES  SLUICE_PROBES_WITH(SLUICE_PROBE_TAKES_SIZE)
#define ENDS     SLUICE_PROBES_WITH(SLUICE_PROBE_TAKES_ENDS)
static const struct sluice_row probes[] = {
    WORD_(kind, REQUIRED, SLUICE_PROBE_KINDS(PROBE_WORD, ),
          SLUICE_PROBE_KINDS(PROBE_SENTENCE, ) "some of them for water alone", ALWAYS),
    TEXT_(name, 0, "", NULL,
          "name of its file, probe_NAME.csv; default: the kind and the number of the probe",
          ALWAYS),
    REAL_(every, REQUIRED, "s", 1e-12, 1e12, "time between rows", ALWAYS),
    WORD_(
        quantity, 0, quantity_words,
        "quantity to sample; energy: u of a gas; smoothing-length: h of a gas; all: each of these "
        "that the model has; the words after it: fields of effects, as in output.fields",
        WHEN(kind, SLUICE_PROBES_WITH(SLUICE_PROBE_TAKES_QUANTITY))),
    TEXT_(on, 0, "", NULL,
          "name of the shapes with the face of the point or patch, or of the group for the force",
          WHEN(kind, ON_FACES | BIT(SLUICE_PROBE_FORCE))),
    KEY(face, FACE, -1, NULL, "", 0, 0, NULL,
        "their face, or the side they are seen from: x- x+ y- y+ z- z+, or left right bottom top "
        "front back",
        WHEN(kind, ON_FACES)),
    VECTOR_(at, REQUIRED, "m", -FAR, FAR,
            "the point; on a face: its place, or the patch's centre, along the other axes; height "
            "and profile: the horizontal place",
            WHEN(kind, ON_FACES | SLUICE_PROBES_WITH(SLUICE_PROBE_IS_UPRIGHT)),
            .length = SLUICE_LENGTH_FREE),
    VECTOR_(size, REQUIRED, "m", 1e-9, FAR, "sides of the patch along the other axes",
            WHEN(kind, PATCHES), .length = SLUICE_LENGTH_FREE),
    BOOL_(round, 0, "the patch is the ellipse within its sides: equal sides make a disc (3-D)",
          WHEN(kind, PATCHES)),
    VECTOR_(from, REQUIRED, "m", -FAR, FAR,
            "first point (of a run-up: the lowest of the slope), or a corner of the section",
            WHEN(kind, ENDS)),
    VECTOR_(to, REQUIRED, "m", -FAR, FAR,
            "last point, or the opposite corner; flux, overtopping: from and to agree on one axis, "
            "the direction of the flow",
            WHEN(kind, ENDS)),
    KEY(points, SMALL, REQUIRED, NULL, "1", 2, 100000, NULL,
        "points of the line, its ends included; of a profile, in the middles of as many layers",
        WHEN(kind, SLUICE_PROBES_WITH(SLUICE_PROBE_TAKES_POINTS))),
    CHOICE_(
        table, 0, SLUICE_LINE_TABLES,
        "wide: a row a time, with columns as pressure_0; long: a row a time and point, with the "
        "columns point, x, y, z and pressure",
        WHEN(kind, BIT(SLUICE_PROBE_LINE))),
    WORD_(axis, 0, "x|y|z", "axis of the front", WHEN(kind, BIT(SLUICE_PROBE_FRONT))),
    REAL_(above, 0, "m", -FAR, FAR, "only particles higher than this along the last axis",
          WHEN(kind, BIT(SLUICE_PROBE_FRONT))),
    REAL_(depth, 0, "m", 0, FAR,
          "least depth of water that counts as run-up; 0: half a spacing, the end of the outermost "
          "particle",
          WHEN(kind, BIT(SLUICE_PROBE_RUNUP))),
    REAL_(gap, REQUIRED, "s", 0, 1e12,
          "an event ends when next to nothing has passed over for so long; a quarter of the waves' "
          "period is a good choice",
          WHEN(kind, BIT(SLUICE_PROBE_OVERTOPPING))),
    REAL_(least, 0, "m^3/m", 0, 1e12,
          "least volume of an event that counts, a metre of the crest; 0: dp^2, a row of particles",
          WHEN(kind, BIT(SLUICE_PROBE_OVERTOPPING))),
    BOOL_(reverse, 0, "water passes over against the axis",
          WHEN(kind, BIT(SLUICE_PROBE_OVERTOPPING))),
    VECTOR_(about, 0, "m", -FAR, FAR, "centre of the torque", WHEN(kind, BIT(SLUICE_PROBE_FORCE))),
};
#undef OF

/* --- openings ----------------------------------------------------------------------------------
 */
#define OF                            sluice_opening
#define GIVEN(member, unit, doc, ...) REAL_(member, INFINITY, unit, -FAR, FAR, doc, __VA_ARGS__)
static const struct sluice_row openings[] = {
    TEXT_(name, REQUIRED, NULL, NULL, "name of the opening, and of its table opening_NAME.csv",
          ALWAYS),
    CHOICE_(kind, REQUIRED, SLUICE_OPENING_KINDS,
            "inlet: water only enters; outlet: it only leaves; open: both ways", ALWAYS),
    KEY(face, FACE, -1, NULL, "", 0, 0, NULL,
        "the face of the domain: its buffer lies within the domain along it", ALWAYS),
    VECTOR_(from, INFINITY, "m", -FAR, FAR,
            "lower corner of the part of the face that is open; without it all of the face is",
            .length = SLUICE_LENGTH_DIMENSION),
    VECTOR_(to, INFINITY, "m", -FAR, FAR, "upper corner of that part",
            .length = SLUICE_LENGTH_DIMENSION),
    VECTOR_(centre, INFINITY, "m", -FAR, FAR,
            "centre of an opening at any angle, instead of a face: its buffer lies behind it",
            .length = SLUICE_LENGTH_DIMENSION),
    VECTOR_(normal, 0, "1", -FAR, FAR, "direction of that opening into the water, of any length",
            .length = SLUICE_LENGTH_DIMENSION),
    VECTOR_(size, 0, "m", 0, FAR,
            "sides of that opening, across the normal: in 3-D the first is horizontal",
            .length = SLUICE_LENGTH_FREE),
    REAL_(radius, 0, "m", 0, FAR, "radius of that opening, if it is a disc (3-D)", ALWAYS),
    VECTOR_(direction, 0, "1", -FAR, FAR,
            "direction in which the water of an inlet comes, of any length, at most 60 degrees off "
            "the normal; without it along the normal",
            .length = SLUICE_LENGTH_DIMENSION),
    GIVEN(velocity, "m/s",
          "mean velocity into the water along the normal; below 0 water leaves; without it the "
          "velocity is extrapolated from the water",
          ALWAYS),
    GIVEN(discharge, "m^3/s (2-D: m^2/s)",
          "volume of water at the reference density that enters in a second, instead of a velocity",
          ALWAYS),
    GIVEN(level, "m",
          "height of the water's surface: the pressure is hydrostatic below it; without level and "
          "pressure it is extrapolated from the water",
          ALWAYS),
    GIVEN(pressure, "Pa", "pressure at the centre of the opening, hydrostatic about it", ALWAYS),
    GIVEN(depth, "m",
          "of an inlet with a velocity or a discharge: depth of the water over the lower edge of "
          "the opening; without it all of the opening",
          ALWAYS),
    CHOICE_(profile, SLUICE_PROFILE_UNIFORM, SLUICE_OPENING_PROFILES,
            "how a velocity or a discharge is spread: uniform; parabolic: between the edges, 0 "
            "there; log: by the law of the wall over the lower edge; power: of the height over it",
            ALWAYS),
    REAL_(roughness, 0, "m", 0, FAR, "grain ks of the log profile",
          WHEN(profile, BIT(SLUICE_PROFILE_LOG))),
    REAL_(exponent, 1.0 / 7, "1", 0, 10, "exponent of the power profile",
          WHEN(profile, BIT(SLUICE_PROFILE_POWER))),
    NAMED_KEY(table, "file", TEXT, 0, "", "", 0, 0, NULL,
              "CSV table of what changes in time, relative to the config's folder: t or time (s), "
              "and any of velocity, discharge, level, pressure; or of velocities over the depth: "
              "height (m over the lower edge), velocity, and t or time if they change; it takes "
              "the place of these keys",
              ALWAYS),
    REAL_(start, 0, "s", 0, 1e12, "before this time nothing enters that is not extrapolated",
          ALWAYS),
    REAL_(ramp, 0, "s", 0, 1e12,
          "time over which a velocity or a discharge rises to its value, smoothly", ALWAYS),
    BOOL_(absorb, 0,
          "sound leaves: the velocity or the pressure that is given yields to it by the "
          "characteristic relation (Lastiwka et al. 2009)",
          ALWAYS),
};
#undef OF
#undef GIVEN

#define LIST(path, doc, rows, entry, list, count, limit, models)                                   \
    {                                                                                              \
        path, doc, rows, COUNT(rows), sizeof(struct entry), offsetof(struct sluice_config, list),  \
            offsetof(struct sluice_config, count), limit, models, offsetof(struct entry, file),    \
            offsetof(struct entry, line)                                                           \
    }

const struct sluice_table sluice_config_lists[SLUICE_TABLE_COUNT] = {
    LIST("geometry", "the shapes of the fluid and the walls", shapes, sluice_shape, shapes,
         shape_count, 10000, BIT(SLUICE_MODEL_WCSPH) | BIT(SLUICE_MODEL_GAS)),
    LIST("motions", "how walls move", motions, sluice_motion, motions, motion_count,
         SLUICE_CONFIG_MOTIONS, BIT(SLUICE_MODEL_WCSPH)),
    LIST("bodies", "rigid bodies, which fluid, gravity and contacts move", bodies, sluice_body,
         bodies, body_count, 10000, BIT(SLUICE_MODEL_WCSPH)),
    LIST("moorings", "springs, ropes and hinges of bodies", moorings, sluice_mooring, moorings,
         mooring_count, 10000, BIT(SLUICE_MODEL_WCSPH)),
    LIST("initial",
         "fields at the start, applied in order; without any water is at rest, and a gas as its "
         "shapes say",
         initials, sluice_initial, initials, initial_count, 100, ~0u),
    LIST("forces", "body forces beside gravity", forces, sluice_central_config, centrals,
         central_count, SLUICE_CONFIG_CENTRALS, BIT(SLUICE_MODEL_WCSPH) | BIT(SLUICE_MODEL_LJ)),
    LIST("probes", "measurements during the run", probes, sluice_probe, probes, probe_count, 1000,
         BIT(SLUICE_MODEL_WCSPH) | BIT(SLUICE_MODEL_GAS)),
    LIST("openings", "where water comes in and goes out", openings, sluice_opening, openings,
         opening_count, 100, BIT(SLUICE_MODEL_WCSPH)),
};
