/* The bodies of a snapshot: /Bodies, from which a new run goes on with them. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_BODIES_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_BODIES_H
#include <hdf5.h>

#include "core/param.h"
#include "core/status.h"

/* A body at the time of the snapshot; config coordinates, world axes. */
struct sluice_snapshot_body {
    char name[SLUICE_TEXT_MAX];
    double start[3];    /* centre of mass where its shapes lie, m */
    double centre[3];   /* now; along a periodic axis it counts on, m */
    double q[4];        /* unit quaternion of the rotation from its shapes */
    double turned;      /* in 2-D its angle, whole turns included, rad */
    double velocity[3]; /* of the centre, m/s */
    double spin[3];     /* angular velocity, 1/s */
};

/* Errors: those of the file. */
sluice_status sluice_snapshot_write_bodies(hid_t file, const struct sluice_snapshot_body *body,
                                           int count);

/* The bodies of an open file; the caller frees *body. *count -1: the file has no such list, as one
 * of an older program or of a case without bodies. Errors (SLUICE_IO): numbers that are missing or
 * not finite. */
sluice_status sluice_snapshot_take_bodies(hid_t file, struct sluice_snapshot_body **body,
                                          int *count);
#endif
