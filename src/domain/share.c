/* How particles and their fields travel between ranks: in host memory, as messages of whole fields,
 * one after the other. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/domain.h"

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

/* Bytes of the fields of one particle. */
static size_t bytes_of(const struct sluice_set *set, unsigned fields)
{
    size_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1)
            bytes += (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
    return bytes;
}

static unsigned state_of(const struct sluice_set *set)
{
    unsigned fields = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            fields |= 1u << f;
    return fields;
}

/* Copies the fields of n listed particles to a message. index NULL: the first n. */
static void pack(const struct sluice_set *set, unsigned fields, const uint32_t *index, int64_t n,
                 char *to)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        const char *from = set->field[f];
        for (int64_t k = 0; k < n; k++, to += bytes)
            memcpy(to, from + bytes * (size_t)(index ? index[k] : k), bytes);
    }
}

/* Copies them from a message to the listed particles, or to `first` and those that follow. */
static void unpack(const struct sluice_set *set, unsigned fields, const uint32_t *index,
                   int64_t first, int64_t n, const char *from)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        char *to = set->field[f];
        for (int64_t k = 0; k < n; k++, from += bytes)
            memcpy(to + bytes * (size_t)(index ? index[k] : first + k), from, bytes);
    }
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
    for (int r = 0; r < d->comm->size; r++)
        d->sent += (double)p->send[r].bytes;
    return d->comm->ops->exchange(d->comm, p->send, d->comm->size, p->receive, d->comm->size);
}

/* --- Who needs which particle --- */

static int needs(const struct sluice_domain *d, const struct sluice_set *set, int rank, int owner,
                 const double x[3])
{
    return rank == owner || (set->type != SLUICE_GHOST && sluice_domain_is_near(d, rank, x));
}

/* Lists what each rank needs of the particles that this rank owns (of all, where it has all, and
 * then for itself alone). */
static sluice_status list_needs(const struct sluice_domain *d, const struct sluice_grid *g,
                                const struct sluice_set *set, const uint8_t *left, struct lists *l)
{
    const struct sluice_shared_set *shared = &d->set[set->type];
    const int self = d->comm->rank;
    for (int64_t i = 0; i < set->count; i++) {
        double x[3] = {0};
        if (shared->divided && !shared->own[i])
            continue;
        sluice_domain_place(g, set, i, x);
        const int owner = sluice_domain_owner(d, x), alone = left && left[i];
        if (owner == self && (alone || sluice_domain_is_inner(d, x))) {
            SLUICE_TRY(append(l, self, i));
            continue;
        }
        for (int r = shared->divided ? 0 : self; r < (shared->divided ? d->comm->size : self + 1);
             r++)
            if (r == owner || (!alone && needs(d, set, r, owner, x)))
                SLUICE_TRY(append(l, r, i));
    }
    return SLUICE_OK;
}

/* Keeps the listed particles of this rank, whose places ascend. */
static void keep(struct sluice_set *set, const uint32_t *index, int64_t n)
{
    const unsigned fields = state_of(set);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        char *at = set->field[f];
        for (int64_t k = 0; (fields >> f & 1) && k < n; k++)
            if (index[k] != k)
                memcpy(at + bytes * (size_t)k, at + bytes * index[k], bytes);
    }
    set->count = n;
}

static sluice_status find_own(struct sluice_domain *d, const struct sluice_grid *g,
                              struct sluice_set *set)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    if (set->count >= shared->room) {
        free(shared->own);
        shared->room = set->count + set->count / 4 + 64;
        shared->own = malloc((size_t)shared->room);
        if (!shared->own)
            shared->room = 0;
        SLUICE_CHECK(shared->own, SLUICE_DEVICE, "no memory for %lld particles of a rank",
                     (long long)set->count);
    }
    for (int64_t i = 0; i < set->count; i++) {
        double x[3] = {0};
        sluice_domain_place(g, set, i, x);
        shared->own[i] = sluice_domain_owner(d, x) == d->comm->rank;
    }
    set->own = shared->own;
    return SLUICE_OK;
}

/* Sends what is listed, keeps this rank's own list, and appends what comes. */
static sluice_status send_lists(struct sluice_domain *d, struct sluice_set *set,
                                const struct lists *l, sluice_domain_grow *grow, void *data)
{
    const int size = d->comm->size, self = d->comm->rank;
    const unsigned fields = state_of(set);
    const size_t bytes = bytes_of(set, fields);
    struct parcels p = {0};
    int64_t *sent, *got, arrived = 0;
    SLUICE_ALLOCATE(sent, 2 * size, "counts of messages");
    got = sent + size;
    for (int r = 0; r < size; r++)
        sent[r] = r == self ? 0 : l->count[r];
    sluice_status status = d->comm->ops->counts(d->comm, sent, got);
    if (status == SLUICE_OK)
        status = parcels_create(&p, size, sent, got, bytes);
    for (int r = 0; r < size && status == SLUICE_OK; r++) {
        pack(set, fields, l->index[r], sent[r], p.send[r].data);
        arrived += got[r];
    }
    if (status == SLUICE_OK)
        status = travel(d, &p);
    if (status == SLUICE_OK) {
        keep(set, l->index[self], l->count[self]);
        status = grow(data, set, set->count + arrived);
    }
    for (int r = 0; r < size && status == SLUICE_OK; r++) {
        unpack(set, fields, NULL, set->count, got[r], p.receive[r].data);
        set->count += got[r];
    }
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
                                  struct sluice_set *set, const uint8_t *left,
                                  sluice_domain_grow *grow, void *data)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    struct lists l = {0};
    sluice_status status = lists_create(&l, d->comm->size);
    if (status == SLUICE_OK)
        status = list_needs(d, g, set, left, &l);
    if (status == SLUICE_OK && shared->divided) {
        status = send_lists(d, set, &l, grow, data);
    } else if (status == SLUICE_OK) {
        shared->first_id = smallest_id(set);
        keep(set, l.index[d->comm->rank], l.count[d->comm->rank]);
        shared->divided = 1;
        status = grow(data, set, set->count);
    }
    lists_free(&l);
    return status == SLUICE_OK ? find_own(d, g, set) : status;
}

/* --- What is shared, after the sort --- */

static sluice_status list_particle(struct sluice_domain *d, const struct sluice_grid *g,
                                   const struct sluice_set *set, int64_t i)
{
    struct sluice_shared_set *shared = &d->set[set->type];
    double x[3] = {0};
    sluice_domain_place(g, set, i, x);
    if (!shared->own[i]) {
        struct sluice_share_with *w = &shared->with[sluice_domain_owner(d, x)];
        SLUICE_GROW(w->copy, w->copy_count, w->copy_room, "particles of other ranks");
        w->copy[w->copy_count++] = (uint32_t)i;
        return SLUICE_OK;
    }
    for (int r = 0; r < d->comm->size && !sluice_domain_is_inner(d, x); r++) {
        struct sluice_share_with *w = &shared->with[r];
        if (r == d->comm->rank || !needs(d, set, r, d->comm->rank, x))
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
    SLUICE_TRY(find_own(d, g, set));
    for (int r = 0; r < d->comm->size; r++)
        shared->with[r].own_count = shared->with[r].copy_count = 0;
    for (int64_t i = 0; i < set->count; i++)
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
    const size_t bytes = sizeof(uint32_t) + bytes_of(set, fields);
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
        pack(set, fields, &row[i], 1, mine + bytes * (size_t)i + sizeof *row);
    }
    if (status == SLUICE_OK)
        status = sluice_comm_gather(d->comm, mine, bytes * (size_t)set->count, 1, &all, &total);
    for (size_t at = 0; status == SLUICE_OK && at < total; at += bytes) {
        uint32_t to;
        memcpy(&to, (char *)all + at, sizeof to);
        unpack(set, fields, &to, 0, 1, (char *)all + at + sizeof to);
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
    const size_t bytes = bytes_of(set, fields);
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
        pack(set, fields, shared->with[r].own, sent[r], p.send[r].data);
    if (status == SLUICE_OK)
        status = travel(d, &p);
    for (int r = 0; r < size && status == SLUICE_OK; r++)
        unpack(set, fields, shared->with[r].copy, 0, got[r], p.receive[r].data);
    parcels_free(&p);
    free(sent);
    return status;
}

/* --- To one rank, or to all --- */

/* Turns the ranks' messages of whole fields into fields of all particles. */
static sluice_status join(const struct sluice_set *set, unsigned fields, const int64_t *count,
                          int size, const char *from, int64_t all, void *array[SLUICE_FIELD_COUNT],
                          void **memory)
{
    char *to, *at;
    SLUICE_ALLOCATE(to, bytes_of(set, fields) * (size_t)all + 64 * SLUICE_FIELD_COUNT,
                    "bytes of particles");
    *memory = at = to;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        array[f] = at;
        at += ((size_t)sluice_set_field_bytes(set, (enum sluice_field)f) * (size_t)all + 63) / 64 *
              64;
    }
    int64_t before = 0;
    for (int r = 0; r < size; before += count[r++])
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            if (!(fields >> f & 1))
                continue;
            const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
            memcpy((char *)array[f] + bytes * (size_t)before, from, bytes * (size_t)count[r]);
            from += bytes * (size_t)count[r];
        }
    return SLUICE_OK;
}

sluice_status sluice_domain_gather(struct sluice_domain *d, const struct sluice_set *set,
                                   unsigned fields, const uint32_t *index, int64_t n,
                                   int everywhere, int64_t *count, void *array[SLUICE_FIELD_COUNT],
                                   void **memory)
{
    const size_t bytes = bytes_of(set, fields);
    int64_t *own, *of_rank;
    char *mine;
    void *all = NULL;
    size_t total = 0;
    *count = 0;
    *memory = NULL;
    memset(array, 0, SLUICE_FIELD_COUNT * sizeof *array);
    SLUICE_ALLOCATE(own, 2 * d->comm->size, "counts of messages");
    of_rank = own + d->comm->size;
    mine = malloc(bytes * (size_t)n + 1);
    for (int r = 0; r < d->comm->size; r++)
        own[r] = n;
    sluice_status status = mine ? d->comm->ops->counts(d->comm, own, of_rank)
                                : SLUICE_FAIL(SLUICE_DEVICE, "no memory for particles of a rank");
    if (mine)
        pack(set, fields, index, n, mine);
    if (status == SLUICE_OK)
        status = sluice_comm_gather(d->comm, mine, bytes * (size_t)n, everywhere, &all, &total);
    if (status == SLUICE_OK && all) {
        *count = (int64_t)(bytes ? total / bytes : 0);
        status = join(set, fields, of_rank, d->comm->size, all, *count, array, memory);
    }
    free(all);
    free(mine);
    free(own);
    return status;
}

/* A total as four numbers of 32 bits, the last one signed: they add up without a carry. */
enum { LIMBS = 4 };

sluice_status sluice_domain_add(struct sluice_domain *d, exact_total *total, int n)
{
    int64_t *limb;
    SLUICE_ALLOCATE(limb, LIMBS * n, "totals");
    for (int k = 0; k < n; k++)
        for (int l = 0; l < LIMBS; l++) {
            const int64_t part = (int64_t)(total[k] >> 32 * l);
            limb[LIMBS * k + l] = l < LIMBS - 1 ? part & 0xffffffff : part;
        }
    const sluice_status status = d->comm->ops->sum(d->comm, limb, LIMBS * n);
    for (int k = 0; k < n; k++) {
        total[k] = 0;
        for (int l = LIMBS - 1; l >= 0; l--)
            total[k] = total[k] * ((exact_total)1 << 32) + limb[LIMBS * k + l];
    }
    free(limb);
    return status;
}

void sluice_domain_destroy(struct sluice_domain **domain)
{
    struct sluice_domain *d = *domain;
    if (!d)
        return;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        for (int r = 0; d->set[t].with && r < d->comm->size; r++) {
            free(d->set[t].with[r].own);
            free(d->set[t].with[r].copy);
        }
        free(d->set[t].with);
        free(d->set[t].own);
    }
    free(d->cut);
    free(d->region);
    free(d);
    *domain = NULL;
}
