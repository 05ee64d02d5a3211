#include "motion/second_order.h"

#include <complex.h>
#include <math.h>

#include "motion/wave_theory.h"

/* Lengths over d, times over sqrt(d/g). Heights s are above the floor. A function of time is
 * Re(A exp(i omega t)), and in the second order Re(A exp(2 i omega t)).
 *
 * The first order of a displacement sin(omega t) at the surface is a sum over modes,
 *
 *   eta = sum c_j exp(-i k_j x),   Phi = i/omega sum c_j cosh(k_j s)/cosh(k_j) exp(-i k_j x),
 *
 * with k_0 = k and evanescent modes, k_j = -i q_j, q_j tan(q_j) = -omega^2 (Biesel 1951). The
 * paddle's boundary condition of the second order is projected on cosh(K s), the mode of the free
 * waves, and so are the waves that are bound to each pair of modes. Theirs are proportional to
 *
 *   c_j c_l R_jl (k_j + k_l)/((k_j + k_l)^2 - K^2),
 *   R_jl = 3/2 omega^4 - k_j k_l - (k_j^2 + k_l^2)/4
 *
 * (Schaeffer 1996). With k_j^2 + k_l^2 = ((k_j + k_l)^2 - K^2) + K^2 - 2 k_j k_l the slow part of
 * that sum is one of c_j c_l (k_j + k_l), which is known: by the paddle's speed at the surface the
 * sum of c_j k_j is omega^2. */
enum {
    LEAST_MODES = 100,
    MODES_A_KD = 20,
    MODES = LEAST_MODES + MODES_A_KD * SLUICE_SECOND_ORDER_KD
};

static const double pi = 3.14159265358979323846;

/* The integral of f(s) cosh(p s) over the depth; f: the paddle's displacement over that at the
 * surface. */
static double complex paddle_integral(double complex p, double hinge)
{
    const double from = fmax(hinge, 0);
    return csinh(p) / p - (ccosh(p) - ccosh(p * from)) / (p * p) / (1 - hinge);
}

/* The integral of cosh^2(k s). */
static double complex square_integral(double complex k)
{
    return (csinh(2 * k) + 2 * k) / (4 * k);
}

/* The evanescent mode between (j - 1/2) pi and j pi. */
static double evanescent(int j, double still)
{
    double q = j * pi;
    for (int i = 0; i < 100; i++)
        q = j * pi - atan(still / q);
    return q;
}

struct modes {
    int count;
    double complex k[MODES + 1], c[MODES + 1];
};

static void make_modes(struct modes *m, double kd, double hinge)
{
    m->count = 1 + LEAST_MODES + (int)(MODES_A_KD * kd);
    for (int j = 0; j < m->count; j++) {
        const double complex k = j == 0 ? kd : -I * evanescent(j, kd * tanh(kd));
        m->k[j] = k;
        m->c[j] = csinh(k) * paddle_integral(k, hinge) / square_integral(k);
    }
}

/* The sum over pairs of bound modes, without the part that is known. */
static double complex sum_pairs(const struct modes *m, double still, double free_k)
{
    const double complex fixed = 1.5 * still * still - 0.25 * free_k * free_k;
    double complex sum = 0;
    for (int j = 0; j < m->count; j++) {
        double complex row = 0;
        for (int l = 0; l <= j; l++) {
            const double complex k = m->k[j] + m->k[l];
            row += (l < j ? 2 : 1) * m->c[l] * (fixed - 0.5 * m->k[j] * m->k[l]) * k /
                   (k * k - free_k * free_k);
        }
        sum += m->c[j] * row;
    }
    return sum;
}

struct sluice_second_order sluice_second_order_of(double kd, double hinge)
{
    struct modes m;
    const double still = kd * tanh(kd), omega = sqrt(still),
                 free_k = sluice_wave_number(2 * omega, 1, 1), top = cosh(free_k);
    double complex at_surface = 0, moved = 0;
    make_modes(&m, kd, hinge);
    for (int j = 0; j < m.count; j++) {
        const double complex k = m.k[j], both = 0.5 *
                                                (paddle_integral(k + free_k, hinge) -
                                                 paddle_integral(free_k - k, hinge)) /
                                                ccosh(k);
        at_surface += m.c[j];
        moved += m.c[j] * k * both; /* the paddle's boundary condition, where it is displaced */
    }
    const double complex given = (still * at_surface - 0.5 * free_k * moved / top -
                                  sum_pairs(&m, still, free_k)) *
                                 top / (omega * creal(m.c[0]) * creal(m.c[0])),
                         against = I * given / (2 * omega * paddle_integral(free_k, hinge));
    const double made = 2 * omega * top / (free_k * creal(square_integral(free_k)));
    return (struct sluice_second_order){.free = cabs(given) * made,
                                        .phase = carg(given),
                                        .cosine = creal(against),
                                        .sine = -cimag(against)};
}
