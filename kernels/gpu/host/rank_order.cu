/* Checkpoints between two sorts, of several ranks. In a row of bins in a frame, the last sort put
 * particles by x, then by id. A rank keeps that x of each, as a number (gpu_shared.key), so that
 * the places among the particles of all ranks can be told at any time. After a restart, the number
 * is the place. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

sluice_status gpu_note_order(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_shared *shared = &gpu->ranks->set[set->type];
    if (set->moves != SLUICE_FREE)
        return SLUICE_OK;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &shared->key, (size_t)set->count * sizeof(uint64_t)));
    return gpu->variant->order_keys(gpu, set, (uint64_t *)shared->key.memory);
}

/* --- To a checkpoint ---- */

struct placed {
    struct sluice_sorted sorted;
    uint32_t id;
    uint64_t key;
    int64_t number; /* where it came */
};

static int64_t compare_rows(const struct sluice_sorted *p, const struct sluice_sorted *q)
{
    return p->row_z != q->row_z   ? (int64_t)p->row_z - q->row_z
           : p->row_y != q->row_y ? (int64_t)p->row_y - q->row_y
                                  : (int64_t)p->frame_x - q->frame_x;
}

static int by_place(const void *a, const void *b)
{
    const struct placed *p = (const struct placed *)a, *q = (const struct placed *)b;
    const int64_t rows = compare_rows(&p->sorted, &q->sorted);
    if (rows != 0)
        return rows < 0 ? -1 : 1;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

/* Numbers the particles of each row in a frame. */
static void number_places(struct placed *of, int64_t n, struct sluice_sorted *bin)
{
    for (int64_t i = 0; i < n; i++)
        of[i].number = i;
    qsort(of, (size_t)n, sizeof *of, by_place);
    for (int64_t i = 0; i < n; i++) {
        const int same = i > 0 && compare_rows(&of[i].sorted, &of[i - 1].sorted) == 0;
        of[i].sorted.place = same ? of[i - 1].sorted.place + 1 : 0;
        bin[of[i].number] = of[i].sorted;
    }
}

sluice_status gpu_order_of_ranks(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 const struct sluice_set *set, struct sluice_sorted *bin)
{
    const size_t count = (size_t)set->count;
    const struct gpu_host_array<struct sluice_sorted> sorted(count);
    const struct gpu_host_array<struct placed> placed(count);
    const struct gpu_host_array<uint64_t> key(count);
    const struct gpu_host_array<uint32_t> id(count);
    const struct gpu_host_array<uint8_t> own(count);
    void *all = NULL;
    size_t n = 0, bytes;
    SLUICE_CHECK(sorted.at && placed.at && key.at && id.at && own.at, SLUICE_DEVICE,
                 GPU_NAME ": no memory for the order of particles");
    SLUICE_TRY(gpu_order(gpu, g, set, sorted.at));
    SLUICE_TRY(
        gpu_download(gpu, key.at, gpu->ranks->set[set->type].key.memory, count * sizeof *key.at));
    SLUICE_TRY(gpu_download(gpu, id.at, set->field[SLUICE_FIELD_ID], count * sizeof *id.at));
    SLUICE_TRY(gpu_download(gpu, own.at, set->own, count));
    for (size_t i = 0; i < count; i++)
        if (own.at[i])
            placed.at[n++] = {sorted.at[i], id.at[i], key.at[i], 0};
    SLUICE_TRY(sluice_comm_gather(gpu->ranks->domain->comm, placed.at, n * sizeof *placed.at, 0,
                                  &all, &bytes));
    if (all)
        number_places((struct placed *)all, (int64_t)(bytes / sizeof(struct placed)), bin);
    free(all);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
