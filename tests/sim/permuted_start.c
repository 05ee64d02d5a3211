/* test: 2 s */
/* The order in which particles are given changes no bit of what follows, ids kept: the sets are
 * sorted by bin, then by id, and every sum is made after the first sort. */
#include <stdint.h>
#include <string.h>

#include "support/part.h"
#include "sim/sim.h"
#include "support/tap.h"

enum { STEPS = 8 };

static const char water[] =
    "model = \"wcsph\"; dimension = %d; spacing = 0.05;\n"
    "gravity = [%s-9.81]; fluid = { sound_speed = 30.0; };\n"
    "domain = { max = [%s]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; max = [%s]; min = [%s]; },\n"
    "  { shape = \"walls\"; sides = [\"left\", \"bottom\"]; } );\n"
    "time = { end = 1.0; }; output = { every = 0.0; };\n"
    "backend = { precision = \"%s\"; strategy = \"%s\"; threads = 2; };\n";
static const char atoms[] = "model = \"lj\"; units = \"lj\"; dimension = 3;\n"
                            "lattice = { kind = \"fcc\"; cells = [5, 5, 5]; density = 0.8442; };\n"
                            "domain = { periodic = [true, true, true]; };\n"
                            "thermal = { temperature = 1.44; }; pair = { name = \"lj\"; };\n"
                            "time = { end = 1.0; step = 0.005; }; output = { every = 0.0; };\n"
                            "backend = { precision = \"%s\"; strategy = \"%s\"; threads = 2; };\n";

static uint64_t random_state;

static int64_t random_below(int64_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    return (int64_t)((random_state >> 33) % (uint64_t)n);
}

static void swap_bytes(void *a, void *b, size_t n)
{
    char kept[sizeof(struct sluice_place)];
    memcpy(kept, a, n);
    memcpy(a, b, n);
    memcpy(b, kept, n);
}

#define SWAP(array, i, j) swap_bytes(&(array)[i], &(array)[j], sizeof(array)[i])

/* Fisher and Yates. */
static void shuffle(struct sluice_start *s)
{
    for (int64_t i = s->count - 1; i > 0; i--) {
        const int64_t j = random_below(i + 1);
        SWAP(s->id, i, j);
        SWAP(s->place, i, j);
        SWAP(s->velocity, i, j);
        SWAP(s->density, i, j);
        SWAP(s->mass, i, j);
    }
}

/* FNV-1a (Fowler, Noll & Vo) over every state array of every set and the books. */
static uint64_t digest_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

static uint64_t digest(struct sluice_sim *sim)
{
    uint64_t hash = 14695981039346656037u;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            const struct sluice_set *set = &sim->set[t];
            const size_t bytes = (size_t)(set->count *
                                          sluice_set_field_bytes(set, (enum sluice_field)f));
            char *host = malloc(bytes + 1);
            if (host && set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE &&
                sim->backend.ops->download(&sim->backend, host, set->field[f], bytes) == SLUICE_OK)
                hash = digest_bytes(hash, host, bytes);
            free(host);
        }
    hash = digest_bytes(hash, &sim->now.total, sizeof sim->now.total);
    hash = digest_bytes(hash, &sim->now.residual, sizeof sim->now.residual);
    return digest_bytes(hash, &sim->reference_energy, sizeof sim->reference_energy);
}

/* The digest after some steps, from a start shuffled by `seed` (0: not shuffled). Returns 0 after a
 * failure. */
static uint64_t digest_of_run(const struct sluice_config *config, uint64_t seed)
{
    struct sluice_case setup;
    struct sluice_sim sim;
    uint64_t hash = 0;
    if (sluice_case_create(&setup, config, NULL) != SLUICE_OK)
        return 0;
    random_state = seed;
    for (int t = 0; seed && t < SLUICE_TYPE_COUNT; t++)
        shuffle(&setup.start[t]);
    sluice_status status = sluice_sim_create(&sim, config, &setup, NULL);
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    for (int n = 0; n < STEPS && status == SLUICE_OK; n++)
        status = sluice_sim_step(&sim);
    if (status == SLUICE_OK)
        hash = digest(&sim);
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    return hash;
}

static void test_config(const char *text, const char *name)
{
    struct sluice_config config;
    if (!ok(sluice_config_parse(&config, text, name, NULL, 0, stderr) == SLUICE_OK, "%s: reads",
            name))
        return;
    const uint64_t straight = digest_of_run(&config, 0);
    ok(straight != 0, "%s: runs %d steps %s", name, STEPS, straight ? "" : sluice_message());
    for (uint64_t seed = 1; seed <= 2; seed++)
        ok(digest_of_run(&config, seed) == straight, "%s: the same bits, order %d", name,
           (int)seed);
    sluice_config_destroy(&config);
}

int main(void)
{
    static const char *const precisions[] = {"float", "double"}, *const strategies[] = {"window",
                                                                                        "tiled"};
    for (int n = 0; n < 12; n++) {
        const char *precision = precisions[n / 6], *strategy = strategies[n / 3 % 2];
        char text[2048], name[128];
        if (!part_has(n, 4)) /* a part has each case, strategy and precision */
            continue;
        if (n % 3 == 0)
            snprintf(text, sizeof text, water, 2, "0.0, ", "2.0, 1.0", "0.8, 0.6", "0.0, 0.0",
                     precision, strategy);
        else if (n % 3 == 1)
            snprintf(text, sizeof text, water, 3, "0.0, 0.0, ", "1.0, 0.5, 1.0", "0.5, 0.4, 0.5",
                     "0.0, 0.1, 0.0", precision, strategy);
        else
            snprintf(text, sizeof text, atoms, precision, strategy);
        static const char *const cases[] = {"water in 2-D", "water in 3-D", "atoms"};
        snprintf(name, sizeof name, "%s, %s, %s", cases[n % 3], precision, strategy);
        test_config(text, name);
    }
    return done_testing();
}
