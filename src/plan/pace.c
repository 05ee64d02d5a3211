#include "plan/pace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/timer.h"
#include "core/vector.h"
#include "kernels/registry.h"

static const double enough = 0.1; /* s */
static const double busy = 1.3;
enum { STEPS_MOST = 500 };

int64_t sluice_pace_steps_of_run(const struct sluice_sim *sim, int contacts)
{
    const long long most = sim->config->time.max_steps;
    double step = sluice_sim_stable_dt(sim);
    if (contacts && sim->config->time.step == 0)
        step = fmin(step, sluice_case_impact_step(sim->setup));
    const double by_time = ceil(sim->config->time.end / step);
    const int64_t steps = by_time < 9e18 ? (int64_t)by_time : INT64_MAX;
    return most > 0 && most < steps ? most : steps;
}

struct pace {
    int steps;            /* that were measured; 0: none, `why` says why */
    double seconds, mean; /* of one of them: the median, and the mean */
    char why[1024];
};

/* Other programs that take the processors make the mean longer than the median. A first step that
 * is short does not count: memory and caches are cold. */
static void measure(struct pace *pace, struct sluice_sim *sim)
{
    double taken[STEPS_MOST], all = 0, before = sluice_seconds();
    *pace = (struct pace){0};
    sim->log->terminal = NULL; /* the run will say it */
    for (int k = 0; all < enough && pace->steps < STEPS_MOST && !sluice_sim_finished(sim); k++) {
        if (sluice_sim_step(sim) != SLUICE_OK) {
            snprintf(pace->why, sizeof pace->why, "%.1000s", sluice_message());
            pace->steps = 0;
            return;
        }
        const double now = sluice_seconds(), step = now - before;
        before = now;
        all += step;
        if (k > 0 || step > enough) {
            taken[pace->steps++] = step;
            pace->mean += step;
        }
    }
    pace->mean /= fmax(pace->steps, 1);
    qsort(taken, (size_t)pace->steps, sizeof *taken, sluice_by_real);
    if (pace->steps > 0)
        pace->seconds = taken[pace->steps / 2];
    else
        snprintf(pace->why, sizeof pace->why, "the run ends after a step");
}

/* Two digits, or all those of a whole number. */
static void print_number(double value)
{
    printf(value < 10 ? "%.2g" : "%.0f", value);
}

/* A time in words: "40 s", "3.5 minutes", "7.2 hours", "300 days". */
static void print_time(double seconds)
{
    static const struct {
        double least, unit;
        const char *name;
    } units[] = {{2 * 86400, 86400, "days"}, {2 * 3600, 3600, "hours"}, {100, 60, "minutes"}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (seconds >= units[k].least) {
            print_number(seconds / units[k].unit);
            printf(" %s", units[k].name);
            return;
        }
    print_number(seconds);
    printf(" s");
}

void sluice_pace_print(struct sluice_sim *sim)
{
    const int64_t steps = sluice_pace_steps_of_run(sim, 0);
    const int threads = sluice_config_threads(sim->config, 1);
    struct pace pace;
    measure(&pace, sim);
    if (pace.steps == 0) {
        printf("the time is not known: %s\n", pace.why);
        return;
    }
    printf("about ");
    print_time(pace.seconds * (double)steps);
    if (pace.mean > busy * pace.seconds) {
        printf(", or ");
        print_time(pace.mean * (double)steps);
        printf(" with other programs as busy as now,");
    }
    printf(" on this machine, without output: the median of %d step%s is %.2g s (%s, strategy %s",
           pace.steps, pace.steps == 1 ? "" : "s", pace.seconds, sim->backend.ops->name,
           sluice_strategies[sim->backend.orders.strategy].name);
    if (sim->backend.ops->on_host)
        printf(", %d thread%s", threads, threads == 1 ? "" : "s");
    printf("%s)\n", sim->tuning.is_auto ? "; auto may find a faster one" : "");
}

void sluice_pace_write(struct sluice_sim *sim, struct sluice_json *json)
{
    const int64_t steps = sluice_pace_steps_of_run(sim, 0);
    struct pace pace;
    measure(&pace, sim);
    sluice_json_int(json, "measured_steps", pace.steps);
    if (pace.steps > 0) {
        sluice_json_real(json, "seconds_a_step", pace.seconds);
        sluice_json_real(json, "expected_seconds", pace.seconds * (double)steps);
        sluice_json_real(json, "expected_seconds_busy", pace.mean * (double)steps);
    } else
        sluice_json_text(json, "not_measured", pace.why);
}
