/* The sums over the particles of each body, and the accelerations that follow from them, on the
 * device: a thread solves the equations of a body. Rounds are queued one after another; those after
 * the last that is needed do nothing. So the host waits once. Of several ranks the sums of each
 * round are added up on the hosts. */
#include "kernels/gpu/gpu_backend.h"
#include "kernels/gpu/variant.h"
#include "kernels/types/body_system.h"

namespace SLUICE_GPU
{

enum { BODIES_BLOCK = 64 };

struct bodies_args {
    int bodies, dimension, terms, scale[SLUICE_BODY_TERMS_MOST];
    const uint64_t *pieces; /* [bodies][terms + 1][EXACT_PIECES] */
};

/* The sums of body i, from the pieces. */
static __device__ void values_of(const struct bodies_args &q, int i, double *value)
{
    for (int k = 0; k < q.terms; k++)
        value[k] = sluice_body_sum(q.pieces + i * sluice_body_pieces(q.terms), q.terms, k,
                                   q.scale[k]);
}

__global__ void __launch_bounds__(BODIES_BLOCK)
    value_kernel(const GPU_CONSTANT struct bodies_args q, double *out)
{
    gpu_begin();
    const int i = (int)(blockIdx.x * BODIES_BLOCK + threadIdx.x);
    if (i < q.bodies)
        values_of(q, i, out + (int64_t)i * q.terms);
}

/* change: [SLUICE_BODY_ROUNDS] the largest of each round, as bits: of numbers that are not negative
 * these order like the numbers. */
__global__ void __launch_bounds__(BODIES_BLOCK)
    solve_kernel(const GPU_CONSTANT struct bodies_args q, const struct sluice_body_system *system,
                 struct sluice_rigid *table, struct sluice_body_solution *solution,
                 unsigned long long *change, int round, double tolerance)
{
    gpu_begin();
    const int i = (int)(blockIdx.x * BODIES_BLOCK + threadIdx.x);
    double value[SLUICE_BODY_TERMS_MOST];
    if (i >= q.bodies || (round > 0 && exact_from_bits((int64_t)change[round - 1]) <= tolerance))
        return;
    struct sluice_body_solution s;
    values_of(q, i, value);
    for (int k = 0; k < 6; k++)
        s.rate[k] = k < 3 ? table[i].acceleration[k] : table[i].spin_rate[k - 3];
    const double of_body = body_system_step(&system[i], q.dimension, value, &s);
    for (int k = 0; k < 3; k++) {
        table[i].acceleration[k] = s.rate[k];
        table[i].spin_rate[k] = s.rate[3 + k];
    }
    solution[i] = s;
    atomicMax(&change[round], (unsigned long long)exact_bits(of_body));
}

/* What is in gpu->bodies. */
struct bodies_memory {
    size_t solution, system, value, pieces, bytes; /* offsets; the changes come first */
};

static struct bodies_memory memory_of(const struct sluice_body_sums *s)
{
    const size_t bodies = (size_t)s->params->motions->bodies;
    struct bodies_memory m;
    m.solution = SLUICE_BODY_ROUNDS * sizeof(uint64_t);
    m.system = m.solution + bodies * sizeof(struct sluice_body_solution);
    m.value = m.system + bodies * sizeof(struct sluice_body_system);
    m.pieces = m.value + bodies * SLUICE_BODY_TERMS_MOST * sizeof(double);
    m.bytes = m.pieces + (size_t)sluice_body_sums_pieces(s) * sizeof(uint64_t);
    return m;
}

static struct bodies_args args_of(const struct sluice_body_sums *s, const uint64_t *pieces)
{
    struct bodies_args q;
    q.bodies = s->params->motions->bodies;
    q.dimension = s->set->dimension;
    q.terms = sluice_body_terms(s->set->dimension, s->params->solves);
    q.pieces = pieces;
    for (int k = 0; k < q.terms; k++)
        q.scale[k] = sluice_body_scale(&s->params->scales, s->set->dimension, k);
    return q;
}

/* The pieces of all ranks. */
static sluice_status add_up(struct gpu_backend *gpu, const struct sluice_body_sums *s,
                            uint64_t *pieces, const uint64_t *change, double tolerance)
{
    struct sluice_domain *domain = gpu->backend->domain;
    const int64_t n = sluice_body_sums_pieces(s);
    SLUICE_TRY(gpu_clear(gpu, pieces, (size_t)n * sizeof *pieces));
    if (s->set->count)
        SLUICE_TRY(gpu->variant->sum_bodies(gpu, s, pieces, change, tolerance));
    if (!domain)
        return SLUICE_OK;
    const struct gpu_host_array<uint64_t> host((size_t)n);
    SLUICE_CHECK(host.at, SLUICE_DEVICE, "no memory for %lld sums of bodies", (long long)n);
    SLUICE_TRY(gpu_download(gpu, host.at, pieces, (size_t)n * sizeof *pieces));
    SLUICE_TRY(domain->comm->ops->sum(domain->comm, (int64_t *)host.at, n));
    return gpu_send(gpu, pieces, host.at, (size_t)n * sizeof *pieces);
}

sluice_status gpu_sum_bodies(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_body_sums *s)
{
    (void)g;
    const struct bodies_memory m = memory_of(s);
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->bodies, m.bytes));
    char *memory = (char *)gpu->bodies.memory;
    uint64_t *pieces = (uint64_t *)(memory + m.pieces);
    const struct bodies_args q = args_of(s, pieces);
    SLUICE_TRY(add_up(gpu, s, pieces, NULL, 0));
    GPU_LAUNCH(value_kernel, gpu_blocks(q.bodies, BODIES_BLOCK), BODIES_BLOCK, 0, gpu->stream, q,
               (double *)(memory + m.value));
    GPU_LAUNCHED("sums of bodies");
    return gpu_download(gpu, s->out, memory + m.value,
                        (size_t)q.bodies * (size_t)q.terms * sizeof(double));
}

/* Queues a round. */
static sluice_status solve_round(struct gpu_backend *gpu, struct sluice_body_solve *s,
                                 const struct bodies_memory *m, int round)
{
    char *memory = (char *)gpu->bodies.memory;
    uint64_t *change = (uint64_t *)memory, *pieces = (uint64_t *)(memory + m->pieces);
    const struct bodies_args q = args_of(s->sums, pieces);
    SLUICE_TRY(add_up(gpu, s->sums, pieces, round ? &change[round - 1] : NULL, s->tolerance));
    GPU_LAUNCH(solve_kernel, gpu_blocks(q.bodies, BODIES_BLOCK), BODIES_BLOCK, 0, gpu->stream, q,
               (const struct sluice_body_system *)(memory + m->system), s->table,
               (struct sluice_body_solution *)(memory + m->solution), (unsigned long long *)change,
               round, s->tolerance);
    GPU_LAUNCHED("accelerations of bodies");
    return SLUICE_OK;
}

sluice_status gpu_solve_bodies(struct gpu_backend *gpu, const struct sluice_grid *g,
                               struct sluice_body_solve *s)
{
    const struct bodies_memory m = memory_of(s->sums);
    const size_t bodies = (size_t)s->sums->params->motions->bodies;
    const struct gpu_host_array<char> result(m.system);
    const uint64_t *change = (const uint64_t *)result.at;
    (void)g;
    SLUICE_CHECK(result.at, SLUICE_DEVICE, "no memory for %zu accelerations of bodies", bodies);
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->bodies, m.bytes));
    char *memory = (char *)gpu->bodies.memory;
    SLUICE_TRY(gpu_clear(gpu, memory, m.solution));
    SLUICE_TRY(gpu_send(gpu, memory + m.system, s->system, bodies * sizeof *s->system));
    const int usual = gpu->body_rounds < 2 ? 2 : gpu->body_rounds;
    int queued = 0, most = gpu->backend->domain ? 1 : usual; /* ranks wait in each round */
    for (s->rounds = SLUICE_BODY_ROUNDS + 1; queued < SLUICE_BODY_ROUNDS; most++) {
        for (; queued < most; queued++)
            SLUICE_TRY(solve_round(gpu, s, &m, queued));
        SLUICE_TRY(gpu_download(gpu, result.at, memory, m.system));
        for (int k = queued - 1; k >= 0; k--)
            if (exact_from_bits((int64_t)change[k]) <= s->tolerance)
                s->rounds = k + 1;
        if (s->rounds <= queued)
            break;
    }
    gpu->body_rounds = s->rounds < SLUICE_BODY_ROUNDS ? s->rounds : (int)SLUICE_BODY_ROUNDS;
    memcpy(s->solution, result.at + m.solution, bodies * sizeof *s->solution);
    sluice_body_solve_keep(s);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
