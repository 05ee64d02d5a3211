/* Checks of keys together: the interface between check.c, check_lists.c and check_groups.c. */
#ifndef SLUICE_CONFIG_CHECKS_H
#define SLUICE_CONFIG_CHECKS_H
#include "config/reader.h"

/* Settings of water that physics does not allow together. The check's message and docs/config.md
 * are made of these rows; holds is NULL behind the last one. */
struct sluice_refusal {
    int (*holds)(const struct sluice_config *c);
    unsigned without;   /* SLUICE_WALL_...: only at walls that lack this property; 0: always */
    const char *key;    /* the message names it */
    const char *what;   /* what is refused, in Markdown; at such walls or together */
    const char *reason; /* of walls: what they do */
    const char *remedy;
};
extern const struct sluice_refusal sluice_refusals[];

void sluice_check_shape(const struct sluice_entry *e);
void sluice_check_motion(const struct sluice_entry *e);
/* check_bodies.c. Of a shape: gives it the number and the name of its body. */
void sluice_check_body_shape(const struct sluice_entry *e);
void sluice_check_body(const struct sluice_entry *e);
void sluice_check_mooring(const struct sluice_entry *e);
void sluice_check_initial(const struct sluice_entry *e);
void sluice_check_probe(const struct sluice_entry *e);

/* The first shape of the group `name`, which `key` of the entry names. -1: no shape, which is an
 * error unless there is a particle file, whose rows may be of the group. */
int sluice_check_find_group(const struct sluice_entry *e, const char *key, const char *name);
int sluice_check_in_group(const struct sluice_config *config, int shape, const char *name);
/* A shape of fluid and a wall cannot share a name. */
void sluice_check_name(const struct sluice_entry *e);
/* Sets the motion of the shapes in the group that a motion carries. 1: it carries a group. */
int sluice_check_carried(const struct sluice_entry *e);
#endif
