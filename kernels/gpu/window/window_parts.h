/* Targets of the window strategy that several threads share: how their sums are added, and the
 * shared memory for it. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_PARTS_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_PARTS_H
#include "kernels/gpu/window/window_lists.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The number of reals in a sum. */
template <class Pair> struct sum_numbers {
    enum { count = sizeof(typename Pair::acc) / sizeof(real) };
    static_assert(sizeof(typename Pair::acc) == count * sizeof(real), "a sum is of reals");
};

/* Adds the parts' sums and hits in order; the first part gets the result. All threads of a block
 * call it. scratch: [parts - 1][numbers][GPU_WARP], in shared memory, where the lists were. */
template <class Pair, int dim>
static __device__ void add_parts(real *scratch, int part, int parts, typename Pair::acc *sum,
                                 int64_t *hits)
{
    enum { NUMBERS = sum_numbers<Pair>::count + 1 };
    real number[NUMBERS];
    const int lane = (int)threadIdx.x % GPU_WARP;
    memcpy(number, sum, sizeof *sum);
    number[NUMBERS - 1] = (real)*hits; /* exact: hits of one particle */
    if (lists_for<Pair, dim>::used)
        __syncthreads();
    if (part > 0)
        for (int k = 0; k < NUMBERS; k++)
            scratch[((part - 1) * NUMBERS + k) * GPU_WARP + lane] = number[k];
    __syncthreads();
    if (part > 0)
        return;
    for (int p = 1; p < parts; p++)
        for (int k = 0; k < NUMBERS; k++)
            number[k] += scratch[((p - 1) * NUMBERS + k) * GPU_WARP + lane];
    memcpy(sum, number, sizeof *sum);
    *hits = (int64_t)number[NUMBERS - 1];
}

/* Bytes of shared memory for the boxes of so many rows. */
template <class Pair, int dim> static size_t box_bytes(int rows)
{
    return lists_for<Pair, dim>::used ? ((size_t)rows + 1) * sizeof(struct row_extent) : 0;
}

/* Bytes behind them for the list of rows that a block searches. */
template <class Pair, int dim> static size_t row_list_bytes(int rows)
{
    return lists_for<Pair, dim>::used ? ((size_t)rows + 1) * sizeof(uint32_t) : 0;
}

/* Bytes of shared memory for the lists, and afterwards for the parts' sums. */
template <class Pair, int dim> static size_t split_bytes(int parts, int warp)
{
    const int lists = lists_for<Pair, dim>::used ? parts * (int)LIST_BYTES : 0,
              sums = (parts - 1) * (sum_numbers<Pair>::count + 1) * (int)sizeof(real);
    return (size_t)warp * (size_t)(lists > sums ? lists : sums);
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
