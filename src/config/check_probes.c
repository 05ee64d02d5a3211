/* Checks of probes. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/checks.h"

static const double rows_max = 1e7;

void sluice_check_file_name(const struct sluice_entry *e, const char *name)
{
    int good = strlen(name) <= 64 && *name != 0 && *name != '.' && *name != '-';
    for (const char *p = name; *p; p++)
        good &= isalnum((unsigned char)*p) || strchr("_.-", *p) != NULL;
    if (!good && !sluice_entry_refused(e, "name"))
        sluice_entry_report(
            e, "name", "\"%.70s\" cannot name a file: use letters, digits, _ . and -, at most 64",
            name);
}

static void check_probe_name(const struct sluice_entry *e)
{
    struct sluice_config *c = e->r->config;
    char *name = c->probes[e->i].name;
    if (!*name && !sluice_entry_given(e, "name") && c->probes[e->i].kind >= 0)
        snprintf(name, SLUICE_TEXT_MAX, "%s_%d", sluice_probe_kinds[c->probes[e->i].kind].word,
                 e->i);
    if (*name || c->probes[e->i].kind >= 0)
        sluice_check_file_name(e, name);
    for (int k = 0; k < e->i && *name; k++)
        if (strcmp(c->probes[k].name, name) == 0)
            sluice_entry_report(
                e, "name", "\"%s\" is the name of probes.[%d] too: names must differ", name, k);
}

/* The first shape of the group that a probe names; NULL: there is none, or it is fluid. */
static const struct sluice_shape *find_probe_shape(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    const int first = sluice_check_find_group(e, "on", p->on);
    const struct sluice_shape *shape = first < 0 ? NULL : &e->r->config->shapes[first];
    if (shape && shape->type == SLUICE_SHAPE_FLUID) {
        sluice_entry_report(e, "on", "\"%.60s\" is fluid, whose faces move: name a wall", p->on);
        shape = NULL;
    }
    return shape;
}

/* A probe on a face of a group of several shapes sits on the one that is met first, unless the
 * domain's walls are among them, which have their faces on the inside. 1: they are, which is
 * reported. */
static int has_walls_among(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const char *on = c->probes[e->i].on;
    char list[200] = "";
    int count = 0, walls = 0;
    for (int s = 0; s < c->shape_count; s++)
        if (sluice_check_in_group(c, s, on)) {
            walls |= c->shapes[s].kind == SLUICE_SHAPE_WALLS;
            if (count++ < 8)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%sgeometry.[%d]",
                         count > 1 ? ", " : "", s);
        }
    if (count > 1 && walls)
        sluice_entry_report(
            e, "on",
            "\"%.60s\" is the name of %d shapes, %s%s, some of them walls of the domain: give the "
            "one with the face a name of its own%s",
            on, count, list, count > 8 ? " ..." : "",
            sluice_probe_has(c->probes[e->i].kind, SLUICE_PROBE_TAKES_SIZE)
                ? ""
                : ", or the point by coordinates, without on and face");
    return count > 1 && walls;
}

/* Checks the shape that a probe sits on, and its face. */
static void check_probe_face(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    if (p->face < 0 && !sluice_entry_refused(e, "face"))
        sluice_entry_report(e, "on", "\"%.60s\" has several faces: name one, as face = \"x-\"",
                            p->on);
    const struct sluice_shape *shape = find_probe_shape(e);
    if (!shape || has_walls_among(e))
        return;
    const int plain = shape->kind == SLUICE_SHAPE_BOX && shape->rotation_degrees == 0 &&
                      !shape->within[0] && !shape->without[0];
    if (!plain && (shape->type == SLUICE_SHAPE_VOID || shape->type == SLUICE_SHAPE_PART))
        sluice_entry_report(e, "on",
                            "\"%.60s\" is of type \"%s\", which has no walls: name the wall that "
                            "the probe is on",
                            p->on, shape->type == SLUICE_SHAPE_VOID ? "void" : "part");
    else if (shape->kind == SLUICE_SHAPE_WALLS && p->face >= 0 && !(shape->sides & 1u << p->face))
        sluice_entry_report(
            e, "face",
            "\"%.60s\" has no wall on that side: add it to its sides, or name another face", p->on);
}

/* Checks the number of components of `at` or `size`. */
static void check_components(const struct sluice_entry *e, const char *key, int wanted,
                             const char *what)
{
    const struct sluice_tree_node *node = sluice_tree_find(e->node, key);
    if (!node || node->bad)
        return;
    const int is_sequence = node->kind == SLUICE_TREE_ARRAY || node->kind == SLUICE_TREE_LIST,
              given = is_sequence ? node->count : 1;
    if (given != wanted)
        sluice_entry_report(e, key, "it has %d component%s where %d belong%s: %s", given,
                            given == 1 ? "" : "s", wanted, wanted == 1 ? "s" : "", what);
}

/* `at` is a point, a place on a face, or a horizontal place. */
static void check_probe_place(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    const int patch = sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_SIZE),
              upright = sluice_probe_has(p->kind, SLUICE_PROBE_IS_UPRIGHT),
              dimension = e->r->config->dimension,
              less = patch || upright || p->on[0] || p->face >= 0;
    if (upright || sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_FACE))
        check_components(e, "at", dimension - less,
                         upright ? "the horizontal place alone"
                         : patch || p->on[0]
                             ? "the place on the face, along the other axes in their order"
                             : "one for each axis");
    if (patch)
        check_components(e, "size", dimension - 1,
                         "the sides along the other axes than the face's, in their order");
}

static void check_probe_ends(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    const int dimension = e->r->config->dimension;
    int same = 0, same_sideways = 0; /* axes along which the ends agree */
    if (!sluice_entry_given(e, "from") || !sluice_entry_given(e, "to"))
        return;
    for (int a = 0; a < dimension; a++) {
        same += p->to[a] == p->from[a];
        same_sideways += a < dimension - 1 && p->to[a] == p->from[a];
    }
    const struct sluice_conflict conflicts[] = {
        {sluice_probe_has(p->kind, SLUICE_PROBE_IS_SECTION) && same != 1, "to",
         "from and to must agree along exactly one axis, the direction of the flow"},
        {p->kind == SLUICE_PROBE_OVERTOPPING && same == 1 &&
             p->to[dimension - 1] == p->from[dimension - 1],
         "to",
         "the section above a crest stands upright: from and to must agree along a horizontal "
         "axis"},
        {p->kind == SLUICE_PROBE_LINE && same == dimension, "to",
         "the line has no length: give another end than from"},
        {p->kind == SLUICE_PROBE_RUNUP && same_sideways == dimension - 1, "to",
         "the line is vertical: move its end sideways"}};
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
}

/* 0: a gas has no such probe, which is reported. */
static int check_gas_probe(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    const char *refusal = p->kind >= 0 ? sluice_probe_kinds[p->kind].not_of_gas : NULL,
               side[] = {p->face < 0 ? 0 : "xyz"[p->face / 2], "-+"[p->face % 2 == 1], 0};
    if (refusal)
        sluice_entry_report(e, "kind", "\"%s\" is of water, %s", sluice_probe_kinds[p->kind].word,
                            refusal);
    else if (p->on[0] || p->face >= 0)
        sluice_entry_report(e, p->on[0] ? "on" : "face",
                            "\"%.60s\": the walls of a gas are faces of the domain: remove on and "
                            "face, and give the point by all its coordinates",
                            p->on[0] ? p->on : side);
    return !refusal && !p->on[0] && p->face < 0;
}

static void check_probe_quantity(const struct sluice_entry *e)
{
    const struct sluice_probe *p = e->base;
    const struct sluice_conflict conflicts[] = {
        {p->quantity == SLUICE_QUANTITY_ENERGY, "quantity",
         "\"energy\" is of a gas: choose \"pressure\", \"velocity\", \"density\" or \"all\""},
        {p->quantity == SLUICE_QUANTITY_SMOOTHING, "quantity",
         "\"smoothing-length\" is of a gas, that of water is everywhere the same: choose "
         "\"pressure\", \"velocity\", \"density\" or \"all\""}};
    if (e->r->config->model == SLUICE_MODEL_WCSPH)
        SLUICE_ENTRY_CONFLICTS(e, conflicts);
    if (p->quantity >= SLUICE_QUANTITY_OUTPUTS)
        sluice_check_outputs(e, "quantity", 1u << (p->quantity - SLUICE_QUANTITY_OUTPUTS));
}

void sluice_check_probe(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_probe *p = e->base;
    const int patch = sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_SIZE);
    const struct sluice_conflict conflicts[] = {
        {!patch && p->face >= 0 && !p->on[0], "face",
         "a face of what? Name the shape: on = \"NAME\""},
        {patch && !p->on[0] && !sluice_entry_refused(e, "on"), "on",
         "a patch on what? Name the shape: on = \"NAME\""},
        {patch && c->dimension == 2 && p->round, "round",
         "in 2-D a patch is a piece of a line: remove it"},
        {p->kind == SLUICE_PROBE_FORCE && !p->on[0], "on",
         "the force on what? Name the group: on = \"NAME\""},
        {p->kind == SLUICE_PROBE_FRONT && c->dimension == 2 && p->axis == 2, "axis",
         "there is no z axis in 2-D: choose \"x\" or \"y\""}};
    check_probe_name(e);
    if (c->model == SLUICE_MODEL_GAS && !check_gas_probe(e))
        return;
    check_probe_quantity(e);
    SLUICE_ENTRY_CONFLICTS(e, conflicts);
    if (sluice_probe_has(p->kind, SLUICE_PROBE_TAKES_FACE) && p->on[0])
        check_probe_face(e);
    if (p->kind == SLUICE_PROBE_FORCE && p->on[0])
        find_probe_shape(e);
    if (c->dimension == 0)
        return;
    check_probe_place(e);
    const double rows = p->every > 0 ? c->time.end / p->every : 0;
    if (rows > rows_max)
        sluice_entry_report(
            e, "every",
            "%g s makes %.3g rows until time.end, at most %g are allowed: give %.2g s or more",
            p->every, rows, rows_max, c->time.end / rows_max);
    check_probe_ends(e);
}

/* --- Fields of effects that the run has --- */

void sluice_check_outputs(const struct sluice_entry *e, const char *key, unsigned outputs)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_entry config = sluice_entry_of_config(e->r);
    const struct {
        int holds;
        const char *word, *key, *value;
    } all[] = {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value) {holds, word, key, value},
#include "physics/effects.def"
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!(outputs >> k & 1) || c->model < 0)
            continue;
        if (c->model != SLUICE_MODEL_WCSPH)
            sluice_entry_report(e, key, "\"%s\" is a field of water: choose another", all[k].word);
        else if (!all[k].holds && !sluice_entry_refused(&config, all[k].key))
            sluice_entry_report(e, key,
                                "\"%s\" is a field that this run does not have: it comes with %s "
                                "%s; set that key, or do not ask for the field",
                                all[k].word, all[k].key, all[k].value);
    }
}
