#include "motion/wave_components.h"

#include "motion/wave_theory.h"

double sluice_wave_gravity(const struct sluice_config *config)
{
    return -config->gravity[config->dimension - 1];
}

double sluice_wave_gain(const struct sluice_wave_settings *s, double kd)
{
    return s->paddle == SLUICE_PADDLE_PISTON ? sluice_wave_of_piston(kd)
                                             : sluice_wave_of_flap(kd, s->hinge / s->depth);
}

double sluice_wave_kd(const struct sluice_wave_settings *s, double gravity, double f)
{
    return sluice_wave_number(2 * 3.14159265358979323846 * f, s->depth, gravity);
}

struct sluice_wave_component sluice_wave_component_of(const struct sluice_wave_settings *s,
                                                      double gravity, double amplitude,
                                                      double omega, double phase)
{
    const double kd = sluice_wave_number(omega, s->depth, gravity);
    const struct sluice_wave_component c = {
        amplitude, s->gain * amplitude / sluice_wave_gain(s, kd), omega, kd / s->depth, phase};
    return c;
}

double sluice_wave_component_speed(const struct sluice_wave_component *c, double depth)
{
    return c->omega / c->k * sluice_wave_group_share(c->k * depth);
}
