/* Checks of keys together: the interface between check.c and its neighbours check_*.c. */
#ifndef SLUICE_CONFIG_CHECKS_H
#define SLUICE_CONFIG_CHECKS_H
#include "config/reader.h"

void sluice_check_shape(const struct sluice_entry *e);
void sluice_check_motion(const struct sluice_entry *e);
/* check_bodies.c. Of a shape: gives it the number and the name of its body. */
void sluice_check_body_shape(const struct sluice_entry *e);
void sluice_check_body(const struct sluice_entry *e);
void sluice_check_mooring(const struct sluice_entry *e);
void sluice_check_initial(const struct sluice_entry *e);
void sluice_check_probe(const struct sluice_entry *e);
void sluice_check_opening(const struct sluice_entry *e);
/* A name that becomes part of that of a table. */
void sluice_check_file_name(const struct sluice_entry *e, const char *name);
/* Reports those of these outputs of effects (particles/fields.h), named by `key`, that the run does
 * not have. */
void sluice_check_outputs(const struct sluice_entry *e, const char *key, unsigned outputs);

/* The first shape of the group `name`, which `key` of the entry names. -1: no shape, which is an
 * error unless there is a particle file, whose rows may be of the group. */
int sluice_check_find_group(const struct sluice_entry *e, const char *key, const char *name);
int sluice_check_in_group(const struct sluice_config *config, int shape, const char *name);
/* A shape of fluid and a wall cannot share a name. */
void sluice_check_name(const struct sluice_entry *e);
/* Sets the motion of the shapes in the group that a motion carries. 1: it carries a group. */
int sluice_check_carried(const struct sluice_entry *e);
#endif
