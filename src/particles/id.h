/* The id of a particle, for life: it says who the particle is. It has 32 bits, or 64 in a build
 * with IDS=64. The particles of one rank are counted in 32 bits in either build. */
#ifndef SLUICE_PARTICLES_ID_H
#define SLUICE_PARTICLES_ID_H
#include <stdint.h>

/* Ids go from 0 to SLUICE_ID_MAX, and a case has at most so many particles. Sums over ranks and
 * devices carry ids as doubles, which hold whole numbers of 53 bits. */
#ifdef SLUICE_IDS_64
typedef uint64_t sluice_id;
#define SLUICE_ID_MAX      UINT64_C(9007199254740991)
#define SLUICE_ID_MAX_TEXT "9007199254740991"
#define SLUICE_ID_REMEDY   ""
#define SLUICE_ID_HDF5     H5T_NATIVE_UINT64
enum { SLUICE_ID_BITS = 53 };
#else
typedef uint32_t sluice_id;
#define SLUICE_ID_MAX      UINT32_C(4294967295)
#define SLUICE_ID_MAX_TEXT "4294967295"
#define SLUICE_ID_REMEDY   "; a program built with `make IDS=64` has larger ids"
#define SLUICE_ID_HDF5     H5T_NATIVE_UINT32
enum { SLUICE_ID_BITS = 32 };
#endif
#endif
