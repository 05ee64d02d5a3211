/* test: 6 s, sanitize-slow */
/* Smoothing kernels and equations of state against closed forms, quadrature and published lattice
 * sums. */
#include "support/tap.h"

#define SLUICE_DOUBLE
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/eos.h"
#include "kernels/registry.h"

static const struct kernel {
    const char *name, *file_name;
    int kernel;
    double support; /* in h */
} kernels[] = {{"Wendland C2", "wendlandC2", SLUICE_KERNEL_WENDLAND_C2, 2},
               {"cubic spline", "cubic", SLUICE_KERNEL_CUBIC_SPLINE, 2},
               {"Wendland C4", "wendlandC4", SLUICE_KERNEL_WENDLAND_C4, 2},
               {"quintic spline", "quintic", SLUICE_KERNEL_QUINTIC_SPLINE, 3}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static double w_of(const struct sph_kernel *k, double r)
{
    return k->w * sph_w_shape(k, PAIR_KERNEL_ALL, r);
}
static double f_of(const struct sph_kernel *k, double r)
{
    return k->f * sph_f_shape(k, PAIR_KERNEL_ALL, r);
}

/* Integral of W over space: Simpson's rule on the radius; the kernels are piecewise polynomials in
 * r. */
static double integral(const struct kernel *kernel, const struct sph_kernel *k, double h, int dim)
{
    const int n = 6000; /* the pieces of splines end at even points */
    const double reach = kernel->support * h;
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double r = reach * i / n;
        const double shell = dim == 2 ? 2 * SPH_PI * r : 4 * SPH_PI * r * r;
        sum += w_of(k, r) * shell * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
    }
    return sum * reach / n / 3;
}

static void shape(const struct kernel *kernel, int dim)
{
    const double h = 0.37;
    const struct sph_kernel k = sph_kernel_prepare(kernel->kernel, h, dim);
    const double end = kernel->support * h * (1 + 1e-15); /* 3h/h is less than 3 */
    double worst = 0;
    diag("%s, %d-D", kernel->name, dim);
    is_close(integral(kernel, &k, h, dim), 1, 1e-10, "the kernel integrates to one");
    for (double r = 0.01 * h; r < (kernel->support + 0.1) * h; r += 0.013 * h) {
        const double e = 1e-6 * h;
        const double slope = (w_of(&k, r + e) - w_of(&k, r - e)) / (2 * e);
        worst = fmax(worst, fabs(slope - f_of(&k, r) * r) / (w_of(&k, 0) / h));
    }
    is_close(worst, 0, 1e-8, "F r is the derivative of W");
    ok(w_of(&k, end) == 0 && f_of(&k, end) == 0 && w_of(&k, 5 * h) == 0 && f_of(&k, 1e9) == 0,
       "exactly zero at the support and beyond");
    ok(isfinite(f_of(&k, 0)) && f_of(&k, 0) < 0, "F is finite and negative at the centre");
}

/* Sum of W dx^D over a lattice, the particle itself included, against the file of exact sums. */
static void lattice_sums(void)
{
    FILE *file = fopen("data/reference/kernel_lattice_density.csv", "r");
    char line[256];
    int rows = 0;
    ok(file != NULL, "the file of lattice sums is there");
    while (file && fgets(line, sizeof line, file)) {
        int dim;
        char name[32];
        double ratio, want;
        if (sscanf(line, "%d,%31[^,],%lf,%lf", &dim, name, &ratio, &want) != 4)
            continue;
        for (int n = 0; n < KERNELS; n++) {
            if (strcmp(name, kernels[n].file_name) != 0)
                continue;
            const struct sph_kernel k = sph_kernel_prepare(kernels[n].kernel, ratio, dim);
            double sum = 0;
            const int reach = (int)ceil(kernels[n].support * ratio);
            for (int z = dim == 3 ? -reach : 0; z <= (dim == 3 ? reach : 0); z++)
                for (int y = -reach; y <= reach; y++)
                    for (int x = -reach; x <= reach; x++)
                        sum += w_of(&k, sqrt(x * x + y * y + z * z));
            snprintf(line, sizeof line, "lattice sum of %s in %d-D at h/dp %g", name, dim, ratio);
            is_close(sum, want, 2e-11, line); /* the file has 12 digits */
            rows++;
        }
    }
    if (file)
        fclose(file);
    ok(rows >= 12, "%d lattice sums compared", rows);
}

/* Sum of V W over a square or cubic lattice of spacing 1 after a shear of strain e at constant
 * volume: along the rows (e_xx = -e_yy), or along their diagonals (e_xy). */
static double sheared_sum(const struct sph_kernel *k, int dim, int diagonal, double e)
{
    enum { REACH = 8 };
    const double axis = diagonal ? cosh(e) : exp(e), across = diagonal ? sinh(e) : 0;
    const double other = diagonal ? cosh(e) : exp(-e);
    double sum = 0;
    for (int z = dim == 3 ? -REACH : 0; z <= (dim == 3 ? REACH : 0); z++)
        for (int y = -REACH; y <= REACH; y++)
            for (int x = -REACH; x <= REACH; x++)
                sum += w_of(k, sqrt(pow(axis * x + across * y, 2) + pow(across * x + other * y, 2) +
                                    z * z));
    return sum;
}

/* Shear moduli of a lattice under pressure, over the pressure: the table of docs/theory.md, "Shear
 * stiffness of a lattice under pressure". In percent, for h/dp = 1.5, 1.75, 2 and 2.5. */
static void lattice_moduli(void)
{
    static const double ratio[4] = {1.5, 1.75, 2, 2.5};
    static const struct row {
        int kernel, dim, diagonal;
        double percent[4];
    } rows[] = {
        {0, 2, 0, {2.33, 1.29, 0.94, 0.46}},    {0, 2, 1, {-1.14, 0.24, 0.37, -0.03}},
        {2, 2, 0, {4.54, 0.64, 0.57, 0.11}},    {2, 2, 1, {-0.57, -0.18, -0.17, -0.02}},
        {3, 2, 0, {-0.75, 0.30, 0.00, -0.08}},  {3, 2, 1, {0.01, -0.09, 0.01, -0.02}},
        {1, 2, 0, {-13.3, 4.61, -0.57, -3.73}}, {1, 2, 1, {1.56, -2.98, 1.01, -2.25}},
        {0, 3, 0, {3.60, -0.23, 1.36, 0.60}},   {0, 3, 1, {-0.84, 0.38, 0.22, 0.09}},
        {2, 3, 0, {2.93, 0.71, 0.15, -0.01}},   {2, 3, 1, {-0.42, -0.15, -0.10, -0.02}},
    };
    const double e = 1e-3;
    double worst = 0;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (int c = 0; c < 4; c++) {
            const struct row *row = &rows[n];
            const struct sph_kernel k = sph_kernel_prepare(kernels[row->kernel].kernel, ratio[c],
                                                           row->dim);
            const double modulus = (sheared_sum(&k, row->dim, row->diagonal, e) +
                                    sheared_sum(&k, row->dim, row->diagonal, -e) -
                                    2 * sheared_sum(&k, row->dim, row->diagonal, 0)) /
                                   (4 * e * e);
            worst = fmax(worst, fabs(100 * modulus - row->percent[c]));
        }
    is_close(worst, 0, 0.03, "a lattice's shear moduli under pressure are those of the table");
}

/* Viscosity's operator (L v)_i = 2 nu sum_j V |F| (v_i - v_j), or in its central form
 * 2 (D + 2) nu/l^2 sum_j V |F| ((v_i - v_j).d) d, on a lattice with one more particle in or near
 * its middle, by power iteration: the rate of the time step's limit is the largest eigenvalue of
 * the first, and above that of the second. */
static void viscous_rate(int kernel, int dim, int form)
{
    enum { ACROSS = 9, MOST = ACROSS * ACROSS * ACROSS + 1 };
    static double x[MOST][3], v[MOST][3], next[MOST][3];
    const double ratio = kernels[kernel].support == 3 ? 1.1 : 1.5;
    const struct wcsph_params p = {.dimension = dim,
                                   .kernel = kernels[kernel].kernel,
                                   .spacing = 0.1,
                                   .h = 0.1 * ratio,
                                   .viscous_form = form,
                                   .nu = 0.3};
    const struct sph_kernel k = sph_kernel_prepare(p.kernel, p.h, dim);
    const double rate = sluice_wcsph_viscous_rate(&p), volume = pow(p.spacing, dim),
                 central = (dim + 2) / (sph_kernel_mean_square(p.kernel, dim) * p.h * p.h);
    const int count = dim == 2 ? ACROSS * ACROSS : MOST - 1;
    double found = 0;
    for (int i = 0; i <= count; i++) {
        const int at = i < count ? i : count / 2;
        x[i][0] = p.spacing * (at % ACROSS);
        x[i][1] = p.spacing * (at / ACROSS % ACROSS);
        x[i][2] = p.spacing * (at / (ACROSS * ACROSS));
        for (int c = 0; c < dim; c++)
            v[i][c] = cos(1 + 7. * i * i + c);
    }
    x[count][0] += form == SLUICE_VISCOUS_CENTRAL ? 0.4 * p.h : 0;
    for (int turn = 0; turn < 60; turn++) {
        double norm = 0;
        for (int i = 0; i <= count; i++) {
            memset(next[i], 0, sizeof next[i]);
            for (int j = 0; j <= count; j++) {
                const double d[3] = {x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2]},
                             r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
                             f = 2 * p.nu * volume * f_of(&k, r);
                double vd = 0;
                for (int c = 0; c < dim; c++)
                    vd += (v[i][c] - v[j][c]) * d[c];
                for (int c = 0; c < dim; c++)
                    next[i][c] -= f * (form == SLUICE_VISCOUS_CENTRAL ? central * vd * d[c]
                                                                      : v[i][c] - v[j][c]);
            }
            for (int c = 0; c < dim; c++)
                norm += next[i][c] * next[i][c];
        }
        found = sqrt(norm); /* v has the norm 1, but for the first turn */
        for (int i = 0; i <= count; i++)
            for (int c = 0; c < dim; c++)
                v[i][c] = next[i][c] / found;
    }
    ok(found > (form == SLUICE_VISCOUS_CENTRAL ? 0.6 : 0.97) * rate && found < rate * (1 + 1e-12),
       "%s, %d-D, form %d: viscosity's largest eigenvalue is near the rate of the time step: %g",
       kernels[kernel].name, dim, form, found / rate);
}

static void equations_of_state(void)
{
    struct wcsph_params p = {.rho0 = 1000, .sound_speed = 30, .eos = SLUICE_EOS_TAIT, .gamma = 7};
    const double b = p.rho0 * 900 / 7;
    double form = 0, inverse = 0, work = 0, general = 0, head = 0;
    for (double r = -0.3; r < 0.5; r += 0.0137) {
        const double pressure = sluice_wcsph_pressure(&p, r);
        form = fmax(form, fabs(pressure - b * expm1(7 * log1p(r))) / (b * fabs(r) * 7));
        if (pressure > 0 && pressure < 10 * b) /* where the iteration promises it */
            inverse = fmax(inverse, fabs(sluice_wcsph_relative_density(&p, pressure) - r) / r);
        const double e = 1e-5;
        const double slope = (sluice_wcsph_elastic_energy(&p, r + e) -
                              sluice_wcsph_elastic_energy(&p, r - e)) /
                             (2 * e) / p.rho0;
        work = fmax(work, fabs(slope - pressure / (p.rho0 * p.rho0 * (1 + r) * (1 + r))) /
                              (b / p.rho0 / p.rho0));
        const double rise = (sluice_wcsph_pressure(&p, r + e) - sluice_wcsph_pressure(&p, r - e)) /
                            (p.rho0 * (1 + r)); /* dp/rho */
        head = fmax(
            head,
            fabs(900 * (sluice_wcsph_head(&p, r + e) - sluice_wcsph_head(&p, r - e)) / rise - 1));
        struct wcsph_params almost = p;
        almost.gamma = 7 + 1e-9;
        general = fmax(general,
                       fabs(sluice_wcsph_pressure(&almost, r) - pressure) / (b * fabs(r) * 7));
    }
    is_close(form, 0, 1e-14, "Tait in Horner form is the power form");
    is_close(inverse, 0, 1e-14, "density of a pressure is the inverse of pressure of a density");
    is_close(work, 0, 1e-8, "the elastic energy's derivative is p/rho^2");
    is_close(head, 0, 1e-8, "the head's slope is dp/rho over c0^2");
    is_close(sluice_wcsph_head(&p, 0.3), (pow(1.3, 6) - 1) / 6, 1e-15, "the head, Tait");
    is_close(general, 0, 1e-8, "another exponent goes through the general form");
    is_close(sluice_wcsph_relative_density(&p, 10 * b), pow(11, 1. / 7) - 1, 1e-14,
             "inverse at ten times B");
    is_close(sluice_wcsph_elastic_energy(&p, 1e-9) / (900 / 2. * 1e-18), 1, 1e-8,
             "no cancellation at a tiny density");
    p.eos = SLUICE_EOS_LINEAR;
    is_close(sluice_wcsph_pressure(&p, 0.01), 9000, 1e-9, "linear");
    is_close(sluice_wcsph_relative_density(&p, 9000), 0.01, 1e-15, "linear, inverse");
    double series = 0;
    for (double r = -0.5; r <= 1; r += 0.0137)
        series = fmax(series, fabs(sluice_wcsph_head(&p, r) / log1p(r) - 1));
    is_close(series, 0, 2e-10, "the head, linear: ln(1 + r)");
    is_close(sluice_wcsph_head(&p, 0.1), log1p(0.1), 1e-16, "at a density of water");
    p.eos = SLUICE_EOS_TAIT;
    p.gamma = 1.4;
    is_close(sluice_wcsph_head(&p, 0.3), (pow(1.3, 0.4) - 1) / 0.4, 1e-15, "the head, gamma 1.4");
}

int main(void)
{
    for (int n = 0; n < KERNELS; n++)
        for (int dim = 2; dim <= 3; dim++) {
            shape(&kernels[n], dim);
            for (int form = 0; form < 2; form++)
                viscous_rate(n, dim, form);
        }
    lattice_sums();
    lattice_moduli();
    equations_of_state();
    return done_testing();
}
