/* test: 0.5 s */
/* The search for contacts, which starts from the result of the last one. */
#include "core/hash.h"
#include "contact_bodies.h"

/* Whether two calls differ: points in contact, and forces. */
static int differ(const struct sluice_contact_result *a, const struct sluice_contact_result *b)
{
    const size_t bytes = (size_t)w.count * sizeof *a->force;
    return a->points != b->points || memcmp(a->force, b->force, bytes) != 0 ||
           memcmp(a->torque, b->torque, bytes) != 0;
}

/* Boxes wander, periodic along x. A search that starts from the last result finds what a new search
 * does. */
static void searches(void)
{
    enum { EDGE = 4, STEPS = 60 };
    uint64_t state = 3;
    int64_t most = 0, least = INT64_MAX;
    int wrong = 0;
    begin(3, 0.05, 1.2, 4 | 8 | 16 | 32);
    w.config.domain.periodic[0] = 1;
    for (int i = 0; i < EDGE * EDGE * EDGE; i++)
        add_box(0.05 + 0.3 * (i % EDGE), 0.05 + 0.3 * (i / EDGE % EDGE),
                0.05 + 0.3 * (i / EDGE / EDGE), 0.2, 3, 1000);
    start();
    for (int n = 0; n < STEPS; n++) {
        struct sluice_contacts *kept = w.contacts;
        const struct sluice_contact_setup setup = {.geometry = &w.g,
                                                   .motions = &w.motions,
                                                   .body = w.body,
                                                   .count = w.count,
                                                   .walls = w.walls};
        for (int b = 0; b < w.count; b++) {
            for (int a = 0; a < 3; a++) {
                w.pose[b].centre[a] += 0.02 * (2 * sluice_mix_unit(state += SLUICE_MIX_STEP) - 1);
                w.pose[b].spin[a] = 2 * sluice_mix_unit(state += SLUICE_MIX_STEP) - 1;
            }
            turn_body(&w.pose[b], 0.05);
        }
        find(0);
        const struct sluice_contact_result result = w.result;
        if (sluice_contacts_create(&w.contacts, &setup) != SLUICE_OK)
            exit(1);
        find(0);
        wrong += differ(&result, &w.result);
        most = result.points > most ? result.points : most;
        least = result.points < least ? result.points : least;
        sluice_contacts_destroy(&w.contacts);
        w.contacts = kept;
    }
    is_int(wrong, 0, "a search that goes on finds what a new one does");
    ok(least + 10 < most, "while points come and go: %lld to %lld", (long long)least,
       (long long)most);
    end();
}

int main(void)
{
    searches();
    return done_testing();
}
