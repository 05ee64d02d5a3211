/* Uploads and downloads. The device cannot reach pageable host memory, only two pinned buffers: the
 * device copies one while the host copies the other.
 *
 *   download   device -> piece 0 | device -> piece 1 | device -> piece 0 |
 *                                | piece 0 -> host   | piece 1 -> host   | ... */
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

enum { PIECE = 16 << 20, HOST_THREADS = 8, HOST_BLOCK = 1 << 20 };

sluice_status gpu_copy_create(struct gpu_copy *copy)
{
    SLUICE_CHECK(pthread_mutex_init(&copy->lock, NULL) == 0, SLUICE_DEVICE,
                 GPU_NAME ": no lock for copies");
    SLUICE_TRY(gpu_check(gpuStreamCreate(&copy->stream), "a stream for copies"));
    SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&copy->queued), "an event for copies"));
    SLUICE_TRY(sluice_threads_create(&copy->team, HOST_THREADS));
    for (int k = 0; k < 2; k++) {
        SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&copy->done[k]), "an event for copies"));
        SLUICE_TRY(gpu_check(gpuMallocHost((void **)&copy->piece[k], PIECE),
                             "pinned host memory for copies"));
    }
    return SLUICE_OK;
}

void gpu_copy_destroy(struct gpu_copy *copy)
{
    for (int k = 0; k < 2; k++) {
        if (copy->piece[k])
            gpuFreeHost(copy->piece[k]);
        if (copy->done[k])
            gpuEventDestroy(copy->done[k]);
    }
    if (copy->queued)
        gpuEventDestroy(copy->queued);
    if (copy->stream)
        gpuStreamDestroy(copy->stream);
    sluice_threads_destroy(&copy->team);
    pthread_mutex_destroy(&copy->lock);
}

/* A copy from host memory to host memory. */
struct host_copy {
    char *to;
    const char *from;
    size_t bytes;
};

static void copy_blocks(struct sluice_share *share, void *data)
{
    const struct host_copy *c = (const struct host_copy *)data;
    int64_t first, last;
    while (sluice_share_block(share, (int64_t)c->bytes, HOST_BLOCK, &first, &last))
        memcpy(c->to + first, c->from + first, (size_t)(last - first));
}

/* One core does not copy as fast as the bus does. */
static void copy_on_host(struct gpu_copy *copy, char *to, const char *from, size_t bytes)
{
    struct host_copy c = {to, from, bytes};
    sluice_threads_run(copy->team, sluice_blocks((int64_t)bytes, HOST_BLOCK), copy_blocks, &c);
}

static size_t piece_bytes(size_t bytes, size_t begin)
{
    return bytes - begin < PIECE ? bytes - begin : (size_t)PIECE;
}

/* Queues the copy of the piece at `begin` into its buffer. */
static sluice_status fetch(struct gpu_copy *copy, const char *from, size_t begin, size_t bytes)
{
    const size_t k = begin / PIECE % 2;
    SLUICE_TRY(gpu_check(gpuMemcpyAsync(copy->piece[k], from + begin, piece_bytes(bytes, begin),
                                        gpuMemcpyDeviceToHost, copy->stream),
                         "a download"));
    return gpu_check(gpuEventRecord(copy->done[k], copy->stream), "a download");
}

static sluice_status download(struct gpu_backend *gpu, char *to, const char *from, size_t bytes)
{
    struct gpu_copy *copy = &gpu->copy;
    SLUICE_TRY(gpu_check(gpuSetDevice(gpu->device), "choosing the device"));
    SLUICE_TRY(gpu_check(gpuEventRecord(copy->queued, gpu->stream), "a download"));
    SLUICE_TRY(gpu_check(gpuStreamWaitEvent(copy->stream, copy->queued, 0), "a download"));
    SLUICE_TRY(fetch(copy, from, 0, bytes));
    for (size_t begin = 0; begin < bytes; begin += PIECE) {
        const size_t k = begin / PIECE % 2;
        if (begin + PIECE < bytes)
            SLUICE_TRY(fetch(copy, from, begin + PIECE, bytes));
        SLUICE_TRY(gpu_check(gpuEventSynchronize(copy->done[k]), "a download"));
        copy_on_host(copy, to + begin, copy->piece[k], piece_bytes(bytes, begin));
    }
    return SLUICE_OK;
}

/* In the stream of the step, since queued kernels may still read there. Other ranks may read what
 * was uploaded as soon as this returns. */
static sluice_status upload(struct gpu_backend *gpu, char *to, const char *from, size_t bytes)
{
    struct gpu_copy *copy = &gpu->copy;
    for (size_t begin = 0; begin < bytes; begin += PIECE) {
        const size_t k = begin / PIECE % 2;
        SLUICE_TRY(gpu_check(gpuEventSynchronize(copy->done[k]), "an upload"));
        copy_on_host(copy, copy->piece[k], from + begin, piece_bytes(bytes, begin));
        SLUICE_TRY(gpu_check(gpuMemcpyAsync(to + begin, copy->piece[k], piece_bytes(bytes, begin),
                                            gpuMemcpyHostToDevice, gpu->stream),
                             "an upload"));
        SLUICE_TRY(gpu_check(gpuEventRecord(copy->done[k], gpu->stream), "an upload"));
    }
    return gpu->ranks ? gpu_check(gpuStreamSynchronize(gpu->stream), "an upload") : SLUICE_OK;
}

sluice_status gpu_upload(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes)
{
    gpu->uploads++;
    return gpu_send(gpu, to, from_host, bytes);
}

sluice_status gpu_send(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes)
{
    if (bytes == 0)
        return SLUICE_OK;
    pthread_mutex_lock(&gpu->copy.lock);
    const sluice_status status = upload(gpu, (char *)to, (const char *)from_host, bytes);
    pthread_mutex_unlock(&gpu->copy.lock);
    return status;
}

sluice_status gpu_download(struct gpu_backend *gpu, void *to_host, const void *from, size_t bytes)
{
    if (bytes == 0)
        return SLUICE_OK;
    pthread_mutex_lock(&gpu->copy.lock);
    const sluice_status status = download(gpu, (char *)to_host, (const char *)from, bytes);
    pthread_mutex_unlock(&gpu->copy.lock);
    return status;
}

} // namespace SLUICE_GPU
