/* The report of `sluice check` and the log of a run about bodies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies/mooring.h"
#include "case/builder.h"

enum { BODIES_SHOWN = 10 };

/* "x, rz", as the key has them; "": none. */
static const char *list_locks(const struct sluice_rigid_body *body, char text[32])
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    text[0] = 0;
    for (int k = 0; k < 6; k++)
        if (body->entry->locks & 1u << k) {
            strcat(text, text[0] ? ", " : "");
            strcat(text, names[k]);
        }
    return text;
}

/* "locked x, rz; held until t = 0.5 s"; "": neither. */
static const char *describe_holds(const struct sluice_case *c, const struct sluice_rigid_body *body,
                                  char *text, size_t size)
{
    char locks[32];
    const double release = body->entry->release;
    size_t used = 0;
    text[0] = 0;
    if (list_locks(body, locks)[0])
        used = (size_t)snprintf(text, size, "locked %s", locks);
    if (release > 0)
        snprintf(text + used, size - used, "%sheld until t = %.6g%s", used ? "; " : "", release,
                 sluice_config_unit(c->config, " s"));
    return text;
}

static void print_body(const struct sluice_case *c, int number, FILE *out)
{
    const struct sluice_rigid_body *body = &c->physics.bodies[number];
    const int d = c->config->dimension;
    const double density = body->mass / body->volume, *x = body->centre,
                 error = 100 * (body->volume / body->asked_volume - 1);
    const int moved = body->entry->density > 0 && fabs(error) > 0.005;
    const char *unit = sluice_case_mass_unit(c->config);
    fprintf(out, "  %-18smass %.6g%s", body->name,
            body->mass * (moved ? body->asked_volume / body->volume : 1), unit);
    if (moved)
        fprintf(out, " asked, %.6g%s actual (%+.2f%%)", body->mass, unit, error);
    fprintf(out, ", density %.6g%s", density, sluice_config_unit(c->config, " kg/m^3"));
    fprintf(out, ", %.4g of the fluid's, %lld particles\n", density / c->physics.wcsph.rho0,
            (long long)sluice_case_body_particles(c, number));
    fprintf(out, "    centre (%.6g, %.6g", x[0], x[1]);
    if (d == 3)
        fprintf(out, ", %.6g)%s, inertia (%.6g, %.6g, %.6g)%s", x[2],
                sluice_config_unit(c->config, " m"), body->inertia[0][0], body->inertia[1][1],
                body->inertia[2][2], sluice_config_unit(c->config, " kg m^2"));
    else
        fprintf(out, ")%s, inertia %.6g%s", sluice_config_unit(c->config, " m"),
                body->inertia[2][2], sluice_config_unit(c->config, " kg m"));
    fputs(body->entry->has_centre && !body->entry->has_inertia ? ", of even density about it\n"
                                                               : "\n",
          out);
    char holds[128];
    if (describe_holds(c, body, holds, sizeof holds)[0])
        fprintf(out, "    %s\n", holds);
}

/* The step that moorings bear, if the fluid's is longer. */
static void print_moorings(const struct sluice_case *c, FILE *out)
{
    static const char *const kind[] = {SLUICE_MOORINGS(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = c->config;
    struct sluice_moorings moorings;
    double limit = INFINITY;
    int entry = 0;
    if (config->mooring_count == 0)
        return;
    if (sluice_moorings_create(&moorings, config, c->physics.bodies, c->physics.body_count) ==
        SLUICE_OK) {
        limit = moorings.longest_step;
        entry = moorings.stiffest;
    }
    sluice_moorings_destroy(&moorings);
    fprintf(out, "  %-18s%d", "moorings", config->mooring_count);
    if (isfinite(limit)) {
        const struct sluice_mooring *m = &config->moorings[entry];
        fprintf(out, ", for steps up to %.4g%s: the %s of '%s' (%s:%d)", limit,
                sluice_config_unit(config, " s"), kind[m->kind], m->body, m->file, m->line);
        sluice_case_print_longer_step(c, limit, out);
    }
    fputc('\n', out);
}

void sluice_case_print_bodies(const struct sluice_case *c, FILE *out)
{
    const int count = c->physics.body_count;
    if (count == 0)
        return;
    fputs("Bodies\n", out);
    for (int i = 0; i < count && i < BODIES_SHOWN; i++)
        print_body(c, i, out);
    if (count > BODIES_SHOWN)
        fprintf(out, "  and %d more: %d in all\n", count - BODIES_SHOWN, count);
    print_moorings(c, out);
    sluice_case_print_contacts(c, out);
}

/* --- The log of a run --- */

/* The last of the bodies that follow body `first` and have its entry: that has each = true. */
static int last_of_entry(const struct sluice_case *c, int first)
{
    const struct sluice_rigid_body *bodies = c->physics.bodies;
    int last = first;
    while (last + 1 < c->physics.body_count && bodies[last + 1].entry == bodies[first].entry)
        last++;
    return last;
}

/* ", centre (1, 2, 3) m, inertia (1, 2, 3) kg m^2" of one body. */
static void describe_mass(const struct sluice_case *c, const struct sluice_rigid_body *body,
                          char *text, size_t size)
{
    const double *x = body->centre;
    if (c->config->dimension == 3)
        snprintf(text, size, ", centre (%.6g, %.6g, %.6g) m, inertia (%.6g, %.6g, %.6g) kg m^2",
                 x[0], x[1], x[2], body->inertia[0][0], body->inertia[1][1], body->inertia[2][2]);
    else
        snprintf(text, size, ", centre (%.6g, %.6g) m, inertia %.6g kg m", x[0], x[1],
                 body->inertia[2][2]);
}

/* "90 to 135" */
static void describe_range(char *text, size_t size, const double range[2])
{
    const int used = snprintf(text, size, "%.6g", range[0]);
    if (range[1] > range[0] * (1 + 1e-6))
        snprintf(text + used, size - (size_t)used, " to %.6g", range[1]);
}

static void log_bodies_of(const struct sluice_case *c, int first, int last, struct sluice_log *log)
{
    const struct sluice_rigid_body *body = &c->physics.bodies[first];
    const char *unit = sluice_case_mass_unit(c->config);
    double mass[2] = {INFINITY, 0}, density[2] = {INFINITY, 0};
    char masses[64], densities[64], names[2 * SLUICE_TEXT_MAX + 32], more[200] = "", holds[128];
    for (int i = first; i <= last; i++) {
        const struct sluice_rigid_body *one = &c->physics.bodies[i];
        mass[0] = fmin(mass[0], one->mass);
        mass[1] = fmax(mass[1], one->mass);
        density[0] = fmin(density[0], one->mass / one->volume);
        density[1] = fmax(density[1], one->mass / one->volume);
    }
    describe_range(masses, sizeof masses, mass);
    describe_range(densities, sizeof densities, density);
    if (first == last)
        describe_mass(c, body, more, sizeof more);
    snprintf(names, sizeof names, first == last ? "body '%s'" : "bodies '%s' to '%s'", body->name,
             c->physics.bodies[last].name);
    describe_holds(c, body, holds, sizeof holds);
    sluice_log_detail(log, "%s (%s:%d): mass %s%s, density %s kg/m^3%s%s%s", names,
                      body->entry->file, body->entry->line, masses, unit, densities, more,
                      holds[0] ? ", " : "", holds);
}

static void log_mooring(const struct sluice_config *config, int i, struct sluice_log *log)
{
    static const char *const kind[] = {SLUICE_MOORINGS(SLUICE_CHOICE_WORD)};
    const struct sluice_mooring *m = &config->moorings[i];
    sluice_log_detail(log, "%s of '%s' (%s:%d)%s%s%s: stiffness %.6g N/m, damping %.6g N s/m%s",
                      kind[m->kind], m->body, m->file, m->line, m->other[0] ? " to '" : "",
                      m->other, m->other[0] ? "'" : "", m->stiffness, m->damping,
                      m->slack ? ", pulls only" : "");
}

void sluice_case_log_bodies(const struct sluice_case *c, struct sluice_log *log)
{
    for (int i = 0; i < c->physics.body_count; i++) {
        const int last = last_of_entry(c, i);
        log_bodies_of(c, i, last, log);
        i = last;
    }
    for (int i = 0; i < c->config->mooring_count; i++)
        log_mooring(c->config, i, log);
}
