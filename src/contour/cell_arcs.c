#include "contour/cell_arcs.h"

void sluice_cell_face(int dimension, int face, int corner[4], int edge[4])
{
    const int a = dimension == 2 ? 2 : face / 2, side = dimension == 2 ? 0 : face % 2;
    const int b = (a + 1) % 3, c = (a + 2) % 3, base = side << a;
    corner[0] = base;
    corner[1] = base | 1 << b;
    corner[2] = base | 1 << b | 1 << c;
    corner[3] = base | 1 << c;
    edge[0] = 4 * b + 2 * side; /* along b: sides of c and a */
    edge[1] = 4 * c + side + 2; /* along c: sides of a and b */
    edge[2] = 4 * b + 1 + 2 * side;
    edge[3] = 4 * c + side;
}

int sluice_cell_alternates(int dimension, unsigned inside, int face)
{
    int corner[4], edge[4];
    sluice_cell_face(dimension, face, corner, edge);
    const unsigned is[4] = {inside >> corner[0] & 1, inside >> corner[1] & 1,
                            inside >> corner[2] & 1, inside >> corner[3] & 1};
    return is[0] == is[2] && is[1] == is[3] && is[0] != is[1];
}

struct links {
    int count[SLUICE_CELL_EDGES], other[SLUICE_CELL_EDGES][2];
};

static void link_edges(struct links *l, int a, int b)
{
    l->other[a][l->count[a]++] = b;
    l->other[b][l->count[b]++] = a;
}

static void link_face(struct links *l, int dimension, int face, unsigned inside, unsigned joined)
{
    int corner[4], edge[4], crossed[4], count = 0;
    sluice_cell_face(dimension, face, corner, edge);
    for (int k = 0; k < 4; k++)
        if ((inside >> corner[k] & 1) != (inside >> corner[(k + 1) % 4] & 1))
            crossed[count++] = edge[k];
    if (count == 2)
        link_edges(l, crossed[0], crossed[1]);
    if (count == 4) {
        const int first = (int)(inside >> corner[0] & 1), is_joined = (int)(joined >> face & 1);
        const int from = sluice_cell_goes_on(first, is_joined, 0) ? 0 : 1;
        link_edges(l, edge[from], edge[from + 1]);
        link_edges(l, edge[from + 2], edge[(from + 3) % 4]);
    }
}

int sluice_cell_arcs(int dimension, unsigned inside, unsigned joined, int arc[SLUICE_CELL_EDGES])
{
    struct links l = {{0}, {{0}}};
    int count = 0;
    for (int face = 0; face < (dimension == 2 ? 1 : 6); face++)
        link_face(&l, dimension, face, inside, joined);
    for (int e = 0; e < SLUICE_CELL_EDGES; e++)
        arc[e] = -1;
    for (int e = 0; e < SLUICE_CELL_EDGES; e++) {
        int at = e, left = l.count[e] > 0 && arc[e] < 0;
        if (!left)
            continue;
        while (left) {
            arc[at] = count;
            left = 0;
            for (int k = 0; k < l.count[at] && !left; k++)
                if (arc[l.other[at][k]] < 0) {
                    at = l.other[at][k];
                    left = 1;
                }
        }
        count++;
    }
    return count;
}
