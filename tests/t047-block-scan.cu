/* Prefix sums of a block (kernels/gpu/block_scan.h), emulated: lengths around warps and blocks, and
 * the search in what they leave. */
#include "kernels/gpu/block_scan.h"
/* after block_scan.h */
#include "kernels/gpu/c_headers.h"

#include "tap.h"

using namespace SLUICE_GPU;

enum { MOST = 3000 };

/* Two scans one after the other, with no barrier of the kernel's own; what every thread was told.
 */
static __global__ void scan_twice(const uint32_t *in, uint32_t *out, int n, uint32_t *sums)
{
    GPU_SHARED(uint32_t, value, [MOST]);
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        value[i] = in[i];
    const uint32_t sum = block_scan_exclusive(value, n);
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        out[i] = value[n - 1 - i]; /* of another thread */
    __syncthreads();
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        value[i] = in[i] + 1;
    sums[threadIdx.x] = block_scan_exclusive(value, n) - sum;
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        out[n + i] = value[n - 1 - i];
}

static __global__ void find_all(const uint32_t *offset, int n, uint32_t total, int *found)
{
    for (uint32_t x = threadIdx.x; x < total; x += blockDim.x)
        found[x] = find_range(offset, n, x);
}

template <class T> static T *device(const T *from, size_t n)
{
    T *memory;
    gpuMalloc(&memory, (n + 1) * sizeof *memory);
    if (from && n)
        gpuMemcpyAsync(memory, from, n * sizeof *memory, gpuMemcpyHostToDevice, NULL);
    return memory;
}

/* As the kernel leaves it: wrong entries, of both scans and of the sums. */
static int wrong_entries(const uint32_t *in, const uint32_t *out, int n, const uint32_t *sums,
                         int threads)
{
    uint32_t sum = 0;
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += out[n - 1 - i] != sum;
        wrong += out[n + n - 1 - i] != sum + (uint32_t)i;
        sum += in[i];
    }
    for (int t = 0; t < threads; t++)
        wrong += sums[t] != (uint32_t)n;
    return wrong;
}

static void check_scan(int n, int threads)
{
    static uint32_t in[MOST + 1], out[2 * MOST + 1], sums[1024];
    uint32_t state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        in[i] = i % 3 ? state >> 20 : 0; /* the sums of the longest pass 2^22 */
    }
    if (n > 2)
        in[1] = 0xfffffff0u; /* and wrap */
    uint32_t *const from = device(in, (size_t)n), *const to = device<uint32_t>(NULL, 2 * MOST),
                    *const all = device<uint32_t>(NULL, 1024);
    GPU_LAUNCH(scan_twice, 1, (unsigned)threads, 0, NULL, from, to, n, all);
    gpuMemcpyAsync(sums, all, (size_t)threads * sizeof *sums, gpuMemcpyDeviceToHost, NULL);
    if (n)
        gpuMemcpyAsync(out, to, 2 * (size_t)n * sizeof *out, gpuMemcpyDeviceToHost, NULL);
    ok(wrong_entries(in, out, n, sums, threads) == 0, "%d values, %d threads", n, threads);
    gpuFree(from);
    gpuFree(to);
    gpuFree(all);
}

/* Ranges of 0, 3, 0, 0, 1, 5, 0 entries: none that is empty is found. */
static void check_search(void)
{
    const uint32_t offset[] = {0, 0, 3, 3, 3, 4, 9};
    const int want[9] = {1, 1, 1, 4, 5, 5, 5, 5, 5};
    int got[9], one[1];
    uint32_t *const from = device(offset, 7);
    int *const to = device<int>(NULL, 9);
    GPU_LAUNCH(find_all, 1, 64, 0, NULL, from, 7, 9u, to);
    gpuMemcpyAsync(got, to, sizeof got, gpuMemcpyDeviceToHost, NULL);
    ok(memcmp(got, want, sizeof got) == 0, "the range that an entry lies in");
    GPU_LAUNCH(find_all, 1, 64, 0, NULL, from, 1, 1u, to);
    gpuMemcpyAsync(one, to, sizeof one, gpuMemcpyDeviceToHost, NULL);
    is_int(one[0], 0, "of one range");
    gpuFree(from);
    gpuFree(to);
}

int main(void)
{
    const int lengths[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, MOST};
    const int threads[] = {64, 128, 192, 1024};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < (int)(sizeof lengths / sizeof lengths[0]); k++)
            check_scan(lengths[k], threads[t]);
    check_search();
    return done_testing();
}
