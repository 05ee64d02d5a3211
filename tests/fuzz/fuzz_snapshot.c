#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "snapshots/checkpoint.h"
#include "case/particle_file.h"
#include "snapshots/snapshot.h"
#include "sim/output.h"
#include "sim/output_state.h"

/* HDF5's objects that are open: the leak checker does not see them, as HDF5 has a list. */
static ssize_t open_objects(void)
{
    return H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
}

static void expect_message(sluice_status status)
{
    if (getenv("FUZZ_SAY"))
        fprintf(stderr, "status %d: %s\n", (int)status,
                status == SLUICE_OK ? "" : sluice_message());
    fuzz_require(status == SLUICE_OK || *sluice_message(), "a failure has no message");
}

static void read_particles(const char *path, int dimension)
{
    struct sluice_particle_file file;
    const sluice_status status = sluice_particle_file_read(&file, path, dimension, 0);
    expect_message(status);
    if (status == SLUICE_OK)
        sluice_particle_file_destroy(&file);
}

static void read_snapshot(const char *path)
{
    struct sluice_host_particles particles = {0};
    struct sluice_snapshot_header info;
    const sluice_status status = sluice_snapshot_read(path, &particles, &info);
    expect_message(status);
    sluice_host_particles_destroy(&particles);
    if (status == SLUICE_OK)
        read_particles(path, (int)info.dimension);
}

/* Restores a checkpoint as a restart does, and makes the first step. */
static void restore(struct sluice_checkpoint *checkpoint, const struct sluice_config *config,
                    const struct sluice_case *setup)
{
    struct sluice_log log = {0};
    struct sluice_sim sim;
    struct sluice_output output = {0};
    sluice_status status = sluice_sim_create(&sim, config, setup, &log);
    if (status == SLUICE_OK)
        status = sluice_output_create(&output, &sim);
    if (status == SLUICE_OK)
        status = sluice_state_restore(&output, &sim, checkpoint);
    if (status == SLUICE_OK && !sluice_sim_finished(&sim))
        status = sluice_sim_step(&sim);
    expect_message(status);
    (void)sluice_output_close(&output);
    sluice_sim_destroy(&sim);
}

static void read_checkpoint(const char *path)
{
    static const char *const set[] = {"backend.threads=1", "backend.name=\"cpu\"",
                                      "time.max_steps=0"};
    struct sluice_checkpoint *checkpoint = NULL;
    struct sluice_config config;
    struct sluice_case setup;
    sluice_status status = sluice_checkpoint_open(&checkpoint, path);
    expect_message(status);
    if (status != SLUICE_OK)
        return;
    status = sluice_config_parse(&config, sluice_checkpoint_config(checkpoint), "checkpoint", set,
                                 3, NULL);
    if (status == SLUICE_OK) {
        if (fuzz_is_small(&config) && sluice_case_create(&setup, &config, NULL) == SLUICE_OK) {
            restore(checkpoint, &config, &setup);
            sluice_case_destroy(&setup);
        }
        sluice_config_destroy(&config);
    }
    sluice_checkpoint_close(&checkpoint);
}

static int is_hdf5(const uint8_t *data, size_t size)
{
    return size >= 8 && memcmp(data, "\x89HDF\r\n\x1a\n", 8) == 0;
}

void fuzz_snapshot(const uint8_t *data, size_t size)
{
    char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/sluice-fuzz-XXXXXX", folder ? folder : "/tmp");
    const int descriptor = mkstemp(path);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size)
        exit(1);
    const ssize_t before = open_objects();
    if (is_hdf5(data, size)) {
        read_snapshot(path);
        read_checkpoint(path);
    } else {
        read_particles(path, 2);
        read_particles(path, 3);
    }
    fuzz_require(open_objects() == before, "the reading leaves HDF5's objects open");
    close(descriptor);
    unlink(path);
}
