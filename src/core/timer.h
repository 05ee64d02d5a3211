/* Seconds by section of the time step: the table at the end of a run. */
#ifndef SLUICE_CORE_TIMER_H
#define SLUICE_CORE_TIMER_H

/* Seconds of a monotonic clock, and of the process on all its processors. */
double sluice_seconds(void);
double sluice_processor_seconds(void);

#define SLUICE_SECTIONS(X)                                                                         \
    X(KICK_DRIFT, "kick and drift")                                                                \
    X(BIN, "bins and sort")                                                                        \
    X(EXCHANGE, "exchange")                                                                        \
    X(POINTWISE, "prediction, body forces")                                                        \
    X(WALLS, "walls from fluid")                                                                   \
    X(PAIRS, "pair loop")                                                                          \
    X(KICK, "second kick")                                                                         \
    X(REDUCE, "reduction")                                                                         \
    X(OUTPUT, "output")

enum sluice_section {
#define X(name, text) SLUICE_SECTION_##name,
    SLUICE_SECTIONS(X)
#undef X
        SLUICE_SECTION_COUNT
};

struct sluice_timers {
    double seconds[SLUICE_SECTION_COUNT];
    double begun[SLUICE_SECTION_COUNT];
    void (*mark)(void *data,
                 int section); /* called with a section when it begins, -1 when it ends; or NULL */
    void *mark_data;
};
extern const char *const sluice_section_names[SLUICE_SECTION_COUNT];

void sluice_section_begin(struct sluice_timers *t, enum sluice_section section);
void sluice_section_end(struct sluice_timers *t, enum sluice_section section);

/* SLUICE_TRY with the clock of one section around the call. */
#define SLUICE_TIMED(timers, section, call)                                                        \
    do {                                                                                           \
        sluice_section_begin((timers), SLUICE_SECTION_##section);                                  \
        const sluice_status timed_ = (call);                                                       \
        sluice_section_end((timers), SLUICE_SECTION_##section);                                    \
        if (timed_ != SLUICE_OK)                                                                   \
            return timed_;                                                                         \
    } while (0)
#endif
