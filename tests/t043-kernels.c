/* Smoothing kernels and equations of state against closed forms, quadrature and published lattice
 * sums. */
#include "tap.h"

#define SLUICE_DOUBLE
#define SLUICE_REGISTRY_HEADERS
#include "kernels/registry.h"

typedef struct sph_kernel (*prepare_kernel)(double h, int dim);
typedef double (*kernel_value)(const struct sph_kernel *k, double r);

static double wendland_w_of(const struct sph_kernel *k, double r)
{
    return wendland_w(k, r);
}
static double wendland_f_of(const struct sph_kernel *k, double r)
{
    return wendland_f(k, r);
}
static double cubic_w_of(const struct sph_kernel *k, double r)
{
    return cubic_w(k, r);
}
static double cubic_f_of(const struct sph_kernel *k, double r)
{
    return cubic_f(k, r);
}

static const struct kernel {
    const char *name, *file_name;
    prepare_kernel prepare;
    kernel_value w, f;
} kernels[] = {{"Wendland C2", "wendlandC2", wendland_prepare, wendland_w_of, wendland_f_of},
               {"cubic spline", "cubic", cubic_prepare, cubic_w_of, cubic_f_of}};

/* Integral of W over space: Simpson's rule on the radius; the kernels are piecewise polynomials of
 * degree 5 in r at most. */
static double integral(const struct kernel *kernel, const struct sph_kernel *k, double h, int dim)
{
    const int n = 4000;
    double sum = 0;
    for (int i = 0; i <= n; i++) {
        const double r = 2 * h * i / n;
        const double shell = dim == 2 ? 2 * SPH_PI * r : 4 * SPH_PI * r * r;
        sum += kernel->w(k, r) * shell * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
    }
    return sum * 2 * h / n / 3;
}

static void shape(const struct kernel *kernel, int dim)
{
    const double h = 0.37;
    const struct sph_kernel k = kernel->prepare(h, dim);
    double worst = 0;
    diag("%s, %d-D", kernel->name, dim);
    is_close(integral(kernel, &k, h, dim), 1, 1e-10, "the kernel integrates to one");
    for (double r = 0.01 * h; r < 2.1 * h; r += 0.013 * h) {
        const double e = 1e-6 * h;
        const double slope = (kernel->w(&k, r + e) - kernel->w(&k, r - e)) / (2 * e);
        worst = fmax(worst, fabs(slope - kernel->f(&k, r) * r) / (kernel->w(&k, 0) / h));
    }
    is_close(worst, 0, 1e-8, "F r is the derivative of W");
    ok(kernel->w(&k, 2 * h) == 0 && kernel->f(&k, 2 * h) == 0 && kernel->w(&k, 5 * h) == 0 &&
           kernel->f(&k, 1e9) == 0,
       "exactly zero at the support and beyond");
    ok(isfinite(kernel->f(&k, 0)) && kernel->f(&k, 0) < 0,
       "F is finite and negative at the centre");
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
        for (int n = 0; n < 2; n++) {
            if (strcmp(name, kernels[n].file_name) != 0)
                continue;
            const struct sph_kernel k = kernels[n].prepare(ratio, dim);
            double sum = 0;
            const int reach = (int)ceil(2 * ratio);
            for (int z = dim == 3 ? -reach : 0; z <= (dim == 3 ? reach : 0); z++)
                for (int y = -reach; y <= reach; y++)
                    for (int x = -reach; x <= reach; x++)
                        sum += kernels[n].w(&k, sqrt(x * x + y * y + z * z));
            snprintf(line, sizeof line, "lattice sum of %s in %d-D at h/dp %g", name, dim, ratio);
            is_close(sum, want, 2e-11, line); /* the file has 12 digits */
            rows++;
        }
    }
    if (file)
        fclose(file);
    ok(rows >= 12, "%d lattice sums compared", rows);
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
    for (int n = 0; n < 2; n++)
        for (int dim = 2; dim <= 3; dim++)
            shape(&kernels[n], dim);
    lattice_sums();
    equations_of_state();
    return done_testing();
}
