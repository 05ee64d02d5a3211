#include "domain/pack.h"

#include <string.h>

sluice_fields sluice_pack_state(const struct sluice_set *set)
{
    sluice_fields fields = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (sluice_field_table[f].life == SLUICE_LIFE_STATE)
            fields |= SLUICE_FIELD_BIT(f);
    return fields & set->fields;
}

size_t sluice_pack_bytes(const struct sluice_set *set, sluice_fields fields)
{
    size_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1)
            bytes += (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
    return bytes;
}

/* Fields of listed particles and a message. */
struct packing {
    const struct sluice_set *set;
    sluice_fields fields;
    const uint32_t *index; /* NULL: the first n */
    int64_t n;
    char *message;
    int packs; /* 0: from the message to the particles */
};

/* The compiler knows the bytes of the usual fields, so each copy is a few instructions. */
#define COPY(size)                                                                                 \
    case size:                                                                                     \
        for (int64_t k = first; k < last; k++) {                                                   \
            char *const in = message + (size) * (size_t)k,                                         \
                        *const of = field + (size) * (size_t)(p->index ? p->index[k] : k);         \
            memcpy(p->packs ? in : of, p->packs ? of : in, (size));                                \
        }                                                                                          \
        break

static void copy_field(const struct packing *p, char *message, char *field, size_t bytes,
                       int64_t first, int64_t last)
{
    switch (bytes) {
        COPY(2);
        COPY(4);
        COPY(6);
        COPY(8);
        COPY(12);
        COPY(16);
        COPY(24);
        COPY(32);
    default:
        for (int64_t k = first; k < last; k++) {
            char *const in = message + bytes * (size_t)k, *const of = field +
                                                                      bytes *
                                                                          (size_t)(p->index
                                                                                       ? p->index[k]
                                                                                       : k);
            memcpy(p->packs ? in : of, p->packs ? of : in, bytes);
        }
    }
}

enum { PARTICLES_A_BLOCK = 2048 };

static void copy_blocks(struct sluice_share *share, void *data)
{
    const struct packing *p = data;
    int64_t first, last;
    while (sluice_share_block(share, p->n, PARTICLES_A_BLOCK, &first, &last)) {
        char *message = p->message;
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            if (!(p->fields >> f & 1))
                continue;
            const size_t bytes = (size_t)sluice_set_field_bytes(p->set, (enum sluice_field)f);
            copy_field(p, message, p->set->field[f], bytes, first, last);
            message += bytes * (size_t)p->n;
        }
    }
}

void sluice_pack(struct sluice_threads *team, const struct sluice_set *set, sluice_fields fields,
                 const uint32_t *index, int64_t n, char *to)
{
    struct packing p = {set, fields, index, n, to, 1};
    sluice_threads_run(team, sluice_blocks(n, PARTICLES_A_BLOCK), copy_blocks, &p);
}

void sluice_unpack(struct sluice_threads *team, const struct sluice_set *set, sluice_fields fields,
                   const uint32_t *index, int64_t n, char *from)
{
    struct packing p = {set, fields, index, n, from, 0};
    sluice_threads_run(team, sluice_blocks(n, PARTICLES_A_BLOCK), copy_blocks, &p);
}
