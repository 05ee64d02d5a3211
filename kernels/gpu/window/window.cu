/* The window strategy: one thread for each target, which meets exact windows in rows of fine bins.
 * If the targets are too few to fill the device, several threads share a target's rows, in as many
 * warps of a block.
 *
 *   near rows  most of a window is within the cutoff, and the windows of a warp's targets are
 *              alike: every candidate is evaluated, two at a time
 *   far rows   windows are short and uneven, and most candidates miss: they are tested first. A
 *              hit goes to the lane's list in shared memory. The lists are evaluated, two entries
 *              at a time, when one of the warp's lists is full, and at the end
 *   boxes      pairs with lists end a window at a box around the row's particles (row_extents.h,
 *              window_boxes.h), not at the row's edges. There are fewer misses, most of all on a
 *              lattice, and far rows that no target of the block reaches are left out
 *   records    y and z count from the middle of the record's own row. The search knows the
 *              distance to that middle anyway, and no row needs the shift of a frame
 *
 * The Makefile compiles this file for each even pair, with its name in PASS_NAME and PASS_PAIRS.
 *
 * A particle's sum, or a part's, has a fixed order: source by source; the near rows by (z, y), the
 * own row first for pairs that do not mask themselves; then the far rows; the parts in order. It
 * does not depend on when lists are evaluated. */
#include "kernels/gpu/window/window_search.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Copies the middles of the far rows, and of the pad, to shared memory. A barrier follows. */
template <class Pair>
static __device__ void share(const struct window_basics<Pair> &args, const struct window_row *rows,
                             real (*middle)[2])
{
    const struct window_space &space = args.space;
    for (int k = (int)threadIdx.x; k <= FAR_ROWS; k += (int)blockDim.x) {
        const int r = args.near_rows + k, there = k < FAR_ROWS && r < space.rows;
        middle[k][0] = there ? rows[r].y : (real)1e6 * space.reach;
        middle[k][1] = there ? rows[r].z : 0;
    }
}

/* A target's own data, and its sum. */
template <class Pair> struct window_sum {
    typename Pair::src own;
    typename Pair::acc sum;
    int64_t hits;
};

/* Sums over a source, if the target is near it. */
template <class Pair, int dim, int energy, int usual, int split, int source>
static __device__ __forceinline__ void
look_into(const struct window_basics<Pair> &args, const struct window_row *rows, int64_t n,
          const struct target_place &from, const struct window_lists &shared, int part, int parts,
          struct window_sum<Pair> *s)
{
    struct window_target i = place_target<dim>(args.space, args.place, args.own, from);
    gpu_keep(i.row);
    hold(i.at.y);
    hold(i.at.z);
    if (is_near<dim>(args.space, args.source[source], i, from.x[0]))
        search<Pair, dim, energy, usual, split, source>(args, rows, n, i, shared, part, parts,
                                                        s->own, &s->sum, &s->hits);
}

template <class Pair, int dim, int energy, int usual, int split>
static __device__ __forceinline__ void
sum_target(const struct window_basics<Pair> &args, const struct window_row *rows,
           const typename Pair::constants &k, int64_t n, const struct target_place &from,
           const struct window_lists &shared, int part, int parts, struct window_sum<Pair> *s)
{
    const struct sluice_view &v = args.pass.target.v;
    s->own = Pair::load(k, v, n, dim, SLUICE_TARGET, Pair::pack(v, n, dim, SLUICE_TARGET));
    if (!lists_for<Pair, dim>::used || looks(*shared.span))
        look_into<Pair, dim, energy, usual, split, 0>(args, rows, n, from, shared, part, parts, s);
    if (args.early)
        gpu_await();
    if (args.source[1].slot) {
        /* Read again: values kept for this source would take registers of the first source's
         * loops. */
        uint32_t again = (uint32_t)n;
        hold(again);
        look_into<Pair, dim, energy, usual, split, 1>(
            args, rows, n, target_place_of<dim>(v, args.own, again), shared, part, parts, s);
    }
}

template <class Pair, int dim, int energy>
static __device__ __forceinline__ void
store_target(const struct window_basics<Pair> &args, const typename Pair::constants &k, int64_t n,
             const struct window_sum<Pair> &s, double out[SLUICE_SUM_COUNT])
{
    const struct sluice_view &v = args.pass.target.v;
    Pair::template store<dim, energy>(k, v, n, s.own, s.sum, args.pass.wanted, out);
    if (args.records)
        args.records[n].packed = VIEW(&v, EOS, n, 2, 0);
    out[SLUICE_SUM_PAIRS] += (double)s.hits;
}

/* Builds with few kernels have only the one that can split targets, which then serves all launches.
 */
#ifdef SLUICE_FEW_KERNELS
enum { FEW = 1 };
#else
enum { FEW = 0 };
#endif

/* The rows that a kernel's parameters can hold. */
static constexpr int rows_most(int split)
{
    return split && !FEW ? WINDOW_ROWS_FEW : WINDOW_ROWS;
}

/* Whether the pass may leave out dry targets at rest: their state never changes, and no other pass
 * writes it. The state of walls is such a one; most walls are dry. */
template <class Pair> struct leaves_dry {
    static constexpr int value = Pair::sums == 0 &&
                                 !(Pair::writes & ~(SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED)));
};

template <class Pair, int dim, int energy, int usual, int split>
__global__ void __launch_bounds__(split ? SPLIT_BLOCK : WINDOW_BLOCK,
                                  (split ? SPLIT_BLOCKS : lists_for<Pair, dim>::blocks))
    window_kernel(const GPU_CONSTANT struct window_args<Pair, rows_most(split)> args)
{
    gpu_begin(args.early);
    if (leaves_dry<Pair>::value && !split && args.last_near &&
        args.last_near[blockIdx.x] < args.since)
        return;
    constexpr int lists = lists_for<Pair, dim>::used;
    real *scratch = NULL;
    struct row_extent *box = NULL;
    uint32_t *row_list = NULL;
    GPU_SHARED(uint32_t, own_list, [lists && !split ? (LIST + 1) * WINDOW_BLOCK : 1]);
    GPU_SHARED(uint8_t, own_rows, [lists && !split ? (LIST + 1) * WINDOW_BLOCK : 1]);
    GPU_SHARED(real, middle, [lists ? FAR_ROWS + 1 : 1][2]);
    GPU_SHARED(struct block_span, span);
    const typename Pair::constants k = constants_of<Pair, usual>(args.pass.k);
    const int warp = (int)threadIdx.x / GPU_WARP, lane = (int)threadIdx.x % GPU_WARP;
    uint32_t *list = own_list;
    uint8_t *far_rows = own_rows;
    if (split || lists) {
        GPU_DYNAMIC_SHARED(struct row_extent, dynamic);
        box = dynamic;
        row_list = (uint32_t *)(void *)(box + args.space.rows + 1); /* or, with parts: */
        scratch = (real *)(void *)(box + (lists ? args.space.rows + 1 : 0));
    }
    if (split) {
        list = (uint32_t *)(void *)scratch;
        far_rows = (uint8_t *)(list + (LIST + 1) * blockDim.x);
    }
    const struct list_rows row_of = list_rows_at(far_rows, list);
    if (lists)
        list += warp * (LIST + 1) * GPU_WARP + lane;
    int64_t n = split ? (int64_t)blockIdx.x * GPU_WARP + lane
                      : (int64_t)blockIdx.x * WINDOW_BLOCK + threadIdx.x;
    if (args.list)
        n = n < *args.listed ? args.list[n] : INT64_MAX;
    const struct sluice_view &v = args.pass.target.v;
    struct target_place from;
    /* Loaded before the number of living particles is known: a short launch waits once less. */
    if (split) {
        from = target_place_of<dim>(v, args.own, n < v.count ? n : 0);
        hold(from.slot);
        for (int c = 0; c < dim; c++)
            hold(from.x[c]);
    }
    const int here = n < alive_in(args.pass.target) && is_own(args.pass.target, n);
    double out[SLUICE_SUM_COUNT] = {};
    if (lists) {
        if (threadIdx.x == 0)
            span_open(&span);
        share(args, args.row, middle);
        if (!split)
            open_rows(args.space, args.near_rows, row_list);
        __syncthreads();
        /* Nothing of this is kept for the search, whose loops need the registers. */
        if (here) {
            const struct target_place p = split ? from : target_place_of<dim>(v, args.own, n);
            const struct window_target i = place_target<dim>(args.space, args.place, args.own, p);
            if (is_near<dim>(args.space, args.source[0], i, p.x[0]))
                span_add<!split>(args.space, args.source[0], i, &span);
        }
        __syncthreads();
        if (span.first <= span.last) { /* otherwise no target searches: most walls are dry */
            boxes_of<!split>(args.space, args.source[0], args.row, args.near_rows, span, box);
            __syncthreads();
        }
        if (!split && looks(span)) {
            fill_rows(args.space, args.near_rows, span, row_list);
            __syncthreads();
        }
    }
    if (split) {
        const struct window_lists shared = {list_at(list), row_of, middle, box, &span, row_list};
        const int parts = (int)blockDim.x / GPU_WARP;
        struct window_sum<Pair> s = {
        };
        if (here)
            sum_target<Pair, dim, energy, usual, split>(args, args.row, k, n, from, shared, warp,
                                                        parts, &s);
        add_parts<Pair, dim>(scratch, warp, parts, &s.sum, &s.hits);
        if (warp > 0)
            return;
        if (here)
            store_target<Pair, dim, energy>(args, k, n, s, out);
        pass_sum<Pair, (usual != 0)>(args.pass, out);
    } else {
        if (here) {
            const struct window_lists shared = {list_at(list), row_of, middle,
                                                box,           &span,  row_list};
            struct window_sum<Pair> s = {
            };
            from = target_place_of<dim>(v, args.own, n);
            sum_target<Pair, dim, energy, usual, split>(args, args.row, k, n, from, shared, 0, 1,
                                                        &s);
            store_target<Pair, dim, energy>(args, k, n, s, out);
        }
        pass_sum<Pair, (usual != 0)>(args.pass, out);
    }
}

/* --- The operation --- */

/* A row is near if the gap between it and the own row is small or zero. The limits were measured
 * with 2 x 2, 3 x 2, 4 x 2, 3 x 3 and 4 x 4 rows a cutoff. */
static int is_near_row(const struct window_space &s, const struct window_row &row)
{
    const int apart[2] = {abs(row_code_y(row.code)), abs(row_code_z(row.code))};
    int rows = 1; /* rows a cutoff, without the drift */
    double gap2 = 0;
    for (int c = 0; c < 2; c++) {
        const int reach = (int)ceil((double)(s.reach / s.row_width[c + 1]) * (1 - 1e-4));
        const double gap = apart[c] > 1 ? (double)(apart[c] - 1) / reach : 0;
        rows *= reach;
        gap2 += gap * gap;
    }
    return gap2 < (rows < 6 ? 0.24 : rows < 12 ? 0.3 : 0.37);
}

/* Puts the near rows before the far ones, their distances in quanta. */
template <class Pair, int dim>
static void divide_rows(struct window_basics<Pair> *args, struct window_row list[WINDOW_ROWS + 1],
                        struct window_row out[WINDOW_ROWS + 1])
{
    const struct row_axis *axis = args->place.row;
    const int rows = args->space.rows;
    struct window_row far[WINDOW_ROWS];
    int near = 0, far_count = 0;
    for (int r = 0; r < rows; r++) {
        struct window_row *row = &list[r];
        row->y = in_quanta(axis[1], row_code_y(row->code) * axis[1].width);
        row->z = in_quanta(axis[2], row_code_z(row->code) * axis[2].width);
        if (lists_for<Pair, dim>::used && far_count < FAR_ROWS && !is_near_row(args->space, *row))
            far[far_count++] = *row;
        else
            out[near++] = *row;
    }
    for (int r = 0; own_row_first<Pair>::value && r < near; r++)
        if (out[r].code == 0) {
            const struct window_row own = out[r];
            memmove(out + 1, out, (size_t)r * sizeof *out);
            out[0] = own;
        }
    memcpy(out + near, far, (size_t)far_count * sizeof *far);
    out[rows] = list[rows];
    args->near_rows = near;
}

/* The target's records, if the pass must update them. A pass that writes the target's EOS updates
 * the field that the records carry, if they are up to date: walls at rest are packed only once. */
static struct place_record *records_to_keep(const struct gpu_backend *gpu,
                                            const struct sluice_pass *pass)
{
    if (!(sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS)))
        return NULL;
    if (carries_eos(gpu, pass->target))
        return (struct place_record *)bins_of(pass->target)->packed;
    gpu_unpack(pass->target);
    return NULL;
}

/* The number of warps that share a target's rows. It depends on no count that changes, for it
 * decides the order of a target's sum. */
template <class Pair, int dim>
static int parts_for(const struct gpu_backend *gpu, const struct sluice_set *target, int rows)
{
    const int64_t enough = (int64_t)gpu->multiprocessors *
                           (lists_for<Pair, dim>::used ? GPU_SPLIT_HEAVY : GPU_SPLIT_LIGHT);
    const int64_t warps = (gpu->backend->orders.particles[target->type] + gpu->warp - 1) /
                          gpu->warp;
    int parts = 1;
    while (rows <= rows_most(1) && 2 * parts <= PARTS_MOST && 2 * parts * warps <= enough &&
           split_bytes<Pair, dim>(2 * parts, gpu->warp) + box_bytes<Pair, dim>(rows) <= SPLIT_BYTES)
        parts *= 2;
    return parts;
}

/* Queues one launch. parts: warps that share a target's rows; 1: the kernel without parts. */
template <class Pair, int dim, int energy, int usual>
static sluice_status queue(const struct sluice_pass *pass,
                           struct window_args<Pair, WINDOW_ROWS> &args, unsigned blocks, int parts,
                           int warp, gpuStream_t stream)
{
    const size_t boxes = box_bytes<Pair, dim>(args.space.rows),
                 numbers = row_list_bytes<Pair, dim>(args.space.rows);
    if (parts > 1 || FEW) {
        constexpr int general = GPU_SPLIT_GENERAL;
        auto kernel = window_kernel<Pair, dim, (general || energy), (general ? 0 : usual), 1>;
        struct window_args<Pair, rows_most(1)> few;
        static_cast<struct window_basics<Pair> &>(few) = args;
        memcpy(few.row, args.row, sizeof few.row);
        launch(args.early, kernel, blocks, parts * warp,
               boxes + split_bytes<Pair, dim>(parts, warp), stream, few);
    } else {
        auto kernel = window_kernel<Pair, dim, energy, usual, FEW>;
        if constexpr (usual && energy && knows_still<typename Pair::constants>::value) {
            const struct sluice_set *walls = pass->source[1];
            if (knows_still<typename Pair::constants>::part(args.pass.k).level)
                kernel = walls && walls->field[SLUICE_FIELD_VELOCITY]
                             ? window_kernel<Pair, dim, energy, LEVEL, FEW>
                             : window_kernel<Pair, dim, energy, STILL, FEW>;
        }
        launch(args.early, kernel, blocks, WINDOW_BLOCK, boxes + numbers, stream, args);
    }
    return gpu_launched("window");
}

struct window_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        struct window_args<Pair, WINDOW_ROWS> args;
        struct window_row listed[WINDOW_ROWS + 1];
        const real cutoff = Pair::support(Pair::prepare(pass));
        SLUICE_TRY(space_of(gpu, g, cutoff, &args.space));
        SLUICE_TRY(list_rows(&args.space, dim, cutoff, listed));
        const int parts = parts_for<Pair, dim>(gpu, pass->target, args.space.rows),
                  split = parts > 1 || FEW,
                  block = split ? gpu->warp : WINDOW_BLOCK; /* targets of a block */
        SLUICE_TRY((window_open<Pair, dim>(gpu, g, pass, block, &args)));
        if (pass->target->count == 0)
            return SLUICE_OK;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            if (lists_for<Pair, dim>::used && args.source[s].slot) {
                const struct gpu_bins *bins = bins_of(pass->source[s]);
                SLUICE_TRY(row_extents(gpu, g, pass->source[s], &args.source[s].extent));
                args.source[s].stretches = (uint32_t)extent_count(bins->bin_count);
            }
        args.last_near = NULL;
        if (leaves_dry<Pair>::value && !split && args.source[0].slot && !pass->source[1])
            SLUICE_TRY(near_groups(gpu, g, pass->source[0], pass->target, args.source[0].near,
                                   block, &args.last_near, &args.since));
        divide_rows<Pair, dim>(&args, listed, args.row);
        args.records = records_to_keep(gpu, pass);
        args.own = own_records(gpu, pass->target);
        args.early = begins_early(gpu, pass);
        args.list = args.listed = NULL;
        struct gpu_targets targets[2];
        int launches;
        SLUICE_TRY(gpu_divide_targets(gpu, pass->target, targets, &launches));
        for (int t = 0; t < launches; t++) {
            const unsigned blocks = gpu_blocks(targets[t].most, block);
            args.list = targets[t].list;
            args.listed = targets[t].count;
            if (blocks > 0)
                SLUICE_TRY((queue<Pair, dim, energy, usual>(pass, args, blocks, parts, gpu->warp,
                                                            targets[t].stream)));
        }
        gpu->window.target = pass->target;
        gpu->window.early = args.early;
        gpu->window.queued = gpu_queued_so_far();
        return SLUICE_OK;
    }
};

/* For the pair that this object is compiled for. */
sluice_status WINDOW_OF(PASS_NAME)(struct gpu_backend *gpu, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    return pass_dispatch<window_launch>(gpu, g, pass);
}

} // namespace SLUICE_GPU::GPU_PRECISION
