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

size_t gpu_packed_bytes(const struct sluice_set *set, unsigned fields, int64_t n)
{
    size_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1)
            bytes += packed_field_bytes(set, f, n);
    return bytes;
}

struct gpu_fields gpu_packed_fields(const struct sluice_set *set, unsigned fields, int64_t n,
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

struct gpu_fields gpu_fields_of(const struct sluice_set *set, unsigned fields)
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

/* The layers of blocks share the fields. */
static __global__ void copy_fields(const struct gpu_fields from, const uint32_t *from_index,
                                   const struct gpu_fields to, const uint32_t *to_index, int64_t n,
                                   const uint32_t *limit)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int f = (int)blockIdx.y, bytes = from.field[f].bytes;
    if (k >= n || (limit && k >= *limit))
        return;
    const char *source = from.field[f].at + (int64_t)bytes * (from_index ? from_index[k] : k);
    char *target = to.field[f].at + (int64_t)bytes * (to_index ? to_index[k] : k);
    if (bytes % 4 == 0)
        for (int w = 0; w < bytes / 4; w++)
            ((uint32_t *)(void *)target)[w] = ((const uint32_t *)(const void *)source)[w];
    else
        for (int w = 0; w < bytes / 2; w++)
            ((uint16_t *)(void *)target)[w] = ((const uint16_t *)(const void *)source)[w];
}

sluice_status gpu_copy_fields(struct gpu_backend *gpu, const struct gpu_fields &from,
                              const uint32_t *from_index, const struct gpu_fields &to,
                              const uint32_t *to_index, int64_t n, const uint32_t *limit)
{
    if (n == 0 || from.count == 0)
        return SLUICE_OK;
    GPU_LAUNCH(copy_fields, dim3(gpu_blocks(n, GPU_BLOCK), (unsigned)from.count), GPU_BLOCK, 0,
               gpu->stream, from, from_index, to, to_index, n, limit);
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

/* The bytes of all messages. */
static size_t lay_out(const struct gpu_ranks *ranks, struct gpu_mail *mail)
{
    size_t at = 0;
    for (int r = 0; r < ranks->domain->comm->size; r++) {
        mail->at[r] = at;
        at += (mail->bytes[r] + 255) / 256 * 256;
    }
    return at;
}

sluice_status gpu_mail_open(struct gpu_backend *gpu, struct gpu_mail *mail)
{
    return gpu_scratch_reserve(gpu, &mail->device, lay_out(gpu->ranks, mail));
}

/* Through pinned host memory. */
static sluice_status travel_by_host(struct gpu_backend *gpu, size_t sent, size_t got)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_mail *out = &ranks->out, *in = &ranks->in;
    struct sluice_comm *comm = ranks->domain->comm;
    const struct gpu_host_array<struct sluice_message> message(2 * (size_t)comm->size);
    SLUICE_CHECK(message.at, SLUICE_DEVICE, GPU_NAME ": no memory for messages");
    SLUICE_TRY(reserve_pinned(out, sent));
    if (sent > 0)
        SLUICE_TRY(gpu_check(
            gpuMemcpyAsync(out->host, out->device.memory, sent, gpuMemcpyDeviceToHost, gpu->stream),
            "a message to other ranks"));
    /* The last messages have then left in->host, too. */
    SLUICE_TRY(gpu_check(gpuStreamSynchronize(gpu->stream), "a message to other ranks"));
    SLUICE_TRY(reserve_pinned(in, got));
    for (int r = 0; r < comm->size; r++) {
        message.at[r] = {r, out->host + out->at[r], out->bytes[r]};
        message.at[comm->size + r] = {r, in->host + in->at[r], in->bytes[r]};
    }
    SLUICE_TRY(
        comm->ops->exchange(comm, message.at, comm->size, message.at + comm->size, comm->size));
    if (got > 0)
        SLUICE_TRY(gpu_check(
            gpuMemcpyAsync(in->device.memory, in->host, got, gpuMemcpyHostToDevice, gpu->stream),
            "a message from other ranks"));
    gpu_queued("messages between ranks");
    return SLUICE_OK;
}

sluice_status gpu_mail_travel(struct gpu_backend *gpu)
{
    const size_t sent = lay_out(gpu->ranks, &gpu->ranks->out),
                 got = lay_out(gpu->ranks, &gpu->ranks->in);
    return gpu->ranks->direct ? gpu_direct_travel(gpu) : travel_by_host(gpu, sent, got);
}

} // namespace SLUICE_GPU
