/* test: 1 s, emulator, tsan */
/* The emulated GPU finds the mistakes that it is made for. Each mistake below is made by a program
 * of its own (this one, with its name as argument) and has to be found; the same kernel without the
 * mistake has to pass. */
#include "kernels/gpu/c_headers.h"

#include "support/tap.h"

enum { BLOCK = 256, N = 3 * BLOCK };

/* --- Kernels ---- */

/* Sums of the blocks, by warps and then by one thread. */
template <int barrier, int lanes> __global__ void block_sums(const uint32_t *in, uint32_t *out)
{
    GPU_SHARED(uint32_t, part, [BLOCK / 32]);
    const int thread = (int)threadIdx.x, width = lanes ? lanes : GPU_WARP;
    uint32_t sum = in[blockIdx.x * BLOCK + threadIdx.x];
    for (int d = width / 2; d > 0; d /= 2)
        sum += gpu_shuffle_down(sum, d);
    if (thread % GPU_WARP == 0)
        part[thread / GPU_WARP] = sum;
    if (barrier)
        __syncthreads();
    if (thread == 0)
        for (int w = 1; w < BLOCK / GPU_WARP; w++)
            sum += part[w];
    if (thread == 0)
        out[blockIdx.x] = sum;
}

/* Each thread writes its neighbour's entry: the last one writes behind the array. */
__global__ void beyond(const uint32_t *in, uint32_t *out)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    out[i + 1] = in[i];
}

__global__ void divergent(uint32_t *out)
{
    if (threadIdx.x % 2)
        return;
    out[threadIdx.x] = gpu_shuffle_xor(threadIdx.x, 2u);
}

__global__ void two_barriers(uint32_t *out)
{
    if (threadIdx.x < BLOCK / 2) {
        __syncthreads();
        out[threadIdx.x] = 1;
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

/* A barrier within a condition: threads without a particle do not reach it. */
__global__ void barrier_inside(uint32_t *out, unsigned n)
{
    if (threadIdx.x < n) {
        out[threadIdx.x] = 1;
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

/* All blocks count in one place, with or without atomics. */
template <int atomic> __global__ void count(uint32_t *out)
{
    if (atomic)
        atomicAdd(out, 1);
    else
        *out += 1;
}

/* Thread 0 writes after the barrier what the others read after it. */
template <int barriers> __global__ void neighbours(uint32_t *out)
{
    GPU_SHARED(uint32_t, tile, [BLOCK]);
    const int t = (int)threadIdx.x;
    tile[t] = (uint32_t)t;
    __syncthreads();
    const uint32_t next = tile[(t + 1) % BLOCK];
    if (barriers > 1)
        __syncthreads();
    tile[t] = next;
    __syncthreads();
    out[t] = tile[(t + 1) % BLOCK];
}

__global__ void ballots(uint64_t *out)
{
    out[threadIdx.x] = gpu_ballot(threadIdx.x % 3 == 0);
}

__global__ void dynamic_shared(uint32_t *out, int n)
{
    GPU_DYNAMIC_SHARED(uint32_t, tile);
    for (int k = (int)threadIdx.x; k < n; k += BLOCK)
        tile[k] = (uint32_t)k;
    __syncthreads();
    out[threadIdx.x] = tile[n - 1 - (int)threadIdx.x];
}

__global__ void garbage(uint32_t *out)
{
    GPU_SHARED(uint32_t, never_written, [BLOCK]);
    out[threadIdx.x] = never_written[threadIdx.x];
}

/* --- Cases: each prints what it found ---- */

static uint32_t *on_device(const uint32_t *from, size_t n)
{
    uint32_t *memory;
    gpuMalloc(&memory, n * sizeof *memory);
    if (from)
        gpuMemcpyAsync(memory, from, n * sizeof *memory, gpuMemcpyHostToDevice, NULL);
    return memory;
}

static uint32_t *back(const uint32_t *memory, size_t n)
{
    uint32_t *host = (uint32_t *)malloc(n * sizeof *host);
    gpuMemcpyAsync(host, memory, n * sizeof *host, gpuMemcpyDeviceToHost, NULL);
    return host;
}

static void sums_case(int barrier, int lanes)
{
    uint32_t ones[N];
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    uint32_t *in = on_device(ones, N), *out = on_device(NULL, 3);
    if (barrier && lanes)
        GPU_LAUNCH((block_sums<1, 32>), 3, BLOCK, 0, NULL, in, out);
    else if (barrier)
        GPU_LAUNCH((block_sums<1, 0>), 3, BLOCK, 0, NULL, in, out);
    else
        GPU_LAUNCH((block_sums<0, 0>), 3, BLOCK, 0, NULL, in, out);
    uint32_t *sum = back(out, 3);
    puts(sum[0] == BLOCK && sum[1] == BLOCK && sum[2] == BLOCK ? "right" : "wrong");
    free(sum);
    gpuFree(in);
    gpuFree(out);
}

static void run_out_case(const char *name)
{
    uint32_t *out = on_device(NULL, N);
    uint32_t zero = 0;
    gpuMemcpyAsync(out, &zero, sizeof zero, gpuMemcpyHostToDevice, NULL);
    if (strcmp(name, "divergent") == 0)
        GPU_LAUNCH(divergent, 1, BLOCK, 0, NULL, out);
    else if (strcmp(name, "two-barriers") == 0)
        GPU_LAUNCH(two_barriers, 1, BLOCK, 0, NULL, out);
    else if (strcmp(name, "barrier-inside") == 0)
        GPU_LAUNCH(barrier_inside, 1, BLOCK, 0, NULL, out, 100u);
    else if (strcmp(name, "barrier-of-all") == 0)
        GPU_LAUNCH(barrier_inside, 1, BLOCK, 0, NULL, out, (unsigned)BLOCK);
    else if (strcmp(name, "count") == 0)
        GPU_LAUNCH(count<0>, 3, BLOCK, 0, NULL, out);
    else if (strcmp(name, "count-atomic") == 0)
        GPU_LAUNCH(count<1>, 3, BLOCK, 0, NULL, out);
    else if (strcmp(name, "neighbours") == 0)
        GPU_LAUNCH(neighbours<2>, 1, BLOCK, 0, NULL, out);
    else if (strcmp(name, "neighbours-race") == 0)
        GPU_LAUNCH(neighbours<1>, 1, BLOCK, 0, NULL, out);
    else if (strcmp(name, "garbage") == 0)
        GPU_LAUNCH(garbage, 1, BLOCK, 0, NULL, out);
    else if (strcmp(name, "dynamic") == 0)
        GPU_LAUNCH(dynamic_shared, 1, BLOCK, 1000 * sizeof(uint32_t), NULL, out, 1000);
    uint32_t *host = back(out, N);
    printf("%u %u\n", host[0], host[1]);
    free(host);
    gpuFree(out);
}

static void beyond_case()
{
    uint32_t ones[N] = {1};
    uint32_t *in = on_device(ones, N), *out = on_device(NULL, N);
    GPU_LAUNCH(beyond, 3, BLOCK, 0, NULL, in, out);
    puts("not seen");
    gpuFree(in);
    gpuFree(out);
}

static void host_case(const char *name)
{
    uint32_t *memory = on_device(NULL, N);
    uint32_t host[N] = {0};
    if (strcmp(name, "host-reads") == 0)
        printf("%u\n", *(volatile uint32_t *)memory);
    else if (strcmp(name, "copy-too-long") == 0)
        gpuMemcpyAsync(memory + 1, host, sizeof host, gpuMemcpyHostToDevice, NULL);
    else if (strcmp(name, "copy-backwards") == 0)
        gpuMemcpyAsync(host, memory, sizeof host, gpuMemcpyHostToDevice, NULL);
    else if (strcmp(name, "launch-too-wide") == 0)
        GPU_LAUNCH(count<1>, 1, 1025, 0, NULL, memory);
    else if (strcmp(name, "launch-of-none") == 0)
        GPU_LAUNCH(count<1>, 0, BLOCK, 0, NULL, memory);
    puts(gpuGetErrorName(gpuGetLastError()));
    gpuFree(memory);
}

static int ballot_case()
{
    uint64_t *out, host[BLOCK];
    int wrong = 0;
    gpuMalloc(&out, sizeof host);
    GPU_LAUNCH(ballots, 1, BLOCK, 0, NULL, out);
    gpuMemcpyAsync(host, out, sizeof host, gpuMemcpyDeviceToHost, NULL);
    for (int i = 0; i < BLOCK; i++) {
        uint64_t want = 0;
        for (int l = 0; l < GPU_WARP; l++)
            want |= (uint64_t)((i / GPU_WARP * GPU_WARP + l) % 3 == 0) << l;
        wrong += host[i] != want;
    }
    puts(wrong ? "wrong" : "right");
    gpuFree(out);
    return 0;
}

static int run_case(const char *name)
{
    if (strncmp(name, "sums", 4) == 0)
        sums_case(strcmp(name, "sums-no-barrier") != 0, strcmp(name, "sums-warp-32") == 0);
    else if (strcmp(name, "beyond") == 0)
        beyond_case();
    else if (strcmp(name, "ballots") == 0)
        ballot_case();
    else if (strncmp(name, "host", 4) == 0 || strncmp(name, "copy", 4) == 0 ||
             strncmp(name, "launch", 6) == 0)
        host_case(name);
    else
        run_out_case(name);
    return 0;
}

/* --- The checks ---- */

/* Whether a run of the case, with all it prints, holds a text. */
static void expect(const char *program, const char *settings, const char *name, const char *wanted,
                   const char *what)
{
    char command[600], all[20000];
    snprintf(command, sizeof command, "%s %s %s 2>&1", settings, program, name);
    FILE *pipe = popen(command, "r");
    const size_t n = pipe ? fread(all, 1, sizeof all - 1, pipe) : 0;
    all[n] = '\0';
    if (pipe)
        pclose(pipe);
    ok(strstr(all, wanted) != NULL, "%s: %s", settings, what);
    if (!strstr(all, wanted))
        diag("wanted \"%s\" of: %.400s", wanted, all);
}

static void check_orders(const char *program)
{
    const char *const settings[] = {"SLUICE_EMULATED_WARP=32 SLUICE_EMULATED_ORDER=forward",
                                    "SLUICE_EMULATED_WARP=32 SLUICE_EMULATED_ORDER=reverse",
                                    "SLUICE_EMULATED_WARP=64 SLUICE_EMULATED_ORDER=forward",
                                    "SLUICE_EMULATED_WARP=64 SLUICE_EMULATED_ORDER=reverse"};
    for (int k = 0; k < 4; k++) {
        const char *s = settings[k];
        expect(program, s, "sums", "right", "sums of blocks");
        expect(program, s, "ballots", "right", "ballots");
        expect(program, s, "neighbours", "2 3", "barriers");
        expect(program, s, "dynamic", "999 998", "shared memory of the launch's size");
        expect(program, s, "count-atomic", "768 ", "atomic sums over blocks");
        expect(program, s, "garbage", "4278124286 4278124286", "shared memory begins as garbage");
        expect(program, s, "sums-warp-32", k < 2 ? "right" : "wrong",
               "a warp taken for 32 lanes is right at 32 and wrong at 64");
        expect(program, s, "divergent", "lanes of a warp met a shuffle",
               "a shuffle not met by all");
        expect(program, s, "barrier-of-all", "2 2", "a barrier that all threads meet");
        expect(program, s, "barrier-inside",
               "100 threads of a block wait at the __syncthreads of line",
               "a barrier that the last threads do not meet");
        expect(program, s, "two-barriers", "wait at __syncthreads of lines",
               "barriers that are not the same");
    }
}

static void check_memory(const char *program)
{
#if defined(__SANITIZE_ADDRESS__)
    const char *beyond = "AddressSanitizer: use-after-poison", *host = beyond;
    expect(program, "", "host-reads", host, "the host touches device memory");
#else
    const char *beyond = "wrote outside device memory";
#endif
    expect(program, "", "beyond", beyond, "a write behind an array");
    expect(program, "", "copy-too-long", "of which only", "a copy longer than the array");
    expect(program, "", "copy-backwards", "copy to:", "a copy in the wrong direction");
    expect(program, "", "launch-too-wide", "gpuErrorInvalidConfiguration", "1025 threads");
    expect(program, "", "launch-of-none", "gpuErrorInvalidConfiguration", "no blocks");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_case(argv[1]);
    diag("emulated");
    check_orders(argv[0]);
    check_memory(argv[0]);
#if defined(__SANITIZE_THREAD__)
    expect(argv[0], "", "sums-no-barrier", "ThreadSanitizer: data race", "a missing barrier");
    expect(argv[0], "", "neighbours-race", "ThreadSanitizer: data race", "a barrier too few");
    expect(argv[0], "", "count", "ThreadSanitizer: data race", "blocks that write to one place");
#else
    expect(argv[0], "SLUICE_EMULATED_ORDER=reverse", "sums-no-barrier", "right",
           "thread 0 comes last: the missing barrier is not seen");
    expect(argv[0], "SLUICE_EMULATED_ORDER=forward", "sums-no-barrier", "wrong",
           "thread 0 comes first: the missing barrier is seen");
#endif
    return done_testing();
}
