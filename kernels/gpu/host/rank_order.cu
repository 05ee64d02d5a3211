/* Checkpoints of several ranks between two sorts. In a row of bins in a frame, the last sort put
 * particles by x, then by id. A rank keeps that x of each, as a number (gpu_shared.key), so that
 * the places among the particles of all ranks are known at any time. After a restart, the number is
 * the place. */
#include "core/hash.h"
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

sluice_status gpu_note_order(struct gpu_backend *gpu, const struct sluice_set *set)
{
    struct gpu_shared *shared = &gpu->ranks->set[set->type];
    if (!set->moves || set->type == SLUICE_GHOST)
        return SLUICE_OK;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &shared->key, (size_t)(set->count * set->real_bytes)));
    return gpu->variant->order_keys(gpu, set, shared->key.memory);
}

/* --- To a checkpoint ---- */

/* A particle. All those of a row in a frame go to one rank, which numbers them. */
struct placed {
    struct sluice_sorted sorted;
    sluice_id id;
    uint64_t key;
    int64_t number; /* where it lies: in its set, then among those that came */
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
static void number_places(struct placed *of, int64_t n, int32_t *place)
{
    for (int64_t i = 0; i < n; i++)
        of[i].number = i;
    qsort(of, (size_t)n, sizeof *of, by_place);
    for (int64_t i = 0; i < n; i++) {
        const int same = i > 0 && compare_rows(&of[i].sorted, &of[i - 1].sorted) == 0;
        of[i].sorted.place = same ? of[i - 1].sorted.place + 1 : 0;
        place[of[i].number] = of[i].sorted.place;
    }
}

static int rank_of_row(const struct sluice_sorted *p, int size)
{
    const int32_t row[3] = {p->row_z, p->row_y, p->frame_x};
    return (int)(sluice_hash(SLUICE_HASH_BEGIN, row, sizeof row) % (unsigned)size);
}

/* Messages to and from all ranks, one after the other in memory. */
struct parcels {
    const struct gpu_host_array<struct sluice_message> send, receive;
    const struct gpu_host_array<int64_t> to, from; /* particles */
    int size;

    explicit parcels(int n) : send(n), receive(n), to(n), from(n), size(n)
    {
    }
    bool there() const
    {
        return send.at && receive.at && to.at && from.at;
    }
};

static void list(struct sluice_message *message, const int64_t *count, int size, void *memory,
                 size_t bytes)
{
    char *at = (char *)memory;
    for (int r = 0; r < size; r++) {
        message[r] = {r, at, (size_t)count[r] * bytes};
        at += message[r].bytes;
    }
}

/* Puts the particles into the order of the ranks that number them. */
static void order_by_rank(const struct parcels &p, const struct placed *from, int64_t n,
                          struct placed *to)
{
    int64_t before = 0;
    for (int r = 0; r < p.size; r++)
        p.to.at[r] = 0;
    for (int64_t i = 0; i < n; i++)
        p.to.at[rank_of_row(&from[i].sorted, p.size)]++;
    for (int r = 0; r < p.size; r++) {
        p.from.at[r] = before; /* the place of the next one, for now */
        before += p.to.at[r];
    }
    for (int64_t i = 0; i < n; i++)
        to[p.from.at[rank_of_row(&from[i].sorted, p.size)]++] = from[i];
}

/* Has the n particles numbered by the ranks of their rows: place[i] of mine[i]. */
static sluice_status number_by_ranks(struct sluice_comm *comm, const struct parcels &p,
                                     struct placed *mine, int32_t *place)
{
    int64_t came = 0;
    SLUICE_TRY(comm->ops->counts(comm, p.to.at, p.from.at));
    for (int r = 0; r < p.size; r++)
        came += p.from.at[r];
    const struct gpu_host_array<struct placed> theirs((size_t)came);
    const struct gpu_host_array<int32_t> answer((size_t)came);
    SLUICE_CHECK(theirs.at && answer.at, SLUICE_DEVICE,
                 GPU_NAME ": no memory for the order of particles");
    list(p.send.at, p.to.at, p.size, mine, sizeof *mine);
    list(p.receive.at, p.from.at, p.size, theirs.at, sizeof *mine);
    SLUICE_TRY(comm->ops->exchange(comm, p.send.at, p.size, p.receive.at, p.size));
    number_places(theirs.at, came, answer.at);
    list(p.send.at, p.from.at, p.size, answer.at, sizeof *place);
    list(p.receive.at, p.to.at, p.size, place, sizeof *place);
    return comm->ops->exchange(comm, p.send.at, p.size, p.receive.at, p.size);
}

sluice_status gpu_order_of_ranks(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 const struct sluice_set *set, struct sluice_sorted *bin)
{
    const size_t count = (size_t)set->count;
    struct sluice_comm *comm = gpu->ranks->domain->comm;
    const struct gpu_host_array<struct placed> listed(count), placed(count);
    const size_t key_bytes = count * (size_t)set->real_bytes;
    const struct gpu_host_array<char> key(key_bytes);
    const struct gpu_host_array<sluice_id> id(count);
    const struct gpu_host_array<int32_t> place(count);
    const struct gpu_host_array<uint8_t> own(count);
    const struct parcels parcels(comm->size);
    int64_t n = 0;
    SLUICE_CHECK(listed.at && placed.at && key.at && id.at && place.at && own.at && parcels.there(),
                 SLUICE_DEVICE, GPU_NAME ": no memory for the order of particles");
    SLUICE_TRY(gpu_order(gpu, g, set, bin));
    SLUICE_TRY(gpu_download(gpu, key.at, gpu->ranks->set[set->type].key.memory, key_bytes));
    SLUICE_TRY(gpu_download(gpu, id.at, set->field[SLUICE_FIELD_ID], count * sizeof *id.at));
    SLUICE_TRY(gpu_download(gpu, own.at, set->own, count));
    for (size_t i = 0; i < count; i++)
        if (own.at[i])
            listed.at[n++] = {bin[i], id.at[i], gpu_key(key.at, set, (int64_t)i), (int64_t)i};
    order_by_rank(parcels, listed.at, n, placed.at);
    SLUICE_TRY(number_by_ranks(comm, parcels, placed.at, place.at));
    for (int64_t k = 0; k < n; k++)
        bin[placed.at[k].number].place = place.at[k];
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
