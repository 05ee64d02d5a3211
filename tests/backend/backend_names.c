/* test: 0.1 s, emulator */
/* Which backend a name means, also on machines unlike this one; and that a case takes its bins from
 * the backend. */
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "case/case.h"
#include "kernels/backends/backends.h"
#include "support/tap.h"

/* Simulated GPU backends: the first one has device 2 only, the second one has no driver. */
static int only_the_third(int number, char *text, size_t size)
{
    snprintf(text, size, number == 2 ? "a card, 80 GB" : "there is no device %d", number);
    return number == 2;
}

static int no_driver(int number, char *text, size_t size)
{
    (void)number;
    snprintf(text, size, "no driver");
    return 0;
}

static const struct sluice_backend_ops first = {.name = "cuda", .device = only_the_third},
                                       second = {.name = "hip", .device = no_driver};
static const struct sluice_backend_ops *const both[] = {&first, &second, &sluice_cpu_ops, NULL};

static const char *found(const char *name, int device, char *why, size_t size)
{
    const struct sluice_backend_ops *ops;
    return sluice_backend_find(both, name, device, &ops, why, size) == SLUICE_OK ? ops->name : "";
}

static void check_auto(void)
{
    char why[200];
    is_str(found("auto", 2, why, sizeof why), "cuda", "auto takes the first that has the device");
    is_str(why, "", "and has nothing to explain");
    is_str(found("auto", 0, why, sizeof why), "cpu", "without a device, the processors");
    is_str(why, "cuda: there is no device 0; hip: no driver", "why not the others");
    is_str(found(NULL, 0, why, 12), "cpu", "no name is auto");
    is_str(why, "cuda: there", "a short text is cut, not overrun");
    is_str(found("", 0, NULL, 0), "cpu", "without asking why");
}

static void check_names(void)
{
    const struct sluice_backend_ops *ops;
    is_str(found("hip", 0, NULL, 0), "hip", "a name is a name, whatever is there");
    is_int(sluice_backend_find(NULL, "abacus", 0, &ops, NULL, 0), SLUICE_BAD_INPUT,
           "no such backend");
    for (int k = 0; sluice_backend_known_at(k); k++) {
        const struct sluice_backend_known *known = sluice_backend_known_at(k);
        const sluice_status status = sluice_backend_find(NULL, known->name, 0, &ops, NULL, 0);
        ok(status == SLUICE_OK
               ? strcmp(ops->name, known->name) == 0
               : status == SLUICE_BAD_INPUT && strstr(sluice_message(), known->make) != NULL,
           "%s: in this build, or how to get it", known->name);
    }
    int n = 0;
    while (sluice_backend_at(n) && sluice_backend_at(n) != &sluice_cpu_ops)
        n++;
    const int last = sluice_backend_at(n) &&
                     (!sluice_backend_at(n + 1) ||
                      strcmp(sluice_backend_at(n + 1)->name, "emulated") == 0);
    ok(last, "the CPU is the last backend that users see");
}

static const char case_text[] =
    "model = \"wcsph\"; dimension = %d; spacing = 0.1; gravity = [%s"
    "-9.81];\nkernel = { h_over_dp = 1.5; };\n"
    "domain = { max = [%s]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [%s]; max = [%s]; } );\n"
    "time = { end = 1.0; }; output = { every = 0.0; };\n"
    "backend = { name = \"cpu\"; bins = [%s]; };\n";

static void check_bins(int dimension, const char *keys, const double asked[3])
{
    const char *numbers = dimension == 3 ? "1.0, 1.0, 1.0" : "1.0, 1.0";
    struct sluice_config config;
    struct sluice_case c;
    char text[1000];
    double bins[3];
    snprintf(text, sizeof text, case_text, dimension, dimension == 3 ? "0.0, 0.0, " : "0.0, ",
             numbers, dimension == 3 ? "0.0, 0.0, 0.0" : "0.0, 0.0", numbers, keys);
    if (sluice_config_parse(&config, text, "case", NULL, 0, NULL) != SLUICE_OK ||
        sluice_case_create(&c, &config, NULL) != SLUICE_OK) {
        ok(0, "a case: %s", sluice_message());
        return;
    }
    sluice_cpu_ops.bins(SLUICE_STRATEGY_window, SLUICE_PAIR_wcsph_wendland, dimension, 3.0, bins);
    for (int a = 0; a < dimension; a++)
        is_close(c.grid.bins_per_cutoff[a], asked[a] > 0 ? asked[a] : bins[a], 1e-12,
                 "bins by the backend, or as asked");
    sluice_case_destroy(&c);
    sluice_config_destroy(&config);
}

/* The rows a cutoff of a GPU, y by z, as in docs/gpu.md. */
static void check_rows(const struct sluice_backend_ops *ops)
{
    static const struct {
        int pair;
        double reach, y, z;
    } rows[] = {{SLUICE_PAIR_wcsph_wendland, 3, 3, 2},
                {SLUICE_PAIR_wcsph_chosen, 4, 4, 2},
                {SLUICE_PAIR_wcsph_wendland, 5, 3, 3},
                {SLUICE_PAIR_lj, 1.5, 1, 1},
                {SLUICE_PAIR_lj, 2, 2, 1},
                {SLUICE_PAIR_lj, 2.5, 2, 1},
                {SLUICE_PAIR_lj, 2.75, 2, 2},
                {SLUICE_PAIR_lj, 3.5, 2, 2},
                {SLUICE_PAIR_high, 3.5, 2, 2},
                {SLUICE_PAIR_lj, 4.5, 3, 3}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double bins[3];
        ops->bins(SLUICE_STRATEGY_window, rows[k].pair, 3, rows[k].reach, bins);
        ok(bins[1] == rows[k].y && bins[2] == rows[k].z, "%s: rows of %s, %g particles a cutoff",
           ops->name, sluice_pairs[rows[k].pair].name, rows[k].reach);
    }
}

/* A backend can search the rows that it chooses itself. A GPU chooses six rows a cutoff; a periodic
 * axis may need 1.41 times as many. Adaptive pairs search any number of rows. */
static void check_rule(void)
{
    for (int n = 0; sluice_backend_at(n); n++) {
        const struct sluice_backend_ops *ops = sluice_backend_at(n);
        const int on_cpu = ops->on_host;
        int wrong = 0;
        for (int k = 0; k < SLUICE_STRATEGY_COUNT * SLUICE_PAIR_COUNT; k++)
            for (double reach = 0.05; reach < 20; reach += 0.05)
                for (int dimension = 2; dimension <= 3; dimension++) {
                    const int strategy = k / SLUICE_PAIR_COUNT, pair = k % SLUICE_PAIR_COUNT;
                    const int adapts = (sluice_pairs[pair].reads & SLUICE_BIT(SMOOTHING)) != 0;
                    double bins[3];
                    ops->bins(strategy, pair, dimension, reach, bins);
                    for (int a = 0; a < dimension; a++)
                        wrong += !(bins[a] > 0) ||
                                 (a > 0 && !on_cpu && !adapts && 1.42 * bins[a] > 6);
                }
        ok(!wrong, "%s: rows that it can search, for any number of neighbours", ops->name);
        if (!on_cpu)
            check_rows(ops);
    }
}

int main(void)
{
    check_auto();
    check_names();
    check_rule();
    check_bins(2, "0, 0", (const double[]){0, 0, 0});
    check_bins(3, "0, 0, 0", (const double[]){0, 0, 0});
    check_bins(3, "0, 5, 0", (const double[]){0, 5, 0});
    return done_testing();
}
