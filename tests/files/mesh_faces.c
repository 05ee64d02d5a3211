/* test: 0.1 s */
/* Faces of four corners or more in mesh files, which are cut into triangles. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files/mesh_file.h"
#include "support/tap.h"

static char path[64];

static void write_text(const char *text)
{
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

static double area_of(const struct sluice_mesh *m)
{
    double sum = 0;
    for (int64_t i = 0; i < m->triangle_count; i++) {
        double u[3], v[3];
        for (int a = 0; a < 3; a++) {
            u[a] = m->vertex[m->triangle[i][1]][a] - m->vertex[m->triangle[i][0]][a];
            v[a] = m->vertex[m->triangle[i][2]][a] - m->vertex[m->triangle[i][0]][a];
        }
        sum += sqrt(pow(u[1] * v[2] - u[2] * v[1], 2) + pow(u[2] * v[0] - u[0] * v[2], 2) +
                    pow(u[0] * v[1] - u[1] * v[0], 2)) /
               2;
    }
    return sum;
}

/* One face through the points (x, y), rotated so that its plane is normal to no axis. Its triangles
 * fill it: their areas add up to that of its outline, and all face the same side. */
static void fills(int n, const double (*x)[2], int concave, const char *what)
{
    struct sluice_mesh m;
    double twice = 0, along[3] = {0, 0, 0};
    FILE *out = fopen(path, "w");
    for (int i = 0; i < n; i++) {
        const double *a = x[i], *b = x[(i + 1) % n];
        twice += a[0] * b[1] - a[1] * b[0];
        fprintf(out, "v %.17g %.17g %.17g\n", (2 * a[0] - a[1]) / 3, (2 * a[1] + 2 * a[0]) / 3,
                (2 * a[1] - a[0]) / 3);
    }
    fputs("f", out);
    for (int i = 0; i < n; i++)
        fprintf(out, " %d", i + 1);
    fclose(out);
    if (!is_int(sluice_mesh_read(&m, path), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    const double u[3] = {2. / 3, 2. / 3, -1. / 3}, v[3] = {-1. / 3, 2. / 3, 2. / 3};
    const double unit = sqrt(pow(u[1] * v[2] - u[2] * v[1], 2) + pow(u[2] * v[0] - u[0] * v[2], 2) +
                             pow(u[0] * v[1] - u[1] * v[0], 2));
    for (int64_t i = 0; i < m.triangle_count; i++)
        for (int a = 0; a < 3; a++) {
            const double *p = m.vertex[m.triangle[i][0]], *q = m.vertex[m.triangle[i][1]],
                         *r = m.vertex[m.triangle[i][2]];
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            along[a] += ((q[b] - p[b]) * (r[c] - p[c]) - (q[c] - p[c]) * (r[b] - p[b])) / 2;
        }
    const double facing = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!ok(fabs(area_of(&m) / (fabs(twice) / 2 * unit) - 1) < 1e-12 &&
                fabs(facing / area_of(&m) - 1) < 1e-12 && m.concave == concave && m.crossed == 0 &&
                m.warped == 0,
            "%s: its triangles fill it", what))
        diag("area %.17g of %.17g, %.17g facing one way, %lld concave, %lld crossed, %lld warped",
             area_of(&m), fabs(twice) / 2 * unit, facing, (long long)m.concave,
             (long long)m.crossed, (long long)m.warped);
    sluice_mesh_destroy(&m);
}

/* Binary STL of one triangle, with bytes behind it. */
static void padding(void)
{
    static const float corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    char data[200] = {0};
    struct sluice_mesh m;
    data[80] = 1;
    memcpy(data + 84 + 12, corner, sizeof corner);
    snprintf(path, sizeof path, "/tmp/sluice-mesh-faces-%d.stl", (int)getpid());
    for (size_t size = 133; size <= 200; size += size == 133 ? 1 : 33) {
        FILE *out = fopen(path, "w");
        fwrite(data, 1, size, out);
        fclose(out);
        const sluice_status status = sluice_mesh_read(&m, path);
        if (size < 134) {
            ok(status == SLUICE_BAD_INPUT && strstr(sluice_message(), "cut off"), "cut off");
            continue;
        }
        is_int(status, SLUICE_OK, "as long as it claims, or longer");
        ok(m.triangle_count == 1 && m.unread == (int64_t)size - 134, "%lld bytes are not read",
           (long long)m.unread);
        sluice_mesh_destroy(&m);
    }
    unlink(path);
}

int main(void)
{
    static const double ell[6][2] = {{1, 0}, {1, 1}, {2, 1}, {2, 2}, {0, 2}, {0, 0}},
                        dart[4][2] = {{0, 0}, {2, 1}, {0, 2}, {0.5, 1}},
                        ring[10][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0},
                                       {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}},
                        comb[9][2] = {{3, 1}, {3, 2},   {0, 2}, {0, 0},  {0.5, 1},
                                      {1, 0}, {1.5, 1}, {2, 0}, {2.5, 1}};
    double star[60][2], back[60][2], whorl[40][2];
    unsigned seed = 3;
    snprintf(path, sizeof path, "/tmp/sluice-mesh-faces-%d.obj", (int)getpid());
    fills(6, ell, 1, "an L");
    fills(4, dart, 1, "a dart, from its tip");
    const double other[4][2] = {{2, 1}, {0, 2}, {0.5, 1}, {0, 0}};
    fills(4, other, 0, "from the opposite corner");
    const double beside[4][2] = {{0, 2}, {0.5, 1}, {0, 0}, {2, 1}};
    fills(4, beside, 1, "from a corner beside its notch");
    fills(10, ring, 1, "a ring with a bridge to its hole");
    fills(9, comb, 1, "a comb, with corners on straight lines");
    for (int i = 0; i < 60; i++) {
        seed = seed * 1103515245 + 12345;
        const double r = 0.2 + (seed >> 16) % 1000 / 1000., angle = 6.283185307179586 * i / 60;
        star[i][0] = r * cos(angle);
        star[i][1] = r * sin(angle);
        memcpy(back[59 - i], star[i], sizeof star[i]);
    }
    fills(60, (const double(*)[2])star, 1, "a star of 60 corners");
    fills(60, (const double(*)[2])back, 1, "the other way round");
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 2; k++) {
            const double r = 1 + 0.1 * i + 0.3 * k, angle = 0.7 * i;
            whorl[k ? 39 - i : i][0] = r * cos(angle);
            whorl[k ? 39 - i : i][1] = r * sin(angle);
        }
    fills(40, (const double(*)[2])whorl, 1, "a spiral");

    struct sluice_mesh m;
    static const char bow[] = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1.5 0\nf 1 2 3 4\n",
                      warped[] = "v 0 0 0\nv 1 0 0\nv 1 1 0.2\nv 0 1 0\nf 1 2 3 4\n";
    write_text(bow);
    is_int(sluice_mesh_read(&m, path), SLUICE_OK, "a face that crosses itself");
    ok(m.crossed == 1 && m.triangle_count == 2, "is counted, and left as a fan");
    sluice_mesh_destroy(&m);
    write_text(warped);
    is_int(sluice_mesh_read(&m, path), SLUICE_OK, "a face that is not flat");
    ok(m.warped == 1 && fabs(m.warped_by - 0.05) < 1e-3 && fabs(m.warped_at[2] - 0.05) < 1e-12,
       "is counted, with the distance of its corners from its plane: %g", m.warped_by);
    sluice_mesh_destroy(&m);
    unlink(path);
    padding();
    return done_testing();
}
