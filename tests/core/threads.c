/* test: 1 s */
/* The team of threads: each item is done once, whichever thread takes it; waits end; the system may
 * limit a team. Also the largest number of threads, and the choice of the fastest number. */
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/processors.h"
#include "core/threads.h"
#include "sim/thread_count.h"
#include "support/tap.h"

enum { ITEMS_MOST = 5000 };

struct tally {
    _Atomic int taken[ITEMS_MOST];
    _Atomic int callers; /* threads that called the body */
    _Atomic int total;   /* items taken, and how many there were when the slow one ended */
    int total_then;
    double slow; /* s that the first item takes */
};

static void count_items(struct sluice_share *share, void *data)
{
    struct tally *t = data;
    int64_t i;
    t->callers++;
    while (sluice_share_next(share, &i)) {
        t->taken[i]++;
        t->total++;
        if (i > 0 || t->slow == 0)
            continue;
        usleep((useconds_t)(1e6 * t->slow));
        t->total_then = t->total;
    }
}

/* Whether a loop takes each item once. */
static int is_complete(struct sluice_threads *team, int items, struct tally *t)
{
    int good = 1;
    memset(t, 0, sizeof *t);
    sluice_threads_run(team, items, count_items, t);
    for (int i = 0; i < ITEMS_MOST; i++)
        good &= t->taken[i] == (i < items);
    return good;
}

static void check_items(int threads)
{
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, ITEMS_MOST};
    static struct tally t;
    struct sluice_threads *team;
    int good = 1;
    ok(sluice_threads_create(&team, threads) == SLUICE_OK && sluice_threads_count(team) == threads,
       "a team of %d", threads);
    for (int used = threads; used >= 1; used--) {
        sluice_threads_use(team, used);
        for (int turn = 0; turn < 20; turn++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                good &= is_complete(team, sizes[k], &t) && t.callers <= used;
    }
    ok(good, "%d threads: each item once, of no to %d items, by as many threads as are used",
       threads, (int)ITEMS_MOST);
    sluice_threads_destroy(&team);
    ok(team == NULL, "it ends");
}

static void check_blocks(void)
{
    struct sluice_share share = {.items = sluice_blocks(1025, 512)};
    int64_t first = 0, last = 0, sum = 0;
    while (sluice_share_block(&share, 1025, 512, &first, &last))
        sum += last - first;
    ok(share.items == 3 && sum == 1025 && first == 1024 && last == 1025, "blocks cover all things");
}

/* One thread is held up by an item; the other takes over the rest of its part. */
static void check_takeover(void)
{
    static struct tally t;
    struct sluice_threads *team;
    (void)sluice_threads_create(&team, 2);
    memset(&t, 0, sizeof t);
    t.slow = 0.3;
    sluice_threads_run(team, 1000, count_items, &t);
    ok(t.total_then == 1000, "while a thread stands still at one item, %d of 1000 are taken",
       t.total_then);
    sluice_threads_destroy(&team);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Threads that wait for a loop, or for an item under way, use almost no processor time. */
static void check_waits(void)
{
    static struct tally t;
    struct sluice_threads *team;
    (void)sluice_threads_create(&team, 2);
    (void)is_complete(team, 100, &t);
    const double before = cpu_seconds();
    usleep(300000);
    const double idle = cpu_seconds() - before;
    t.slow = 0.3;
    memset(t.taken, 0, sizeof t.taken);
    sluice_threads_run(team, 2, count_items, &t);
    const double held = cpu_seconds() - before - idle;
    ok(idle < 0.05, "threads without work sleep: %.4f s of a processor in 0.3 s", idle);
    ok(held < 0.05, "and so do those that wait for an item: %.4f s in 0.3 s", held);
    sluice_threads_destroy(&team);
}

/* The environment's settings, as GNU's OpenMP reads them. */
static void check_environment(void)
{
    static const struct {
        const char *name, *value;
        long long spins;
    } given[] = {{"OMP_WAIT_POLICY", "passive", 0},
                 {"OMP_WAIT_POLICY", "ACTIVE", INT64_MAX},
                 {"GOMP_SPINCOUNT", "300", 300},
                 {"GOMP_SPINCOUNT", "2k", 2000},
                 {"GOMP_SPINCOUNT", "infinity", INT64_MAX}};
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("GOMP_SPINCOUNT");
    ok(sluice_processors_spins(1) == -1, "by default a wait is bounded by its time");
    ok(sluice_processors_spins(sluice_processors_usable() + 1) == 0,
       "threads without a processor of their own do not spin");
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        setenv(given[k].name, given[k].value, 1);
        ok(sluice_processors_spins(2) == given[k].spins, "%s=%s", given[k].name, given[k].value);
        unsetenv(given[k].name);
    }
    unsetenv("OMP_NUM_THREADS");
    ok(sluice_processors_asked() == 0, "OMP_NUM_THREADS is not set");
    ok(sluice_processors_most() == sluice_processors_usable(),
       "the usable processors are the most");
    setenv("OMP_NUM_THREADS", "3,2", 1);
    ok(sluice_processors_asked() == 3, "OMP_NUM_THREADS=3,2 asks for 3 threads");
    ok(sluice_processors_most() == 3, "3 is then the most, whatever processors there are");
    setenv("OMP_NUM_THREADS", "many", 1);
    ok(sluice_processors_asked() == 0, "OMP_NUM_THREADS=many is no number");
    unsetenv("OMP_NUM_THREADS");
}

/* --- Control groups --- */

static void put(const char *root, const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    FILE *out = fopen(name, "w");
    if (!out)
        return;
    fputs(text, out);
    fclose(out);
}

static void make_folder(const char *root, const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    mkdir(name, 0700);
}

static void check_groups(void)
{
    char root[] = "/tmp/sluice-threads-XXXXXX", remove[600];
    if (!mkdtemp(root))
        return;
    make_folder(root, "batch");
    make_folder(root, "batch/job");
    make_folder(root, "cpu");
    make_folder(root, "cpu/job");
    put(root, "batch/cpu.max", "150000 100000\n");
    put(root, "batch/job/cpu.max", "max 100000\n");
    put(root, "cpu/job/cpu.cfs_quota_us", "400000\n");
    put(root, "cpu/job/cpu.cfs_period_us", "100000\n");
    put(root, "cpu/cpu.cfs_quota_us", "-1\n");
    put(root, "cpu/cpu.cfs_period_us", "100000\n");
    ok(sluice_processors_of_groups("0::/batch/job\n", root) == 1.5,
       "a group has no more processors than the one above it");
    ok(sluice_processors_of_groups("0::/other\n", root) == 0, "a group without a limit");
    ok(sluice_processors_of_groups("7:cpuset:/job\n4:cpu,cpuacct:/job\n", root) == 4,
       "version 1, among other controllers");
    ok(sluice_processors_of_groups("4:cpuacct:/job\n", root) == 0, "a controller of another name");
    ok(sluice_processors_of_groups("4:cpu:/host/job\n0::/batch\n", root) == 1.5,
       "a container sees less of the path; both versions");
    ok(sluice_processors_of_groups("", root) == 0 &&
           sluice_processors_of_groups("nonsense\n:\n::\n0::\n", root) == 0,
       "texts that name no group");
    snprintf(remove, sizeof remove, "rm -r '%s'", root);
    ok(system(remove) == 0, "the folders are gone");
}

/* --- The fastest number --- */

/* Seconds of a step: the work that threads share, and a cost for each thread. Threads without a
 * free core wait for a time slice. */
struct machine {
    double work, each;
    int free; /* cores */
};

static double step_of(const struct machine *m, int threads)
{
    const double shared = threads > m->free ? 3 * m->work : m->work / threads;
    return shared + m->each * threads;
}

/* Runs for `seconds`; returns the seconds lost against the best number. */
static double run_for(struct sluice_thread_count *c, const struct machine *m, int best,
                      double seconds)
{
    double lost = 0;
    for (double time = 0; time < seconds;) {
        const double step = step_of(m, c->used);
        time += step;
        lost += step - step_of(m, best);
        (void)sluice_thread_count_step(c, step);
    }
    return lost;
}

static void check_choice(void)
{
    static const struct {
        const char *name;
        struct machine m;
        int most, best;
        int64_t particles;
    } cases[] = {{"a large case", {1.0, 1e-4, 16}, 16, 16, 1000000},
                 {"a small case", {1e-4, 1e-4, 64}, 64, 1, 1400},
                 {"a case in between", {1.6e-3, 1e-4, 64}, 64, 4, 11000},
                 {"a small case of many particles", {1e-4, 1e-4, 64}, 64, 1, 1000000},
                 {"six cores", {1e-2, 1e-5, 6}, 6, 6, 50000},
                 {"two cores, both taken", {1e-3, 1e-5, 1}, 2, 1, 11000}};
    struct sluice_thread_count c;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sluice_thread_count_begin(&c, cases[k].most, cases[k].particles);
        const double lost = run_for(&c, &cases[k].m, cases[k].best, 100);
        run_for(&c, &cases[k].m, cases[k].best, c.tries ? c.trial_seconds + 3 : 0);
        ok(!c.tries && c.used == cases[k].best, "%s takes %d of %d threads, here %d", cases[k].name,
           cases[k].best, cases[k].most, c.used);
        ok(lost < 10, "and looking for them costs %.2g s of 100 s", lost);
    }
    struct machine m = {1e-3, 1e-5, 2};
    char text[SLUICE_THREAD_TEXT];
    sluice_thread_count_begin(&c, 2, 11000);
    run_for(&c, &m, 2, 20);
    ok(c.used == 2, "two free cores: two threads");
    m.free = 1;
    run_for(&c, &m, 1, 3);
    ok(c.used == 1, "other work takes one: one thread within 3 s");
    sluice_thread_count_text(&c, text);
    ok(strcmp(text, "1 of 2; a step takes 1: 1.01 ms, 2: 3.02 ms") == 0, "the log says %s", text);
    m.free = 2;
    run_for(&c, &m, 2, 130);
    ok(c.used == 2, "it goes: two threads again");
    sluice_thread_count_begin(&c, 1, 11000);
    ok(c.used == 1 && !sluice_thread_count_step(&c, 1) && c.count == 0,
       "one thread: nothing is tried");
}

/* --- Limits of the system --- */

/* With few bytes left, a large team becomes smaller, says so and works. */
static void check_shortage(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    static struct tally t;
    struct sluice_threads *team;
    struct rlimit old, now;
    getrlimit(RLIMIT_AS, &old);
    now = old;
    now.rlim_cur = 400 << 20;
    setrlimit(RLIMIT_AS, &now);
    const sluice_status status = sluice_threads_create(&team, 4000);
    const int count = sluice_threads_count(team), good = is_complete(team, ITEMS_MOST, &t);
    ok(status == SLUICE_OK && count < 1000 && strstr(sluice_threads_shortage(team), "of 4000"),
       "a team of %d: %s", count, sluice_threads_shortage(team));
    ok(good, "does each item once");
    void *memory = malloc(20 << 20);
    ok(memory != NULL, "and leaves memory to others");
    free(memory);
    sluice_threads_destroy(&team);
    setrlimit(RLIMIT_AS, &old);
#endif
}

int main(void)
{
    check_environment();
    check_blocks();
    for (int threads = 1; threads <= 5; threads++)
        check_items(threads);
    check_takeover();
    check_waits();
    check_groups();
    check_choice();
    check_shortage();
    return done_testing();
}
