#include "case/initial.h"

#include <math.h>

#include "kernels/registry.h"

static const double pi = 3.14159265358979323846;

/* Wave numbers of `parts` (2: whole, 1: half) waves across the domain. */
static void wave_vector(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                        double parts, double k[3])
{
    for (int a = 0; a < 3; a++)
        k[a] = a < f->config->dimension ? parts * pi * field->mode[a] / (f->high[a] - f->low[a])
                                        : 0;
}

sluice_status sluice_initial_check(const struct sluice_initial_frame *f, int index)
{
    const struct sluice_initial *field = &f->config->initials[index];
    const int up = f->config->dimension - 1;
    SLUICE_CHECK(
        field->kind != SLUICE_INITIAL_HYDROSTATIC || f->gravity > 0, SLUICE_BAD_INPUT,
        "%s:%d: initial: hydrostatic, but there is no gravity along an axis that is not periodic",
        field->file, field->line);
    SLUICE_CHECK(field->kind != SLUICE_INITIAL_GRAVITY_WAVE ||
                     (f->pull[up] < 0 && f->pull[0] == 0 && (up == 1 || f->pull[1] == 0)),
                 SLUICE_BAD_INPUT,
                 "%s:%d: initial: a gravity-wave needs gravity down the last axis and no other",
                 field->file, field->line);
    return SLUICE_OK;
}

double sluice_initial_depth(const struct sluice_initial_frame *f, const double x[3])
{
    const double height = -(f->pull[0] * x[0] + f->pull[1] * x[1] + f->pull[2] * x[2]) / f->gravity;
    return f->top - height;
}

double sluice_initial_hydrostatic(const struct sluice_initial_frame *f, const double x[3])
{
    const struct wcsph_params *p = f->wcsph;
    const double c2 = p->sound_speed * p->sound_speed, depth = sluice_initial_depth(f, x);
    if (depth <= 0)
        return 0;
    if (f->layers)
        return sluice_wcsph_relative_density(p, sluice_layers_pressure(f->layers, depth));
    return sluice_wcsph_density_of_head(p, f->gravity * depth / c2);
}

static void taylor_green(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                         const double x[3], double velocity[3], double *pressure)
{
    double k[2], phase[2];
    for (int a = 0; a < 2; a++) {
        k[a] = 2 * pi * (field->mode[a] ? field->mode[a] : 1) / (f->high[a] - f->low[a]);
        phase[a] = k[a] * (x[a] - f->low[a]);
    }
    const double u = field->amplitude, v = u * k[0] / k[1]; /* free of divergence */
    velocity[0] = -u * cos(phase[0]) * sin(phase[1]);
    velocity[1] = v * sin(phase[0]) * cos(phase[1]);
    velocity[2] = 0;
    *pressure = -0.25 * f->config->fluid.density *
                (u * u * cos(2 * phase[0]) + v * v * cos(2 * phase[1]));
}

static void gravity_wave(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                         const double x[3], double velocity[3])
{
    const int up = f->config->dimension - 1;
    double k[3];
    wave_vector(f, field, 1, k);
    const double depth = field->depth > 0 ? field->depth : f->fluid_depth, all = sluice_norm(k),
                 kh = all * depth;
    const double omega = sqrt(-f->pull[up] * all * tanh(kh));
    const double c = field->amplitude * omega / sinh(kh), kz = all * (x[up] - f->fluid_low[up]);
    double cosines = 1;
    for (int a = 0; a < up; a++) {
        const double phase = k[a] * (x[a] - f->low[a]);
        cosines *= cos(phase);
        velocity[a] = c * cosh(kz) * k[a] / all * sin(phase);
        for (int b = 0; b < up; b++)
            velocity[a] *= b == a ? 1 : cos(k[b] * (x[b] - f->low[b]));
    }
    velocity[up] = -c * sinh(kz) * cosines;
}

/* cos(k.x) of an acoustic wave, and its k. */
static double acoustic_cosine(const struct sluice_initial_frame *f,
                              const struct sluice_initial *field, const double x[3], double k[3])
{
    double phase = 0;
    wave_vector(f, field, 2, k);
    for (int a = 0; a < 3; a++)
        phase += k[a] * (x[a] - f->low[a]);
    return cos(phase);
}

static void set_velocity(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                         const double x[3], double velocity[3])
{
    const double d[3] = {x[0] - field->centre[0], x[1] - field->centre[1], x[2] - field->centre[2]};
    double pressure, cosine, k[3];
    switch (field->kind) {
    case SLUICE_INITIAL_UNIFORM:
    case SLUICE_INITIAL_LINEAR:
        for (int a = 0; a < f->config->dimension; a++) {
            velocity[a] = field->value[a];
            for (int b = 0; b < f->config->dimension && field->kind == SLUICE_INITIAL_LINEAR; b++)
                velocity[a] += field->gradient[a][b] * d[b];
        }
        break;
    case SLUICE_INITIAL_ROTATION:
        velocity[0] = -field->rate * d[1];
        velocity[1] = field->rate * d[0];
        velocity[2] = 0;
        break;
    case SLUICE_INITIAL_TAYLOR_GREEN:
        taylor_green(f, field, x, velocity, &pressure);
        break;
    case SLUICE_INITIAL_ACOUSTIC_WAVE:
        cosine = acoustic_cosine(f, field, x, k);
        for (int a = 0; a < 3; a++)
            velocity[a] = f->wcsph->sound_speed * field->amplitude * cosine * k[a] / sluice_norm(k);
        break;
    default: /* gravity-wave: the config refuses the others */
        gravity_wave(f, field, x, velocity);
    }
}

/* Relative density of a field of pressure (Pa) or density (kg/m^3). */
static double relative_density(const struct sluice_initial_frame *f,
                               const struct sluice_initial *field, const double x[3])
{
    const int dimension = f->config->dimension;
    double value = field->value[0], velocity[3], k[3];
    if (field->kind == SLUICE_INITIAL_HYDROSTATIC)
        return sluice_initial_hydrostatic(f, x);
    if (field->kind == SLUICE_INITIAL_ACOUSTIC_WAVE)
        return field->amplitude * acoustic_cosine(f, field, x, k);
    if (field->kind == SLUICE_INITIAL_TAYLOR_GREEN)
        taylor_green(f, field, x, velocity, &value);
    for (int a = 0; a < dimension; a++) {
        const double d = x[a] - field->centre[a];
        if (field->kind == SLUICE_INITIAL_LINEAR)
            value += field->gradient[0][a] * d;
        else if (field->kind == SLUICE_INITIAL_QUADRATIC)
            value += field->curvature * d * d;
    }
    if (field->field == SLUICE_FIELD_OF_DENSITY)
        return value / f->wcsph->rho0 - 1;
    return sluice_wcsph_relative_density(f->wcsph, value);
}

void sluice_initial_apply(const struct sluice_initial_frame *f, int index, const double x[3],
                          double velocity[3], double *r)
{
    const struct sluice_initial *field = &f->config->initials[index];
    if (field->field == SLUICE_FIELD_OF_VELOCITY)
        set_velocity(f, field, x, velocity);
    else
        *r = relative_density(f, field, x);
}
