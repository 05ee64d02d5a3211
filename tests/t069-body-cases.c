/* Cases with bodies: the reference energy, and the warnings of what starts wrong. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case/case.h"
#include "tap.h"

#define TANK                                                                                       \
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"                  \
    "domain = { min = [0.0, 0.0]; max = [1.0, 0.8]; }; time = { end = 0.1; };\n"                   \
    "output = { every = 0.0; };\n"
#define WATER(x, low, high)                                                                        \
    "{ name = \"water\"; shape = \"box\"; type = \"fluid\"; min = [0.0, " low "]; max = [" x       \
    ", " high "]; },\n"
#define WALLS "{ shape = \"walls\"; sides = [\"left\", \"right\", \"bottom\"]; }"
#define LEVEL "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"

static struct sluice_config config;
static struct sluice_case setup;
static char *warnings;

/* Creates the case of the texts, joined; its warnings are in `warnings`. */
static sluice_status create(const char *first, ...)
{
    char text[4000];
    size_t size;
    va_list more;
    snprintf(text, sizeof text, "%s", first);
    va_start(more, first);
    for (const char *next; (next = va_arg(more, const char *));)
        strncat(text, next, sizeof text - strlen(text) - 1);
    va_end(more);
    FILE *out = open_memstream(&warnings, &size);
    sluice_status status = sluice_config_parse(&config, text, "a.cfg", NULL, 0, out);
    if (status == SLUICE_OK) {
        status = sluice_case_create(&setup, &config, out);
        if (status != SLUICE_OK)
            sluice_config_destroy(&config);
    }
    fclose(out);
    return status;
}

static void end(sluice_status status)
{
    free(warnings);
    if (status != SLUICE_OK)
        return;
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
}

static void has_energy(double want, const char *geometry, const char *bodies, const char *what)
{
    const sluice_status status = create(TANK LEVEL "geometry = (\n" WATER("0.4", "0.0", "0.2"),
                                        geometry, WALLS " );\n", bodies, NULL);
    if (is_int(status, SLUICE_OK, what))
        is_close(setup.reference_energy, want, 1e-9, what);
    else
        diag("%s", sluice_message());
    end(status);
}

static void reference_energy(void)
{
    static const char box[] = "{ name = \"a\"; shape = \"box\"; type = \"body\"; "
                              "min = [0.6, 0.3]; max = [0.8, 0.4]; },\n";
    const double g = 9.81, fluid = 1000 * 0.4 * 0.2 * g * 0.2, mass = 40,
                 inertia = mass * (0.2 * 0.2 + 0.1 * 0.1) / 12;
    has_energy(fluid, "", "", "the reference energy of water alone");
    has_energy(fluid + mass * g * 0.4, box, "bodies = ( { name = \"a\"; density = 2000.0; } );\n",
               "a body adds its weight times its extent with the water");
    has_energy(fluid + mass * g * 0.4 + mass * 5.0 / 2 + inertia * 9.0 / 2, box,
               "bodies = ( { name = \"a\"; density = 2000.0; velocity = [1.0, -2.0]; spin = 3.0; "
               "} );\n",
               "and its kinetic energy");
    has_energy(fluid, box, "bodies = ( { name = \"a\"; density = 2000.0; locked = \"y\"; } );\n",
               "its weight does no work along a locked axis");
    has_energy(7, box,
               "bodies = ( { name = \"a\"; density = 2000.0; } ); energy = { reference = 7.0; };\n",
               "energy.reference is taken as it is");
}

int main(void)
{
    reference_energy();
    return done_testing();
}
