/* The groups of a case: names of the geometry's shapes and of a particle file's rows, their
 * motions, and warnings of the particles that the file displaces. */
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"

static const char *const type_name[] = {"fluid", "walls"};

static enum sluice_type type_of(const struct sluice_shape *s)
{
    return s->type == SLUICE_SHAPE_WALL ? SLUICE_WALL : SLUICE_FLUID;
}

static sluice_status add_shapes(struct sluice_case_builder *b)
{
    struct sluice_groups *g = &b->c->groups;
    char name[SLUICE_TEXT_MAX];
    for (int s = 0; s < b->config->shape_count; s++) {
        const struct sluice_shape *shape = &b->config->shapes[s];
        int *group = &b->shape_group[s];
        *group = -1;
        if (shape->type == SLUICE_SHAPE_VOID || shape->type == SLUICE_SHAPE_PART)
            continue;
        const enum sluice_type type = type_of(shape);
        SLUICE_TRY(sluice_groups_add(g, sluice_config_group(b->config, s, name), type, group));
        SLUICE_CHECK(g->group[*group].type == type, SLUICE_BAD_INPUT,
                     "%s:%d: geometry: '%.60s' is the name of fluid and of walls: give one of them "
                     "another name",
                     shape->file, shape->line, name);
        g->group[*group].shapes++;
    }
    return SLUICE_OK;
}

/* Adds the names of the file, in the order of their first rows. */
static sluice_status add_names(struct sluice_case_builder *b)
{
    struct sluice_groups *g = &b->c->groups;
    const struct sluice_groups *names = &b->file.groups;
    for (int k = 0; k < names->count; k++) {
        const struct sluice_group *of = &names->group[k];
        int *group = &b->file_group[k];
        if (of->rows == 0)
            continue;
        SLUICE_TRY(sluice_groups_add(g, of->name, of->type, group));
        SLUICE_CHECK(g->group[*group].type == of->type, SLUICE_BAD_INPUT,
                     "%s: column 'shape': '%.60s' is the name of %s, and of %s in the geometry: "
                     "give one of them another name",
                     b->config->particles, of->name, type_name[of->type],
                     type_name[g->group[*group].type]);
        g->group[*group].rows += of->rows;
    }
    return SLUICE_OK;
}

int sluice_case_row_group(const struct sluice_case_builder *b,
                          const struct sluice_particle_row *row)
{
    return row->group < 0 ? b->no_name[row->type] : b->file_group[row->group];
}

int sluice_case_group(const struct sluice_case_builder *b, const struct sluice_slab_particle *p)
{
    if (p->row)
        return sluice_case_row_group(b, p->row);
    return p->shape < 0 ? 0 : b->shape_group[p->shape];
}

/* Adds the groups of rows without a name, and notes the ids at which the rows change their group.
 */
static sluice_status add_rows(struct sluice_case_builder *b)
{
    static const char *const no_name[] = {"file fluid", "file wall"};
    struct sluice_groups *g = &b->c->groups;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->group < 0) {
            int *group = &b->no_name[row->type];
            SLUICE_TRY(sluice_groups_add(g, no_name[row->type], row->type, group));
            SLUICE_CHECK(g->group[*group].type == row->type, SLUICE_BAD_INPUT,
                         "%s: rows without a name are of '%s', which is the name of %s: give those "
                         "another name",
                         b->config->particles, no_name[row->type],
                         type_name[g->group[*group].type]);
            g->group[*group].rows++;
        }
    }
    for (int64_t i = 0; i < b->file.count; i++) {
        const int group = sluice_case_row_group(b, &b->file.row[i]);
        if (i == 0 || group != sluice_case_row_group(b, &b->file.row[i - 1]))
            sluice_groups_add_row(g, b->file.row[i].id, group);
    }
    return SLUICE_OK;
}

int sluice_case_slip(const struct sluice_case_builder *b, const struct sluice_slab_particle *p)
{
    return sluice_config_slip(b->config,
                              p->row ? b->row_shape[sluice_case_row_group(b, p->row)] : p->shape);
}

/* The rows of a group of walls slip as its shapes do. */
static sluice_status set_row_shape(struct sluice_case_builder *b, int group)
{
    const struct sluice_config *config = b->config;
    const struct sluice_group *of = &b->c->groups.group[group];
    int *first = &b->row_shape[group];
    *first = -1;
    for (int s = 0; of->type == SLUICE_WALL && of->rows > 0 && s < config->shape_count; s++) {
        if (b->shape_group[s] != group)
            continue;
        *first = *first < 0 ? s : *first;
        SLUICE_CHECK(sluice_config_slip(config, s) == sluice_config_slip(config, *first),
                     SLUICE_BAD_INPUT,
                     "%s:%d: geometry: '%.60s' is the name of shapes that differ in their slip, "
                     "and %s has rows of it: give them names of their own",
                     config->shapes[s].file, config->shapes[s].line, of->name, config->particles);
    }
    return SLUICE_OK;
}

/* Each key `carries` must name walls, and no two keys the same walls. */
static sluice_status check_carried(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const struct sluice_groups *g = &b->c->groups;
    for (int i = 0; i < config->motion_count; i++) {
        const struct sluice_motion *m = &config->motions[i];
        char list[800];
        if (!m->carries[0])
            continue;
        const int group = sluice_groups_find(g, m->carries);
        SLUICE_CHECK(group >= 0 && g->group[group].type == SLUICE_WALL, SLUICE_BAD_INPUT,
                     "%s:%d: motion '%s': carries '%.60s', which is the name of no walls; walls "
                     "are named %s",
                     m->file, m->line, m->name, m->carries,
                     sluice_groups_list(g, SLUICE_WALL, list, sizeof list));
        for (int k = 0; k < i; k++)
            SLUICE_CHECK(strcmp(config->motions[k].carries, m->carries) != 0, SLUICE_BAD_INPUT,
                         "%s:%d: motion '%s': carries '%.60s', which motion '%s' carries too: "
                         "choose one of the two",
                         m->file, m->line, m->name, m->carries, config->motions[k].name);
    }
    return SLUICE_OK;
}

/* The rows of a group move with the motion that carries it, or else as its shapes do. */
static sluice_status set_motion(struct sluice_case_builder *b, int group)
{
    const struct sluice_config *config = b->config;
    const struct sluice_group *of = &b->c->groups.group[group];
    int *motion = &b->row_motion[group], shapes = 0, of_shapes = -1;
    *motion = -1;
    for (int i = 0; i < config->motion_count; i++)
        if (strcmp(config->motions[i].carries, of->name) == 0)
            *motion = i;
    for (int s = 0; *motion < 0 && of->rows > 0 && s < config->shape_count; s++) {
        if (b->shape_group[s] != group)
            continue;
        const int own = sluice_config_mover(config, s);
        SLUICE_CHECK(!config->shapes[s].body, SLUICE_BAD_INPUT,
                     "%s:%d: geometry: '%.60s' is a body, and %s has wall particles of that name: "
                     "a body begins from the geometry alone; remove these rows",
                     config->shapes[s].file, config->shapes[s].line, of->name, config->particles);
        SLUICE_CHECK(shapes == 0 || own == of_shapes, SLUICE_BAD_INPUT,
                     "%s:%d: geometry: '%.60s' is the name of shapes that move in different ways, "
                     "and %s has rows of it: give them names of their own",
                     config->shapes[s].file, config->shapes[s].line, of->name, config->particles);
        of_shapes = own;
        shapes++;
    }
    if (*motion < 0)
        *motion = of_shapes;
    return SLUICE_OK;
}

static sluice_status set_motions(struct sluice_case_builder *b)
{
    const struct sluice_groups *g = &b->c->groups;
    int moves = 0;
    SLUICE_ALLOCATE(b->row_motion, g->count, "motions of groups");
    SLUICE_ALLOCATE(b->row_shape, g->count, "shapes of groups");
    SLUICE_TRY(check_carried(b));
    for (int k = 0; k < g->count; k++) {
        SLUICE_TRY(set_motion(b, k));
        SLUICE_TRY(set_row_shape(b, k));
    }
    for (int s = 0; s < b->config->shape_count; s++)
        moves |= b->config->shapes[s].motion[0] != 0;
    SLUICE_CHECK(!moves || !b->file.is_snapshot || b->file.has_groups ||
                     b->from_file[SLUICE_WALL] == 0,
                 SLUICE_BAD_INPUT,
                 "motions: the walls come from %s, a snapshot without the array Shape: nothing "
                 "says which of them moves: remove its wall particles, or the motions",
                 b->config->particles);
    return SLUICE_OK;
}

sluice_status sluice_case_set_groups(struct sluice_case_builder *b)
{
    struct sluice_groups *g = &b->c->groups;
    SLUICE_ALLOCATE(b->shape_group, b->config->shape_count, "names of shapes");
    SLUICE_ALLOCATE(b->file_group, b->file.groups.count, "names of a particle file");
    SLUICE_TRY(add_shapes(b));
    if (b->config->lattice.used) {
        int group;
        SLUICE_TRY(sluice_groups_add(g, "lattice", SLUICE_FLUID, &group));
    }
    SLUICE_TRY(add_names(b));
    SLUICE_TRY(add_rows(b));
    return set_motions(b);
}

int sluice_case_is_replaced(const struct sluice_case_builder *b, int shape)
{
    if (type_of(&b->config->shapes[shape]) == SLUICE_FLUID)
        return b->from_file[SLUICE_FLUID] > 0;
    return b->file.is_snapshot && b->c->groups.group[b->shape_group[shape]].rows > 0;
}

/* --- Displaced particles --- */

static double mass_of_file(const struct sluice_case_builder *b)
{
    double mass = 0;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type == SLUICE_FLUID)
            mass += sluice_case_row_mass(b, row);
    }
    return mass;
}

static double mass_displaced(const struct sluice_case_builder *b,
                             const struct sluice_case_displaced *d)
{
    return sluice_case_mass_of(b, 1) * (double)(d->count[SLUICE_FLUID] - d->second) +
           sluice_case_mass_of(b, 2) * (double)d->second;
}

void sluice_case_warn_displaced(struct sluice_case_builder *b)
{
    const struct sluice_case_displaced *replaced = &b->replaced, *inside = &b->inside;
    const char *file = b->config->particles, *unit = sluice_case_mass_unit(b->config);
    if (replaced->count[SLUICE_FLUID])
        sluice_warn(&b->warnings,
                    "particles: the fluid of %s, %lld particles of %.6g%s, takes the place of the "
                    "geometry's, %lld particles of %.6g%s, which is not used",
                    file, (long long)b->from_file[SLUICE_FLUID], mass_of_file(b), unit,
                    (long long)replaced->count[SLUICE_FLUID], mass_displaced(b, replaced), unit);
    if (replaced->count[SLUICE_WALL])
        sluice_warn(&b->warnings,
                    "particles: the walls of the snapshot %s, %lld particles, take the place of "
                    "the geometry's of the same names, %lld particles, which are not used",
                    file, (long long)b->from_file[SLUICE_WALL],
                    (long long)replaced->count[SLUICE_WALL]);
    if (inside->count[SLUICE_FLUID])
        sluice_warn(&b->warnings,
                    "particles: %lld fluid particles of the geometry, %.6g%s, lie inside walls of "
                    "%s and are cut",
                    (long long)inside->count[SLUICE_FLUID], mass_displaced(b, inside), unit, file);
    if (inside->count[SLUICE_WALL])
        sluice_warn(&b->warnings,
                    "particles: %lld wall particles of the geometry lie inside walls of %s and "
                    "are left out: the file's stay",
                    (long long)inside->count[SLUICE_WALL], file);
}

/* --- Entries of `initial` --- */

static sluice_status check_level(const struct sluice_case_builder *b,
                                 const struct sluice_initial *f)
{
    int axes = 0;
    for (int a = 0; a < 3; a++)
        axes += fabs(b->frame.pull[a]) > 0;
    SLUICE_CHECK(!b->c->physics.wcsph.second, SLUICE_BAD_INPUT,
                 "%s:%d: initial: level = %.9g, but there are two fluids, whose layers share one "
                 "column: leave level out, or start from a particle file with a column pressure",
                 f->file, f->line, f->level);
    SLUICE_CHECK(axes == 1, SLUICE_BAD_INPUT,
                 "%s:%d: initial: level = %.9g is a place on gravity's axis, but gravity has parts "
                 "along %d axes: turn the geometry instead of gravity, or leave level out",
                 f->file, f->line, f->level, axes);
    return SLUICE_OK;
}

sluice_status sluice_case_find_initial_groups(struct sluice_case_builder *b)
{
    const struct sluice_groups *g = &b->c->groups;
    const int count = b->config->initial_count;
    int any = 0;
    char list[1024];
    for (int i = 0; i < count; i++) {
        const struct sluice_initial *f = &b->config->initials[i];
        b->has_levels |= f->field != SLUICE_FIELD_OF_VELOCITY &&
                         (f->on[0] ||
                          (f->kind == SLUICE_INITIAL_HYDROSTATIC && isfinite(f->level)));
        any |= f->on[0] != 0;
        if (f->kind == SLUICE_INITIAL_HYDROSTATIC && isfinite(f->level))
            SLUICE_TRY(check_level(b, f));
    }
    if (!any)
        return SLUICE_OK;
    SLUICE_ALLOCATE(b->initial_group, count, "initial fields");
    for (int i = 0; i < count; i++) {
        const struct sluice_initial *f = &b->config->initials[i];
        const int group = b->initial_group[i] = f->on[0] ? sluice_groups_find(g, f->on) : -1;
        SLUICE_CHECK(
            !f->on[0] || (group >= 0 && g->group[group].type == SLUICE_FLUID), SLUICE_BAD_INPUT,
            "%s:%d: initial: on = '%.60s' is the name of no fluid; fluids are named %s", f->file,
            f->line, f->on, sluice_groups_list(g, SLUICE_FLUID, list, sizeof list));
    }
    return SLUICE_OK;
}
