#include "case/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "model/model.h"
#include "particles/columns.h"

double sluice_case_mass_of(const struct sluice_case_builder *b, int phase)
{
    const struct wcsph_params *p = &b->c->physics.wcsph;
    return phase == 2 && p->second ? b->particle_mass * (p->second->rho0 / p->rho0)
                                   : b->particle_mass;
}

double sluice_case_row_mass(const struct sluice_case_builder *b,
                            const struct sluice_particle_row *row)
{
    if (b->file.has_mass)
        return row->mass;
    return b->config->model == SLUICE_MODEL_GAS
               ? row->density * pow(b->config->spacing, b->config->dimension)
               : sluice_case_mass_of(b, row->phase);
}

static sluice_fields groups_of(const struct sluice_case *c, enum sluice_type type)
{
    return sluice_groups_count(&c->groups, type) > 1 ? SLUICE_BIT(GROUP) : 0;
}

/* The fields of the model in one piece of memory, with scratch space for the sort, and a start that
 * is held.
 */
double sluice_case_memory_needed(const struct sluice_case *c, double fraction, double fluid,
                                 double wall)
{
    const struct sluice_config *config = c->config;
    struct sluice_physics physics = c->physics;
    const size_t reals = config->model == SLUICE_MODEL_GAS ? 6 : 5;
    const double place = (double)(sizeof(sluice_id) + sizeof(struct sluice_place) +
                                  reals * sizeof(double)),
                 start = config->particles[0] ? place : 0;
    const double ghosts = sluice_config_walls_have(config, SLUICE_WALL_GHOSTS) ? wall : 0;
    const double count[SLUICE_TYPE_COUNT] = {fluid, wall, ghosts};
    double bytes = 0;
    physics.walls_move = config->motion_count + config->rigid_count > 0;
    physics.body_count = config->rigid_count;
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++) {
        const struct sluice_set set = {
            .dimension = config->dimension,
            .real_bytes = config->backend.precision ? 8 : 4,
            .fields = sluice_model_ops_of(config->model)->fields(&physics, type) |
                      groups_of(c, type)};
        const struct sluice_columns columns = sluice_columns_of(&set);
        const int scratch = columns.scratch > columns.largest ? columns.scratch : columns.largest;
        bytes += count[type] * (start + fraction * SLUICE_COLUMN_BYTES *
                                            (columns.first + columns.state + scratch));
    }
    return bytes;
}

sluice_fields sluice_case_fields(const struct sluice_case *c, enum sluice_type type)
{
    return sluice_model_ops_of(c->config->model)->fields(&c->physics, type) | groups_of(c, type);
}

struct sluice_motion_peaks sluice_case_motion_peaks(const struct sluice_case *c, int motion)
{
    const struct sluice_track *track = &c->physics.motions.track[motion];
    const struct sluice_wave_maker *maker = &c->physics.motions.maker[motion];
    const double end = fmin(c->config->time.end,
                            maker->of ? sluice_wave_maker_end(maker) : INFINITY);
    const int64_t samples = maker->of ? sluice_wave_maker_samples(maker, end) : 2000;
    struct sluice_motion_peaks peaks = {
        .start = sluice_physics_motion_speed(&c->physics, motion, 0)};
    const int64_t rows = c->config->motions[motion].kind == SLUICE_MOTION_TABLE ? track->count : 0;
    for (int64_t k = 0; k <= samples + rows; k++) {
        const double t = k <= samples ? end * (double)k / (double)samples
                                      : track->t[k - samples - 1];
        if (t < 0 || t > end)
            continue;
        peaks.speed = fmax(peaks.speed, sluice_physics_motion_speed(&c->physics, motion, t));
        peaks.acceleration = fmax(peaks.acceleration,
                                  sluice_physics_motion_acceleration(&c->physics, motion, t));
    }
    return peaks;
}

const char *sluice_case_motion_title(const struct sluice_case *c, int motion, char *text,
                                     size_t size)
{
    const struct sluice_config *config = c->config;
    const struct sluice_motion *m = &config->motions[motion];
    char title[2 * SLUICE_TEXT_MAX];
    snprintf(text, size, "the walls of motion '%s' (%s:%d)", m->name, m->file, m->line);
    if (m->carries[0])
        snprintf(text, size, "walls '%s', which motion '%s' (%s:%d) moves", m->carries, m->name,
                 m->file, m->line);
    for (int s = 0; s < config->shape_count; s++)
        if (strcmp(config->shapes[s].motion, m->name) == 0) {
            snprintf(text, size, "%s, which motion '%s' (%s:%d) moves",
                     sluice_geometry_title(config, s, title, sizeof title), m->name, m->file,
                     m->line);
            break;
        }
    return text;
}

const char *sluice_case_mass_unit(const struct sluice_config *config)
{
    return sluice_config_unit(config, config->dimension == 2 ? " kg/m" : " kg");
}

void sluice_case_builder_destroy(struct sluice_case_builder **builder)
{
    struct sluice_case_builder *b = *builder;
    if (!b)
        return;
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++) {
        free(b->slabs[type].source);
        free(b->slabs[type].particles);
    }
    sluice_fit_destroy(&b->fit);
    sluice_layers_destroy(&b->layers);
    sluice_particle_file_destroy(&b->file);
    sluice_cell_lists_destroy(&b->body.lists);
    free(b->shape_group);
    free(b->file_group);
    free(b->from_body);
    free(b->row_motion);
    free(b->row_shape);
    free(b->point_total);
    free(b->level);
    free(b->initial_group);
    sluice_grid_destroy(&b->grid);
    free(b);
    *builder = NULL;
}

sluice_status sluice_case_read_file(struct sluice_case_builder *b)
{
    if (b->file.count > 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_particle_file_read(&b->file, b->config->particles, b->config->dimension,
                                         b->config->model == SLUICE_MODEL_GAS));
    SLUICE_CHECK(b->file.units < 0 || b->file.units == b->config->units, SLUICE_BAD_INPUT,
                 "particles: %s is in units of \"%s\", the case in \"%s\"", b->config->particles,
                 b->file.units ? "lj" : "si", b->config->units ? "lj" : "si");
    if (b->file.spacing > 0 && fabs(b->file.spacing / b->config->spacing - 1) > 1e-6)
        sluice_warn(&b->warnings,
                    "particles: %s was made with a spacing of %.9g, the case has %.9g",
                    b->config->particles, b->file.spacing, b->config->spacing);
    SLUICE_TRY(sluice_case_check_snapshot_bodies(b));
    SLUICE_TRY(sluice_case_read_bodies(b));
    for (int64_t i = 0; i < b->file.count; i++)
        b->from_file[b->file.row[i].type]++;
    return sluice_case_warn_file_spacing(b);
}
