/* The sources of slabs: their contents, and the cells of a source that a slab has. */
#include <assert.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"

enum { MOST = 32 }; /* particles of a slab */

static int64_t width(const struct sluice_slab_source *s, int axis)
{
    const int64_t n = s->box.high[axis] - s->box.low[axis];
    return n > 0 ? n : 0;
}

/* cells: of a slab, at most. */
static sluice_status add_source(struct sluice_slabs *s, const struct sluice_slab_source *source,
                                int64_t cells)
{
    SLUICE_GROW(s->source, s->sources, s->capacity, "sources of particles");
    struct sluice_slab_source *new = &s->source[s->sources];
    *new = *source;
    const int64_t wide = width(new, 0), rows = width(new, 1) * width(new, 2);
    if (wide == 0 || rows == 0)
        return SLUICE_OK;
    new->across = sluice_blocks(wide, cells);
    new->rows = new->across > 1 ? 1 : cells / wide;
    new->first = s->count;
    new->slabs = new->across;
    new->slabs *= sluice_blocks(rows, new->rows);
    s->count += new->slabs;
    s->sources++;
    return SLUICE_OK;
}

static sluice_status add_row(struct sluice_slabs *s, enum sluice_slab_kind kind, int phase,
                             int64_t count)
{
    const struct sluice_slab_source row = {
        .kind = kind, .phase = phase, .box = {.high = {count, 1, 1}}};
    return add_source(s, &row, MOST);
}

/* The cells of the shapes, then the points of fitted walls and beside them. */
static sluice_status add_shapes(const struct sluice_case_builder *b, int type, int phase,
                                struct sluice_slabs *slabs)
{
    struct sluice_cells box[SLUICE_SHAPE_BOXES];
    int64_t points = 0;
    for (int s = 0; s < b->config->shape_count; s++) {
        const struct sluice_shape *shape = &b->config->shapes[s];
        struct sluice_slab_source source = {
            .kind = SLUICE_SLABS_OF_SHAPE, .shape = s, .phase = phase};
        if (shape->type != type ||
            (type == SLUICE_SHAPE_FLUID && (shape->phase == 2) != (phase == 2)) ||
            (b->fit && sluice_fit_is_fitted(b->config, s)))
            continue;
        const int boxes = sluice_geometry_boxes(&b->c->geometry, s, box);
        for (int k = 0; k < boxes; k++) {
            source.box = box[k];
            SLUICE_TRY(add_source(slabs, &source, MOST));
        }
    }
    if (b->fit)
        (void)sluice_fit_points(b->fit, type, &points);
    return add_row(slabs, SLUICE_SLABS_OF_FIT, phase, points);
}

const struct sluice_lattice *sluice_slab_lattice(const struct sluice_case_builder *b,
                                                 const struct sluice_slab_source *source)
{
    return source->shape < 0 ? &b->lattice : &b->c->gas_shapes.shape[source->shape].lattice;
}

/* shape: of a gas; -1: the crystal. */
static sluice_status add_lattice(const struct sluice_case_builder *b, int shape,
                                 struct sluice_slabs *s)
{
    struct sluice_slab_source source = {.kind = SLUICE_SLABS_OF_LATTICE, .shape = shape};
    const struct sluice_lattice *l = sluice_slab_lattice(b, &source);
    memcpy(source.box.high, l->cells, sizeof source.box.high);
    return l->count > 0 ? add_source(s, &source, MOST / l->basis) : SLUICE_OK;
}

sluice_status sluice_slabs_add_sources(const struct sluice_case_builder *b, enum sluice_type type,
                                       struct sluice_slabs *s)
{
    const int fluid = type == SLUICE_FLUID;
    SLUICE_TRY(add_row(s, SLUICE_SLABS_OF_FILE, 0, b->file.count));
    if (b->c->geometry.box)
        SLUICE_TRY(add_shapes(b, fluid ? SLUICE_SHAPE_FLUID : SLUICE_SHAPE_WALL, 1, s));
    if (fluid && b->c->physics.wcsph.second)
        SLUICE_TRY(add_shapes(b, SLUICE_SHAPE_FLUID, 2, s));
    if (fluid && b->config->lattice.used)
        SLUICE_TRY(add_lattice(b, -1, s));
    for (int k = 0; fluid && b->c->gas_shapes.shape && k < b->config->shape_count; k++)
        SLUICE_TRY(add_lattice(b, k, s));
    return SLUICE_OK;
}

const struct sluice_slab_source *sluice_slab_source(const struct sluice_slabs *s, int64_t k,
                                                    const struct sluice_slab_source *after)
{
    if (!after) { /* the last source that begins at or before k */
        int low = 0, high = s->sources;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            if (s->source[middle].first <= k)
                low = middle;
            else
                high = middle;
        }
        after = &s->source[low];
    }
    while (k >= after->first + after->slabs)
        after++;
    return after;
}

struct sluice_slab_part sluice_slab_part(const struct sluice_slab_source *s, int64_t k)
{
    const int64_t at = k - s->first, column = at % s->across, wide = width(s, 0),
                  row = at / s->across * s->rows, rows = width(s, 1) * width(s, 2);
    assert(rows > 0); /* no source is empty */
    return (struct sluice_slab_part){.cells = {s->box.low[0] + wide * column / s->across,
                                               s->box.low[0] + wide * (column + 1) / s->across},
                                     .row = row,
                                     .end = row + s->rows < rows ? row + s->rows : rows,
                                     .plane = s->box.high[1] - s->box.low[1]};
}
