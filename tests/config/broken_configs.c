/* test: 5 s */
/* Broken copies of the shipped configs: cut short, with bytes changed, taken out, doubled and
 * swapped. The reader must end with a status and a message for any file; AddressSanitizer finds
 * wrong reads and frees. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "support/tap.h"

enum { BYTES_MAX = 20000, COPIES = 400 };

static const char *const names[] = {"acoustic_wave", "dam_break",     "dam_break_3d", "drop",
                                    "lennard_jones", "standing_wave", "still_water"};
enum { NAMES = sizeof names / sizeof names[0] };

/* xorshift64* (Vigna 2016): the same copies everywhere. */
static uint64_t state = 88172645463325252u;
static uint64_t next_random(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
}

static size_t below(size_t n)
{
    return n ? (size_t)(next_random() % n) : 0;
}

static size_t read_config(const char *name, char *text)
{
    char path[200];
    snprintf(path, sizeof path, "configs/%s.cfg", name);
    FILE *f = fopen(path, "r");
    const size_t n = f ? fread(text, 1, BYTES_MAX / 2, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    return n;
}

/* One change somewhere in the text; returns its new length. */
static size_t mutate(char *text, size_t n)
{
    static const char bytes[] = "{}[]();=,\"#/*.-+0129eExL@\\ \n\ttrue\x80\x01";
    const size_t at = below(n), length = 1 + below(20);
    switch (n ? below(6) : 6) {
    case 0:
        text[at] = bytes[below(sizeof bytes - 1)];
        break;
    case 1: /* taken out */
        if (at + length < n) {
            memmove(text + at, text + at + length, n - at - length);
            n -= length;
        }
        break;
    case 2: /* doubled */
        if (at + length < n && n + length < BYTES_MAX - 1) {
            memmove(text + at + length, text + at, n - at);
            n += length;
        }
        break;
    case 3: { /* swapped */
        const size_t other = below(n);
        const char c = text[at];
        text[at] = text[other];
        text[other] = c;
        break;
    }
    case 4: /* put in */
        if (n + 1 < BYTES_MAX - 1) {
            memmove(text + at + 1, text + at, n - at);
            text[at] = bytes[below(sizeof bytes - 1)];
            n++;
        }
        break;
    case 5: /* a digit */
        for (size_t i = at; i < n; i++)
            if (text[i] >= '0' && text[i] <= '9') {
                text[i] = (char)('0' + below(10));
                break;
            }
        break;
    default:
        break;
    }
    text[n] = 0;
    return n;
}

/* Reads one broken copy. 0: it failed without a message, or its effective text cannot be read. */
static int try_one(char *text, int *right)
{
    struct sluice_config c;
    char *errors = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&errors, &size);
    const sluice_status status = sluice_config_parse(&c, text, "fuzz.cfg", NULL, 0, out);
    fclose(out);
    int good = status == SLUICE_OK || (status == SLUICE_BAD_INPUT && *errors && *sluice_message());
    if (status == SLUICE_OK) {
        struct sluice_config again;
        (*right)++;
        good = sluice_config_parse(&again, sluice_config_text(&c), "again.cfg", NULL, 0, NULL) ==
               SLUICE_OK;
        if (good)
            sluice_config_destroy(&again);
        sluice_config_destroy(&c);
    }
    if (!good)
        diag("status %d, %s", (int)status, errors);
    free(errors);
    return good;
}

static void test_mutations(const char *name)
{
    static char whole[BYTES_MAX], text[BYTES_MAX];
    const size_t length = read_config(name, whole);
    int good = 0, right = 0;
    for (int i = 0; i < COPIES; i++) {
        size_t n = length;
        memcpy(text, whole, n + 1);
        for (size_t changes = 1 + below(1 + (size_t)i / 40); changes > 0; changes--)
            n = mutate(text, n);
        good += try_one(text, &right);
    }
    ok(length > 0 && good == COPIES, "%s: %d of %d broken copies end well, %d of them are right",
       name, good, COPIES, right);
    ok(right > 0 && right < COPIES, "%s: some are right, some are wrong", name);
}

static void test_truncations(const char *name)
{
    static char text[BYTES_MAX];
    size_t n = read_config(name, text);
    int good = 0, copies = 0, right = 0;
    for (; n > 0; n -= n > 7 ? 7 : n) {
        text[n] = 0;
        good += try_one(text, &right);
        copies++;
    }
    ok(good == copies, "%s: %d of %d copies cut short end well", name, good, copies);
}

/* The same for --set. */
static void test_overrides(void)
{
    static char whole[BYTES_MAX];
    static const char *const set[] = {"time.end=2.0",
                                      "gravity=[0.0, -9.81]",
                                      "probes.front.every=0.1",
                                      "geometry.[0].max=[1.0, 1.0]",
                                      "fluid.viscosity.kind=\"none\"",
                                      "probes=({kind=\"front\";every=1.0;})"};
    int good = 0, count = 0;
    read_config("dam_break", whole);
    for (int i = 0; i < 3000; i++) {
        static char text[BYTES_MAX];
        struct sluice_config c;
        strcpy(text, set[i % 6]);
        size_t n = strlen(text);
        for (size_t changes = 1 + below(4); changes > 0; changes--)
            n = mutate(text, n);
        const char *const one[] = {text};
        const sluice_status status = sluice_config_parse(&c, whole, "fuzz.cfg", one, 1, NULL);
        good += status == SLUICE_OK || (status == SLUICE_BAD_INPUT && *sluice_message());
        count++;
        if (status == SLUICE_OK)
            sluice_config_destroy(&c);
    }
    is_int(good, count, "broken overrides end well");
}

/* Brackets, quotes and keys without end. */
static void test_bombs(void)
{
    static const char *const piece[] = {"a={", "a=(", "(",  "[",    "{",    "a=[",
                                        "((",  "\"",  "/*", "a=1;", "a1=({"};
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        const size_t n = strlen(piece[i]), times = 100000;
        struct sluice_config c;
        char *text = malloc(n * times + 1);
        if (!text)
            return;
        for (size_t k = 0; k < times; k++)
            memcpy(text + k * n, piece[i], n);
        text[n * times] = 0;
        is_int(sluice_config_parse(&c, text, "bomb.cfg", NULL, 0, NULL), SLUICE_BAD_INPUT,
               piece[i]);
        free(text);
    }
}

int main(void)
{
    for (int i = 0; i < NAMES; i++) {
        test_mutations(names[i]);
        test_truncations(names[i]);
    }
    test_overrides();
    test_bombs();
    return done_testing();
}
