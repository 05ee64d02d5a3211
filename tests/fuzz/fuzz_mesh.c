#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/vector.h"
#include "fuzz/fuzz.h"
#include "solids/solid.h"

enum { PLACES = 8 };

/* Distances are finite numbers, equal to the length of the vector to the surface, which ends in the
 * mesh's box. */
static void measure(const struct sluice_solid *solid)
{
    double size = 0;
    for (int a = 0; a < 3; a++)
        size = fmax(size, solid->high[a] - solid->low[a]);
    for (int i = 0; i < PLACES; i++) {
        double x[3], way[3], end[3];
        for (int a = 0; a < 3; a++) {
            const double share = fmod(0.13 + 0.37 * i + 0.61 * a * i, 1.5) - 0.25;
            x[a] = solid->low[a] + share * (solid->high[a] - solid->low[a]);
        }
        const double distance = sluice_solid_distance(solid, x, way), length = sluice_norm(way);
        fuzz_require(fabs(fabs(distance) - length) <= 1e-9 * size,
                     "a distance is not as long as the way");
        for (int a = 0; a < 3; a++) {
            end[a] = x[a] + way[a];
            fuzz_require(end[a] >= solid->low[a] - 1e-9 * size &&
                             end[a] <= solid->high[a] + 1e-9 * size,
                         "the nearest point is not in the mesh's box");
        }
    }
}

static void read_mesh(const char *path)
{
    struct sluice_config config = {.dimension = 3, .spacing = 0.1, .domain = {.max = {1, 1, 1}}};
    struct sluice_shape shape = {.kind = SLUICE_SHAPE_MESH, .scale = 1};
    struct sluice_warnings warnings = {0};
    struct sluice_solid solid;
    snprintf(shape.surface, sizeof shape.surface, "%s", path);
    const sluice_status status = sluice_solid_create(&solid, &config, &shape, &warnings);
    if (getenv("FUZZ_SAY"))
        fprintf(stderr, "status %d, %lld warnings: %s\n", (int)status, (long long)warnings.count,
                status == SLUICE_OK ? "" : sluice_message());
    fuzz_require(status == SLUICE_OK || *sluice_message(), "a failure has no message");
    if (status != SLUICE_OK)
        return;
    measure(&solid);
    sluice_solid_destroy(&solid);
}

/* Text without a signature is OBJ. */
void fuzz_mesh(const uint8_t *data, size_t size)
{
    const int is_stl = memchr(data, 0, size) || (size >= 5 && memcmp(data, "solid", 5) == 0);
    const char *folder = getenv("TMPDIR"), *suffix = is_stl ? ".stl" : ".obj";
    char path[512];
    snprintf(path, sizeof path, "%s/sluice-fuzz-XXXXXX%s", folder ? folder : "/tmp", suffix);
    const int descriptor = mkstemps(path, 4);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        exit(1);
    read_mesh(path);
    close(descriptor);
    unlink(path);
}
