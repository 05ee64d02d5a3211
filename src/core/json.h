/* Writes JSON to a stream: objects and arrays with members one a line. Numbers that are not finite
 * become null. */
#ifndef SLUICE_CORE_JSON_H
#define SLUICE_CORE_JSON_H
#include <stdint.h>
#include <stdio.h>

struct sluice_json {
    FILE *out;
    int depth, members; /* open brackets; members written in the innermost */
};

/* key NULL: an element of an array, or the outermost value. `bracket` is '{' or '[', also for
 * `end`, which closes the innermost one. */
void sluice_json_begin(struct sluice_json *json, const char *key, char bracket);
void sluice_json_end(struct sluice_json *json, char bracket);
void sluice_json_text(struct sluice_json *json, const char *key, const char *value);
void sluice_json_real(struct sluice_json *json, const char *key, double value);
void sluice_json_int(struct sluice_json *json, const char *key, int64_t value);
/* null if the value is negative, for unknown. */
void sluice_json_bool(struct sluice_json *json, const char *key, int value);
#endif
