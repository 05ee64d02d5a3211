/* Particles as bytes of a message: whole fields, one after the other. */
#ifndef SLUICE_DOMAIN_PACK_H
#define SLUICE_DOMAIN_PACK_H
#include <stddef.h>

#include "core/threads.h"
#include "particles/particles.h"

/* The STATE fields that the set has. */
sluice_fields sluice_pack_state(const struct sluice_set *set);

/* Bytes of the fields of one particle. */
size_t sluice_pack_bytes(const struct sluice_set *set, sluice_fields fields);

/* Copies the fields of n listed particles to a message. index NULL: the first n. */
void sluice_pack(struct sluice_threads *team, const struct sluice_set *set, sluice_fields fields,
                 const uint32_t *index, int64_t n, char *to);

/* Copies them from a message to the listed particles. */
void sluice_unpack(struct sluice_threads *team, const struct sluice_set *set, sluice_fields fields,
                   const uint32_t *index, int64_t n, char *from);
#endif
