/* The memory of the particles: an estimate before it is allocated, and a table after. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "model/effect.h"
#include "particles/columns.h"
#include "sim/sim_internal.h"

/* --- Before --- */

/* The number of particles of a type in each frame of the grid's table, at the case's start; 0 in
 * frames that this rank does not need. NULL: the particles come from a checkpoint, or there is no
 * memory to count them. */
static uint32_t *count_by_frame(const struct sluice_sim *sim, enum sluice_type type)
{
    const struct sluice_frame_counts *frames = &sim->start_frames;
    if (frames->used == 0 || sim->grid.frame_count == 0)
        return NULL;
    uint32_t *count = calloc((size_t)sim->grid.frame_count, sizeof *count);
    for (int64_t k = 0; count && k < frames->slots; k++) {
        const struct sluice_frame_count *of = &frames->slot[k];
        const int slot = of->particles[type] > 0 ? sluice_grid_find_frame(&sim->grid, of->frame)
                                                 : -1;
        if (slot >= 0 && (!sim->backend.domain || type == SLUICE_GHOST ||
                          sluice_domain_needs_frame(sim->backend.domain, &sim->grid, slot)))
            count[slot] += (uint32_t)of->particles[type];
    }
    return count;
}

static int64_t predict_set(const struct sluice_sim *sim, enum sluice_type type, int64_t capacity,
                           int64_t held, const struct sluice_halo *halo)
{
    struct sluice_set set = sim->set[type];
    if (capacity == 0)
        return 0;
    sluice_set_plan(&sim->backend, &set, sluice_case_fields(sim->setup, type), capacity);
    set.count = held;
    uint32_t *count = count_by_frame(sim, type);
    const int64_t bytes = SLUICE_COLUMN_BYTES * set.columns * set.capacity +
                          sim->backend.ops->needs(&sim->backend, &sim->grid, &set, count, halo);
    free(count);
    return bytes;
}

/* Particles in halos, by type: the mean of all ranks. The halo of a rank has other ranks' own
 * particles. */
static sluice_status find_halos(const struct sluice_sim *sim, const int64_t held[SLUICE_TYPE_COUNT],
                                struct sluice_halo halo[SLUICE_TYPE_COUNT])
{
    struct sluice_comm *comm = sim->backend.domain->comm;
    int64_t all[SLUICE_TYPE_COUNT];
    memcpy(all, held, sizeof all);
    SLUICE_TRY(comm->ops->sum(comm, all, SLUICE_TYPE_COUNT));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const int64_t particles = t == SLUICE_GHOST ? 0 : (all[t] - sim->count[t]) / comm->size;
        halo[t] = (struct sluice_halo){comm->size, particles, particles};
    }
    return SLUICE_OK;
}

/* The number of particles grows as 1/spacing to the power of the dimension. */
sluice_status sluice_sim_check_memory(struct sluice_sim *sim,
                                      const int64_t capacity[SLUICE_TYPE_COUNT],
                                      const int64_t held[SLUICE_TYPE_COUNT])
{
    struct sluice_halo halo[SLUICE_TYPE_COUNT];
    const double gib = 1024.0 * 1024.0 * 1024.0;
    double all = 0;
    char remedy[120] = "fewer particles need less";
    sim->predicted_bytes = 0;
    if (!sim->backend.ops->available)
        return SLUICE_OK;
    if (sim->backend.domain)
        SLUICE_TRY(find_halos(sim, held, halo));
    sim->predicted_bytes = sluice_model_table_bytes(&sim->setup->physics);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        sim->predicted_bytes += predict_set(sim, (enum sluice_type)t, capacity[t], held[t],
                                            sim->backend.domain ? &halo[t] : NULL);
        all += (double)held[t];
    }
    sim->free_bytes = sim->backend.ops->available(&sim->backend, NULL);
    const double there = (double)sim->free_bytes, needed = (double)sim->predicted_bytes;
    if (needed <= there)
        return SLUICE_OK;
    if (sim->config->spacing > 0 && there > 0) {
        const double fits = 1.02 * sim->config->spacing *
                            pow(needed / there, 1.0 / sim->config->dimension);
        snprintf(remedy, sizeof remedy, "spacing = %.3g would fit, it is %.3g now", fits,
                 sim->config->spacing);
    }
    return SLUICE_FAIL(SLUICE_DEVICE,
                       "%s: %.0f particles need %.4g GiB of the device's memory, of which %.4g GiB "
                       "are free; %s",
                       sim->backend.ops->name, all, needed / gib, there / gib, remedy);
}

/* --- After --- */

static const char *const beside_names[SLUICE_BESIDE_COUNT] = {
    "table of frames", "shared with other ranks", "scan, results"};

/* A piece of the memory: an array of a set, its search table (life NULL), or one beside the sets
 * (set NULL). */
struct piece {
    const struct sluice_set *set;
    const char *name, *life;
    int64_t bytes;
};

struct pieces {
    struct piece piece[SLUICE_TYPE_COUNT * (SLUICE_FIELD_COUNT + 2) + SLUICE_BESIDE_COUNT + 1];
    int count;
};

static void add_piece(struct pieces *all, const struct sluice_set *set, const char *name,
                      const char *life, int64_t bytes)
{
    if (bytes > 0)
        all->piece[all->count++] = (struct piece){set, name, life, bytes};
}

static void add_set(struct pieces *all, const struct sluice_set *set)
{
    int64_t scratch = SLUICE_COLUMN_BYTES * set->columns;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (!set->field[f])
            continue;
        add_piece(all, set, sluice_field_table[f].name,
                  sluice_field_table[f].life == SLUICE_LIFE_STATE ? "state" : "scratch",
                  bytes * set->capacity);
        scratch -= bytes;
    }
    add_piece(all, set, "scratch space for sorting", "scratch", scratch * set->capacity);
    add_piece(all, set, "search table", NULL, set->bins_bytes);
}

static void list_pieces(const struct sluice_sim *sim, struct pieces *all)
{
    int64_t beside[SLUICE_BESIDE_COUNT] = {0};
    all->count = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (sluice_set_exists(&sim->set[t]))
            add_set(all, &sim->set[t]);
    if (sim->backend.ops->available)
        (void)sim->backend.ops->available(&sim->backend, beside);
    for (int k = 0; k < SLUICE_BESIDE_COUNT; k++)
        add_piece(all, NULL, beside_names[k], NULL, beside[k]);
    add_piece(all, NULL, "tables of effects", NULL, sluice_model_table_bytes(&sim->setup->physics));
}

int64_t sluice_sim_memory(const struct sluice_sim *sim)
{
    struct pieces all;
    int64_t bytes = 0;
    list_pieces(sim, &all);
    for (int k = 0; k < all.count; k++)
        bytes += all.piece[k].bytes;
    return bytes;
}

static const char *type_of(const struct sluice_sim *sim, const struct sluice_set *set)
{
    return sluice_type_names[set - sim->set];
}

/* Bytes a particle: arrays have room for more particles than a set holds. */
static double bytes_each(const struct piece *p)
{
    const int64_t particles = p->life ? p->set->capacity : p->set->count;
    return (double)p->bytes / (double)(particles > 0 ? particles : 1);
}

static void print_piece(const struct piece *p, FILE *out)
{
    if (p->life)
        fprintf(out, "  %-32s %3.0f B  %10.3f MB  %s\n", p->name, bytes_each(p),
                1e-6 * (double)p->bytes, p->life);
    else if (p->set)
        fprintf(out, "  %-32s %5.1f B  %8.3f MB\n", p->name, bytes_each(p),
                1e-6 * (double)p->bytes);
    else
        fprintf(out, "  %-32s          %8.3f MB\n", p->name, 1e-6 * (double)p->bytes);
}

/* The fluid's memory when particles have come and its arrays grow (`bin` in backend.h). */
static void print_growth(const struct sluice_sim *sim, FILE *out)
{
    const struct sluice_set *set = &sim->set[SLUICE_FLUID];
    const struct sluice_backend *b = &sim->backend;
    const double now = 1e-6 * SLUICE_COLUMN_BYTES * set->columns * (double)set->capacity;
    fprintf(out,
            "particles come, up to %lld in a step: the fluid's arrays grow by half when they are "
            "full, at first to %.3f MB, and need %.3f MB while they move",
            (long long)sluice_effects_births(&sim->setup->physics), 1.5 * now, 2.5 * now);
    if (b->ops->available)
        fprintf(out, "; the device has %.3f MB left", 1e-6 * (double)b->ops->available(b, NULL));
    fputc('\n', out);
    sluice_sim_print_newcomers(sim, out);
}

static void print_total(const struct sluice_sim *sim, FILE *out)
{
    fprintf(out, "%.3f MB", 1e-6 * (double)sluice_sim_memory(sim));
    if (sim->predicted_bytes)
        fprintf(out, "; predicted before the allocation: %.3f MB",
                1e-6 * (double)sim->predicted_bytes);
}

void sluice_sim_print_memory(const struct sluice_sim *sim, FILE *out)
{
    struct pieces all;
    const struct sluice_set *set = NULL;
    list_pieces(sim, &all);
    for (int k = 0; k < all.count; k++) {
        const struct piece *p = &all.piece[k];
        if (p->set && p->set != set)
            fprintf(out, "%s: %lld particles of %d bytes\n", type_of(sim, p->set),
                    (long long)p->set->count, SLUICE_COLUMN_BYTES * p->set->columns);
        set = p->set;
        print_piece(p, out);
    }
    fprintf(out, "all arrays: ");
    print_total(sim, out);
    fputc('\n', out);
    if (sluice_effects_births(&sim->setup->physics) > 0)
        print_growth(sim, out);
}

void sluice_sim_print_memory_line(const struct sluice_sim *sim, FILE *out)
{
    struct pieces all;
    int64_t search = 0, beside = 0;
    list_pieces(sim, &all);
    fprintf(out, "memory, %s precision, %s: ", sim->backend.real_bytes == 8 ? "double" : "float",
            sim->backend.ops->name);
    print_total(sim, out);
    for (int k = 0; k < all.count; k++) {
        search += all.piece[k].set && !all.piece[k].life ? all.piece[k].bytes : 0;
        beside += all.piece[k].set ? 0 : all.piece[k].bytes;
    }
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct sluice_set *set = &sim->set[t];
        const int each = SLUICE_COLUMN_BYTES * set->columns;
        if (sluice_set_exists(set))
            fprintf(out, "; %s %.3f MB, %d bytes a particle", sluice_type_names[t],
                    1e-6 * each * (double)set->capacity, each);
    }
    fprintf(out, "; search tables %.3f MB", 1e-6 * (double)search);
    if (beside > 0)
        fprintf(out, "; other tables %.3f MB", 1e-6 * (double)beside);
    fputc('\n', out);
    if (sluice_effects_births(&sim->setup->physics) > 0)
        print_growth(sim, out);
}

void sluice_sim_write_memory(const struct sluice_sim *sim, struct sluice_json *json)
{
    struct pieces all;
    list_pieces(sim, &all);
    sluice_json_int(json, "memory_bytes", sluice_sim_memory(sim));
    sluice_json_begin(json, "memory", '[');
    for (int k = 0; k < all.count; k++) {
        const struct piece *p = &all.piece[k];
        sluice_json_begin(json, NULL, '{');
        sluice_json_text(json, "of", p->set ? type_of(sim, p->set) : "all");
        sluice_json_text(json, "array", p->name);
        sluice_json_text(json, "life", p->life ? p->life : "table");
        sluice_json_int(json, "bytes", p->bytes);
        if (p->set)
            sluice_json_real(json, "bytes_a_particle", bytes_each(p));
        sluice_json_end(json, '{');
    }
    sluice_json_end(json, '[');
}

/* --- At the end --- */

sluice_status sluice_sim_log_most_memory(const struct sluice_sim *sim)
{
    const struct sluice_backend *b = &sim->backend;
    struct sluice_comm *world = sluice_world();
    struct {
        int64_t taken, predicted;
    } own = {sim->free_bytes - b->free_least, sim->predicted_bytes}, *of_rank;
    void *all;
    size_t bytes;
    int most = 0;
    int64_t sum = 0;
    if (!b->ops->available)
        return SLUICE_OK;
    SLUICE_TRY(sluice_comm_gather(world, &own, sizeof own, 0, &all, &bytes));
    of_rank = all;
    for (int r = 0; of_rank && r < world->size; sum += of_rank[r++].taken)
        if (of_rank[r].taken > of_rank[most].taken)
            most = r;
    if (of_rank)
        sluice_log_detail(
            sim->log,
            "device memory: at most %.3f MB taken at a time (rank %d), predicted "
            "%.3f MB; %.1f B a particle in all",
            1e-6 * (double)of_rank[most].taken, most, 1e-6 * (double)of_rank[most].predicted,
            (double)sum / (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]));
    free(all);
    return SLUICE_OK;
}

/* Collective: says which of several ranks has the most memory. */
static sluice_status log_largest_memory(const struct sluice_sim *sim)
{
    const struct sluice_comm *world = sluice_world();
    int64_t own = sluice_sim_memory(sim), *of_rank;
    size_t bytes;
    void *all;
    int most = 0;
    if (world->size == 1)
        return SLUICE_OK;
    SLUICE_TRY(sluice_comm_gather(sluice_world(), &own, sizeof own, 0, &all, &bytes));
    of_rank = all;
    for (int r = 1; of_rank && r < world->size; r++)
        if (of_rank[r] > of_rank[most])
            most = r;
    if (of_rank)
        sluice_log_detail(sim->log, "these are the arrays of rank 0; rank %d has the most: %.3f MB",
                          most, 1e-6 * (double)of_rank[most]);
    free(all);
    return SLUICE_OK;
}

sluice_status sluice_sim_log_memory(const struct sluice_sim *sim)
{
    char *text = NULL;
    size_t size = 0;
    FILE *table = open_memstream(&text, &size);
    SLUICE_CHECK(table, SLUICE_DEVICE, "no memory for the table of the memory");
    sluice_sim_print_memory(sim, table);
    fclose(table);
    sluice_log_detail(sim->log, "memory, %s:", sim->backend.ops->name);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        sluice_log_detail(sim->log, "%s", line);
    free(text);
    return log_largest_memory(sim);
}
