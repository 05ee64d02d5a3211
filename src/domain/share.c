/* How particles and their fields travel between ranks: in host memory, as messages of whole fields,
 * one after the other. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/domain.h"
#include "domain/pack.h"

/* Indices of particles for each rank. */
struct lists {
    uint32_t **index;
    int64_t *count, *room;
    int size;
};

static void lists_free(struct lists *l)
{
    for (int r = 0; l->index && r < l->size; r++)
        free(l->index[r]);
    free(l->index);
    free(l->count);
    free(l->room);
}

static sluice_status lists_create(struct lists *l, int size)
{
    l->size = size;
    SLUICE_ALLOCATE(l->index, size, "lists of particles");
    SLUICE_ALLOCATE(l->count, size, "lists of particles");
    SLUICE_ALLOCATE(l->room, size, "lists of particles");
    return SLUICE_OK;
}

static sluice_status append(struct lists *l, int rank, int64_t i)
{
    SLUICE_GROW(l->index[rank], l->count[rank], l->room[rank], "particles to send");
    l->index[rank][l->count[rank]++] = (uint32_t)i;
    return SLUICE_OK;
}

/* --- Messages --- */

/* What this rank sends to each rank and gets from it. */
struct parcels {
    struct sluice_message *send, *receive; /* [size] */
    char *memory;
};

static void parcels_free(struct parcels *p)
{
    free(p->send);
    free(p->receive);
    free(p->memory);
}

/* Room for messages of `sent[r]` and `got[r]` particles of so many bytes. */
static sluice_status parcels_create(struct parcels *p, int size, const int64_t *sent,
                                    const int64_t *got, size_t bytes)
{
    size_t all = 0, at = 0;
    for (int r = 0; r < size; r++)
        all += bytes * (size_t)(sent[r] + got[r]);
    SLUICE_ALLOCATE(p->send, size, "messages");
    SLUICE_ALLOCATE(p->receive, size, "messages");
    SLUICE_ALLOCATE(p->memory, all, "bytes of messages");
    for (int r = 0; r < size; r++) {
        p->send[r] = (struct sluice_message){r, p->memory + at, bytes * (size_t)sent[r]};
        at += p->send[r].bytes;
        p->receive[r] = (struct sluice_message){r, p->memory + at, bytes * (size_t)got[r]};
        at += p->receive[r].bytes;
    }
    return SLUICE_OK;
}

static sluice_status travel(struct sluice_domain *d, struct parcels *p)
{
    return d->comm->ops->exchange(d->comm, p->send, d->comm->size, p->receive, d->comm->size);
}

/* --- Who needs which particle --- */

static int needs(const struct sluice_domain *d, const struct sluice_set *set, int rank, int owner,
                 const double x[3])
{
    return rank == owner ||
           (set->type != SLUICE_GHOST && sluice_regions_is_near(&d->regions, rank, x));
}

/* Makes room for the marks of `count` particles; keeps those of the first `kept`. */
static sluice_status reserve_own(struct sluice_domain *d, struct sluice_set *set, int64_t count,
                                 int64_t kept)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    if (count >= shared->room) {
        const int64_t room = count + count / 4 + 64;
        uint8_t *own = malloc((size_t)room);
        SLUICE_CHECK(own, SLUICE_DEVICE, "no memory for %lld particles of a rank",
                     (long long)count);
        if (kept > 0)
            memcpy(own, shared->own, (size_t)kept);
        free(shared->own);
        shared->own = own;
        shared->room = room;
    }
    set->own = shared->own;
    return SLUICE_OK;
}

/* Lists the own particles that each other rank needs. The list of this rank itself is another one:
 * the particles that it needs no longer, by ascending place. Where this rank still has all
 * particles of the case, it sends none. */
static sluice_status list_needs(struct sluice_domain *d, const struct sluice_grid *g,
                                const struct sluice_set *set, const uint32_t *key, struct lists *l)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    const uint32_t *slot = set->field[SLUICE_FIELD_FRAME];
    const int self = d->comm->rank;
    for (int64_t i = 0; i < set->count; i++) {
        double x[3] = {0};
        const int is_copy = shared->divided && !shared->own[i];
        if (is_copy) {
            SLUICE_TRY(append(l, self, i));
            continue;
        }
        if (!d->frame_inner[slot[i]])
            sluice_domain_place(g, set, i, x);
        if (d->frame_inner[slot[i]] || sluice_regions_is_inner(&d->regions, x)) {
            shared->own[i] = 1;
            continue;
        }
        const int owner = sluice_regions_owner(&d->regions, x), alone = key[i] == SLUICE_LEFT;
        if (owner != self && (alone || !needs(d, set, self, owner, x)))
            SLUICE_TRY(append(l, self, i));
        shared->own[i] = owner == self;
        for (int r = 0; shared->divided && r < d->comm->size; r++)
            if (r != self && (r == owner || (!alone && needs(d, set, r, owner, x))))
                SLUICE_TRY(append(l, r, i));
    }
    return SLUICE_OK;
}

/* Puts a particle into the place of another. */
static void move(const struct sluice_set *set, unsigned fields, int64_t from, int64_t to)
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
    const unsigned fields = sluice_pack_state(set);
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

/* Where arriving particles go: into the gaps, then behind the last one. */
static sluice_status list_places(const struct sluice_set *set, const uint32_t *gap, int64_t gaps,
                                 int64_t arrived, uint32_t **place)
{
    SLUICE_ALLOCATE(*place, arrived, "places of particles");
    for (int64_t k = 0; k < arrived; k++)
        (*place)[k] = k < gaps ? gap[k] : (uint32_t)(set->count + k - gaps);
    return SLUICE_OK;
}

/* Takes what has come from all ranks. */
static sluice_status take(struct sluice_domain *d, const struct sluice_grid *g,
                          struct sluice_set *set, const struct parcels *p, const int64_t *got,
                          const uint32_t *gap, int64_t gaps, int64_t arrived)
{
    const unsigned fields = sluice_pack_state(set);
    uint8_t *own = d->set[set->type].own;
    uint32_t *place;
    int64_t at = 0;
    SLUICE_TRY(list_places(set, gap, gaps, arrived, &place));
    for (int r = 0; r < d->comm->size; at += got[r++])
        sluice_unpack(set, fields, place + at, got[r], p->receive[r].data);
    if (arrived > gaps)
        set->count += arrived - gaps;
    for (int64_t k = 0; k < arrived; k++) {
        double x[3] = {0};
        sluice_domain_place(g, set, place[k], x);
        own[place[k]] = sluice_regions_owner(&d->regions, x) == d->comm->rank;
    }
    if (arrived < gaps)
        close_gaps(d, set, gap + arrived, gaps - arrived);
    free(place);
    return SLUICE_OK;
}

/* Sends what is listed and takes what comes. */
static sluice_status send_lists(struct sluice_domain *d, const struct sluice_grid *g,
                                struct sluice_set *set, const struct lists *l,
                                sluice_domain_grow *grow, void *data)
{
    const int size = d->comm->size, self = d->comm->rank;
    const unsigned fields = sluice_pack_state(set);
    struct parcels p = {0};
    int64_t *sent, *got, arrived = 0;
    SLUICE_ALLOCATE(sent, 2 * size, "counts of messages");
    got = sent + size;
    for (int r = 0; r < size; r++)
        sent[r] = r == self ? 0 : l->count[r];
    sluice_status status = d->comm->ops->counts(d->comm, sent, got);
    if (status == SLUICE_OK)
        status = parcels_create(&p, size, sent, got, sluice_pack_bytes(set, fields));
    for (int r = 0; r < size && status == SLUICE_OK; r++) {
        sluice_pack(set, fields, l->index[r], sent[r], p.send[r].data);
        arrived += got[r];
    }
    if (status == SLUICE_OK)
        status = travel(d, &p);
    if (status == SLUICE_OK)
        status = grow(data, set, set->count + arrived);
    if (status == SLUICE_OK)
        status = reserve_own(d, set, set->count + arrived, set->count);
    if (status == SLUICE_OK)
        status = take(d, g, set, &p, got, l->index[self], l->count[self], arrived);
    parcels_free(&p);
    free(sent);
    return status;
}

static uint32_t smallest_id(const struct sluice_set *set)
{
    const uint32_t *id = set->field[SLUICE_FIELD_ID];
    uint32_t least = UINT32_MAX;
    for (int64_t i = 0; i < set->count; i++)
        least = id[i] < least ? id[i] : least;
    return least;
}

sluice_status sluice_domain_share(struct sluice_domain *d, const struct sluice_grid *g,
                                  struct sluice_set *set, const uint32_t *key,
                                  sluice_domain_grow *grow, void *data)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    const int self = d->comm->rank;
    struct lists l = {0};
    SLUICE_TRY(reserve_own(d, set, set->count, shared->divided ? set->count : 0));
    sluice_status status = lists_create(&l, d->comm->size);
    if (status == SLUICE_OK)
        status = list_needs(d, g, set, key, &l);
    if (status == SLUICE_OK && shared->divided) {
        status = send_lists(d, g, set, &l, grow, data);
    } else if (status == SLUICE_OK) {
        shared->first_id = smallest_id(set);
        close_gaps(d, set, l.index[self], l.count[self]);
        shared->divided = 1;
        status = grow(data, set, set->count);
    }
    lists_free(&l);
    return status;
}

/* --- What is shared, after the sort --- */

/* Lists a particle of a frame at the region's border. */
static sluice_status list_particle(struct sluice_domain *d, const struct sluice_grid *g,
                                   const struct sluice_set *set, int64_t i)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    double x[3] = {0};
    sluice_domain_place(g, set, i, x);
    if (sluice_regions_is_inner(&d->regions, x)) {
        shared->own[i] = 1;
        return SLUICE_OK;
    }
    const int owner = sluice_regions_owner(&d->regions, x);
    struct sluice_share_with *w = &shared->with[owner];
    shared->own[i] = owner == d->comm->rank;
    if (!shared->own[i]) {
        SLUICE_GROW(w->copy, w->copy_count, w->copy_room, "particles of other ranks");
        w->copy[w->copy_count++] = (uint32_t)i;
        return SLUICE_OK;
    }
    for (int r = 0; r < d->comm->size; r++) {
        w = &shared->with[r];
        if (r == owner || !needs(d, set, r, owner, x))
            continue;
        SLUICE_GROW(w->own, w->own_count, w->own_room, "particles for other ranks");
        w->own[w->own_count++] = (uint32_t)i;
    }
    return SLUICE_OK;
}

sluice_status sluice_domain_list(struct sluice_domain *d, const struct sluice_grid *g,
                                 struct sluice_set *set)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    const uint32_t *slot = set->field[SLUICE_FIELD_FRAME];
    SLUICE_TRY(sluice_domain_find_inner(d, g));
    for (int r = 0; r < d->comm->size; r++)
        shared->with[r].own_count = shared->with[r].copy_count = 0;
    for (int64_t i = 0; i < set->count; i++)
        if (d->frame_inner[slot[i]])
            shared->own[i] = 1;
        else
            SLUICE_TRY(list_particle(d, g, set, i));
    return SLUICE_OK;
}

/* The results of ghost nodes lie in the order of ids; each rank needs those of its walls' nodes,
 * and gets all. */
static sluice_status refresh_ghosts(struct sluice_domain *d, const struct sluice_set *set,
                                    unsigned fields)
{
    const struct sluice_shared_set *shared = &d->set[set->type];
    const uint32_t *id = set->field[SLUICE_FIELD_ID];
    const size_t bytes = sizeof(uint32_t) + sluice_pack_bytes(set, fields);
    void *all = NULL;
    size_t total = 0;
    uint32_t *row;
    char *mine;
    SLUICE_ALLOCATE(row, set->count, "rows of ghost nodes");
    mine = malloc(bytes * (size_t)set->count + 1);
    for (int64_t i = 0; i < set->count; i++)
        row[i] = id[i] - shared->first_id;
    sluice_status status = mine ? SLUICE_OK
                                : SLUICE_FAIL(SLUICE_DEVICE, "no memory for ghost nodes");
    for (int64_t i = 0; i < set->count && mine; i++) {
        memcpy(mine + bytes * (size_t)i, &row[i], sizeof *row);
        sluice_pack(set, fields, &row[i], 1, mine + bytes * (size_t)i + sizeof *row);
    }
    if (status == SLUICE_OK)
        status = sluice_comm_gather(d->comm, mine, bytes * (size_t)set->count, 1, &all, &total);
    for (size_t at = 0; status == SLUICE_OK && at < total; at += bytes) {
        uint32_t to;
        memcpy(&to, (char *)all + at, sizeof to);
        sluice_unpack(set, fields, &to, 1, (char *)all + at + sizeof to);
    }
    free(all);
    free(mine);
    free(row);
    return status;
}

sluice_status sluice_domain_refresh(struct sluice_domain *d, const struct sluice_set *set,
                                    unsigned fields)
{
    const struct sluice_shared_set *shared = &d->set[set->type];
    const int size = d->comm->size;
    const size_t bytes = sluice_pack_bytes(set, fields);
    struct parcels p = {0};
    int64_t *sent, *got;
    if (set->type == SLUICE_GHOST)
        return refresh_ghosts(d, set, fields);
    SLUICE_ALLOCATE(sent, 2 * size, "counts of messages");
    got = sent + size;
    for (int r = 0; r < size; r++) {
        sent[r] = shared->with[r].own_count;
        got[r] = shared->with[r].copy_count;
    }
    sluice_status status = parcels_create(&p, size, sent, got, bytes);
    for (int r = 0; r < size && status == SLUICE_OK; r++)
        sluice_pack(set, fields, shared->with[r].own, sent[r], p.send[r].data);
    if (status == SLUICE_OK)
        status = travel(d, &p);
    for (int r = 0; r < size && status == SLUICE_OK; r++)
        sluice_unpack(set, fields, shared->with[r].copy, got[r], p.receive[r].data);
    parcels_free(&p);
    free(sent);
    return status;
}
