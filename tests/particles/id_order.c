/* test: 0.3 s */
/* The order of particles by id (particles/id_order.h). */
#include "particles/id_order.h"

#include <stdlib.h>
#include <string.h>

#include "support/pair_state.h"
#include "support/tap.h"

static struct sluice_threads *team;

enum { MANY = 100000, ENTRIES = 50000 }; /* several blocks, which the team shares */

static uint64_t seed = 11;

/* Different ids from `least` to `most`, in a random order. */
static void draw(sluice_id *id, int64_t n, sluice_id least, sluice_id most)
{
    sluice_id at = least;
    for (int64_t i = 0; i < n; i++) {
        const sluice_id room = (most - at) / (sluice_id)(n - i);
        at += (sluice_id)(uniform(&seed) * (double)room);
        id[i] = at++;
    }
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t other = (int64_t)(uniform(&seed) * (double)(i + 1));
        const sluice_id kept = id[i];
        id[i] = id[other];
        id[other] = kept;
    }
}

static void check_order(int64_t n, sluice_id least, sluice_id most)
{
    sluice_id *id = calloc((size_t)n + 1, sizeof *id);
    uint32_t *from = NULL;
    draw(id, n, least, most);
    is_int(sluice_order_by_id(team, id, n, &from), SLUICE_OK, "an order");
    int ascends = 1;
    for (int64_t k = 1; k < n; k++)
        ascends &= id[from[k - 1]] < id[from[k]];
    ok(ascends, "%lld ids from %lld to %lld ascend", (long long)n, (long long)least,
       (long long)most);
    free(id);
    free(from);
}

static void check_reorder(size_t bytes)
{
    static unsigned char in[ENTRIES * 32], out[ENTRIES * 32];
    static sluice_id drawn[ENTRIES];
    static uint32_t order[ENTRIES];
    int right = 1;
    draw(drawn, ENTRIES, 0, ENTRIES);
    for (int k = 0; k < ENTRIES; k++)
        order[k] = (uint32_t)drawn[k];
    for (size_t i = 0; i < ENTRIES * bytes; i++)
        in[i] = (unsigned char)(31 * i);
    sluice_reorder(team, out, in, order, ENTRIES, bytes);
    for (int k = 0; k < ENTRIES; k++)
        right &= memcmp(out + (size_t)k * bytes, in + order[k] * bytes, bytes) == 0;
    ok(right, "entries of %zu bytes", bytes);
}

int main(void)
{
    uint32_t *from = NULL;
    const sluice_id last = SLUICE_ID_MAX;
    is_int(sluice_threads_create(&team, 3), SLUICE_OK, "a team");
    check_order(0, 0, 0);
    check_order(1, 0, 0);
    check_order(1, last, last);
    check_order(64, 0, 64);
    check_order(MANY, 0, MANY);
    check_order(MANY, last - MANY, last);
    check_order(MANY, 0, 400 * MANY);
    check_order(MANY, 0, last);
    for (size_t bytes = 1; bytes <= 32; bytes++)
        check_reorder(bytes);
    for (sluice_id id = 7; id; id = id == 7 ? last : 0) {
        char want[64];
        is_int(sluice_order_by_id(team, (const sluice_id[]){id, 3, id}, 3, &from), SLUICE_DEVICE,
               "two particles of one id");
        snprintf(want, sizeof want, "two particles have the id %lld", (long long)id);
        ok(strstr(sluice_message(), want) != NULL && from == NULL, "%s", sluice_message());
    }
    sluice_threads_destroy(&team);
    return done_testing();
}
