/* Fields on a grid as VTKHDF ImageData, which ParaView opens from 5.11 on. Written layer by layer,
 * or row by row, under a temporary name. */
#ifndef SLUICE_MEASURE_IMAGE_FILE_H
#define SLUICE_MEASURE_IMAGE_FILE_H
#include <hdf5.h>

#include "files/safe_file_hdf5.h"
#include "measure/places.h"
#include "measure/reduce.h"

struct sluice_image_file {
    const struct sluice_places *places; /* a grid, borrowed */
    const struct sluice_measure_layout *layout;
    struct sluice_safe_hdf5 file;
    hid_t dataset[SLUICE_LAYOUT_ARRAYS];
    float *block;     /* the numbers of an array */
    int64_t capacity; /* of `block`, places */
};

/* Creates a file with the datasets of the layout; `path` must live until it is closed. Errors:
 * those of writing. */
sluice_status sluice_image_file_create(struct sluice_image_file *image, const char *path,
                                       const struct sluice_places *places,
                                       const struct sluice_measure_layout *layout, double time,
                                       int64_t step);

/* Writes places first .. first + count - 1: whole rows of one layer, or whole layers. values
 * [count][layout->columns]. */
sluice_status sluice_image_file_block(struct sluice_image_file *image, int64_t first, int64_t count,
                                      const double *values);

/* Closes. If `outcome` is OK the file is whole, and waits under its temporary name image->file
 * .temporary; otherwise it is removed. Returns the outcome, or what failed. */
sluice_status sluice_image_file_close(struct sluice_image_file *image, sluice_status outcome);
#endif
