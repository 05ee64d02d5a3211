#include "case/particle_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "core/allocate.h"
#include "core/free_memory.h"
#include "files/hdf5.h"
#include "files/read_csv.h"
#include "snapshots/snapshot.h"

enum column {
    ID,
    TYPE,
    X,
    Y,
    Z,
    VX,
    VY,
    VZ,
    DENSITY,
    PRESSURE,
    ENERGY,
    MASS,
    PHASE,
    SHAPE,
    COLUMN_COUNT
};
static const char *const column_name[COLUMN_COUNT] = {
    "id", "type",    "x",        "y",      "z",    "vx",    "vy",
    "vz", "density", "pressure", "energy", "mass", "phase", "shape"};

/* The number of a row in a column from X to MASS. */
static double *number_of(struct sluice_particle_row *row, int column)
{
    return column == DENSITY    ? &row->density
           : column == PRESSURE ? &row->pressure
           : column == ENERGY   ? &row->energy
           : column == MASS     ? &row->mass
           : column >= VX       ? &row->velocity[column - VX]
                                : &row->x[column - X];
}

struct reader {
    struct sluice_rows rows;
    int dimension, is_gas;
    char shape[SLUICE_TEXT_MAX]; /* of the row */
    int64_t capacity;
};

static int has(const struct reader *r, int column)
{
    return (r->rows.has >> column) & 1;
}

static sluice_status read_header(struct reader *r)
{
    SLUICE_TRY(sluice_rows_header(&r->rows, column_name, COLUMN_COUNT, sluice_rows_field));
    for (int c = X; c < X + r->dimension; c++)
        SLUICE_CHECK(has(r, c), SLUICE_BAD_INPUT,
                     "%s:%lld: column '%s' is missing; a case in %d-D needs it", r->rows.path,
                     r->rows.line, column_name[c], r->dimension);
    SLUICE_CHECK(!r->is_gas || has(r, DENSITY), SLUICE_BAD_INPUT,
                 "%s:%lld: column 'density' is missing; a gas needs it", r->rows.path,
                 r->rows.line);
    SLUICE_CHECK(r->is_gas || !has(r, ENERGY), SLUICE_BAD_INPUT,
                 "%s:%lld: column 'energy' is for model \"gas\"; leave it out", r->rows.path,
                 r->rows.line);
    const enum column other = r->is_gas ? ENERGY : DENSITY;
    SLUICE_CHECK(!has(r, other) || !has(r, PRESSURE), SLUICE_BAD_INPUT,
                 "%s:%lld: there are columns '%s' and 'pressure'; one follows from the other, "
                 "leave one out",
                 r->rows.path, r->rows.line, column_name[other]);
    return SLUICE_OK;
}

/* Why a column cannot have this value; NULL: it can. */
static const char *wrong_value(int column, double value, int dimension, int is_gas)
{
    if (!isfinite(value))
        return "is not finite";
    if (dimension == 2 && (column == Z || column == VZ) && value != 0)
        return "in a case of dimension 2; it must be 0 or left out";
    if ((column == MASS || column == DENSITY) && value <= 0)
        return "is not above 0";
    if (is_gas && (column == PRESSURE || column == ENERGY) && value < 0)
        return "is below 0";
    return NULL;
}

static sluice_status refuse(const struct reader *r, int column, const char *text, const char *why)
{
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%lld: column '%s': '%.60s' %s", r->rows.path,
                       r->rows.line, column_name[column], text, why);
}

static sluice_status read_real(const struct reader *r, int column, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end)
        return refuse(r, column, text, "is not a number");
    const char *why = wrong_value(column, *out, r->dimension, r->is_gas);
    return why ? refuse(r, column, text, why) : SLUICE_OK;
}

static sluice_status read_id(const struct reader *r, const char *text, sluice_id *id)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > SLUICE_ID_MAX)
        return refuse(r, ID, text,
                      "is not a whole number from 0 to " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY);
    *id = (sluice_id)value;
    return SLUICE_OK;
}

/* A name goes into messages, tables and snapshots. */
static sluice_status read_shape(struct reader *r, const char *text)
{
    int good = strlen(text) < sizeof r->shape;
    for (const char *c = text; *c; c++)
        good &= !iscntrl((unsigned char)*c) && *c != '"';
    if (!good)
        return refuse(r, SHAPE, text,
                      "is no name: at most 255 bytes, without quotes and control characters");
    snprintf(r->shape, sizeof r->shape, "%s", text);
    return SLUICE_OK;
}

/* The place of a word in a list of two, each with a name and a digit; -1: neither. */
static int find_word(const char *text, const char *const words[4])
{
    for (int k = 0; k < 4; k++)
        if (strcmp(text, words[k]) == 0)
            return k / 2;
    return -1;
}

static sluice_status read_value(struct reader *r, int column, const char *text,
                                struct sluice_particle_row *row)
{
    static const char *const types[] = {"fluid", "0", "wall", "1"}, *const phases[] = {"1", "1",
                                                                                       "2", "2"};
    if (column == SHAPE)
        return read_shape(r, text);
    if (column == ID)
        return read_id(r, text, &row->id);
    if (column != TYPE && column != PHASE)
        return read_real(r, column, text, number_of(row, column));
    const int word = find_word(text, column == TYPE ? types : phases);
    if (word < 0)
        return refuse(r, column, text,
                      column == TYPE ? "is not a type; there are fluid (0) and wall (1)"
                                     : "is not a phase; there are 1 and 2");
    *(column == TYPE ? &row->type : &row->phase) = (uint8_t)(column == TYPE ? word : word + 1);
    return SLUICE_OK;
}

static sluice_status read_row(struct reader *r, struct sluice_particle_row *row)
{
    char *rest = r->rows.text, *text;
    int n = 0;
    while ((text = sluice_rows_field(&rest))) {
        if (n < r->rows.columns)
            SLUICE_TRY(read_value(r, r->rows.column[n], text, row));
        n++;
    }
    SLUICE_CHECK(n == r->rows.columns, SLUICE_BAD_INPUT,
                 "%s:%lld: %d values, the header names %d columns", r->rows.path, r->rows.line, n,
                 r->rows.columns);
    return SLUICE_OK;
}

static sluice_status check_memory(const char *path, double particles, size_t bytes)
{
    enum { ALWAYS = 1000000 };
    const double free = particles > ALWAYS ? sluice_free_memory() : 0;
    SLUICE_CHECK(free <= 0 || particles * (double)bytes <= free, SLUICE_DEVICE,
                 "particles: %s: memory for %.4g particles takes %.3g GB, this machine has %.3g GB "
                 "to give; start from fewer particles",
                 path, particles, 1e-9 * particles * (double)bytes, 1e-9 * free);
    return SLUICE_OK;
}

static sluice_status reserve(struct sluice_particle_file *file, const char *path, int64_t *capacity)
{
    if (file->count < *capacity)
        return SLUICE_OK;
    const int64_t wanted = *capacity ? 2 * *capacity : 1024;
    SLUICE_TRY(check_memory(path, (double)wanted, sizeof(struct sluice_particle_row)));
    struct sluice_particle_row *row = realloc(file->row, (size_t)wanted * sizeof *row);
    SLUICE_CHECK(row, SLUICE_DEVICE, "no memory for %lld particles of a file", (long long)wanted);
    file->row = row;
    *capacity = wanted;
    return SLUICE_OK;
}

static sluice_status set_name(struct sluice_particle_file *file, const char *path,
                              struct sluice_particle_row *row, const char *name)
{
    static const char *const types[] = {"fluid", "a wall"};
    int group;
    SLUICE_TRY(sluice_groups_add(&file->groups, name, row->type, &group));
    SLUICE_CHECK(
        file->groups.group[group].type == row->type, SLUICE_BAD_INPUT,
        "%s:%lld: column 'shape': particle %lld is %s, but '%.60s' is the name of %s before "
        "it: fluid and walls need names of their own",
        path, (long long)row->line, (long long)row->id, types[row->type], name,
        types[file->groups.group[group].type]);
    file->groups.group[group].rows++;
    row->group = group;
    return SLUICE_OK;
}

static sluice_status read_table(struct reader *r, struct sluice_particle_file *file)
{
    SLUICE_TRY(read_header(r));
    while (sluice_rows_next(&r->rows)) {
        SLUICE_TRY(reserve(file, r->rows.path, &r->capacity));
        SLUICE_CHECK(file->count < (int64_t)SLUICE_ID_MAX, SLUICE_BAD_INPUT,
                     "%s: more than " SLUICE_ID_MAX_TEXT " particles" SLUICE_ID_REMEDY,
                     r->rows.path);
        struct sluice_particle_row *row = &file->row[file->count];
        memset(row, 0, sizeof *row);
        row->line = r->rows.line;
        row->id = (sluice_id)file->count;
        row->phase = 1;
        row->group = -1;
        r->shape[0] = 0;
        SLUICE_TRY(read_row(r, row));
        if (r->shape[0])
            SLUICE_TRY(set_name(file, r->rows.path, row, r->shape));
        file->count++;
    }
    SLUICE_TRY(sluice_rows_end(&r->rows));
    file->has_density = has(r, DENSITY);
    file->has_pressure = has(r, PRESSURE);
    file->has_mass = has(r, MASS);
    file->has_groups = has(r, SHAPE);
    file->has_velocity = has(r, VX) || has(r, VY) || has(r, VZ);
    return SLUICE_OK;
}

/* --- Snapshots --- */

static sluice_status check_row(const struct sluice_particle_file *file, const char *path,
                               struct sluice_particle_row *row, int dimension, int is_gas)
{
    for (int c = X; c <= MASS; c++) {
        const double value = *number_of(row, c);
        const char *why = wrong_value(c, value, dimension, is_gas);
        SLUICE_CHECK(!why || (c == DENSITY && !file->has_density), SLUICE_BAD_INPUT,
                     "%s: particle %lld: %s: %.9g %s", path, (long long)row->id, column_name[c],
                     value, why);
    }
    return SLUICE_OK;
}

static sluice_status copy_rows(struct sluice_particle_file *file, const char *path,
                               const struct sluice_host_particles *p, int is_gas)
{
    SLUICE_CHECK(!is_gas || (p->has_density && p->energy), SLUICE_BAD_INPUT,
                 "particles: %s is no snapshot of a gas: it has no array %s", path,
                 p->has_density ? "InternalEnergy" : "Density");
    SLUICE_TRY(check_memory(path, (double)p->count, sizeof *file->row));
    SLUICE_ALLOCATE(file->row, p->count, "particles of a file");
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
        row->energy = is_gas ? p->energy[i] : 0;
        for (int a = 0; a < 3; a++) {
            row->x[a] = p->x[i][a];
            row->velocity[a] = p->velocity[i][a];
        }
        SLUICE_TRY(check_row(file, path, row, p->dimension, is_gas));
        if (p->shape)
            SLUICE_TRY(set_name(file, path, row, p->groups->group[p->shape[i]].name));
    }
    return SLUICE_OK;
}

static sluice_status read_snapshot(struct sluice_particle_file *file, const char *path,
                                   int dimension, int is_gas)
{
    struct sluice_host_particles particles = {0};
    struct sluice_snapshot_header info;
    sluice_status status = sluice_snapshot_read(path, &particles, &info);
    if (status == SLUICE_OK && info.dimension != dimension)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT,
                             "particles: %s is a snapshot in %d-D, dimension is %d", path,
                             (int)info.dimension, dimension);
    if (status == SLUICE_OK)
        status = copy_rows(file, path, &particles, is_gas);
    if (status == SLUICE_OK) {
        file->units = strcmp(info.units, "lj") == 0 ? SLUICE_UNITS_LJ : SLUICE_UNITS_SI;
        file->spacing = info.spacing;
    }
    sluice_host_particles_destroy(&particles);
    return status;
}

/* --- Either kind --- */

static sluice_status read_rows(struct sluice_particle_file *file, const char *path, int dimension,
                               int is_gas)
{
    struct reader r = {.dimension = dimension, .is_gas = is_gas};
    const char *why = sluice_rows_open(&r.rows, path);
    SLUICE_CHECK(!why, SLUICE_IO, "particles: %s: %s", path, why);
    const int is_snapshot = sluice_hdf5_is_signed(fileno(r.rows.stream));
    const sluice_status status = is_snapshot ? SLUICE_OK : read_table(&r, file);
    sluice_rows_close(&r.rows);
    return is_snapshot ? read_snapshot(file, path, dimension, is_gas) : status;
}

static int compare_rows(const void *left, const void *right)
{
    const struct sluice_particle_row *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static sluice_status read_any(struct sluice_particle_file *file, const char *path, int dimension,
                              int is_gas)
{
    file->units = -1;
    SLUICE_TRY(read_rows(file, path, dimension, is_gas));
    SLUICE_CHECK(file->count > 0, SLUICE_BAD_INPUT, "particles: %s holds no particles", path);
    qsort(file->row, (size_t)file->count, sizeof *file->row, compare_rows);
    for (int64_t i = 1; i < file->count; i++)
        SLUICE_CHECK(
            file->row[i].id != file->row[i - 1].id, SLUICE_BAD_INPUT,
            "%s:%lld: column 'id': %lld again, it stands on line %lld already; ids must be unique",
            path, (long long)file->row[i].line, (long long)file->row[i].id,
            (long long)file->row[i - 1].line);
    return SLUICE_OK;
}

sluice_status sluice_particle_file_read(struct sluice_particle_file *file, const char *path,
                                        int dimension, int is_gas)
{
    memset(file, 0, sizeof *file);
    const sluice_status status = read_any(file, path, dimension, is_gas);
    if (status != SLUICE_OK)
        sluice_particle_file_destroy(file);
    return status;
}

void sluice_particle_file_destroy(struct sluice_particle_file *file)
{
    free(file->row);
    sluice_groups_destroy(&file->groups);
    file->row = NULL;
    file->count = 0;
}
