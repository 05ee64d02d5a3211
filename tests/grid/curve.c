/* test: 0.1 s */
/* Hilbert's curve: it visits each cell once, and goes from a cell to one beside it. */
#include "support/tap.h"

#include "kernels/types/curve.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 1 << 12 };

/* The cell at each place; 0 if two cells have one place, or a place is beyond the last. */
static int list_cells(int dim, int bits, uint32_t cell[CELLS_MOST][3])
{
    static char seen[CELLS_MOST];
    const uint32_t cells = UINT32_C(1) << (dim * bits), edge = UINT32_C(1) << bits;
    int good = 1;
    memset(seen, 0, sizeof seen);
    for (uint32_t n = 0; n < cells && good; n++) {
        const uint32_t x[3] = {n % edge, n / edge % edge, n / edge / edge};
        uint32_t changed[3] = {x[0], x[1], x[2]};
        const uint64_t place = curve_place(dim, bits, changed);
        good = place < cells && !seen[place];
        if (good) {
            seen[place] = 1;
            memcpy(cell[place], x, sizeof x);
        }
    }
    return good;
}

static int steps_are_one(int dim, int bits, uint32_t cell[CELLS_MOST][3])
{
    for (uint32_t place = 1; place < UINT32_C(1) << (dim * bits); place++) {
        int away = 0;
        for (int c = 0; c < 3; c++)
            away += abs((int)cell[place][c] - (int)cell[place - 1][c]);
        if (away != 1)
            return 0;
    }
    return 1;
}

int main(void)
{
    static uint32_t cell[CELLS_MOST][3];
    for (int dim = 2; dim <= 3; dim++)
        for (int bits = 1; dim * bits <= 12; bits++) {
            const int each = list_cells(dim, bits, cell);
            ok(each, "%d-D, %d bits: each cell has a place of its own", dim, bits);
            ok(each && steps_are_one(dim, bits, cell), "and consecutive cells lie side by side");
        }
    return done_testing();
}
