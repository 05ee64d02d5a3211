/* Messages from one GPU to another by NCCL, or RCCL on AMD, in a build with NCCL=1, where peers.cu
 * cannot carry them. They are work of a stream: the host waits for none of it. */
#include "kernels/gpu/ranks.h"

#ifdef SLUICE_NCCL
#ifdef __HIPCC__
#include <rccl/rccl.h>
#else
#include <nccl.h>
#endif
#endif

namespace SLUICE_GPU
{

#ifdef SLUICE_NCCL
static sluice_status check(ncclResult_t result, const char *what)
{
    return result == ncclSuccess
               ? SLUICE_OK
               : SLUICE_FAIL(SLUICE_DEVICE, GPU_NAME ": NCCL: %s: %s; NCCL_DEBUG=INFO says more",
                             what, ncclGetErrorString(result));
}

sluice_status gpu_direct_create(struct gpu_backend *gpu)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_comm *comm = ranks->domain->comm;
    ncclUniqueId id = {};
    ncclComm_t direct;
    void *all = NULL;
    size_t bytes;
    const char *way = getenv("SLUICE_TEST_MESSAGES");
    if (ranks->peers || gpu->backend->shares_device || (way && strcmp(way, "nccl") != 0))
        return SLUICE_OK;
    if (comm->rank == 0)
        SLUICE_TRY(check(ncclGetUniqueId(&id), "the start"));
    SLUICE_TRY(sluice_comm_gather(comm, &id, sizeof id, 1, &all, &bytes));
    memcpy(&id, all, sizeof id);
    free(all);
    SLUICE_TRY(check(ncclCommInitRank(&direct, comm->size, id, comm->rank), "joining the ranks"));
    ranks->direct = direct;
    return SLUICE_OK;
}

void gpu_direct_destroy(struct gpu_ranks *ranks)
{
    if (ranks->direct)
        ncclCommDestroy((ncclComm_t)ranks->direct);
}

sluice_status gpu_direct_travel(struct gpu_backend *gpu, gpuStream_t stream)
{
    const struct gpu_mail *out = &gpu->ranks->out, *in = &gpu->ranks->in;
    ncclComm_t direct = (ncclComm_t)gpu->ranks->direct;
    ncclResult_t result = ncclGroupStart();
    for (int r = 0; r < gpu->ranks->size && result == ncclSuccess; r++) {
        if (out->bytes[r] > 0)
            result = ncclSend(out->at[r], out->bytes[r], ncclUint8, r, direct, stream);
        if (in->bytes[r] > 0 && result == ncclSuccess)
            result = ncclRecv(in->at[r], in->bytes[r], ncclUint8, r, direct, stream);
    }
    SLUICE_TRY(check(result, "messages between ranks"));
    gpu_queued("messages between ranks");
    return check(ncclGroupEnd(), "messages between ranks");
}
#else
sluice_status gpu_direct_create(struct gpu_backend *gpu)
{
    (void)gpu;
    return SLUICE_OK;
}

void gpu_direct_destroy(struct gpu_ranks *ranks)
{
    (void)ranks;
}

sluice_status gpu_direct_travel(struct gpu_backend *gpu, gpuStream_t stream)
{
    (void)gpu;
    (void)stream;
    return SLUICE_OK;
}
#endif

} // namespace SLUICE_GPU
