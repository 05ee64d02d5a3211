/* test: 0.1 s */
/* Start files in CSV: the values read, and the message for each error. */
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case/particle_file.h"
#include "snapshots/snapshot.h"
#include "support/case_config.h"

static struct test_config t;
static char path[] = "/tmp/sluice-particle-file-XXXXXX.csv";

static void use_file(const char *text)
{
    test_write_file(path, text);
    test_wcsph(&t, 2, 0.1);
    test_domain(&t, 1, 1, 0);
    t.config.fluid.sound_speed = 10;
    strcpy(t.config.particles, path);
}

static void read_back(void)
{
    struct sluice_particle_file f;
    test_write_file(path, "# a comment\n\n id , x,y ,type,vx,pressure,mass\r\n"
                          "7, 0.25, 0.5, fluid, -1e-3, 12.5, 2\n  # another\n" SLUICE_ID_MAX_TEXT
                          ",1,2,wall,0,0,1\n3,+.5,1e0,0,0,-4,1\n5,9,9,1,0,0,1\n");
    is_int(sluice_particle_file_read(&f, path, 2, 0), SLUICE_OK,
           "a file with comments, blanks, line ends of another system");
    is_int(f.count, 4, "four particles");
    is_int(f.row[0].id, 3, "sorted by id");
    is_int((int64_t)f.row[3].id, (int64_t)SLUICE_ID_MAX, "the largest id");
    is_int(f.row[0].line, 7, "rows know their line");
    is_close(f.row[2].x[0], 0.25, 0, "x");
    is_close(f.row[2].velocity[0], -1e-3, 0, "vx");
    is_close(f.row[2].velocity[1], 0, 0, "vy by default");
    is_close(f.row[2].pressure, 12.5, 0, "pressure");
    is_close(f.row[2].mass, 2, 0, "mass");
    ok(f.row[2].type == SLUICE_FLUID && f.row[3].type == SLUICE_WALL &&
           f.row[0].type == SLUICE_FLUID && f.row[1].type == SLUICE_WALL,
       "types by name and by number");
    ok(f.has_pressure && !f.has_density && f.has_mass && f.has_velocity,
       "says which columns it has");
    sluice_particle_file_destroy(&f);

    test_write_file(path, "x,y,z\n1,2,3\n4,5,6");
    is_int(sluice_particle_file_read(&f, path, 3, 0), SLUICE_OK,
           "coordinates alone, no line end at the end");
    ok(f.count == 2 && f.row[0].id == 0 && f.row[1].id == 1 && f.row[1].x[2] == 6,
       "ids in the file's order");
    sluice_particle_file_destroy(&f);
}

static void into_a_case(void)
{
    struct sluice_case c, permuted;
    double x[3];
    use_file("id,x,y,vx,vy,density\n10,0.25,0.25,1,2,1010\n2,0.75,0.5,3,4,990\n");
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 0.5, 0);
    test_walls(&t, 4);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK,
           "fluid of a file, walls of the shapes");
    is_int(c.start[0].count, 2, "the file's fluid takes the place of the shapes'");
    is_int(c.start[1].count, 30, "walls come from the shapes, as the file has none");
    is_int(c.start[0].id[0], 2, "fluid by id");
    is_int(c.start[1].id[0], 11, "wall ids go on after the file's");
    test_x(&c, 0, 0, x);
    ok(x[0] == 0.75 && x[1] == 0.5, "place");
    is_close(c.start[0].velocity[0][1], 4, 0, "velocity");
    is_close(c.start[0].density[0], -0.01, 1e-15, "relative density");
    is_close(c.start[0].mass[0], 10, 1e-12, "mass rho0 dp^2 by default");
    is_close(c.fluid_low[0], 0.2, 1e-12, "extent of the fluid, with half a spacing");
    is_close(c.fluid_high[1], 0.55, 1e-12, "above too");
    sluice_case_destroy(&c);

    use_file("x,y,pressure\n0.25,0.25,500\n");
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a file with pressures");
    is_close(sluice_wcsph_pressure(&c.physics.wcsph, c.start[0].density[0]), 500, 1e-9,
             "they become densities");
    sluice_case_destroy(&c);

    test_write_file(path, "id,x,y,z\n0,1,1,1\n1,2,2,2\n2,3,3,9\n3,4,1,5\n");
    test_lj(&t, 3, 2.5);
    test_domain(&t, 8, 8, 8);
    for (int a = 0; a < 3; a++)
        t.config.domain.periodic[a] = 1;
    strcpy(t.config.particles, path);
    t.config.thermal.used = 1;
    t.config.thermal.temperature = 0.7;
    t.config.thermal.seed = 5;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "Lennard-Jones particles of a file");
    test_x(&c, 0, 2, x);
    is_close(x[2], 1, 1e-15, "put back into the period");
    test_write_file(path, "z,y,x,id\n5,1,4,3\n2,2,2,1\n1,1,1,0\n9,3,3,2\n");
    is_int(sluice_case_create(&permuted, &t.config, NULL), SLUICE_OK, "the same in another order");
    ok(same_bits(c.start[0].velocity, permuted.start[0].velocity,
                 4 * sizeof *c.start[0].velocity) &&
           memcmp(c.start[0].id, permuted.start[0].id, 4 * sizeof *c.start[0].id) == 0,
       "starts with the same thermal velocities to the bit");
    sluice_case_destroy(&c);
    sluice_case_destroy(&permuted);
}

/* The column `phase` chooses a particle's fluid; its id keeps the choice. */
static void phases(void)
{
    struct sluice_case c;
    const char *const good = "phase,id,x,y,density\n1,4,.2,.2,1010\n2,9,.5,.5,505\n"
                             "2,7,.2,.5,500\n1,2,.5,.2,1000\n";
    use_file(good);
    t.config.two_fluids.used = 1;
    t.config.two_fluids.density = 500;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a file of two fluids");
    ok(c.start[0].phase[0] == 0 && c.start[0].phase[1] == 0 && c.start[0].phase[2] == 1 &&
           c.start[0].phase[3] == 1,
       "each is of the fluid of its row");
    is_close(c.start[0].density[3], 0.01, 1e-12, "density over its own reference");
    is_close(c.start[0].mass[1], 10, 1e-12, "mass of a particle of the first");
    is_close(c.start[0].mass[2], 5, 1e-12, "mass of one of the second");
    sluice_case_destroy(&c);
    use_file(good);
    REFUSED(&t, SLUICE_BAD_INPUT, "two phases and one fluid", ".csv:4: column 'phase': particle 7",
            "give fluid.second");
    use_file("phase,x,y\n1,.2,.2\n2,.5,.5\n1,.8,.8\n");
    t.config.two_fluids.used = 1;
    t.config.two_fluids.density = 500;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "ids of two fluids mixed");
    ok(c.start[0].phase[0] == 0 && c.start[0].phase[1] == 1 && c.start[0].phase[2] == 0,
       "each is of its own");
    is_close(c.start[0].mass[1], 5, 1e-12, "and has its mass");
    sluice_case_destroy(&c);
    use_file("x,y\n.2,.2\n");
    t.config.two_fluids.used = 1;
    t.config.two_fluids.density = 500;
    REFUSED(&t, SLUICE_BAD_INPUT, "no particle of the second", "fluid.second: no particle is of it",
            "a column phase");
}

static void wrong_files(void)
{
    static const struct {
        const char *text, *message, *what;
    } wrong[] = {
        {"", "is empty", "an empty file"},
        {"x,y\n", "holds no particles", "a header alone"},
        {"x,y,q\n1,1,1\n", ".csv:1: column 'q' is unknown", "an unknown column"},
        {"x,y,\n1,1\n", ".csv:1: column '' is unknown", "a header that ends in a comma"},
        {"x,,y\n1,1\n", ".csv:1: column '' is unknown", "two commas in the header"},
        {"x y\n1,1\n", ".csv:1: column 'x y' is unknown", "names without a comma"},
        {"x,y,x\n1,1,1\n", ".csv:1: column 'x' appears twice", "a column twice"},
        {"x,vx\n1,1\n", ".csv:1: column 'y' is missing; a case in 2-D needs it",
         "a missing column"},
        {"x,y,density,pressure\n1,1,1,1\n", ".csv:1: there are columns 'density' and 'pressure'",
         "density and pressure"},
        {"x,y\n.1,.1\n.2,abc\n", ".csv:3: column 'y': 'abc' is not a number",
         "a word for a number"},
        {"x,y\n.1,.1\n.2,\n", ".csv:3: column 'y': '' is not a number", "nothing for a number"},
        {"x,y\n.1,1e\n", ".csv:2: column 'y': '1e' is not a number", "half a number"},
        {"x,y\n.1,nan\n", ".csv:2: column 'y': 'nan' is not finite", "a NaN"},
        {"x,y,vx\n.1,.1,1e999\n", ".csv:2: column 'vx': '1e999' is not finite",
         "an infinite value"},
        {"x,y,mass\n.1,.1,0\n", ".csv:2: column 'mass': '0' is not above 0", "no mass"},
        {"x,y,z\n.1,.1,.1\n", ".csv:2: column 'z': '.1' in a case of dimension 2",
         "a third coordinate"},
        {"x,y\n.1,.1\n.1\n", ".csv:3: 1 values, the header names 2 columns", "too few values"},
        {"x,y\n.1,.1,.1\n", ".csv:2: 3 values, the header names 2 columns", "too many values"},
        {"x,y,type\n.1,.1,water\n", ".csv:2: column 'type': 'water' is not a type",
         "an unknown type"},
        {"x,y,phase\n.1,.1,3\n", ".csv:2: column 'phase': '3' is not a phase; there are 1 and 2",
         "an unknown phase"},
        {"x,y,shape\n.1,.1,a\"b\n", ".csv:2: column 'shape': 'a\"b' is no name",
         "a quote in a name"},
        {"x,y,shape,type\n.1,.1,a,fluid\n.2,.2,a,wall\n",
         ".csv:3: column 'shape': particle 1 is a wall, but 'a' is the name of fluid",
         "a name of fluid and walls"},
        {"x,y,id\n.1,.1,-1\n",
         ".csv:2: column 'id': '-1' is not a whole number from 0 to " SLUICE_ID_MAX_TEXT,
         "a negative id"},
        {"x,y,id\n.1,.1," SLUICE_ID_MAX_TEXT "0\n",
         ".csv:2: column 'id': '" SLUICE_ID_MAX_TEXT "0' is not a whole", "an id too large"},
        {"x,y,id\n.1,.1,1.5\n", ".csv:2: column 'id': '1.5' is not a whole", "half an id"},
        {"x,y,id\n.1,.1,4\n.2,.2,5\n.3,.3,4\n", ".csv:4: column 'id': 4 again, it stands on line 2",
         "an id twice"},
        {"x,y,id\n.1,.1,4\n.2,1.5,5\n",
         ".csv:3: column 'y': particle 5 at 1.5 is outside the domain", "a place outside"},
        {"x,y,id\n.1,.1,4\n.2,.2,5\n.1,.1,9\n", "particles 4 and 9 are in one place, (0.1, 0.1, 0)",
         "two in one place"},
        {"x,y,id\n.1,.1,4\n.1,.10000001,9\n", "particles 4 and 9 are in one place",
         "two almost in one place"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        use_file(wrong[i].text);
        REFUSED(&t, SLUICE_BAD_INPUT, wrong[i].what, wrong[i].message);
    }
    use_file("x,y\n.1,.1\n");
    unlink(path);
    REFUSED(&t, SLUICE_IO, "a file that is not there", path, "No such file");
    use_file("x,y,type\n.1,.1,wall\n");
    REFUSED(&t, SLUICE_BAD_INPUT, "walls without fluid", "no fluid particles");
    use_file("id,x,y\n" SLUICE_ID_MAX_TEXT ",.1,.1\n");
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 0.5, 0);
    test_walls(&t, 4);
    REFUSED(&t, SLUICE_BAD_INPUT, "no ids left for the walls",
            SLUICE_ID_MAX_TEXT " leaves none for 30 particles of the geometry");
    use_file("id,x,y,type\n1,.1,.1,fluid\n2,.1,-1.5,wall\n");
    struct sluice_case c;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK,
           "walls may stand outside the domain");
    sluice_case_destroy(&c);
}

/* Two grids of particles that touch the borders of the search for coincidences, and one that
 * repeats a place across a period. */
static void places(void)
{
    struct sluice_case c;
    char text[65536] = "x,y\n";
    size_t used = strlen(text);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.9g,%.9g\n",
                                     i * 64e-7 * 3900, j * 64e-7 * 3900);
    use_file(text);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK,
           "1600 particles, none in another's place");
    sluice_case_destroy(&c);
    use_file("x,y\n0,.5\n1,.5\n");
    t.config.domain.periodic[0] = 1;
    REFUSED(&t, SLUICE_BAD_INPUT, "the two ends of a period",
            "particles 0 and 1 are in one place, (0, 0.5, 0)");
    use_file("x,y\n0.00000001,.5\n0.99999999,.5\n");
    t.config.domain.periodic[0] = 1;
    REFUSED(&t, SLUICE_BAD_INPUT, "two on either side of a periodic face",
            "particles 0 and 1 are in one place");
}

/* Sets all numbers of a dataset in the snapshot to `value`, as 64-bit integers or as reals. */
static void overwrite(const char *snapshot, const char *name, hid_t type, double value)
{
    const hid_t file = H5Fopen(snapshot, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t old = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(old);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    double *numbers = malloc((size_t)n * sizeof *numbers);
    if (!numbers)
        exit(1);
    for (hssize_t i = 0; i < n; i++)
        numbers[i] = value + (double)(i * (value == 0x1p40));
    H5Dclose(old);
    H5Lmove(file, name, file, "kept", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                     H5P_DEFAULT);
    ok(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0,
       "%s becomes %g", name, value);
    free(numbers);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void put_back(const char *snapshot, const char *name)
{
    const hid_t file = H5Fopen(snapshot, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Lmove(file, "kept", file, name, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
}

/* A snapshot gets the checks of a table. */
static void wrong_snapshots(const char *snapshot)
{
    static const char density[] = "VTKHDF/PointData/Density", id[] = "VTKHDF/PointData/Id",
                      type[] = "VTKHDF/PointData/ParticleType", mass[] = "VTKHDF/PointData/Mass";
    overwrite(snapshot, density, H5T_NATIVE_DOUBLE, -1000);
    REFUSED(&t, SLUICE_BAD_INPUT, "a density below 0", snapshot, "density: -1000 is not above 0");
    put_back(snapshot, density);
    overwrite(snapshot, mass, H5T_NATIVE_DOUBLE, 0);
    REFUSED(&t, SLUICE_BAD_INPUT, "no mass", snapshot, "mass: 0 is not above 0");
    put_back(snapshot, mass);
    overwrite(snapshot, id, H5T_NATIVE_INT64, 0x1p60);
    REFUSED(&t, SLUICE_IO, "ids of 2^60", snapshot, "1152921504606846976",
            "from 0 to " SLUICE_ID_MAX_TEXT);
    put_back(snapshot, id);
    overwrite(snapshot, id, H5T_NATIVE_INT64, 3);
    REFUSED(&t, SLUICE_BAD_INPUT, "one id for all", snapshot, "ids must be unique");
    put_back(snapshot, id);
    overwrite(snapshot, type, H5T_NATIVE_INT64, -1);
    REFUSED(&t, SLUICE_IO, "a type below 0", snapshot, "-1", "from 0 to 1");
    put_back(snapshot, type);
}

/* Files that may never end are refused. */
static void endless_files(void)
{
    static const char *const none[] = {"/dev/zero", "/dev/null", "/tmp"};
    use_file("x,y\n.1,.1\n");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        strcpy(t.config.particles, none[i]);
        REFUSED(&t, SLUICE_IO, none[i], "particles: ", none[i], "no regular file");
    }
    unlink(path);
    strcpy(t.config.particles, path);
    if (mkfifo(path, 0600) == 0)
        REFUSED(&t, SLUICE_IO, "a pipe that nobody writes to", path, "no regular file");
    unlink(path);
    FILE *file = fopen(path, "w");
    if (!file || fputs("x,y\n.1,.1\n", file) < 0)
        exit(1);
    for (int i = 0; i < 100000; i++)
        fputc('1', file);
    fclose(file);
    REFUSED(&t, SLUICE_IO, "a line without end", path, ".csv:3: the line is longer than 65535");
    test_write_file(path, "x,y\n.1,.1\n");
    if (truncate(path, 1LL << 40) == 0) /* a hole: it takes no space */
        REFUSED(&t, SLUICE_IO, "a terabyte of zeros", path, ".csv:3: it is no text");
}

/* A case goes into a snapshot and comes back as the start of another. */
static void from_snapshot(void)
{
    static char snapshot[] = "/tmp/sluice-particle-file-XXXXXX.hdf";
    struct sluice_case c, back;
    struct sluice_host_particles p = {0};
    struct sluice_snapshot_header header = {.precision = 8, .config = "", .units = "si"};
    struct sluice_grid grid;
    double worst = 0;
    use_file("id,x,y,vx,vy,density\n10,0.25,0.25,1,2,1010\n2,0.75,0.5,3,4,990\n");
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 0.5, 0);
    test_walls(&t, 4);
    if (sluice_case_create(&c, &t.config, NULL) || sluice_grid_create(&grid, &c.grid) ||
        sluice_host_particles_reserve(&p, c.start[0].count + c.start[1].count))
        exit(1);
    header.dimension = 2;
    header.spacing = t.config.spacing;
    p.dimension = 2;
    p.has_density = 1;
    for (int type = 0; type <= SLUICE_WALL; type++)
        for (int64_t i = 0; i < c.start[type].count; i++, p.count++, p.type_count[type]++) {
            const struct sluice_start *s = &c.start[type];
            sluice_grid_coordinates(&grid, &s->place[i], p.x[p.count]);
            memcpy(p.velocity[p.count], s->velocity[i], sizeof s->velocity[i]);
            p.density[p.count] = 1000 * (1 + s->density[i]);
            p.pressure[p.count] = sluice_wcsph_pressure(&c.physics.wcsph, s->density[i]);
            p.mass[p.count] = s->mass[i];
            p.id[p.count] = s->id[i];
            p.type[p.count] = (uint8_t)type;
        }
    const int file = mkstemps(snapshot, 4);
    close(file);
    if (!is_int(sluice_snapshot_write(snapshot, &p, &header), SLUICE_OK, "a snapshot"))
        diag("%s", sluice_message());
    strcpy(t.config.particles, snapshot);
    if (!is_int(sluice_case_create(&back, &t.config, NULL), SLUICE_OK, "starts a case"))
        diag("%s", sluice_message());
    is_int(back.start[0].count, 2, "with its fluid");
    is_int(back.start[1].count, 30, "and its own walls, not the shapes' once more");
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        for (int64_t i = 0;
             i < back.start[type].count && back.start[type].count == c.start[type].count; i++) {
            const struct sluice_start *a = &c.start[type], *b = &back.start[type];
            double x[3], y[3];
            sluice_grid_coordinates(&grid, &a->place[i], x);
            sluice_grid_coordinates(&grid, &b->place[i], y);
            worst = fmax(worst, fabs(x[0] - y[0]) + fabs(x[1] - y[1]) +
                                    fabs(a->velocity[i][1] - b->velocity[i][1]));
            worst = fmax(worst,
                         fabs(a->density[i] - b->density[i]) + fabs(a->mass[i] - b->mass[i]));
            worst = fmax(worst, a->id[i] != b->id[i]);
        }
    is_close(worst, 0, 1e-12, "ids, places, velocities, densities and masses come back");
    sluice_case_destroy(&back);
    static struct sluice_motion motion = {.name = "m", .kind = SLUICE_MOTION_LINEAR};
    t.config.motions = &motion;
    t.config.motion_count = 1;
    strcpy(t.shape[1].motion, "m");
    REFUSED(&t, SLUICE_BAD_INPUT, "a motion of walls of a snapshot without groups",
            "a snapshot without the array Shape", "remove its wall particles, or the motions");
    t.config.motion_count = 0;
    t.shape[1].motion[0] = 0;
    wrong_snapshots(snapshot);
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    REFUSED(&t, SLUICE_BAD_INPUT, "walls of a file without a surface", "boundary.kind: \"mdbc\"",
            snapshot, "remove its wall particles, or take \"adami\"");
    t.config.units = SLUICE_UNITS_LJ;
    REFUSED(&t, SLUICE_BAD_INPUT, "a snapshot in other units", "units of \"si\"");
    test_write_file(path, "\x89HDF\r\n\x1a\n and nothing more");
    strcpy(t.config.particles, path);
    REFUSED(&t, SLUICE_IO, "a broken snapshot", path);
    sluice_case_destroy(&c);
    sluice_grid_destroy(&grid);
    sluice_host_particles_destroy(&p);
    unlink(snapshot);
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    read_back();
    into_a_case();
    phases();
    wrong_files();
    places();
    from_snapshot();
    endless_files();
    unlink(path);
    return done_testing();
}
