/* A particle swarm for `sluice bench claims`: the layouts in which its positions and velocities may
 * be stored, and the formulas of a particle's component. Loops over them:
 * kernels/bench/cpu/loops/swarm.c and kernels/bench/gpu/swarm.cu.
 *
 * Component c of particle i among n is at
 *
 *   x[((c / chunk) n + i) stride + c % chunk]
 *
 * so particles are chunks of `chunk` components: first the first chunk of all particles, then the
 * second. If `stride` is above `chunk`, the velocity follows the position in the same structure;
 * otherwise it has an array of its own. The swarm is the inertia-weight one of Clerc & Kennedy
 * 2002. It looks for the least value of sum (x_c - t_c)^2. */
#ifndef SLUICE_KERNELS_BENCH_SWARM_H
#define SLUICE_KERNELS_BENCH_SWARM_H
#include <stdint.h>

#include "kernels/types/lanes.h"

/* X(name, text, components, chunk, stride, whole); whole: a drift writes the velocity back, too. */
#define SLUICE_SWARM_FLAT(X)                                                                       \
    X(STRUCTURES, "structures", 3, 3, 6, 1)                                                        \
    X(SELECTIVE, "selective", 3, 3, 6, 0)                                                          \
    X(ARRAYS, "arrays", 3, 3, 3, 0)                                                                \
    X(PADDED, "padded", 4, 4, 4, 0)
#define SLUICE_SWARM_WIDE(X)                                                                       \
    X(NAIVE, "naive", 128, 128, 128, 0)                                                            \
    X(TRANSPOSED, "transposed", 128, 1, 1, 0)                                                      \
    X(CHUNKS_2, "chunks-2", 128, 2, 2, 0)                                                          \
    X(CHUNKS_4, "chunks-4", 128, 4, 4, 0)                                                          \
    X(CHUNKS_8, "chunks-8", 128, 8, 8, 0)                                                          \
    X(CHUNKS_16, "chunks-16", 128, 16, 16, 0)
#define SLUICE_SWARM_LAYOUTS(X) SLUICE_SWARM_FLAT(X) SLUICE_SWARM_WIDE(X)

enum sluice_swarm_layout {
#define X(name, text, components, chunk, stride, whole) SLUICE_SWARM_##name,
    SLUICE_SWARM_LAYOUTS(X)
#undef X
        SLUICE_SWARM_LAYOUT_COUNT
};
enum { SLUICE_SWARM_COMPONENTS = 128, SLUICE_SWARM_GROUP = 16 };

enum sluice_swarm_work {
    SLUICE_SWARM_START, /* places the particles at random; their own best places are worst */
    SLUICE_SWARM_DRIFT, /* x += v dt */
    SLUICE_SWARM_MOVE,  /* wide layouts: velocity, position, value, own best place */
    SLUICE_SWARM_LEAD   /* wide layouts: the best place of all, the first of equal ones */
};

/* All arrays are in device memory, in the backend's precision. */
struct sluice_swarm {
    enum sluice_swarm_layout layout;
    enum sluice_swarm_work work;
    int64_t count;      /* a multiple of SLUICE_SWARM_GROUP */
    void *x, *v;        /* v is not used where structures hold the velocity */
    void *best, *value; /* wide layouts, or NULL: the own best places, laid out as x; [count] their
                          values */
    void *lead;         /* wide layouts: [components + 1] the best place of all, its value */
    double dt, keep;    /* DRIFT; keep = 1 multiplies a velocity that is written back: no compiler
                           may leave that out */
    uint64_t moment;    /* MOVE: 0, 1, ... makes its random numbers */
};

HD int64_t swarm_place(int chunk, int stride, int64_t n, int64_t i, int c)
{
    return (c / chunk * n + i) * stride + c % chunk;
}

/* Two random numbers in [0, 1) of a particle's component: splitmix64. */
HD void swarm_random(uint64_t moment, int64_t i, int c, real random[2])
{
    uint64_t z = (moment << 40 ^ ((uint64_t)i << 8 | (uint64_t)c)) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    random[0] = (real)(z >> 40) * (real)0x1p-24;
    random[1] = (real)(z >> 16 & 0xffffff) * (real)0x1p-24;
}

/* The start: places in [-2, 2), velocities in [-1/2, 1/2). */
HD void swarm_start(int64_t i, int c, real *x, real *v)
{
    real random[2];
    swarm_random(0xffffff, i, c, random);
    *x = lane_fma(4, random[0], -2);
    *v = random[1] - (real)0.5;
}

/* The component of the place sought. */
HD real swarm_sought(int c)
{
    return (real)0.25 * (real)(c % 7 - 3);
}

HD real swarm_drift(real x, real v, real dt)
{
    return lane_fma(v, dt, x);
}

/* Moves one component towards the particle's best place and that of all; returns (x - t)^2 added to
 * `value`. No sum has two products that are not fused yet: a compiler has no choice which to fuse.
 */
HD real swarm_move(uint64_t moment, int64_t i, int c, real best, real lead, real *x, real *v,
                   real value)
{
    const real weight = (real)0.7298438, pull = (real)1.496172;
    real random[2];
    swarm_random(moment, i, c, random);
    const real own = pull * random[0], all = pull * random[1];
    *v = lane_fma(weight, *v, lane_fma(own, best - *x, all * (lead - *x)));
    *x = swarm_drift(*x, *v, 1);
    const real off = *x - swarm_sought(c);
    return lane_fma(off, off, value);
}
#endif
