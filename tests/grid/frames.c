/* test: 0.1 s */
/* Frames: places and coordinates, the table of frames, bins of a frame. */
#include "support/tap.h"

#include "grid/grid.h"

static struct sluice_grid_options box(int dimension, double length, double cutoff)
{
    struct sluice_grid_options o = {.dimension = dimension,
                                    .cutoff = cutoff,
                                    .frame_cutoffs = 10,
                                    .bins_per_cutoff = {12.8, 3.2, 3.2}};
    for (int c = 0; c < 3; c++)
        o.high[c] = length;
    return o;
}

static void open_axes(void)
{
    struct sluice_grid_options o = box(3, 10, 0.1);
    struct sluice_grid g;
    struct sluice_place p;
    const double x[3] = {-0.37, 3.1, 9.99};
    double back[3];

    ok(sluice_grid_create(&g, &o) == SLUICE_OK, "a grid of open axes");
    is_close(g.width[0], 1.0, 0, "10 cutoffs of 0.1, in 8 bits");
    ok(g.bins_log2[0] == 7 && g.bins_log2[1] == 5,
       "12.8 and 3.2 bins a cutoff: 128 and 32 a frame");
    sluice_grid_place(&g, x, &p);
    ok(p.frame[0] == -1 && p.frame[1] == 3 && p.frame[2] == 9,
       "frame indices, negative below the domain");
    is_close(p.offset[0], 0.13, 1e-15, "offset from the frame's centre");
    sluice_grid_coordinates(&g, &p, back);
    ok(fabs(back[0] - x[0]) < 1e-15 && fabs(back[1] - x[1]) < 1e-15 && fabs(back[2] - x[2]) < 1e-14,
       "and back");
    sluice_grid_destroy(&g);

    o.shift[0] = 1000000, o.shift[2] = -1000000;
    struct sluice_place q;
    ok(sluice_grid_create(&g, &o) == SLUICE_OK, "the same, shifted");
    sluice_grid_place(&g, x, &q);
    ok(q.frame[0] == p.frame[0] + 1000000 && q.frame[1] == p.frame[1] &&
           q.frame[2] == p.frame[2] - 1000000,
       "frame_shift is in the index");
    ok(memcmp(q.offset, p.offset, sizeof p.offset) == 0, "and changes no bit of an offset");
    sluice_grid_coordinates(&g, &q, back);
    is_close(back[0], x[0], 1e-15, "coordinates are the config's, without the shift");
    sluice_grid_destroy(&g);

    ok(sluice_grid_create(&g, &o) == SLUICE_OK && sluice_grid_holds(&g, x) &&
           !sluice_grid_holds(&g, (double[3]){0, -2e9, 0}) &&
           !sluice_grid_holds(&g, (double[3]){0, 0, NAN}),
       "a place billions of frames away has no frame");
    sluice_grid_destroy(&g);

    o.high[0] = 1e12;
    ok(sluice_grid_create(&g, &o) == SLUICE_BAD_INPUT && strstr(sluice_message(), "frame indices"),
       "a domain of too many frames: %s", sluice_message());
}

static void periodic_axes(void)
{
    struct sluice_grid_options o = box(2, 3.0, 0.1);
    struct sluice_grid g;
    struct sluice_place p;
    double x[3];
    o.periodic[0] = 1;
    o.shift[0] = 7;
    ok(sluice_grid_create(&g, &o) == SLUICE_OK, "a grid with a periodic axis");
    ok(g.wrap[0] == 3 && g.first[0] == 7, "3 frames make the period");
    is_close(g.width[0], 1.0, 0, "each a third of the period");
    sluice_grid_place(&g, (double[3]){-0.25, 0.5, 0}, &p);
    ok(p.frame[0] == 9, "a coordinate below the period wraps to its last frame");
    sluice_grid_coordinates(&g, &p, x);
    is_close(x[0], 2.75, 1e-15, "and comes back within the period");
    sluice_grid_place(&g, (double[3]){-1e-18, 0, 0}, &p);
    ok(p.frame[0] >= 7 && p.frame[0] <= 9, "a tiny negative coordinate stays in the period");
    const int32_t occupied[1][3] = {{7, 0, 0}};
    ok(sluice_grid_set_frames(&g, occupied, 1) == SLUICE_OK, "a table of one occupied frame");
    ok(g.frame_count == 9, "it and its neighbours in the plane");
    const int32_t slot = sluice_grid_find_frame(&g, (const int32_t[3]){7, 0, 0});
    const int32_t left = g.neighbour[slot][13 - 1];
    ok(left >= 0 && g.frame[left][0] == 9, "the left neighbour of the first frame is the last");
    ok(sluice_grid_find_frame(&g, (const int32_t[3]){10, 0, 0}) == slot,
       "an index beyond the period is found wrapped");
    sluice_grid_destroy(&g);

    o = box(2, 3.975, 0.1); /* 39.75 cutoffs */
    o.periodic[0] = 1;
    o.frame_cutoffs = 8;
    o.bins_per_cutoff[0] = 16;
    ok(sluice_grid_create(&g, &o) == SLUICE_OK, "a period that is no multiple of 8 cutoffs");
    ok(g.wrap[0] == 5 && g.bins_log2[0] == 7,
       "frames a little narrower than that, whose bins fit: %d of 7.95 cutoffs", (int)g.wrap[0]);
    sluice_grid_destroy(&g);
    o.high[0] = 3.6;
    ok(sluice_grid_create(&g, &o) == SLUICE_OK, "one of 36");
    ok(g.wrap[0] == 2 && g.bins_log2[0] == 8,
       "%d of 18 and not 5 of 7.2, with which a cutoff would take more bins", (int)g.wrap[0]);
    sluice_grid_destroy(&g);

    o = box(2, 0.2, 0.1);
    o.periodic[0] = o.periodic[1] = 1;
    ok(sluice_grid_create(&g, &o) == SLUICE_OK && g.wrap[0] == 1,
       "a period of exactly two cutoffs: one frame");
    ok(sluice_grid_set_frames(&g, (const int32_t[1][3]){{0, 0, 0}}, 1) == SLUICE_OK &&
           g.frame_count == 1 && g.neighbour[0][12] == 0 && g.neighbour[0][14] == 0,
       "that is its own neighbour");
    sluice_grid_destroy(&g);
    o.high[0] = 0.19;
    ok(sluice_grid_create(&g, &o) == SLUICE_BAD_INPUT, "less than two cutoffs is refused: %s",
       sluice_message());
}

static void table_of_frames(void)
{
    struct sluice_grid_options o = box(3, 1000, 0.1);
    struct sluice_grid g;
    const int32_t a[3][3] = {{5, 5, 5}, {90, 5, 5}, {5, 5, 5}}, b[2][3] = {{90, 5, 5}, {5, 5, 5}};
    sluice_grid_create(&g, &o);
    sluice_grid_set_frames(&g, a, 3);
    ok(g.frame_count == 54 && g.version == 1,
       "two far frames: 27 entries each, however large the domain is");
    int32_t copy[54][3];
    memcpy(copy, g.frame, sizeof copy);
    sluice_grid_set_frames(&g, b, 2);
    ok(memcmp(copy, g.frame, sizeof copy) == 0,
       "the order in which they were found does not matter");
    int sorted = 1;
    for (int i = 1; i < g.frame_count; i++)
        sorted &= g.frame[i - 1][2] < g.frame[i][2] ||
                  (g.frame[i - 1][2] == g.frame[i][2] &&
                   (g.frame[i - 1][1] < g.frame[i][1] ||
                    (g.frame[i - 1][1] == g.frame[i][1] && g.frame[i - 1][0] < g.frame[i][0])));
    ok(sorted, "slots ascend in (z, y, x)");
    int wrong = 0;
    for (int s = 0; s < g.frame_count; s++)
        for (int k = 0; k < 27; k++) {
            const int32_t index[3] = {g.frame[s][0] + k % 3 - 1, g.frame[s][1] + k / 3 % 3 - 1,
                                      g.frame[s][2] + k / 9 - 1};
            wrong += g.neighbour[s][k] != sluice_grid_find_frame(&g, index);
        }
    ok(wrong == 0, "every neighbour is the slot of its index, -1 where there is none");
    uint8_t keep[54] = {0};
    int32_t new_slot[54];
    memcpy(copy, g.frame, sizeof copy);
    keep[sluice_grid_find_frame(&g, a[1])] = 1;
    wrong = sluice_grid_keep_frames(&g, keep, new_slot) != SLUICE_OK || g.frame_count != 27;
    for (int s = 0; s < 54; s++)
        wrong += new_slot[s] != sluice_grid_find_frame(&g, copy[s]);
    ok(wrong == 0 && sluice_grid_find_frame(&g, a[0]) == -1,
       "a frame that is kept stays with its neighbours, and every old slot knows its new one");
    sluice_grid_destroy(&g);
}

static void levels(void)
{
    struct sluice_grid_options o = box(3, 10, 0.1);
    struct sluice_grid g;
    int bounded = 1, nested = 1, last = 0;
    sluice_grid_create(&g, &o);
    for (int64_t n = 1; n < 1000000; n += n / 7 + 1) {
        int log2_bins[3];
        sluice_grid_level(&g, n, log2_bins);
        const int total = log2_bins[0] + log2_bins[1] + log2_bins[2];
        bounded &= (int64_t)1 << total <= 4 * n;
        nested &= total >= last && log2_bins[0] <= g.bins_log2[0] && log2_bins[1] <= g.bins_log2[1];
        last = total;
    }
    ok(bounded, "at most 4 bins a particle");
    ok(nested && last == 7 + 5 + 5, "more particles, finer bins, up to the finest");
    sluice_grid_destroy(&g);
}

int main(void)
{
    open_axes();
    periodic_axes();
    table_of_frames();
    levels();
    return done_testing();
}
