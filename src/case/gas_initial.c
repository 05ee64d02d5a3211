/* Initial fields of a gas. */
#include "case/initial.h"

#include <math.h>

#include "kernels/registry.h"

static const double pi = 3.14159265358979323846;

/* --- The forms of fields --- */

static double sine(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                   const double x[3])
{
    double waves = 0;
    for (int a = 0; a < f->config->dimension; a++)
        waves += field->mode[a] * (x[a] - f->low[a]) / (f->high[a] - f->low[a]);
    return sin(2 * pi * waves);
}

/* Speed and pressure at the distance r from the axis. */
static double vortex_speed(double r)
{
    return r < 0.2 ? 5 * r : r < 0.4 ? 2 - 5 * r : 0;
}

static double vortex_pressure(double r)
{
    if (r < 0.2)
        return 5 + 12.5 * r * r;
    return r < 0.4 ? 9 + 12.5 * r * r - 20 * r + 4 * log(5 * r) : 3 + 4 * log(2);
}

/* A profile in y, in periods: one value outside and one in the middle half, joined by exponentials
 * of the length 0.025. */
static double shear_profile(double y, double outside, double middle)
{
    const double width = 0.025, half = (outside - middle) / 2;
    return y < 0.25   ? outside - half * exp((y - 0.25) / width)
           : y < 0.5  ? middle + half * exp((0.25 - y) / width)
           : y < 0.75 ? middle + half * exp((y - 0.75) / width)
                      : outside - half * exp((0.75 - y) / width);
}

/* The place along an axis, in lengths of the domain. */
static double fraction_along(const struct sluice_initial_frame *f, int axis, const double x[3])
{
    return (x[axis] - f->low[axis]) / (f->high[axis] - f->low[axis]);
}

static void set_velocity(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                         const double x[3], double v[3])
{
    const double d[2] = {x[0] - field->centre[0], x[1] - field->centre[1]}, r = hypot(d[0], d[1]);
    double none;
    switch (field->kind) {
    case SLUICE_INITIAL_SINE:
        for (int a = 0; a < f->config->dimension; a++)
            v[a] += field->value[a] * sine(f, field, x);
        break;
    case SLUICE_INITIAL_VORTEX:
        v[0] -= r > 0 ? vortex_speed(r) * d[1] / r : 0;
        v[1] += r > 0 ? vortex_speed(r) * d[0] / r : 0;
        break;
    case SLUICE_INITIAL_SHEAR:
        v[0] = shear_profile(fraction_along(f, 1, x), 0.5, -0.5);
        v[1] = 0.01 * sin(4 * pi * fraction_along(f, 0, x));
        v[2] = 0;
        break;
    default:
        sluice_initial_apply(f, (int)(field - f->config->initials), x, v, &none);
    }
}

/* A field of pressure, density or energy that has the value `now`. */
static double scalar(const struct sluice_initial_frame *f, const struct sluice_initial *field,
                     const double x[3], double now)
{
    double value = field->value[0];
    switch (field->kind) {
    case SLUICE_INITIAL_SINE:
        return now + value * sine(f, field, x);
    case SLUICE_INITIAL_VORTEX:
        return vortex_pressure(hypot(x[0] - field->centre[0], x[1] - field->centre[1]));
    case SLUICE_INITIAL_SHEAR:
        return shear_profile(fraction_along(f, 1, x), 1, 2);
    default:
        for (int a = 0; a < f->config->dimension; a++) {
            const double d = x[a] - field->centre[a];
            value += field->kind == SLUICE_INITIAL_LINEAR      ? field->gradient[0][a] * d
                     : field->kind == SLUICE_INITIAL_QUADRATIC ? field->curvature * d * d
                                                               : 0;
        }
        return value;
    }
}

/* --- A point of energy --- */

double sluice_gas_point_radius(const struct sluice_initial_frame *f, int index)
{
    const double radius = f->config->initials[index].radius;
    return radius > 0 ? radius : f->gas->support;
}

/* The nearest image of the centre counts. */
double sluice_gas_point_kernel(const struct sluice_initial_frame *f, int index, const double x[3])
{
    const struct sluice_config *c = f->config;
    const double radius = sluice_gas_point_radius(f, index);
    const double h = radius / sluice_kernel_support(c->kernel.name);
    double r2 = 0;
    for (int a = 0; a < c->dimension; a++) {
        const double length = f->high[a] - f->low[a], d = x[a] - c->initials[index].centre[a];
        const double near = c->domain.periodic[a] ? d - length * rint(d / length) : d;
        r2 += near * near;
    }
    return r2 < radius * radius ? sluice_kernel_w(c->kernel.name, c->dimension, h, sqrt(r2)) : 0;
}

/* --- All --- */

void sluice_gas_initial_apply(const struct sluice_initial_frame *f, int index, const double x[3],
                              double total, const struct sluice_gas_state *s)
{
    const struct sluice_initial *field = &f->config->initials[index];
    const double per_density = f->gas->gamma - 1, old = *s->density;
    switch (field->field) {
    case SLUICE_FIELD_OF_VELOCITY:
        set_velocity(f, field, x, s->velocity);
        break;
    case SLUICE_FIELD_OF_DENSITY:
        *s->density = scalar(f, field, x, old);
        *s->mass *= *s->density / old;
        *s->energy *= old / *s->density;
        break;
    case SLUICE_FIELD_OF_PRESSURE:
        *s->energy = scalar(f, field, x, per_density * old * *s->energy) / (per_density * old);
        break;
    default:
        if (field->kind == SLUICE_INITIAL_POINT)
            *s->energy += field->amplitude * sluice_gas_point_kernel(f, index, x) / total;
        else
            *s->energy = scalar(f, field, x, *s->energy);
    }
}
