#include "domain/launch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "domain/comm.h"

/* The seconds that rank 0 has to say what all ranks have found, before another one does. */
enum { PATIENCE = 2 };

static int standard_error = STDERR_FILENO; /* of a rank whose stream is silent */

/* How many programs mpirun or srun says in the environment that it started; 0: it says nothing. */
static long programs(const char **variable)
{
    static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *count = getenv(counts[i]);
        *variable = counts[i];
        if (count && strtol(count, NULL, 10) > 0)
            return strtol(count, NULL, 10);
    }
    return 0;
}

static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    fflush(stdout);
    standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

sluice_status sluice_ranks_join(void)
{
    const char *variable;
    const long count = programs(&variable);
    if (count < 2)
        return SLUICE_OK;
    SLUICE_CHECK(
        sluice_comm_has_mpi(), SLUICE_BAD_INPUT,
        "mpirun or srun started %ld programs (%s), and each would run the whole case, for "
        "this build has no MPI: build it with `make MPI=1`, or start one program, by `srun -n "
        "1`, `mpirun -n 1` or neither. To run several cases at once, unset %s",
        count, variable, variable);
    SLUICE_TRY(sluice_comm_open());
    const struct sluice_comm *world = sluice_world();
    SLUICE_CHECK(
        world->size == count, SLUICE_BAD_INPUT,
        "mpirun or srun started %ld programs (%s), but this one's MPI knows of %d: start it "
        "with the mpirun of the MPI that it was built with",
        count, variable, world->size);
    if (world->rank > 0)
        silence();
    return SLUICE_OK;
}

void sluice_ranks_leave(sluice_status status)
{
    struct sluice_comm *world = sluice_world();
    const int agreed = status == SLUICE_OK || status == SLUICE_STOPPED ||
                       status == SLUICE_FAILED_CHECK || status == SLUICE_BLOW_UP;
    if (world->size > 1 && !agreed) {
        if (world->rank > 0) {
            sleep(PATIENCE);
            dprintf(standard_error, "sluice: rank %d: error: %s\n", world->rank, sluice_message());
        }
        world->ops->end_all(world, status);
    }
    sluice_comm_close();
}
