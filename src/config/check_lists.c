/* Checks of the keys of a list entry together, and with the rest of the case. */
#include <math.h>
#include <string.h>

#include "config/checks.h"
#include "core/nearest_word.h"
#include "particles/id.h"

static const double ids_max = (double)SLUICE_ID_MAX;

/* More particles than ids mean that the spacing has the wrong unit. */
static void check_shape_size(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_shape *s = e->base;
    const int is_long = s->kind == SLUICE_SHAPE_CYLINDER || s->kind == SLUICE_SHAPE_CONE,
              has_size = is_long || s->kind == SLUICE_SHAPE_BOX || s->kind == SLUICE_SHAPE_SPHERE ||
                         s->kind == SLUICE_SHAPE_DISC,
              fills = s->type == SLUICE_SHAPE_FLUID || s->type == SLUICE_SHAPE_WALL;
    double cells = has_size && fills;
    for (int a = 0; a < c->dimension && c->spacing > 0; a++) {
        const double apart = s->spacing > 0 ? s->spacing : c->spacing;
        double length = s->kind == SLUICE_SHAPE_BOX ? s->max[a] - s->min[a] : 2 * s->radius;
        if (is_long && a == s->axis)
            length = s->length;
        cells *= length > 0 ? length * s->scale / apart : 0;
    }
    if (c->spacing > 0 && cells > ids_max && e->r->particles <= ids_max)
        sluice_entry_report(e, "",
                            "%.3g particles at spacing %g: is the spacing right? At most %.0f are "
                            "possible" SLUICE_ID_REMEDY,
                            cells, c->spacing, ids_max);
    e->r->particles += cells;
}

/* Keys of a gas's shape. */
static void check_gas_shape(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    struct sluice_shape *s = e->base;
    if (c->dimension == 2 && !sluice_tree_find(e->node, "lattice"))
        s->lattice = SLUICE_LATTICE_SQUARE;
    const int flat = s->lattice == SLUICE_LATTICE_SQUARE || s->lattice == SLUICE_LATTICE_HEXAGONAL;
    const struct sluice_conflict conflicts[] = {
        {s->kind != SLUICE_SHAPE_WALLS && s->type == SLUICE_SHAPE_WALL, "type",
         "walls of a gas are faces of the domain, shape = \"walls\": write \"fluid\", or \"void\" "
         "for a place without gas"},
        {s->pressure > 0 && s->energy > 0, "energy",
         "it follows from the pressure, which is given, too: remove one of the two"},
        {s->type == SLUICE_SHAPE_FLUID && c->dimension == 2 && s->lattice >= 0 && !flat, "lattice",
         "this lattice has three dimensions, the case two: choose \"square\" or \"hexagonal\""},
        {s->type == SLUICE_SHAPE_FLUID && c->dimension == 3 && flat, "lattice",
         "this lattice has two dimensions, the case three: choose \"cubic\" or \"fcc\""}};
    if (c->model == SLUICE_MODEL_GAS)
        SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

/* The motion that a shape names. */
static void check_shape_motion(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_shape *s = e->base;
    const char *names[SLUICE_CONFIG_MOTIONS], *nearest;
    int count = 0;
    if (!s->motion[0] || s->body)
        return;
    if (s->type != SLUICE_SHAPE_WALL && s->type >= 0)
        sluice_entry_report(
            e, "motion", "only walls are carried by a motion: write type = \"wall\", or remove it");
    for (int k = 0; k < c->motion_count; k++) {
        if (strcmp(c->motions[k].name, s->motion) == 0)
            return;
        if (c->motions[k].name[0])
            names[count++] = c->motions[k].name;
    }
    if (sluice_nearest_word(s->motion, names, count, &nearest))
        sluice_entry_report(e, "motion", "no motion is named \"%.60s\": did you mean \"%s\"?",
                            s->motion, nearest);
    else
        sluice_entry_report(e, "motion", "no motion is named \"%.60s\": add it to motions",
                            s->motion);
}

/* A shape of that name that comes later is not meant; without a word it would be missed. */
static void warn_of_later(const struct sluice_entry *e, const char *key, const char *name)
{
    const struct sluice_config *c = e->r->config;
    for (int k = e->i + 1; k < c->shape_count; k++)
        if (strcmp(c->shapes[k].name, name) == 0) {
            sluice_report_add(e->r->report, sluice_tree_find(e->node, key), "geometry",
                              "warning: %s takes earlier shapes named \"%.60s\" alone, not that of "
                              "%s:%d: put this one after it, or give it another name",
                              key, name, c->shapes[k].file, c->shapes[k].line);
            return;
        }
}

/* The shapes that `within` or `without` names come earlier, so that none is a part of itself. */
static void check_combined(const struct sluice_entry *e, const char *key, const char *name)
{
    const struct sluice_config *c = e->r->config;
    const char *names[64], *nearest;
    int count = 0;
    int found = 0;
    if (!name[0])
        return;
    for (int k = 0; k < e->i; k++) {
        if (strcmp(c->shapes[k].name, name) == 0) {
            if (c->shapes[k].kind == SLUICE_SHAPE_WALLS)
                sluice_entry_report(e, key,
                                    "\"%.60s\" names the walls of %s:%d, which have no surface of "
                                    "their own: give the shapes that are meant another name",
                                    name, c->shapes[k].file, c->shapes[k].line);
            found = 1;
        }
        if (c->shapes[k].name[0] && count < 64)
            names[count++] = c->shapes[k].name;
    }
    if (found) {
        warn_of_later(e, key, name);
        return;
    }
    if (sluice_nearest_word(name, names, count, &nearest))
        sluice_entry_report(e, key, "no earlier shape is named \"%.60s\": did you mean \"%s\"?",
                            name, nearest);
    else
        sluice_entry_report(e, key,
                            "no earlier shape is named \"%.60s\": put one of that name before this "
                            "one, of type \"part\" if it fills nothing itself",
                            name);
}

/* Keys of shapes that a table of keys cannot check by itself. */
static void check_surface(const struct sluice_entry *e)
{
    const int dimension = e->r->config->dimension;
    const struct sluice_shape *s = e->base;
    const int polygon = s->kind == SLUICE_SHAPE_POLYGON,
              from_file = s->kind == SLUICE_SHAPE_HEIGHTFIELD || s->kind == SLUICE_SHAPE_MESH,
              turned = s->rotation_degrees != 0;
    const struct sluice_conflict conflicts[] = {
        {dimension == 2 && s->kind == SLUICE_SHAPE_MESH, "shape",
         "a mesh has three dimensions, the case two: use a polygon"},
        {dimension == 2 && s->kind == SLUICE_SHAPE_CONE, "shape",
         "a cone has three dimensions, the case two: use a polygon"},
        {from_file && !s->surface[0] && !sluice_entry_refused(e, "file"), "file",
         "missing: name the file of the surface"},
        {polygon && s->points.count > 0 && s->surface[0], "points",
         "the file gives the points, too: remove one of the two"},
        {polygon && s->points.count == 0 && !s->surface[0] && !sluice_entry_refused(e, "points") &&
             !sluice_entry_refused(e, "file"),
         "points", "missing: give the corners, as ([0.0, 0.0], [4.0, 0.0], [4.0, 0.8]), or a file"},
        {polygon && s->points.count > 0 && s->points.count < 3, "points",
         "a polygon has three corners or more"},
        {polygon && !(s->from < s->to), "to",
         "the prism ends where it begins, or before: raise it"},
        {dimension == 2 && (s->rotation_axis[0] != 0 || s->rotation_axis[1] != 0), "rotation_axis",
         "in 2-D everything turns about z: leave it out"},
        {!turned &&
             (s->rotation_axis[0] != 0 || s->rotation_axis[1] != 0 || s->rotation_axis[2] != 0),
         "rotation_degrees", "missing: by how many degrees does the shape turn?"},
        {s->kind == SLUICE_SHAPE_HALF_SPACE && sluice_entry_given(e, "normal") &&
             s->normal[0] == 0 && s->normal[1] == 0 && s->normal[2] == 0,
         "normal", "it has no direction: give the one that leads out of the solid"},
        {s->type == SLUICE_SHAPE_PART && !s->name[0], "name",
         "missing: other shapes use a part by its name"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    check_combined(e, "within", s->within);
    check_combined(e, "without", s->without);
}

/* A shape's own friction. */
static void check_slip(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_shape *s = e->base;
    const int all = c->wall_friction.slip, sticks = s->slip == SLUICE_SHAPE_SLIP_NONE;
    const struct sluice_conflict conflicts[] = {
        {sticks && (all == SLUICE_SLIP_LAW || all == SLUICE_SLIP_ARTIFICIAL), "slip",
         "boundary.slip gives other walls a friction of another kind, and a run has one kind: "
         "leave "
         "this out, choose \"free\" here, or \"free\" for boundary.slip"},
        {sticks && c->boundary.kind >= 0 && !sluice_config_walls_have(c, SLUICE_WALL_FRICTION),
         "slip",
         "these walls push along the line to each fluid particle alone, without friction: choose "
         "another boundary.kind, or \"free\""},
        {sticks && all != SLUICE_SLIP_NONE && c->viscosity.kind >= 0 &&
             !(1u << c->viscosity.kind & SLUICE_LAMINAR_BITS),
         "slip", "warning: \"no-slip\" changes nothing without laminar viscosity"}};
    if (c->model == SLUICE_MODEL_WCSPH)
        SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

void sluice_check_shape(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    struct sluice_shape *s = e->base;
    const int is_walls = s->kind == SLUICE_SHAPE_WALLS,
              has_corners = s->kind == SLUICE_SHAPE_BOX && sluice_entry_given(e, "min") &&
                            sluice_entry_given(e, "max");
    s->type = is_walls || s->content == SLUICE_SHAPE_BODY ? SLUICE_SHAPE_WALL : s->content;
    for (int a = 0; a < c->dimension; a++) {
        if (has_corners && !(s->min[a] < s->max[a]))
            sluice_entry_report(e, "max", "%g along %c is not above min, %g: raise it", s->max[a],
                                "xyz"[a], s -> min[a]);
        if (is_walls && c->domain.periodic[a] && s->sides & 3u << 2 * a)
            sluice_entry_report(
                e, "sides",
                "a wall stands across the periodic axis %c: remove the side, or its "
                "domain.periodic",
                "xyz"[a]);
    }
    const struct sluice_conflict conflicts[] = {
        {s->phase == 2 && s->type == SLUICE_SHAPE_FLUID && !c->two_fluids.used, "phase",
         "there is one fluid: give another by fluid.second, or remove it"},
        {c->dimension == 2 && s->kind == SLUICE_SHAPE_SPHERE, "shape",
         "a sphere has three dimensions, the case two: use a disc"},
        {c->dimension == 2 && s->kind == SLUICE_SHAPE_CYLINDER, "shape",
         "a cylinder has three dimensions, the case two: use a disc"},
        {c->dimension == 3 && s->kind == SLUICE_SHAPE_DISC, "shape",
         "a disc has two dimensions, the case three: use a sphere or a cylinder"}};
    sluice_check_body_shape(e);
    check_shape_motion(e);
    check_slip(e);
    check_gas_shape(e);
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    check_surface(e);
    check_shape_size(e);
    sluice_check_name(e);
}

/* Keys of a motion of kind "wave". */
static void check_wave(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_motion *m = e->base;
    const struct sluice_wave_settings *w = &m->wave;
    const int solitary = w->kind == SLUICE_WAVE_SOLITARY,
              record = w->kind == SLUICE_WAVE_ELEVATION || w->kind == SLUICE_WAVE_PADDLE,
              flap = w->paddle == SLUICE_PADDLE_FLAP, in_file = w->spectrum == SLUICE_SPECTRUM_FILE,
              has_height = in_file && w->kind == SLUICE_WAVE_IRREGULAR,
              refused = sluice_entry_refused(e, "period") || sluice_entry_refused(e, "length");
    const struct sluice_conflict conflicts[] = {
        {!solitary && !record && !in_file && m->period < 1e-12 && w->length == 0 && !refused,
         "period", "missing: give the period of the waves (s), or their length (m)"},
        {!record && m->period > 0 && w->length > 0, "length",
         "period and length say the same: leave one out"},
        {solitary && m->period > 0, "period", "a solitary wave has none: leave it out"},
        {record && m->period > 0, "period", "the record has its own: leave it out"},
        {!record && !has_height && w->height < 1e-12 && !sluice_entry_refused(e, "height"),
         "height", "missing: give the height of the waves (m), above 0"},
        {solitary && flap, "paddle", "a solitary wave needs a piston"},
        {flap && w->hinge >= w->depth, "hinge", "must be below the surface of the water, depth"},
        {c->dimension == 3 && flap && m->axis == 2, "axis",
         "a flap turns about a horizontal axis: \"x\" or \"y\""},
        {w->direction[c->dimension - 1] != 0, "direction", "must be horizontal"},
        {flap && !sluice_entry_given(e, "centre"), "centre",
         "missing: give the place of the flap's hinge"},
        {!flap && (m->centre[0] != 0 || m->centre[1] != 0 || m->centre[2] != 0), "centre",
         "a piston does not turn: leave it out"},
        {flap && c->dimension == 3 && m->axis < 2 && w->direction[m->axis] != 0, "direction",
         "a flap's waves run across its axis"},
        {w->kind != SLUICE_WAVE_REGULAR && m->phase != 0, "phase",
         "only regular waves have one: leave it out"},
        {w->gain == 0, "gain", "0 makes no waves"},
        {w->band_low >= w->band_high && isfinite(w->band_low), "band_low",
         "must be below band_high"},
        {w->kind == SLUICE_WAVE_PADDLE && w->stop > 0 && w->ramp == 0, "ramp",
         "missing: give the time in which the motion decays before stop (s)"}};
    if (w->kind >= 0 && w->paddle >= 0 && w->spectrum >= 0)
        SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

void sluice_check_motion(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_motion *m = e->base;
    int used = sluice_check_carried(e), moves = m->angle != 0;
    for (int a = 0; a < 3; a++)
        moves |= m->velocity[a] != 0 || m->acceleration[a] != 0 || m->amplitude[a] != 0;
    const int reads = m->kind == SLUICE_MOTION_TABLE || m->wave.kind == SLUICE_WAVE_ELEVATION ||
                      m->wave.kind == SLUICE_WAVE_PADDLE ||
                      m->wave.spectrum == SLUICE_SPECTRUM_FILE;
    const struct sluice_conflict conflicts[] = {
        {!m->name[0], "name", "missing: give the motion a name"},
        {m->kind == SLUICE_MOTION_SINE && m->period < 1e-12 && !sluice_entry_refused(e, "period"),
         "period", "missing: give the period of the sine (s), above 0"},
        {m->kind == SLUICE_MOTION_SINE && !moves, "amplitude",
         "nothing moves: give an amplitude or an angle"},
        {m->kind == SLUICE_MOTION_LINEAR && !moves, "velocity",
         "nothing moves: give a velocity or an acceleration"},
        {reads && !m->table[0] && !sluice_entry_refused(e, "file"), "file",
         m->kind == SLUICE_MOTION_TABLE             ? "missing: name the table of the motion"
         : m->wave.spectrum == SLUICE_SPECTRUM_FILE ? "missing: name the table of the spectrum"
                                                    : "missing: name the table of the record"},
        {c->dimension == 2 && m->axis != 2 && m->kind > SLUICE_MOTION_LINEAR, "axis",
         "in 2-D everything turns about z: leave it out"}};
    for (int k = 0; k < e->i && m->name[0]; k++)
        if (strcmp(c->motions[k].name, m->name) == 0)
            sluice_entry_report(
                e, "name", "\"%s\" is the name of motions.[%d] too: names must differ", m->name, k);
    for (int s = 0; s < c->shape_count; s++)
        used |= strcmp(c->shapes[s].motion, m->name) == 0;
    if (!used && m->name[0] && !m->carries[0])
        sluice_report_add(e->r->report, e->node, "motions",
                          "warning: \"%s\" moves nothing: name what it moves, as "
                          "carries = \"piston\"",
                          m->name);
    if (m->kind == SLUICE_MOTION_WAVE)
        check_wave(e);
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

void sluice_check_initial(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_initial *f = e->base;
    if (f->kind < 0 || f->field < 0 || c->model < 0)
        return;
    const unsigned fields = sluice_initial_fields(f->kind, c->model);
    if (fields == 0) {
        const int other = c->model == SLUICE_MODEL_GAS ? SLUICE_MODEL_WCSPH : SLUICE_MODEL_GAS;
        char text[200];
        sluice_models_text(1u << other, c->model, text, sizeof text);
        sluice_entry_report(e, "kind", "%s", text);
        return;
    }
    if (!(fields & 1u << f->field)) {
        const struct sluice_param *p = &sluice_config_lists[SLUICE_TABLE_INITIAL].row[0].p;
        char allowed[80], word[64];
        sluice_choices_text(p, fields, allowed, sizeof allowed);
        sluice_entry_report(e, "field", "this kind does not set \"%s\": it sets %s",
                            sluice_choice_word(p, f->field, word), allowed);
        return;
    }
    if (f->field == SLUICE_FIELD_OF_DENSITY && f->kind <= SLUICE_INITIAL_QUADRATIC &&
        !(f->value[0] > 0))
        sluice_entry_report(e, "value", "a density of %g kg/m^3: it must be above 0%s", f->value[0],
                            c->model == SLUICE_MODEL_GAS ? "" : ", about fluid.density");
    const int is_acoustic = f->kind == SLUICE_INITIAL_ACOUSTIC_WAVE,
              is_gravity = f->kind == SLUICE_INITIAL_GRAVITY_WAVE,
              has_mode = f->mode[0] != 0 || f->mode[1] != 0 || f->mode[2] != 0;
    const struct sluice_conflict conflicts[] = {
        {c->model == SLUICE_MODEL_LJ && (f->field != SLUICE_FIELD_OF_VELOCITY || is_acoustic),
         "field", "model \"lj\" has velocities only, and no speed of sound: remove the entry"},
        {(is_acoustic || is_gravity || f->kind == SLUICE_INITIAL_SINE) && !has_mode, "mode",
         "0 along every axis is no wave: give one axis a mode, as [1, 0]"},
        {is_gravity && c->dimension > 0 && f->mode[c->dimension - 1] != 0, "mode",
         "a gravity wave runs along horizontal axes: write 0 for the last one"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}
