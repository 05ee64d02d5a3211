#include "core/timer.h"

#include <time.h>

const char *const sluice_section_names[SLUICE_SECTION_COUNT] = {
#define X(name, text) text,
    SLUICE_SECTIONS(X)
#undef X
};

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sluice_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double sluice_processor_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

void sluice_section_begin(struct sluice_timers *t, enum sluice_section section)
{
    if (t->mark)
        t->mark(t->mark_data, (int)section);
    t->begun[section] = sluice_seconds();
}

void sluice_section_end(struct sluice_timers *t, enum sluice_section section)
{
    t->seconds[section] += sluice_seconds() - t->begun[section];
    if (t->mark)
        t->mark(t->mark_data, -1);
}
