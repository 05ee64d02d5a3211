#include "app/run_report.h"

#include <inttypes.h>
#include <math.h>

#include "app/progress.h"
#include "core/colour.h"
#include "core/json.h"

static void print_sections(const struct sluice_run_result *result, FILE *out)
{
    double named = 0.0;
    const double all = result->wall_seconds > 0.0 ? result->wall_seconds : 1.0;
    fprintf(out, "%-26s %10s %7s\n", "section", "seconds", "share");
    for (int i = 0; i < SLUICE_SECTION_COUNT; i++) {
        const double seconds = result->seconds[i];
        named += seconds;
        if (seconds > 0.0)
            fprintf(out, "%-26s %10.3f %6.1f%%\n", sluice_section_names[i], seconds,
                    100.0 * seconds / all);
    }
    const double rest = fmax(0.0, result->wall_seconds - named);
    fprintf(out, "%-26s %10.3f %6.1f%%\n", "start and the rest", rest, 100.0 * rest / all);
    fprintf(out, "%-26s %10.3f\n", "all", result->wall_seconds);
    if (result->timed_steps >= 0)
        fprintf(out,
                "(sections by the device's clock on %" PRId64 " of %" PRId64 " steps, scaled up)\n",
                result->timed_steps, result->steps);
}

/* Pairs of a step: the mean of the counts that were made, or 0. */
static double pairs_of(const struct sluice_run_result *result)
{
    const double *pairs = result->pairs;
    return pairs[0] > 0.0 && pairs[1] > 0.0 ? 0.5 * (pairs[0] + pairs[1]) : pairs[0] + pairs[1];
}

static void print_rates(const struct sluice_run_result *result, FILE *out)
{
    const double seconds = result->stepping_seconds;
    if (result->steps == 0 || !(seconds > 0.0))
        return;
    fprintf(out, "a second: %.3g M fluid particles, %.3g M particles with walls",
            1e-6 * result->fluid_steps / seconds, 1e-6 * result->particle_steps / seconds);
    if (pairs_of(result) > 0.0)
        fprintf(out, ", %.4g M pairs\n(pairs a step, counted: %.0f at the start, %.0f at the end)",
                1e-6 * pairs_of(result) * (double)result->steps / seconds, result->pairs[0],
                result->pairs[1]);
    fputc('\n', out);
    if (result->busiest_rank > 0)
        fprintf(out, "(the busiest rank works %.3f times as long as the mean)\n",
                result->busiest_rank);
}

static void write_rates(struct sluice_json *json, const struct sluice_run_result *result)
{
    const double seconds = result->stepping_seconds > 0.0 ? result->stepping_seconds : INFINITY;
    sluice_json_begin(json, "rates", '{');
    sluice_json_real(json, "seconds", result->stepping_seconds);
    sluice_json_real(json, "fluid_particles_per_second", result->fluid_steps / seconds);
    sluice_json_real(json, "particles_per_second", result->particle_steps / seconds);
    sluice_json_real(json, "pairs_per_second", pairs_of(result) * (double)result->steps / seconds);
    sluice_json_real(json, "pairs_at_start", result->pairs[0]);
    sluice_json_real(json, "pairs_at_end", result->pairs[1]);
    if (result->busiest_rank > 0)
        sluice_json_real(json, "busiest_rank_over_mean", result->busiest_rank);
    sluice_json_end(json, '{');
}

static void print_verdict(const struct sluice_run_report *report, const char *colon, FILE *out)
{
    const struct sluice_run_result *result = report->result;
    if (result->verdict < 0) {
        fprintf(out, "energy%s no verdict\n", colon);
        return;
    }
    const enum sluice_colour colour = !result->verdict      ? SLUICE_RED
                                      : result->removed > 0 ? SLUICE_YELLOW /* told above */
                                                            : SLUICE_GREEN;
    fprintf(out, "energy%s %s%s%s; largest residual %.2e of the reference energy, tolerance %.1e\n",
            colon, sluice_colour_begin(out, colour),
            result->verdict ? "conserved" : "NOT conserved", sluice_colour_end(out),
            result->max_residual / result->reference_energy, report->config->energy.tolerance);
}

void sluice_run_report_verdict(const struct sluice_run_report *report, FILE *out)
{
    fprintf(out, "sluice: %s: ", report->folder);
    print_verdict(report, "", out);
}

/* The remedies of a failed verdict. */
static void print_remedy(const struct sluice_run_report *report, FILE *out)
{
    if (report->status == SLUICE_FAILED_CHECK)
        fprintf(out,
                "  The exit status is 1. 'sluice energy %s' shows each term of the budget. A case\n"
                "  whose budget is open by design says so with a larger energy.tolerance.\n",
                report->folder);
}

/* A path as a shell takes it. Returns `text`. */
static const char *shell_word(const char *path, char text[2 * SLUICE_TEXT_MAX])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./-+=:,@%";
    size_t n = 0;
    if (path[0] && path[0] != '-' && path[strspn(path, plain)] == 0)
        return path;
    text[n++] = '\'';
    for (; *path && n + 8 < 2 * SLUICE_TEXT_MAX; path++)
        n += *path == '\'' ? (size_t)sprintf(text + n, "'\\''") : (text[n] = *path, 1u);
    text[n++] = '\'';
    text[n] = 0;
    return text;
}

static void print_next(const struct sluice_run_report *report, FILE *out)
{
    char text[2 * SLUICE_TEXT_MAX];
    const char *dashes = report->folder[0] == '-' ? "-- " : "",
               *folder = shell_word(report->folder, text);
    fprintf(out, "results in %s\n", report->folder);
    if (report->status == SLUICE_STOPPED) {
        fprintf(out, "  sluice restart %s%s      go on where it stopped\n", dashes, folder);
        return;
    }
    fprintf(out, "  sluice plot %s%s      pictures\n", dashes, folder);
    fprintf(out, "  sluice energy %s%s    the energy budget\n", dashes, folder);
    fprintf(out, "  ParaView: open %s/run.hdf.series%s\n", report->folder,
            report->config->rigid_count ? ", and bodies.hdf.series beside it" : "");
}

void sluice_run_report_text(const struct sluice_run_report *report, FILE *out)
{
    const struct sluice_run_result *result = report->result;
    const char *unit = report->config->units == SLUICE_UNITS_SI ? " s" : "";
    char took[32];
    sluice_progress_duration(result->wall_seconds, took, sizeof took);
    fprintf(out, "%s at %.6g%s after %" PRId64 " steps, %" PRId64 " particles, %s\n",
            report->status == SLUICE_STOPPED ? "stopped" : "done", result->time, unit,
            result->steps, result->particles, took);
    if (result->removed > 0)
        fprintf(out,
                "%" PRId64 " particle%s left the domain, %.2g%% of the fluid: a higher or longer "
                "domain, or walls on its sides, would keep what leaves\n",
                result->removed, result->removed == 1 ? "" : "s",
                100 * (double)result->removed / (double)(result->removed + result->fluid));
    if (result->density_sums > 0)
        fprintf(out, "%.3f sums for the density of a particle in a step\n", result->density_sums);
    if (result->negative_count > 0)
        fprintf(out,
                "%" PRId64 " times a predicted internal energy was below 0, and 0 was taken: a "
                "smaller time.cfl helps\n",
                result->negative_count);
    fputc('\n', out);
    print_sections(result, out);
    print_rates(result, out);
    fputc('\n', out);
    print_verdict(report, ":", out);
    print_remedy(report, out);
    print_next(report, out);
}

static const char *word_of(sluice_status status)
{
    switch (status) {
    case SLUICE_OK:
    case SLUICE_FAILED_CHECK:
        return "done";
    case SLUICE_STOPPED:
        return "stopped";
    case SLUICE_BLOW_UP:
        return "blown up";
    default:
        return "failed";
    }
}

static void write_energy(struct sluice_json *json, const struct sluice_run_report *report)
{
    const struct sluice_run_result *result = report->result;
    sluice_json_begin(json, "energy", '{');
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        sluice_json_real(json, sluice_budget_columns[c].name,
                         sluice_budget_value(&result->budget, c));
    sluice_json_real(json, "reference_energy", result->reference_energy);
    sluice_json_real(json, "max_residual", result->max_residual);
    sluice_json_real(json, "max_identity", result->max_identity);
    sluice_json_real(json, "tolerance", report->config->energy.tolerance);
    sluice_json_bool(json, "conserved", result->verdict);
    sluice_json_end(json, '{');
}

void sluice_run_report_json(const struct sluice_run_report *report, FILE *out)
{
    const struct sluice_run_result *result = report->result;
    struct sluice_json json = {.out = out};
    sluice_json_begin(&json, NULL, '{');
    sluice_json_text(&json, "verb", report->verb);
    sluice_json_text(&json, "ended", word_of(report->status));
    sluice_json_int(&json, "exit", report->status);
    if (report->status != SLUICE_OK && report->status != SLUICE_FAILED_CHECK)
        sluice_json_text(&json, "error", sluice_message());
    sluice_json_text(&json, "folder", report->folder);
    sluice_json_text(&json, "title", report->config->title);
    sluice_json_int(&json, "steps", result->steps);
    sluice_json_real(&json, "time", result->time);
    sluice_json_int(&json, "particles", result->particles);
    sluice_json_int(&json, "removed", result->removed);
    if (result->density_sums > 0) {
        sluice_json_real(&json, "density_sums", result->density_sums);
        sluice_json_int(&json, "negative_energies", result->negative_count);
    }
    sluice_json_real(&json, "wall_seconds", result->wall_seconds);
    sluice_json_int(&json, "ranks", result->ranks);
    if (*result->messages)
        sluice_json_text(&json, "gpus_send", result->messages);
    sluice_json_begin(&json, "sections", '{');
    for (int i = 0; i < SLUICE_SECTION_COUNT; i++)
        sluice_json_real(&json, sluice_section_names[i], result->seconds[i]);
    sluice_json_end(&json, '{');
    write_rates(&json, result);
    if (result->timed_steps >= 0)
        sluice_json_int(&json, "sections_timed_steps", result->timed_steps);
    write_energy(&json, report);
    sluice_json_end(&json, '{');
}
