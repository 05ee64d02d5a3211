/* Records of the pair loop, packed by the last operation before the passes that changes positions
 * or the field that the records carry. This saves a launch. */
#ifndef SLUICE_KERNELS_GPU_STEP_POINT_RECORDS_H
#define SLUICE_KERNELS_GPU_STEP_POINT_RECORDS_H
#include "kernels/gpu/place_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* How an operation packs the records that the last step's pass used. */
struct point_records {
    struct place_packer to; /* `out` NULL: pack nothing */
    struct row_place rows;
    int carry; /* the field that they carry: EOS or POSITION (the mass) */
    int kind;  /* kind of the records: frame_place or row_place */
};

/* Packs the record of particle i at x. */
template <int dim>
static __device__ __forceinline__ void pack_point(const struct point_records &r, int64_t i,
                                                  uint32_t slot, const real *x, real packed)
{
    if (r.kind == row_place::kind)
        put_record<dim>(r.to, r.rows, i, slot, x, packed);
    else
        put_record<dim>(r.to, frame_place(), i, slot, x, packed);
}

/* Whether an operation that writes these fields packs the records: records with EOS after the
 * operation that writes it; records with masses after the drift of a set without a prediction, or
 * after the operation that begins the accelerations. */
static int carries_after(const struct sluice_set *set, sluice_fields writes)
{
    const int wants = set->bins ? bins_of(set)->packed_before : -1,
              field = wants % SLUICE_FIELD_COUNT;
    return wants >= 0 && ((field == SLUICE_FIELD_EOS && writes & SLUICE_BIT(EOS)) ||
                          (field == SLUICE_FIELD_POSITION &&
                           writes & (SLUICE_BIT(POSITION) | SLUICE_BIT(ACCELERATION))));
}

static struct point_records records_after(const struct gpu_backend *gpu,
                                          const struct sluice_grid *g, const struct sluice_set *set,
                                          sluice_fields writes)
{
    struct point_records r = {};
    if (!carries_after(set, writes))
        return r;
    struct gpu_bins *bins = bins_of(set);
    r.to = packer_of(gpu, g, set);
    if (r.to.again && !bins->rows_known) { /* other data have replaced the records */
        r.to.out = NULL;
        return r;
    }
    r.rows = row_place_of(g);
    r.carry = bins->packed_before % SLUICE_FIELD_COUNT;
    r.kind = bins->packed_before / SLUICE_FIELD_COUNT;
    bins->packed_as = bins->packed_before;
    bins->packed_at = gpu->uploads;
    bins->rows_known = r.kind == (int)row_place::kind;
    return r;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
