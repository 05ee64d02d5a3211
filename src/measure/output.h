/* Where measurements go: one table (CSV), or images with their list: BASE_000012.hdf, of the same
 * number as the snapshot, and BASE.hdf.series; of reductions one image, BASE.hdf. */
#ifndef SLUICE_MEASURE_OUTPUT_H
#define SLUICE_MEASURE_OUTPUT_H
#include "files/write_csv.h"
#include "measure/image_file.h"
#include "snapshots/series.h"

enum { SLUICE_MEASURE_PATH = 4096 };

struct sluice_measure_output {
    const struct sluice_places *places; /* borrowed, as the layout */
    const struct sluice_measure_layout *layout;
    int is_image, is_reduced;
    char path[SLUICE_MEASURE_PATH]; /* of the table, the only image, or the list */
    int64_t files;                  /* images written */
    double *row;                    /* a row of the table */
    struct sluice_csv csv;
    struct sluice_image_file image;
    char folder[SLUICE_MEASURE_PATH], name[256]; /* of the images: FOLDER/NAME_000012.hdf */
    char prefix[256], list[256], image_path[SLUICE_MEASURE_PATH];
    struct sluice_numbered_files numbered;
    struct sluice_series_kind kind;
    struct sluice_series series;
};

/* What the numbers that follow are of. */
struct sluice_measure_moment {
    int64_t number, step; /* of the snapshot's file; of the run */
    double time;          /* s */
};

/* Whether a table or an image may be written at a path: nothing is there, or a file that begins as
 * one does, and no file of a run has such a name. Errors (SLUICE_BAD_INPUT) name what is there. */
sluice_status sluice_measure_may_write(const char *path);

/* Opens the output of a path that ends with ".csv" or ".hdf". Replaces an earlier output of this
 * path, with the images that its list names. layout, places: set in `out` before, with is_reduced.
 * Errors (SLUICE_BAD_INPUT): another ending; images of points or a line; a file of another kind is
 * there. */
sluice_status sluice_measure_output_open(struct sluice_measure_output *out, const char *path);

/* begin, blocks of all places in their order, end. */
sluice_status sluice_measure_output_begin(struct sluice_measure_output *out,
                                          const struct sluice_measure_moment *moment);
sluice_status sluice_measure_output_block(struct sluice_measure_output *out,
                                          const struct sluice_measure_moment *moment, int64_t first,
                                          int64_t count, const double *values);
/* Takes the status of all before, and returns it or the error of its own. */
sluice_status sluice_measure_output_end(struct sluice_measure_output *out,
                                        const struct sluice_measure_moment *moment,
                                        sluice_status status);

/* Closes; returns `status` or what failed. */
sluice_status sluice_measure_output_close(struct sluice_measure_output *out, sluice_status status);
#endif
