/* Fields of particles between arrays of the device, and messages between ranks. */
#include "kernels/gpu/ranks.h"

namespace SLUICE_GPU
{

/* --- Fields ---- */

enum { PACKED_ALIGN = 16 };

static size_t packed_field_bytes(const struct sluice_set *set, int f, int64_t n)
{
    const size_t bytes = (size_t)(n * sluice_set_field_bytes(set, (enum sluice_field)f));
    return (bytes + PACKED_ALIGN - 1) / PACKED_ALIGN * PACKED_ALIGN;
}

size_t gpu_packed_bytes(const struct sluice_set *set, sluice_fields fields, int64_t n)
{
    size_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1)
            bytes += packed_field_bytes(set, f, n);
    return bytes;
}

struct gpu_fields gpu_packed_fields(const struct sluice_set *set, sluice_fields fields, int64_t n,
                                    void *memory)
{
    struct gpu_fields packed = {};
    char *at = (char *)memory;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        packed.field[packed.count].at = at;
        packed.field[packed.count++].bytes = (int)sluice_set_field_bytes(set, (enum sluice_field)f);
        at += packed_field_bytes(set, f, n);
    }
    return packed;
}

struct gpu_fields gpu_fields_of(const struct sluice_set *set, sluice_fields fields)
{
    struct gpu_fields of = {};
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        of.field[of.count].at = (char *)set->field[f];
        of.field[of.count++].bytes = (int)sluice_set_field_bytes(set, (enum sluice_field)f);
    }
    return of;
}

/* A thread for each word, so that a warp writes consecutive ones. The layers of blocks share the
 * fields. `number` holds all words of a field. */
template <class number>
static __global__ void copy_fields(const struct gpu_fields from, const uint32_t *from_index,
                                   const struct gpu_fields to, const uint32_t *to_index, number n,
                                   const uint32_t *limit)
{
    gpu_begin();
    const number w = (number)blockIdx.x * blockDim.x + threadIdx.x;
    const int f = (int)blockIdx.y, bytes = from.field[f].bytes, wide = bytes % 4 == 0,
              words = wide ? bytes / 4 : bytes / 2;
    const number k = w / (number)words;
    if (k >= n || (limit && k >= *limit))
        return;
    const int64_t of = (int64_t)(w - k * (number)words),
                  source = (int64_t)words * (from_index ? from_index[k] : (int64_t)k) + of,
                  target = (int64_t)words * (to_index ? to_index[k] : (int64_t)k) + of;
    if (wide)
        ((uint32_t *)(void *)to.field[f].at)[target] =
            ((const uint32_t *)(const void *)from.field[f].at)[source];
    else
        ((uint16_t *)(void *)to.field[f].at)[target] =
            ((const uint16_t *)(const void *)from.field[f].at)[source];
}

sluice_status gpu_copy_fields(gpuStream_t stream, const struct gpu_fields &from,
                              const uint32_t *from_index, const struct gpu_fields &to,
                              const uint32_t *to_index, int64_t n, const uint32_t *limit)
{
    int64_t words = 0;
    if (n == 0 || from.count == 0)
        return SLUICE_OK;
    for (int f = 0; f < from.count; f++) {
        const int bytes = from.field[f].bytes;
        const int64_t of_field = n * (bytes % 4 == 0 ? bytes / 4 : bytes / 2);
        words = of_field > words ? of_field : words;
    }
    const dim3 blocks(gpu_blocks(words, GPU_BLOCK), (unsigned)from.count);
    if (words + GPU_BLOCK < UINT32_MAX)
        GPU_LAUNCH(copy_fields<uint32_t>, blocks, GPU_BLOCK, 0, stream, from, from_index, to,
                   to_index, (uint32_t)n, limit);
    else
        GPU_LAUNCH(copy_fields<uint64_t>, blocks, GPU_BLOCK, 0, stream, from, from_index, to,
                   to_index, (uint64_t)n, limit);
    GPU_LAUNCHED("copy_fields");
    return SLUICE_OK;
}

/* --- Messages ---- */

static sluice_status reserve_pinned(struct gpu_mail *mail, size_t bytes)
{
    if (bytes <= mail->host_bytes)
        return SLUICE_OK;
    if (mail->host)
        gpuFreeHost(mail->host);
    mail->host = NULL;
    mail->host_bytes = 0;
    SLUICE_TRY(gpu_check(gpuMallocHost((void **)&mail->host, bytes + bytes / 4),
                         "pinned host memory for messages between ranks"));
    mail->host_bytes = bytes + bytes / 4;
    return SLUICE_OK;
}

static size_t length_of(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* The bytes of all messages. */
static size_t bytes_of(const struct gpu_ranks *ranks, const struct gpu_mail *mail)
{
    size_t all = 0;
    for (int r = 0; r < ranks->size; r++)
        all += length_of(mail->bytes[r]);
    return all;
}

static sluice_status open_mail(struct gpu_backend *gpu, struct gpu_mail *mail)
{
    const size_t bytes = bytes_of(gpu->ranks, mail);
    if (bytes > mail->device.bytes) { /* new memory is cleared by the step's stream */
        SLUICE_TRY(gpu_scratch_reserve(gpu, &mail->device, bytes));
        SLUICE_TRY(gpu_check(gpuStreamSynchronize(gpu->stream), "memory for messages"));
    }
    char *at = (char *)mail->device.memory;
    for (int r = 0; r < gpu->ranks->size; at += length_of(mail->bytes[r++]))
        mail->at[r] = at;
    return SLUICE_OK;
}

sluice_status gpu_mail_open(struct gpu_backend *gpu)
{
    if (gpu->ranks->peers)
        return gpu_peers_open(gpu);
    SLUICE_TRY(open_mail(gpu, &gpu->ranks->out));
    return open_mail(gpu, &gpu->ranks->in);
}

/* The place of a message for MPI. */
static char *for_mpi(const struct gpu_ranks *ranks, const struct gpu_mail *mail, int rank)
{
    return ranks->mpi_reaches ? mail->at[rank]
                              : mail->host + (mail->at[rank] - (char *)mail->device.memory);
}

/* By MPI; through pinned host memory, if MPI does not reach the device. */
static sluice_status travel_by_mpi(struct gpu_backend *gpu, gpuStream_t stream)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_mail *out = &ranks->out, *in = &ranks->in;
    const size_t sent = ranks->mpi_reaches ? 0 : bytes_of(ranks, out),
                 got = ranks->mpi_reaches ? 0 : bytes_of(ranks, in);
    struct sluice_comm *comm = ranks->domain->comm;
    const struct gpu_host_array<struct sluice_message> message(2 * (size_t)comm->size);
    SLUICE_CHECK(message.at, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    SLUICE_TRY(reserve_pinned(out, sent));
    if (sent > 0)
        SLUICE_TRY(gpu_check(
            gpuMemcpyAsync(out->host, out->device.memory, sent, gpuMemcpyDeviceToHost, stream),
            "a message to other ranks"));
    /* All is packed then, and what came last has been read. */
    SLUICE_TRY(gpu_check(gpuStreamSynchronize(stream), "a message to other ranks"));
    SLUICE_TRY(reserve_pinned(in, got));
    for (int r = 0; r < comm->size; r++) {
        message.at[r] = {r, for_mpi(ranks, out, r), out->bytes[r]};
        message.at[comm->size + r] = {r, for_mpi(ranks, in, r), in->bytes[r]};
    }
    SLUICE_TRY(
        comm->ops->exchange(comm, message.at, comm->size, message.at + comm->size, comm->size));
    if (got > 0)
        SLUICE_TRY(gpu_check(
            gpuMemcpyAsync(in->device.memory, in->host, got, gpuMemcpyHostToDevice, stream),
            "a message from other ranks"));
    gpu_queued("messages between ranks");
    return SLUICE_OK;
}

sluice_status gpu_mail_travel(struct gpu_backend *gpu, gpuStream_t stream)
{
    return gpu->ranks->peers    ? gpu_peers_travel(gpu, stream)
           : gpu->ranks->direct ? gpu_direct_travel(gpu, stream)
                                : travel_by_mpi(gpu, stream);
}

} // namespace SLUICE_GPU
