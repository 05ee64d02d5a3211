/* Checks of the keys of an opening together, and with the rest of the case. */
#include <math.h>
#include <string.h>

#include "config/checks.h"
#include "core/vector.h"

/* Where it is: on a face of the domain, or a rectangle or a disc at any angle. */
static void check_place(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_opening *o = e->base;
    const int free = isfinite(o->centre[0]), sides = c->dimension - 1;
    int has_normal = 0, has_size = 1, any_size = 0;
    for (int a = 0; a < 3; a++)
        has_normal |= o->normal[a] != 0;
    for (int k = 0; k < sides; k++)
        has_size &= o->size[k] > 0;
    for (int k = 0; k < 3; k++)
        any_size |= o->size[k] > 0;
    const struct sluice_conflict conflicts[] = {
        {o->face < 0 && !free && !sluice_entry_refused(e, "face"), "face",
         "missing: give a face of the domain, as \"x-\", or centre, normal, and size or radius"},
        {o->face >= 0 && free, "centre",
         "the opening is on a face of the domain: leave centre out, or face"},
        {o->face >= 2 * c->dimension, "face", "the case has no such face"},
        {o->face >= 0 && o->face < 2 * c->dimension && c->domain.periodic[o->face / 2], "face",
         "lies across a periodic axis: remove its domain.periodic"},
        {free && (isfinite(o->from[0]) || isfinite(o->to[0])), "from",
         "and to are of an opening on a face of the domain: give size, or a radius"},
        {o->face >= 0 && (has_normal || o->radius > 0 || any_size), "normal",
         "of an opening at any angle: the face has its own; use from and to for a part of it"},
        {free && !has_normal, "normal", "missing: give the direction into the water"},
        {free && o->radius > 0 && c->dimension == 2, "radius",
         "a disc has its normal in 3-D: in 2-D give the width as size"},
        {free && o->radius > 0 && any_size, "size",
         "the opening is a disc, by its radius: leave one of them out"},
        {free && o->size[sides] > 0, "size",
         "more than its sides across the normal: one in 2-D, two in 3-D"},
        {free && !(o->radius > 0) && !has_size, "size",
         "missing: give its sides across the normal (m), one in 2-D, two in 3-D, or a radius"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

/* The direction in which its water comes. */
static void check_direction(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_opening *o = e->base;
    double normal[3] = {0, 0, 0}, periodic = 0;
    const double length = sluice_norm(o->direction);
    for (int a = 0; a < 3; a++) {
        normal[a] = o->face < 0 ? o->normal[a] : a == o->face / 2 ? 1 - 2 * (o->face % 2) : 0;
        periodic += c->domain.periodic[a] * fabs(o->direction[a]);
    }
    const double cosine = sluice_dot(o->direction, normal) / (length * sluice_norm(normal));
    const struct sluice_conflict conflicts[] = {
        {length > 0 && o->kind != SLUICE_OPENING_INLET, "direction",
         "is that of water that comes, of an inlet: leave it out"},
        {length > 0 && cosine < 0.5 - 1e-9, "direction",
         "is more than 60 degrees off the normal into the water: take an opening at that angle "
         "(centre, normal, size)"},
        {length > 0 && periodic > 0, "direction",
         "goes along a periodic axis, which columns cannot pass: take a component of 0 there"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

/* A part of a face: within the domain, and on the face. */
static void check_part(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_opening *o = e->base;
    const int axis = o->face / 2;
    if (o->face < 0 || o->face >= 2 * c->dimension)
        return;
    const double face = o->face % 2 ? c->domain.max[axis] : c->domain.min[axis];
    for (int a = 0; a < c->dimension; a++) {
        const double least = a == axis ? face : c->domain.min[a],
                     most = a == axis ? face : c->domain.max[a], slack = 1e-9 * c->spacing;
        const struct {
            const char *key;
            double value;
        } ends[] = {{"from", o->from[a]}, {"to", o->to[a]}};
        for (int k = 0; k < 2; k++)
            if (isfinite(ends[k].value) &&
                (ends[k].value < least - slack || ends[k].value > most + slack))
                sluice_entry_report(e, ends[k].key,
                                    a == axis ? "%.9g along %c is not on the face, which is at "
                                                "%.9g: give that"
                                              : "%.9g along %c is outside the face, which goes "
                                                "from %.9g to %.9g",
                                    ends[k].value, "xyz"[a], least, most);
        if (a != axis && isfinite(o->from[a]) && isfinite(o->to[a]) && !(o->from[a] < o->to[a]))
            sluice_entry_report(e, "to", "%.9g along %c is not above from, %.9g: raise it",
                                o->to[a], "xyz"[a], o -> from[a]);
    }
}

/* What it gives: one condition of two for a slow stream. */
static void check_given(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_opening *o = e->base;
    const int gravity = c->gravity[0] != 0 || c->gravity[1] != 0 || c->gravity[2] != 0,
              flows = isfinite(o->velocity) || isfinite(o->discharge);
    const double inward = isfinite(o->velocity)    ? o->velocity
                          : isfinite(o->discharge) ? o->discharge
                                                   : 0;
    const char *which = isfinite(o->velocity) ? "velocity" : "discharge";
    const struct sluice_conflict conflicts[] = {
        {isfinite(o->velocity) && isfinite(o->discharge), "discharge",
         "the velocity says the same: leave one of them out"},
        {isfinite(o->level) && isfinite(o->pressure), "pressure",
         "the level gives the pressure too: leave one of them out"},
        {isfinite(o->level) && isfinite(o->depth), "depth",
         "the level says how deep the water is: leave depth out"},
        {isfinite(o->depth) && !gravity, "depth",
         "without gravity water has no surface: use from and to for a part of the face"},
        {o->ramp > 0 && !flows && !o->table[0], "ramp",
         "is that of a velocity or a discharge: give one, or leave ramp out"},
        {o->profile > SLUICE_PROFILE_UNIFORM && o->kind == SLUICE_OPENING_OUTLET && !flows &&
             !o->table[0],
         "profile", "an outlet takes the water as it comes: leave profile out"},
        {o->absorb && !o->table[0] && flows == (isfinite(o->level) || isfinite(o->pressure)),
         "absorb",
         "lets yield what is given to sound: give a velocity or a discharge, or else a level or a "
         "pressure"},
        {isfinite(o->level) && !gravity, "level",
         "without gravity water has none: give a pressure"},
        {isfinite(o->depth) && !(o->depth > 0), "depth", "must be above 0"},
        {isfinite(o->depth) && o->kind == SLUICE_OPENING_OUTLET, "depth",
         "an outlet takes the water as it comes: leave depth out"},
        {o->kind == SLUICE_OPENING_INLET && inward < 0, which,
         "the water of an inlet enters: make it positive, or take kind = \"open\" or \"outlet\""},
        {o->kind == SLUICE_OPENING_OUTLET && inward > 0, which,
         "the water of an outlet leaves: make it negative, or take kind = \"open\" or \"inlet\""},
        {o->kind == SLUICE_OPENING_INLET && !flows && !isfinite(o->level) &&
             !isfinite(o->pressure) && !o->table[0],
         "velocity", "missing: an inlet needs a velocity, a discharge, a level or a pressure"},
        {o->kind == SLUICE_OPENING_BOTH && !flows && !isfinite(o->level) &&
             !isfinite(o->pressure) && !o->table[0],
         "level", "missing: where water goes both ways give a level, a pressure or a velocity"},
        {o->profile == SLUICE_PROFILE_LOG && !(o->roughness > 0), "roughness",
         "missing: the log profile needs the grain of the bed (m)"},
        {o->profile == SLUICE_PROFILE_LOG && !gravity, "profile",
         "log is over a bed, which gravity finds: take \"parabolic\" or \"power\""}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

void sluice_check_opening(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_opening *o = e->base;
    if (!sluice_entry_refused(e, "name") && sluice_entry_given(e, "name"))
        sluice_check_file_name(e, o->name);
    for (int k = 0; k < e->i && o->name[0]; k++)
        if (strcmp(c->openings[k].name, o->name) == 0)
            sluice_entry_report(e, "name",
                                "\"%s\" is the name of openings.[%d] too: names must differ",
                                o->name, k);
    if (o->kind < 0 || c->dimension < 2)
        return;
    check_place(e);
    check_part(e);
    check_direction(e);
    check_given(e);
}
