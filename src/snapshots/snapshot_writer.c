#include "snapshots/snapshot_writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/threads.h"
#include "core/timer.h"
#include "files/safe_file_hdf5.h"

enum { JOBS = 2, PATH_SIZE = 4096, ENERGIES_MAX = 64, MESSAGE_SIZE = 4096 };

struct job {
    struct sluice_particle_copy copy;
    struct sluice_snapshot_header header;
    struct sluice_named_real energies[ENERGIES_MAX];
    struct sluice_snapshot_body *body;
    int body_capacity;
    char path[PATH_SIZE];
};

struct sluice_snapshot_writer {
    struct sluice_series *series;
    struct sluice_host_particles *host;
    const struct sluice_matter *matter;
    double waited; /* s; of the caller's thread */
    pthread_t thread;
    pthread_mutex_t mutex; /* of the members below; queued jobs belong to the thread */
    pthread_cond_t changed;
    struct job job[JOBS];
    int first, count;  /* the oldest queued job, and the number of them */
    struct job *given; /* the job that the caller fills */
    int ends;
    sluice_status status; /* the first error */
    char message[MESSAGE_SIZE];
};

static sluice_status write_job(const struct sluice_snapshot_writer *w, struct job *job)
{
    SLUICE_TRY(sluice_host_particles_slice(w->host, &job->copy, sluice_output_world()));
    SLUICE_TRY(sluice_host_particles_convert(w->host, &job->copy, w->matter));
    SLUICE_TRY(sluice_snapshot_write(job->path, w->host, &job->header));
    if (!w->series)
        return SLUICE_OK;
    return sluice_series_append(w->series, strrchr(job->path, '/') + 1, job->header.time);
}

static void *work(void *data)
{
    struct sluice_snapshot_writer *w = data;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (w->count == 0 && !w->ends)
            pthread_cond_wait(&w->changed, &w->mutex);
        if (w->count == 0)
            break;
        struct job *job = &w->job[w->first];
        sluice_status status = w->status;
        pthread_mutex_unlock(&w->mutex);
        const int tried = status == SLUICE_OK;
        if (tried)
            status = write_job(w, job);
        pthread_mutex_lock(&w->mutex);
        if (tried && status != SLUICE_OK) {
            snprintf(w->message, sizeof w->message, "%s", sluice_message());
            w->status = status;
        }
        w->first = (w->first + 1) % JOBS;
        w->count--;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

sluice_status sluice_snapshot_writer_create(struct sluice_snapshot_writer **writer,
                                            struct sluice_series *series,
                                            struct sluice_host_particles *host,
                                            const struct sluice_matter *matter)
{
    *writer = NULL;
    SLUICE_TRY(sluice_hdf5_begin());
    struct sluice_snapshot_writer *w = calloc(1, sizeof *w);
    SLUICE_CHECK(w, SLUICE_DEVICE, "no memory for the output's thread");
    w->series = series;
    w->host = host;
    w->matter = matter;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    const int error = sluice_thread_start(&w->thread, 0, work, w);
    if (error != 0) {
        pthread_cond_destroy(&w->changed);
        pthread_mutex_destroy(&w->mutex);
        free(w);
        return SLUICE_FAIL(SLUICE_DEVICE,
                           "the output's thread cannot be started: %s; `ulimit -u` and `ulimit -v` "
                           "show limits, output.every = 0 needs none",
                           strerror(error));
    }
    *writer = w;
    return SLUICE_OK;
}

/* Waits until at most `most` jobs are left. */
static sluice_status wait_for(struct sluice_snapshot_writer *w, int most)
{
    char message[MESSAGE_SIZE] = "";
    pthread_mutex_lock(&w->mutex);
    while (w->count > most)
        pthread_cond_wait(&w->changed, &w->mutex);
    const sluice_status status = w->status;
    if (status != SLUICE_OK)
        memcpy(message, w->message, sizeof message);
    pthread_mutex_unlock(&w->mutex);
    return status == SLUICE_OK ? SLUICE_OK : SLUICE_FAIL(status, "%s", message);
}

/* With an empty queue it is always the first job that is given, so that the second takes memory
 * only if it is needed. The place of the given job stays behind the queue's end, also while the
 * thread takes jobs off it. */
sluice_status sluice_snapshot_writer_buffer(struct sluice_snapshot_writer *w,
                                            struct sluice_particle_copy **copy)
{
    const double before = sluice_seconds();
    SLUICE_TRY(wait_for(w, JOBS - 1));
    w->waited += sluice_seconds() - before;
    pthread_mutex_lock(&w->mutex);
    if (w->count == 0)
        w->first = 0;
    w->given = &w->job[(w->first + w->count) % JOBS];
    pthread_mutex_unlock(&w->mutex);
    *copy = &w->given->copy;
    return SLUICE_OK;
}

/* Memory for the bodies of a job, which no thread uses. */
static sluice_status reserve(struct job *job, int bodies)
{
    if (bodies <= job->body_capacity)
        return SLUICE_OK;
    free(job->body);
    job->body_capacity = 0;
    SLUICE_ALLOCATE(job->body, bodies, "bodies of a snapshot");
    job->body_capacity = bodies;
    return SLUICE_OK;
}

sluice_status sluice_snapshot_writer_queue(struct sluice_snapshot_writer *w, const char *path,
                                           const struct sluice_snapshot_header *header)
{
    SLUICE_CHECK(header->energy_count <= ENERGIES_MAX && strlen(path) < PATH_SIZE, SLUICE_DEVICE,
                 "internal: %d energies or a path of %zu letters are too many for a snapshot",
                 header->energy_count, strlen(path));
    struct job *job = w->given;
    SLUICE_TRY(reserve(job, header->bodies));
    pthread_mutex_lock(&w->mutex);
    job->header = *header;
    job->header.body = job->body;
    if (header->bodies > 0)
        memcpy(job->body, header->body, (size_t)header->bodies * sizeof *job->body);
    if (header->energy_count > 0)
        memcpy(job->energies, header->energies,
               (size_t)header->energy_count * sizeof *job->energies);
    job->header.energies = job->energies;
    snprintf(job->path, sizeof job->path, "%s", path);
    w->count++;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    return SLUICE_OK;
}

sluice_status sluice_snapshot_writer_check(struct sluice_snapshot_writer *w)
{
    return wait_for(w, JOBS);
}

sluice_status sluice_snapshot_writer_drain(struct sluice_snapshot_writer *w)
{
    return wait_for(w, 0);
}

double sluice_snapshot_writer_waited(const struct sluice_snapshot_writer *w)
{
    return w->waited;
}

sluice_status sluice_snapshot_writer_destroy(struct sluice_snapshot_writer **writer)
{
    struct sluice_snapshot_writer *w = *writer;
    if (!w)
        return SLUICE_OK;
    const sluice_status status = sluice_snapshot_writer_drain(w);
    pthread_mutex_lock(&w->mutex);
    w->ends = 1;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    for (int i = 0; i < JOBS; i++) {
        sluice_particle_copy_destroy(&w->job[i].copy);
        free(w->job[i].body);
    }
    free(w);
    *writer = NULL;
    return status;
}
