/* test: 0.1 s */
/* A gas that starts from a table or a snapshot. */
#include <unistd.h>

#include "snapshots/snapshot.h"
#include "support/case_config.h"

static struct test_config t;
static char path[] = "/tmp/sluice-gas-files-XXXXXX.csv";

/* A gas of a file. */
static void use_gas(const char *text)
{
    test_write_file(path, text);
    test_gas(&t, 2, 0.1);
    test_domain(&t, 1, 1, 0);
    strcpy(t.config.particles, path);
}

static void gases(void)
{
    static const struct {
        const char *text, *message, *what;
    } wrong[] = {
        {"x,y,mass\n.1,.1,1\n", ".csv:1: column 'density' is missing; a gas needs it",
         "a gas without densities"},
        {"x,y,density,pressure,energy\n.1,.1,1,1,1\n",
         ".csv:1: there are columns 'energy' and 'pressure'", "both pressure and energy"},
        {"x,y,density,pressure\n.1,.1,1,-1\n", ".csv:2: column 'pressure': '-1' is below 0",
         "a negative pressure"},
        {"x,y,density,energy\n.1,.1,1,-1\n", ".csv:2: column 'energy': '-1' is below 0",
         "a negative energy"},
        {"x,y,density\n.1,.1,0\n", ".csv:2: column 'density': '0' is not above 0", "no density"},
        {"x,y,density,type\n.1,.1,1,fluid\n.2,.2,1,wall\n",
         "model \"gas\" has no wall particles, the case has 1", "walls"},
        {"x,y,density\n.1,.1,1\n.1,.1,1\n", "particles 0 and 1 are in one place", "two in one"}};
    struct sluice_case c;
    use_gas("x,y,vx,density,pressure,mass\n.25,.25,3,2,5,0.08\n.75,.5,0,1,0,0.01\n");
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a gas of a file");
    ok(c.start[0].count == 2 && c.start[0].velocity[0][0] == 3 && c.start[0].density[0] == 2 &&
           c.start[0].mass[0] == 0.08 && c.start[0].mass[1] == 0.01,
       "velocity, density and mass");
    is_close(c.start[0].energy[0], 5 / (0.4 * 2), 1e-14, "u of the pressure");
    is_close(c.cutoff, 2 * 1.5 * sqrt(0.08 / 2), 1e-15, "the cutoff is the largest support");
    is_close(c.gas.h[0], 1.5 * sqrt(0.01), 1e-15, "the least h");
    sluice_case_destroy(&c);

    use_gas("x,y,density,energy\n.25,.25,2,7\n");
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "without masses");
    is_close(c.start[0].mass[0], 0.02, 1e-16, "the mass is rho dp^2");
    is_close(c.start[0].energy[0], 7, 0, "u itself");
    sluice_case_destroy(&c);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        use_gas(wrong[i].text);
        REFUSED(&t, SLUICE_BAD_INPUT, wrong[i].what, wrong[i].message);
    }
    use_gas("x,y,energy\n.1,.1,1\n");
    t.config.model = SLUICE_MODEL_WCSPH;
    REFUSED(&t, SLUICE_BAD_INPUT, "the energy of water",
            ".csv:1: column 'energy' is for model \"gas\"");
}

/* A snapshot of two particles, of a gas or of water. */
static void write_pair(char *snapshot, int is_gas)
{
    struct sluice_snapshot_header header = {
        .precision = 8, .config = "", .units = "si", .dimension = 2, .spacing = 0.1};
    struct sluice_host_particles p = {0};
    const int file = mkstemps(snapshot, 4);
    close(file);
    if (sluice_host_particles_reserve(&p, 2) != SLUICE_OK)
        exit(1);
    p.count = p.type_count[SLUICE_FLUID] = p.dimension = 2;
    p.has_density = 1;
    p.energy = is_gas ? calloc(2, sizeof *p.energy) : NULL;
    for (int i = 0; i < 2; i++) {
        p.x[i][0] = p.x[i][1] = 0.25 + 0.5 * i;
        p.x[i][2] = p.velocity[i][1] = p.velocity[i][2] = p.pressure[i] = 0;
        p.velocity[i][0] = 3 + i;
        p.density[i] = 2 + i;
        p.mass[i] = 0.01;
        p.id[i] = (sluice_id)i;
        p.type[i] = SLUICE_FLUID;
        if (p.energy)
            p.energy[i] = 7 + i;
    }
    is_int(sluice_snapshot_write(snapshot, &p, &header), SLUICE_OK, "a snapshot");
    sluice_host_particles_destroy(&p);
}

static void gas_from_snapshot(void)
{
    char gas[] = "/tmp/sluice-gas-files-XXXXXX.hdf", water[] = "/tmp/sluice-gas-files-XXXXXX.hdf";
    struct sluice_case c;
    write_pair(gas, 1);
    write_pair(water, 0);
    use_gas("");
    strcpy(t.config.particles, gas);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "starts a gas");
    ok(c.start[0].count == 2 && c.start[0].velocity[1][0] == 4 && c.start[0].density[1] == 3 &&
           c.start[0].mass[1] == 0.01 && c.start[0].energy[1] == 8,
       "with its velocities, densities, masses and energies");
    sluice_case_destroy(&c);
    strcpy(t.config.particles, water);
    REFUSED(&t, SLUICE_BAD_INPUT, "a gas of water", water, "it has no array InternalEnergy");
    unlink(gas);
    unlink(water);
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    gases();
    gas_from_snapshot();
    unlink(path);
    return done_testing();
}
