/* The host's C headers, for GPU files: with C linkage. The standard headers come first, since they
 * must not have it. */
#ifndef SLUICE_KERNELS_GPU_C_HEADERS_H
#define SLUICE_KERNELS_GPU_C_HEADERS_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/platform.h"
extern "C" {
#include "backend/backend.h"
#include "core/status.h"
#include "core/threads.h"
#include "core/timer.h"
#include "domain/domain.h"
#include "domain/pack.h"
#include "grid/grid.h"
#include "kernels/registry.h"
#include "backend/particle_list.h"
#include "particles/columns.h"
#include "particles/particles.h"
}
#endif
