/* Bodies that go on from a snapshot: their place, rotation, velocity and spin are those of the
 * file; their particles and masses come from the shapes, as those of any body. */
#include <stdlib.h>
#include <string.h>

#include "motion/rotation.h"
#include "case/builder.h"
#include "core/allocate.h"
#include "core/vector.h"

/* How far the centre of the shapes may be from that of the snapshot's run, in spacings. */
#define SAME_CENTRE 1e-6

static const struct sluice_snapshot_body *find(const struct sluice_case_builder *b,
                                               const char *name)
{
    for (int i = 0; i < b->from_bodies; i++)
        if (strcmp(b->from_body[i].name, name) == 0)
            return &b->from_body[i];
    return NULL;
}

/* The shape of a body of this name; NULL: there is none. */
static const struct sluice_shape *shape_of(const struct sluice_config *config, const char *name)
{
    for (int s = 0; s < config->shape_count; s++)
        if (config->shapes[s].body && strcmp(config->shapes[s].motion, name) == 0)
            return &config->shapes[s];
    return NULL;
}

/* The first shape of a body whose particles are of this group; NULL: none. */
static const struct sluice_shape *shape_in(const struct sluice_config *config, const char *group)
{
    char name[SLUICE_TEXT_MAX];
    for (int s = 0; s < config->shape_count; s++)
        if (config->shapes[s].body && strcmp(sluice_config_group(config, s, name), group) == 0)
            return &config->shapes[s];
    return NULL;
}

/* Removes the rows of bodies from the file. */
static sluice_status drop_rows(struct sluice_case_builder *b)
{
    struct sluice_particle_file *file = &b->file;
    char *is_body;
    int64_t kept = 0;
    SLUICE_ALLOCATE(is_body, file->groups.count, "names of a particle file");
    for (int k = 0; k < file->groups.count; k++) {
        is_body[k] = shape_in(b->config, file->groups.group[k].name) != NULL;
        if (is_body[k])
            file->groups.group[k].rows = 0;
    }
    for (int64_t i = 0; i < file->count; i++)
        if (file->row[i].group < 0 || !is_body[file->row[i].group])
            file->row[kept++] = file->row[i];
    file->count = kept;
    free(is_body);
    return SLUICE_OK;
}

/* Errors: the file has a body's particles, but not its place; or a body that the case lacks. */
static sluice_status check_list(const struct sluice_case_builder *b)
{
    for (int k = 0; k < b->file.groups.count && b->from_bodies < 0; k++) {
        const struct sluice_group *group = &b->file.groups.group[k];
        const struct sluice_shape *shape = shape_in(b->config, group->name);
        SLUICE_CHECK(!shape || group->rows == 0, SLUICE_BAD_INPUT,
                     "%s:%d: geometry: %s has %lld wall particles of the body '%.60s', but not its "
                     "place, rotation and velocity, for an older program wrote it: continue that "
                     "run with `sluice restart`, or run it again and take a new snapshot",
                     shape->file, shape->line, b->config->particles, (long long)group->rows,
                     group->name);
    }
    for (int i = 0; i < b->from_bodies; i++)
        SLUICE_CHECK(
            shape_of(b->config, b->from_body[i].name), SLUICE_BAD_INPUT,
            "particles: the snapshot %s has a body '%.60s', which this case does not have: "
            "add its shapes, as the run had them, or go on with `sluice restart`",
            b->config->particles, b->from_body[i].name);
    return SLUICE_OK;
}

sluice_status sluice_case_read_bodies(struct sluice_case_builder *b)
{
    if (!b->file.is_snapshot || b->config->rigid_count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_snapshot_read_bodies(b->config->particles, &b->from_body, &b->from_bodies));
    SLUICE_TRY(check_list(b));
    SLUICE_CHECK(b->from_bodies <= 0 || !sluice_config_walls_have(b->config, SLUICE_WALL_GHOSTS),
                 SLUICE_BAD_INPUT,
                 "boundary.kind: \"mdbc\" places its ghost nodes where bodies begin, but those of "
                 "%s have moved: take \"adami\", or continue that run with `sluice restart`",
                 b->config->particles);
    return b->from_bodies > 0 ? drop_rows(b) : SLUICE_OK;
}

int sluice_case_keeps_fluid(const struct sluice_case_builder *b)
{
    char name[SLUICE_TEXT_MAX];
    if (b->from_bodies <= 0 || b->from_file[SLUICE_FLUID] == 0)
        return 0;
    for (int s = 0; s < b->config->shape_count; s++) {
        if (!sluice_fit_is_fitted(b->config, s))
            continue;
        const struct sluice_shape *shape = &b->config->shapes[s];
        const int group = sluice_groups_find(&b->file.groups,
                                             sluice_config_group(b->config, s, name));
        if (shape->body ? !find(b, shape->motion)
                        : group < 0 || b->file.groups.group[group].rows == 0)
            return 0;
    }
    return 1;
}

static void warn_of_keys(struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const struct sluice_body *e = body->entry;
    if (sluice_norm(e->velocity) + sluice_norm(e->spin) > 0)
        sluice_warn(&b->warnings,
                    "%s:%d: bodies: velocity and spin of '%.60s' are not used: those of %s are",
                    e->file, e->line, body->name, b->config->particles);
}

/* A particle's place follows from its body's, so along a periodic axis no part of a body may be
 * nearer to an image of its centre. */
static sluice_status check_period(const struct sluice_case_builder *b,
                                  const struct sluice_rigid_body *body)
{
    for (int a = 0; a < b->config->dimension; a++) {
        const double period = b->config->domain.max[a] - b->config->domain.min[a];
        SLUICE_CHECK(!b->config->domain.periodic[a] || 2 * body->reach < period, SLUICE_BAD_INPUT,
                     "%s:%d: bodies: '%.60s' reaches %.6g m from its centre, over half of the "
                     "period along %c, %.6g m: it cannot begin from a snapshot; continue its run "
                     "with `sluice restart`",
                     body->entry->file, body->entry->line, body->name, body->reach, "xyz"[a],
                     period);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_start_body(struct sluice_case_builder *b, struct sluice_rigid_body *body)
{
    const struct sluice_snapshot_body *from = find(b, body->name);
    body->start = (struct sluice_pose){.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    memcpy(body->start.centre, body->centre, sizeof body->centre);
    if (!from)
        return SLUICE_OK;
    const double off[3] = {from->start[0] - body->centre[0], from->start[1] - body->centre[1],
                           from->start[2] - body->centre[2]};
    SLUICE_CHECK(sluice_norm(off) <= SAME_CENTRE * b->config->spacing, SLUICE_BAD_INPUT,
                 "%s:%d: bodies: the centre of mass of '%.60s' is at (%.9g, %.9g, %.9g), as its "
                 "shapes and keys say, but in the run of %s it began at (%.9g, %.9g, %.9g): give "
                 "the shapes and `centre` of that run; its place now comes from the snapshot",
                 body->entry->file, body->entry->line, body->name, body->centre[0], body->centre[1],
                 body->centre[2], b->config->particles, from->start[0], from->start[1],
                 from->start[2]);
    SLUICE_TRY(check_period(b, body));
    warn_of_keys(b, body);
    body->is_moved = 1;
    body->turned = from->turned;
    memcpy(body->q, from->q, sizeof body->q);
    struct sluice_pose start;
    memcpy(start.centre, from->centre, sizeof start.centre);
    memcpy(start.velocity, from->velocity, sizeof start.velocity);
    memcpy(start.spin, from->spin, sizeof start.spin);
    sluice_quaternion_matrix(from->q, start.turn);
    body->start = start;
    return SLUICE_OK;
}

const struct sluice_rigid_body *sluice_case_moved_body(const struct sluice_case *c, int mover)
{
    const int number = mover - c->config->motion_count;
    return number >= 0 && number < c->physics.body_count && c->physics.bodies[number].is_moved
               ? &c->physics.bodies[number]
               : NULL;
}
