/* The order of particles by id (particles/id_order.h). */
#include "particles/id_order.h"

#include <stdlib.h>
#include <string.h>

#include "pair_state.h"
#include "tap.h"

enum { MANY = 5000 };

static uint64_t seed = 11;

/* Different ids from 0 to `most`, in a random order. */
static void draw(uint32_t *id, int64_t n, uint32_t most)
{
    uint32_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t room = (uint32_t)((most - at) / (uint32_t)(n - i));
        at += (uint32_t)(uniform(&seed) * room);
        id[i] = at++;
    }
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t other = (int64_t)(uniform(&seed) * (double)(i + 1));
        const uint32_t kept = id[i];
        id[i] = id[other];
        id[other] = kept;
    }
}

static void check_order(int64_t n, uint32_t most)
{
    uint32_t *id = calloc((size_t)n + 1, sizeof *id), *from = NULL;
    draw(id, n, most);
    is_int(sluice_order_by_id(id, n, &from), SLUICE_OK, "an order");
    int ascends = 1;
    for (int64_t k = 1; k < n; k++)
        ascends &= id[from[k - 1]] < id[from[k]];
    ok(ascends, "%lld ids up to %u ascend", (long long)n, most);
    free(id);
    free(from);
}

static void check_reorder(size_t bytes)
{
    enum { N = 100 };
    unsigned char in[N * 32], out[N * 32];
    uint32_t order[N];
    int right = 1;
    draw(order, N, N);
    for (size_t i = 0; i < N * bytes; i++)
        in[i] = (unsigned char)(31 * i);
    sluice_reorder(out, in, order, N, bytes);
    for (int k = 0; k < N; k++)
        right &= memcmp(out + (size_t)k * bytes, in + order[k] * bytes, bytes) == 0;
    ok(right, "entries of %zu bytes", bytes);
}

int main(void)
{
    uint32_t *from = NULL;
    check_order(0, 0);
    check_order(1, 0);
    check_order(1, UINT32_MAX - 1);
    check_order(64, 64);
    check_order(MANY, MANY);
    check_order(MANY, 400 * MANY);
    check_order(MANY, UINT32_MAX - 1);
    for (size_t bytes = 1; bytes <= 32; bytes++)
        check_reorder(bytes);
    for (uint32_t id = 7; id; id = id == 7 ? 4000000000u : 0) {
        char want[64];
        is_int(sluice_order_by_id((const uint32_t[]){id, 3, id}, 3, &from), SLUICE_DEVICE,
               "two particles of one id");
        snprintf(want, sizeof want, "two particles have the id %u", id);
        ok(strstr(sluice_message(), want) != NULL && from == NULL, "%s", sluice_message());
    }
    return done_testing();
}
