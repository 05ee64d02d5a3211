/* Wave makers: what `sluice check` says of them, and warnings of those that will hardly do what is
 * meant. */
#include <math.h>

#include "case/builder.h"
#include "kernels/formulas/wave_loss.h"

static const double pi = 3.14159265358979323846;

static void row(FILE *out, const char *name)
{
    fprintf(out, "  %-18s", name);
}

static double gravity_of(const struct sluice_case *c)
{
    return -c->config->gravity[c->config->dimension - 1];
}

/* Length, speeds and shares of the limits. */
static void print_wave(const struct sluice_case *c, const struct sluice_wave_maker *w, FILE *out)
{
    const struct sluice_wave_settings *s = w->of;
    const double k = w->kd / s->depth, length = 2 * pi / k, celerity = length / w->period;
    row(out, "  waves");
    fprintf(out,
            "%s %.6g m, period %.6g s, length %.6g m, celerity %.4g m/s, group velocity "
            "%.4g m/s\n",
            s->kind == SLUICE_WAVE_REGULAR ? "H" : "Hs", s->height, w->period, length, celerity,
            celerity * sluice_wave_group_share(w->kd));
    row(out, "");
    fprintf(out,
            "kd %.4g, H/L %.3g, H L^2/d^3 %.3g, %.0f%% of the breaking height (Miche 1944), "
            "%.0f%% (McCowan 1894)\n",
            w->kd, s->height / length, s->height * length * length / pow(s->depth, 3),
            100 * s->height / s->depth / sluice_wave_miche(w->kd),
            100 * s->height / s->depth / SLUICE_WAVE_MCCOWAN);
    row(out, "");
    fprintf(out, "H/dp %.3g, %.3g spacings a length\n", s->height / c->config->spacing,
            length / c->config->spacing);
    const struct wave_loss loss = wave_loss_of(&c->physics.wcsph, k, s->depth, gravity_of(c));
    const double lattice = loss.lattice >= 0 ? loss.lattice : 0,
                 of_length = (loss.viscosity + loss.diffusion + lattice) /
                             sluice_wave_group_share(w->kd);
    row(out, "  loss a length");
    fprintf(out, "%.2g%% of its height%s\n", 100 * of_length,
            loss.lattice >= 0 ? "" : ", without the lattice's part");
}

static void print_solitary(const struct sluice_case *c, const struct sluice_wave_maker *w,
                           FILE *out)
{
    const struct sluice_wave_settings *s = w->of;
    row(out, "  wave");
    fprintf(out,
            "solitary, H %.6g m, H/d %.4g, %.0f%% of the breaking height (McCowan 1894), "
            "celerity %.4g m/s, H/dp %.3g\n",
            s->height, s->height / s->depth, 100 * s->height / s->depth / SLUICE_WAVE_MCCOWAN,
            w->solitary.c, s->height / c->config->spacing);
}

/* The paddle's path until the end, by samples. */
static void print_paddle(const struct sluice_case *c, const struct sluice_wave_maker *w, FILE *out)
{
    enum { SAMPLES = 20000 };
    const double end = fmin(c->config->time.end, sluice_wave_maker_end(w));
    double low = 0, high = 0, speed = 0, most = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double x, v, a;
        sluice_wave_maker_at(w, end * i / SAMPLES, &x, &v, &a);
        low = fmin(low, x);
        high = fmax(high, x);
        speed = fmax(speed, fabs(v));
        most = fmax(most, fabs(a));
    }
    row(out, "  its paddle");
    fprintf(out, "%s of order %lld, from %.4g to %.4g m at the surface, to %.4g m/s and %.4g m/s^2",
            w->of->paddle == SLUICE_PADDLE_PISTON ? "piston" : "flap", w->order, low, high, speed,
            most);
    if (w->count > 1)
        fprintf(out, "; %lld components", (long long)w->count);
    fputc('\n', out);
}

/* The place of the paddle's face along x, and where the water ends before it. */
static int find_face(const struct sluice_case *c, int motion, double *face, double *end)
{
    const struct sluice_motion *m = &c->config->motions[motion];
    const double *along = m->wave.direction;
    const int back = along[0] < 0;
    if (c->geometry.solid == NULL || along[1] != 0)
        return 0;
    for (int s = 0; s < c->config->shape_count; s++)
        if (sluice_motions_find(c->config, c->config->shapes[s].motion) == motion) {
            *face = back ? c->geometry.solid[s].low[0] : c->geometry.solid[s].high[0];
            *end = back ? c->fluid_low[0] : c->fluid_high[0];
            return isfinite(*face);
        }
    return 0;
}

/* When the front and its echo from the end of the water come to each height probe. */
static void print_arrivals(const struct sluice_case *c, int motion,
                           const struct sluice_wave_maker *w, FILE *out)
{
    const int solitary = w->of->kind == SLUICE_WAVE_SOLITARY;
    const double speed = solitary ? w->solitary.c
                                  : 2 * pi / w->period / (w->kd / w->of->depth) *
                                        sluice_wave_group_share(w->kd);
    double face, end;
    if (!find_face(c, motion, &face, &end))
        return;
    for (int i = 0; i < c->config->probe_count; i++) {
        const struct sluice_probe *p = &c->config->probes[i];
        const double way = fabs(p->at[0] - face), whole = fabs(end - face);
        if (p->kind != SLUICE_PROBE_HEIGHT)
            continue;
        row(out, "");
        fprintf(out, "at '%s', %.4g m on: front at %.4g s", p->name, way,
                w->of->start + way / speed);
        if (!solitary)
            fprintf(out, ", steady from %.4g s", w->of->start + w->ramp + way / speed);
        fprintf(out, ", echo of the water's end at %.4g s\n",
                w->of->start + (2 * whole - way) / speed);
    }
}

void sluice_case_print_waves(const struct sluice_case *c, int motion, FILE *out)
{
    const struct sluice_wave_maker *w = &c->physics.motions.maker[motion];
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        print_solitary(c, w, out);
    else
        print_wave(c, w, out);
    print_paddle(c, w, out);
    print_arrivals(c, motion, w, out);
}

/* --- Warnings --- */

static const double near = 0.8; /* of a breaking height */
static const double shallow =
    0.9; /* kd up to which Madsen's second order removes more than it adds */

static void check_depth(struct sluice_case_builder *b, const struct sluice_motion *m)
{
    const double found = b->c->fluid_depth;
    if (fabs(found - m->wave.depth) > 0.5 * b->config->spacing)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': depth = %.6g m, but the water of the case is %.6g m "
                    "deep: the waves will not be those asked for",
                    m->file, m->line, m->name, m->wave.depth, found);
}

static void check_waves(struct sluice_case_builder *b, const struct sluice_motion *m,
                        const struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = &m->wave;
    const int regular = s->kind == SLUICE_WAVE_REGULAR;
    const double most = s->depth * (regular ? fmin(sluice_wave_miche(w->kd), SLUICE_WAVE_MCCOWAN)
                                            : SLUICE_WAVE_MCCOWAN);
    if (s->height > near * most)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': waves of %.4g m are %.0f%% of the height at which they "
                    "break, %.4g m: some will break on their way",
                    m->file, m->line, m->name, s->height, 100 * s->height / most, most);
    if (w->order == 2 && w->kd > shallow)
        sluice_warn(&b->warnings,
                    "%s:%d: motions: '%s': order = 2 at kd = %.3g: above %.2g the second order of "
                    "Madsen (1971) leaves more of a free second harmonic than it removes: take "
                    "order = 1",
                    m->file, m->line, m->name, w->kd, shallow);
    if (w->count > 1 && w->count < 50)
        sluice_warn(
            &b->warnings,
            "%s:%d: motions: '%s': components = %lld: fewer than 50 make a spectrum of gaps",
            m->file, m->line, m->name, (long long)w->count);
}

void sluice_case_check_wave_makers(struct sluice_case_builder *b)
{
    for (int i = 0; i < b->config->motion_count; i++)
        if (b->config->motions[i].kind == SLUICE_MOTION_WAVE) {
            check_depth(b, &b->config->motions[i]);
            check_waves(b, &b->config->motions[i], &b->c->physics.motions.maker[i]);
        }
}
