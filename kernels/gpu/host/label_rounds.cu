/* Sums over the particles of each label, and rounds of them, on the device: a thread makes the
 * round of a label. Rounds are queued one after another; those after the last that is needed do
 * nothing. So the host waits once. On several ranks the hosts add up the sums of each round. */
#include "kernels/gpu/gpu_backend.h"
#include "kernels/gpu/variant.h"
#include "kernels/types/body_system.h"

namespace SLUICE_GPU
{

enum { LABELS_BLOCK = 64 };

/* Pointers of `rounds` are to device memory; its state is a copy of the table for the host. */
struct labels_args {
    struct sluice_label_sums sums;
    struct sluice_label_rounds rounds;
    int dimension;
    const uint64_t *pieces;     /* [labels][exact_pieces_of(terms)] */
    unsigned long long *change; /* [SLUICE_LABEL_ROUNDS] the largest of each round, as bits: those
                                   of numbers that are not negative order like the numbers */
};

/* The sums of label i, from the pieces, `stride` numbers apart. */
static __device__ void values_of(const struct labels_args &q, int i, double *value, int64_t stride)
{
    const int terms = q.sums.terms;
    for (int k = 0; k < terms; k++)
        value[k * stride] = exact_joined_value(q.pieces + i * exact_pieces_of(terms), terms, k,
                                               q.sums.scale[k]);
}

__global__ void __launch_bounds__(LABELS_BLOCK)
    value_kernel(const GPU_CONSTANT struct labels_args q, double *out)
{
    gpu_begin();
    const int i = (int)(blockIdx.x * LABELS_BLOCK + threadIdx.x);
    if (i < q.sums.labels)
        values_of(q, i, out + i, q.sums.labels);
}

static __device__ double make_round(const struct labels_args &q, size_t i, const double *value)
{
    const struct sluice_label_rounds &r = q.rounds;
    const char *given = (const char *)r.given + i * r.given_bytes;
    char *table = (char *)r.table + i * r.state_bytes,
         *result = (char *)r.result + i * r.result_bytes;
    double change = 0;
    if (q.sums.formula == SLUICE_LABELLED_body_sums) /* the only one with rounds */
        change = body_sums_round(q.dimension, given, value, table, result);
    memcpy((char *)r.state + i * r.state_bytes, table, r.state_bytes);
    return change;
}

__global__ void __launch_bounds__(LABELS_BLOCK)
    round_kernel(const GPU_CONSTANT struct labels_args q, int round)
{
    gpu_begin();
    const int i = (int)(blockIdx.x * LABELS_BLOCK + threadIdx.x);
    double value[SLUICE_LABEL_TERMS_MOST];
    if (i >= q.sums.labels ||
        (round > 0 && exact_from_bits((int64_t)q.change[round - 1]) <= q.rounds.tolerance))
        return;
    values_of(q, i, value, 1);
    atomicMax(&q.change[round], (unsigned long long)exact_bits(make_round(q, (size_t)i, value)));
}

/* The contents of gpu->labels: offsets. Changes come first; up to `given` the host reads it. */
struct labels_memory {
    size_t result, state, given, value, pieces, bytes;
};

static struct labels_memory memory_of(const struct sluice_label_sums *s)
{
    static const struct sluice_label_rounds none = {};
    const struct sluice_label_rounds *r = s->rounds ? s->rounds : &none;
    const size_t labels = (size_t)s->labels;
    struct labels_memory m;
    m.result = SLUICE_LABEL_ROUNDS * sizeof(uint64_t);
    m.state = m.result + labels * r->result_bytes;
    m.given = m.state + labels * r->state_bytes;
    m.value = m.given + labels * r->given_bytes;
    m.pieces = m.value + labels * SLUICE_LABEL_TERMS_MOST * sizeof(double);
    m.bytes = m.pieces + labels * (size_t)exact_pieces_of(s->terms) * sizeof(uint64_t);
    return m;
}

static struct labels_args args_of(const struct sluice_label_sums *s, const struct labels_memory *m,
                                  char *memory)
{
    struct labels_args q = {
        *s, {}, s->set->dimension, (const uint64_t *)(memory + m->pieces), NULL};
    if (s->rounds) {
        q.rounds = *s->rounds;
        q.rounds.state = memory + m->state;
        q.rounds.given = memory + m->given;
        q.rounds.result = memory + m->result;
        q.change = (unsigned long long *)memory;
    }
    return q;
}

/* The pieces of all ranks. */
static sluice_status add_up(struct gpu_backend *gpu, const struct sluice_grid *g,
                            const struct sluice_label_sums *s, uint64_t *pieces,
                            const uint64_t *change)
{
    struct sluice_domain *domain = gpu->backend->domain;
    const int64_t n = s->labels * exact_pieces_of(s->terms);
    SLUICE_TRY(gpu_clear(gpu, pieces, (size_t)n * sizeof *pieces));
    if (s->set->count)
        SLUICE_TRY(gpu->variant->sum_labels(gpu, g, s, pieces, change));
    if (!domain)
        return SLUICE_OK;
    const struct gpu_host_array<uint64_t> host((size_t)n);
    SLUICE_CHECK(host.at, SLUICE_DEVICE, "no memory for %lld sums of labels", (long long)n);
    SLUICE_TRY(gpu_download(gpu, host.at, pieces, (size_t)n * sizeof *pieces));
    SLUICE_TRY(domain->comm->ops->sum(domain->comm, (int64_t *)host.at, n));
    return gpu_send(gpu, pieces, host.at, (size_t)n * sizeof *pieces);
}

/* Pinned memory for the copy of the sums. */
static sluice_status reserve_copy(struct gpu_scratch *copy, size_t bytes)
{
    if (bytes <= copy->bytes)
        return SLUICE_OK;
    if (copy->memory)
        gpuFreeHost(copy->memory);
    *copy = gpu_scratch();
    SLUICE_TRY(gpu_check(gpuMallocHost(&copy->memory, bytes), "pinned host memory for sums"));
    copy->bytes = bytes;
    return SLUICE_OK;
}

/* Queues a copy of the sums beside the rest of the step. */
static sluice_status copy_later(struct gpu_backend *gpu, struct sluice_label_sums *s,
                                const char *from, size_t bytes)
{
    struct gpu_later_sums *later = &gpu->later_sums;
    struct gpu_scratch *copy = &later->copy;
    SLUICE_TRY(reserve_copy(copy, bytes));
    if (!later->summed)
        SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&later->summed), "an event for sums"));
    if (!later->copied)
        SLUICE_TRY(gpu_check(gpuEventCreateUntimed(&later->copied), "an event for sums"));
    SLUICE_TRY(gpu_check(gpuEventRecord(later->summed, gpu->stream), "sums of labels"));
    SLUICE_TRY(gpu_check(gpuStreamWaitEvent(gpu->copy.stream, later->summed, 0), "sums of labels"));
    SLUICE_TRY(gpu_check(
        gpuMemcpyAsync(copy->memory, from, bytes, gpuMemcpyDeviceToHost, gpu->copy.stream),
        "sums of labels"));
    SLUICE_TRY(gpu_check(gpuEventRecord(later->copied, gpu->copy.stream), "sums of labels"));
    later->under_way = 1;
    s->out = (double *)copy->memory;
    return SLUICE_OK;
}

sluice_status gpu_finish_sums(struct gpu_backend *gpu)
{
    struct gpu_later_sums *later = &gpu->later_sums;
    if (!later->under_way)
        return SLUICE_OK;
    later->under_way = 0;
    return gpu_check(gpuEventSynchronize(later->copied), "sums of labels");
}

void gpu_sums_destroy(struct gpu_backend *gpu)
{
    struct gpu_later_sums *later = &gpu->later_sums;
    gpu_finish_sums(gpu);
    if (later->copy.memory)
        gpuFreeHost(later->copy.memory);
    if (later->summed)
        gpuEventDestroy(later->summed);
    if (later->copied)
        gpuEventDestroy(later->copied);
}

static sluice_status sum_once(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_label_sums *s, const struct labels_memory *m)
{
    char *memory = (char *)gpu->labels.memory;
    const size_t bytes = (size_t)s->labels * (size_t)s->terms * sizeof(double);
    const struct labels_args q = args_of(s, m, memory);
    SLUICE_TRY(add_up(gpu, g, s, (uint64_t *)(memory + m->pieces), NULL));
    GPU_LAUNCH(value_kernel, gpu_blocks(s->labels, LABELS_BLOCK), LABELS_BLOCK, 0, gpu->stream, q,
               (double *)(memory + m->value));
    GPU_LAUNCHED("sums of labels");
    return s->later ? copy_later(gpu, s, memory + m->value, bytes)
                    : gpu_download(gpu, s->out, memory + m->value, bytes);
}

static sluice_status queue_round(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 const struct sluice_label_sums *s, const struct labels_memory *m,
                                 int round)
{
    char *memory = (char *)gpu->labels.memory;
    const struct labels_args q = args_of(s, m, memory);
    SLUICE_TRY(add_up(gpu, g, s, (uint64_t *)(memory + m->pieces),
                      round ? (const uint64_t *)memory + round - 1 : NULL));
    GPU_LAUNCH(round_kernel, gpu_blocks(s->labels, LABELS_BLOCK), LABELS_BLOCK, 0, gpu->stream, q,
               round);
    GPU_LAUNCHED("rounds of labels");
    return SLUICE_OK;
}

sluice_status gpu_sum_labels(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_label_sums *s)
{
    const struct labels_memory m = memory_of(s);
    struct sluice_label_rounds *r = s->rounds;
    SLUICE_TRY(gpu_finish_sums(gpu)); /* they are read from the same memory */
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->labels, m.bytes));
    if (!r)
        return sum_once(gpu, g, s, &m);
    const struct gpu_host_array<char> found(m.given);
    const uint64_t *change = (const uint64_t *)found.at;
    SLUICE_CHECK(found.at, SLUICE_DEVICE, "no memory for rounds of %d labels", s->labels);
    char *memory = (char *)gpu->labels.memory;
    SLUICE_TRY(gpu_clear(gpu, memory, m.result));
    SLUICE_TRY(gpu_send(gpu, memory + m.given, r->given, (size_t)s->labels * r->given_bytes));
    const int usual = gpu->label_rounds < 2 ? 2 : gpu->label_rounds;
    int queued = 0, most = gpu->backend->domain ? 1 : usual; /* ranks wait in each round */
    for (r->count = SLUICE_LABEL_ROUNDS + 1; queued < SLUICE_LABEL_ROUNDS; most++) {
        for (; queued < most; queued++)
            SLUICE_TRY(queue_round(gpu, g, s, &m, queued));
        SLUICE_TRY(gpu_download(gpu, found.at, memory, m.given));
        for (int k = queued - 1; k >= 0; k--)
            if (exact_from_bits((int64_t)change[k]) <= r->tolerance)
                r->count = k + 1;
        if (r->count <= queued)
            break;
    }
    gpu->label_rounds = r->count < SLUICE_LABEL_ROUNDS ? r->count : (int)SLUICE_LABEL_ROUNDS;
    memcpy(r->result, found.at + m.result, (size_t)s->labels * r->result_bytes);
    memcpy(r->state, found.at + m.state, (size_t)s->labels * r->state_bytes);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
