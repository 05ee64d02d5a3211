/* The bucket strategy, for particles with supports of their own: a block of one warp for each leaf
 * of the target's tree, a lane for each target.
 *
 *   walk    the warp walks the trees of the frames around (tree.h): it tests all children of a node
 *           at once against the box of its targets
 *   queue   particles of the leaves that remain, and that lie within reach of the box, are copied
 *           to shared memory
 *   meet    when the queue is full, each lane tests all its entries, then evaluates those within
 *           reach
 *
 * A warp of targets far from each other, or of wide ones beside a dense crowd, would keep the
 * device waiting. When it has too many candidates, its targets go to a list, and each gets a warp
 * of its own.
 *
 * A target whose sums are not final (NAME_accepts) repeats them, with the box of those that do so
 * too. The other lanes wait and keep their state.
 *
 * A particle's sum has a fixed order: itself, then its images behind walls; source by source, the
 * frames by (z, y, x), particles by their place on the curve. Those out of reach add nothing. So
 * the sum does not depend on leaves, nor on what else a rank holds. */
#undef PASS_PAIRS
#define PASS_PAIRS(X) SLUICE_ADAPTIVE_PAIRS(X)
#include "kernels/gpu/pass.h"
/* after pass.h */
#include "kernels/gpu/prefix.h"
#include "kernels/gpu/bucket/walk.h"

namespace SLUICE_GPU::GPU_PRECISION
{

template <class Pair> struct bucket_args {
    struct pass_args<Pair> pass;
    struct bucket_space space;
    struct tree target, source[SLUICE_PASS_SOURCES];
    uint32_t *alone; /* targets that get a warp of their own: [0] how many, then they */
    int by_leaf;     /* 1: the launch that lists them; 0: that which serves them */
};

/* Entries of a queue. In double they take twice the memory. */
enum { QUEUE = sizeof(real) == 4 ? GPU_QUEUE : GPU_QUEUE_DOUBLE };
static_assert((int)QUEUE >= (int)GPU_WARP_MOST && (int)QUEUE <= 256,
              "a warp's candidates fit, and their places into a byte");

struct alignas(4 * sizeof(real)) queue_place {
    real x, y, z, reach2; /* the square of its own reach */
};

/* In shared memory: candidates, as reals four by four. */
template <class Pair> struct bucket_queue {
    enum { FOURS = (sizeof(typename Pair::src) / sizeof(real) + 3) / 4 };
    struct queue_place at[QUEUE];
    uint32_t number[QUEUE];
    struct four_reals src[FOURS][QUEUE];
    uint8_t hit[QUEUE][GPU_WARP_MOST]; /* of each lane: candidates within reach */
};

template <class Pair>
static __device__ __forceinline__ void put_candidate(struct bucket_queue<Pair> *q, int place,
                                                     const struct tree_record &at, uint32_t number,
                                                     const typename Pair::src &src)
{
    struct four_reals fours[bucket_queue<Pair>::FOURS] = {
    };
    memcpy(fours, &src, sizeof src);
    q->at[place] = {at.x, at.y, at.z, at.reach * at.reach};
    q->number[place] = number;
#pragma unroll
    for (int k = 0; k < bucket_queue<Pair>::FOURS; k++)
        q->src[k][place] = fours[k];
}

template <class Pair>
static __device__ __forceinline__ typename Pair::src
candidate_in(const struct bucket_queue<Pair> &q, int place)
{
    struct four_reals fours[bucket_queue<Pair>::FOURS];
    typename Pair::src src;
#pragma unroll
    for (int k = 0; k < bucket_queue<Pair>::FOURS; k++)
        fours[k] = q.src[k][place];
    memcpy(&src, fours, sizeof src);
    return src;
}

/* The target of a lane. */
template <class Pair> struct bucket_target {
    int64_t n;
    int left;  /* 1: its sums are not final */
    real x[3]; /* its offset; of an image: mirrored */
    real support, reach2;
    typename Pair::src own;
    typename Pair::acc sum;
    int64_t hits;
};

/* d = x_i - x_j; returns its square. */
template <class Pair, int dim>
static __device__ __forceinline__ real difference(const struct bucket_target<Pair> &i,
                                                  const struct queue_place &j, const real shift[3],
                                                  real d[3])
{
    const real x[3] = {j.x, j.y, j.z};
    d[2] = 0;
    for (int c = 0; c < dim; c++)
        d[c] = (i.x[c] - x[c]) + shift[c];
    return pair_dot(dim, d, d);
}

/* 1 if the candidate is within the target's support, or the target within the candidate's. */
template <class Pair, int dim, int source>
static __device__ __forceinline__ int is_hit(const struct bucket_args<Pair> &args,
                                             const typename Pair::constants &k, real support,
                                             uint32_t number, real r2)
{
    real reach = support;
    if constexpr (Pair::either)
        reach = real_max(reach, Pair::support_of(k, args.pass.source[source].v, number, dim));
    return r2 < reach * reach;
}

/* Lists the candidates that the lane's target reaches, or that reach it; returns their number. */
template <class Pair, int dim, int shifted>
static __device__ __forceinline__ int list_hits(struct bucket_queue<Pair> *q, const real shift[3],
                                                int queued, const struct bucket_target<Pair> &i)
{
    const real none[3] = {0, 0, 0};
    int count = 0;
    real d[3];
#pragma unroll 8
    for (int n = 0; n < queued; n++) {
        const struct queue_place j = q->at[n];
        const real r2 = difference<Pair, dim>(i, j, shifted ? shift : none, d);
        if (r2 < (Pair::either ? real_max(i.reach2, j.reach2) : i.reach2))
            q->hit[count++][threadIdx.x] = (uint8_t)n;
    }
    return i.left ? count : 0;
}

/* Adds the queue's candidates to the sums of all lanes, and empties it. self: the target's number
 * if it is among the particles of the frame, else UINT32_MAX. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
meet_queue(const struct bucket_args<Pair> &args, const typename Pair::constants &k,
           struct bucket_queue<Pair> *q, const struct frame_view &f, uint32_t self, int *queued,
           struct bucket_target<Pair> *i)
{
    real d[3];
    __syncthreads();
    const int count = f.shifted ? list_hits<Pair, dim, 1>(q, f.shift, *queued, *i)
                                : list_hits<Pair, dim, 0>(q, f.shift, *queued, *i);
#pragma unroll 1
    for (int t = 0; t < count; t++) {
        const int n = q->hit[t][threadIdx.x];
        const real r2 = difference<Pair, dim>(*i, q->at[n], f.shift, d);
        if (!usual)
            i->hits += q->number[n] != self &&
                       is_hit<Pair, dim, source>(args, k, i->support, q->number[n], r2);
        Pair::template eval<source, dim, energy>(k, d, r2, i->own, candidate_in<Pair>(*q, n),
                                                 i->sum);
    }
    __syncthreads();
    *queued = 0;
}

/* Adds the particles of one frame of a source. *left: candidates that may still be copied; below 0:
 * there are too many, and the sums are not complete. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search_frame(const struct bucket_args<Pair> &args, const typename Pair::constants &k,
             const struct frame_view &f, uint32_t self, struct bucket_queue<Pair> *q,
             struct bucket_target<Pair> *i, int *left)
{
    const struct tree &t = args.source[source];
    const struct sluice_view &v = args.pass.source[source].v;
    const int lane = (int)threadIdx.x;
    struct tree_walk walk;
    struct lane_view place = {{0, 0, 0}, i->left ? REAL_SQRT(i->reach2) : -1};
    int queued = 0;
    for (int c = 0; c < dim; c++)
        place.x[c] = i->x[c] + f.shift[c];
    begin_walk<dim>(t, f, &walk);
    for (int64_t leaf; *left >= 0 && (leaf = next_leaf<dim>(t, f, place, &walk)) >= 0;) {
        const int64_t j = f.range.first + (leaf << t.log2) + lane;
        struct tree_record at = {};
        int near = 0;
        if (j < f.range.last) {
            const struct real4 r = view_load4(&t.record[j].x);
            at = {r.x, r.y, r.z, r.w};
            near = is_near<dim>(f.box, &at.x, &at.x, real_max(f.box.support, at.reach));
        }
        const gpu_lanes all = gpu_ballot(near);
        const int more = gpu_count_lanes(all);
        if (queued + more > QUEUE)
            meet_queue<Pair, dim, energy, usual, source>(args, k, q, f, self, &queued, i);
        if (near) {
            const uint32_t n = gpu_load(t.order + j);
            put_candidate<Pair>(q, queued + gpu_count_lanes(all & gpu_lanes_before(lane)), at, n,
                                Pair::load(k, v, n, dim, source, Pair::pack(v, n, dim, source)));
        }
        queued += more;
        *left -= args.by_leaf ? more : 0;
    }
    meet_queue<Pair, dim, energy, usual, source>(args, k, q, f, self, &queued, i);
}

/* The box and the largest reach of the targets whose sums are not final, in the frame of the leaf.
 */
template <class Pair, int dim>
static __device__ __forceinline__ struct tree_node box_of(const struct bucket_args<Pair> &args,
                                                          const typename Pair::constants &k,
                                                          struct bucket_target<Pair> *i)
{
    struct tree_node box = empty_node();
    if (i->left) {
        i->support = real_max(Pair::support_of(k, args.pass.target.v, i->n, dim), 0);
        box.support = reach_of(i->support, args.space.slack);
        i->reach2 = box.support * box.support;
        for (int c = 0; c < dim; c++)
            box.low[c] = box.high[c] = i->x[c];
    }
    return join_lanes(box, dim);
}

/* Adds one source to the lanes' targets, or to their images of a number above 0. */
template <class Pair, int dim, int energy, int usual, int source>
static __device__ __forceinline__ void
search_source(const struct bucket_args<Pair> &args, const typename Pair::constants &k,
              const struct tree_node &box, uint32_t slot, int image, struct bucket_queue<Pair> *q,
              struct bucket_target<Pair> *i, int *left)
{
    const struct tree &t = args.source[source];
    struct frame_view f;
    if (!t.order)
        return;
    gpu_lanes frames = gpu_ballot(
        see_frame<dim>(args.space, t, box, slot, (int)threadIdx.x, image, &f));
    while (frames) {
        const int number = gpu_first_lane(frames);
        frames &= frames - 1;
        see_frame<dim>(args.space, t, box, slot, number, image, &f);
        search_frame<Pair, dim, energy, usual, source>(
            args, k, f,
            args.pass.same[source] && !image && number == OWN_FRAME ? (uint32_t)i->n : UINT32_MAX,
            q, i, left);
    }
}

template <class Pair, int dim>
static __device__ __forceinline__ void turn(int image, struct bucket_target<Pair> *i)
{
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (wall_side(image, c))
            i->x[c] = -i->x[c];
    mirror<Pair, dim>(image, &i->own, &i->sum);
}

/* Makes the sums of the targets that are left; those that are final leave. Returns 0 if there were
 * too many candidates: then nothing has changed. */
template <class Pair, int dim, int energy, int usual>
static __device__ __forceinline__ int
sum_targets(const struct bucket_args<Pair> &args, const typename Pair::constants &k, uint32_t slot,
            struct bucket_queue<Pair> *q, struct bucket_target<Pair> *i)
{
    const struct sluice_view &v = args.pass.target.v;
    const struct tree_node box = box_of<Pair, dim>(args, k, i);
    const int64_t hits_before = i->hits;
    int left = GPU_CANDIDATES;
    if (i->left) {
        i->own = Pair::load(k, v, i->n, dim, SLUICE_TARGET,
                            Pair::pack(v, i->n, dim, SLUICE_TARGET));
        i->sum = {};
    }
#pragma unroll 1
    for (int image = 0; image < args.space.walls.count; image++) {
        if (!wall_image_exists(args.space.walls.walls, image, dim))
            continue;
        turn<Pair, dim>(image, i);
        search_source<Pair, dim, energy, usual, 0>(args, k, box, slot, image, q, i, &left);
        search_source<Pair, dim, energy, usual, 1>(args, k, box, slot, image, q, i, &left);
        turn<Pair, dim>(image, i);
    }
    if (i->left && left >= 0)
        i->left = !Pair::template accepts<dim, energy>(k, v, i->n, i->own, i->sum);
    if (left < 0)
        i->hits = hits_before;
    return left >= 0;
}

/* Makes the sums of a warp's targets, and stores them; or lists them, if there are too many
 * candidates. */
template <class Pair, int dim, int energy, int usual>
static __device__ __forceinline__ void
serve_targets(const struct bucket_args<Pair> &args, const typename Pair::constants &k, int here,
              uint32_t n, uint32_t slot, struct bucket_queue<Pair> *q)
{
    const struct sluice_view &v = args.pass.target.v;
    struct bucket_target<Pair> i = {
    };
    double out[SLUICE_SUM_COUNT] = {};
    int complete = 1;
    i.n = n;
    i.left = here && is_own(args.pass.target, n);
    for (int c = 0; c < dim && i.left; c++)
        i.x[c] = VIEW(&v, POSITION, n, dim + 1, c);
    const int is_served = i.left;
    while (complete && gpu_ballot(i.left))
        complete = sum_targets<Pair, dim, energy, usual>(args, k, slot, q, &i);
    if (!complete) {
        const uint32_t place = warp_append(args.alone, i.left);
        if (i.left)
            args.alone[1 + place] = n;
    }
    if (is_served && !i.left)
        Pair::template store<dim, energy>(k, v, n, i.own, i.sum, args.pass.wanted, out);
    out[SLUICE_SUM_PAIRS] += (double)i.hits;
    pass_sum<Pair, (usual != 0)>(args.pass, out);
}

/* Blocks on a multiprocessor. */
enum {
    BUCKET_BLOCKS = sizeof(real) == 4 ? 18 : 10,
    BUCKET_BLOCKS_LIGHT = sizeof(real) == 4 ? 32 : 16,
    ALONE_BLOCKS = 32 /* of a launch that serves single targets */
};

/* Two launches: the first serves leaves; the second one target a warp, by its first lane. */
template <class Pair, int dim, int energy, int usual>
__global__ void __launch_bounds__(GPU_WARP_MOST,
                                  GPU_BLOCKS_LEAST(sizeof(typename Pair::acc) <= 4 * sizeof(real)
                                                       ? BUCKET_BLOCKS_LIGHT
                                                       : BUCKET_BLOCKS))
    bucket_kernel(const GPU_CONSTANT struct bucket_args<Pair> args)
{
    gpu_begin();
    typedef struct bucket_queue<Pair> queue_type;
    GPU_SHARED(queue_type, queue);
    const typename Pair::constants k = usual ? Pair::usual(args.pass.k) : args.pass.k;
    const struct tree &t = args.target;
    const int64_t items = args.by_leaf ? t.level[1] : (int64_t)*args.alone;
    for (int64_t item = blockIdx.x; item < items; item += gridDim.x) {
        int here = threadIdx.x == 0;
        uint32_t n = 0, slot = 0;
        if (args.by_leaf) {
            slot = t.slot[item];
            if (slot == UINT32_MAX)
                continue; /* the whole block: there is no such leaf */
            const struct tree_range frame = t.range[slot];
            const int64_t at = frame.first + ((item - first_node(t, 0, slot, frame)) << t.log2) +
                               threadIdx.x;
            here = at < frame.last;
            n = here ? t.order[at] : 0;
        } else {
            n = args.alone[1 + item];
            slot = ((const uint32_t *)args.pass.target.v.field[SLUICE_FIELD_FRAME])[n];
        }
        serve_targets<Pair, dim, energy, usual>(args, k, here, n, slot, &queue);
    }
}

/* --- The operation --- */

struct bucket_launch {
    template <class Pair, int dim, int energy, int usual>
    static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_pass *pass)
    {
        struct bucket_args<Pair> args = bucket_args<Pair>();
        const typename Pair::constants k = Pair::prepare(pass);
        auto kernel = bucket_kernel<Pair, dim, energy, usual>;
        SLUICE_CHECK(!(gpu->drifted > 0), SLUICE_BAD_INPUT,
                     "internal: pass %s: particles with supports of their own are sorted in each "
                     "step",
                     pass->name);
        SLUICE_TRY(gpu_join(gpu)); /* the supports of other ranks' particles */
        SLUICE_TRY(pass_open(gpu, pass, &args.pass));
        args.space = bucket_space_of(gpu, g);
        if (pass->target->count == 0)
            return SLUICE_OK;
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
            struct sluice_set *source = pass->source[s];
            if (source && source->count > 0)
                SLUICE_TRY(
                    (make_tree<Pair, dim>(gpu, g, source, k, args.space.slack, &args.source[s])));
            if (source && source == pass->target)
                args.target = args.source[s];
        }
        if (!args.target.order)
            SLUICE_TRY(order_tree(gpu, g, pass->target, &args.target));
        struct gpu_scratch *alone = &gpu->again[0];
        SLUICE_TRY(
            gpu_scratch_reserve(gpu, alone, ((size_t)pass->target->count + 1) * sizeof(uint32_t)));
        args.alone = (uint32_t *)alone->memory;
        args.by_leaf = 1;
        SLUICE_TRY(gpu_clear(gpu, args.alone, sizeof *args.alone));
        GPU_LAUNCH(kernel, (unsigned)args.target.level[1], gpu->warp, 0, gpu->stream, args);
        GPU_LAUNCHED("bucket");
        args.by_leaf = 0;
        GPU_LAUNCH(kernel, (unsigned)gpu->multiprocessors * ALONE_BLOCKS, gpu->warp, 0, gpu->stream,
                   args);
        return gpu_launched("bucket, alone");
    }
};

PASS_STRATEGY(bucket)

} // namespace SLUICE_GPU::GPU_PRECISION
