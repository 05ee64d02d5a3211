/* The common part of the readers of mesh files; for src/files alone. */
#ifndef SLUICE_FILES_MESH_READER_H
#define SLUICE_FILES_MESH_READER_H
#include <stddef.h>

#include "core/status.h"
#include "files/mesh_arrays.h"

struct sluice_mesh_reader {
    const char *path;
    char *text;   /* the whole file, with a 0 behind it; lines are cut off in place */
    size_t bytes; /* of the file */
    char *next;   /* what is to be read */
    long long line;
    struct sluice_mesh *mesh;
    int64_t vertex_capacity, triangle_capacity;
    int has_floats;                /* the coordinates are floats */
    int digits;                    /* the most that a coordinate in a text has */
    struct sluice_mesh_face *face; /* [face_count] of four corners or more */
    int64_t face_count, face_capacity;
};

/* A face that was cut into a fan: its first triangle, and its corners. */
struct sluice_mesh_face {
    int64_t triangle, corners;
};

/* Cuts off the next line, without its end. NULL: there is none. */
char *sluice_mesh_line(struct sluice_mesh_reader *r);
/* Cuts off the next word of a line, up to blanks. NULL: there is none. */
char *sluice_mesh_word(char **rest);
/* Reads three coordinates from a line. Errors: fewer, no numbers, not finite, over 1e9. */
sluice_status sluice_mesh_coordinates(struct sluice_mesh_reader *r, char **rest, double x[3]);
/* Counts the digits of a coordinate, in `digits` of the reader, if they are more than before. */
void sluice_mesh_count_digits(struct sluice_mesh_reader *r, const char *word);
/* Whether coordinates from a binary file can be used. Errors name the byte they are at. */
sluice_status sluice_mesh_check_place(const struct sluice_mesh_reader *r, size_t byte,
                                      const double x[3]);

/* Errors: memory, over 2^31 - 1 of them. */
sluice_status sluice_mesh_add_vertex(struct sluice_mesh_reader *r, const double x[3]);
sluice_status sluice_mesh_add_triangle(struct sluice_mesh_reader *r, int64_t a, int64_t b,
                                       int64_t c);

/* Corner by corner: makes a fan of a face's corners. cut_faces goes over all such faces, once their
 * vertices are known, and cuts those that a fan does not fit. Errors: memory. */
struct sluice_mesh_fan {
    int64_t corners, first, last;
};
sluice_status sluice_mesh_add_corner(struct sluice_mesh_reader *r, struct sluice_mesh_fan *fan,
                                     int64_t vertex);
sluice_status sluice_mesh_cut_faces(const struct sluice_mesh_reader *r);

sluice_status sluice_mesh_read_binary_stl(struct sluice_mesh_reader *r);
sluice_status sluice_mesh_read_ascii_stl(struct sluice_mesh_reader *r);
sluice_status sluice_mesh_read_obj(struct sluice_mesh_reader *r);
sluice_status sluice_mesh_read_ply(struct sluice_mesh_reader *r);
#endif
