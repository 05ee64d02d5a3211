/* test: 0.1 s */
/* The reader: values and defaults, --set, units, the effective text, and the shipped
 * configs. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "kernels/pair/pair_lj.h"
#include "kernels/registry.h"
#include "support/tap.h"

static const char base[] =
    "model = \"wcsph\"; dimension = 2; spacing = 1;\n"
    "domain = { max = [20, 10]; };\n"
    "gravity = [0.0, -9.81];\n"
    "geometry = ( { name = \"water\"; shape = \"box\"; type = \"fluid\"; min = [0, 0]; max = [5, "
    "4]; },\n"
    "  { name = \"tank\"; shape = \"walls\"; sides = [\"left\", \"x+\", \"bottom\"]; } );\n"
    "probes = ( { name = \"front\"; kind = \"front\"; every = 0.5; },\n"
    "  { kind = \"height\"; at = [3.0]; every = 1; } );\n"
    "time = { end = 1; };\n"
    "output = { every = 0.1; };\n";

/* Reads `text`, which must be right. */
static struct sluice_config parse(const char *text, const char *const *set, int count)
{
    struct sluice_config c;
    const sluice_status status = sluice_config_parse(&c, text, "test.cfg", set, count, NULL);
    if (!ok(status == SLUICE_OK, "a config that is right is read"))
        diag("%s", sluice_message());
    return c;
}

static void test_values(void)
{
    struct sluice_config c = parse(base, NULL, 0);
    is_close(c.spacing, 1.0, 0, "a whole number where a real is meant");
    is_close(c.domain.max[0], 20, 0, "a vector of whole numbers");
    is_close(c.domain.max[2], 0, 0, "the missing axis is 0");
    is_close(c.gravity[1], -9.81, 0, "gravity");
    is_int(c.shape_count, 2, "two shapes");
    is_int(c.shapes[0].kind, SLUICE_SHAPE_BOX, "a box");
    is_int(c.shapes[0].type, SLUICE_SHAPE_FLUID, "of fluid");
    is_int(c.shapes[0].fill, SLUICE_FILL_SOLID, "filled solid");
    is_int(c.shapes[0].line, 4, "the line of a shape");
    is_str(c.shapes[0].file, "test.cfg", "its file");
    is_int(c.shapes[1].type, SLUICE_SHAPE_WALL, "walls are walls");
    is_int(c.shapes[1].sides, 1 | 2 | 4, "sides by name and by alias: bottom is y- in 2-D");
    is_int(c.probe_count, 2, "two probes");
    is_str(c.probes[1].name, "height_1", "a probe without a name gets one");
    is_int(c.probes[0].face, -1, "no face");
    sluice_config_destroy(&c);
    is_int(c.shape_count, 0, "nothing is left after destroy");
}

static void test_defaults(void)
{
    struct sluice_config c = parse(base, NULL, 0);
    is_close(c.kernel.h_over_dp, 1.5, 0, "kernel.h_over_dp");
    is_int(c.viscosity.kind, SLUICE_VISCOSITY_ARTIFICIAL, "fluid.viscosity.kind");
    is_close(c.viscosity.alpha, 0.02, 0, "fluid.viscosity.alpha");
    is_int(c.diffusion.kind, SLUICE_DIFFUSION_HYDROSTATIC, "fluid.diffusion.kind");
    is_int(c.fluid.masses, SLUICE_MASSES_LATTICE, "fluid.masses");
    is_int(c.boundary.kind, SLUICE_BOUNDARY_ADAMI, "boundary.kind");
    is_int(c.boundary.spring, 1, "boundary.spring");
    is_close(c.time.cfl, 0.3, 0, "time.cfl");
    is_close(c.time.first, 1, 0, "time.first");
    is_close(c.time.predictor, 0.2, 0, "time.predictor");
    is_close(c.energy.tolerance, 1e-3, 0, "energy.tolerance");
    is_int(c.output.keep, 2, "output.keep");
    is_int(c.output.forces, 0, "output.forces");
    is_str(c.backend.strategy, "auto", "backend.strategy");
    is_int(c.backend.frame_cutoffs, 8, "backend.frame_cutoffs");
    is_int(c.pair.index, -1, "no pair without model lj");
    is_int(c.lattice.used + c.thermal.used, 0, "no lattice, no temperature");
    sluice_config_destroy(&c);
}

static void test_set(void)
{
    static const char *const set[] = {"time.end=2",
                                      "gravity=[0,-1.5]",
                                      "probes.front.every=0.25",
                                      "probes.[1].at=[4.0]",
                                      "geometry.[0].max=[6.0, 4.0]",
                                      "fluid.viscosity.kind=none",
                                      "kernel.name=\"cubic-spline\"",
                                      "backend.isa=",
                                      "title=two words",
                                      "boundary.spring=false",
                                      "time.end=3"};
    static const char idle[] =
        "fluid = { viscosity = { kind = \"artificial\"; alpha = 0.05; }; };\n";
    char text[2000];
    snprintf(text, sizeof text, "%s%s", base, idle);
    struct sluice_config c = parse(text, set, (int)(sizeof set / sizeof set[0]));
    is_close(c.time.end, 3, 0, "the last --set of a key holds");
    is_close(c.gravity[1], -1.5, 0, "a vector");
    is_close(c.probes[0].every, 0.25, 0, "an entry by its name");
    is_close(c.probes[1].at[0], 4, 0, "an entry by its number");
    is_close(c.shapes[0].max[0], 6, 0, "an entry of geometry");
    is_int(c.viscosity.kind, SLUICE_VISCOSITY_NONE, "a bare word, in a group");
    is_close(c.viscosity.alpha, 0.02, 0, "a key made idle counts as not given");
    is_int(c.kernel.name, SLUICE_KERNEL_CUBIC_SPLINE,
           "a word in quotes, in a group that was not there");
    is_str(c.title, "two words", "a text of two words");
    is_int(c.boundary.spring, 0, "false");
    is_str(sluice_config_where(&c, "time.end"), "--set time.end=3", "where: from --set");
    is_str(sluice_config_where(&c, "spacing"), "test.cfg:1", "where: from the file");
    is_str(sluice_config_where(&c, "probes.[1].every"), "test.cfg:7", "where: in a list");
    is_str(sluice_config_where(&c, "time.cfl"), "default", "where: nowhere");
    sluice_config_destroy(&c);
}

/* x written in hexadecimal, whole numbers beyond 32 bits, adjacent texts, comments of all kinds. */
static void test_syntax(void)
{
    static const char text[] =
        "model = \"l\" \"j\"; // two texts make one\n"
        "dimension : 0x3, /* a colon, a comma,\n a comment over lines */ units = \"lj\"\n"
        "lattice = { kind = \"cubic\"; cells = [6, 6, 6]; density = 1; } # no semicolons\n"
        "thermal = { temperature = 1.; seed = 9007199254740992; };\n"
        "pair = { name = \"lj\"; cutoff = .25e1; tail = TRUE; truncation = \"shift\"; };\n"
        "time = { end = 1e3; step = 5e-3; }; output = { every = 0; };";
    struct sluice_config c = parse(text, NULL, 0);
    const struct lj_params *lj = (const struct lj_params *)c.pair.params.bytes;
    is_int(c.model, SLUICE_MODEL_LJ, "model");
    is_int(c.dimension, 3, "dimension");
    is_int(c.thermal.seed, 9007199254740992, "a whole number beyond 32 bits keeps its bits");
    is_int(c.pair.index, SLUICE_PAIR_lj, "the pair");
    is_close(lj->cutoff, 2.5, 0, "the pair's own table: cutoff");
    is_close(lj->sigma, 1, 0, "the pair's own table: a default");
    for (int i = 0; i < sluice_pairs[c.pair.index].param_count; i++)
        ok(sluice_pairs[c.pair.index].params[i].offset + sizeof(double) <= sizeof c.pair.params,
           "%s fits", sluice_pairs[c.pair.index].params[i].path);
    is_int(lj->tail, 1, "the pair's own table: tail");
    is_int(lj->truncation, 1, "the pair's own table: truncation");
    is_int(c.lattice.cells[2], 6, "cells");
    is_close(c.time.end, 1000, 0, "time.end");
    sluice_config_destroy(&c);
}

/* Reads base with boundary.layers = `value`; -1: refused. */
static long long read_whole(const char *value)
{
    char text[2000];
    struct sluice_config c;
    snprintf(text, sizeof text, "%sboundary = { layers = %s }", base, value);
    if (sluice_config_parse(&c, text, "test.cfg", NULL, 0, NULL) != SLUICE_OK)
        return -1;
    const long long layers = c.boundary.layers;
    sluice_config_destroy(&c);
    return layers;
}

/* Reads base with title = `value`; "(refused)": it is no text. */
static const char *read_title(const char *value)
{
    static char title[SLUICE_TEXT_MAX];
    char text[2000];
    struct sluice_config c;
    snprintf(text, sizeof text, "%stitle = %s", base, value);
    if (sluice_config_parse(&c, text, "test.cfg", NULL, 0, NULL) != SLUICE_OK)
        return "(refused)";
    strcpy(title, c.title);
    sluice_config_destroy(&c);
    return title;
}

/* Values in the grammar of libconfig 1.5. */
static void test_grammar(void)
{
    static const struct {
        const char *value;
        long long is;
    } whole[] = {{"12", 12},  {"+7", 7},   {"012", 12},   {"0x1F", 31}, {"0Xa", 10},
                 {"5L", 5},   {"6LL", 6},  {"0x10L", 16}, {"5LLL", -1}, {"0x", -1},
                 {"1.0", -1}, {"1e1", -1}, {"-", -1},     {"5/**/", 5}, {"5,", 5},
                 {"5;;", -1}, {"5;", 5},   {"5:", -1},    {"5 6", -1},  {"5 /*;*/", 5}};
    static const char *const text[][2] = {{"\"a\" \"b\"", "ab"},
                                          {"\"\"", ""},
                                          {"\"\\x41\\x4a\"", "AJ"},
                                          {"\"\\x4\"", "\\x4"},
                                          {"\"\\\"\\\\\\t\\n\"", "\"\\\t\n"},
                                          {"\"\\r\"", "(refused)"},
                                          {"\"\\f\"", "(refused)"},
                                          {"\"\\q\"", "\\q"},
                                          {"\"# no /* comment\"", "# no /* comment"},
                                          {"\"a\\\"", "(refused)"},
                                          {"'a'", "(refused)"},
                                          {"a", "(refused)"},
                                          {"\"a\" b", "(refused)"},
                                          {"true", "(refused)"}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        is_int(read_whole(whole[i].value), whole[i].is, whole[i].value);
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        is_str(read_title(text[i][0]), text[i][1], text[i][0]);
}

/* A file from an editor on another system: a byte order mark, \r\n, no end of the last line. */
static void test_foreign(void)
{
    char text[4000] = "\xef\xbb\xbf";
    size_t n = 3;
    for (const char *p = base; *p; p++) {
        if (*p == '\n')
            text[n++] = '\r';
        text[n++] = *p;
    }
    strcpy(text + n, "# the last line");
    struct sluice_config c = parse(text, NULL, 0);
    is_str(sluice_config_where(&c, "output.every"), "test.cfg:9", "lines are counted as ever");
    sluice_config_destroy(&c);
}

/* Structs are zeroed before they are filled, so their padding is too. */
static int same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Two configs that were read from one text and from its effective form: all values equal, bit by
 * bit. */
static void compare(const struct sluice_config *a, const struct sluice_config *b, const char *name)
{
    struct sluice_config one = *a, two = *b;
    int lists = one.shape_count == two.shape_count && one.initial_count == two.initial_count &&
                one.central_count == two.central_count && one.probe_count == two.probe_count &&
                one.motion_count == two.motion_count && one.opening_count == two.opening_count;
    for (int i = 0; lists && i < one.shape_count; i++) {
        one.shapes[i].line = two.shapes[i].line = 0;
        memset(one.shapes[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.shapes[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.shapes[i], &two.shapes[i], sizeof one.shapes[i]);
    }
    for (int i = 0; lists && i < one.initial_count; i++) {
        one.initials[i].line = two.initials[i].line = 0;
        memset(one.initials[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.initials[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.initials[i], &two.initials[i], sizeof one.initials[i]);
    }
    for (int i = 0; lists && i < one.central_count; i++)
        lists &= same_bytes(one.centrals[i].centre, two.centrals[i].centre,
                            sizeof one.centrals[i].centre) &&
                 one.centrals[i].strength == two.centrals[i].strength;
    for (int i = 0; lists && i < one.probe_count; i++) {
        one.probes[i].line = two.probes[i].line = 0;
        memset(one.probes[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.probes[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.probes[i], &two.probes[i], sizeof one.probes[i]);
    }
    for (int i = 0; lists && i < one.motion_count; i++) {
        one.motions[i].line = two.motions[i].line = 0;
        memset(one.motions[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.motions[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.motions[i], &two.motions[i], sizeof one.motions[i]);
    }
    for (int i = 0; lists && i < one.body_count; i++) {
        one.bodies[i].line = two.bodies[i].line = 0;
        memset(one.bodies[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.bodies[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.bodies[i], &two.bodies[i], sizeof one.bodies[i]);
    }
    for (int i = 0; lists && i < one.mooring_count; i++) {
        one.moorings[i].line = two.moorings[i].line = 0;
        memset(one.moorings[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.moorings[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.moorings[i], &two.moorings[i], sizeof one.moorings[i]);
    }
    for (int i = 0; lists && i < one.opening_count; i++) {
        one.openings[i].line = two.openings[i].line = 0;
        memset(one.openings[i].file, 0, SLUICE_TEXT_MAX);
        memset(two.openings[i].file, 0, SLUICE_TEXT_MAX);
        lists &= same_bytes(&one.openings[i], &two.openings[i], sizeof one.openings[i]);
    }
    ok(lists, "%s: the lists of its effective text are the same", name);
    one.shapes = two.shapes = NULL;
    one.initials = two.initials = NULL;
    one.centrals = two.centrals = NULL;
    one.probes = two.probes = NULL;
    one.motions = two.motions = NULL;
    one.bodies = two.bodies = NULL;
    one.moorings = two.moorings = NULL;
    one.openings = two.openings = NULL;
    one.source = two.source = NULL;
    ok(same_bytes(&one, &two, sizeof one), "%s: the values of its effective text are the same",
       name);
}

static void round_trip(const struct sluice_config *c, const char *name)
{
    struct sluice_config again;
    const sluice_status status = sluice_config_parse(&again, sluice_config_text(c), "effective",
                                                     NULL, 0, NULL);
    if (!ok(status == SLUICE_OK, "%s: its effective text is read", name)) {
        diag("%s", sluice_message());
        return;
    }
    compare(c, &again, name);
    sluice_config_destroy(&again);
}

static void test_effective(void)
{
    static const char *const set[] = {
        "spacing=0.1234567890123456789", "gravity=[1.0e-300, -9.80665]",
        "title=\"a \\\"b\\\" \\\\ \\n\"", "domain.frame_shift=[-1000000, 7]"};
    struct sluice_config c = parse(base, set, 4);
    is_str(c.title, "a \"b\" \\ \n", "escapes in a text");
    ok(strstr(sluice_config_text(&c), "h_over_dp = 1.5; # default\n") != NULL,
       "a default is marked");
    ok(strstr(sluice_config_text(&c), "end = 1.0;\n") != NULL, "a given value is not marked");
    round_trip(&c, "hard numbers");
    sluice_config_destroy(&c);
}

static int is_config(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".cfg") == 0;
}

static void test_shipped(void)
{
    struct dirent **entry;
    const int count = scandir("configs", &entry, is_config, alphasort);
    ok(count >= 7, "%d shipped configs", count);
    for (int i = 0; i < count; i++) {
        char path[600], *text = NULL;
        size_t size = 0;
        struct sluice_config c;
        FILE *errors = open_memstream(&text, &size);
        snprintf(path, sizeof path, "configs/%s", entry[i]->d_name);
        const sluice_status status = sluice_config_read(&c, path, NULL, 0, errors);
        fclose(errors);
        is_str(text, "", path);
        if (status == SLUICE_OK) {
            round_trip(&c, path);
            sluice_config_destroy(&c);
        }
        free(text);
        free(entry[i]);
    }
    free(entry);
}

/* The reference page is made from the tables by `make docs`. */
static void test_reference(void)
{
    char *text = NULL, *shipped = NULL;
    size_t size = 0, shipped_size = 0;
    FILE *out = open_memstream(&text, &size), *f = fopen("docs/config.md", "r"),
         *copy = open_memstream(&shipped, &shipped_size);
    sluice_config_describe(out, 1);
    fclose(out);
    for (int c; f && (c = fgetc(f)) != EOF;)
        fputc(c, copy);
    fclose(copy);
    if (f)
        fclose(f);
    ok(strcmp(text, shipped) == 0, "docs/config.md is what the tables say (make docs)");
    ok(strstr(text, "| `pair.cutoff` |") && strstr(text, "| `fluid.viscosity.alpha` |"),
       "it knows keys and pairs");
    free(text);
    free(shipped);
}

int main(void)
{
    test_values();
    test_defaults();
    test_set();
    test_syntax();
    test_grammar();
    test_foreign();
    test_effective();
    test_shipped();
    test_reference();
    return done_testing();
}
