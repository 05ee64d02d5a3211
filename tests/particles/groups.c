/* test: 0.2 s */
/* Groups: names common to shapes and rows of a particle file; and walls of a file beside those of
 * the geometry. */
#include <unistd.h>

#include "particles/groups.h"
#include "support/case_config.h"

static struct sluice_config config;
static struct sluice_case c;
static char said[4096], path[] = "/tmp/sluice-groups-XXXXXX.csv";

/* A tank of 3 layers with water 1.0 x 0.4 in it, on a lattice of 0.1. */
static const char tank[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
    "domain = { max = [2.0, 1.0]; }; time = { end = 1.0; }; output = { every = 0.0; };\n"
    "initial = ( { field = \"pressure\"; kind = \"hydrostatic\"; } );\n"
    "geometry = ( { name = \"water\"; shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0];\n"
    "    max = [1.0, 0.4]; }, { name = \"tank\"; shape = \"walls\"; sides = [\"x-\", \"x+\", "
    "\"y-\"]; }";

/* The tank, more shapes and keys, and a table of particles ("": none). */
static sluice_status create(const char *shapes, const char *keys, const char *table)
{
    char text[8192];
    FILE *file = fopen(path, "w");
    if (!file || fputs(table, file) < 0 || fclose(file))
        exit(1);
    snprintf(text, sizeof text, "%s%s );\n%s\n", tank, shapes, keys);
    if (*table)
        snprintf(text + strlen(text), sizeof text - strlen(text), "particles = \"%s\";\n", path);
    memset(said, 0, sizeof said);
    sluice_status status = sluice_config_parse(&config, text, "case.cfg", NULL, 0, NULL);
    if (status != SLUICE_OK)
        return status;
    FILE *warnings = fmemopen(said, sizeof said, "w");
    status = sluice_case_create(&c, &config, warnings);
    fclose(warnings);
    if (status != SLUICE_OK)
        sluice_config_destroy(&config);
    return status;
}

static void destroy(void)
{
    sluice_case_destroy(&c);
    sluice_config_destroy(&config);
}

static void created(sluice_status status, const char *what)
{
    if (!is_int(status, SLUICE_OK, what)) {
        diag("%s", sluice_message());
        exit(done_testing());
    }
}

static void refused(sluice_status status, const char *words, const char *what)
{
    is_int(status, SLUICE_BAD_INPUT, what);
    if (status == SLUICE_OK)
        destroy();
    else if (!ok(strstr(sluice_message(), words) != NULL, "its message"))
        diag("'%s' is not in: %s", words, sluice_message());
}

static int64_t particles_of(const char *name)
{
    const int group = sluice_groups_find(&c.groups, name);
    return group < 0 ? -1 : c.groups.group[group].particles;
}

static void check_table(void)
{
    struct sluice_groups g = {0};
    char name[16], list[200];
    int group, wrong = 0;
    for (int k = 0; k < 1000; k++) {
        snprintf(name, sizeof name, "n%d", 7 * k % 1000);
        wrong += sluice_groups_add(&g, name, SLUICE_WALL, &group) != SLUICE_OK || group != k;
    }
    for (int k = 0; k < 1000; k++) {
        snprintf(name, sizeof name, "n%d", 7 * k % 1000);
        wrong += sluice_groups_find(&g, name) != k;
    }
    is_int(wrong, 0, "a thousand names are found again");
    is_int(sluice_groups_find(&g, "n1000"), -1, "and no other");
    for (int k = 1; k < 1000; k++)
        g.group[k].particles = 1;
    ok(sluice_groups_count(&g, SLUICE_WALL) == 999 && sluice_groups_first(&g, SLUICE_WALL) == 1 &&
           sluice_groups_count(&g, SLUICE_FLUID) == 0 &&
           sluice_groups_first(&g, SLUICE_FLUID) == -1,
       "the groups of a type, without the empty one");
    struct sluice_groups one = {0}, other = {0};
    for (int k = 0; k < 2; k++) {
        sluice_groups_add_row(&one, (sluice_id)k, k);
        sluice_groups_add_row(&other, (sluice_id)k, 1 - k);
    }
    ok(sluice_groups_digest(&one) != sluice_groups_digest(&other) &&
           sluice_groups_digest(&one) != sluice_groups_digest(&g),
       "rows that change their groups are noticed");
    sluice_groups_list(&g, SLUICE_WALL, list, sizeof list);
    ok(strncmp(list, "\"n0\", \"n7\"", 10) == 0 && strstr(list, " ..."), "a list: %s", list);
    is_str(sluice_groups_list(&g, SLUICE_FLUID, list, sizeof list), "none", "an empty list");
    sluice_groups_destroy(&g);
}

/* 27 steps of one name: one motion, one force probe. */
static void check_shapes(void)
{
    char shapes[4096] = "";
    for (int k = 0; k < 27; k++)
        snprintf(shapes + strlen(shapes), sizeof shapes - strlen(shapes),
                 ",\n{ name = \"beach\"; shape = \"box\"; type = \"wall\"; min = [%.2f, %.1f]; "
                 "max = [%.2f, 0.9]; }",
                 1.2 + 0.1 * (k % 9), 0.3 * (k / 9), 1.3 + 0.1 * (k % 9));
    created(create(shapes,
                   "motions = ( { name = \"m\"; kind = \"linear\"; velocity = [0.01, 0.0]; "
                   "carries = \"beach\"; } );\n"
                   "probes = ( { kind = \"force\"; on = \"beach\"; every = 0.1; } );",
                   ""),
            "27 shapes of one name");
    is_int(c.groups.count, 3, "three groups");
    is_int(particles_of("beach"), 81, "the beach: each of its particles is of one shape");
    is_int(particles_of("water"), 40, "the water");
    int64_t carried = 0, beach = 0;
    const struct sluice_start *wall = &c.start[SLUICE_WALL];
    for (int64_t i = 0; i < wall->count; i++) {
        const int of_beach = wall->group[i] == 2;
        beach += of_beach;
        carried += wall->motion[i] == (uint32_t)of_beach;
    }
    is_int(beach, particles_of("beach"), "each particle has its group");
    is_int(carried, wall->count, "one motion carries all of it and nothing else");
    is_str(said, "", "boxes that stand side by side are no thin walls");
    destroy();

    created(create(", { shape = \"box\"; type = \"wall\"; min = [1.2, 0.0]; max = [1.6, 0.4]; }",
                   "probes = ( { kind = \"force\"; on = \"box 3\"; every = 0.1; } );", ""),
            "a shape without a name is called by its kind and number");
    is_int(particles_of("box 3"), 16, "its particles");
    destroy();
    refused(create(", { shape = \"box\"; type = \"wall\"; min = [1.2, 0.0]; max = [1.6, 0.4]; },\n"
                   "{ name = \"box 3\"; shape = \"box\"; type = \"fluid\"; min = [1.2, 0.5]; "
                   "max = [1.6, 0.8]; }",
                   "", ""),
            "case.cfg:6: geometry: 'box 3' is the name of fluid and of walls",
            "fluid that takes that name");
}

/* Particles beside a fitted wall that are not of the lattice come after it, of four fluids. */
static void check_fitted(void)
{
    static const char *const name[] = {"water", "low", "mid", "high"};
    static const double box[][4] = {
        {0, 0, 1, 0.4}, {1, 0, 2, 0.4}, {0, 0.4, 2, 0.6}, {0, 0.6, 2, 1}};
    const struct sluice_start *fluid = &c.start[SLUICE_FLUID];
    struct sluice_grid grid;
    int64_t wrong = 0, all = 0;
    created(create(", { name = \"low\"; shape = \"box\"; type = \"fluid\"; min = [1.0, 0.0]; "
                   "max = [2.0, 0.4]; },\n"
                   "{ name = \"mid\"; shape = \"box\"; type = \"fluid\"; min = [0.0, 0.4]; "
                   "max = [2.0, 0.6]; },\n"
                   "{ name = \"high\"; shape = \"box\"; type = \"fluid\"; min = [0.0, 0.6]; "
                   "max = [2.0, 1.0]; },\n"
                   "{ name = \"pile\"; shape = \"disc\"; type = \"wall\"; centre = [1.0, 0.47]; "
                   "radius = 0.28; fit = \"surface\"; }",
                   "", ""),
            "four fluids around a fitted disc");
    for (int k = 0; k < 4; k++)
        all += particles_of(name[k]);
    is_int(all, fluid->count, "all fluid is of one of them");
    is_int(sluice_grid_create(&grid, &c.grid), SLUICE_OK, "a grid");
    for (int64_t i = 0; i < fluid->count; i++) {
        const int group = (int)fluid->group[i];
        double x[3];
        sluice_grid_coordinates(&grid, &fluid->place[i], x);
        for (int k = 0; k < 4; k++)
            wrong += group == sluice_groups_find(&c.groups, name[k]) &&
                     (x[0] < box[k][0] - 0.1 || x[1] < box[k][1] - 0.1 || x[0] > box[k][2] + 0.1 ||
                      x[1] > box[k][3] + 0.1);
    }
    is_int(wrong, 0, "and each particle is in its own, or moved less than a spacing out");
    sluice_grid_destroy(&grid);
    destroy();
}

/* Rows of walls or fluid with a name, in columns and rows of 0.1 from (x, y) up. */
static const char *block(const char *type, const char *name, double x, double y, int nx, int ny,
                         char text[4096])
{
    const size_t used = strlen(text);
    if (used == 0)
        strcpy(text, "type,shape,x,y\n");
    for (int i = 0; i < nx * ny; i++)
        snprintf(text + strlen(text), 4096 - strlen(text), "%s,%s,%.6f,%.6f\n", type, name,
                 x + 0.1 * (i % nx), y + 0.1 * (i / nx));
    return text;
}

static void check_file(void)
{
    char table[4096] = "";
    const char *const warn = "warning: particles: ";
    created(create("", "", ""), "the tank alone");
    const int64_t own = c.start[SLUICE_WALL].count;
    destroy();
    block("wall", "pile", 1.25, 0.05, 3, 5, table);
    created(create("", "", table), "walls of a file in the tank");
    is_int(c.start[SLUICE_WALL].count, own + 15, "walls of file and geometry add up");
    is_int(c.start[SLUICE_FLUID].count, 40, "all the water");
    is_str(said, "", "nothing is cut, no warning");
    is_int(particles_of("pile"), 15, "the column shape names a group");
    is_int(particles_of("tank"), own, "beside the geometry's");
    ok(c.start[SLUICE_WALL].id[0] == 0 && c.start[SLUICE_FLUID].id[0] == 15 &&
           c.start[SLUICE_WALL].id[15] == 55,
       "the file's ids stay, the geometry's come after them");
    destroy();

    /* On the lattice: two columns of the right wall from -0.05 up, and two of the water. */
    strcpy(table, "");
    block("wall", "pile", 2.05, -0.05, 2, 5, table);
    block("wall", "pile", 0.55, 0.05, 2, 3, table);
    created(create("", "", table), "walls of a file in the geometry's walls and water");
    is_int(c.start[SLUICE_WALL].count, own + 6, "a place that both claim has one particle");
    is_int(c.start[SLUICE_FLUID].count, 34, "water in the file's walls is cut");
    is_int(particles_of("pile"), 16, "the file's walls stay");
    is_int(c.shapes[0].particles, 34, "the report of the water has the cut");
    is_int(c.shapes[1].displaced, 10, "and that of the tank");
    ok(strstr(said, "6 fluid particles of the geometry, 60 kg/m, lie inside walls of") &&
           strstr(said, "10 wall particles of the geometry lie inside walls of"),
       "the warning has counts and mass: %s", said);
    is_int(c.warning_count, 2, "in two warnings");
    destroy();

    /* Half a step off in both directions: lattice places are the middles of the file's cells. */
    strcpy(table, "");
    block("wall", "", 0.5, 0.1, 3, 3, table);
    created(create("", "", table), "walls of a file between the lattice's places");
    is_int(c.start[SLUICE_FLUID].count, 36,
           "water in the holes between wall particles is cut, "
           "water on their surface is not");
    is_int(particles_of("file wall"), 9, "rows without a name are a group, too");
    destroy();
    ok(strncmp(warn, said, strlen(warn)) == 0, "the warning says so");

    strcpy(table, "");
    block("fluid", "", 0.05, 0.05, 2, 2, table);
    created(create("", "", table), "fluid of a file");
    is_int(c.start[SLUICE_FLUID].count, 4, "takes the place of the geometry's");
    ok(strstr(said, "4 particles of 40 kg/m, takes the place of the geometry's, 40 particles of "
                    "400 kg/m, which is not used"),
       "with numbers: %s", said);
    destroy();
}

/* A block of a spacing that is twice the case's: water passes between its particles. */
static void check_loose_walls(void)
{
    char table[4096] = "";
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            block("wall", "sieve", 1.25 + 0.2 * i, 0.05 + 0.2 * j, 1, 1, table);
    created(create("", "", table), "walls of a file at twice the spacing");
    ok(strstr(said, "8 of 8 wall particles of ") &&
           strstr(said, "give walls of a file the case's spacing, 0.1\n"),
       "are warned of: %s", said);
    destroy();
}

/* The domain ends at (2, 1), its walls 0.3 further, and the kernel reaches 0.3 beyond those. */
static void check_far_walls(void)
{
    char table[4096] = "";
    block("wall", "near", 2.55, 0.05, 1, 2, table);
    created(create("", "", table), "walls of a file outside the domain, within the kernel's reach");
    ok(!strstr(said, "outside the domain"), "are not warned of: %s", said);
    destroy();
    block("wall", "lost", 3.05, 0.05, 2, 2, table);
    created(create("", "", table), "walls of a file beyond it");
    ok(strstr(said, ":4: particle 2 at (3.05, 0.05, 0) and 3 more of its walls lie over 0.3, "),
       "are warned of, with the first: %s", said);
    destroy();
}

static void check_fluid_in_walls(void)
{
    char table[4096] = "";
    block("wall", "pile", 1.05, 0.05, 3, 3, table);
    block("fluid", "", 0.75, 0.05, 3, 3, table);
    created(create("", "", table), "fluid of a file beside walls of it");
    destroy();
    block("fluid", "", 1.13, 0.12, 1, 1, table);
    refused(create("", "", table),
            ".csv:20: particle 18 is fluid, but at (1.13, 0.12, 0) it lies inside a wall: nearest "
            "is particle 4 of 'pile' at (1.15, 0.15, 0)",
            "fluid of a file in walls of it");
    strcpy(table, "");
    block("wall", "pile", 1.05, 0.05, 3, 3, table);
    block("fluid", "", 1.1, 0.1, 2, 2, table);
    refused(create("", "", table), "particle 9 is fluid, but at (1.1, 0.1, 0)",
            "fluid in the holes between wall particles");
    strcpy(table, "");
    block("fluid", "", 0.05, 0.05, 2, 2, table);
    block("fluid", "", -0.08, 0.05, 1, 1, table);
    refused(create("", "", table), "particle 4 is fluid, but at (-0.08, 0.05, 0)",
            "fluid of a file in the geometry's wall");
    strcpy(table, "");
    block("fluid", "", 0.035, 0.035, 1, 1, table);
    created(create("", "", table), "fluid of a file that has come near the edge of a corner");
    destroy();
}

/* The image of a wall across a period is a wall, too. */
static void check_period(void)
{
    struct sluice_config *p = &config;
    static const char text[] =
        "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
        "domain = { max = [1.0, 1.0]; periodic = [true, false]; }; time = { end = 1.0; };\n"
        "output = { every = 0.0; }; geometry = ( { shape = \"box\"; type = \"fluid\";\n"
        "  min = [0.0, 0.0]; max = [1.0, 0.4]; }, { shape = \"walls\"; sides = [\"y-\"]; } );\n";
    char whole[2048];
    FILE *file = fopen(path, "w");
    if (!file || fputs("x,y,type\n1.04,0.05,wall\n0.96,0.15,wall\n", file) < 0 || fclose(file))
        exit(1);
    snprintf(whole, sizeof whole, "%sparticles = \"%s\";\n", text, path);
    is_int(sluice_config_parse(p, whole, "case.cfg", NULL, 0, NULL), SLUICE_OK, "a period");
    created(sluice_case_create(&c, p, NULL), "walls at its ends");
    is_int(c.start[SLUICE_FLUID].count, 38, "each cuts the water where it is");
    destroy();
}

/* In space holes are wider: their middles are 0.87 spacings from the eight corners. */
static void check_space(void)
{
    static const char text[] =
        "model = \"wcsph\"; dimension = 3; spacing = 0.1; gravity = [0.0, 0.0, -9.81];\n"
        "domain = { max = [1.0, 1.0, 1.0]; }; time = { end = 1.0; }; output = { every = 0.0; };\n"
        "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0, 0.0];\n"
        "  max = [1.0, 1.0, 0.6]; }, { shape = \"walls\"; sides = [\"z-\"]; } );\n";
    char whole[2048];
    FILE *file = fopen(path, "w");
    if (!file)
        exit(1);
    fputs("x,y,z,type\n", file);
    for (int k = 0; k < 27; k++)
        fprintf(file, "%.1f,%.1f,%.1f,wall\n", 0.4 + 0.1 * (k % 3), 0.4 + 0.1 * (k / 3 % 3),
                0.2 + 0.1 * (k / 9));
    fclose(file);
    snprintf(whole, sizeof whole, "%sparticles = \"%s\";\n", text, path);
    is_int(sluice_config_parse(&config, whole, "case.cfg", NULL, 0, NULL), SLUICE_OK, "in space");
    created(sluice_case_create(&c, &config, NULL), "walls between the lattice's places");
    is_int(c.start[SLUICE_FLUID].count, 600 - 8, "the eight holes are cut, the surface is not");
    destroy();
}

static void check_names(void)
{
    char table[4096] = "";
    const char *const go = "motions = ( { name = \"go\"; kind = \"linear\"; velocity = [0.1, 0.0]; "
                           "carries = \"%s\"; } );",
                      *const push = "probes = ( { kind = \"force\"; on = \"%s\"; every = 0.1; } );";
    char keys[400];
    block("wall", "piston", 1.25, 0.05, 3, 5, table);
    block("wall", "step", 1.65, 0.05, 3, 3, table);
    snprintf(keys, sizeof keys, go, "piston");
    created(create("", keys, table), "a motion of rows of a file");
    int64_t moving = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++)
        moving += c.start[SLUICE_WALL].motion[i] == 1;
    is_int(moving, 15, "carries them and no other");
    destroy();
    snprintf(keys, sizeof keys, push, "step");
    created(create("", keys, table), "a force on rows of a file");
    destroy();
    snprintf(keys, sizeof keys, push, "pistn");
    refused(create("", keys, table),
            "'pistn' is the name of no walls; walls are named \"tank\", \"piston\", \"step\"",
            "a force on what is not there");
    snprintf(keys, sizeof keys, go, "water");
    refused(create("", keys, table), "\"water\" is fluid: only walls are carried",
            "a motion of fluid");
    snprintf(keys, sizeof keys, go, "pist");
    refused(create("", keys, table),
            "motion 'go': carries 'pist', which is the name of no walls; walls are named \"tank\", "
            "\"piston\", \"step\"",
            "a motion of what is not there");
    created(create(", { name = \"piston\"; shape = \"box\"; type = \"wall\"; motion = \"go\"; "
                   "min = [1.2, 0.6]; max = [1.5, 0.9]; }",
                   "motions = ( { name = \"go\"; kind = \"linear\"; velocity = [0.1, 0.0]; } );",
                   table),
            "rows move as the shapes of their name");
    moving = 0;
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++)
        moving += c.start[SLUICE_WALL].motion[i] == 1;
    is_int(moving, 24, "all of them");
    is_int(particles_of("piston"), 24, "they are one group");
    destroy();
    strcpy(table, "");
    block("wall", "water", 1.25, 0.05, 3, 5, table);
    refused(create("", "", table), "'water' is the name of walls, and of fluid in the geometry",
            "a name of walls there and fluid here");
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    check_table();
    check_shapes();
    check_fitted();
    check_file();
    check_loose_walls();
    check_far_walls();
    check_fluid_in_walls();
    check_period();
    check_space();
    check_names();
    unlink(path);
    return done_testing();
}
