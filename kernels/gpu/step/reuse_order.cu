/* Steps in which a set is not sorted (src/sim/sort_interval.c).
 *
 *   stand_records  the records' y and z count from the middles of the rows into which the
 *                  particles were sorted, and which they may have left. If the last records do
 *                  not tell these rows, they are read from the table
 *   sort_as        makes the table of a given order, which the order operation once read
 *                  (sluice_backend_ops.bin_as); no particle moves. Each frame has one bin along
 *                  x: until the next sort the windows are long, but find the same particles in
 *                  the same order */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/gpu/place_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct order_grid {
    struct row_place rows;
    int bits[3], dim;
    int32_t wrap[3]; /* 0: an open axis */
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    const struct gpu_slot *slot;
};

static struct order_grid order_grid_of(const struct gpu_backend *gpu, const struct sluice_grid *g,
                                       const struct gpu_bins *bins)
{
    struct order_grid o;
    o.rows = row_place_of(g);
    o.dim = g->dimension;
    for (int c = 0; c < 3; c++) {
        o.bits[c] = c > 0 && c < g->dimension ? g->bins_log2[c] : 0;
        o.wrap[c] = g->periodic[c] ? g->wrap[c] : 0;
    }
    o.index = gpu->frames.index;
    o.neighbour = gpu->frames.neighbour;
    o.slot = bins->slot;
    return o;
}

/* From frame or row b to a, the short way round a periodic axis. */
static __device__ int away(int32_t a, int32_t b, int32_t period)
{
    int d = a - b;
    if (period > 0) {
        d %= period;
        d -= 2 * d > period ? period : 0;
        d += 2 * d < -period ? period : 0;
    }
    return d;
}

/* --- Records --- */

/* One thread for each row of a frame. */
template <int dim>
static __global__ void place_rows(const struct order_grid o, const struct gpu_set set,
                                  int64_t frames, const uint32_t *start, struct place_record *out)
{
    gpu_begin();
    const int rows = o.bits[1] + o.bits[2];
    const int64_t n = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, frame = n >> rows;
    if (frame >= frames || o.slot[frame].bins == 0)
        return;
    const struct gpu_slot s = o.slot[frame];
    const int row = (int)(n & ((1 << rows) - 1)),
              stands[3] = {0, row & ((1 << o.bits[1]) - 1), row >> o.bits[1]};
    const uint64_t first = s.base + (uint64_t)row * s.stride;
    for (uint32_t i = start[first]; i < start[first + s.bins]; i++) {
        const uint32_t slot = ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i];
        real at[3] = {0, 0, 0};
        for (int c = 1; c < dim; c++) {
            const real offset = VIEW(&set.v, POSITION, i, dim + 1, c);
            const int here = bin_index(&o.rows.bin[c], offset), rows_c = 1 << o.bits[c];
            at[c] = in_row(o.rows.row[c],
                           here + away(o.index[frame][c] * rows_c + stands[c],
                                       o.index[slot][c] * rows_c + here, o.wrap[c] * rows_c),
                           offset);
        }
        out[i].y = at[1];
        out[i].z = at[2];
    }
}

sluice_status stand_records(struct gpu_backend *gpu, const struct sluice_grid *g,
                            struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    const struct order_grid o = order_grid_of(gpu, g, bins);
    auto kernel = g->dimension == 3 ? place_rows<3> : place_rows<2>;
    GPU_LAUNCH_EACH(gpu, "place_rows", kernel,
                    (int64_t)gpu->frames.count << (o.bits[1] + o.bits[2]), o, set_of(gpu, set),
                    gpu->frames.count, bins->start, (struct place_record *)bins->packed);
    bins->rows_known = 1;
    return SLUICE_OK;
}

/* --- The table --- */

/* The table's entry for a bin near frame `slot`; UINT32_MAX: there is none. */
static __device__ uint32_t entry_of(const struct order_grid &o, uint32_t slot,
                                    const struct sluice_sorted &sorted)
{
    const int32_t bin[3] = {sorted.frame_x, sorted.row_y, sorted.row_z};
    int near = 13, row[3] = {0, 0, 0};
    const int stride[3] = {1, 3, 9};
    for (int c = 0; c < o.dim; c++) {
        const int32_t frame = bin[c] >> o.bits[c];
        const int d = away(frame, o.index[slot][c], o.wrap[c]);
        if (d < -1 || d > 1)
            return UINT32_MAX;
        near += d * stride[c];
        row[c] = bin[c] - frame * (1 << o.bits[c]);
    }
    const int32_t at = o.neighbour[slot][near];
    if (at < 0 || o.slot[at].bins == 0)
        return UINT32_MAX;
    return o.slot[at].base + (uint32_t)(row[2] << o.bits[1] | row[1]) * o.slot[at].stride;
}

/* Work space of sort_as. */
struct order_scratch {
    struct sluice_sorted *bin;
    uint32_t *wrong; /* set to 1 if a particle is not in its entry */
    int64_t most;    /* particles of a piece */
};

/* For particles from .. to - 1: counts those of each entry, or with `check` tests whether each
 * stands in its entry. scratch.bin[0] belongs to particle `from`. */
static __global__ void enter_order(const struct order_grid o, const uint32_t *frame,
                                   const struct order_scratch scratch, int64_t from, int64_t to,
                                   int check, uint32_t *start)
{
    gpu_begin();
    const int64_t i = from + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= to)
        return;
    const struct sluice_sorted sorted = scratch.bin[i - from];
    const uint32_t entry = entry_of(o, frame[i], sorted);
    if (entry == UINT32_MAX ||
        (check && (i - (int64_t)start[entry] != sorted.place || i >= (int64_t)start[entry + 1])))
        GPU_STORE_SAME(scratch.wrong, 1u);
    else if (!check)
        atomicAdd(&start[entry], 1u);
}

/* All particles, piece by piece. */
static sluice_status enter_all(struct gpu_backend *gpu, const struct sluice_grid *g,
                               const struct sluice_set *set, const struct sluice_sorted *bin,
                               int check, const struct order_scratch &scratch)
{
    const struct order_grid o = order_grid_of(gpu, g, bins_of(set));
    for (int64_t from = 0; from < set->count; from += scratch.most) {
        const int64_t to = from + scratch.most < set->count ? from + scratch.most : set->count;
        SLUICE_TRY(gpu_send(gpu, scratch.bin, bin + from, (size_t)(to - from) * sizeof *bin));
        GPU_LAUNCH_EACH(gpu, "enter_order", enter_order, to - from, o,
                        (const uint32_t *)set->field[SLUICE_FIELD_FRAME], scratch, from, to, check,
                        bins_of(set)->start);
    }
    return SLUICE_OK;
}

/* Sends the order twice, since the device can hold only a piece. */
static sluice_status make_table(struct gpu_backend *gpu, const struct sluice_grid *g,
                                const struct sluice_set *set, const struct sluice_sorted *bin,
                                const struct order_scratch &scratch)
{
    const struct gpu_bins *bins = bins_of(set);
    const int64_t entries = (int64_t)bins->bin_count + 2;
    SLUICE_TRY(gpu_clear(gpu, bins->start, (size_t)entries * sizeof *bins->start));
    SLUICE_TRY(enter_all(gpu, g, set, bin, 0, scratch));
    SLUICE_TRY(gpu_scan_exclusive(gpu, bins->start, entries));
    return enter_all(gpu, g, set, bin, 1, scratch);
}

sluice_status sort_as(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_set *set,
                      const struct sluice_sorted *bin)
{
    const int64_t most = set->count < GPU_ORDER_AT_ONCE ? set->count : GPU_ORDER_AT_ONCE;
    struct gpu_device_array<struct sluice_sorted> bins;
    struct gpu_device_array<uint32_t> wrong;
    uint32_t is_wrong = 0;
    gpu_unpack(set);
    bins_of(set)->sorts++;
    sort_done(set);
    SLUICE_TRY(gpu_allocate_array(gpu, most, &bins.at));
    SLUICE_TRY(gpu_allocate_array(gpu, 1, &wrong.at));
    SLUICE_TRY(make_table(gpu, g, set, bin, order_scratch{bins.at, wrong.at, most}));
    SLUICE_TRY(gpu_download(gpu, &is_wrong, wrong.at, sizeof is_wrong));
    SLUICE_CHECK(!is_wrong, SLUICE_IO,
                 "restart: the particles do not stand in the order that the checkpoint says; it "
                 "was not written by this program");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
