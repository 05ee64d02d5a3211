/* Fuzz targets: each reads the bytes of a foreign file as a run would. The reading must end in
 * bounded time, with a status and a message, and must free what it allocated. A target aborts if
 * one of these does not hold; the sanitizers see the rest.
 *
 * `make fuzz SECONDS=60` runs them under libFuzzer; corpus.c reads the inputs that were found
 * before.
 * */
#ifndef SLUICE_TESTS_FUZZ_H
#define SLUICE_TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* A config: read, checked, written out and read again, and made into a case where that is small. */
void fuzz_config(const uint8_t *data, size_t size);

/* A file of particles: a snapshot, a checkpoint (restored, and a step made), or a table. It stands
 * in $TMPDIR meanwhile. FUZZ_SAY=1 in the environment: each status and message. */
void fuzz_snapshot(const uint8_t *data, size_t size);

/* A mesh: STL, OBJ or PLY, read and checked, and distances measured from it. It stands in $TMPDIR
 * meanwhile. FUZZ_SAY=1: as above. */
void fuzz_mesh(const uint8_t *data, size_t size);

/* Whether the case of a config has so few particles and cells that it is made in milliseconds. */
int fuzz_is_small(const struct sluice_config *config);

/* Ends the program, with the reason, unless `holds`. */
void fuzz_require(int holds, const char *reason);
#endif
