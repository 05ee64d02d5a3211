/* test: 1 s */
/* Run-up on stairs and on smooth slopes, whose line of water is known. */
#include "water_scene.h"

/* Stairs of boxes from x = 0.6, so many spacings wide and high, in water up to `line`. */
static int begin_slope(struct scene *s, int wide, int high, double line, int dimension, int dry)
{
    static char text[16384];
    const int three = dimension == 3;
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "model = \"wcsph\"; dimension = %d; spacing = 0.02; gravity = [0.0, %s -9.81];\n"
        "fluid = { sound_speed = 30.0; }; domain = { min = [0.0, %s 0.0]; max = [2.0, %s 1.0]; };\n"
        "time = { end = 1.0; }; output = { every = 0.0; };\ngeometry = ( { shape = \"box\"; type = "
        "\"fluid\"; min = [0.0, %s 0.0]; max = [%s, %s %.9f]; }",
        dimension, three ? "0.0," : "", three ? "0.0," : "", three ? "0.2," : "",
        three ? "0.0," : "", dry ? "0.4" : "2.0", three ? "0.2," : "", line);
    for (int k = 1; k * high * dp < 0.8 && 0.6 + k * wide * dp < 2; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              ",\n{ shape = \"box\"; type = \"wall\"; min = [%.9f, %s 0.0]; max = "
                              "[2.0, %s %.9f]; }",
                              0.6 + (k - 1) * wide * dp, three ? "0.0," : "", three ? "0.2," : "",
                              k * high * dp);
    snprintf(
        text + n, sizeof text - n,
        " );\nprobes = ( { kind = \"runup\"; from = [0.5, %s 0.0]; to = [1.99, %s 0.7]; points "
        "= 300; every = 0.1; } );",
        three ? "0.11," : "", three ? "0.11," : "");
    return begin(s, text);
}

/* Stairs: the line where the water meets them is known, and the run-up is within one spacing of it.
 */
static void check_slopes(void)
{
    static const int slope[][2] = {{1, 1}, {2, 1}, {3, 1}, {5, 1}, {1, 2}, {4, 3}, {10, 1}};
    struct scene s;
    for (size_t k = 0; k < sizeof slope / sizeof *slope; k++) {
        const int wide = slope[k][0], high = slope[k][1];
        const double line = wide < 10 ? 0.24 : 0.12, steps = floor(line / (high * dp) - 1e-9);
        if (!begin_slope(&s, wide, high, line, 2, 0))
            continue;
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        is_str(sluice_probes_table(s.probes, 0)->header, "runup,x", "columns of a run-up");
        ok(v[0] <= line + 1e-9 && line - v[0] < dp * (1 + 1e-9),
           "slope %d:%d: %g, the water's line less a spacing at most", high, wide, v[0]);
        /* to the distance of the points */
        is_close(v[1], 0.6 + steps * wide * dp, 1.49 / 299, "x is the face that holds the water");
        end(&s);
    }
    if (begin_slope(&s, 3, 1, 0.24, 3, 0)) {
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        is_str(sluice_probes_table(s.probes, 0)->header, "runup,x,y", "columns in 3-D");
        ok(v[0] <= 0.24 + 1e-9 && v[0] > 0.22 - 1e-9, "in 3-D: %g", v[0]);
        is_close(v[2], 0.11, 1e-12, "its y");
        end(&s);
    }
    if (begin_slope(&s, 3, 1, 0.24, 2, 1)) {
        measure(&s, 0);
        const double *v = sluice_probes_table(s.probes, 0)->values;
        ok(isnan(v[0]) && isnan(v[1]), "no point is under water: no value");
        end(&s);
    }
}

/* Puts a row of n particles on a slope of 1:4 from x = 0.6 on, a spacing apart, and the rest far
 * below. Returns the x of the last one's centre. */
static double lay_tongue(struct scene *s, int n)
{
    const double length = hypot(4, 1), along[2] = {4 / length, 1 / length};
    double x = 0;
    for (int64_t k = 0; k < s->p.count; k++) {
        const double at = k < n ? 0.7 + (double)k * dp : 0;
        s->p.x[k][0] = k < n ? 0.6 + at * along[0] - 0.5 * dp * along[1] : -5;
        s->p.x[k][1] = k < n ? at * along[1] + 0.5 * dp * along[0] : -5;
        x = k < n ? s->p.x[k][0] : x;
    }
    return x;
}

/* The end of a thin tongue on a smooth slope, finer than a spacing; drops ahead; a deeper mark. */
static void check_tongue(const char *fit)
{
    struct scene s;
    char text[1600];
    snprintf(
        text, sizeof text,
        CASE_2D DOMAIN "geometry = ( " WATER(0.0, 0.0, 0.7, 0.3) TANK
        ", { name = \"beach\"; shape = \"polygon\"; type = \"wall\"; %s\n"
        "points = ([0.6, 0.0], [2.2, 0.4], [2.2, -0.2], [0.6, -0.2]); } );\nprobes = (\n"
        "{ kind = \"runup\"; from = [0.7, 0.025]; to = [1.9, 0.325]; points = 241; every = 0.1; "
        "},\n"
        "{ kind = \"runup\"; from = [0.7, 0.025]; to = [1.9, 0.325]; points = 241; every = 0.1;\n"
        "  depth = 0.03; }, " HEIGHT(1.234) " );",
        fit);
    if (!begin(&s, text))
        return;
    const double *v = sluice_probes_table(s.probes, 0)->values,
                 *deep = sluice_probes_table(s.probes, 1)->values,
                 *bed = sluice_probes_table(s.probes, 2)->values;
    for (int k = 0; k < 5; k++) { /* the row of the lattice does not matter */
        const double last = lay_tongue(&s, 20 + k), end = last + 0.5 * dp;
        measure(&s, 0);
        is_close(bed[1], (1.234 - 0.6) / 4, 1e-9, "the bed is the true surface");
        is_close(v[1], end, 0.1 * dp, "a tongue ends half a spacing beyond its last particle");
        is_close(v[0], (v[1] - 0.6) / 4, 1e-9, "and the run-up is the bed there");
        ok(isnan(deep[0]), "one row is not 1.5 spacings deep");
    }
    const double last = lay_tongue(&s, 20);
    s.p.x[30][0] = last + 3 * dp; /* drops on the slope ahead, and a jet over it */
    s.p.x[30][1] = (last + 3 * dp - 0.6) / 4 + 0.5 * dp;
    s.p.x[31][0] = last + dp;
    s.p.x[31][1] = (last + dp - 0.6) / 4 + 4 * dp;
    measure(&s, 0);
    is_close(v[1], last + 0.5 * dp, 0.1 * dp,
             "drops ahead of the tongue, or over it, are none of it");
    end(&s);
}

int main(void)
{
    check_slopes();
    check_tongue("fit = \"surface\";");
    check_tongue("");
    return done_testing();
}
