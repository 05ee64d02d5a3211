/* Where the particles of a case come from, and how many there are. */

#include "case/builder.h"
#include "core/allocate.h"
#include "core/free_memory.h"
#include "domain/comm.h"

/* The fraction of the particles' fields that lie in this host's memory. */
static double fields_here(const struct sluice_case_builder *b)
{
    const struct sluice_comm *world = sluice_world();
    return b->backend->on_host ? (double)world->sharing / world->size : 0;
}

static sluice_status check_size(const struct sluice_case_builder *b, double fluid, double wall,
                                const char *about)
{
    const double free = sluice_free_memory(),
                 needed = sluice_case_memory_needed(b->c, fields_here(b), fluid, wall);
    char remedy[64] = "make the lattice or the file smaller";
    if (b->config->spacing > 0)
        snprintf(remedy, sizeof remedy, "make the spacing (%.9g) larger", b->config->spacing);
    SLUICE_CHECK(fluid + wall <= (double)SLUICE_ID_MAX, SLUICE_BAD_INPUT,
                 "the case has %s%.4g particles, more than there are ids, " SLUICE_ID_MAX_TEXT
                 "; %s" SLUICE_ID_REMEDY,
                 about, fluid + wall, remedy);
    SLUICE_CHECK(free <= 0 || needed <= free, SLUICE_DEVICE,
                 "the case has %s%.4g particles, which need %.3g GB; this machine has %.3g GB to "
                 "give; %s",
                 about, fluid + wall, needed / 1e9, free / 1e9, remedy);
    return SLUICE_OK;
}

/* --- Checks of a file's particles --- */

/* Fluid must lie in the domain along open axes; walls may lie outside. */
static sluice_status check_inside(const struct sluice_case_builder *b,
                                  const struct sluice_particle_row *row)
{
    SLUICE_CHECK(sluice_grid_holds(&b->grid, row->x), SLUICE_BAD_INPUT,
                 "%s:%lld: particle %lld at (%.9g, %.9g, %.9g) is too far from the domain; move it "
                 "nearer",
                 b->config->particles, (long long)row->line, (long long)row->id, row->x[0],
                 row->x[1], row->x[2]);
    for (int a = 0; a < b->config->dimension; a++)
        SLUICE_CHECK(b->c->grid.periodic[a] || row->type != SLUICE_FLUID ||
                         (row->x[a] >= b->c->grid.low[a] && row->x[a] <= b->c->grid.high[a]),
                     SLUICE_BAD_INPUT,
                     "%s:%lld: column '%c': particle %lld at %.9g is outside the domain, which "
                     "reaches from %.9g to %.9g",
                     b->config->particles, (long long)row->line, "xyz"[a], (long long)row -> id,
                     row -> x[a], b -> c -> grid.low[a], b->c->grid.high[a]);
    return SLUICE_OK;
}

/* Whether a wall particle at rest is farther from the domain than the kernel reaches. */
static int is_out_of_reach(const struct sluice_case_builder *b,
                           const struct sluice_particle_row *row)
{
    const struct sluice_grid_options *grid = &b->c->grid;
    if (row->type != SLUICE_WALL || b->row_motion[sluice_case_row_group(b, row)] >= 0)
        return 0;
    for (int a = 0; a < b->config->dimension; a++)
        if (!grid->periodic[a] &&
            (row->x[a] < grid->low[a] - b->c->cutoff || row->x[a] > grid->high[a] + b->c->cutoff))
            return 1;
    return 0;
}

static void warn_of_far_walls(struct sluice_case_builder *b)
{
    const struct sluice_particle_row *first = NULL;
    int64_t far = 0;
    for (int64_t i = 0; i < b->file.count; i++)
        if (is_out_of_reach(b, &b->file.row[i]) && far++ == 0)
            first = &b->file.row[i];
    if (far > 0)
        sluice_warn(&b->warnings,
                    "%s:%lld: particle %lld at (%.9g, %.9g, %.9g) and %lld more of its walls lie "
                    "over %.9g, the kernel's reach, outside the domain, where fluid never "
                    "comes: move them, or make the domain larger",
                    b->config->particles, (long long)first->line, (long long)first->id, first->x[0],
                    first->x[1], first->x[2], (long long)far - 1, b->c->cutoff);
}

/* Whether a motion carries some wall. */
static int any_moves(const struct sluice_case_builder *b)
{
    for (int s = 0; s < b->config->shape_count; s++)
        if (b->config->shapes[s].motion[0])
            return 1;
    for (int k = 0; k < b->c->groups.count; k++)
        if (b->c->groups.group[k].rows > 0 && b->row_motion[k] >= 0)
            return 1;
    return 0;
}

/* Makes a body of the file's walls, which displaces particles of the geometry. */
static sluice_status make_body(struct sluice_case_builder *b)
{
    if (b->from_file[SLUICE_WALL] == 0 || b->config->shape_count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_wall_body_create(&b->body, b, b->from_file[SLUICE_WALL]));
    for (int64_t i = 0; i < b->file.count; i++)
        if (b->file.row[i].type == SLUICE_WALL)
            sluice_wall_body_add(&b->body, b->file.row[i].x);
    const int64_t isolated = b->file.is_snapshot ? 0 : sluice_wall_body_count_isolated(&b->body);
    if (2 * isolated > b->body.lists.count)
        sluice_warn(&b->warnings,
                    "particles: %lld of %lld wall particles of %s have no other wall particle "
                    "within 1.2 spacings: water passes between them; give walls of a file the "
                    "case's spacing, %.9g",
                    (long long)isolated, (long long)b->body.lists.count, b->config->particles,
                    b->config->spacing);
    return SLUICE_OK;
}

/* --- Where each type comes from --- */

/* Puts fitted walls and the fluid beside them in place. */
static sluice_status fit_walls(struct sluice_case_builder *b, int64_t count[SLUICE_TYPE_COUNT])
{
    struct sluice_case *c = b->c;
    const struct sluice_fit_source source = {b->config, &c->geometry, &c->grid,
                                             c->cutoff, &b->waiting,  sluice_case_keeps_fluid(b)};
    SLUICE_TRY(sluice_fit_create(&b->fit, &source, &c->fit, c->shapes, count));
    sluice_waiting_end(&b->waiting);
    sluice_fit_warn(&c->fit, b->config, &b->warnings);
    return SLUICE_OK;
}

/* Refuses so many cells that counting them would take minutes. Cuts hardly reduce the bound to a
 * quarter. */
static sluice_status check_bound(const struct sluice_case_builder *b, double bound)
{
    const double free = sluice_free_memory();
    if (bound > 4 * (double)SLUICE_ID_MAX ||
        (free > 0 && sluice_case_memory_needed(b->c, fields_here(b), bound, 0) > 4 * free))
        return check_size(b, bound, 0, "about ");
    return SLUICE_OK;
}

static sluice_status count_shapes(struct sluice_case_builder *b, int64_t count[SLUICE_TYPE_COUNT])
{
    SLUICE_TRY(check_bound(b, sluice_geometry_bound(&b->c->geometry)));
    SLUICE_TRY(sluice_case_make_bodies(b));
    SLUICE_TRY(sluice_geometry_report(&b->c->geometry, b->c->shapes, count));
    return fit_walls(b, count);
}

/* Warns of shapes, as the lattice has them, but not of those in whose place the file's particles
 * are. */
static sluice_status warn_of_shapes(struct sluice_case_builder *b)
{
    char text[4 * SLUICE_TEXT_MAX];
    for (int s = 0; b->c->geometry.box && s < b->config->shape_count; s++) {
        const int type = b->config->shapes[s].type,
                  filled = type == SLUICE_SHAPE_FLUID || type == SLUICE_SHAPE_WALL;
        if (!(filled && b->file.count > 0 && sluice_case_is_replaced(b, s)) &&
            sluice_geometry_warning(&b->c->geometry, s, &b->c->shapes[s], text, sizeof text))
            sluice_warn(&b->warnings, "geometry: %s", text);
    }
    return b->config->model == SLUICE_MODEL_WCSPH && b->config->shape_count > 0
               ? sluice_case_warn_narrow(b)
               : SLUICE_OK;
}

/* Ids of the geometry's particles follow the file's. */
static sluice_status first_id(const struct sluice_case_builder *b,
                              const int64_t made[SLUICE_TYPE_COUNT], sluice_id *id)
{
    const int64_t all = made[SLUICE_FLUID] + made[SLUICE_WALL];
    *id = 0;
    if (b->file.count == 0)
        return SLUICE_OK;
    const sluice_id last = b->file.row[b->file.count - 1].id;
    SLUICE_CHECK(
        (double)last + (double)all <= (double)SLUICE_ID_MAX, SLUICE_BAD_INPUT,
        "%s: the id %lld leaves none for %lld particles of the geometry after it" SLUICE_ID_REMEDY,
        b->config->particles, (long long)last, (long long)all);
    *id = last + 1;
    return SLUICE_OK;
}

/* Counts the particles that the geometry or the lattice makes of each type, before the file
 * displaces any. */
static sluice_status count_all(struct sluice_case_builder *b, int64_t made[SLUICE_TYPE_COUNT])
{
    const struct sluice_config *config = b->config;
    int64_t count[SLUICE_TYPE_COUNT];
    if (config->shape_count > 0) {
        SLUICE_ALLOCATE(b->c->shapes, config->shape_count, "shapes");
        if (config->model == SLUICE_MODEL_GAS)
            SLUICE_TRY(check_bound(b, sluice_gas_shapes_bound(&b->c->gas_shapes)));
        else
            SLUICE_TRY(count_shapes(b, made));
    }
    if (config->lattice.used) {
        SLUICE_TRY(check_size(b, b->lattice.count, 0, ""));
        made[SLUICE_FLUID] = (int64_t)b->lattice.count;
    }
    if (config->particles[0])
        SLUICE_TRY(sluice_case_read_file(b));
    if (b->from_file[SLUICE_FLUID] > 0)
        made[SLUICE_FLUID] = 0;
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        count[type] = made[type] + b->from_file[type];
    SLUICE_CHECK(config->model == SLUICE_MODEL_WCSPH || count[SLUICE_WALL] == 0, SLUICE_BAD_INPUT,
                 "model \"%s\" has no wall particles, the case has %lld",
                 config->model == SLUICE_MODEL_LJ ? "lj" : "gas", (long long)count[SLUICE_WALL]);
    return check_size(b, (double)count[SLUICE_FLUID], (double)count[SLUICE_WALL], "");
}

static sluice_status check_rows(struct sluice_case_builder *b, int type)
{
    if (type == SLUICE_WALL)
        warn_of_far_walls(b);
    for (int64_t i = 0; i < b->file.count; i++)
        if (b->file.row[i].type == type)
            SLUICE_TRY(check_inside(b, &b->file.row[i]));
    return SLUICE_OK;
}

/* One node for each wall particle of kind "mdbc". */
static sluice_status count_ghosts(struct sluice_case_builder *b)
{
    const int64_t walls = b->c->start[SLUICE_WALL].count;
    if (!sluice_config_walls_have(b->config, SLUICE_WALL_GHOSTS) || walls == 0)
        return SLUICE_OK;
    SLUICE_CHECK(b->from_file[SLUICE_WALL] == 0, SLUICE_BAD_INPUT,
                 "boundary.kind: \"mdbc\" mirrors wall particles in the surface of the geometry's "
                 "shapes, but %s brings walls of its own: remove its wall particles, or take "
                 "\"adami\"",
                 b->config->particles);
    b->c->start[SLUICE_GHOST].count = walls;
    b->first_id[SLUICE_GHOST] = b->first_id[SLUICE_WALL];
    return SLUICE_OK;
}

/* Walls come from both the file and the geometry; fluid of a file replaces that of the geometry. */
sluice_status sluice_case_fill(struct sluice_case_builder *b)
{
    int64_t made[SLUICE_TYPE_COUNT] = {0};
    sluice_id next_id;
    SLUICE_TRY(count_all(b, made));
    SLUICE_TRY(first_id(b, made, &next_id));
    SLUICE_TRY(sluice_case_set_groups(b));
    SLUICE_TRY(warn_of_shapes(b));
    SLUICE_TRY(make_body(b));
    b->c->physics.walls_move = any_moves(b);
    for (enum sluice_type type = SLUICE_FLUID; type <= SLUICE_WALL; type++) {
        SLUICE_TRY(check_rows(b, type));
        SLUICE_TRY(sluice_slabs_create(b, type, &next_id));
    }
    sluice_case_warn_displaced(b);
    SLUICE_TRY(sluice_case_report_gas(b));
    SLUICE_CHECK(b->c->start[SLUICE_FLUID].count > 0, SLUICE_BAD_INPUT,
                 "the case has no fluid particles; give a shape of type \"fluid\"%s or a file of "
                 "particles",
                 b->config->model == SLUICE_MODEL_LJ ? ", a lattice" : "");
    if (b->config->model == SLUICE_MODEL_GAS)
        SLUICE_TRY(check_size(b, (double)b->c->start[SLUICE_FLUID].count, 0, ""));
    SLUICE_TRY(sluice_case_find_second(b));
    SLUICE_TRY(count_ghosts(b));
    if (!b->config->particles[0])
        return SLUICE_OK;
    SLUICE_TRY(sluice_case_check_fluid(b));
    return sluice_case_check_coincident(b);
}
