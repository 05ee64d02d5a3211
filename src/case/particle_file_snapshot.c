#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "case/particle_file.h"
#include "snapshots/snapshot.h"

static sluice_status copy_rows(struct sluice_particle_file *file, const char *path,
                               const struct sluice_host_particles *p)
{
    SLUICE_TRY(sluice_particle_file_fits(path, (double)p->count, sizeof *file->row));
    file->row = calloc((size_t)(p->count ? p->count : 1), sizeof *file->row);
    SLUICE_CHECK(file->row, SLUICE_DEVICE, "no memory for %lld particles of a file",
                 (long long)p->count);
    file->count = p->count;
    file->has_density = p->has_density;
    file->has_mass = file->has_velocity = file->is_snapshot = 1;
    file->has_groups = p->shape != NULL;
    for (int64_t i = 0; i < p->count; i++) {
        struct sluice_particle_row *row = &file->row[i];
        row->line = i + 1;
        row->id = p->id[i];
        row->type = p->type[i];
        row->group = -1;
        row->phase = p->phase && p->phase[i] == 2 ? 2 : 1;
        row->mass = p->mass[i];
        row->density = p->has_density ? p->density[i] : 0;
        for (int a = 0; a < 3; a++) {
            row->x[a] = p->x[i][a];
            row->velocity[a] = p->velocity[i][a];
        }
        SLUICE_TRY(sluice_particle_file_check(file, path, row, p->dimension));
        if (p->shape)
            SLUICE_TRY(
                sluice_particle_file_name(file, path, row, p->groups->group[p->shape[i]].name));
    }
    return SLUICE_OK;
}

sluice_status sluice_particle_file_read_snapshot(struct sluice_particle_file *file,
                                                 const char *path, int dimension)
{
    struct sluice_host_particles particles = {0};
    struct sluice_snapshot_header info;
    sluice_status status = sluice_snapshot_read(path, &particles, &info);
    if (status == SLUICE_OK && info.dimension != dimension)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT,
                             "particles: %s is a snapshot in %d-D, dimension is %d", path,
                             (int)info.dimension, dimension);
    if (status == SLUICE_OK)
        status = copy_rows(file, path, &particles);
    if (status == SLUICE_OK) {
        file->units = strcmp(info.units, "lj") == 0 ? SLUICE_UNITS_LJ : SLUICE_UNITS_SI;
        file->spacing = info.spacing;
    }
    sluice_host_particles_destroy(&particles);
    return status;
}
