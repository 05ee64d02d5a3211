/* test: 0.1 s */
/* Named settings: they fill what a config does not give, and nothing else; the effective config has
 * their values. */
#include <stdlib.h>

#include "config/config.h"

#include "support/tap.h"

#define CASE                                                                                       \
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81]; settings = "         \
    "\"waves\"; domain = { max = [4.0, 2.0]; }; time = { end = 1.0; }; output = { every = 0.1; "   \
    "}; geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [4.0, 1.0]; } "  \
    ");\n"

static int read_config(struct sluice_config *c, const char *text, const char *const *set, int count)
{
    const int good = sluice_config_parse(c, text, "case", set, count, stderr) == SLUICE_OK;
    return ok(good, "a config with settings");
}

int main(void)
{
    struct sluice_config c, again;
    if (read_config(&c, CASE, NULL, 0)) {
        ok(c.kernel.h_over_dp == 2 && c.renormalised.kind == SLUICE_GRADIENTS_RENORMALISED &&
               c.viscosity.alpha == 0.001,
           "values that are not given");
        if (read_config(&again, sluice_config_text(&c), NULL, 0)) {
            ok(again.kernel.h_over_dp == 2 && again.viscosity.alpha == 0.001,
               "the effective config has them");
            sluice_config_destroy(&again);
        }
        sluice_config_destroy(&c);
    }
    const char *const set[] = {"kernel.h_over_dp=1.7", "fluid.viscosity.kind=laminar",
                               "fluid.viscosity.nu=2e-6"};
    if (read_config(&c, CASE "fluid = { gradients = \"plain\"; };", set, 3)) {
        ok(c.kernel.h_over_dp == 1.7 && c.renormalised.kind == SLUICE_GRADIENTS_PLAIN &&
               c.viscosity.nu == 2e-6,
           "values that are given stay");
        sluice_config_destroy(&c);
    }
    ok(sluice_config_parse(&c, CASE "fluid = { second = { density = 800.0; }; };", "case", NULL, 0,
                           NULL) != SLUICE_OK,
       "what they bring is checked as any value is");
    return done_testing();
}
