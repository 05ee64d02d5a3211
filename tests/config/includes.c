/* test: 0.1 s */
/* Files that a config includes: their paths, and endless includes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "support/tap.h"

static const char base[] =
    "model = \"wcsph\"; dimension = 2; spacing = 1;\n"
    "domain = { max = [20, 10]; };\n"
    "gravity = [0.0, -9.81];\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0, 0]; max = [5, 4]; } );\n"
    "time = { end = 1; };\n"
    "output = { every = 0.1; };\n";

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[900];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

static void test_includes(void)
{
    char folder[] = "/tmp/sluice-includes-XXXXXX", path[600], command[600];
    struct sluice_config c;
    if (!ok(mkdtemp(folder) != NULL, "a folder"))
        return;
    snprintf(command, sizeof command, "mkdir %s/parts", folder);
    ok(system(command) == 0, "and one in it");
    write_file(folder, "main.cfg", base);
    write_file(folder, "outer.cfg",
               "title = \"@include \\\"x\\\"\";\n/*\n@include \"none\"\n*/\n@include "
               "\"parts/time.inc\"\nparticles = \"p.csv\";\n");
    write_file(folder, "parts/time.inc",
               "# one\n@include \"../main.cfg\"\nfluid = { density = 998; };\n");
    snprintf(path, sizeof path, "%s/outer.cfg", folder);
    if (!ok(sluice_config_read(&c, path, NULL, 0, NULL) == SLUICE_OK,
            "includes are relative to the file that names them")) {
        diag("%s", sluice_message());
        return;
    }
    is_close(c.fluid.density, 998, 0, "a key of an included file");
    snprintf(command, sizeof command, "%s/parts/time.inc:3", folder);
    is_str(sluice_config_where(&c, "fluid.density"), command, "its place");
    snprintf(command, sizeof command, "%s/outer.cfg:6", folder);
    is_str(sluice_config_where(&c, "particles"), command, "the lines after it count on");
    snprintf(command, sizeof command, "%s/p.csv", folder);
    is_str(c.particles, command, "the start file is relative to the folder too");
    sluice_config_destroy(&c);
    is_int(sluice_config_read(&c, folder, NULL, 0, NULL), SLUICE_IO, "a folder is no config");
    snprintf(path, sizeof path, "%s/none.cfg", folder);
    is_int(sluice_config_read(&c, path, NULL, 0, NULL), SLUICE_IO, "a file that is not there");
    snprintf(command, sizeof command, "rm -r %s", folder);
    ok(system(command) == 0, "cleaned up");
}

/* The reader's message for FOLDER/NAME, which it refuses. */
static const char *refused(const char *folder, const char *name)
{
    char path[600];
    struct sluice_config c;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const sluice_status status = sluice_config_read(&c, path, NULL, 0, NULL);
    if (!is_int(status, SLUICE_BAD_INPUT, name) && status == SLUICE_OK)
        sluice_config_destroy(&c);
    return sluice_message();
}

/* Includes that grow like 9^n, and those that never end. */
static void test_bounds_of_includes(void)
{
    char folder[] = "/tmp/sluice-includes-XXXXXX", path[80], text[9 * 24];
    if (!ok(mkdtemp(folder) != NULL, "a folder"))
        return;
    for (int level = 1; level <= 7; level++) {
        snprintf(path, sizeof path, "l%d.cfg", level);
        for (int i = 0; i < 9; i++)
            snprintf(text + 18 * i, sizeof text - 18 * (size_t)i, "@include \"l%d.cfg\"\n",
                     level + 1);
        write_file(folder, path, level < 7 ? text : "# the end\n");
    }
    const char *said = refused(folder, "l1.cfg");
    ok(strstr(said, "would be include 1001, at most 1000 are allowed") != NULL,
       "too many includes: %s", said);
    snprintf(path, sizeof path, "%s/pipe", folder);
    ok(mkfifo(path, 0600) == 0, "a pipe");
    write_file(folder, "pipe.cfg", "@include \"pipe\"\n");
    said = refused(folder, "pipe.cfg");
    ok(strstr(said, "pipe.cfg:1: @include: cannot read ") && strstr(said, "a pipe or a device"),
       "a pipe as include: %s", said);
    write_file(folder, "control.cfg", "title = \"a\\x1b[31mb\"; title\x1b = 1;\n");
    said = refused(folder, "control.cfg");
    ok(!strchr(said, 27) && strstr(said, "\\x1b"), "control bytes are escaped: %s", said);
    snprintf(path, sizeof path, "rm -r %s", folder);
    ok(system(path) == 0, "cleaned up");
}

int main(void)
{
    test_includes();
    test_bounds_of_includes();
    return done_testing();
}
