/* Where a target of the window strategy finds its candidates: the rows of bins that it reaches, the
 * frames that hold them, and in each row the window, one range of particles. On a periodic x axis
 * there may be a second window across the seam. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_ROWS_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_ROWS_H
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/types/bin_index.h"
#include "kernels/gpu/bins.h"
#include "kernels/gpu/window/row_extents.h"
#include "kernels/gpu/fixed_x.h"
#include "kernels/gpu/window/near_masks.h"
#include "kernels/gpu/place_records.h"
#include "kernels/types/view.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* A row near the target's own: distance of their middles; distance in rows (row_code) and in
 * entries of the table of bins, if both are in one frame. Read by one load. */
struct alignas(16) window_row {
    real y, z;
    uint32_t code, offset;
};

/* Rows in the list: 13 x 13 for six rows a cutoff, of which 157 are in reach; and those in reach
 * for five. */
enum { WINDOW_ROWS = 169, WINDOW_ROWS_FEW = 109 };

/* Row (y, z), or a distance of rows, as one number. Such numbers add, and a row in the frame has no
 * bits set above those of the frame's rows. */
enum { ROW_BITS = 15, ROW_BITS_MOST = 13 };

HD uint32_t row_code(int y, int z)
{
    return (uint32_t)y + ((uint32_t)z << ROW_BITS);
}
HD int row_code_y(uint32_t code)
{
    return (int)(code << (32 - ROW_BITS)) >> (32 - ROW_BITS);
}
HD int row_code_z(uint32_t code)
{
    return (int)(code - (uint32_t)row_code_y(code)) >> ROW_BITS;
}

/* The grid as the search needs it. */
struct window_space {
    struct fixed_axis x;
    struct bin_axis axis[3];
    real row_width[3], row_half[3]; /* row_half includes slack and drift */
    real drift;                     /* how far particles may have moved since they were sorted */
    real reach, bin_slack; /* the cutoff with its slack; the rounding of a position, in the finest
                              bins of x */
    real reach2;           /* both together, squared */
    int bits[3], bins[3];  /* bins of a frame, as powers of two and as numbers */
    int row_reach[3];      /* rows that the cutoff plus twice the drift reaches, in y and z */
    uint32_t beyond;       /* bits that are set in the row_code of a row outside the frame */
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    struct near_axis near[3];
    int32_t seam_low, seam_high; /* first and last frame in x of a period */
    int rows;                    /* rows in the list; one more entry is out of reach */
};

struct window_source {
    const struct gpu_slot *slot; /* NULL: no such source */
    const uint32_t *start;
    const struct place_record *at;
    const uint64_t *near;            /* NULL: no masks */
    const struct row_extent *extent; /* NULL: use the rows' edges */
    uint32_t stretches;              /* number of extents */
};

/* A target as the loops see it: x plus M's bits; y and z from the middle of the row that is
 * searched. */
struct window_at {
    fixed x;
    real y, z;
};

/* A target. */
struct window_target {
    struct window_at at; /* from the middle of its own row */
    real x;              /* in the finest bins, from the low border of its frame */
    real y, z;
    uint32_t row; /* row_code of its own row, into which it was sorted */
    uint32_t slot;
    int seam; /* -1, 1: the cutoff reaches across the low or high seam of a periodic x; else 0 */
};

/* The bins of one row of frames as a target sees them: bin b of row w is entry own + w stride + (b
 * >> shift) of start, where b counts the finest bins from the target's frame. */
struct window_lookup {
    uint32_t own, stride;
    int shift, low, high; /* bins low .. high exist */
};

/* The bins of a frame; none if the frame is not in the table. */
static __device__ __forceinline__ struct gpu_slot frame_bins(const struct window_source &s,
                                                             int32_t slot)
{
    struct gpu_slot none = {0, 0, 31, 0};
    return slot < 0 ? none : s.slot[slot];
}

/* Looks up the frames of a neighbour row of frames; `row` is the index of the first one in
 * gpu_frames.neighbour. A window reaches at most one frame further in x. image 0: the frames beside
 * the target; -1, 1: those across that seam. */
static __device__ __forceinline__ struct window_lookup look_up(const struct window_space &space,
                                                               const struct window_source &s,
                                                               const struct window_target &i,
                                                               int row, int image)
{
    const int bins = space.bins[0], side = 2 * i.x < (real)bins ? -1 : 1;
    const int32_t frame = space.index[i.slot][0];
    const int at_seam = side < 0 ? frame == space.seam_low : frame == space.seam_high;
    const int32_t *near = space.neighbour[i.slot] + row;
    const struct gpu_slot own = frame_bins(s, image ? -1 : near[1]),
                          other = frame_bins(s, at_seam == (image != 0) ? near[1 + side] : -1);
    struct window_lookup w = {0, 0, 31, 0, -1};
    if (own.bins > 0) {
        w.own = own.base;
        w.stride = own.stride;
        w.shift = (int)own.shift;
        w.low = side < 0 && other.bins > 0 ? -bins : 0;
        w.high = side > 0 && other.bins > 0 ? 2 * bins - 1 : bins - 1;
    } else if (other.bins > 0) {
        w.own = side < 0 ? other.base + other.bins : other.base - other.bins;
        w.stride = other.stride;
        w.shift = (int)other.shift;
        w.low = side < 0 ? -bins : bins;
        w.high = side < 0 ? -1 : 2 * bins - 1;
    }
    return w;
}

struct window_range {
    uint32_t first, last; /* particles first .. last - 1 */
};

/* A row's edges, used if no box of its particles is known. */
static __device__ __forceinline__ struct row_extent edges_of(const struct window_space &space)
{
    const struct row_extent edges = {0, space.row_half[1], 0, space.row_half[2]};
    return edges;
}

static __device__ __forceinline__ struct row_extent extent_at(const struct window_source &s,
                                                              uint32_t entry)
{
    const struct real4 load = view_load4(&s.extent[entry >> GPU_EXTENT_BITS].y);
    const struct row_extent box = {load.x, load.y, load.z, load.w};
    return box;
}

/* The square of the reach left for x, where a row's middle is y and z away. */
template <int dim>
static __device__ __forceinline__ real left_of(const struct window_space &space,
                                               const struct row_extent &box, real y, real z)
{
    const real gap_y = real_max(REAL_FABS(y - box.y) - box.half_y, 0);
    real left = space.reach2 - gap_y * gap_y;
    if (dim == 3) {
        const real gap_z = real_max(REAL_FABS(z - box.z) - box.half_z, 0);
        left -= gap_z * gap_z;
    }
    return left;
}

/* The bins of the target's own frame, in which most rows lie. */
struct window_home {
    real x, per_length;   /* x of the target in bins; bins a length */
    int first, last;      /* bins that exist */
    uint32_t own, stride; /* entry of the own row's bin 0, or where it would be if the frame went
                             on; distance of rows */
    uint32_t at;          /* the target's bin, or the nearest that exists */
    uint32_t aside;       /* not 0: the frame has no bins */
};

static __device__ __forceinline__ struct window_home home_of(const struct window_space &space,
                                                             const struct window_target &i,
                                                             const struct window_lookup &w)
{
    const real scale = (real)1 / (real)(1u << w.shift);
    struct window_home home;
    home.x = i.x * scale;
    home.per_length = space.axis[0].per_length * scale;
    home.first = w.low >> w.shift;
    home.last = w.high >> w.shift;
    home.at = (uint32_t)max(min((int)floor(home.x), home.last), home.first);
    home.stride = w.stride;
    home.own = w.own + (uint32_t)(row_code_z(i.row) * space.bins[1] + row_code_y(i.row)) * w.stride;
    home.aside = w.low > 0 || w.high < 0;
    return home;
}

/* The frames that the target's rows may be in: its own, its neighbour in y (1), in z (2), in both
 * (3); from WINDOW_ACROSS on, those across the seam. */
enum { WINDOW_FRAMES = 8, WINDOW_ACROSS = 4 };

/* The side on which a target reaches rows of a neighbour frame: it reaches only one side, since a
 * frame is at least two cutoffs wide. */
static __device__ __forceinline__ int nearer_side(int row, int rows)
{
    return 2 * row < rows ? -1 : 1;
}

/* at_once: WINDOW_FRAMES: looks all frames up, even those that no row reaches, so that the loads
 * overlap; 1: only those that are needed, one after the other, which takes fewer registers. */
template <int dim, int at_once>
static __device__ __forceinline__ void
look_around(const struct window_space &space, const struct window_source &s,
            const struct window_target &i, struct window_lookup frame[WINDOW_FRAMES])
{
    const int y = row_code_y(i.row), z = row_code_z(i.row);
    const int over_y = y < space.row_reach[1] || y + space.row_reach[1] >= space.bins[1],
              over_z = dim == 3 &&
                       (z < space.row_reach[2] || z + space.row_reach[2] >= space.bins[2]);
    const int row_y = 3 * nearer_side(y, space.bins[1]), row_z = 9 * nearer_side(z, space.bins[2]);
#pragma unroll at_once
    for (int f = 0; f < WINDOW_FRAMES; f++)
        if ((!(f & 1) || over_y || at_once > 1) &&
            (!(f & 2) || over_z || (at_once > 1 && dim == 3)) && (!(f & 4) || i.seam))
            frame[f] = look_up(space, s, i, 9 + 3 + (f & 1 ? row_y : 0) + (f & 2 ? row_z : 0),
                               f & 4 ? i.seam : 0);
}

/* The window of a row that window_home does not find: across the seam (WINDOW_ACROSS) or in a
 * neighbour frame (0). `at` is the target from the middle of row `code`. edges: 1: use the row's
 * edges. */
template <int dim, int edges>
static __device__ __forceinline__ struct window_range
find_aside(const struct window_space &space, const struct window_source &s,
           const struct window_target &i, const struct window_lookup frame[WINDOW_FRAMES],
           int across, const struct window_at &at, uint32_t code)
{
    const int rows_y = space.bins[1], rows_z = space.bins[2];
    int y = row_code_y(code), z = row_code_z(code);
    const int beside_y = (unsigned)y >= (unsigned)rows_y,
              beside_z = (unsigned)z >= (unsigned)rows_z;
    struct window_range range = {0, 0};
    if (beside_y)
        y -= nearer_side(row_code_y(i.row), rows_y) * rows_y;
    if (beside_z)
        z -= nearer_side(row_code_z(i.row), rows_z) * rows_z;
    if ((unsigned)y >= (unsigned)rows_y || (unsigned)z >= (unsigned)rows_z)
        return range;
    if (edges && !(left_of<dim>(space, edges_of(space), at.y, at.z) > 0))
        return range;
    const struct window_lookup w = frame[across + (beside_y | beside_z << 1)];
    const uint32_t row = w.own + (uint32_t)(z << space.bits[1] | y) * w.stride;
    const int nearest = max(min((int)floor(i.x), w.high), w.low);
    const struct row_extent box = edges ? edges_of(space)
                                        : extent_at(s, row + (uint32_t)(nearest >> w.shift));
    const real left = left_of<dim>(space, box, at.y, at.z);
    if (!(left > 0))
        return range;
    const real r = (REAL_SQRT(left) + space.drift) * space.axis[0].per_length + space.bin_slack;
    const int low = min(max((int)floor(i.x - r), w.low), w.high + 1),
              high = max(min((int)floor(i.x + r), w.high), w.low - 1);
    range.first = gpu_load(s.start + (row + (uint32_t)(low >> w.shift)));
    range.last = gpu_load(s.start + (row + (uint32_t)(high >> w.shift) + 1));
    return range;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
