/* Plans as text and as JSON. The counts are those of the backend's kind, on the host or a device;
 * the predictions are for all machines that are known. */
#include <math.h>

#include "plan/plan.h"

/* Fewer places in the halo give the number of its particles to worse than about 10%. */
static const double places_least = 100;

/* Steps between two snapshots; 0: there are none. */
static double output_every(const struct sluice_sim *sim)
{
    const double every = sim->config->output.every;
    return every > 0 && sim->dt_next > 0 ? fmax(1, every / sim->dt_next) : 0;
}

/* The plans of one number of ranks. */
struct set_of_plans {
    struct sluice_plan plan[SLUICE_MACHINES];
    struct sluice_plan_summary summary[SLUICE_MACHINES];
    int own; /* the first one of the backend's kind */
};

static void destroy(struct set_of_plans *s)
{
    for (int m = 0; m < SLUICE_MACHINES; m++)
        sluice_plan_destroy(&s->plan[m]);
}

static sluice_status create(struct set_of_plans *s, const struct sluice_sim *sim,
                            const struct sluice_plan_request *request, int ranks)
{
    sluice_status status = SLUICE_OK;
    *s = (struct set_of_plans){.own = sluice_machine_of_kind(!sim->backend.ops->on_host)};
    for (int m = 0; m < SLUICE_MACHINES && status == SLUICE_OK; m++) {
        const struct sluice_plan_options options = {.machine = &sluice_machines[m],
                                                    .ranks = ranks,
                                                    .particles = request->particles *
                                                                 (request->weak ? ranks : 1),
                                                    .output_every = output_every(sim)};
        status = m > 0 && sluice_machines[m - 1].on_device == sluice_machines[m].on_device
                     ? sluice_plan_copy(&s->plan[m], &s->plan[m - 1], &sluice_machines[m])
                     : sluice_plan_create(&s->plan[m], sim, &options);
        if (status == SLUICE_OK)
            s->summary[m] = sluice_plan_summarise(&s->plan[m]);
    }
    if (status != SLUICE_OK)
        destroy(s);
    return status;
}

/* --- Text --- */

static void print_spread(FILE *out, const char *what, const struct sluice_spread *s, double unit,
                         int digits)
{
    fprintf(out, "  %-24s %14.*f %14.*f %14.*f\n", what, digits, s->least / unit, digits,
            s->mean / unit, digits, s->most / unit);
}

static void print_plan(const struct set_of_plans *s, const struct sluice_sim *sim, FILE *out)
{
    const struct sluice_plan *plan = &s->plan[s->own];
    const struct sluice_plan_summary *sum = &s->summary[s->own];
    const struct sluice_plan_memory memory = sluice_plan_memory(plan, sim);
    fprintf(out, "\n%d rank%s, by the planes of the start:\n", plan->ranks,
            plan->ranks == 1 ? "" : "s");
    fprintf(out, "  %-24s %14s %14s %14s\n", "of a rank", "least", "mean", "most");
    print_spread(out, "own particles", &sum->own, 1, 0);
    print_spread(out, "halo particles", &sum->halo, 1, 0);
    print_spread(out, "MB sent a step", &sum->bytes, 1e6, 3);
    fprintf(out, "  %-24s %44.3f\n", "MB of the host's memory", 1e-6 * memory.host);
    if (memory.device > 0)
        fprintf(out, "  %-24s %44.3f\n", "MB of a device's memory", 1e-6 * memory.device);
    if (plan->ranks > 1)
        fprintf(out,
                "  %.1f%% of its particles are its halo, up to %.3g%s from its region; %.3g rounds "
                "of messages and %.3g sums a step\n",
                100 * sum->halo_fraction, plan->reach, sluice_config_unit(sim->config, " m"),
                sum->rounds, sum->sums);
    if (plan->ranks > 1 && plan->scale[SLUICE_FLUID] != 1 && sum->places < places_least)
        fprintf(
            out,
            "  too few places for this plan: %.0f a rank are counted in the halo, %.0f are "
            "needed; its particles and MB sent are a guess: take a finer spacing in the config\n",
            sum->places, places_least);
    fprintf(out, "  %-24s %14s %14s %14s\n", "predicted for ranks of", "ms a step", "times as fast",
            "efficiency");
    for (int m = 0; m < SLUICE_MACHINES; m++) {
        const double speedup = s->summary[m].alone / s->summary[m].seconds;
        fprintf(out, "  %-24s %14.4g %14.3g %13.1f%%\n", sluice_machines[m].name,
                1e3 * s->summary[m].seconds, speedup, 100 * speedup / plan->ranks);
    }
}

static void print_sources(FILE *out)
{
    fprintf(out, "\npredicted from constants (docs/scaling.md):\n");
    for (int m = 0; m < SLUICE_MACHINES; m++)
        fprintf(out, "  %s: measured on %s; assumed: %s\n", sluice_machines[m].name,
                sluice_machines[m].measured, sluice_machines[m].assumed);
}

static void print_planned(const struct set_of_plans *s, const struct sluice_plan_request *request,
                          FILE *out)
{
    const double particles = s->plan[0].particles;
    if (request->particles > 0)
        fprintf(out, "\nplanned for %.4g particles in the same shapes\n", particles);
    if (particles > (double)SLUICE_ID_MAX)
        fprintf(out, "such a case cannot run: it has more particles than there are ids, %.4g%s\n",
                (double)SLUICE_ID_MAX, SLUICE_ID_REMEDY);
}

sluice_status sluice_plan_print(const struct sluice_sim *sim,
                                const struct sluice_plan_request *request, FILE *out)
{
    for (int k = 0; k < request->count; k++) {
        struct set_of_plans s;
        SLUICE_TRY(create(&s, sim, request, request->ranks[k]));
        if (k == 0 || request->weak)
            print_planned(&s, request, out);
        print_plan(&s, sim, out);
        destroy(&s);
    }
    print_sources(out);
    return SLUICE_OK;
}

/* --- JSON --- */

static void write_spread(struct sluice_json *json, const char *key, const struct sluice_spread *s)
{
    sluice_json_begin(json, key, '{');
    sluice_json_real(json, "least", s->least);
    sluice_json_real(json, "mean", s->mean);
    sluice_json_real(json, "most", s->most);
    sluice_json_end(json, '{');
}

static void write_link(struct sluice_json *json, const char *key, const struct sluice_link *link)
{
    sluice_json_begin(json, key, '{');
    sluice_json_real(json, "round", link->round);
    sluice_json_real(json, "bandwidth", link->bandwidth);
    sluice_json_end(json, '{');
}

/* The constants of the predictions, s and B/s. */
static void write_constants(struct sluice_json *json, const struct sluice_machine *m)
{
    sluice_json_begin(json, NULL, '{');
    sluice_json_text(json, "machine", m->name);
    sluice_json_text(json, "measured", m->measured);
    sluice_json_text(json, "assumed", m->assumed);
    sluice_json_begin(json, "constants", '{');
    sluice_json_real(json, "steps_a_sort", m->steps_a_sort);
    sluice_json_real(json, "step", m->step);
    sluice_json_real(json, "pair", m->pair);
    sluice_json_real(json, "fluid", m->fluid);
    sluice_json_real(json, "wall", m->wall);
    sluice_json_real(json, "divided", m->divided);
    sluice_json_real(json, "copy", m->copy);
    sluice_json_real(json, "listing", m->listing);
    sluice_json_real(json, "sum", m->sum);
    sluice_json_int(json, "ranks_a_host", m->ranks_a_host);
    write_link(json, "inside", &m->inside);
    write_link(json, "between", &m->between);
    sluice_json_real(json, "disk", m->disk);
    sluice_json_end(json, '{');
    sluice_json_end(json, '{');
}

static void write_machine(struct sluice_json *json, const struct set_of_plans *s, int m)
{
    const struct sluice_plan_summary *sum = &s->summary[m];
    const double speedup = sum->alone / sum->seconds;
    sluice_json_begin(json, NULL, '{');
    sluice_json_text(json, "machine", sluice_machines[m].name);
    sluice_json_real(json, "seconds_a_step", sum->seconds);
    sluice_json_real(json, "seconds_a_step_alone", sum->alone);
    sluice_json_real(json, "speedup", speedup);
    sluice_json_real(json, "efficiency", speedup / s->plan[m].ranks);
    sluice_json_real(json, "busiest_rank_over_mean", sum->busiest);
    sluice_json_real(json, "bytes_sent_most", sum->bytes.most);
    sluice_json_end(json, '{');
}

static void write_plan(struct sluice_json *json, const struct set_of_plans *s,
                       const struct sluice_sim *sim)
{
    const struct sluice_plan *plan = &s->plan[s->own];
    const struct sluice_plan_summary *sum = &s->summary[s->own];
    const struct sluice_plan_memory memory = sluice_plan_memory(plan, sim);
    sluice_json_begin(json, NULL, '{');
    sluice_json_int(json, "ranks", plan->ranks);
    sluice_json_real(json, "particles", plan->particles);
    sluice_json_bool(json, "ids_suffice", plan->particles <= (double)SLUICE_ID_MAX);
    sluice_json_real(json, "reach", plan->reach);
    sluice_json_real(json, "frames", plan->frames);
    write_spread(json, "own_particles", &sum->own);
    write_spread(json, "copies", &sum->halo);
    sluice_json_real(json, "halo_share", sum->halo_fraction);
    sluice_json_real(json, "places_counted_as_copies", sum->places);
    write_spread(json, "bytes_sent_a_step", &sum->bytes);
    sluice_json_real(json, "rounds_a_step", sum->rounds);
    sluice_json_real(json, "sums_a_step", sum->sums);
    sluice_json_real(json, "host_memory_bytes", memory.host);
    sluice_json_real(json, "device_memory_bytes", memory.device);
    sluice_json_begin(json, "predicted", '[');
    for (int m = 0; m < SLUICE_MACHINES; m++)
        write_machine(json, s, m);
    sluice_json_end(json, '[');
    sluice_json_end(json, '{');
}

sluice_status sluice_plan_write(const struct sluice_sim *sim,
                                const struct sluice_plan_request *request, struct sluice_json *json)
{
    sluice_json_begin(json, "machines", '[');
    for (int m = 0; m < SLUICE_MACHINES; m++)
        write_constants(json, &sluice_machines[m]);
    sluice_json_end(json, '[');
    sluice_json_begin(json, "plans", '[');
    for (int k = 0; k < request->count; k++) {
        struct set_of_plans s;
        SLUICE_TRY(create(&s, sim, request, request->ranks[k]));
        write_plan(json, &s, sim);
        destroy(&s);
    }
    sluice_json_end(json, '[');
    return SLUICE_OK;
}
