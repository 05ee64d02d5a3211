/* Tables of motions in CSV: what is read, and the message for each way of being wrong. */
#include <string.h>
#include <unistd.h>

#include "model/motion_table.h"
#include "tap.h"

static char path[] = "/tmp/sluice-t036-XXXXXX.csv";

static sluice_status read_table(struct sluice_motions *motions, const char *text)
{
    static struct sluice_motion motion;
    static struct sluice_config config;
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(1);
    motion = (struct sluice_motion){.kind = SLUICE_MOTION_TABLE, .file = "case.cfg", .line = 3};
    strcpy(motion.table, path);
    config = (struct sluice_config){.dimension = 2, .motion_count = 1, .motions = &motion};
    config.time.end = 2;
    return sluice_motions_read(motions, &config);
}

static void good(void)
{
    struct sluice_motions motions;
    struct sluice_displacement d;
    const sluice_status status = read_table(&motions, "\xEF\xBB\xBF# measured\n\n t , x,angle\r\n"
                                                      "0,0,0\r\n  # half way\n1, 0.5,-1\n2,1,-2");
    if (!ok(status == SLUICE_OK, "a byte order mark, comments, blanks, no end of the last line%s%s",
            status == SLUICE_OK ? "" : ": ", status == SLUICE_OK ? "" : sluice_message()))
        return;
    sluice_motions_at(&motions, 0, 1.5, &d);
    is_close(d.x[0], 0.75, 1e-15, "a straight line is a straight line: x");
    is_close(d.x[1], 0, 0, "y, which the table does not have");
    is_close(d.angle, -1.5, 1e-15, "angle");
    is_close(d.velocity[0], 0.5, 1e-15, "velocity");
    sluice_motions_destroy(&motions);
}

static void wrong(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "is empty"},
        {"# nothing\n\n", "is empty"},
        {"t,x,w\n", ":1: column 'w' is unknown"},
        {"t,x,z\n", ":1: column 'z' in a case of dimension 2"},
        {"t,x,x\n", ":1: column 'x' appears twice"},
        {"t\n0\n", ":1: it needs a column t and one or more of"},
        {"t,x\n0,0\n1\n", ":3: number 2 of the row is missing"},
        {"t,x\n0,0\n1,nan\n", ":3: number 2 of the row is missing or is none"},
        {"t,x\n# a\n0,0\n1,2,3\n", ":4: '3"},
        {"t,x\n0,0\n2,1\n2,1\n", ":4: t = 2 is not after"},
        {"t,x\n0,0\n", "has 1 rows, a motion needs two"},
        {"t,x\n1,0\n2,0\n", "begins at t = 1"},
        {"t,x\n0,0\n1,0\n", "ends at t = 1, before time.end = 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sluice_motions motions;
        const sluice_status status = read_table(&motions, wrong[i].text);
        const int said = strstr(sluice_message(), wrong[i].message) != NULL;
        ok(status == SLUICE_BAD_INPUT && said && !motions.config, "%s", wrong[i].message);
        if (!said)
            diag("said: %s", sluice_message());
        sluice_motions_destroy(&motions);
    }
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    good();
    wrong();
    unlink(path);
    return done_testing();
}
