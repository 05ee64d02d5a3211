/* test: 6 s, sanitize-slow */
/* Contacts: the same bits whatever the threads, the order of bodies, and after a restart; periodic
 * axes; the checks before a run; many bodies. */
#include "contact_bodies.h"

enum { NUMBERS = SLUICE_CONTACT_NUMBERS, CONTACTS = 20000 };

/* --- The same bits --- */

/* Nine boxes that fall into a heap. `swap`: numbered backwards. */
static void begin_heap(int swap)
{
    begin(3, 0.02, 1, 63 - 32);
    for (int k = 0; k < 9; k++) {
        const int i = swap ? 8 - k : k;
        add_box(0.2 + 0.09 * (i % 3) + 0.01 * (i / 3), 0.3 + 0.02 * i, 0.11 * (i / 3), 0.1, 16,
                500 + 100 * i);
    }
    set_material(1e6, 0.3, 0.4);
    w.gravity[2] = -9.81;
    w.gravity[0] = -3;
    start();
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++)
        step(1e-4);
}

static void copy_state(struct sluice_pose *pose, struct moving *state)
{
    memcpy(pose, w.pose, (size_t)w.count * sizeof *pose);
    memcpy(state, w.state, (size_t)w.count * sizeof *state);
}

static void threads(void)
{
    static struct sluice_pose alone[16];
    static struct moving state[16];
    begin_heap(0);
    run(600);
    const double elastic = w.result.elastic, dissipated = w.result.dissipated;
    const int64_t points = w.result.points;
    copy_state(alone, state);
    end();
    begin_heap(0);
    if (sluice_threads_create(&w.team, 3) != SLUICE_OK)
        exit(1);
    run(600);
    ok(points > 250, "nine boxes fall into a heap: %lld points touch", (long long)points);
    ok(same_bits(alone, w.pose, sizeof alone / 16 * 9) &&
           same_bits(state, w.state, sizeof state / 16 * 9) &&
           same_bits(&elastic, &w.result.elastic, sizeof elastic) &&
           same_bits(&dissipated, &w.result.dissipated, sizeof dissipated),
       "one and three threads give the same bits");
    sluice_threads_destroy(&w.team);
    end();
}

static void numbering(void)
{
    static struct sluice_pose forwards[16];
    static struct moving state[16];
    int same = 0;
    begin_heap(0);
    run(600);
    const double elastic = w.result.elastic;
    copy_state(forwards, state);
    end();
    begin_heap(1);
    run(600);
    for (int b = 0; b < 9; b++)
        same += same_bits(&forwards[8 - b], &w.pose[b], sizeof w.pose[b]);
    is_int(same, 9, "bodies that are numbered backwards move alike, to the bit");
    ok(same_bits(&elastic, &w.result.elastic, sizeof elastic), "and have the same energy");
    end();
}

static void look_again(void)
{
    static struct moving state[16];
    begin_heap(0);
    run(500);
    find(1e-5);
    memcpy(state, w.state, sizeof state);
    const double elastic = w.result.elastic;
    find(0);
    ok(same_bits(state, w.state, sizeof state) &&
           same_bits(&elastic, &w.result.elastic, sizeof elastic) && elastic > 0,
       "to look again gives the same bits");
    end();
}

static void restart(void)
{
    static double saved[CONTACTS][NUMBERS], again[CONTACTS][NUMBERS];
    static struct sluice_pose half[16], straight[16];
    static struct moving state[16];
    begin_heap(0);
    run(400);
    const int64_t count = sluice_contacts_history(w.contacts, saved);
    copy_state(half, state);
    run(200);
    memcpy(straight, w.pose, sizeof straight);
    end();
    look_again();
    begin_heap(0);
    is_int(sluice_contacts_restore(w.contacts, (const double(*)[NUMBERS])saved, count), SLUICE_OK,
           "a state is restored");
    ok(sluice_contacts_history(w.contacts, again) == count && same_bits(saved, again, sizeof saved),
       "it is what was saved: %lld contacts", (long long)count);
    memcpy(w.pose, half, sizeof half);
    memcpy(w.state, state, sizeof state);
    w.time = 400 * 1e-4;
    run(200);
    ok(same_bits(straight, w.pose, sizeof straight / 16 * 9),
       "a run from it goes on with the same bits");
    saved[0][0] = 77;
    is_int(sluice_contacts_restore(w.contacts, (const double(*)[NUMBERS])saved, count),
           SLUICE_BAD_INPUT, "a contact of a body that is not there is refused");
    ok(strstr(sluice_message(), "body 77") != NULL, "by name: %s", sluice_message());
    end();
}

/* --- Periodic --- */

static void periodic(void)
{
    double inner[3], across[3];
    for (int place = 0; place < 2; place++) {
        begin(2, 0.02, 1, 4);
        w.config.domain.periodic[0] = 1;
        add_box(0.3, 0, 0, 0.2, 11, 1000);
        add_box(0.5, 0, 0, 0.2, 11, 1000);
        set_material(1e6, 0.5, 0.4);
        start();
        /* Places on the end of the period, and a whole period apart. */
        w.pose[0].centre[0] += place ? 0.5 : 0;
        w.pose[1].centre[0] += (place ? 2.5 : 0) - 1e-3;
        for (int b = 0; b < 2; b++)
            w.pose[b].centre[1] -= 1e-4;
        throw_body(1, -0.1, 0.2, 0, 0.3);
        find(1e-4);
        memcpy(place ? across : inner, w.result.force[1], sizeof inner);
        end();
    }
    ok(fabs(inner[0]) > 1 && fabs(inner[0] - across[0]) < 1e-9 * fabs(inner[0]) &&
           fabs(inner[1] - across[1]) < 1e-9 * fabs(inner[1]),
       "bodies touch across a periodic face as they do inside: %.9g, %.9g N", inner[0], across[0]);
}

/* --- Before a run --- */

static void refuses(double dx, double dy, const char *words, const char *what)
{
    begin(2, 0.02, 1, 4);
    add_box(0.2, 0, 0, 0.2, 11, 1000);
    strcpy(w.shape[w.index[0]].name, "crate");
    add_box(0.4, 0, 0, 0.2, 11, 1000);
    start();
    w.pose[1].centre[0] += dx;
    w.pose[1].centre[1] += dy;
    const sluice_status status = sluice_contacts_check(w.contacts, w.pose, 1e-3 * 0.02, NULL);
    ok(status == (words[0] ? SLUICE_BAD_INPUT : SLUICE_OK), "%s", what);
    ok(!words[0] || strstr(sluice_message(), words), "%s", words[0] ? sluice_message() : what);
    end();
}

static void checks(void)
{
    refuses(0, 0, "", "bodies that touch are allowed");
    refuses(1e-5, 0, "", "bodies almost in contact are allowed");
    refuses(-0.01, 0,
            "test.cfg:12: geometry: bodies overlap at the start: box 2 'crate' (test.cfg:12) and "
            "box 3 (test.cfg:13) by 0.01 m at (0.4, 0.18) m; move",
            "bodies that overlap are refused");
    refuses(-0.01, -0.005, "at the start, 2 pairs: box", "two pairs are counted");
    refuses(0.2, -0.005, "box 3 (test.cfg:13) and walls 1 (test.cfg:11) by 0.005 m",
            "a body in a wall is refused");
}

/* At the limit the stiffest impact is stable; its energy closes. */
static void time_step(void)
{
    int body, other;
    begin(3, 0.02, 1, 16);
    add_box(0.2, 0.2, 0, 0.2, 11, 1000);
    add_box(0.2, 0.2, 0.3, 0.2, 11, 1000);
    w.body[1].mass = 1;
    set_material(1e7, 0.5, 0.5);
    start();
    const double soft = sluice_contacts_limit(w.contacts, 1, &body, &other);
    ok(body == 0 && other == 1, "two boxes limit the step: %d, %d", body, other);
    end();
    begin(3, 0.02, 1, 16);
    add_box(0.2, 0.2, 0, 0.2, 11, 1000);
    set_material(1e9, 0.5, 0.5);
    start();
    /* Reduced mass 8/9 kg and twice the points of half the stiffness, before. */
    is_close(limit(1) / soft, pow(9.0 / 100, 0.4), 1e-9, "as (mass over stiffness)^(2/5)");
    end();
}

/* Takes the longest steps that contacts allow, at most 1 ms, until contacts have begun and ended.
 * Returns the largest error of the energy, J; *steps: their number. */
static double run_freely(int *steps)
{
    int body, other, touched = 0;
    double off = 0;
    const double first = energy();
    for (*steps = 0; *steps < 5000 && (!touched || w.result.points > 0); ++*steps) {
        step(fmin(1e-3, sluice_contacts_step(w.contacts, w.pose, 0, &body, &other)));
        touched |= w.result.points > 0;
        off = fmax(off, fabs(energy() - first));
    }
    return off;
}

/* A wall hits a stiff box at rest. Neither has a velocity of its own that announces the impact. */
static void piston(void)
{
    int steps, body, other;
    begin(2, 0.02, 4, 0);
    add_moving_wall(0.2, 0.2, 2);
    const int b = add_box(0.3, 0, 0, 0.2, 11, 500);
    set_material(1e10, 1, 0);
    start();
    ok(isinf(sluice_contacts_step(w.contacts, w.pose, 0, &body, &other)) && body < 0,
       "bodies that are apart take steps of any length");
    const double off = run_freely(&steps), kinetic = w.body[b].mass * 16 / 2;
    is_close(w.pose[b].velocity[0], 4, 4e-3, "a piston throws a box at twice its speed");
    ok(off < 1e-3 * kinetic, "its energy closes: %.2g of %.3g J", off, kinetic);
    ok(steps < 300, "in few steps, as they are short at the impact alone: %d", steps);
    end();
}

/* Boxes at rest that overlap a little: their springs drive them apart. */
static void loaded(void)
{
    int steps;
    begin(2, 0.02, 4, 0);
    add_box(0.3, 0, 0, 0.2, 11, 500);
    add_box(0.5, 0, 0, 0.2, 11, 500);
    set_material(1e9, 1, 0);
    start();
    w.pose[1].centre[0] -= 0.05 * 0.02;
    find(0);
    const double stored = w.result.elastic, off = run_freely(&steps);
    ok(stored > 100 && off < 2e-3 * stored, "springs that are loaded at the start: %.2g of %.3g J",
       off, stored);
    end();
}

/* A held body counts with the motion that it gets at its release. */
static void held(void)
{
    int body, other;
    double at_rest, moving;
    begin(2, 0.02, 1, 4);
    const int b = add_box(0.3, 0, 0, 0.2, 11, 500);
    w.body[b].release = 1;
    set_material(1e9, 1, 0);
    start();
    at_rest = sluice_contacts_step(w.contacts, w.pose, 0.1, &body, &other);
    throw_body(b, 0, -1, 0, 0);
    moving = sluice_contacts_step(w.contacts, w.pose, 0.1, &body, &other);
    ok(isinf(at_rest), "a body that is held at rest limits no step");
    is_close(moving, limit(1), 1e-12, "one that moves at its release does");
    end();
}

/* --- Many --- */

static void many(void)
{
    begin(3, 0.1, 40, 16);
    for (int i = 0; i < 1000; i++)
        add_box(1 + 1.0 * (i % 32), 1 + 1.0 * ((double)(i / 32)), 0, 1, 11, 1000);
    set_material(1e7, 0.5, 0.5);
    start();
    for (int b = 0; b < 1000; b++)
        w.pose[b].centre[2] -= 1e-4;
    find(1e-4);
    const double begun = sluice_processor_seconds();
    for (int i = 0; i < 10; i++)
        find(1e-4);
    const double near = (sluice_processor_seconds() - begun) / 10;
    diag("1,000 boxes side by side, %lld points in contact: %.1f ms a call, %.2f us a point",
         (long long)w.result.points, near * 1e3, near * 1e6 / (double)w.result.points);
    for (int b = 0; b < 1000; b++) {
        w.pose[b].centre[0] *= 3;
        w.pose[b].centre[1] *= 3;
        w.pose[b].centre[2] += 5;
    }
    find(1e-4);
    const double again = sluice_processor_seconds();
    for (int i = 0; i < 10; i++)
        find(1e-4);
    const double apart = (sluice_processor_seconds() - again) / 10;
    diag("1,000 boxes apart from each other: %.3f ms a call", apart * 1e3);
    is_int(w.result.points, 0, "boxes apart from each other do not touch");
    end();
}

int main(void)
{
    threads();
    numbering();
    restart();
    periodic();
    checks();
    time_step();
    piston();
    loaded();
    held();
    many();
    return done_testing();
}
