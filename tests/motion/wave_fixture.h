/* A case with one wave maker, and the file that it reads. */
#ifndef SLUICE_TESTS_WAVE_FIXTURE_H
#define SLUICE_TESTS_WAVE_FIXTURE_H
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "motion/motion_table.h"
#include "support/tap.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static struct sluice_config config;
static struct sluice_motion motion;

/* Waves of a kind in water 1 m deep, by the defaults of the keys. */
static void begin_waves(int kind)
{
    memset(&config, 0, sizeof config);
    memset(&motion, 0, sizeof motion);
    config.dimension = 2;
    config.gravity[1] = -g;
    config.time.end = 100;
    config.motions = &motion;
    config.motion_count = 1;
    strcpy(motion.name, "paddle");
    strcpy(motion.file, "test.cfg");
    motion.line = 7;
    motion.kind = SLUICE_MOTION_WAVE;
    motion.wave = (struct sluice_wave_settings){.kind = kind,
                                                .depth = 1,
                                                .gamma = 3.3,
                                                .band_low = INFINITY,
                                                .band_high = INFINITY,
                                                .components = 200,
                                                .seed = 1,
                                                .gain = 1};
}
#endif
