/* What `sluice check` shows of a case. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies/mooring.h"
#include "case/builder.h"

static const char *const motion_kind[] = {SLUICE_MOTIONS(SLUICE_CHOICE_WORD)};

/* Shows rounding of 0 as 0. */
static double shown(const struct sluice_case *c, double x)
{
    return fabs(x) < 1e-9 * c->cutoff ? 0 : x;
}

/* ", mass 270 kg asked, 240 kg actual (-11.11%)". A rounded error is never -0.00. An
 * estimate is shown with four digits. */
static void print_asked(const char *what, double asked, double actual, const char *unit,
                        const struct sluice_shape_report *r, FILE *out)
{
    const double error = 100 * sluice_geometry_volume_error(r);
    if (asked == 0) {
        fprintf(out, ", %s %.6g%s", what, actual, unit);
        return;
    }
    if (r->deviation > 0) {
        const double percent = 100 * r->deviation / r->asked_volume;
        fprintf(out, ", %s about %.4g%s asked, %.6g%s actual (%+.2g%%, give or take %.1g%%)", what,
                asked, unit, actual, unit, error, percent);
        return;
    }
    fprintf(out, ", %s %.6g%s asked, %.6g%s actual (%+.2f%%)", what, asked, unit, actual, unit,
            fabs(error) < 0.005 ? 0 : error);
}

/* The size of a shape: of fluid its mass, and what later shapes leave of it; of others the area or
 * volume; of walls the space that they enclose. */
static void print_size(const struct sluice_case *c, int shape, FILE *out)
{
    const struct sluice_shape *s = &c->config->shapes[shape];
    const struct sluice_shape_report *r = &c->shapes[shape];
    const int flat = c->config->dimension == 2, walls = s->kind == SLUICE_SHAPE_WALLS;
    const char *unit = sluice_case_mass_unit(c->config);
    if (s->type == SLUICE_SHAPE_FLUID) {
        const int64_t taken = r->cut + r->displaced;
        print_asked("mass", r->asked_mass, r->actual_mass, unit, r, out);
        if (taken > 0)
            fprintf(out, ", %.6g%s left",
                    r->actual_mass * (double)r->particles / (double)(r->particles + taken), unit);
    } else if (r->asked_volume > 0 ||
               (c->geometry.asked && !sluice_geometry_is_plain(&c->geometry.asked[shape])))
        print_asked(walls  ? "encloses"
                    : flat ? "area"
                           : "volume",
                    r->asked_volume, r->actual_volume,
                    sluice_case_unit(c->config, flat ? " m^2" : " m^3"), r, out);
}

/* A row: a name and a number with its unit in SI. */
static void print_number(const struct sluice_case *c, const char *name, double value,
                         const char *unit, const char *note, FILE *out)
{
    fprintf(out, "  %-18s%.6g%s%s\n", name, value, sluice_case_unit(c->config, unit), note);
}

static void print_count(const char *name, int64_t count, FILE *out)
{
    fprintf(out, "  %-18s%lld\n", name, (long long)count);
}

static void print_vector(const struct sluice_case *c, const char *name, const double v[3],
                         FILE *out)
{
    fprintf(out, "  %-18s(", name);
    for (int a = 0; a < c->config->dimension; a++)
        fprintf(out, "%s%.6g", a ? ", " : "", shown(c, v[a]));
    fprintf(out, ")%s\n", sluice_case_unit(c->config, " m"));
}

/* The lattice of a gas's shape: the mass and the size of a particle, and by how much the cells had
 * to be stretched along each axis. */
static void print_lattice(const struct sluice_case *c, int shape, FILE *out)
{
    static const char *const kind[] = {SLUICE_LATTICES(SLUICE_CHOICE_WORD)};
    const struct sluice_gas_shape *s = &c->gas_shapes.shape[shape];
    const struct sluice_lattice *l = &s->lattice;
    if (l->count == 0)
        return;
    fprintf(out, "    %s, particles of %.6g%s, spacing %.6g%s, stretched by", kind[l->kind],
            s->mass, sluice_case_mass_unit(c->config),
            pow(sluice_lattice_volume(l), 1.0 / l->dimension), sluice_case_unit(c->config, " m"));
    for (int a = 0; a < l->dimension; a++) {
        const double percent = 100 * (l->edge[a] / s->asked[a] - 1);
        fprintf(out, "%s%+.2f%%", a ? ", " : " ", fabs(percent) < 0.005 ? 0 : percent);
    }
    fputc('\n', out);
}

static void print_shape(const struct sluice_case *c, int shape, FILE *out)
{
    static const char *const type_name[] = {SLUICE_SHAPE_TYPES(SLUICE_CHOICE_WORD)};
    const struct sluice_shape *s = &c->config->shapes[shape];
    const struct sluice_shape_report *r = &c->shapes[shape];
    const int walls = s->kind == SLUICE_SHAPE_WALLS;
    char title[2 * SLUICE_TEXT_MAX];
    fprintf(out, "  %s: %s%s", sluice_geometry_title(c->config, shape, title, sizeof title),
            s->body ? "body" : type_name[s->type],
            s->fill == SLUICE_FILL_SHELL && !walls ? " shell" : "");
    if (s->type == SLUICE_SHAPE_FLUID || (s->type == SLUICE_SHAPE_WALL && c->geometry.box))
        fprintf(out, ", %lld particles", (long long)r->particles);
    print_size(c, shape, out);
    if (r->cut > 0)
        fprintf(out, ", %lld cut by later shapes", (long long)r->cut);
    if (r->clipped > 0)
        fprintf(out, ", %.2g%% of it beyond the domain", 100 * r->clipped);
    if (r->endless)
        fputs(", goes on beyond the domain without an end", out);
    if (r->buried > 0)
        fprintf(out, ", %lld left out deep in walls", (long long)r->buried);
    if (r->displaced > 0)
        fprintf(out, ", %lld left out for the file's", (long long)r->displaced);
    fputc('\n', out);
    if (c->gas_shapes.shape && !walls) {
        print_lattice(c, shape, out);
        return;
    }
    for (int a = 0; a < c->config->dimension; a++)
        for (int high = 0; high < 2; high++)
            if (!walls || sluice_has_side(s->sides, a, high))
                fprintf(out, "    face %c%c  asked %12.6g  actual %12.6g\n", "xyz"[a], "-+"[high],
                        shown(c, high ? r->asked_max[a] : r->asked_min[a]),
                        shown(c, high ? r->actual_max[a] : r->actual_min[a]));
}

/* Groups of several shapes, or with rows of a particle file. */
static void print_groups(const struct sluice_case *c, FILE *out)
{
    int any = 0;
    for (int k = 0; k < c->groups.count; k++) {
        const struct sluice_group *g = &c->groups.group[k];
        if (g->shapes < 2 && g->rows == 0)
            continue;
        if (!any++)
            fputs("Groups\n", out);
        fprintf(out, "  %-18s%s", g->name, sluice_type_names[g->type]);
        if (g->shapes > 0)
            fprintf(out, ", %d shape%s", g->shapes, g->shapes == 1 ? "" : "s");
        if (g->rows > 0)
            fprintf(out, ", %lld rows of the file", (long long)g->rows);
        fprintf(out, ", %lld particles", (long long)g->particles);
        if (g->type == SLUICE_FLUID)
            fprintf(out, ", mass %.6g%s", g->mass, sluice_case_mass_unit(c->config));
        fputc('\n', out);
    }
}

static void print_motion(const struct sluice_case *c, int i, FILE *out)
{
    const struct sluice_motion *m = &c->config->motions[i];
    const double *moved = c->physics.motions.track[i].moved;
    const struct sluice_motion_peaks peaks = sluice_case_motion_peaks(c, i);
    fprintf(out, "  %-18s%s, %lld particles, to %.6g%s and %.6g%s", m->name, motion_kind[m->kind],
            (long long)c->moving[i], peaks.speed, sluice_case_unit(c->config, " m/s"),
            peaks.acceleration, sluice_case_unit(c->config, " m/s^2"));
    if (peaks.start > 0.01 * peaks.speed)
        fprintf(out, ", begins at %.6g%s", peaks.start, sluice_case_unit(c->config, " m/s"));
    fputc('\n', out);
    if (m->filter > 0)
        fprintf(out, "  %-18s%.6g Hz, moves rows by at most %.3g m and %.3g rad\n", "  its filter",
                m->filter, fmax(moved[0], fmax(moved[1], moved[2])), moved[SLUICE_TRACK_ANGLE]);
}

/* The first step is the longest to expect: later ones are shorter by the speed of the flow. */
static void print_mixing(const struct sluice_case *c, FILE *out)
{
    const struct wcsph_params *p = &c->physics.wcsph;
    const double fixed = c->config->time.step, other = p->second ? p->second->sound_speed : 0,
                 moved = c->config->time.cfl * p->h / fmax(p->sound_speed, other),
                 step = fixed > 0 ? fixed : moved;
    print_number(c, "mixing length", p->mixing.most, " m", " at most", out);
    print_number(c, "eddy viscosity", sluice_physics_most_eddies(&c->physics, step), " m^2/s",
                 " at most, by the time step", out);
}

static void print_wcsph(const struct sluice_case *c, FILE *out)
{
    const struct wcsph_params *p = &c->physics.wcsph;
    char ratio[32];
    snprintf(ratio, sizeof ratio, " (%.3g dp)", p->h / p->spacing);
    print_number(c, "spacing dp", p->spacing, " m", "", out);
    print_number(c, "smoothing length", p->h, " m", ratio, out);
    if (c->start[SLUICE_WALL].count > 0)
        print_count("wall layers", c->wall_layers, out);
    print_number(c, "reference density", p->rho0, " kg/m^3", "", out);
    print_number(c, "sound speed c0", p->sound_speed, " m/s",
                 c->config->fluid.sound_speed > 0 ? "" : " (10 sqrt(2 g H))", out);
    if (p->wall_law.used) {
        print_number(c, "wall law: nu", p->wall_law.nu, " m^2/s", "", out);
        print_number(c, "wall law: grain", p->wall_law.roughness, " m", "", out);
        if (p->mixing.most > 0)
            print_mixing(c, out);
    }
    if (p->second) {
        print_number(c, "second density", p->second->rho0, " kg/m^3", "", out);
        print_number(c, "second speed c0", p->second->sound_speed, " m/s",
                     c->config->fluid.second.sound_speed > 0 ? "" : " (as stiff as the first)",
                     out);
        if (p->repulsion > 0)
            print_number(c, "repulsion", p->repulsion, "", "", out);
    }
    if (c->fluid_depth > 0)
        print_number(c, "fluid depth H", c->fluid_depth, " m", "", out);
}

static void print_range(const struct sluice_case *c, const char *name, double least, double most,
                        const char *unit, FILE *out)
{
    fprintf(out, "  %-18s%.6g", name, least);
    if (most > least * (1 + 1e-6)) /* as far as it is printed */
        fprintf(out, " to %.6g", most);
    fprintf(out, "%s\n", sluice_case_unit(c->config, unit));
}

static void print_gas(const struct sluice_case *c, FILE *out)
{
    const struct sluice_gas_ranges *g = &c->gas;
    const double stiff = gas_sound2(&c->physics.gas);
    print_range(c, "density", g->density[0], g->density[1], " kg/m^3", out);
    print_range(c, "pressure", g->pressure[0], g->pressure[1], " Pa", out);
    print_range(c, "internal energy", g->energy[0], g->energy[1], " J/kg", out);
    print_range(c, "sound speed", sqrt(stiff * g->energy[0]), sqrt(stiff * g->energy[1]), " m/s",
                out);
    print_range(c, "smoothing length", g->h[0], g->h[1], " m", out);
    print_number(c, "contrast", c->contrast, "", ", the widest spacing over the narrowest", out);
}

/* Particles and masses as the run starts. */
static void print_particles(const struct sluice_case *c, FILE *out)
{
    const char *unit = sluice_case_mass_unit(c->config);
    const double *mass = c->fluid_mass;
    const int64_t *count = c->fluid_count;
    print_count("fluid", count[0] + count[1], out);
    print_count("wall", c->start[SLUICE_WALL].count, out);
    if (c->physics.wcsph.second)
        print_count("of the second", count[1], out);
    print_number(c, "mass of fluid", mass[0], unit, "", out);
    if (c->physics.wcsph.second)
        print_number(c, "mass of second", mass[1], unit, "", out);
    fprintf(out, "  %-18sabout %.3g MB\n", "memory to start",
            1e-6 * sluice_case_memory_needed(c, 1, (double)(count[0] + count[1]),
                                             (double)c->start[SLUICE_WALL].count));
}

/* Fitted walls and the fluid beside them. */
static void print_fit(const struct sluice_case *c, FILE *out)
{
    const struct sluice_fit_report *f = &c->fit;
    const int flat = c->config->dimension == 2;
    const char *unit = sluice_case_unit(c->config, flat ? " m^2" : " m^3");
    const double cell = pow(c->config->spacing, c->config->dimension),
                 count = (double)c->start[SLUICE_FLUID].count;
    if (f->walls == 0)
        return;
    fputs("Fitted walls\n", out);
    fprintf(out, "  %-18s%lld, at least %.2f dp apart; %lld left out at edges and thin places\n",
            "particles", (long long)f->walls, f->nearest, (long long)f->thin + f->left);
    fprintf(out, "  %-18s%lld moved, %lld added, %lld removed, at least %.2f dp apart\n",
            "fluid beside them", (long long)f->moved, (long long)f->added, (long long)f->removed,
            f->fluid_nearest);
    fprintf(out, "  %-18s%lld missing: their layers have no room for them\n", "wall particles",
            (long long)f->unplaced);
    fprintf(out, "  %-18s%lld more or fewer than by volume, or left out for want of room\n",
            "fluid particles", (long long)f->fluid_unplaced);
    fprintf(out, "  %-18s%.2f dp at least; largest share of walls %.2f (0.3: the spring acts)\n",
            "fluid to walls", f->fluid_to_wall, f->share);
    fprintf(out, "  %-18s%.9g%s up to the surface, %.9g%s in particles (%+.3f%%)\n",
            "volume of fluid", f->fluid_due * cell, unit, count * cell, unit,
            100 * (count / f->fluid_due - 1));
}

/* --- Bodies --- */

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
                 sluice_case_unit(c->config, " s"));
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
    fprintf(out, ", density %.6g%s", density, sluice_case_unit(c->config, " kg/m^3"));
    fprintf(out, ", %.4g of the fluid's, %lld particles\n", density / c->physics.wcsph.rho0,
            (long long)sluice_case_body_particles(c, number));
    fprintf(out, "    centre (%.6g, %.6g", x[0], x[1]);
    if (d == 3)
        fprintf(out, ", %.6g)%s, inertia (%.6g, %.6g, %.6g)%s", x[2],
                sluice_case_unit(c->config, " m"), body->inertia[0][0], body->inertia[1][1],
                body->inertia[2][2], sluice_case_unit(c->config, " kg m^2"));
    else
        fprintf(out, ")%s, inertia %.6g%s", sluice_case_unit(c->config, " m"), body->inertia[2][2],
                sluice_case_unit(c->config, " kg m"));
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
                sluice_case_unit(config, " s"), kind[m->kind], m->body, m->file, m->line);
        sluice_case_print_longer_step(c, limit, out);
    }
    fputc('\n', out);
}

static void print_bodies(const struct sluice_case *c, FILE *out)
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

void sluice_case_print(const struct sluice_case *c, FILE *out)
{
    const struct sluice_config *config = c->config;
    if (config->shape_count > 0)
        fputs("Shapes\n", out);
    for (int s = 0; s < config->shape_count; s++)
        print_shape(c, s, out);
    print_groups(c, out);
    fputs("Particles\n", out);
    print_particles(c, out);
    print_fit(c, out);
    fputs("Lengths and speeds\n", out);
    print_vector(c, c->start[SLUICE_WALL].count ? "domain with walls" : "domain from", c->grid.low,
                 out);
    print_vector(c, "to", c->grid.high, out);
    print_vector(c, "fluid from", c->fluid_low, out);
    print_vector(c, "to", c->fluid_high, out);
    if (config->model == SLUICE_MODEL_WCSPH)
        print_wcsph(c, out);
    if (config->model == SLUICE_MODEL_GAS)
        print_gas(c, out);
    print_number(c, "cutoff", c->cutoff, " m",
                 config->model == SLUICE_MODEL_GAS ? ", the largest support" : "", out);
    fprintf(out, "  %-18sabout %.0f\n", "neighbours", c->neighbours);
    fprintf(out, "  %-18s", "bins a cutoff");
    for (int a = 0; a < config->dimension; a++)
        fprintf(out, "%s%.3g", a ? " x " : "", c->grid.bins_per_cutoff[a]);
    fputc('\n', out);
    if (config->motion_count > 0)
        fputs("Motions\n", out);
    for (int i = 0; i < config->motion_count; i++)
        print_motion(c, i, out);
    print_bodies(c, out);
}
