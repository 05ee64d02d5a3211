/* How particles and their fields travel between ranks: in host memory, as messages of whole fields,
 * one after the other. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/domain.h"
#include "domain/pack.h"

enum { PARTICLES_A_BLOCK = 2048 };

/* --- Messages --- */

/* Lays out messages of parcels->sent[r] particles to each rank, and of parcels->got[r] from each.
 */
static sluice_status lay_out(struct sluice_domain *d, size_t bytes)
{
    struct sluice_parcels *p = &d->parcels;
    size_t all = 0, at = 0;
    for (int r = 0; r < d->comm->size; r++)
        all += bytes * (size_t)(p->sent[r] + p->got[r]);
    if (all > p->capacity) {
        free(p->memory);
        p->capacity = all + all / 4;
        p->memory = malloc(p->capacity);
        p->capacity = p->memory ? p->capacity : 0;
        SLUICE_CHECK(p->memory, SLUICE_DEVICE, "no memory for %zu bytes of messages", all);
    }
    for (int r = 0; r < d->comm->size; r++) {
        p->send[r] = (struct sluice_message){r, p->memory + at, bytes * (size_t)p->sent[r]};
        at += p->send[r].bytes;
        p->receive[r] = (struct sluice_message){r, p->memory + at, bytes * (size_t)p->got[r]};
        at += p->receive[r].bytes;
    }
    return SLUICE_OK;
}

/* Sends the fields of the particles of list r to each rank r, and gets parcels->got[r] of each. */
static sluice_status travel(struct sluice_domain *d, const struct sluice_set *set,
                            sluice_fields fields, const struct sluice_lists *lists)
{
    struct sluice_parcels *p = &d->parcels;
    SLUICE_TRY(lay_out(d, sluice_pack_bytes(set, fields)));
    for (int r = 0; r < d->comm->size; r++)
        sluice_pack(d->team, set, fields, sluice_list(lists, r), p->sent[r], p->send[r].data);
    return d->comm->ops->exchange(d->comm, p->send, d->comm->size, p->receive, d->comm->size);
}

/* --- Who needs which particle --- */

/* Makes the marks long enough for `count` particles; keeps those of the first `kept`. */
static sluice_status reserve_own(struct sluice_domain *d, struct sluice_set *set, int64_t count,
                                 int64_t kept)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    if (count >= shared->capacity) {
        const int64_t larger = count + count / 4 + 64;
        uint8_t *own;
        SLUICE_ALLOCATE(own, 2 * larger, "particles of a rank");
        if (kept > 0)
            memcpy(own, shared->own, (size_t)kept);
        free(shared->marks);
        shared->own = shared->marks = own;
        shared->other = own + larger;
        shared->capacity = larger;
    }
    set->own = shared->own;
    return SLUICE_OK;
}

sluice_status sluice_domain_own_last(struct sluice_domain *d, struct sluice_set *set, int64_t n)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    SLUICE_TRY(reserve_own(d, set, set->count, set->count - n));
    memset(shared->own + set->count - n, 1, (size_t)n);
    return SLUICE_OK;
}

/* The questions about the particles of a set. */
struct question {
    const struct sluice_domain *d;
    const struct sluice_grid *grid;
    const struct sluice_set *set;
    const uint32_t *key;
};

/* Reads the places of particles one after the other, most of which lie in the frame of the one
 * before. */
struct placing {
    uint32_t slot;
    int inner; /* the frame is */
    double centre[3];
};

/* Comes to particle i; returns whether its frame is an inner one. */
static int place_frame(struct placing *p, const struct question *q, int64_t i)
{
    const uint32_t slot = ((const uint32_t *)q->set->field[SLUICE_FIELD_FRAME])[i];
    if (slot == p->slot)
        return p->inner;
    p->slot = slot;
    p->inner = q->d->frame_inner[slot];
    for (int c = 0; c < q->set->dimension; c++)
        p->centre[c] = q->grid->frame[slot][c] * q->grid->width[c];
    return p->inner;
}

static void place(const struct placing *p, const struct question *q, int64_t i, double x[3])
{
    const struct sluice_set *set = q->set;
    for (int c = 0; c < set->dimension; c++)
        x[c] = p->centre[c] + sluice_real_at(set->field[SLUICE_FIELD_POSITION], set->real_bytes,
                                             (set->dimension + 1) * i + c);
}

/* Adds particle i, at x, to the lists of the other ranks that it is near to. */
static void list_near(const struct question *q, struct sluice_list_piece *piece, int64_t i,
                      const double x[3], int owner)
{
    const struct sluice_domain *d = q->d;
    const int self = d->comm->rank, is_own = owner == self;
    for (int k = 0; k < (is_own ? d->neighbours : d->comm->size); k++) {
        const int r = is_own ? d->neighbour[k] : k;
        if (r != self && r != owner && sluice_regions_is_near(&d->regions, r, x))
            sluice_list_add(piece, r, i);
    }
}

/* Before the sort: the list of another rank has the own particles that it needs; the list of this
 * rank those that it needs no longer. In a set that is not divided yet it sends none. */
static void list_needs(struct sluice_list_piece *piece, int64_t first, int64_t last, void *data)
{
    const struct question *q = data;
    const struct sluice_domain *d = q->d;
    const struct sluice_shared_set *shared = &d->set[q->set->type];
    const int self = d->comm->rank;
    struct placing at = {.slot = UINT32_MAX};
    for (int64_t i = first; i < last; i++) {
        double x[3] = {0};
        if (shared->divided && !shared->own[i]) { /* a copy */
            sluice_list_add(piece, self, i);
            continue;
        }
        shared->own[i] = 1;
        if (place_frame(&at, q, i))
            continue;
        place(&at, q, i, x);
        if (sluice_regions_is_inner(&d->regions, x))
            continue;
        const int owner = sluice_regions_owner(&d->regions, x),
                  goes = q->set->type != SLUICE_GHOST && q->key[i] != SLUICE_LEFT;
        shared->own[i] = owner == self;
        if (owner != self && !(goes && sluice_regions_is_near(&d->regions, self, x)))
            sluice_list_add(piece, self, i);
        if (owner != self && shared->divided)
            sluice_list_add(piece, owner, i);
        if (goes && shared->divided)
            list_near(q, piece, i, x, owner);
    }
}

/* Puts a particle into the place of another. */
static void move(const struct sluice_set *set, sluice_fields fields, int64_t from, int64_t to)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        char *at = set->field[f];
        if (fields >> f & 1)
            memcpy(at + bytes * (size_t)to, at + bytes * (size_t)from, bytes);
    }
}

/* Fills the n listed places with the last particles. */
static void close_gaps(struct sluice_domain *d, struct sluice_set *set, const uint32_t *gap,
                       int64_t n)
{
    uint8_t *own = d->set[set->type].own;
    const sluice_fields fields = sluice_pack_state(set);
    int64_t first = 0;
    while (first < n) {
        const int64_t last = set->count - 1;
        if (gap[n - 1] == last) { /* the last particle is one of them */
            n--;
        } else {
            move(set, fields, last, gap[first]);
            own[gap[first++]] = own[last];
        }
        set->count = last;
    }
}

/* The places of what arrives: the gaps, then those behind the last particle. */
struct arrival {
    const struct sluice_domain *d;
    const struct sluice_grid *grid;
    const struct sluice_set *set;
    uint32_t *place;
    int64_t count;
};

static void mark_blocks(struct sluice_share *share, void *data)
{
    const struct arrival *a = data;
    const struct sluice_regions *regions = &a->d->regions;
    int64_t first, last;
    while (sluice_share_block(share, a->count, PARTICLES_A_BLOCK, &first, &last))
        for (int64_t k = first; k < last; k++) {
            double x[3] = {0};
            sluice_domain_place(a->grid, a->set, a->place[k], x);
            a->d->set[a->set->type].own[a->place[k]] = sluice_regions_owner(regions, x) ==
                                                       a->d->comm->rank;
        }
}

/* Takes what has come from all ranks. */
static sluice_status take(struct sluice_domain *d, const struct sluice_grid *g,
                          struct sluice_set *set, int64_t arrived)
{
    const struct sluice_parcels *p = &d->parcels;
    const uint32_t *gap = sluice_list(&d->lists, d->comm->rank);
    const int64_t gaps = sluice_list_count(&d->lists, d->comm->rank);
    struct arrival a = {d, g, set, NULL, arrived};
    int64_t at = 0;
    SLUICE_ALLOCATE(a.place, arrived, "places of particles");
    for (int64_t k = 0; k < arrived; k++)
        a.place[k] = k < gaps ? gap[k] : (uint32_t)(set->count + k - gaps);
    for (int r = 0; r < d->comm->size; at += p->got[r++])
        sluice_unpack(d->team, set, sluice_pack_state(set), a.place + at, p->got[r],
                      p->receive[r].data);
    sluice_threads_run(d->team, sluice_blocks(arrived, PARTICLES_A_BLOCK), mark_blocks, &a);
    if (arrived > gaps)
        set->count += arrived - gaps;
    else
        close_gaps(d, set, gap + arrived, gaps - arrived);
    free(a.place);
    return SLUICE_OK;
}

/* Sends what is listed and takes what comes. */
static sluice_status send_lists(struct sluice_domain *d, const struct sluice_grid *g,
                                struct sluice_set *set, sluice_domain_grow *grow, void *data)
{
    struct sluice_parcels *p = &d->parcels;
    int64_t arrived = 0;
    for (int r = 0; r < d->comm->size; r++)
        p->sent[r] = r == d->comm->rank ? 0 : sluice_list_count(&d->lists, r);
    SLUICE_TRY(d->comm->ops->counts(d->comm, p->sent, p->got));
    for (int r = 0; r < d->comm->size; r++)
        arrived += p->got[r];
    SLUICE_TRY(travel(d, set, sluice_pack_state(set), &d->lists));
    SLUICE_TRY(grow(data, set, set->count + arrived));
    SLUICE_TRY(reserve_own(d, set, set->count + arrived, set->count));
    return take(d, g, set, arrived);
}

sluice_status sluice_domain_share(struct sluice_domain *d, const struct sluice_grid *g,
                                  struct sluice_set *set, const uint32_t *key,
                                  sluice_domain_grow *grow, void *data)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    struct question q = {d, g, set, key};
    SLUICE_TRY(reserve_own(d, set, set->count, shared->divided ? set->count : 0));
    SLUICE_TRY(sluice_lists_fill(&d->lists, d->team, set->count, list_needs, &q));
    shared->listed = 0;
    if (shared->divided)
        return send_lists(d, g, set, grow, data);
    close_gaps(d, set, sluice_list(&d->lists, d->comm->rank),
               sluice_list_count(&d->lists, d->comm->rank));
    shared->divided = 1;
    return grow(data, set, set->count);
}

/* --- What is shared, after the sort --- */

/* List r has the own particles in the halo of rank r, list `size` + r the halo particles that rank
 * r owns.
 */
static void list_shared(struct sluice_list_piece *piece, int64_t first, int64_t last, void *data)
{
    const struct question *q = data;
    const struct sluice_domain *d = q->d;
    struct placing at = {.slot = UINT32_MAX};
    for (int64_t i = first; i < last; i++) {
        double x[3] = {0};
        if (place_frame(&at, q, i))
            continue;
        place(&at, q, i, x);
        if (!q->set->own[i])
            sluice_list_add(piece, d->comm->size + sluice_regions_owner(&d->regions, x), i);
        else if (!sluice_regions_is_inner(&d->regions, x))
            list_near(q, piece, i, x, d->comm->rank);
    }
}

/* The results of ghost nodes lie in the order of their numbers; each rank needs those of its walls'
 * nodes, and gets all. */
static sluice_status refresh_ghosts(struct sluice_domain *d, const struct sluice_set *set,
                                    sluice_fields fields)
{
    const uint32_t *node = set->field[SLUICE_FIELD_NODE];
    const size_t bytes = sizeof(uint32_t) + sluice_pack_bytes(set, fields);
    void *all = NULL;
    size_t total = 0;
    char *mine = malloc(bytes * (size_t)set->count + 1);
    sluice_status status = mine ? SLUICE_OK
                                : SLUICE_FAIL(SLUICE_DEVICE, "no memory for ghost nodes");
    for (int64_t i = 0; i < set->count && mine; i++) {
        memcpy(mine + bytes * (size_t)i, &node[i], sizeof *node);
        sluice_pack(NULL, set, fields, &node[i], 1, mine + bytes * (size_t)i + sizeof *node);
    }
    if (status == SLUICE_OK)
        status = sluice_comm_gather(d->comm, mine, bytes * (size_t)set->count, 1, &all, &total);
    for (size_t at = 0; status == SLUICE_OK && at < total; at += bytes) {
        uint32_t to;
        memcpy(&to, (char *)all + at, sizeof to);
        sluice_unpack(NULL, set, fields, &to, 1, (char *)all + at + sizeof to);
    }
    free(all);
    free(mine);
    return status;
}

sluice_status sluice_domain_refresh(struct sluice_domain *d, const struct sluice_grid *g,
                                    const struct sluice_set *set, sluice_fields fields)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    struct sluice_parcels *p = &d->parcels;
    struct question q = {d, g, set, NULL};
    const int size = d->comm->size;
    if (set->type == SLUICE_GHOST)
        return refresh_ghosts(d, set, fields);
    if (!shared->listed) {
        SLUICE_TRY(sluice_domain_find_inner(d, g));
        SLUICE_TRY(sluice_lists_fill(&shared->lists, d->team, set->count, list_shared, &q));
        shared->listed = 1;
    }
    for (int r = 0; r < size; r++) {
        p->sent[r] = sluice_list_count(&shared->lists, r);
        p->got[r] = sluice_list_count(&shared->lists, size + r);
    }
    SLUICE_TRY(travel(d, set, fields, &shared->lists));
    for (int r = 0; r < size; r++)
        sluice_unpack(d->team, set, fields, sluice_list(&shared->lists, size + r), p->got[r],
                      p->receive[r].data);
    return SLUICE_OK;
}
