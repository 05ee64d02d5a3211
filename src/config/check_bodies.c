/* Checks of bodies, and their numbers. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/checks.h"
#include "core/nearest_word.h"

/* The entry of `bodies` with this name; -1: none. */
static int find_entry(const struct sluice_config *c, const char *name)
{
    for (int i = 0; i < c->body_count; i++)
        if (strcmp(c->bodies[i].name, name) == 0)
            return i;
    return -1;
}

int sluice_config_body_entry(const struct sluice_config *config, int shape)
{
    return config->shapes[shape].body ? find_entry(config, config->shapes[shape].name) : -1;
}

static void report_no_entry(const struct sluice_entry *e, const char *name)
{
    const struct sluice_config *c = e->r->config;
    const char *names[64], *nearest;
    int count = 0;
    for (int i = 0; i < c->body_count && count < 64; i++)
        if (c->bodies[i].name[0])
            names[count++] = c->bodies[i].name;
    if (sluice_nearest_word(name, names, count, &nearest))
        sluice_entry_report(e, "name", "no body is named \"%.60s\": did you mean \"%s\"?", name,
                            nearest);
    else
        sluice_entry_report(e, "name",
                            "nothing says how heavy the body \"%.60s\" is: add bodies = ( { name = "
                            "\"%.60s\"; density = 500.0; } );",
                            name, name);
}

/* The number of a shape's body: that of an earlier shape of the name, unless each has its own. */
static int number_of(struct sluice_config *c, int shape, int entry)
{
    const char *name = c->shapes[shape].name;
    int earlier = 0;
    for (int k = 0; k < shape; k++) {
        if (c->shapes[k].content != SLUICE_SHAPE_BODY || strcmp(c->shapes[k].name, name) != 0)
            continue;
        if (!c->bodies[entry].each)
            return c->shapes[k].body;
        earlier++;
    }
    if (c->bodies[entry].each)
        snprintf(c->shapes[shape].motion, SLUICE_TEXT_MAX, "%.*s_%d", SLUICE_TEXT_MAX - 16, name,
                 earlier + 1);
    return ++c->rigid_count;
}

void sluice_check_body_shape(const struct sluice_entry *e)
{
    struct sluice_config *c = e->r->config;
    struct sluice_shape *s = e->base;
    if (s->content != SLUICE_SHAPE_BODY || s->kind < 0)
        return;
    const struct sluice_conflict conflicts[] = {
        {!s->name[0] && !sluice_entry_refused(e, "name"), "name",
         "missing: bodies says by this name how heavy the body is"},
        {s->kind == SLUICE_SHAPE_HALF_SPACE || s->kind == SLUICE_SHAPE_HEIGHTFIELD, "shape",
         "this shape has no end, so it cannot move as a body: choose one that is closed"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    const int entry = find_entry(c, s->name);
    if (!s->name[0])
        return;
    if (entry < 0) {
        if (c->model == SLUICE_MODEL_WCSPH) /* of others the list is refused */
            report_no_entry(e, s->name);
        return;
    }
    snprintf(s->motion, sizeof s->motion, "%s", s->name);
    s->body = number_of(c, e->i, entry);
}

/* Reads "x, rz" as bits. Returns the first word that is no degree of freedom; NULL: all are. */
static const char *read_locks(struct sluice_body *body, char word[32])
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (const char *p = body->locked; *p;) {
        const size_t gap = strspn(p, ", "), length = strcspn(p + gap, ", ");
        int known = length == 0;
        p += gap;
        for (int k = 0; k < 6; k++)
            if (strlen(names[k]) == length && strncmp(p, names[k], length) == 0) {
                body->locks |= 1u << k;
                known = 1;
            }
        if (!known) {
            snprintf(word, 32, "%.*s", (int)(length < 31 ? length : 31), p);
            return word;
        }
        p += length;
    }
    return NULL;
}

/* Whether the start gives a locked component a motion; locks: bits, the first component's lowest.
 */
static int moves_locked(const double *value, unsigned locks, int components)
{
    for (int c = 0; c < components; c++)
        if (locks & 1u << c && value[c] != 0)
            return 1;
    return 0;
}

/* Whether the symmetric matrix of diagonal d and xy, xz, yz elements p has eigenvalues above 0. */
static int is_positive(const double d[3], const double p[3])
{
    const double minor = d[0] * d[1] - p[0] * p[0],
                 determinant = d[2] * minor - d[0] * p[2] * p[2] - d[1] * p[1] * p[1] +
                               2 * p[0] * p[1] * p[2];
    return d[0] > 0 && minor > 0 && determinant > 0;
}

/* Whether no principal moment is above the sum of the other two, but for rounding: the second
 * moments of the mass, trace/2 - I, are not negative. Thin plates have the sum itself. */
static int has_mass_of(const double i[3], const double p[3])
{
    const double half = 0.5 * (i[0] + i[1] + i[2]) * (1 + 1e-6);
    const double second[3] = {half - i[0], half - i[1], half - i[2]},
                 mixed[3] = {-p[0], -p[1], -p[2]};
    return is_positive(second, mixed);
}

static void check_rotation(const struct sluice_entry *e)
{
    struct sluice_body *b = e->base;
    const int flat = e->r->config->dimension == 2, has_products = isfinite(b->products[0]);
    const double none[3] = {0, 0, 0}, *i = b->inertia, *p = has_products ? b->products : none;
    const int positive = is_positive(i, p);
    const struct sluice_conflict conflicts[] = {
        {flat && has_products, "products", "in 2-D a body has one moment of inertia: remove them"},
        {!flat && has_products && !b->has_inertia, "products",
         "they belong to inertia, which is missing: give it, too"},
        {flat && b->has_inertia && !(i[0] > 0), "inertia",
         "a moment of inertia must be above 0; without the key it is that of the volume"},
        {!flat && b->has_inertia && !positive, "inertia",
         "this tensor, with its products, is no body's: all its principal moments must be above 0"},
        {!flat && b->has_inertia && positive && !has_mass_of(i, p), "inertia",
         "this tensor, with its products, is no body's: no principal moment can be above the sum "
         "of the other two"},
        {flat && b->locks & (4u | 8u | 16u), "locked",
         "in 2-D a body moves along x and y, and turns about z: x, y, rz"},
        {moves_locked(b->velocity, b->locks, e->r->config->dimension), "velocity",
         "locked holds one of these components at 0: give 0 there, or remove it from locked"},
        {moves_locked(b->spin, b->locks >> (flat ? 5 : 3), flat ? 1 : 3), "spin",
         "locked holds one of these components at 0: give 0 there, or remove it from locked"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

/* An entry that names no shape, or shapes of other types. */
static void report_no_shape(const struct sluice_entry *e)
{
    static const char *const types[] = {SLUICE_SHAPE_TYPES(SLUICE_CHOICE_WORD)};
    const struct sluice_config *c = e->r->config;
    const char *name = ((const struct sluice_body *)e->base)->name;
    for (int s = 0; s < c->shape_count; s++)
        if (strcmp(c->shapes[s].name, name) == 0 && c->shapes[s].content >= 0) {
            sluice_entry_report(e, "name",
                                "the shape \"%.60s\" (%s:%d) is of type \"%s\": write type = "
                                "\"body\" there, or name a shape that has it",
                                name, c->shapes[s].file, c->shapes[s].line,
                                types[c->shapes[s].content]);
            return;
        }
    sluice_entry_report(
        e, "name", "no shape of type \"body\" is named \"%.60s\": add one to the geometry", name);
}

/* The name becomes part of a file name. */
static void check_body_name(const struct sluice_entry *e)
{
    const char *name = ((const struct sluice_body *)e->base)->name;
    int good = strlen(name) <= 64 && *name != '.' && *name != '-';
    for (const char *p = name; *p; p++)
        good &= isalnum((unsigned char)*p) || strchr("_.-", *p) != NULL;
    if (!good)
        sluice_entry_report(
            e, "name", "\"%.70s\" cannot name a file: use letters, digits, _ . and -, at most 64",
            name);
}

void sluice_check_body(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    struct sluice_body *b = e->base;
    char word[32];
    int shapes = 0, walls = 0;
    b->has_centre = isfinite(b->centre[0]);
    b->has_inertia = isfinite(b->inertia[0]);
    for (int s = 0; s < c->shape_count; s++)
        if (b->name[0] && strcmp(c->shapes[s].name, b->name) == 0) {
            shapes += c->shapes[s].content == SLUICE_SHAPE_BODY;
            walls += c->shapes[s].type == SLUICE_SHAPE_WALL && !c->shapes[s].body;
        }
    for (int k = 0; k < e->i && b->name[0]; k++)
        if (strcmp(c->bodies[k].name, b->name) == 0)
            sluice_entry_report(
                e, "name", "\"%s\" is the name of bodies.[%d] too: names must differ", b->name, k);
    for (int k = 0; k < c->motion_count && b->name[0]; k++)
        if (strcmp(c->motions[k].name, b->name) == 0)
            sluice_entry_report(
                e, "name", "\"%s\" is the name of motions.[%d] too: names must differ", b->name, k);
    for (int s = 0; s < c->shape_count && b->name[0]; s++)
        if (c->shapes[s].body && strcmp(c->shapes[s].motion, b->name) == 0 &&
            strcmp(c->shapes[s].name, b->name) != 0)
            sluice_entry_report(e, "name",
                                "\"%s\" is a body of \"%s\" with each = true, too: names must "
                                "differ",
                                b->name, c->shapes[s].name);
    if (read_locks(b, word))
        sluice_entry_report(e, "locked",
                            "\"%s\" is no degree of freedom: they are x, y, z, and about these "
                            "axes rx, ry, rz",
                            word);
    check_body_name(e);
    if (b->name[0] && shapes == 0)
        report_no_shape(e);
    const struct sluice_conflict conflicts[] = {
        {!b->name[0] && !sluice_entry_refused(e, "name"), "name",
         "missing: give the name of the shapes of type \"body\" that are the body"},
        {shapes > 0 && walls > 0, "name", "walls have this name as well: give them another one"},
        {b->density == 0 && b->mass == 0 && !sluice_entry_refused(e, "density") &&
             !sluice_entry_refused(e, "mass"),
         "density", "missing: a body has a density, or a mass, above 0"},
        {b->density > 0 && b->mass > 0, "mass", "the density gives it, too: remove one of the two"},
        {e->i == 0 && c->central_count > 0, "name",
         "the list forces acts on fluid alone, and would leave bodies behind: remove one of the "
         "two"},
        {b->each && (b->has_centre || b->has_inertia), "each",
         "one centre or inertia cannot be that of several bodies: remove one of the two"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    check_rotation(e);
}

/* A body is named by its shapes; where each shape is one, by the shape: NAME_2. */
static int has_body(const struct sluice_config *c, const char *name)
{
    for (int s = 0; s < c->shape_count; s++)
        if (c->shapes[s].body && strcmp(c->shapes[s].motion, name) == 0)
            return 1;
    return 0;
}

/* An end of a mooring that is no body. */
static void report_no_body(const struct sluice_entry *e, const char *key, const char *name)
{
    const struct sluice_config *c = e->r->config;
    const char *names[64], *nearest;
    const int entry = find_entry(c, name);
    int count = 0, own = 0; /* all bodies, and those of the entry */
    for (int s = 0; s < c->shape_count && count < 64; s++)
        if (c->shapes[s].body) {
            names[count++] = c->shapes[s].motion;
            own += strcmp(c->shapes[s].name, name) == 0;
        }
    if (entry >= 0 && c->bodies[entry].each && own > 1)
        sluice_entry_report(e, key,
                            "\"%.60s\" are several bodies (each = true): write which of them, as "
                            "\"%.60s_1\"",
                            name, name);
    else if (entry >= 0 && c->bodies[entry].each)
        sluice_entry_report(e, key,
                            "with each = true the body of \"%.60s\" is named \"%.60s_1\": write "
                            "that, or remove each",
                            name, name);
    else if (sluice_nearest_word(name, names, count, &nearest))
        sluice_entry_report(e, key, "no body is named \"%.60s\": did you mean \"%s\"?", name,
                            nearest);
    else
        sluice_entry_report(e, key,
                            "no body is named \"%.60s\": give the name of an entry of bodies; with "
                            "each = true those are NAME_1, NAME_2, ...",
                            name);
}

static void check_mooring_name(const struct sluice_entry *e)
{
    static const char *const kinds[] = {SLUICE_MOORINGS(SLUICE_CHOICE_WORD)};
    struct sluice_config *c = e->r->config;
    char *name = c->moorings[e->i].name;
    if (!*name && !sluice_entry_given(e, "name") && c->moorings[e->i].kind >= 0)
        snprintf(name, SLUICE_TEXT_MAX, "%s_%d", kinds[c->moorings[e->i].kind], e->i);
    if (*name || c->moorings[e->i].kind >= 0)
        sluice_check_file_name(e, name);
    for (int k = 0; k < e->i && *name; k++)
        if (strcmp(c->moorings[k].name, name) == 0) {
            sluice_entry_report(
                e, "name", "\"%s\" is the name of moorings.[%d] too: names must differ", name, k);
            break;
        }
}

void sluice_check_mooring(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_mooring *m = e->base;
    check_mooring_name(e);
    const char *const keys[] = {"body", "other"}, *const names[] = {m->body, m->other};
    for (int k = 0; k < 2; k++)
        if (names[k][0] && !has_body(c, names[k]))
            report_no_body(e, keys[k], names[k]);
    const int spring = m->kind == SLUICE_MOORING_SPRING, hinge = m->kind == SLUICE_MOORING_HINGE;
    const struct sluice_conflict conflicts[] = {
        {!m->body[0] && !sluice_entry_refused(e, "body"), "body", "missing: which body is moored?"},
        {m->body[0] && strcmp(m->body, m->other) == 0, "other", "this is the body itself"},
        {spring && isinf(m->to[0]) && !m->other[0] && !sluice_entry_refused(e, "to") &&
             !sluice_entry_refused(e, "other"),
         "to", "missing: where is the far end? Give a point, or another body"},
        {m->stiffness == 0 && (hinge || m->damping == 0) && sluice_entry_given(e, "stiffness") &&
             !sluice_entry_refused(e, "stiffness") && !sluice_entry_refused(e, "damping"),
         "stiffness",
         hinge ? "0 holds nothing: a hinge gives by the force over its stiffness; give one above 0"
               : "0, and no damping: it does nothing; give one of the two"},
        {hinge && isinf(m->at[0]) && !sluice_entry_refused(e, "at"), "at",
         "missing: about which point does it turn?"},
        {hinge && c->dimension == 2 && (isfinite(m->axis[0]) || m->width > 0), "axis",
         "in 2-D a hinge turns about z: leave out axis and width"},
        {hinge && m->width > 0 && isinf(m->axis[0]), "axis", "missing: along which axis?"},
        {hinge && isfinite(m->axis[0]) && !(m->axis[0] != 0 || m->axis[1] != 0 || m->axis[2] != 0),
         "axis", "it has no direction"},
        {hinge && isfinite(m->axis[0]) && m->width == 0 && c->dimension == 3, "width",
         "missing: how long is the hinge along its axis? Without an axis it is a ball joint"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}
