/* Tables of measured motions, and of an acceleration: CSV files with a column t and columns of x,
 * y, z, of a motion also angle. */
#ifndef SLUICE_MOTION_MOTION_TABLE_H
#define SLUICE_MOTION_MOTION_TABLE_H
#include "motion/motion.h"

/* Prepares the motions of the config (borrowed): reads their tables, and makes their waves. Errors,
 * which leave *motions empty: a table that is missing, wrong (with its line), or does not reach
 * from t = 0 to time.end; those of sluice_wave_table_read and sluice_wave_maker_create. */
sluice_status sluice_motions_read(struct sluice_motions *motions,
                                  const struct sluice_config *config);

/* Digest of all tables, 16 hexadecimal digits: a restart must find the same tables. */
enum { SLUICE_MOTION_DIGEST = 17 };
void sluice_motions_digest(const struct sluice_motions *motions, char text[SLUICE_MOTION_DIGEST]);
#endif
