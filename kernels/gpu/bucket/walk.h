/* A warp's walk through the trees of the frames around its targets. All lanes hold the same
 * numbers, but for `unvisited`. */
#ifndef SLUICE_KERNELS_GPU_BUCKET_WALK_H
#define SLUICE_KERNELS_GPU_BUCKET_WALK_H
#include "kernels/gpu/bucket/tree.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The grid, as the walk needs it. */
struct bucket_space {
    const int32_t (*index)[3];
    const int32_t (*neighbour)[27];
    double width[3]; /* of a frame, m */
    real slack;      /* of a reach: the rounding of positions */
    struct wall_images walls;
};

static inline struct bucket_space bucket_space_of(const struct gpu_backend *gpu,
                                                  const struct sluice_grid *g)
{
    struct bucket_space s = {};
    s.index = gpu->frames.index;
    s.neighbour = gpu->frames.neighbour;
    s.walls = wall_images_of(g);
    s.slack = slack_of(g);
    for (int c = 0; c < g->dimension; c++)
        s.width[c] = g->width[c];
    return s;
}

enum { OWN_FRAME = 13 }; /* its number among the frames around it */

/* A frame of a source, and the targets as it sees them: the box of their places, mirrored if an
 * image behind walls is meant, and their reach. */
struct frame_view {
    struct tree_range range;
    uint32_t slot;
    int shifted;   /* 0: shift is 0 */
    real shift[3]; /* to add to x_i - x_j */
    struct tree_node box;
};

template <int dim>
static __device__ __forceinline__ int is_near(const struct tree_node &box, const real *low,
                                              const real *high, real reach)
{
    real r2 = 0;
    for (int c = 0; c < dim; c++) {
        const real apart = real_max(real_max(low[c] - box.high[c], box.low[c] - high[c]), 0);
        r2 += apart * apart;
    }
    return r2 < reach * reach;
}

/* The frame of this number, 0 to 26, around the frame of the targets. Returns whether it may hold
 * particles within reach. */
template <int dim>
static __device__ __forceinline__ int
see_frame(const struct bucket_space &space, const struct tree &t, const struct tree_node &box,
          uint32_t slot, int number, int image, struct frame_view *f)
{
    const int32_t other = number < 27 ? space.neighbour[slot][number] : -1;
    if (other < 0)
        return 0;
    const int relative[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    f->slot = (uint32_t)other;
    f->range = t.range[other];
    f->box = box;
    f->shifted = image || number != OWN_FRAME;
    for (int c = 0; c < dim; c++) {
        const int side = wall_side(image, c);
        double shift = -relative[c] * space.width[c];
        if (side)
            shift = to_wall(space.walls, c, side, space.index[slot][c], 0) +
                    to_wall(space.walls, c, side, space.index[other][c], 0);
        f->shift[c] = (real)shift;
        f->box.low[c] = (side ? -box.high[c] : box.low[c]) + f->shift[c];
        f->box.high[c] = (side ? -box.low[c] : box.high[c]) + f->shift[c];
    }
    if (f->range.first == f->range.last)
        return 0;
    const struct tree_node top = load_node(
        &t.node[first_node(t, top_level(t, f->range), f->slot, f->range)]);
    return is_near<dim>(f->box, top.low, top.high, real_max(box.support, top.support));
}

struct tree_walk {
    int top;      /* level */
    int level;    /* of the node whose children are next */
    int64_t node; /* its number in the frame */
    gpu_lanes
        unvisited; /* lane l: the children of the node on level l that are still to be visited */
};

/* Finds the near children of the walk's node. */
template <int dim>
static __device__ __forceinline__ void open_node(const struct tree &t, const struct frame_view &f,
                                                 struct tree_walk *w)
{
    const int lane = (int)threadIdx.x;
    const int64_t child = (w->node << t.log2) + lane;
    int near = 0;
    if (child < nodes_of(t, w->level - 1, f.range)) {
        const struct tree_node n = load_node(
            &t.node[first_node(t, w->level - 1, f.slot, f.range) + child]);
        near = is_near<dim>(f.box, n.low, n.high, real_max(f.box.support, n.support));
    }
    const gpu_lanes all = gpu_ballot(near);
    if (lane == w->level)
        w->unvisited = all;
}

template <int dim>
static __device__ __forceinline__ void begin_walk(const struct tree &t, const struct frame_view &f,
                                                  struct tree_walk *w)
{
    w->level = w->top = top_level(t, f.range);
    w->node = 0;
    w->unvisited = 0;
    open_node<dim>(t, f, w);
}

/* A lane's own place and reach, as the frame sees them; the reach is negative for lanes without a
 * target. */
struct lane_view {
    real x[3], reach;
};

/* Whether a node may hold particles within reach of a lane. The box of the targets is much larger
 * than what they reach if some of them are far from the others. */
template <int dim>
static __device__ __forceinline__ int reaches_any(const struct tree_node &n,
                                                  const struct lane_view &lane)
{
    real r2 = 0;
    for (int c = 0; c < dim; c++) {
        const real apart = real_max(real_max(n.low[c] - lane.x[c], lane.x[c] - n.high[c]), 0);
        r2 += apart * apart;
    }
    const real reach = real_max(lane.reach, n.support);
    return gpu_ballot(lane.reach >= 0 && r2 < reach * reach) != 0;
}

/* The next leaf that may hold particles within reach, in ascending order; -1: there is no other. */
template <int dim>
static __device__ __forceinline__ int64_t next_leaf(const struct tree &t,
                                                    const struct frame_view &f,
                                                    const struct lane_view &lane,
                                                    struct tree_walk *w)
{
    for (;;) {
        const gpu_lanes left = gpu_shuffle(w->unvisited, w->level);
        if (!left && w->level == w->top)
            return -1;
        if (!left) {
            w->level++;
            w->node >>= t.log2;
            continue;
        }
        const int64_t child = (w->node << t.log2) + gpu_first_lane(left);
        if ((int)threadIdx.x == w->level)
            w->unvisited = left & (left - 1);
        if (!reaches_any<dim>(
                load_node(&t.node[first_node(t, w->level - 1, f.slot, f.range) + child]), lane))
            continue;
        if (w->level == 1)
            return child;
        w->level--;
        w->node = child;
        open_node<dim>(t, f, w);
    }
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
