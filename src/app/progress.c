#include "app/progress.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double draw_every = 0.2, log_every = 60.0, mark_every = 5.0; /* s on the clock */

void sluice_progress_create(struct sluice_progress *progress, struct sluice_log *log, int live)
{
    memset(progress, 0, sizeof *progress);
    progress->log = log;
    progress->terminal = live ? stderr : NULL;
}

/* The part of the run that is done, 0 to 1: by time or by steps, whichever ends the run first. */
static double fraction_of(const struct sluice_sim *sim)
{
    const double end = sim->config->time.end;
    const double by_time = end > 0.0 ? sim->time / end : 0.0;
    const long long most = sim->config->time.max_steps;
    const double by_steps = most > 0 ? (double)sim->step / (double)most : 0.0;
    return fmin(1.0, fmax(by_time, by_steps));
}

void sluice_progress_duration(double seconds, char *text, size_t size)
{
    if (!isfinite(seconds) || seconds < 0.0 || seconds > 1e8)
        snprintf(text, size, "?");
    else if (seconds < 59.5)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 3599.5)
        snprintf(text, size, "%d:%02d", (int)(seconds + 0.5) / 60, (int)(seconds + 0.5) % 60);
    else
        snprintf(text, size, "%d:%02d:%02d", (int)seconds / 3600, (int)seconds / 60 % 60,
                 (int)seconds % 60);
}

static struct sluice_progress_mark mark_now(const struct sluice_sim *sim, double now)
{
    return (struct sluice_progress_mark){now, (double)sim->step, fraction_of(sim)};
}

static void begin(struct sluice_progress *progress, const struct sluice_sim *sim, double now)
{
    progress->begun = 1;
    progress->logged_at = now;
    progress->logged_fraction = fraction_of(sim);
    progress->mark[0] = progress->mark[1] = mark_now(sim, now);
}

static void describe(const struct sluice_progress *progress, const struct sluice_sim *sim,
                     double now, char *text, size_t size)
{
    const double fraction = fraction_of(sim);
    const struct sluice_progress_mark *mark = &progress->mark[0];
    const double wall = now - mark->wall;
    const double rate = wall > 0.0 ? ((double)sim->step - mark->steps) / wall : 0.0;
    const double fluid = (double)sim->count[SLUICE_FLUID],
                 all = fluid + (double)sim->count[SLUICE_WALL];
    const double speed = wall > 0.0 ? (fraction - mark->fraction) / wall : 0.0;
    char left[32], pairs[48] = "", residual[48] = "";
    sluice_progress_duration(speed > 0.0 ? (1.0 - fraction) / speed : -1.0, left, sizeof left);
    if (sim->model.energy && sim->reference_energy > 0.0)
        snprintf(residual, sizeof residual, "  residual %.1e", /* of the last row */
                 sim->now.residual / sim->reference_energy);
    const char *unit = sim->config->units == SLUICE_UNITS_SI ? " s" : "";
    if (sim->pairs_at_start > 0.0) /* counted at the start only */
        snprintf(pairs, sizeof pairs, ", pairs ~%.3g", 1e-6 * rate * sim->pairs_at_start);
    snprintf(text, size,
             "%5.1f%%  step %" PRId64
             "  t %.6g%s  dt %.3g%s  left %s  M/s: fluid %.3g, all %.3g%s%s",
             100.0 * fraction, sim->step, sim->time, unit, sim->dt, unit, left, 1e-6 * rate * fluid,
             1e-6 * rate * all, pairs, residual);
}

/* The length of the line that fits: whole fields only, since half a number is a wrong number. */
static int fitting_length(const char *text, int columns)
{
    int length = (int)strlen(text);
    if (length <= columns)
        return length;
    for (length = columns; length > 0; length--)
        if (strncmp(text + length, "  ", 2) == 0 || strncmp(text + length, ", ", 2) == 0)
            return length;
    return 0;
}

static void draw(struct sluice_progress *progress, const char *text)
{
    struct winsize window;
    int columns = 80;
    if (ioctl(fileno(progress->terminal), TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        columns = window.ws_col;
    fprintf(progress->terminal, "\r%.*s\033[K", fitting_length(text, columns - 1), text);
    fflush(progress->terminal);
    progress->drawn = 1;
}

/* If the terminal has the progress line, the log writes to its file only. */
static void write_log(struct sluice_progress *progress, const char *text)
{
    FILE *const terminal = progress->log->terminal;
    if (progress->terminal)
        progress->log->terminal = NULL;
    sluice_log_line(progress->log, "%s", text);
    progress->log->terminal = terminal;
}

void sluice_progress_step(void *data, const struct sluice_sim *sim)
{
    struct sluice_progress *progress = data;
    const double now = sluice_seconds();
    char text[256];
    if (!progress->begun) {
        begin(progress, sim, now);
        return; /* one moment gives no rate */
    }
    if (now - progress->mark[1].wall >= mark_every) { /* rates are over the last 5 to 10 seconds */
        progress->mark[0] = progress->mark[1];
        progress->mark[1] = mark_now(sim, now);
    }
    const double fraction = fraction_of(sim);
    if (floor(10.0 * fraction) > floor(10.0 * progress->logged_fraction) ||
        now - progress->logged_at >= log_every) {
        describe(progress, sim, now, text, sizeof text);
        write_log(progress, text);
        progress->logged_at = now;
        progress->logged_fraction = fraction;
    }
    if (progress->terminal && now - progress->drawn_at >= draw_every) {
        describe(progress, sim, now, text, sizeof text);
        draw(progress, text);
        progress->drawn_at = now;
    }
}

void sluice_progress_clear(void *data)
{
    struct sluice_progress *progress = data;
    if (!progress->terminal || !progress->drawn)
        return;
    fputs("\r\033[K", progress->terminal);
    fflush(progress->terminal);
    progress->drawn = 0;
}
