/* The window strategy: one thread a target, exact windows in rows of fine bins.
 *
 *   rows    of bins around the target's own, from a list that all targets share; those beyond the
 *           own frame are found in the frame beside it
 *   window  of a row at distance (dy, dz): x within sqrt(rc^2 - dy^2 - dz^2), one range of
 *           particles, found by two looks into `start`; on a periodic x axis a second range across
 *           the seam
 *
 * Sources in order, rows by their relative (z, y), x ascending, the seam's range last: the order of
 * a particle's sum. Lanes of a warp are neighbours in x in one row, so that they read nearly the
 * same candidates. What binds it: docs/gpu.md, "What binds the pair loop". */
#include "kernels/gpu/window_pass.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Threads of a block, and blocks that a multiprocessor shall hold: 72 registers a thread in float.
 */
enum { WINDOW_BLOCK = 128, WINDOW_BLOCKS = sizeof(real) == 4 ? 7 : 4 };

/* All rows that the target reaches, of one source. The next row's window is looked up before this
 * row's candidates are met, two at a time. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search(const struct window_args<Pair> &args, const struct window_target &i,
       const typename Pair::src &own, typename Pair::acc *sum, int64_t *hits)
{
    constexpr int light = sizeof(own) + sizeof(*sum) <= 8 * sizeof(real);
    const struct window_space &space = args.space;
    const struct window_source &s = args.source[source];
    const struct window_loop<Pair> loop = loop_of<Pair, usual, source>(
        args, (int64_t)blockIdx.x * WINDOW_BLOCK + threadIdx.x);
    const real middle[2] = {((real)row_code_y(i.row) + (real)0.5) * space.row_width[1] -
                                space.axis[1].half - i.y[0],
                            dim == 3 ? ((real)row_code_z(i.row) + (real)0.5) * space.row_width[2] -
                                           space.axis[2].half - i.z[0]
                                     : 0};
    struct window_lookup frame[WINDOW_FRAMES];
    look_around<dim>(space, s, i, frame);
    const struct window_home home = home_of<light>(space, i, frame[0]);
    const auto find = [&](int r) {
        const struct window_row &row = args.row[r];
        return find_row<dim, light>(space, s, i, home, frame, middle[0] + row.y, middle[1] + row.z,
                                    row);
    };
    struct window_found next = find(0);
#pragma unroll 1
    for (int r = 0; r < space.rows; r++) {
        const struct window_found found = next;
        struct window_range range = found.here;
        fixed x = i.x_and_magic;
        real y = i.y[0], z = i.z[0];
        if (found.beside) { /* seldom */
            y = found.beside & 1 ? i.y[1] : y;
            z = found.beside & 2 ? i.z[1] : z;
        }
        next = find(r + 1);
        const auto two = [&](uint32_t j) {
            const struct real4 p = view_load4((const real *)(loop.at + j)),
                               q = view_load4((const real *)(loop.at + (uint64_t)j + 1));
            meet<Pair, dim, energy, usual, source>(loop, x, y, z, own, p, j, 1, sum, hits);
            meet<Pair, dim, energy, usual, source>(loop, x, y, z, own, q, (uint64_t)j + 1,
                                                   j + 2 <= range.last, sum, hits);
        };
        if (!space.x.periodic || !gpu_any(found.across.first < found.across.last)) {
#pragma unroll 1
            for (; range.first < range.last; range.first += 2)
                two(range.first);
            continue;
        }
        struct window_range across = found.across; /* a warp goes on without a pause */
#pragma unroll 1
        for (;;) {
            if (range.first >= range.last) {
                range = across;
                across.last = 0;
                x = i.x_and_magic - (fixed)i.seam * space.x.period;
            }
            if (range.first >= range.last)
                break;
            two(range.first);
            range.first += 2;
        }
    }
}

template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(WINDOW_BLOCK, WINDOW_BLOCKS)
    window_kernel(const GPU_CONSTANT struct window_args<Pair> args)
{
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const struct sluice_view &v = args.pass.target.v;
    const int64_t n = (int64_t)blockIdx.x * WINDOW_BLOCK + threadIdx.x;
    double out[SLUICE_SUM_COUNT] = {};
    if (n < alive_in(args.pass.target)) {
        typename Pair::acc sum = {};
        int64_t hits = 0;
        const struct window_target i = place_target<dim>(args.space, v, n);
        const real x = VIEW(&v, POSITION, n, dim + 1, 0);
        const typename Pair::src own = Pair::load(k, v, n, dim, SLUICE_TARGET,
                                                  Pair::pack(v, n, dim, SLUICE_TARGET));
        if (is_near<dim>(args.space, args.source[0], i, x))
            search<Pair, dim, energy, usual, 0>(args, i, own, &sum, &hits);
        if (is_near<dim>(args.space, args.source[1], i, x))
            search<Pair, dim, energy, usual, 1>(args, i, own, &sum, &hits);
        Pair::store(k, v, n, dim, energy, own, sum, out);
        out[SLUICE_SUM_PAIRS] += (double)hits;
    }
    pass_sum(args.pass, out);
}

/* --- The operation --- */

struct window_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        const unsigned blocks = gpu_blocks(pass->target->count, WINDOW_BLOCK);
        struct window_args<Pair> args;
        SLUICE_TRY(
            (window_open<Pair, dim>(gpu, g, pass, WINDOW_BLOCK, frame_place(), &args, args.row)));
        if (blocks == 0)
            return SLUICE_OK;
        auto kernel = window_kernel<Pair, dim, energy, usual>;
        GPU_LAUNCH(kernel, blocks, WINDOW_BLOCK, 0, gpu->stream, args);
        GPU_LAUNCHED("window");
        if (sluice_pairs[pass->pair].writes & SLUICE_BIT(EOS))
            gpu_unpack(pass->target);
        return SLUICE_OK;
    }
};

sluice_status interact_window(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_pass *pass)
{
    return pass_dispatch<window_launch>(gpu, g, pass);
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
