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
uint64_t sluice_digest_rows(uint64_t shape, int64_t first, int64_t rows, const void *data,
                            size_t bytes)
{
    uint64_t sum = 0;
    for (int64_t done = 0; done < rows; done += SLUICE_DIGEST_ROWS) {
        const int64_t more = rows - done < SLUICE_DIGEST_ROWS ? rows - done : SLUICE_DIGEST_ROWS;
        sum += sluice_digest_share(digest_bytes(mix(shape, (uint64_t)(first + done)),
                                                (const unsigned char *)data + (size_t)done * bytes,
                                                (size_t)more * bytes));
    }
    return sum;
}

uint64_t sluice_digest(const char *path, int64_t rows, int columns, const void *data, size_t bytes)
{
    const uint64_t shape = sluice_digest_shape(path, rows, columns);
    return shape + sluice_digest_rows(shape, 0, rows, data, rows > 0 ? bytes / (size_t)rows : 0);
}

uint64_t sluice_digest_share(uint64_t digest)
{
    return mix(mix(2, digest), digest >> 17);
}
