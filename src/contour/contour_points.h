/* Where the points of a contour lie. */
#ifndef SLUICE_CONTOUR_CONTOUR_POINTS_H
#define SLUICE_CONTOUR_CONTOUR_POINTS_H
#include "contour/contour.h"

/* Places the points of all cells. Errors: memory. */
sluice_status sluice_contour_place(struct sluice_contour *contour);
#endif
