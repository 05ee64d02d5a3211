/* The memory that a rank of several takes beside its sets: an estimate, and the sum. */
#include "kernels/gpu/ranks.h"

namespace SLUICE_GPU
{

/* Of a list of n indices. */
static int64_t index_bytes(int64_t n)
{
    return (int64_t)gpu_with_spare((size_t)n * sizeof(uint32_t));
}

/* At a sort there are lists of the border, of what is dropped, and of what goes to each other rank,
 * with room for the next sort, and the places of what arrives; after it two lists for each other
 * rank, and what is at the edge. */
static int64_t list_bytes(const struct sluice_halo *halo, int by_mpi)
{
    const int64_t border = halo->copies + halo->sent, others = halo->ranks - 1;
    return (2 + others) * index_bytes(gpu_border_room(border)) +
           (2 * others + by_mpi) * index_bytes(border) + index_bytes(halo->copies);
}

/* The messages of a sort are the largest. */
static int64_t message_bytes(const struct sluice_set *set, const struct sluice_halo *halo,
                             int peers)
{
    const unsigned state = sluice_pack_state(set);
    const size_t in = gpu_packed_bytes(set, state, halo->copies),
                 out = gpu_packed_bytes(set, state, halo->sent);
    return (int64_t)(peers ? 2 * gpu_peers_room(in) : gpu_with_spare(in) + gpu_with_spare(out));
}

int64_t gpu_rank_needs(const struct gpu_backend *gpu, const struct sluice_set *set,
                       const struct sluice_halo *halo)
{
    /* A plan, without ranks, is for GPUs that write into each other's memory. */
    const int peers = !gpu->ranks || gpu->ranks->peers, by_mpi = !peers && !gpu->ranks->direct;
    const size_t n = (size_t)set->count;
    if (set->type == SLUICE_GHOST) /* no rank has copies of nodes */
        return 0;
    int64_t bytes = list_bytes(halo, by_mpi) + message_bytes(set, halo, peers) +
                    (int64_t)gpu_with_spare(n); /* marks of own particles */
    if (set->moves)
        bytes += (int64_t)gpu_with_spare(n * (size_t)set->real_bytes); /* gpu_shared.key */
    return bytes + (by_mpi ? index_bytes(set->count) : 0);             /* the inner particles */
}

static int64_t bytes_of_lists(const struct gpu_list *lists, int size)
{
    int64_t bytes = 0;
    for (int r = 0; r < size; r++)
        bytes += (int64_t)lists[r].memory.bytes;
    return bytes;
}

int64_t gpu_rank_bytes(const struct gpu_backend *gpu)
{
    const struct gpu_ranks *ranks = gpu->ranks;
    const struct gpu_scratch *const scratch[] = {
        &ranks->cut,           &ranks->region,         &ranks->frame_inner,
        &ranks->border.memory, &ranks->dropped.memory, &ranks->place,
        &ranks->out.device,    &ranks->in.device};
    int64_t bytes = bytes_of_lists(ranks->sends, ranks->size);
    for (const struct gpu_scratch *work : scratch)
        bytes += (int64_t)work->bytes;
    for (const struct gpu_shared &set : ranks->set) {
        bytes += (int64_t)(set.own.bytes + set.key.bytes + set.counts.bytes +
                           set.inner.memory.bytes + set.edge.memory.bytes);
        bytes += bytes_of_lists(set.own_for, ranks->size) +
                 bytes_of_lists(set.copy_of, ranks->size);
    }
    return bytes + (ranks->peers ? gpu_peers_bytes(ranks) : 0);
}

} // namespace SLUICE_GPU
