/* How the rows of the tables of keys are written: for the tables alone. */
#ifndef SLUICE_CONFIG_TABLE_ROWS_H
#define SLUICE_CONFIG_TABLE_ROWS_H
#include <math.h>
#include <stddef.h>

#define BIT(value) (1u << (value))
#define REQUIRED   NAN

#define PARAM(member, path, type, ...)                                                             \
    path, SLUICE_PARAM_##type, offsetof(struct OF, member), __VA_ARGS__
/* member, path, type, default, default text, unit, least, most, choices, sentence, conditions */
#define NAMED_KEY(member, path, type, preset, text, unit, least, most, choices, doc, ...)          \
    {                                                                                              \
        {PARAM(member, path, type, preset, text, unit, least, most, choices, doc)}, __VA_ARGS__    \
    }
/* A key whose path is the name of its member. */
#define KEY(member, ...)   NAMED_KEY(member, #member, __VA_ARGS__)
#define ALWAYS             .length = SLUICE_LENGTH_DIMENSION
#define WHEN(member, bits) .when = {{offsetof(struct OF, member), bits}}
#define WHEN2(member, bits, member2, bits2)                                                        \
    .when = {{offsetof(struct OF, member), bits}, {offsetof(struct OF, member2), bits2}}
#define OR2(member, bits, member2, bits2)                                                          \
    .also = {{offsetof(struct OF, member), bits}, {offsetof(struct OF, member2), bits2}}
#define OR(member, bits) .also = {{offsetof(struct OF, member), bits}}
#define REAL_(member, preset, unit, least, most, doc, ...)                                         \
    KEY(member, REAL, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)
#define INT_(member, preset, unit, least, most, doc, ...)                                          \
    KEY(member, INT, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)
#define BOOL_(member, preset, doc, ...)                                                            \
    KEY(member, BOOL, preset, NULL, "", 0, 1, NULL, doc, __VA_ARGS__)
#define WORD_(member, preset, words, doc, ...)                                                     \
    KEY(member, CHOICE, preset, NULL, "", 0, 0, words, doc, __VA_ARGS__)
#define CHOICE_(member, preset, list, doc, ...)                                                    \
    WORD_(member, preset, list(SLUICE_CHOICES), doc, __VA_ARGS__)
#define TEXT_(member, preset, text, choices, doc, ...)                                             \
    KEY(member, TEXT, preset, text, "", 0, 0, choices, doc, __VA_ARGS__)
#define VECTOR_(member, preset, unit, least, most, doc, ...)                                       \
    KEY(member, VECTOR, preset, NULL, unit, least, most, NULL, doc, __VA_ARGS__)

#define FAR SLUICE_FAR

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))
#endif
