/* Weakly compressible SPH of two fluids whose densities may differ by any factor. Both are in one
 * set: the second fluid has the ids from second_from on. Every kernel. d = x_i - x_j, F = W'(r)/r;
 * V = m/rho; r is the density over rho0 of the particle's own fluid, less 1; p the pressure itself.
 *
 *   momentum    m_i a_i = -V_i sum V_j [e_ij (p_i + p_j) + Pi_ij] F d + viscous
 *   continuity  dr_i/dt = (1 + r_i) sum V_j e_ij F v_ij.d + D_i
 *               (Colagrossi & Landrini 2003; adjoint to each other), e_ij = 1, but between the two
 *               1 + repulsion |rho0_1 - rho0_2|/(rho0_1 + rho0_2) (Monaghan & Rafiee 2013, who
 *               have it in the momentum alone)
 *   artificial  Pi_ij   = -b min(v_ij.d, 0)/(d^2 + 0.01 h^2),  2/b = 1/b_i + 1/b_j,
 *               b_i = alpha rho0 c0 h
 *   laminar     m_i a_i += V_i sum V_j 2 (D + 2) mu F (v_ij.d)/l^2 d
 *               or      V_i sum V_j 2 mu F d^2/(d^2 + 0.01 h^2) v_ij,
 *               2/mu = 1/mu_i + 1/mu_j, mu_i = rho0 nu      (the mean: Cleary 1998)
 *   diffusion   D_i     = -2 delta h c0 sum (m_j/rho0) F [e_j - e_i + g.d/c0^2], in one fluid
 *
 * With one fluid these equal those of pair_wcsph.h to first order in r. A wall has the volume of
 * its record EOS, and the viscosity of the fluid that meets it. The spring against penetration has
 * c0 of the fluid. */
#ifndef SLUICE_PAIR_TWO_FLUIDS_H
#define SLUICE_PAIR_TWO_FLUIDS_H
#include "kernels/pair/wcsph_terms.h"

#define two_fluids_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define two_fluids_READS         (WCSPH_READS | SLUICE_BIT(ID))
#define two_fluids_WRITES        WCSPH_WRITES
#define two_fluids_SUMS          wcsph_SUMS
#define two_fluids_FLOPS(kernel) 78
#define two_fluids_MASKS_ITSELF  1
#define two_fluids_USES_R        1
#define two_fluids_PACKS         SLUICE_FIELD_EOS
#define two_fluids_ACC           WCSPH_ACC
/* (vx, vy, vz), (wx, wy, wz), e: as in WCSPH_SRC; p the pressure; volume V; share m/rho0; stiff,
 * thin: 1/b and 1/mu; second: 1 of the second fluid, 0 of the first. */
#define two_fluids_SRC(X)                                                                          \
    X(vx) X(vy) X(vz) X(wx) X(wy) X(wz) X(e) X(p) X(volume) X(share) X(stiff) X(thin) X(second)
PAIR_STRUCT(two_fluids_src, two_fluids_SRC)
typedef wcsph_acc two_fluids_acc;
typedef wcsph_acc_lanes two_fluids_acc_lanes;

typedef struct wcsph_params two_fluids_params;

/* The constants of one of the fluids. */
struct two_fluids_of {
    real rho0, rho02, inverse_rho0;
    real stiff, thin; /* infinity: no such viscosity */
    real diffusion;   /* -2 delta h c0 */
    real gravity;     /* c0^2 of the first over c0^2 of this one */
    real spring_k;    /* c0^2; 0: no spring */
};
typedef struct {
    wcsph_constants main; /* of the first; `laminar` of either */
    real support;
    struct two_fluids_of fluid[2];
    real repulsion; /* e_ij - 1 between the two; 0: none */
    sluice_id second_from;
} two_fluids_constants;

static inline two_fluids_constants two_fluids_prepare(const struct wcsph_params *p, double mass)
{
    two_fluids_constants k;
    (void)mass;
    k.main = wcsph_constants_of(p, 0);
    k.support = k.main.support;
    k.main.laminar = wcsph_is_viscous(p);
    k.second_from = p->second_from;
    k.repulsion = (real)(p->second ? p->repulsion * fabs(p->rho0 - p->second->rho0) /
                                         (p->rho0 + p->second->rho0)
                                   : 0);
    for (int n = 0; n < 2; n++) {
        const struct wcsph_params *q = n && p->second ? p->second : p;
        const double b = q->alpha * q->rho0 * q->sound_speed * q->h, mu = q->rho0 * q->nu;
        struct two_fluids_of *f = &k.fluid[n];
        f->rho0 = (real)q->rho0;
        f->rho02 = (real)(q->rho0 * q->rho0);
        f->inverse_rho0 = (real)(1 / q->rho0);
        f->stiff = (real)(b > 0 ? 1 / b : INFINITY);
        f->thin = (real)(mu > 0 ? 1 / mu : INFINITY);
        f->diffusion = (real)(-2 * q->delta * q->h * q->sound_speed);
        f->gravity = (real)(p->sound_speed * p->sound_speed / (q->sound_speed * q->sound_speed));
        f->spring_k = (real)(q->spring ? q->sound_speed * q->sound_speed : 0);
    }
    return k;
}

/* The usual case has no repulsion. */
HD int two_fluids_is_usual(const two_fluids_constants *k)
{
    return k->repulsion == 0;
}
HD two_fluids_constants two_fluids_usual(two_fluids_constants k)
{
    k.repulsion = 0;
    return k;
}

HD two_fluids_src two_fluids_load(const two_fluids_constants *k, const struct sluice_view *v,
                                  int64_t i, const int dim, const int source, real packed)
{
    const wcsph_src main = wcsph_load(&k->main, v, i, dim, source, packed);
    const int second = source != 1 && v->id[i] >= k->second_from;
    const real rho0_over_rho = VIEW(v, EOS, i, 2, 1);
    const struct two_fluids_of *f = &k->fluid[second];
    two_fluids_src s;
    s.vx = main.vx;
    s.vy = main.vy;
    s.vz = main.vz;
    s.wx = main.wx;
    s.wy = main.wy;
    s.wz = main.wz;
    s.e = main.e;
    s.p = packed * f->rho02 / (rho0_over_rho * rho0_over_rho);
    s.share = main.mass * f->inverse_rho0;
    s.volume = s.share * rho0_over_rho;
    s.stiff = f->stiff;
    s.thin = f->thin;
    s.second = (real)second;
    return s;
}

/* The bracket of the diffusion, 0 between the two. */
HD lane two_fluids_bracket(const two_fluids_constants *k, const int dim, const lane d[3],
                           const two_fluids_src_lanes *i, const two_fluids_src *j)
{
    lane gd = k->main.gravity[0] * d[0] + k->main.gravity[1] * d[1];
    if (dim == 3)
        gd += k->main.gravity[2] * d[2];
    gd *= lane_select(i->second > 0, lane_of(k->fluid[1].gravity), lane_of(1));
    return lane_select(i->second == j->second, (j->e - i->e) + gd, lane_of(0));
}

/* Finite at r2 = 0, and zero there and beyond the support: the strategy need not mask. */
HD void two_fluids_eval(const two_fluids_constants *k, const struct pair_loop loop,
                        const struct pair_distance *at, const two_fluids_src_lanes *i,
                        const two_fluids_src *j, two_fluids_acc_lanes *sum)
{
    const wcsph_constants *main = &k->main;
    const lane f = sph_f_shape(&main->kernel, loop.kernel, at->r), vf = j->volume * f;
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy,
                       i->vz - j->vz}; /* the last is not used in 2-D */
    /* V_j e_ij F. Conditions on constants are the same for all pairs. */
    lane evf = vf;
    if (loop.source == 0 && k->repulsion > 0)
        evf += vf * lane_select(i->second == j->second, lane_of(0), lane_of(k->repulsion));
    const lane vd = pair_dot(loop.dim, v, at->d);
    lane force = evf * (i->p + j->p);
    sum->rate += evf * vd;
    if (loop.source == 0) {
        const lane vfpi = 2 * vf * lane_min(vd, lane_of(0)) /
                          ((i->stiff + j->stiff) * (at->r2 + main->eta2)); /* -V_j F Pi_ij */
        force -= vfpi;
        sum->diffusion += j->share * f * two_fluids_bracket(k, loop.dim, at->d, i, j);
        if (loop.energy)
            sum->viscous += vfpi * vd;
        if (main->laminar && main->central > 0)
            force += wcsph_central(loop, 4 * main->central * vf / (i->thin + j->thin), vd, sum);
        else if (main->laminar)
            wcsph_add_laminar(loop, 4 * vf * at->r2 / ((i->thin + j->thin) * (at->r2 + main->eta2)),
                              v, sum);
    } else {
        const real u[3] = {j->vx, j->vy, j->vz};
        wcsph_add_wall(main, loop, at, force, vf * j->p, vd, u, sum);
        if (main->no_slip && main->laminar) {
            const lane w[3] = {i->vx - j->wx, i->vy - j->wy, i->vz - j->wz};
            if (main->central > 0)
                force += wcsph_central_wall(loop, at->d, 2 * main->central * vf / i->thin,
                                            pair_dot(loop.dim, w, at->d), vd, u, sum);
            else
                wcsph_add_wall_laminar(loop, 2 * vf * at->r2 / (i->thin * (at->r2 + main->eta2)), w,
                                       v, u, sum);
        }
    }
    wcsph_add_force(loop.dim, force, at->d, sum);
}

HD void two_fluids_store(const two_fluids_constants *k, const struct sluice_view *v, int64_t n,
                         const struct pair_loop loop, const two_fluids_src *i,
                         const two_fluids_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const struct two_fluids_of *own = &k->fluid[i->second > 0];
    const real f = k->main.kernel.f, density = i->share / i->volume; /* over rho0 */
    const double volume = (double)i->volume;
    struct wcsph_result q;
    q.u[0] = i->vx;
    q.u[1] = i->vy;
    q.u[2] = i->vz;
    q.scale = f * own->inverse_rho0 / density;
    q.diffusion = own->diffusion * f * sum->diffusion;
    q.rate = density * f * sum->rate + q.diffusion;
    q.spring_k = own->spring_k;
    q.mass = (double)i->share * (double)own->rho0;
    q.mass_f = volume * (double)f;
    q.elastic = volume * (double)i->p / (double)density;
    wcsph_store_result(&k->main, v, n, loop, &q, sum, out);
}
#endif
