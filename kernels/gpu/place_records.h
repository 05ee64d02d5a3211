/* Position records: the particles of a source as pair loops read them (and targets, if they are
 * sources too), in an array of their own that a kernel packs before the loop.
 *
 * Each strategy chooses what y and z mean, by a type Place that the kernel gets by value:
 *
 *   kind                 a number of its own: a strategy cannot use records of another kind
 *   of(c, offset)        axis c of a record, from the offset in the frame
 *   again(c, offset, y)  the same for a particle that has moved since it was sorted and whose last
 *                        record was y */
#ifndef SLUICE_KERNELS_GPU_PLACE_RECORDS_H
#define SLUICE_KERNELS_GPU_PLACE_RECORDS_H
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/types/bin_index.h"
#include "kernels/gpu/bins.h"
#include "kernels/gpu/fixed_x.h"
#include "kernels/types/view.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* A source particle as pair loops read it: x as in fixed_x.h, y, z, and one field of the pair. */
struct place_record {
    real x, y, z, packed; /* x: the bits of a `fixed` */
};

/* y and z from the frame's centre. */
struct frame_place {
    enum { kind = 0 };
    __device__ real of(int c, real offset) const
    {
        (void)c;
        return offset;
    }
    __device__ real again(int c, real offset, real before) const
    {
        (void)c, (void)before;
        return offset;
    }
};

/* One axis of rows of bins: the middle of a row is (row + 1/2) width - half. Records store
 * multiples of the quantum. It is so small that a particle moves by less than x's own rounding
 * (fixed_x.h), and so large that sums of middles and of y or z from them are exact: d_ij is -d_ji
 * to the bit. */
struct row_axis {
    double width, half, per_quantum, quantum;
};

HD real in_quanta(const struct row_axis &a, double x)
{
    return (real)(rint(x * a.per_quantum) * a.quantum);
}

/* The offset of a particle from the middle of its row, from its offset in the frame. */
HD real in_row(const struct row_axis &a, int row, real offset)
{
    return in_quanta(a, (double)offset - (((double)row + 0.5) * a.width - a.half));
}

/* y and z from the middle of the record's row of bins. */
struct row_place {
    enum { kind = 1 };
    struct bin_axis bin[3];
    struct row_axis row[3];
    __device__ real of(int c, real offset) const
    {
        return in_row(row[c], bin_index(&bin[c], offset), offset);
    }
    /* From the middle of the row that the particle was sorted into, which it may have left. It has
     * drifted less than half a row, so the last record tells which row that is. */
    __device__ real again(int c, real offset, real before) const
    {
        const real middle = offset - before + bin[c].half;
        return in_row(row[c], (int)floor(middle * bin[c].per_length), offset);
    }
};

static inline struct row_place row_place_in(const struct sluice_grid *g, double quantum)
{
    struct row_place place;
    for (int c = 0; c < 3; c++) {
        const int bits = c < g->dimension ? g->bins_log2[c] : 0;
        place.bin[c] = bin_axis_of(g->width[c], bits);
        place.row[c].width = g->width[c] / (1 << bits);
        place.row[c].half = g->width[c] / 2;
        place.row[c].per_quantum = 1 / quantum;
        place.row[c].quantum = quantum;
    }
    return place;
}

static inline struct row_place row_place_of(const struct sluice_grid *g)
{
    return row_place_in(g, ldexp(1.0, ilogb(g->cutoff) - FIXED_CUTOFF_BITS - 1));
}

/* gpu_bins' packed_as for records of this kind that carry this field. */
static inline int records_as(int field, int kind)
{
    return field + kind * SLUICE_FIELD_COUNT;
}

/* Whether the set's records are up to date and carry its EOS, by rows. */
static inline int carries_eos(const struct gpu_backend *gpu, const struct sluice_set *set)
{
    const struct gpu_bins *bins = bins_of(set);
    return bins && bins->packed_as == records_as(SLUICE_FIELD_EOS, row_place::kind) &&
           bins->packed_at == gpu->uploads;
}

/* Candidates are read in pairs, across the end of a window, and in the last window across the end
 * of the set: the entry there must be finite. The scratch fields of a dead particle are free to
 * use; so is everything where there is no particle. */
static __device__ void end_with_finite(const struct gpu_set &set, int64_t alive, const int dim)
{
    real *const *field = set.v.field;
    for (int c = 0; c <= dim; c++) {
        if (field[SLUICE_FIELD_PREDICTED])
            VIEW(&set.v, PREDICTED, alive, dim + 1, c) = 0;
        if (alive == set.v.count)
            VIEW(&set.v, POSITION, alive, dim + 1, c) = 0;
        if (alive == set.v.count && c < dim && field[SLUICE_FIELD_VELOCITY])
            VIEW(&set.v, VELOCITY, alive, dim, c) = 0;
    }
    /* Both arrays of those that swap: records are packed before. */
    const int vectors[] = {SLUICE_FIELD_HEAD_GRADIENT, SLUICE_FIELD_HEAD_GRADIENT_NEXT},
              tensors[] = {SLUICE_FIELD_STRESS, SLUICE_FIELD_STRESS_NEXT, SLUICE_FIELD_CORRECTION,
                           SLUICE_FIELD_CORRECTION_OLD},
              parts = dim * (dim + 1) / 2;
    for (int f : vectors)
        for (int c = 0; alive == set.v.count && field[f] && c < dim; c++)
            field[f][dim * alive + c] = 0;
    for (int f : tensors)
        for (int c = 0; alive == set.v.count && field[f] && c < parts; c++)
            field[f][parts * alive + c] = 0;
    if (field[SLUICE_FIELD_MIXING_LENGTH])
        VIEW(&set.v, MIXING_LENGTH, alive, 1, 0) = 0;
    if (field[SLUICE_FIELD_EOS])
        view_store2(&VIEW(&set.v, EOS, alive, 2, 0), 0, 1);
}

/* How a kernel packs the records of a set. */
struct place_packer {
    struct fixed_axis axis;
    const int32_t (*index)[3];
    struct place_record *out; /* NULL: pack nothing */
    int again; /* 1: the set was not sorted in this step: the last records tell the rows */
};

/* Packs the record of particle i at x in the frame of a slot. */
template <int dim, class Place>
static __device__ __forceinline__ void put_record(const struct place_packer &to, const Place &place,
                                                  int64_t i, uint32_t slot, const real *x,
                                                  real packed)
{
    const fixed along = fixed_of(to.axis, to.index[slot][0], x[0]);
    struct place_record p = {0, 0, 0, packed};
    memcpy(&p.x, &along, sizeof p.x);
    if (to.again) {
        const struct four_reals before = *(const struct four_reals *)&to.out[i];
        p.y = place.again(1, x[1], before.x[1]);
        p.z = dim == 2 ? 0 : place.again(2, x[2], before.x[2]);
    } else {
        p.y = place.of(1, x[1]);
        p.z = dim == 2 ? 0 : place.of(2, x[2]);
    }
    view_store4(&to.out[i].x, p.x, p.y, p.z, p.packed);
}

/* Packs the entry behind the last particle. */
static __device__ void end_records(const struct place_packer &to, const struct gpu_set &set,
                                   int64_t alive, const int dim)
{
    const struct place_record none = {0, 0, 0, 0};
    to.out[alive] = none;
    end_with_finite(set, alive, dim);
}

template <class Pair, int dim, class Place>
__global__ void pack_kernel(const struct gpu_set set, int source, const Place place,
                            const struct place_packer to)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, alive = alive_in(set);
    if (i == alive)
        end_records(to, set, i, dim);
    if (i < alive)
        put_record<dim>(to, place, i, ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i],
                        &VIEW(&set.v, POSITION, i, dim + 1, 0), Pair::pack(set.v, i, dim, source));
}

static inline struct place_packer
packer_of(const struct gpu_backend *gpu, const struct sluice_grid *g, const struct sluice_set *set)
{
    const struct place_packer packer = {fixed_axis_of(g), gpu->frames.index,
                                        (struct place_record *)bins_of(set)->packed,
                                        gpu->drifted > 0 && set->moves};
    return packer;
}

/* Packs the records of a source for a pair, unless they are up to date. */
template <class Pair, int dim, class Place = struct frame_place>
static sluice_status pack_places(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 struct sluice_set *set, int source, const Place &place = Place())
{
    struct gpu_bins *bins = bins_of(set);
    const int as = records_as(Pair::packs, Place::kind);
    if (bins->packed_as == as && bins->packed_at == gpu->uploads)
        return SLUICE_OK; /* packed by another pass of this step */
    SLUICE_TRY(gpu_join(gpu));
    bins->packed_as = as;
    bins->packed_at = gpu->uploads;
    bins->rows_known = (int)Place::kind == (int)row_place::kind;
    auto kernel = pack_kernel<Pair, dim, Place>;
    GPU_LAUNCH_EACH(gpu, "pack", kernel, set->count + 1, set_of(gpu, set), source, place,
                    packer_of(gpu, g, set));
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
