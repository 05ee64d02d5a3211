/* The report of `sluice check` about a case. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case/builder.h"
#include "core/vector.h"
#include "kernels/formulas/wave_loss.h"
#include "model/effect.h"

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
                    sluice_config_unit(c->config, flat ? " m^2" : " m^3"), r, out);
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
    fprintf(out, ")%s\n", sluice_config_unit(c->config, " m"));
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
            pow(sluice_lattice_volume(l), 1.0 / l->dimension), sluice_config_unit(c->config, " m"));
    for (int a = 0; a < l->dimension; a++) {
        const double percent = 100 * (l->edge[a] / s->asked[a] - 1);
        fprintf(out, "%s%+.2f%%", a ? ", " : " ", fabs(percent) < 0.005 ? 0 : percent);
    }
    fputc('\n', out);
}

static void print_shape(const struct sluice_case *c, int shape, FILE *out)
{
    static const char *const type_name[] = {SLUICE_SHAPE_TYPES(SLUICE_CHOICE_WORD)};
    static const char *const friction[] = {[SLUICE_SLIP_FREE] = ", free slip",
                                           [SLUICE_SLIP_NONE] = ", no slip",
                                           [SLUICE_SLIP_LAW] = ", law of the wall",
                                           [SLUICE_SLIP_ARTIFICIAL] = ", artificial friction"};
    const struct sluice_shape *s = &c->config->shapes[shape];
    const struct sluice_shape_report *r = &c->shapes[shape];
    const int walls = s->kind == SLUICE_SHAPE_WALLS;
    char title[2 * SLUICE_TEXT_MAX];
    fprintf(out, "  %s: %s%s", sluice_geometry_title(c->config, shape, title, sizeof title),
            s->body ? "body" : type_name[s->type],
            s->fill == SLUICE_FILL_SHELL && !walls ? " shell" : "");
    if (s->type == SLUICE_SHAPE_WALL && wcsph_slips_differ(&c->physics.wcsph))
        fputs(friction[sluice_config_slip(c->config, shape)], out);
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
            (long long)c->moving[i], peaks.speed, sluice_config_unit(c->config, " m/s"),
            peaks.acceleration, sluice_config_unit(c->config, " m/s^2"));
    if (peaks.start > 0.01 * peaks.speed)
        fprintf(out, ", begins at %.6g%s", peaks.start, sluice_config_unit(c->config, " m/s"));
    fputc('\n', out);
    if (m->filter > 0)
        fprintf(out, "  %-18s%.6g Hz, moves rows by at most %.3g m and %.3g rad\n", "  its filter",
                m->filter, fmax(moved[0], fmax(moved[1], moved[2])), moved[SLUICE_TRACK_ANGLE]);
    if (m->kind == SLUICE_MOTION_WAVE)
        sluice_case_print_waves(c, i, out);
}

/* What a wave 2 pi depths long must expect to lose. */
static void print_wave_loss(const struct sluice_case *c, FILE *out)
{
    const double *g = c->config->gravity, gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (!(gravity > 0) || !(c->fluid_depth > 0) || c->config->two_fluids.used)
        return;
    const struct wave_loss loss = wave_loss_of(&c->physics.wcsph, 1 / c->fluid_depth,
                                               c->fluid_depth, gravity);
    fprintf(out,
            "  loss of a wave    %.2g%% of its height in a period (6.28 H long): viscosity %.2g, "
            "diffusion %.2g, ",
            100 * (loss.viscosity + loss.diffusion + (loss.lattice >= 0 ? loss.lattice : 0)),
            100 * loss.viscosity, 100 * loss.diffusion);
    if (loss.lattice >= 0)
        fprintf(out, "lattice %.2g\n", 100 * loss.lattice);
    else
        fputs("without the lattice's part, not measured for this kernel and h/dp\n", out);
}

/* The acceleration in the run, and how fast a particle would be that nothing else moved. */
static void print_acceleration(const struct sluice_case *c, FILE *out)
{
    const struct sluice_motions *motions = &c->physics.motions;
    const double end = c->config->time.end, *g = c->config->gravity;
    double most = 0, fastest = 0, before = 0, last[3], now[3], v[3] = {0, 0, 0};
    if (motions->shaken.count == 0)
        return;
    sluice_motions_pull(motions, 0, last);
    for (int64_t k = 0; k < motions->shaken.count; k++) { /* it is straight between rows */
        const double t = fmin(fmax(motions->shaken.t[k], 0), end);
        sluice_motions_pull(motions, t, now);
        for (int i = 0; i < 3; i++) {
            v[i] += (t - before) * ((last[i] + now[i]) / 2 - g[i]);
            last[i] = now[i];
            now[i] -= g[i];
        }
        before = t;
        most = fmax(most, sluice_norm(now));
        fastest = fmax(fastest, sluice_norm(v));
    }
    fprintf(out, "  %-18s%lld rows, to %.4g m/s^2; alone it would give water %.3g m/s\n",
            "acceleration", (long long)motions->shaken.count, most, fastest);
}

static void print_wcsph(const struct sluice_case *c, FILE *out)
{
    const struct wcsph_params *p = &c->physics.wcsph;
    char ratio[32];
    snprintf(ratio, sizeof ratio, " (%.3g dp)", p->h / p->spacing);
    sluice_config_print_number(c->config, "spacing dp", p->spacing, " m", "", out);
    sluice_config_print_number(c->config, "smoothing length", p->h, " m", ratio, out);
    if (c->start[SLUICE_WALL].count > 0)
        print_count("wall layers", c->wall_layers, out);
    sluice_config_print_number(c->config, "reference density", p->rho0, " kg/m^3", "", out);
    sluice_config_print_number(c->config, "sound speed c0", p->sound_speed, " m/s",
                               c->config->fluid.sound_speed > 0 ? "" : " (10 sqrt(2 g H))", out);
    sluice_effects_print(&c->physics, out);
    print_acceleration(c, out);
    if (c->fluid_depth > 0)
        sluice_config_print_number(c->config, "fluid depth H", c->fluid_depth, " m", "", out);
    print_wave_loss(c, out);
}

static void print_range(const struct sluice_case *c, const char *name, double least, double most,
                        const char *unit, FILE *out)
{
    fprintf(out, "  %-18s%.6g", name, least);
    if (most > least * (1 + 1e-6)) /* as far as it is printed */
        fprintf(out, " to %.6g", most);
    fprintf(out, "%s\n", sluice_config_unit(c->config, unit));
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
    sluice_config_print_number(c->config, "contrast", c->contrast, "",
                               ", the widest spacing over the narrowest", out);
}

/* The counts that decide the order of sums beside the bins: backend/orders.h. */
static void print_orders(const struct sluice_case *c, FILE *out)
{
    const char *strategy = c->config->backend.strategy;
    const int is_auto = !*strategy || strcmp(strategy, "auto") == 0;
    fprintf(out, "  %-18sstrategy %s, by %lld fluid and %lld wall particles\n", "orders of sums",
            is_auto ? "by auto" : strategy, (long long)c->start[SLUICE_FLUID].count,
            (long long)c->start[SLUICE_WALL].count);
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
    sluice_config_print_number(c->config, "mass of fluid", mass[0], unit, "", out);
    if (c->physics.wcsph.second)
        sluice_config_print_number(c->config, "mass of second", mass[1], unit, "", out);
    fprintf(out, "  %-18sabout %.3g MB\n", "memory to start",
            1e-6 * sluice_case_memory_needed(c, 1, (double)(count[0] + count[1]),
                                             (double)c->start[SLUICE_WALL].count));
}

/* Fitted walls and the fluid beside them. */
static void print_fit(const struct sluice_case *c, FILE *out)
{
    const struct sluice_fit_report *f = &c->fit;
    const int flat = c->config->dimension == 2;
    const char *unit = sluice_config_unit(c->config, flat ? " m^2" : " m^3");
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
    fprintf(out, "  %-18s%.2f dp at least; largest fraction of walls %.2f (0.3: the spring acts)\n",
            "fluid to walls", f->fluid_to_wall, f->fraction);
    fprintf(out, "  %-18s%.9g%s up to the surface, %.9g%s in particles (%+.3f%%)\n",
            "volume of fluid", f->fluid_due * cell, unit, count * cell, unit,
            100 * (count / f->fluid_due - 1));
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
    sluice_config_print_number(c->config, "cutoff", c->cutoff, " m",
                               config->model == SLUICE_MODEL_GAS ? ", the largest support" : "",
                               out);
    fprintf(out, "  %-18sabout %.0f\n", "neighbours", c->neighbours);
    fprintf(out, "  %-18s", "bins a cutoff");
    for (int a = 0; a < config->dimension; a++)
        fprintf(out, "%s%.3g", a ? " x " : "", c->grid.bins_per_cutoff[a]);
    fputc('\n', out);
    print_orders(c, out);
    if (config->motion_count > 0)
        fputs("Motions\n", out);
    for (int i = 0; i < config->motion_count; i++)
        print_motion(c, i, out);
    sluice_case_print_bodies(c, out);
}
