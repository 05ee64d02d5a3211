/* test: 0.3 s */
/* Cases with bodies: the reference energy, and warnings about wrong starts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case/case.h"
#include "support/tap.h"

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

/* --- Warnings --- */

static void says(const char *what, const char *text, int times)
{
    int count = 0;
    for (const char *at = warnings; (at = strstr(at, text)); at++)
        count++;
    if (!is_int(count, times, what))
        diag("%s", warnings);
}

#define FLOAT                                                                                      \
    "{ name = \"a\"; shape = \"disc\"; type = \"body\"; fit = \"surface\"; centre = [0.7, 0.2]; "  \
    "radius = 0.09; },\n"
#define BOX(left, right)                                                                           \
    "{ name = \"a\"; shape = \"box\"; type = \"body\"; min = [" left ", 0.12]; max = [" right      \
    ", 0.28]; },\n"
#define DAM                                                                                        \
    "{ name = \"dam\"; shape = \"box\"; type = \"fluid\"; min = [0.0, 0.2]; max = [0.3, 0.5]; "    \
    "},\n"
#define BODY "bodies = ( { name = \"a\"; density = 500.0; } );\n"

static void two_levels(void)
{
    sluice_status status = create(
        TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") DAM FLOAT WALLS " );\n" BODY, NULL);
    if (is_int(status, SLUICE_OK, "a dam beside a pool"))
        says("two levels: both are named",
             "a.cfg:4: initial: \"hydrostatic\" counts the depth from the level of the water; a "
             "surface of 'water' lies 0.3 m below that, where the pressure starts 2.94e+03 Pa too "
             "high",
             1);
    end(status);
    status = create(TANK "fluid = { masses = \"hydrostatic\"; };\ngeometry = (\n" WATER(
                        "1.0", "0.0", "0.2") DAM WALLS " );\n",
                    NULL);
    if (is_int(status, SLUICE_OK, "the same by masses"))
        says("a warning of masses, too", "fluid.masses: \"hydrostatic\" counts the depth", 1);
    end(status);
    /* A body at the surface and one below it, and a box that ends within another. */
    status = create(TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") DAM
                    "{ shape = \"box\"; type = \"fluid\"; min = [0.3, 0.2]; "
                    "max = [1.0, 0.5]; },\n"
                    "{ name = \"low\"; shape = \"disc\"; type = \"body\"; fit = "
                    "\"surface\"; centre = [0.3, 0.25]; radius = 0.1; },\n" FLOAT WALLS
                    " );\nbodies = ( { name = \"a\"; density = 500.0; }, { name = "
                    "\"low\"; density = 1500.0; } );\n",
                    NULL);
    if (is_int(status, SLUICE_OK, "one level, with bodies below it"))
        says("no word of levels", "counts the depth", 0);
    end(status);
}

/* A disc in the water, with these keys of its entry, and its warnings. */
static void told(sluice_status want, const char *keys, const char *text)
{
    const sluice_status status = create(TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2")
                                            FLOAT WALLS " );\nbodies = ( { name = \"a\"; ",
                                        keys, " } );\n", NULL);
    if (is_int(status, want, keys))
        ok(strstr(status == SLUICE_OK ? warnings : sluice_message(), text) != NULL, "says: %s",
           text);
    else
        diag("%s", sluice_message());
    end(status);
}

static void extremes(void)
{
    told(SLUICE_BAD_INPUT, "mass = 1.0; centre = [3.0, 0.2];",
         "a.cfg:9: bodies: the centre of 'a' has x = 3, beside the domain, which reaches from 0 to "
         "1, and neither a mooring nor locked holds it there: give centre in the coordinates");
    told(SLUICE_OK, "density = 500.0; centre = [3.0, 0.2]; locked = \"x\";",
         "the centre of 'a' has x = 3, but its shapes reach from");
    told(SLUICE_OK, "density = 0.9;", "a.cfg:9: bodies: 'a' has a density of 0.9 kg/m^3, 0.0009 ");
    told(SLUICE_OK, "mass = 1e30;", "times the fluid's: mass is in kg/m; is it meant?");
    told(SLUICE_OK, "density = 500.0; inertia = 1e-9;",
         "bodies: inertia: that of 'a' has a radius");
    told(SLUICE_OK, "density = 500.0; inertia = 1.0;", "of gyration of 0.2803 m, above the 0.127");
    told(SLUICE_OK, "density = 500.0; release = 0.1;",
         "bodies: release: 'a' is held until t = 0.1 s, but the run ends at time.end = 0.1 s");
    told(SLUICE_OK, "density = 1.1; inertia = 1e-4; release = 0.09;", "");
    /* Each of several bodies: one line. */
    const sluice_status status = create(
        TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") FLOAT
        "{ name = \"a\"; shape = \"box\"; type = \"body\"; min = [0.2, 0.1]; max = [0.4, 0.3]; "
        "},\n" WALLS " );\nbodies = ( { name = \"a\"; density = 0.5; each = true; } );\n",
        NULL);
    if (is_int(status, SLUICE_OK, "two light bodies"))
        says("one line for all bodies of an entry", "times the fluid's", 1);
    end(status);
}

/* The disc of 12.72 kg/m has some 28 points. On a wall 14 of them bear 125 N/m with k = 733 N/m^2.5
 * at 100 Pa: they sink by 0.0529 m. */
static void soft_contacts(void)
{
    told(SLUICE_OK, "density = 500.0; stiffness = 100.0;",
         "a.cfg:9: bodies.a.stiffness: 100 Pa is too soft: at rest 'a' (a.cfg:9) sinks by at "
         "least ");
    told(SLUICE_OK, "density = 500.0; stiffness = 100.0;",
         " m, into a wall under its weight without buoyancy, and over 1 a contact fails; stiffness "
         "is 100 and 1e+06 Pa; about bodies.a.stiffness = ");
    sluice_status status = create(TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") FLOAT WALLS
                                  " );\n" BODY "contact = { stiffness = 100.0; };\n",
                                  NULL);
    if (is_int(status, SLUICE_OK, "soft walls"))
        says("walls that are too soft are named",
             "a.cfg:10: contact.stiffness: 100 Pa is too soft: at rest 'a' (a.cfg:9) sinks", 1);
    end(status);
    static const char *const fine[] = {
        "stiffness = 1e4;", "stiffness = 100.0; locked = \"y\";",
        "stiffness = 100.0; } ); moorings = ( { kind = \"spring\"; body = \"a\"; to = [0.7, 0.5]; "
        "stiffness = 1e3;"};
    for (int i = 0; i < 3; i++) {
        status = create(TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") FLOAT WALLS
                        " );\nbodies = ( { name = \"a\"; density = 500.0; ",
                        fine[i], " } );\n", NULL);
        if (is_int(status, SLUICE_OK, fine[i]))
            says("not too soft", "too soft", 0);
        end(status);
    }
}

static void overlaps(void)
{
    const sluice_status status = create(
        TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.2") FLOAT
        "{ name = \"b\"; shape = \"box\"; type = \"body\"; min = [0.6, 0.28]; max = [0.8, 0.4]; "
        "},\n" WALLS " );\nbodies = ( { name = \"a\"; density = 500.0; },\n"
        "{ name = \"b\"; density = 500.0; } );\n",
        NULL);
    if (is_int(status, SLUICE_BAD_INPUT, "bodies that overlap"))
        is_str(sluice_message(),
               "a.cfg:7: geometry: bodies overlap at the start: disc 2 'a' (a.cfg:7) and box 3 "
               "'b' (a.cfg:8) by 0.01 m at (0.7, 0.29) m; move them apart",
               "both are named, with their place");
    end(status);
}

#define POST(low, high)                                                                            \
    "{ name = \"post\"; shape = \"box\"; type = \"wall\"; min = [" low ", 0.1]; "                  \
    "max = [" high ", 0.3]; },\n"

/* Gaps beside bodies are one line; a gap between walls has its own. */
static void gaps(void)
{
    const sluice_status status = create(
        TANK LEVEL "geometry = (\n" WATER("1.0", "0.0", "0.1") BOX("0.1", "0.2")
            POST("0.24", "0.34") BOX("0.38", "0.48") POST("0.52", "0.6") POST("0.64", "0.72") WALLS
        " );\nbodies = ( { name = \"a\"; density = 500.0; each = true; } );\n",
        NULL);
    if (is_int(status, SLUICE_OK, "gaps of two spacings")) {
        says("one line for gaps beside bodies", "the narrowest of 3 gaps beside bodies", 1);
        says("no other names a body", "fluid in such a gap", 1);
        says("a gap between walls has its line", "widen or close it", 1);
    } else
        diag("%s", sluice_message());
    end(status);
}

int main(void)
{
    gaps();
    extremes();
    soft_contacts();
    overlaps();
    two_levels();
    reference_energy();
    return done_testing();
}
