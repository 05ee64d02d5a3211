#include "snapshots/checkpoint_digest.h"

#include <string.h>

enum { LANES = 4 };

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15); /* odd: no information is lost */
    return h ^ h >> 32;
}

/* Four lanes, so that multiplications overlap; the rest byte by byte. */
static uint64_t digest_bytes(uint64_t seed, const unsigned char *data, size_t bytes)
{
    uint64_t lane[LANES], word[LANES], h = mix(seed, bytes);
    for (int k = 0; k < LANES; k++)
        lane[k] = mix(seed, (uint64_t)k + 1);
    for (; bytes >= sizeof word; bytes -= sizeof word, data += sizeof word) {
        memcpy(word, data, sizeof word);
        for (int k = 0; k < LANES; k++)
            lane[k] = mix(lane[k], word[k]);
    }
    for (int k = 0; k < LANES; k++)
        h = mix(h, lane[k]);
    for (size_t i = 0; i < bytes; i++)
        h = mix(h, data[i]);
    return h;
}

uint64_t sluice_digest_shape(const char *path, int64_t rows, int columns)
{
    const uint64_t name = digest_bytes(1, (const unsigned char *)path, strlen(path));
    return mix(mix(name, (uint64_t)rows), (uint64_t)columns);
}

/* The sum of the digests of pieces of rows, so that the pieces may come in any order. */
struct digesting {
    uint64_t shape;
    int64_t first, rows;
    const unsigned char *data;
    size_t bytes;
    _Atomic uint64_t sum;
};

static void digest_pieces(struct sluice_share *share, void *data)
{
    struct digesting *d = data;
    int64_t from, to;
    while (sluice_share_block(share, d->rows, SLUICE_DIGEST_ROWS, &from, &to))
        d->sum += sluice_digest_share(digest_bytes(mix(d->shape, (uint64_t)(d->first + from)),
                                                   d->data + (size_t)from * d->bytes,
                                                   (size_t)(to - from) * d->bytes));
}

uint64_t sluice_digest_rows(struct sluice_threads *team, uint64_t shape, int64_t first,
                            int64_t rows, const void *data, size_t bytes)
{
    struct digesting d = {shape, first, rows, data, bytes, 0};
    sluice_threads_run(team, sluice_blocks(rows, SLUICE_DIGEST_ROWS), digest_pieces, &d);
    return d.sum;
}

uint64_t sluice_digest(const char *path, int64_t rows, int columns, const void *data, size_t bytes)
{
    const uint64_t shape = sluice_digest_shape(path, rows, columns);
    return shape +
           sluice_digest_rows(NULL, shape, 0, rows, data, rows > 0 ? bytes / (size_t)rows : 0);
}

uint64_t sluice_digest_share(uint64_t digest)
{
    return mix(mix(2, digest), digest >> 17);
}
