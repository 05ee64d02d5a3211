/* test: 0.1 s */
/* The fuzz targets read all inputs that broke a reader once, found by `make fuzz` or by hand, and
 * its seeds. A target aborts if a reader breaks a promise, so each kind is read by a process of its
 * own. */
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz/fuzz.h"
#include "support/tap.h"

enum { SECONDS_MAX = 20, BYTES_MAX = 1 << 20 };

/* Compressed or not. */
static void read_file(const char *path, void (*target)(const uint8_t *, size_t))
{
    uint8_t *data = malloc(BYTES_MAX);
    const gzFile file = gzopen(path, "rb");
    const int size = file && data ? gzread(file, data, BYTES_MAX) : -1;
    if (size < 0 || size == BYTES_MAX || gzclose(file) != Z_OK)
        exit(1);
    uint8_t *exact = malloc((size_t)size + !size); /* so that what is read beyond it is found */
    if (!exact)
        exit(1);
    memcpy(exact, data, (size_t)size);
    free(data);
    target(exact, (size_t)size);
    free(exact);
}

/* A file in a process that has a limit on its time. */
static int survives(const char *path, void (*target)(const uint8_t *, size_t))
{
    int status = 1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS_MAX);
        read_file(path, target);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    if (status != 0)
        diag("%s: signal %d, status %d", path, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
             WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return status == 0;
}

static void read_folder(const char *folder, void (*target)(const uint8_t *, size_t), int least)
{
    struct dirent **entry;
    int files = 0, survived = 0;
    const int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.') {
            files++;
            survived += survives(path, target);
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    ok(files >= least && survived == files, "%s: %d of %d files end well", folder, survived, files);
}

/* The test can fail: a target that aborts is seen. */
static void aborts(const uint8_t *data, size_t size)
{
    (void)data, (void)size;
    abort();
}

int main(void)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    read_folder("tests/fuzz/seeds", fuzz_config, 3);
    read_folder("tests/data/fuzz/config", fuzz_config, 1);
    read_folder("tests/fuzz/meshes", fuzz_mesh, 6);
    read_folder("tests/data/fuzz/mesh", fuzz_mesh, 1);
    read_folder("tests/data/fuzz/snapshot", fuzz_snapshot, 1);
    ok(!survives("tests/fuzz/seeds/tank.cfg", aborts), "a target that aborts is seen");
    return done_testing();
}
