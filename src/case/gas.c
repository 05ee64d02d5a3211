/* A gas: its parameters, where its particles come from, and their state. */
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "kernels/registry.h"

/* Tolerances of the mass of a shape, as for water. */
static const double error_limit = 0.05, warning_limit = 0.01;

/* --- Before the grid is made --- */

static void set_params(struct gas_params *p, const struct sluice_config *config)
{
    p->dimension = config->dimension;
    p->kernel = config->kernel.name;
    p->eta = config->kernel.h_over_dp;
    p->gamma = config->gas.gamma;
    p->isothermal = config->gas.heat == SLUICE_GAS_ISOTHERMAL;
    p->mean = config->gas.form == SLUICE_GAS_MEAN;
    p->alpha = config->gas.alpha;
    p->beta = config->gas.beta;
    p->conductivity = config->gas.conductivity;
    p->limiter = config->gas.limiter;
    p->tolerance = config->gas.tolerance;
    for (int a = 0; a < config->dimension; a++)
        p->body[a] = config->gravity[a];
}

/* Lowers *least and raises *most to the (m/rho)^(1/D) of the file's particles, m. */
static void spacings_of_file(const struct sluice_case_builder *b, double *least, double *most)
{
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        const double spacing = pow(sluice_case_row_mass(b, row) / row->density,
                                   1.0 / b->config->dimension);
        *least = fmin(*least, spacing);
        *most = fmax(*most, spacing);
    }
}

sluice_status sluice_case_prepare_gas(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    struct sluice_case *c = b->c;
    struct gas_params *p = &c->physics.gas;
    double least = INFINITY, widest = 0;
    set_params(p, config);
    if (config->shape_count > 0) {
        SLUICE_TRY(sluice_gas_shapes_create(&c->gas_shapes, config, &b->warnings));
        sluice_gas_shapes_spacings(&c->gas_shapes, &least, &widest);
    }
    if (config->particles[0]) {
        SLUICE_TRY(sluice_case_read_file(b));
        spacings_of_file(b, &least, &widest);
    }
    SLUICE_CHECK(widest > 0, SLUICE_BAD_INPUT,
                 "the case has no fluid particles; give a shape of type \"fluid\" or a file of "
                 "particles");
    c->contrast = widest / least;
    c->cutoff = p->support = sluice_kernel_support(config->kernel.name) * p->eta * widest;
    return SLUICE_OK;
}

/* --- The shapes as filled --- */

/* A box holds the mass of its volume. The lattices of other shapes miss it at their edges. */
static sluice_status check_mass(struct sluice_case_builder *b, int shape)
{
    const struct sluice_shape_report *r = &b->c->shapes[shape];
    const double error = sluice_geometry_volume_error(r);
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(b->config, shape, title, sizeof title);
    SLUICE_CHECK(r->particles + r->cut > 0, SLUICE_BAD_INPUT,
                 "geometry: no site of its lattice lies in %s: make the spacing smaller", title);
    SLUICE_CHECK(fabs(error) <= error_limit, SLUICE_BAD_INPUT,
                 "geometry: %s holds %.6g%s, which is %+.1f%% off its density times its volume, at "
                 "most %g%% are allowed: make the spacing smaller",
                 title, r->actual_mass, sluice_case_mass_unit(b->config), 100 * error,
                 100 * error_limit);
    if (fabs(error) > warning_limit)
        sluice_warn(&b->warnings,
                    "geometry: %s holds %.6g%s, which is %+.1f%% off its density times its volume; "
                    "a smaller spacing is nearer",
                    title, r->actual_mass, sluice_case_mass_unit(b->config), 100 * error);
    return SLUICE_OK;
}

/* Warns of gas that reaches up to an open face of the domain. */
static void warn_of_open_faces(struct sluice_case_builder *b, int shape)
{
    static const char *const face[] = {"x-", "x+", "y-", "y+", "z-", "z+"};
    const struct sluice_config *config = b->config;
    const struct sluice_gas_shape *s = &b->c->gas_shapes.shape[shape];
    char title[2 * SLUICE_TEXT_MAX], open[64] = "";
    size_t used = 0;
    for (int k = 0; k < 2 * config->dimension; k++) {
        const int a = k / 2;
        const double gap = k % 2 ? config->domain.max[a] - s->high[a]
                                 : s->low[a] - config->domain.min[a];
        if (!config->domain.periodic[a] && !(b->c->grid.walls >> k & 1) &&
            gap < config->spacing / 2)
            used += (size_t)snprintf(open + used, sizeof open - used, "%s\"%s\"", used ? ", " : "",
                                     face[k]);
    }
    if (!used)
        return;
    sluice_geometry_title(config, shape, title, sizeof title);
    sluice_warn(&b->warnings,
                "geometry: %s reaches the open faces %s of the domain, and gas leaves there: leave "
                "room, make the axis periodic, or add { shape = \"walls\"; sides = [%s]; }",
                title, open, open);
}

sluice_status sluice_case_report_gas(struct sluice_case_builder *b)
{
    for (int k = 0; b->c->gas_shapes.shape && k < b->config->shape_count; k++) {
        const struct sluice_shape *asked = &b->config->shapes[k];
        const struct sluice_gas_shape *s = &b->c->gas_shapes.shape[k];
        struct sluice_shape_report *r = &b->c->shapes[k];
        const double sites = (double)(r->particles + r->cut);
        memcpy(r->asked_min, s->low, sizeof s->low);
        memcpy(r->asked_max, s->high, sizeof s->high);
        memcpy(r->actual_min, s->low, sizeof s->low);
        memcpy(r->actual_max, s->high, sizeof s->high);
        r->asked_volume = asked->within[0] || asked->without[0] || s->solid.counts_twice
                              ? 0
                              : s->solid.volume;
        r->actual_volume = r->asked_volume;
        if (asked->type != SLUICE_SHAPE_FLUID)
            continue;
        r->actual_volume = sites * sluice_lattice_volume(&s->lattice);
        r->asked_mass = asked->density * r->asked_volume;
        r->actual_mass = sites * s->mass;
        SLUICE_TRY(check_mass(b, k));
        warn_of_open_faces(b, k);
    }
    return SLUICE_OK;
}
