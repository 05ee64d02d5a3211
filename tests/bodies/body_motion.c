/* test: 4 s, sanitize-slow */
/* Rigid bodies in a run, in double: momentum is kept to rounding and the power identity holds; the
 * accelerations used for the walls' pressure are those of the forces, also where the forces cancel;
 * a body that turns freely, and locked degrees of freedom. */
#include <math.h>

#include "sim/run.h"
#include "support/part.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"

static struct sluice_config config;
static struct sluice_case setup;
static struct sluice_sim sim;

static int begin(const char *text, const struct variant *on, const char *precision)
{
    static char all[4000];
    snprintf(all, sizeof all,
             "%s time = { end = 1.0; cfl = 0.1; }; output = { every = 0.0; };\n"
             "backend = { name = \"%s\"; isa = \"%s\"; threads = 2; strategy = \"window\"; "
             "precision = \"%s\"; };\n",
             text, on ? on->backend : "cpu", on && on->isa ? on->isa : "", precision);
    sluice_status status = sluice_config_parse(&config, all, "bodies", NULL, 0, stderr);
    if (status == SLUICE_OK)
        status = sluice_case_create(&setup, &config, NULL);
    if (status == SLUICE_OK)
        status = sluice_sim_create(&sim, &config, &setup, NULL);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    return is_int(status, SLUICE_OK, "a case with bodies begins");
}

static void end(void)
{
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
}

static int steps(int n)
{
    for (int k = 0; k < n; k++)
        if (sluice_sim_step(&sim) != SLUICE_OK) {
            diag("step %d: %s", k, sluice_message());
            return 0;
        }
    return 1;
}

/* The largest difference between the accelerations that were solved for and those of the forces, as
 * a fraction of the acceleration. */
static double solved_error(void)
{
    const struct sluice_bodies *b = &sim.model.bodies;
    double most = 0;
    for (int i = 0; i < b->count; i++) {
        double size = 0, error = 0;
        for (int c = 0; c < 3; c++) {
            size += pow(b->state[i].a[c], 2);
            error += pow(b->state[i].a[c] - b->state[i].solved[c], 2);
        }
        most = fmax(most, sqrt(error / size));
    }
    return most;
}

#define WATER                                                                                      \
    "model = \"wcsph\"; fluid = { sound_speed = 20.0; viscosity = { alpha = 0.1; }; };"            \
    "energy = { reference = 1.0; };"

/* No walls and no gravity: fluid and bodies keep their momentum together. */
static void momentum(int dimension, const struct variant *on, const char *precision)
{
    static const char
        flat[] = WATER
        "dimension = 2; spacing = 0.05;"
        "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, true]; };"
        "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [0.2, 0.2]; max = [0.5, 0.4]; },"
        "{ shape = \"disc\"; type = \"body\"; name = \"b\"; centre = [0.7, 0.7]; radius = 0.12; });"
        "bodies = ( { name = \"a\"; density = 300.0; velocity = [0.5, 0.2]; spin = [1.0]; },"
        "{ name = \"b\"; density = 2000.0; velocity = [0.0, -0.5]; });",
        deep[] = WATER
        "dimension = 3; spacing = 0.1;"
        "domain = { min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, 1.0]; periodic = [true, true, true]; };"
        "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0]; max = [1.0, 1.0, "
        "1.0]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [0.2, 0.2, 0.2]; max = [0.6, 0.5, "
        "0.8]; });"
        "bodies = ( { name = \"a\"; density = 300.0; velocity = [0.5, 0.2, 0.1]; spin = [1.0, 0.5, "
        "2.0]; });";
    const int exact = strcmp(precision, "double") == 0, n = exact && on->is_cpu ? 80 : 20;
    double start[3], most = 0, identity = 0, wrong = 0, scale = 0;
    diag("momentum, %s, %d-D, %s", on->name, dimension, precision);
    if (!begin(dimension == 2 ? flat : deep, on, precision))
        return;
    const struct sluice_budget_row *now = &sim.now;
    const double *p = &now->momentum_x;
    memcpy(start, p, sizeof start);
    for (int i = 0; i < sim.model.bodies.count; i++)
        scale += 0.5 * sim.model.bodies.body[i].mass;
    for (int k = 0; k < n; k++) {
        if (!steps(1))
            break;
        for (int c = 0; c < dimension; c++)
            most = fmax(most, fabs(p[c] - start[c]));
        identity = fmax(identity, fabs(now->identity));
        wrong = fmax(wrong, k ? solved_error() : 0);
    }
    diag("momentum %.2g, identity %.2g, solved %.2g, residual %.2g", most / scale, identity, wrong,
         now->residual);
    ok(most < (exact ? 1e-14 : 1e-7) * scale, "momentum is kept to rounding: %.2g of it",
       most / scale);
    ok(identity < (exact ? 1e-12 : 1e-6), "the power identity holds: %.2g", identity);
    ok(wrong < 0.05, "the walls have the acceleration of their body: %.2g off", wrong);
    ok(sim.model.bodies.unsolved == 0, "each solution is found, in %.1f rounds a step",
       (double)sim.model.bodies.rounds / (n + 1));
    ok(fabs(now->residual) < 5e-4 * scale, "the energy closes: %.2g", now->residual / scale);
    end();
}

/* A body that stands or drifts in fluid of even pressure: all forces on it cancel, and its
 * acceleration is rounding. The solver still ends. */
static void cancelled_forces(const char *precision)
{
    static const char text[] =
        "model = \"wcsph\"; dimension = 2; spacing = 0.05;"
        "fluid = { sound_speed = 10.0; background_pressure = 1000.0; viscosity = { alpha = 0.1; }; "
        "}; energy = { reference = 1.0; };"
        "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; periodic = [true, true]; };"
        "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 1.0]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [0.4, 0.4]; max = [0.6, 0.6]; });";
    static const char *const moves[] = {
        "bodies = ( { name = \"a\"; density = 1000.0; } );",
        "bodies = ( { name = \"a\"; density = 1000.0; velocity = [1.0, 0.0]; } );"
        "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [1.0, 0.0]; } );"};
    char all[2000];
    for (int k = 0; k < 2; k++) {
        snprintf(all, sizeof all, "%s %s", text, moves[k]);
        diag("forces that cancel, %s, %s", k ? "drifting" : "at rest", precision);
        if (!begin(all, NULL, precision))
            continue;
        ok(steps(60), "sixty steps");
        const struct sluice_bodies *b = &sim.model.bodies;
        is_int(b->unsolved, 0, "each solution is found");
        ok((double)b->rounds < 4 * 60, "in %.1f rounds a step", (double)b->rounds / 61);
        const double speed = fabs(b->state[0].v[0] - k), most = precision[0] == 'd' ? 1e-13 : 1e-6;
        ok(speed < most, "and moves it by rounding: %.2g m/s", speed);
        end();
    }
}

/* A body that turns freely, far from any fluid: its angular momentum keeps its bits, and it turns
 * as Euler's equations say, to second order. */
static void free_turn(void)
{
    static const char text[] = WATER
        "dimension = 3; spacing = 0.1;"
        "domain = { min = [-5.0, -5.0, -5.0]; max = [5.0, 5.0, 5.0]; };"
        "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [3.0, 3.0, 3.0]; max = [3.5, 3.5, "
        "3.5]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [-0.3, -0.2, -0.1]; max = [0.3, "
        "0.2, 0.1]; });"
        "bodies = ( { name = \"a\"; density = 1000.0; velocity = [0.1, 0.2, 0.3]; spin = [1.0, "
        "4.0, 0.5]; });";
    diag("a free turn");
    if (!begin(text, NULL, "double"))
        return;
    struct sluice_body_state *s = &sim.model.bodies.state[0];
    double l[3], w[3], rate[3];
    memcpy(l, s->l, sizeof l);
    const double kinetic = sim.model.bodies.kinetic;
    ok(steps(300), "three hundred steps");
    ok(memcmp(l, s->l, sizeof l) == 0, "the angular momentum keeps its bits");
    sluice_body_spin(&sim.model.bodies, 0, w, rate);
    /* Euler's equations by Runge-Kutta, small steps, in the body's axes */
    const struct sluice_rigid_body *of = &sim.model.bodies.body[0];
    const double i[3] = {of->inertia[0][0], of->inertia[1][1], of->inertia[2][2]};
    double o[3] = {1, 4, 0.5}, own[3] = {0, 0, 0};
    const int n = 20000;
    for (int k = 0; k < n; k++) {
        double stage[3] = {o[0], o[1], o[2]}, sum[3] = {0, 0, 0};
        const double h = sim.time / n, weight[4] = {1, 2, 2, 1}, part[4] = {0.5, 0.5, 1, 0};
        for (int r = 0; r < 4; r++) {
            double f[3];
            for (int c = 0; c < 3; c++) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                f[c] = (i[a] - i[b]) / i[c] * stage[a] * stage[b];
                sum[c] += h / 6 * weight[r] * f[c];
            }
            for (int c = 0; c < 3; c++)
                stage[c] = o[c] + h * part[r] * f[c];
        }
        for (int c = 0; c < 3; c++)
            o[c] += sum[c];
    }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            own[c] += sim.model.bodies.now[0].pose.turn[k][c] * w[k];
    diag("t = %.3g: (%.5f, %.5f, %.5f), Euler (%.5f, %.5f, %.5f)", sim.time, own[0], own[1], own[2],
         o[0], o[1], o[2]);
    for (int c = 0; c < 3; c++)
        is_close(own[c], o[c], 2e-4, "a component of the spin");
    is_close(sim.model.bodies.kinetic / kinetic, 1, 1e-6, "its energy");
    is_close(s->x[0], 0.1 * sim.time, 1e-13, "its centre moves evenly");
    end();
}

/* Held degrees of freedom, and a body that is held until a time. */
static void locks(void)
{
    static const char text[] = WATER
        "dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];"
        "domain = { min = [0.0, 0.0, 0.0]; max = [2.0, 2.0, 2.0]; };"
        "geometry = ( { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; },"
        "{ shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0]; max = [2.0, 2.0, 0.6]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [0.4, 0.4, 0.4]; max = [0.8, 0.9, "
        "0.7]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"b\"; min = [1.3, 1.3, 1.5]; max = [1.6, 1.6, "
        "1.8]; });"
        "bodies = ( { name = \"a\"; density = 300.0; locked = \"x, ry\"; spin = [1.0, 0.0, 3.0]; "
        "velocity = [0.0, 0.5, 0.0]; }, { name = \"b\"; density = 500.0; release = 0.02; });";
    diag("locks and releases");
    if (!begin(text, NULL, "double"))
        return;
    struct sluice_bodies *b = &sim.model.bodies;
    double w[3], rate[3], released = -1;
    int moved = 0;
    for (int k = 0; k < 180; k++) {
        const double z = b->state[1].x[2];
        if (!steps(1))
            break;
        moved |= sim.time < 0.02 && b->state[1].x[2] != 0;
        if (z == 0 && b->state[1].x[2] != 0)
            released = sim.time;
    }
    sluice_body_spin(b, 0, w, rate);
    ok(b->state[0].x[0] == 0 && b->state[0].v[0] == 0, "x is held");
    ok(fabs(w[1]) < 1e-14 && fabs(rate[1]) < 1e-3, "so is the rotation about y: %.2g, %.2g", w[1],
       rate[1]);
    ok(fabs(w[0]) > 0.1 && fabs(w[2]) > 0.1 && b->state[0].x[1] > 0.001,
       "the others are not: %.2g, %.2g, %.2g", w[0], w[2], b->state[0].x[1]);
    ok(!moved && released >= 0.02 && released < 0.022, "released at %.4g s", released);
    const double t = sim.time - 0.02;
    is_close(b->state[1].x[2] / (-9.81 / 2 * t * t), 1, 0.1, "then it falls");
    end();
}

/* A weight on a spring with a damper, far from the water, and a pendulum: their periods, and the
 * energy. */
static void moorings(void)
{
    static const char text[] = WATER
        "dimension = 2; spacing = 0.05; gravity = [0.0, -9.81]; kernel = { h_over_dp = 1.5; };"
        "domain = { min = [-5.0, 0.0]; max = [5.0, 9.0]; };"
        "geometry = ( { shape = \"walls\"; sides = [\"bottom\", \"left\", \"right\"]; },"
        "{ shape = \"box\"; type = \"fluid\"; min = [-5.0, 0.0]; max = [5.0, 0.1]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"weight\"; min = [-0.2, 4.8]; max = [0.2, "
        "5.2]; },"
        "{ shape = \"box\"; type = \"body\"; name = \"bob\"; min = [2.8, 4.9]; max = [3.2, 5.1]; "
        "});"
        "bodies = ( { name = \"weight\"; density = 500.0; velocity = [0.0, 1.0]; }, { name = "
        "\"bob\"; density = 500.0; });"
        "moorings = ( { kind = \"spring\"; body = \"weight\"; to = [0.0, 8.0]; stiffness = 8000.0; "
        "damping = 40.0; },"
        "{ kind = \"hinge\"; body = \"bob\"; at = [2.0, 5.0]; stiffness = 1e6; damping = 100.0; "
        "});";
    diag("a spring, a damper and a hinge");
    if (!begin(text, NULL, "double"))
        return;
    struct sluice_bodies *b = &sim.model.bodies;
    const double m = b->body[0].mass, k = 8000, c = 40, w = sqrt(k / m - c * c / (4 * m * m)),
                 g = 9.81, rest = -g * m / k;
    double worst = 0, reference = m * g * 5, apart = 0, lowest = 0;
    while (sim.time < 0.9 && steps(1)) {
        const double t = sim.time, decay = exp(-c / (2 * m) * t), from = -rest,
                     want = rest +
                            decay * (from * cos(w * t) + (1 + c / (2 * m) * from) / w * sin(w * t));
        worst = fmax(worst, fabs(b->state[0].x[1] - want));
        const double *bob = b->now[1].pose.centre;
        apart = fmax(apart, fabs(hypot(bob[0] - 2, bob[1] - 5) - 1));
        lowest = fmin(lowest, b->state[1].x[1]);
    }
    const double *x = b->now[1].pose.centre;
    diag("the weight %.2g m off, the hinge gives %.2g m, the bob falls %.4f m, residual %.2g",
         worst, apart, lowest, sim.now.residual / reference);
    ok(worst < 2e-4, "the weight swings as the oscillator: %.2g m off", worst);
    ok(apart < 1.01 * 3 * m * g / 2 / 1e6,
       "the hinge gives by the force over its stiffness: %.2g m", apart);
    is_close(lowest, -1, 2e-3, "the bob swings through the lowest point");
    is_close(b->state[1].turned, atan2(x[1] - 5, x[0] - 2), 1e-3, "and turns with its arm");
    ok(fabs(sim.now.residual) < 1e-5 * reference, "the energy closes: %.2g",
       sim.now.residual / reference);
    end();
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int count = variants_here(list);
    for (int v = 0; v < count; v++)
        for (int k = 0; k < 4; k++)
            if (part_has(k + v, 2))
                momentum(2 + k / 2, &list[v], k % 2 ? "float" : "double");
    cancelled_forces("double");
    cancelled_forces("float");
    free_turn();
    locks();
    moorings();
    return done_testing();
}
