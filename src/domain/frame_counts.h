/* How many particles of each type are in each frame, before there is a table of frames. */
#ifndef SLUICE_DOMAIN_FRAME_COUNTS_H
#define SLUICE_DOMAIN_FRAME_COUNTS_H
#include "grid/grid.h"
#include "particles/particles.h"

struct sluice_frame_count {
    int32_t frame[3];
    int64_t particles[SLUICE_TYPE_COUNT]; /* all 0: a free slot */
};

/* A hash of frames. A zeroed struct is valid and empty. */
struct sluice_frame_counts {
    int64_t used, slots; /* frames with particles; a power of two, or 0 */
    struct sluice_frame_count *slot;
};

/* Adds the n > 0 particles of a type. Errors: memory. */
sluice_status sluice_frame_counts_add(struct sluice_frame_counts *c, enum sluice_type type,
                                      const struct sluice_place *place, int64_t n);
/* Adds n frames with their particles; free slots among them are skipped. Errors: memory. */
sluice_status sluice_frame_counts_join(struct sluice_frame_counts *c,
                                       const struct sluice_frame_count *frame, int64_t n);
void sluice_frame_counts_destroy(struct sluice_frame_counts *c);

/* Lists the c->used frames; the caller frees. */
sluice_status sluice_frame_counts_list(const struct sluice_frame_counts *c, int32_t (**frame)[3]);

/* Rebuilds the grid's table for these frames. Errors: as sluice_grid_set_frames. */
sluice_status sluice_frame_counts_set(const struct sluice_frame_counts *c,
                                      struct sluice_grid *grid);
#endif
