/* Where measurements go: one table (CSV), or images with their list: BASE_000012.hdf, of the same
 * number as the snapshot, and BASE.hdf.series; of reductions one image, BASE.hdf.
 *
 * All files have temporary names until the measurement has succeeded: an error leaves an earlier
 * measurement of the name as it was. */
#ifndef SLUICE_MEASURE_OUTPUT_H
#define SLUICE_MEASURE_OUTPUT_H
#include "files/write_csv.h"
#include "measure/image_file.h"
#include "snapshots/series.h"

enum { SLUICE_MEASURE_PATH = 4096 };

/* A table. It replaces an earlier one when it is closed with SLUICE_OK. */
struct sluice_measure_table {
    struct sluice_csv csv;
    char path[SLUICE_MEASURE_PATH], temporary[SLUICE_MEASURE_PATH];
};
/* Errors (SLUICE_BAD_INPUT): a file of another kind is there. */
sluice_status sluice_measure_table_open(struct sluice_measure_table *table, const char *path,
                                        const char *header, int digits);
/* Returns `status` or what failed. */
sluice_status sluice_measure_table_close(struct sluice_measure_table *table, sluice_status status);

/* The columns of a place, which come before those of the layout. */
extern const struct sluice_column sluice_place_columns[];

struct sluice_measure_output {
    const struct sluice_places *places; /* borrowed, as the layout */
    const struct sluice_measure_layout *layout;
    int is_image, is_reduced;
    char path[SLUICE_MEASURE_PATH]; /* of the table, the only image, or the list */
    double *row;                    /* a row of the table */
    struct sluice_measure_table table;
    struct sluice_image_file image;
    int64_t images, capacity; /* that are whole, under their temporary names */
    struct sluice_new_image {
        char temporary[SLUICE_MEASURE_PATH];
        int64_t number; /* of the snapshot */
        double time;    /* s */
    } * new_image;
    char folder[SLUICE_MEASURE_PATH], name[256]; /* of the images: FOLDER/NAME_000012.hdf */
    char prefix[256], list[256], image_path[SLUICE_MEASURE_PATH];
    struct sluice_numbered_files numbered;
    struct sluice_series_kind kind;
    struct sluice_series earlier; /* the images that an earlier list names */
};

/* The source of the numbers that follow. */
struct sluice_measure_moment {
    int64_t number, step; /* of the snapshot's file; of the run */
    double time;          /* s */
};

/* Opens the output of a path that ends with ".csv" or ".hdf". layout, places: set in `out` before,
 * with is_reduced. Errors (SLUICE_BAD_INPUT): another ending; images of points or a line; a file of
 * another kind is there. */
sluice_status sluice_measure_output_open(struct sluice_measure_output *out, const char *path);

/* Whether the image of a snapshot may be written: nothing is there, or an earlier list names it. */
sluice_status sluice_measure_output_allows(const struct sluice_measure_output *out, int64_t number);

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

/* Closes, and with SLUICE_OK puts all files in place, instead of an earlier output of this path and
 * the images that its list names. Returns `status` or what failed. */
sluice_status sluice_measure_output_close(struct sluice_measure_output *out, sluice_status status);
#endif
