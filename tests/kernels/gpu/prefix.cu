/* test: 1 s, emulator, tsan-slow */
/* Prefix sums of a block, emulated: the program's (kernels/gpu/prefix.h), and those it is compared
 * with: what Algis et al. 2024 print as Algorithm 6 is wrong for some lengths, their Code 1 is
 * right. */
#include "kernels/bench/gpu/scans.h"

#include "support/tap.h"

using namespace SLUICE_GPU;

enum { MOST = 1099, THREADS = 128 };

/* out[0 .. n]: 0 and the sums of in[0 .. n - 1]. */
static __global__ void scan(const uint32_t *in, uint32_t *out, int n, enum sluice_scan kind,
                            struct scan_work *done)
{
    gpu_begin();
    GPU_SHARED(uint32_t, sum, [2 * MOST]);
    GPU_SHARED(struct scan_work, work);
    const int all = kind == SLUICE_SCAN_BLELLOCH ? 2048 : n, after = kind == SLUICE_SCAN_WARPS;
    if (threadIdx.x == 0)
        work.nodes = work.barriers = 0;
    for (int i = (int)threadIdx.x; i < all; i += (int)blockDim.x)
        sum[i + after] = i < n ? in[i] : 0;
    if (kind == SLUICE_SCAN_WARPS)
        block_prefix(sum, n);
    else if (kind == SLUICE_SCAN_BLELLOCH)
        scan_blelloch(sum, all);
    else
        scan_algis(sum, n, kind, &work);
    const int inclusive = kind == SLUICE_SCAN_CODE || kind == SLUICE_SCAN_PRINTED;
    for (int i = (int)threadIdx.x; i <= n; i += (int)blockDim.x)
        out[i] = !inclusive ? sum[i] : i ? sum[i - 1] : 0; /* of other threads, too */
    if (threadIdx.x == 0)
        *done = work;
}

static uint32_t in[MOST + 1], out[MOST + 1], *device_in, *device_out;
static struct scan_work work, *device_work;

static int is_right(int n, enum sluice_scan kind)
{
    uint32_t sum = 0;
    int right = 1;
    GPU_LAUNCH(scan, 1, THREADS, 0, NULL, device_in, device_out, n, kind, device_work);
    gpuMemcpyAsync(out, device_out, sizeof out, gpuMemcpyDeviceToHost, NULL);
    gpuMemcpyAsync(&work, device_work, sizeof work, gpuMemcpyDeviceToHost, NULL);
    for (int i = 0; i <= n; sum += in[i++])
        right &= out[i] == sum;
    return right;
}

/* n from 3 2^k to 2^(k + 2) - 1, k > 1. */
static int is_in_gap(int n)
{
    int power = 8;
    while (2 * power <= n)
        power *= 2;
    return n >= power + power / 2 && n < 2 * power && n >= 12;
}

int main(void)
{
    int program = 0, code = 0, blelloch = 0, gaps = 0;
    gpuMalloc(&device_in, sizeof in);
    gpuMalloc(&device_out, sizeof out);
    gpuMalloc(&device_work, sizeof work);
    for (uint32_t i = 0, state = 12345; i <= MOST; i++) {
        state = state * 1664525u + 1013904223u;
        in[i] = i % 3 ? 1 + (state >> 20) : 1;
    }
    gpuMemcpyAsync(device_in, in, sizeof in, gpuMemcpyHostToDevice, NULL);
    for (int n = 1; n <= MOST; n++) {
        program += !is_right(n, SLUICE_SCAN_WARPS);
        code += !is_right(n, SLUICE_SCAN_CODE);
        gaps += is_right(n, SLUICE_SCAN_PRINTED) == is_in_gap(n);
    }
    for (int n = 1; n <= MOST; n += 91)
        blelloch += !is_right(n, SLUICE_SCAN_BLELLOCH);
    ok(program == 0, "the program's scan is right for 1 to %d numbers (%d wrong)", MOST, program);
    ok(code == 0, "Code 1 is right for 1 to %d numbers (%d wrong)", MOST, code);
    ok(blelloch == 0, "Blelloch's is right (%d wrong)", blelloch);
    ok(gaps == 0, "Algorithm 6 is wrong from 3 2^k to 2^(k + 2) - 1 and only there (%d not)", gaps);
    int right = is_right(8, SLUICE_SCAN_PRINTED); /* before what it says is printed */
    ok(right && work.nodes == 11 && work.barriers == 5,
       "of 8 numbers it updates 11 and waits 5 times (%d, %d)", work.nodes, work.barriers);
    right = is_right(8, SLUICE_SCAN_CODE);
    ok(right && work.nodes == 11 && work.barriers == 6, "Code 1 waits 6 times (%d, %d)", work.nodes,
       work.barriers);
    ok(!is_right(24, SLUICE_SCAN_PRINTED),
       "it fails for the 24 pencils of a box of 4 x 4 x 6 cells");
    gpuFree(device_in);
    gpuFree(device_out);
    gpuFree(device_work);
    return done_testing();
}
