/* The rows that come through openings, made by the host's threads: thousands of particles in one
 * step, while a device waits. */
#include <math.h>
#include <stdatomic.h>

#include "backend/particle_list.h"
#include "kernels/registry.h"
#include "physics/openings/openings.h"

double openings_born_mass(const struct sluice_physics *p)
{
    return p->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC ? 0 : opening_particle_mass(p, 0);
}

/* The rows that come through an opening. */
struct coming {
    const struct openings *openings;
    const struct sluice_model *model;
    const struct sluice_grid *grid;
    const struct opening *of;
    struct sluice_listed_particle *first; /* of the opening */
    int real_bytes;
    atomic_int outside; /* 1: one of them would come outside the domain */
};

/* The row of a column that has come `moved` into the water since the last one. */
static void make_row(struct coming *to, int c, double moved, struct sluice_listed_particle *row)
{
    const struct opening *of = to->of;
    const struct sluice_physics *physics = to->model->physics;
    const struct opening_column *column = &to->openings->column[of->first + c];
    const int edges = to->grid->dimension - 1;
    const double behind = moved - (of->rows + 0.5) * of->spacing,
                 alike = openings_born_mass(physics);
    double middle[3], last = NAN, density = 0;
    struct sluice_listed_particle p = {.group = to->openings->group, .slot = -1};
    opening_column_middle(of, c, middle);
    for (int a = 0; a < 3; a++)
        p.velocity[a] = column->velocity * of->axis[a];
    for (int k = 0; k < opening_row_of(of); k++) {
        const int place[2] = {k % of->across, k / of->across};
        double x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = middle[a] + behind * of->axis[a];
            for (int e = 0; e < edges; e++)
                x[a] += (place[e] + 0.5 - of->across / 2.0) * of->spacing * of->edge[e][a];
        }
        const double head = opening_head_at(of, physics, column->head, x);
        if (head != last) /* most of a column have the same */
            density = sluice_wcsph_density_of_head(&physics->wcsph, last = head);
        p.scalar = density;
        p.mass = alike > 0 ? alike : opening_particle_mass(physics, density);
        sluice_grid_place(to->grid, x, &p.place);
        sluice_listed_round(to->grid, to->real_bytes, &p);
        if (!sluice_listed_is_inside(to->grid, &p))
            atomic_store(&to->outside, 1);
        row[k] = p;
    }
}

enum { COLUMNS = 32, FEW = 256 }; /* that a thread takes at once; particles for one thread */

static void make_rows(struct sluice_share *share, void *data)
{
    struct coming *to = data;
    const struct opening *of = to->of;
    const struct openings *o = to->openings;
    int64_t c, last;
    while (sluice_share_block(share, opening_columns_of(of), COLUMNS, &c, &last))
        for (; c < last; c++) {
            const struct opening_born *born = &o->born[of->first + c];
            double moved = opening_moved(to->model, &o->row[of->first + c]);
            for (int k = 0; k < born->rows; k++, moved -= of->spacing)
                make_row(to, (int)c, moved, to->first + born->before + k * opening_row_of(of));
        }
}

/* The rows that are due in each column, and how many particles of the opening stand before them. */
static void count_rows(struct openings *o, struct opening *of, const struct sluice_model *m)
{
    const double due = of->spacing + of->late - 1e-9 * m->physics->wcsph.spacing;
    of->came = 0;
    if (of->keys->kind == SLUICE_OPENING_OUTLET)
        return;
    for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
        double moved = o->column[c].rule == OPENING_HOLDS ? opening_moved(m, &o->row[c]) : 0;
        int rows = 0;
        for (; moved >= due; moved -= of->spacing)
            rows++;
        o->born[c] = (struct opening_born){rows, of->came};
        of->came += (int64_t)rows * opening_row_of(of);
    }
}

/* Adds to the list what comes through an opening. */
static sluice_status add_rows(struct openings *o, struct opening *of, const struct sluice_model *m,
                              const struct sluice_backend *b, const struct sluice_grid *g,
                              struct sluice_particle_list *born)
{
    struct coming to = {
        .openings = o, .model = m, .grid = g, .of = of, .real_bytes = b->real_bytes};
    count_rows(o, of, m);
    if (of->came == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_particle_list_reserve(born, born->count + of->came));
    to.first = born->particle + born->count;
    sluice_threads_run(of->came > FEW ? m->team : NULL,
                       sluice_blocks(opening_columns_of(of), COLUMNS), make_rows, &to);
    for (int64_t k = 0; k < of->came && to.outside; k++)
        SLUICE_TRY(sluice_listed_check(g, &to.first[k]));
    born->count += of->came;
    return SLUICE_OK;
}

sluice_status openings_come(struct openings *o, const struct sluice_model *m,
                            const struct sluice_backend *b, const struct sluice_grid *g,
                            struct sluice_particle_list *born)
{
    for (int i = 0; i < o->count; i++)
        SLUICE_TRY(add_rows(o, &o->opening[i], m, b, g, born));
    return SLUICE_OK;
}
