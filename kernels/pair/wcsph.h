/* Weakly compressible SPH: fluid from fluid (source 0) and fluid from walls (source 1), in one loop.
 *
 * A template: included once a kernel with SPH_NAME(part) and SPH_KERNEL(part) defined, hence no include guard.
 * d = x_i - x_j, F = W'(r)/r, grad W = F d; r also names the relative density rho/rho0 - 1; P = p/rho^2.
 *
 *   momentum    a_i   = -sum m_j (P_i + P_j + Pi_ij) F d + viscous      (Monaghan 1992, eq. 3.3)
 *   continuity  dr_i/dt = 1/rho0 sum m_j F v_ij.d + D_i                 (Monaghan 1992, eq. 3.9): adjoint to the momentum equation
 *   Pi_ij = -alpha c0 h min(v_ij.d, 0)/(rho0 (d^2 + 0.01 h^2))          (Monaghan 1992, eq. 4.1-4.2, with c0 and rho0 for the means)
 *   laminar     a_i  += sum m_j 2 nu rho0/(rho_i rho_j) F d^2/(d^2 + 0.01 h^2) v_ij    (Morris et al. 1997, eq. 22)
 *   diffusion   D_i   = -2 delta h c0 sum_fluid m_j/rho_j F [r_j - r_i + g.d (G_i + G_j)/2],  G = (1 + r)/c^2
 *               (antisymmetric form of Fourtakas et al. 2019, eq. 8; without g Molteni & Colagrossi 2009, eq. 11)
 *
 * G_i is the particle's own; the mean of two differs from G of the mean density by G'' (r_i - r_j)^2/8, some 1e-6 of it.
 * Viscosity at free-slip walls and diffusion with walls do not exist. Powers come from the same terms: docs/theory.md. */
#include "kernels/pair/wcsph_terms.h"

typedef struct wcsph_params SPH_NAME(params);
typedef struct wcsph_constants SPH_NAME(constants);
typedef struct wcsph_src SPH_NAME(src);
typedef struct wcsph_acc SPH_NAME(acc);

static inline struct wcsph_constants SPH_NAME(prepare)(const struct wcsph_params *p)
{
    return wcsph_constants_of(p, SPH_KERNEL(prepare)(p->h, p->dimension));
}

HD real SPH_NAME(support)(const struct wcsph_constants *k)
{
    return k->support;
}

HD struct wcsph_src SPH_NAME(load)(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    return wcsph_load_from(v, i, dim, source);
}

/* Finite at r2 = 0, and zero there and beyond the support: the strategy need not mask. */
HD void SPH_NAME(eval)(const struct wcsph_constants *k, const int source, const int dim, const int energy, const real d[3],
                       real r2, const struct wcsph_src *i, const struct wcsph_src *j, struct wcsph_acc *sum)
{
    const real r = REAL_SQRT(r2);
    const real mf = j->mass * SPH_KERNEL(f)(&k->kernel, r);
    const real vx = i->vx - j->vx, vy = i->vy - j->vy, vz = dim == 3 ? i->vz - j->vz : 0;
    const real vd = vx * d[0] + vy * d[1] + (dim == 3 ? vz * d[2] : 0);
    real pressure = i->p + j->p;

    sum->rate += mf * vd;
    if (source == 0) {
        const real inverse = 1 / (r2 + k->eta2);
        const real pi = -k->alpha * real_min(vd, 0) * inverse;
        const real gd = k->gravity[0] * d[0] + k->gravity[1] * d[1] + (dim == 3 ? k->gravity[2] * d[2] : 0);
        pressure += pi;
        sum->diffusion += mf * j->s * (j->r - i->r + (real)0.5 * (i->g + j->g) * gd);
        if (energy)
            sum->viscous -= mf * pi * vd;
        if (k->nu != 0) { /* the same for all pairs */
            const real nu = mf * k->nu * i->s * j->s * r2 * inverse;
            sum->ax += nu * vx;
            sum->ay += nu * vy;
            if (dim == 3)
                sum->az += nu * vz;
            if (energy)
                sum->viscous += nu * (vx * vx + vy * vy + (dim == 3 ? vz * vz : 0));
        }
    } else {
        if (energy) {
            const real ud = j->vx * d[0] + j->vy * d[1] + (dim == 3 ? j->vz * d[2] : 0);
            sum->ghost -= mf * j->p * vd;
            sum->body -= mf * pressure * ud;
        }
        if (k->spring_k != 0) { /* the same for all pairs */
            const real f = wendland_f(&k->spring, r);
            sum->phi += wendland_w(&k->spring, r);
            sum->sx += f * d[0];
            sum->sy += f * d[1];
            if (dim == 3)
                sum->sz += f * d[2];
            if (energy)
                sum->su += f * (j->vx * d[0] + j->vy * d[1] + (dim == 3 ? j->vz * d[2] : 0));
        }
        if (k->no_slip && k->nu != 0) {
            const real nu = mf * k->nu * i->s * j->s * r2 / (r2 + k->eta2);
            const real fx = nu * (i->vx - j->wx), fy = nu * (i->vy - j->wy), fz = dim == 3 ? nu * (i->vz - j->wz) : 0;
            sum->ax += fx;
            sum->ay += fy;
            if (dim == 3)
                sum->az += fz;
            if (energy) {
                sum->wall_viscous += fx * vx + fy * vy + fz * vz;
                sum->body += fx * j->vx + fy * j->vy + fz * j->vz;
            }
        }
    }
    sum->ax -= mf * pressure * d[0];
    sum->ay -= mf * pressure * d[1];
    if (dim == 3)
        sum->az -= mf * pressure * d[2];
}

/* ACCELERATION holds the body forces on entry. */
HD void SPH_NAME(store)(const struct wcsph_constants *k, const struct sluice_view *v, int64_t n, const int dim, const int energy,
                        const struct wcsph_src *i, const struct wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real a[3] = {sum->ax, sum->ay, sum->az}, s[3] = {sum->sx, sum->sy, sum->sz}, u[3] = {i->vx, i->vy, i->vz};
    const real over = sum->phi > (real)WCSPH_SPRING_THRESHOLD ? sum->phi - (real)WCSPH_SPRING_THRESHOLD : 0;
    const real push = -k->spring_k * over;
    const real diffusion = k->diffusion * sum->diffusion;
    const real rate = k->inverse_rho0 * sum->rate + diffusion;
    double pair_power = 0, body_power = 0; /* of the accelerations, a mass */

    for (int c = 0; c < dim; c++) {
        const real body = VIEW(v, ACCELERATION, n, dim, c);
        VIEW(v, ACCELERATION, n, dim, c) = a[c] + push * s[c] + body;
        pair_power += (double)u[c] * (double)a[c];
        body_power += (double)u[c] * (double)body;
    }
    VIEW(v, RATE, n, 1, 0) = rate;

    if (energy) {
        const double m = (double)i->mass, elastic = (double)i->p * (double)k->rho0;
        const double viscous = m * (0.5 * (double)sum->viscous + (double)sum->wall_viscous);
        const double diffused = m * elastic * (double)diffusion;
        const double ghost = k->ghost ? m * (double)sum->ghost : 0;
        const double body = m * (double)sum->body;
        const double lhs = m * pair_power, internal = m * elastic * (double)rate;
        out[SLUICE_SUM_VISCOUS] += viscous;
        out[SLUICE_SUM_DIFFUSION] += diffused;
        out[SLUICE_SUM_GHOST] += ghost;
        out[SLUICE_SUM_BODY] += body + m * (double)push * (double)sum->su;
        out[SLUICE_SUM_SPRING] += 0.5 * m * (double)k->spring_k * (double)over * (double)over;
        out[SLUICE_SUM_IDENTITY] += lhs + internal - viscous - diffused - ghost - body;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(lhs) + fabs(m * body_power) + fabs(internal);
    }
}
