/* The emulated device: fibers, barriers, the schedule of a block. This file is never compiled with
 * ThreadSanitizer; order_acquire and order_release tell it how threads are ordered. */
#include "kernels/gpu/emulator/emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <deque>
#include <vector>

#include "kernels/gpu/emulator/emulator_counts.h"
#include "kernels/gpu/emulator/emulator_fiber.h"
#include "kernels/gpu/emulator/emulator_memory.h"

namespace gpu_emulator
{

thread_local position here;

static int warp_from_environment()
{
    const char *text = getenv("SLUICE_EMULATED_WARP");
    const int lanes = text && *text ? atoi(text) : 32;
    if (lanes != 32 && lanes != 64) {
        fprintf(stderr, "SLUICE_EMULATED_WARP=%s: 32 or 64\n", text);
        exit(2);
    }
    return lanes;
}
const int warp = warp_from_environment();

namespace
{

enum state { READY, AT_BARRIER, AT_EXCHANGE, DONE };

struct thread {
    fiber *runs_on;
    state at;
    unsigned exchanges, barriers; /* met so far */
    int line;                     /* of the barrier that it waits at */
};

struct shared_variable {
    const void *key;
    void *memory;
};

/* The block that this host thread runs. It runs its blocks one after the other. */
struct block {
    std::deque<fiber> fibers; /* kept from block to block; a deque never moves them */
    fiber scheduler;
    std::vector<thread> threads;
    std::vector<uint64_t> given[2]; /* [thread]: given to even and to odd exchanges */
    std::vector<shared_variable> variables;
    size_t shared_bytes;
    int now; /* the running thread */
    const char *kernel;
    void (*call)(const void *data);
    const void *data;
};
thread_local block current;

enum { MOST_THREADS = 1024, MOST_SHARED = 48 * 1024, MOST_VARIABLES = 32 };

/* ThreadSanitizer orders threads by the addresses of these variables. Barriers alternate between
 * two, since a thread may reach the next barrier before another has left this one. */
char order_of_launch, order_of_end;
thread_local char order_of_block[2], order_of_warp[MOST_THREADS / 32][2];

const char shared_array = 0; /* key of the array whose size the launch gives */

void wait(state at, const char *order)
{
    thread *t = &current.threads[current.now];
    t->at = at;
    order_release(order);
    fiber_switch(t->runs_on, &current.scheduler);
    if (at != DONE)
        order_acquire(order);
}

/* A fiber runs one thread of a block after another. */
void live()
{
    for (;;) {
        order_acquire(&order_of_launch);
        current.call(current.data);
        wait(DONE, &order_of_end);
    }
}

void resume(int index)
{
    const dim3 n = here.threads;
    const unsigned i = (unsigned)index;
    current.now = index;
    here.thread = uint3{i % n.x, i / n.x % n.y, i / (n.x * n.y)};
    current.threads[i].at = READY;
    fiber_switch(&current.scheduler, current.threads[i].runs_on);
}

bool reversed()
{
    static const bool is = [] {
        const char *order = getenv("SLUICE_EMULATED_ORDER");
        if (order && *order && strcmp(order, "forward") != 0 && strcmp(order, "reverse") != 0)
            die("SLUICE_EMULATED_ORDER=%s: forward or reverse", order);
        return order && strcmp(order, "reverse") == 0;
    }();
    return is;
}

int count(int from, int to, state at)
{
    int n = 0;
    for (int i = from; i < to; i++)
        n += current.threads[i].at == at;
    return n;
}

/* Runs the warp until each of its threads is done or waits at a barrier. */
void run_warp(int from, int to)
{
    const int n = to - from;
    for (;;) {
        for (int k = 0; k < n; k++) {
            const int i = reversed() ? to - 1 - k : from + k;
            if (current.threads[i].at == READY)
                resume(i);
        }
        const int exchanging = count(from, to, AT_EXCHANGE);
        if (exchanging == 0)
            return;
        if (exchanging < n)
            die("%d of the %d lanes of a warp met a shuffle or a ballot; %d wait at "
                "__syncthreads, %d have left",
                exchanging, n, count(from, to, AT_BARRIER), count(from, to, DONE));
        for (int i = from; i < to; i++)
            current.threads[i].at = READY;
    }
}

void check_barrier(int threads)
{
    int line = 0;
    for (int i = 0; i < threads; i++) {
        const thread *t = &current.threads[i];
        if (t->at != AT_BARRIER)
            continue;
        if (line && line != t->line)
            die("threads of one block wait at __syncthreads of lines %d and %d", line, t->line);
        line = t->line;
    }
    const int left = count(0, threads, DONE);
    if (line && left)
        die("%d threads of a block wait at the __syncthreads of line %d, and %d have left",
            threads - left, line, left);
}

void run_threads(int threads)
{
    const int warps = (threads + warp - 1) / warp;
    while (count(0, threads, DONE) < threads) {
        for (int k = 0; k < warps; k++) {
            const int from = (reversed() ? warps - 1 - k : k) * warp;
            run_warp(from, from + warp < threads ? from + warp : threads);
        }
        check_barrier(threads);
        for (int i = 0; i < threads; i++)
            if (current.threads[i].at == AT_BARRIER)
                current.threads[i].at = READY;
    }
}

/* A fiber gets a different thread in each block. Otherwise the order of one fiber's work would hide
 * races between blocks. */
void seat_threads(long index, int threads)
{
    while ((int)current.fibers.size() < threads)
        current.fibers.push_back(fiber());
    fiber_adopt(&current.scheduler);
    current.threads.assign(threads, thread());
    for (int i = 0; i < threads; i++) {
        fiber *f = &current.fibers[(i + index) % threads];
        if (!f->stack)
            fiber_create(f, live);
        current.threads[i].runs_on = f;
    }
    for (auto &given : current.given)
        given.assign(threads + warp, 0);
}

void run_block(long index, int threads, size_t shared_bytes)
{
    const dim3 n = here.blocks;
    here.block = uint3{(unsigned)(index % n.x), (unsigned)(index / n.x % n.y),
                       (unsigned)(index / n.x / n.y)};
    unseen_begin();
    seat_threads(index, threads);
    unseen_end();
    current.shared_bytes = 0;
    if (shared_bytes)
        shared(&shared_array, shared_bytes);
    run_threads(threads);
    for (auto &variable : current.variables)
        garbage_free(variable.memory);
    current.variables.clear();
}

} /* namespace */

int lane()
{
    return current.now % warp;
}

void barrier(int line)
{
    thread *t = &current.threads[current.now];
    t->line = line;
    wait(AT_BARRIER, &order_of_block[t->barriers++ % 2]);
}

const uint64_t *exchange(uint64_t mine)
{
    thread *t = &current.threads[current.now];
    const int of_block = current.now / warp;
    const unsigned odd = t->exchanges++ % 2;
    current.given[odd][current.now] = mine;
    wait(AT_EXCHANGE, &order_of_warp[of_block][odd]);
    return &current.given[odd][of_block * warp];
}

void *shared(const void *key, size_t bytes)
{
    for (const auto &variable : current.variables)
        if (variable.key == key)
            return variable.memory;
    current.shared_bytes += bytes;
    if (current.shared_bytes > MOST_SHARED)
        die("%zu bytes of shared memory, more than %d", current.shared_bytes, MOST_SHARED);
    /* ThreadSanitizer sees a vector that moves as a race of the threads that filled it. */
    if (current.variables.size() == MOST_VARIABLES)
        die("more than %d variables in shared memory", MOST_VARIABLES);
    current.variables.reserve(MOST_VARIABLES);
    current.variables.push_back({key, garbage_alloc(bytes)});
    return current.variables.back().memory;
}

void *dynamic_shared()
{
    for (const auto &variable : current.variables)
        if (variable.key == &shared_array)
            return variable.memory;
    die("the launch gives no bytes for the array in shared memory");
}

void die(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "emulated GPU: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (%s, block %u %u %u, thread %u, warps of %d)\n",
            current.kernel ? current.kernel : "no kernel", here.block.x, here.block.y, here.block.z,
            here.thread.x, warp);
    abort();
}

void launch(const char *name, dim3 blocks, dim3 threads, size_t shared_bytes,
            void (*call)(const void *), const void *data)
{
    const long n = (long)blocks.x * blocks.y * blocks.z;
    const long width = (long)threads.x * threads.y * threads.z;
    if (n <= 0 || width <= 0 || width > MOST_THREADS || shared_bytes > MOST_SHARED ||
        blocks.x > 0x7fffffffu || blocks.y > 65535 || blocks.z > 65535) {
        set_last_error(gpuErrorInvalidConfiguration);
        return;
    }
    sluice_emulated_counts.kernels++;
    device_memory_open();
    order_release(&order_of_launch);
#pragma omp parallel for schedule(dynamic, 1) if (n > 1)
    for (long k = 0; k < n; k++) {
        here.blocks = blocks;
        here.threads = threads;
        current.kernel = name;
        current.call = call;
        current.data = data;
        run_block(reversed() ? n - 1 - k : k, (int)width, shared_bytes);
        current.kernel = NULL;
    }
    order_acquire(&order_of_end);
    device_memory_close(name);
}

} // namespace gpu_emulator
