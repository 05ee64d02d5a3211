#include "fit/pack.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum { BLOCK = 512 };
static const double skin = 0.4,      /* of the lists, in dp */
    close = 0.95, apart_close = 0.9, /* range of the short force, dp */
    most_step = 0.2, calm = 2e-5;    /* dp */

sluice_status sluice_pack_add(struct sluice_pack *p, const struct sluice_pack_point *point)
{
    SLUICE_CHECK(p->count < UINT32_MAX, SLUICE_BAD_INPUT,
                 "fit: more than %u particles at fitted walls: make the spacing larger",
                 UINT32_MAX);
    SLUICE_GROW(p->point, p->count, p->capacity, "particles at fitted walls");
    p->point[p->count++] = *point;
    p->listed = 0;
    return SLUICE_OK;
}

static void forget(struct sluice_pack *p)
{
    sluice_cell_lists_destroy(&p->lists);
    free(p->first);
    free(p->other);
    free(p->step);
    p->first = NULL;
    p->other = NULL;
    p->step = NULL;
    p->listed = 0;
}

void sluice_pack_destroy(struct sluice_pack *p)
{
    forget(p);
    free(p->point);
    p->point = NULL;
    p->count = p->capacity = p->fixed = 0;
}

/* g(q) and -g'(q). */
static double push(double q)
{
    const double t = 1 - q;
    return t > 0 ? q * t * t * t : 0;
}

static double stiffness(double q)
{
    const double t = 1 - q;
    return t > 0 ? t * t * (4 * q - 1) : 0;
}

/* lambda = pace dp/S, where S bounds the change of the sum of forces with a point's place on a
 * lattice: no wave of the lattice grows at a pace up to 1 + momentum. */
static void set_lambda(struct sluice_pack *p)
{
    const double reach = p->reach / p->spacing;
    const int most = (int)reach + 1,
              wide[3] = {most, p->manifold > 1 ? most : 0, p->manifold > 2 ? most : 0};
    double sum = 0;
    for (int z = -wide[2]; z <= wide[2]; z++)
        for (int y = -wide[1]; y <= wide[1]; y++)
            for (int x = -wide[0]; x <= wide[0]; x++) {
                const double r2 = x * x + y * y + z * z, r = sqrt(r2);
                if (r2 == 0)
                    continue;
                sum += fabs(stiffness(r / reach)) / reach * x * x / r2 +
                       push(r / reach) / r * (1 - x * x / r2);
            }
    p->lambda = p->pace * p->spacing / sum;
}

/* --- Neighbours --- */

/* The way from point i to point j, to its nearest image. Returns its square. */
static inline double way_to(const struct sluice_pack *p, int64_t i, int64_t j, double way[3])
{
    const double *a = p->lists.x[i], *b = p->lists.x[j];
    for (int k = 0; k < 3; k++)
        way[k] = b[k] - a[k];
    for (int k = 0; k < 3 && p->wraps; k++)
        if (p->lists.periodic[k] && fabs(way[k]) > 0.5 * p->lists.length[k])
            way[k] -= p->lists.length[k] * rint(way[k] / p->lists.length[k]);
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* The lists of the cells around a place, each once even where two have the same hash. */
static int lists_around(const struct sluice_cell_lists *l, const double x[3], int64_t list[27])
{
    int64_t cell[3], d[3], low[3] = {0}, high[3] = {0};
    int n = 0;
    sluice_cell_lists_cell(l, x, cell);
    for (int a = 0; a < l->dimension; a++) { /* no cell twice across a short period */
        low[a] = l->periodic[a] && l->cells[a] < 3 ? 0 : -1;
        high[a] = l->periodic[a] && l->cells[a] < 2 ? 0 : 1;
    }
    for (d[2] = low[2]; d[2] <= high[2]; d[2]++)
        for (d[1] = low[1]; d[1] <= high[1]; d[1]++)
            for (d[0] = low[0]; d[0] <= high[0]; d[0]++) {
                const int64_t at[3] = {cell[0] + d[0], cell[1] + d[1], cell[2] + d[2]},
                              first = sluice_cell_lists_first(l, at);
                int known = first == 0;
                for (int k = 0; k < n; k++)
                    known |= list[k] == first;
                if (!known)
                    list[n++] = first;
            }
    return n;
}

/* The neighbours of a block of points. */
struct near {
    int64_t count, capacity;
    uint32_t *other;
};

static sluice_status find_near(const struct sluice_pack *p, int64_t i, struct near *near)
{
    const double reach = p->reach + skin * p->spacing;
    int64_t list[27];
    double way[3];
    const int lists = lists_around(&p->lists, p->point[i].x, list);
    for (int n = 0; n < lists; n++)
        for (int64_t k = list[n]; k; k = p->lists.next[k - 1]) {
            if (way_to(p, i, k - 1, way) >= reach * reach || k - 1 == i ||
                p->point[k - 1].layer != p->point[i].layer)
                continue;
            SLUICE_GROW(near->other, near->count, near->capacity, "neighbours at fitted walls");
            near->other[near->count++] = (uint32_t)(k - 1);
        }
    return SLUICE_OK;
}

struct listing {
    struct sluice_pack *p;
    struct near *near; /* of each block */
    atomic_int failed;
};

/* The first of each point is counted from that of its block. */
static void list_blocks(struct sluice_share *share, void *data)
{
    struct listing *l = data;
    struct sluice_pack *p = l->p;
    int64_t first, last;
    while (sluice_share_block(share, p->count - p->fixed, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++) {
            struct near *near = &l->near[first / BLOCK];
            if (find_near(p, p->fixed + i, near) != SLUICE_OK)
                atomic_store(&l->failed, 1);
            p->first[i + 1] = near->count;
        }
}

static sluice_status join_blocks(struct sluice_pack *p, const struct near *near, int64_t blocks)
{
    const int64_t moving = p->count - p->fixed;
    int64_t all = 0;
    for (int64_t b = 0; b < blocks; b++) {
        for (int64_t i = b * BLOCK; i < moving && i < (b + 1) * BLOCK; i++)
            p->first[i + 1] += all;
        all += near[b].count;
    }
    SLUICE_ALLOCATE(p->other, all, "neighbours at fitted walls");
    for (int64_t b = 0, at = 0; b < blocks; at += near[b++].count)
        if (near[b].count > 0)
            memcpy(p->other + at, near[b].other, (size_t)near[b].count * sizeof *p->other);
    return SLUICE_OK;
}

sluice_status sluice_pack_list(struct sluice_pack *p)
{
    const int64_t moving = p->count - p->fixed, blocks = sluice_blocks(moving, BLOCK);
    struct listing l = {.p = p};
    forget(p);
    set_lambda(p);
    SLUICE_TRY(
        sluice_cell_lists_create(&p->lists, p->grid, p->reach + skin * p->spacing, p->count));
    for (int64_t i = 0; i < p->count; i++)
        sluice_cell_lists_add(&p->lists, p->point[i].x);
    p->wraps = p->lists.periodic[0] || p->lists.periodic[1] || p->lists.periodic[2];
    SLUICE_ALLOCATE(p->first, moving + 1, "neighbours at fitted walls");
    SLUICE_ALLOCATE(p->step, moving, "steps at fitted walls");
    SLUICE_ALLOCATE(l.near, blocks, "neighbours at fitted walls");
    sluice_threads_run(p->team, blocks, list_blocks, &l);
    sluice_status status = SLUICE_OK;
    if (atomic_load(&l.failed))
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for the neighbours of %lld particles",
                             (long long)moving);
    else
        status = join_blocks(p, l.near, blocks);
    for (int64_t b = 0; b < blocks; b++)
        free(l.near[b].other);
    free(l.near);
    p->listed = status == SLUICE_OK;
    p->since = 0;
    return status;
}

static sluice_status list_if_needed(struct sluice_pack *p)
{
    return p->listed && p->since < 0.5 * skin * p->spacing ? SLUICE_OK : sluice_pack_list(p);
}

double sluice_pack_distance(const struct sluice_pack *p, int64_t i, int64_t j)
{
    double way[3];
    return sqrt(way_to(p, i, j, way));
}

/* --- Sweeps --- */

struct sweep {
    struct sluice_pack *p;
    int number, apart;
};

/* What acts on a point. */
struct action {
    double force[3]; /* the sum of g */
    double apart[3]; /* m: summed over neighbours, half of (range of the short force - distance) */
    double density;  /* the sum of the kernel */
};

/* A moving neighbour takes its own part in moving apart. */
static void sum_actions(const struct sluice_pack *p, int64_t i, double range, struct action *sum)
{
    const double reach2 = p->reach * p->reach, inverse = 1 / p->reach;
    double way[3];
    memset(sum, 0, sizeof *sum);
    for (int64_t k = p->first[i]; k < p->first[i + 1]; k++) {
        const double r2 = way_to(p, p->fixed + i, p->other[k], way);
        if (r2 >= reach2 || r2 == 0)
            continue;
        const double r = sqrt(r2), q = r * inverse, t = 1 - q, t3 = t * t * t;
        sum->density += t * t3 * (1 + 4 * q);
        for (int a = 0; a < 3; a++)
            sum->force[a] -= inverse * t3 * way[a];
        if (r < range) {
            const double share = (p->other[k] < p->fixed ? 0.5 : 0.35) * (range - r) / r;
            for (int a = 0; a < 3; a++)
                sum->apart[a] -= share * way[a];
        }
    }
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void find_step(const struct sweep *s, int64_t i)
{
    const struct sluice_pack *p = s->p;
    double *step = p->step[i];
    struct action sum;
    sum_actions(p, i, (s->apart ? apart_close : close) * p->spacing, &sum);
    for (int a = 0; a < 3; a++)
        step[a] = (s->apart ? 0 : p->lambda * sum.force[a] + p->momentum * step[a]) + sum.apart[a];
    const double length = length_of(step), most = most_step * p->spacing;
    for (int a = 0; a < 3; a++)
        step[a] *= length > most ? most / length : length < 1e-9 * p->spacing ? 0 : 1;
}

/* Points that hardly moved are looked at in every fourth sweep only. */
static void find_steps(struct sluice_share *share, void *data)
{
    const struct sweep *s = data;
    const struct sluice_pack *p = s->p;
    int64_t first, last;
    while (sluice_share_block(share, p->count - p->fixed, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            if (s->number % 4 == 0 || length_of(p->step[i]) > calm * p->spacing)
                find_step(s, i);
            else
                memset(p->step[i], 0, sizeof p->step[i]);
}

static void take_steps(struct sluice_share *share, void *data)
{
    const struct sweep *s = data;
    struct sluice_pack *p = s->p;
    int64_t first, last;
    while (sluice_share_block(share, p->count - p->fixed, BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++) {
            struct sluice_pack_point *point = &p->point[p->fixed + i];
            double *step = p->step[i];
            const double from[3] = {point->x[0], point->x[1], point->x[2]};
            if (step[0] == 0 && step[1] == 0 && step[2] == 0)
                continue;
            p->hold(p->data, point, step);
            for (int a = 0; a < 3; a++)
                step[a] = point->x[a] - from[a];
            memcpy(p->lists.x[p->fixed + i], point->x, sizeof point->x);
        }
}

sluice_status sluice_pack_relax(struct sluice_pack *p, int sweeps, int apart)
{
    const int64_t moving = p->count - p->fixed, blocks = sluice_blocks(moving, BLOCK);
    struct sweep s = {p, 0, apart};
    for (int n = 0; n < sweeps && moving > 0; n++) {
        double most2 = 0;
        sluice_waiting_tell(p->waiting, "%s: spreading %lld particles", p->what, (long long)moving);
        SLUICE_TRY(list_if_needed(p));
        s.number = p->listed == 1 ? 0 : n; /* all of them after a new list */
        p->listed = 2;
        sluice_threads_run(p->team, blocks, find_steps, &s);
        sluice_threads_run(p->team, blocks, take_steps, &s);
        for (int64_t i = 0; i < moving; i++) {
            const double *step = p->step[i];
            most2 = fmax(most2, step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
        }
        p->since += sqrt(most2);
        if (most2 < 1e-8 * p->spacing * p->spacing)
            break;
    }
    return SLUICE_OK;
}

/* --- More or fewer points --- */

struct ranked {
    double density;
    int64_t i; /* of the moving points */
};

static int by_density(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->density != y->density)
        return x->density < y->density ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

/* Whether one of the points chosen so far is within two spacings of moving point i. */
static int is_near_chosen(const struct sluice_pack *p, int64_t i, const unsigned char *chosen)
{
    for (int64_t k = p->first[i]; k < p->first[i + 1]; k++) {
        const int64_t j = (int64_t)p->other[k] - p->fixed;
        if (j >= 0 && chosen[j] &&
            sluice_pack_distance(p, p->fixed + i, p->other[k]) < 2 * p->spacing)
            return 1;
    }
    return 0;
}

/* A new point half a spacing from moving point i, where the forces lead. */
static sluice_status add_beside(struct sluice_pack *p, int64_t i)
{
    struct sluice_pack_point new = p->point[p->fixed + i];
    struct action sum;
    sum_actions(p, i, 0, &sum);
    double *force = sum.force, length = length_of(force);
    if (length < 1e-6) { /* evenly spread: any direction */
        const double axis[3] = {0.8, 0.5, p->grid->dimension == 3 ? 0.33 : 0};
        memcpy(force, axis, sizeof axis);
        length = 1;
    }
    for (int a = 0; a < 3; a++)
        force[a] *= 0.5 * p->spacing / length;
    new.tag = -1;
    p->hold(p->data, &new, force);
    return sluice_pack_add(p, &new);
}

static sluice_status adjust(struct sluice_pack *p, struct ranked *rank, unsigned char *chosen,
                            int64_t kinds, int64_t *change)
{
    const int64_t moving = p->count - p->fixed;
    struct action sum;
    int removes = 0;
    SLUICE_TRY(list_if_needed(p));
    for (int64_t i = 0; i < moving; i++) {
        sum_actions(p, i, 0, &sum);
        rank[i] = (struct ranked){sum.density, i};
    }
    qsort(rank, (size_t)moving, sizeof *rank, by_density);
    for (int64_t n = moving - 1; n >= 0; n--) { /* the densest first */
        const int64_t i = rank[n].i;
        const int32_t kind = p->point[p->fixed + i].kind;
        if (kind >= kinds || change[kind] >= 0 || is_near_chosen(p, i, chosen))
            continue;
        chosen[i] = 1;
        change[kind]++;
        removes = 1;
    }
    for (int64_t n = 0; n < moving; n++) { /* the sparsest first */
        const int64_t i = rank[n].i;
        const int32_t kind = p->point[p->fixed + i].kind;
        if (kind >= kinds || change[kind] <= 0 || is_near_chosen(p, i, chosen))
            continue;
        chosen[i] = 2;
        change[kind]--;
    }
    for (int64_t i = 0; i < moving; i++)
        if (chosen[i] == 2)
            SLUICE_TRY(add_beside(p, i));
    for (int64_t i = 0; i < moving; i++)
        chosen[i] = chosen[i] != 1;
    memset(chosen + moving, 1, (size_t)(p->count - p->fixed - moving));
    if (removes)
        sluice_pack_remove(p, chosen);
    return SLUICE_OK;
}

sluice_status sluice_pack_adjust(struct sluice_pack *p, int64_t kinds, int64_t *change)
{
    const int64_t moving = p->count - p->fixed;
    struct ranked *rank = malloc(((size_t)moving + 1) * sizeof *rank);
    unsigned char *chosen = calloc(2 * (size_t)moving + 1, 1); /* each may add one */
    sluice_status status = SLUICE_OK;
    int any = 0;
    for (int64_t k = 0; k < kinds; k++)
        any |= change[k] != 0;
    if (!rank || !chosen)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld particles at fitted walls",
                             (long long)moving);
    else if (any)
        status = adjust(p, rank, chosen, kinds, change);
    free(rank);
    free(chosen);
    return status;
}

void sluice_pack_remove(struct sluice_pack *p, const unsigned char *keep)
{
    int64_t kept = p->fixed;
    for (int64_t i = p->fixed; i < p->count; i++)
        if (keep[i - p->fixed])
            p->point[kept++] = p->point[i];
    p->count = kept;
    p->listed = 0;
}

sluice_status sluice_pack_thin(struct sluice_pack *p, double least, int64_t *removed)
{
    const int64_t moving = p->count - p->fixed;
    unsigned char *keep = malloc((size_t)moving + 1);
    SLUICE_CHECK(keep, SLUICE_DEVICE, "no memory for %lld particles at fitted walls",
                 (long long)moving);
    const sluice_status status = sluice_pack_list(p);
    for (int64_t i = 0; i < moving && status == SLUICE_OK; i++) {
        keep[i] = 1;
        for (int64_t k = p->first[i]; k < p->first[i + 1] && keep[i]; k++) {
            const int64_t j = (int64_t)p->other[k] - p->fixed;
            if ((j < 0 || (j < i && keep[j])) &&
                sluice_pack_distance(p, p->fixed + i, p->other[k]) < least)
                keep[i] = 0;
        }
        if (!keep[i] && removed)
            removed[p->point[p->fixed + i].kind]++;
    }
    if (status == SLUICE_OK)
        sluice_pack_remove(p, keep);
    free(keep);
    return status;
}
