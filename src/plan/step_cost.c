#include "plan/step_cost.h"

#include <math.h>

/* Whatever path messages between GPUs of one host take. */
#define H100                                                                                       \
    .on_device = 1, .steps_a_sort = 3, .step = 6e-5, .pair = 3.45e-12, .fluid = 1.75e-10,          \
    .wall = 1.2e-10, .divided = 3.3e-4, .copy = 9e-10, .listing = 3e-5, .sum = 5e-6,               \
    .ranks_a_host = 8, .between = {65e-6, 50e9}, .disk = 10e9

/* The only place of these numbers. Change a machine's row when it is measured anew, and make the
 * tables of docs/scaling.md again: `make expected`. */
const struct sluice_machine sluice_machines[SLUICE_MACHINES] = {
    {
        .name = "cpu",
        .measured =
            "one thread of an AMD EPYC (Zen 4), AVX2, float; halo: 8 ranks on two of its cores",
        .assumed =
            "64 ranks a host, 5 us a round and 3 us a sum; between hosts 25 GB/s a host; files "
            "1 GB/s",
        .steps_a_sort = 1,
        .step = 1e-5,
        .pair = 1.15e-9,
        .fluid = 1.7e-7,
        .wall = 1e-7,
        .divided = 1e-4,
        .copy = 3.5e-7,
        .listing = 1e-7,
        .sum = 3e-6,
        .ranks_a_host = 64,
        .inside = {5e-6, 4e9},
        .between = {5e-6, 25e9 / 64},
        .disk = 1e9,
    },
    {
        .name = "h100",
        .measured = "two H100 with NVLink, float, messages straight into the other GPU's memory",
        .assumed = "8 GPUs a host; between hosts 50 GB/s a GPU, a round of NCCL as on one host; "
                   "sums; files 10 GB/s",
        .inside = {14e-6, 390e9},
        H100,
    },
    {
        .name = "h100-nccl",
        .measured = "two H100 with NVLink, float, messages by NCCL",
        .assumed = "as h100",
        .inside = {60e-6, 390e9},
        H100,
    },
};

int sluice_machine_of_kind(int on_device)
{
    int m = 0;
    while (m < SLUICE_MACHINES - 1 && sluice_machines[m].on_device != on_device)
        m++;
    return m;
}

static const struct sluice_link *link_of(const struct sluice_machine *m, int ranks)
{
    return ranks > m->ranks_a_host ? &m->between : &m->inside;
}

double sluice_step_seconds_of_rank(const struct sluice_machine *m, const struct sluice_step_load *l,
                                   const struct sluice_step_rounds *r)
{
    const struct sluice_link *link = link_of(m, r->ranks);
    const double work = m->step + m->pair * l->pairs + m->fluid * l->fluid + m->wall * l->wall;
    return r->ranks == 1 ? work
                         : work + m->divided + m->copy * l->halo + r->rounds * link->round +
                               l->bytes / link->bandwidth;
}

double sluice_step_seconds(const struct sluice_machine *m, const struct sluice_step_rounds *r,
                           double slowest)
{
    const double of_sort = m->listing * r->ranks +
                           2 * r->frame_bytes / link_of(m, r->ranks)->bandwidth,
                 sums = r->sums * m->sum * log2(r->ranks),
                 shared = r->ranks > 1 ? sums + of_sort / m->steps_a_sort : 0;
    return fmax(slowest + shared, r->output_bytes / m->disk);
}
