#include <math.h>

#include "case/initial.h"

/* Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, SC11, sec. 3.3): a counter and a key to four
 * random words, with no state. */
static void philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = (uint64_t)0xD2511F53u * counter[0],
                       p1 = (uint64_t)0xCD9E8D57u * counter[2];
        counter[0] = (uint32_t)(p1 >> 32) ^ counter[1] ^ key0;
        counter[1] = (uint32_t)p1;
        counter[2] = (uint32_t)(p0 >> 32) ^ counter[3] ^ key1;
        counter[3] = (uint32_t)p0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

/* Two normal deviates from two words (Box & Muller 1958). */
static void normal_pair(uint32_t a, uint32_t b, double out[2])
{
    const double u = ((double)a + 0.5) / 4294967296.0,
                 angle = 2 * 3.14159265358979323846 * ((double)b + 0.5) / 4294967296.0;
    const double radius = sqrt(-2 * log(u));
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

static void remove_drift(struct sluice_start *s, int dimension)
{
    double momentum[3] = {0}, mass = 0;
    for (int64_t i = 0; i < s->count; i++) {
        mass += s->mass[i];
        for (int a = 0; a < dimension; a++)
            momentum[a] += s->mass[i] * s->velocity[i][a];
    }
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            s->velocity[i][a] -= momentum[a] / mass;
}

sluice_status sluice_initial_thermal(struct sluice_start *s, int dimension, double temperature,
                                     long long seed)
{
    SLUICE_CHECK(s->count >= 2, SLUICE_BAD_INPUT,
                 "thermal: %lld particle: a temperature without a drift needs at least two",
                 (long long)s->count);
    for (int64_t i = 0; i < s->count; i++) {
        uint32_t word[4] = {s->id[i], 0, 0, 0};
        double normal[4];
        philox(word, (uint32_t)(unsigned long long)seed,
               (uint32_t)((unsigned long long)seed >> 32));
        normal_pair(word[0], word[1], normal);
        normal_pair(word[2], word[3], normal + 2);
        for (int a = 0; a < 3; a++)
            s->velocity[i][a] = a < dimension ? normal[a] / sqrt(s->mass[i]) : 0;
    }
    /* Twice: the second time takes off what rounding has left of the first. */
    remove_drift(s, dimension);
    remove_drift(s, dimension);
    double twice_kinetic = 0;
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            twice_kinetic += s->mass[i] * s->velocity[i][a] * s->velocity[i][a];
    const double freedom = (double)dimension * (double)(s->count - 1);
    const double scale = sqrt(freedom * temperature / twice_kinetic);
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            s->velocity[i][a] *= scale;
    return SLUICE_OK;
}
