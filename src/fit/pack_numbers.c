/* More or fewer points: where they are sparse or dense, and where they are too near. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "fit/pack_internal.h"

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

void sluice_pack_remove(struct sluice_pack *p, const unsigned char *keep)
{
    int64_t kept = p->fixed;
    for (int64_t i = p->fixed; i < p->count; i++)
        if (keep[i - p->fixed])
            p->point[kept++] = p->point[i];
    p->listed = p->count == kept ? p->listed : 0;
    p->count = kept;
}

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
    const uint32_t *other = p->other + p->first[i];
    for (uint32_t k = 0; k < p->near[i]; k++) {
        const int64_t j = (int64_t)other[k] - p->fixed;
        if (j >= 0 && chosen[j] && sluice_pack_distance(p, p->fixed + i, other[k]) < 2 * p->spacing)
            return 1;
    }
    return 0;
}

/* A new point half a spacing from moving point i, where the forces lead. */
static sluice_status add_beside(struct sluice_pack *p, int64_t i)
{
    struct sluice_pack_point new = p->point[p->fixed + i];
    struct sluice_pack_action sum;
    sluice_pack_sum(p, i, 0, &sum);
    double *force = sum.force, length = sluice_norm(force);
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
    SLUICE_TRY(sluice_pack_list_if_needed(p));
    for (int64_t i = 0; i < moving; i++)
        rank[i] = (struct ranked){sluice_pack_density(p, i), i};
    qsort(rank, (size_t)moving, sizeof *rank, by_density);
    for (int64_t n = moving - 1; n >= 0; n--) { /* the densest first */
        const int64_t i = rank[n].i;
        const int32_t kind = p->point[p->fixed + i].kind;
        if (kind >= kinds || change[kind] >= 0 || is_near_chosen(p, i, chosen))
            continue;
        chosen[i] = 1;
        change[kind]++;
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

sluice_status sluice_pack_thin(struct sluice_pack *p, double least, int64_t *removed)
{
    const int64_t moving = p->count - p->fixed;
    unsigned char *keep = malloc((size_t)moving + 1);
    SLUICE_CHECK(keep, SLUICE_DEVICE, "no memory for %lld particles at fitted walls",
                 (long long)moving);
    const sluice_status status = sluice_pack_list_if_needed(p);
    for (int64_t i = 0; i < moving && status == SLUICE_OK; i++) {
        keep[i] = 1;
        const uint32_t *other = p->other + p->first[i];
        for (uint32_t k = 0; k < p->near[i] && keep[i]; k++) {
            const int64_t j = (int64_t)other[k] - p->fixed;
            if ((j < 0 || (j < i && keep[j])) &&
                sluice_pack_distance(p, p->fixed + i, other[k]) < least)
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
