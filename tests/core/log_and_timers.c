/* test: 0.1 s */
/* Status, log, timers and the nearest word. */
#include "support/tap.h"

#include "core/log.h"
#include "core/nearest_word.h"
#include "core/status.h"
#include "core/timer.h"
#include "core/waiting.h"

static sluice_status fails(int value)
{
    SLUICE_CHECK(value < 3, SLUICE_BAD_INPUT, "value %d, at most %d; make it smaller", value, 3);
    return SLUICE_OK;
}

static sluice_status passes_on(int value)
{
    SLUICE_TRY(fails(value));
    return SLUICE_OK;
}

static void clear_line(void *count)
{
    ++*(int *)count;
}

static void test_nearest_word(void)
{
    static const char *const words[] = {"density", "spacing"};
    const char *nearest;
    char word[201];
    ok(sluice_nearest_word("spcaing", words, 2, &nearest) && strcmp(nearest, "spacing") == 0,
       "a word with two letters swapped is found");
    const char *const lists[] = {"bodies", "probes"};
    ok(sluice_nearest_word("body", lists, 2, &nearest) && strcmp(nearest, "bodies") == 0,
       "the plural is near");
    ok(!sluice_nearest_word("probe", words, 2, &nearest), "an unrelated word is not");
    memset(word, 'q', sizeof word);
    word[200] = 0;
    ok(!sluice_nearest_word(word, words, 2, &nearest), "nor is one of 200 letters");
}

/* In a file a line comes after 10 s of work, and the next one after 20 s. */
static void test_waiting(void)
{
    char text[256] = "";
    struct sluice_waiting waiting;
    FILE *file = tmpfile();
    sluice_waiting_begin(&waiting, file);
    for (int second = 9; second < 25; second++) {
        waiting.begun = sluice_seconds() - second - 0.1;
        sluice_waiting_report(&waiting, "reading %d", second);
    }
    sluice_waiting_end(&waiting);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    is_str(text, "still reading 10, 10 s\nstill reading 20, 20 s\n", "long work is reported");
}

int main(void)
{
    char *text = NULL;
    size_t size = 0;
    int cleared = 0;

    ok(passes_on(1) == SLUICE_OK, "a check that holds passes");
    ok(passes_on(7) == SLUICE_BAD_INPUT, "a check that fails gives its code, passed on by TRY");
    ok(strcmp(sluice_message(), "value 7, at most 3; make it smaller") == 0,
       "the message names value, limit, remedy");
    ok(SLUICE_FAIL(SLUICE_IO, "again: %s", sluice_message()) == SLUICE_IO &&
           strcmp(sluice_message(), "again: value 7, at most 3; make it smaller") == 0,
       "a message may hold the one before");

    FILE *memory = open_memstream(&text, &size);
    struct sluice_log log = {NULL, memory, clear_line, &cleared};
    sluice_log_line(&log, "step %d", 5);
    sluice_log_warning(&log, "careful");
    sluice_log_line(NULL, "nothing %d", 1);
    fclose(memory);
    ok(strcmp(text, "step 5\nwarning: careful\n") == 0, "the log's lines on a terminal");
    ok(cleared == 2, "a progress line in the way is cleared before each");
    free(text);

    memory = open_memstream(&text, &size);
    log = (struct sluice_log){NULL, memory, NULL, NULL};
    sluice_log_line(&log, "a\033[31m\177\302\233\tb\nc%s", "\303\244");
    fclose(memory);
    ok(strcmp(text, "a\\x1b[31m\\x7f\\xc2\\x9b\tb\nc\303\244\n") == 0,
       "control bytes are escaped in the log; letters, tabs and line ends stay");
    free(text);
    (void)SLUICE_FAIL(SLUICE_IO, "no '%s'", "x\033y");
    ok(strcmp(sluice_message(), "no 'x\\x1by'") == 0, "and in an error's message");

    struct sluice_timers timers = {.seconds = {0}};
    sluice_section_begin(&timers, SLUICE_SECTION_PAIRS);
    const double begun = sluice_seconds();
    while (sluice_seconds() < begun + 0.01)
        ;
    sluice_section_end(&timers, SLUICE_SECTION_PAIRS);
    ok(timers.seconds[SLUICE_SECTION_PAIRS] >= 0.01, "a section counts its seconds");
    ok(timers.seconds[SLUICE_SECTION_BIN] == 0, "and no other's");
    test_nearest_word();
    test_waiting();
    return done_testing();
}
