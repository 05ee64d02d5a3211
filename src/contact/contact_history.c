/* The stretches that contacts keep from call to call. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"

/* The order of touches: pairs, then owners, then points. */
struct key {
    int a, b, owner;
    int64_t point;
};

static struct key key_of(int owner, int other, int64_t point)
{
    const int swap = owner < 0 || (other >= 0 && other < owner);
    return (struct key){swap ? other : owner, swap ? owner : other, owner, point};
}

static int compare_keys(const struct key *p, const struct key *q)
{
    return p->a != q->a           ? (p->a > q->a) - (p->a < q->a)
           : p->b != q->b         ? (p->b > q->b) - (p->b < q->b)
           : p->owner != q->owner ? (p->owner > q->owner) - (p->owner < q->owner)
                                  : (p->point > q->point) - (p->point < q->point);
}

static int compare(const void *a, const void *b)
{
    const struct sluice_contact_memory *m = a, *n = b;
    const struct key p = key_of(m->owner, m->other, m->point),
                     q = key_of(n->owner, n->other, n->point);
    return compare_keys(&p, &q);
}

static int is_of(const struct sluice_contact_memory *m, const struct sluice_contact_touch *t)
{
    return m->owner == t->owner && m->other == t->other && m->point == t->point;
}

struct sluice_contact_memory *sluice_contact_recall(const struct sluice_contacts *c,
                                                    const struct sluice_contact_touch *t,
                                                    int64_t *hint)
{
    const struct key wanted = key_of(t->owner, t->other, t->point);
    int64_t low = 0, high = c->memories;
    if (*hint >= c->memories || !is_of(&c->memory[*hint], t)) {
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            const struct sluice_contact_memory *m = &c->memory[middle];
            const struct key found = key_of(m->owner, m->other, m->point);
            if (compare_keys(&found, &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        *hint = low;
        if (low == c->memories || !is_of(&c->memory[low], t))
            return NULL;
    }
    return &c->memory[(*hint)++];
}

/* A pair that touches across a periodic face, too, is not in order. */
static void sort_memory(struct sluice_contacts *c)
{
    int sorted = 1;
    for (int64_t i = 1; i < c->memories && sorted; i++)
        sorted = compare(&c->memory[i - 1], &c->memory[i]) < 0;
    if (!sorted)
        qsort(c->memory, (size_t)c->memories, sizeof *c->memory, compare);
}

static sluice_status sum_ended(struct sluice_contacts *c, double *shed)
{
    c->ends = 0;
    for (int64_t i = 0; i < c->memories; i++)
        if (!c->memory[i].kept) {
            SLUICE_GROW(c->ended, c->ends, c->end_capacity, "contacts");
            c->ended[c->ends++] = sluice_contact_energy(c, &c->memory[i]);
        }
    *shed = sluice_contact_sum(c->ended, c->ends, 1);
    return SLUICE_OK;
}

sluice_status sluice_contact_renew(struct sluice_contacts *c, double *shed)
{
    SLUICE_TRY(sum_ended(c, shed));
    struct sluice_contact_memory *old = c->memory;
    const int64_t capacity = c->memory_capacity;
    c->memory = c->renewed;
    c->memories = c->touches;
    c->memory_capacity = c->renewed_capacity;
    c->renewed = old;
    c->renewed_capacity = capacity;
    for (int64_t i = 0; i < c->memories; i++)
        c->memory[i].kept = 0;
    sort_memory(c);
    return SLUICE_OK;
}

/* --- For checkpoints --- */

static int code_of(const struct sluice_contacts *c, int other)
{
    if (other >= 0)
        return other;
    const struct sluice_contact_wall *w = &c->wall[-1 - other];
    return -1 - (SLUICE_SHAPE_BOXES * w->shape + (w->side > 0 ? w->side : 0));
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] < y[i] || x[i] > y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int64_t sluice_contacts_history(const struct sluice_contacts *c,
                                double (*number)[SLUICE_CONTACT_NUMBERS])
{
    for (int64_t i = 0; number && i < c->memories; i++) {
        const struct sluice_contact_memory *m = &c->memory[i];
        number[i][0] = code_of(c, m->owner);
        number[i][1] = code_of(c, m->other);
        const struct sluice_contact_tree *tree = sluice_contact_tree_of(c, m->owner);
        number[i][2] = (double)(m->point < tree->points ? tree->number[m->point] : m->point);
        memcpy(&number[i][3], m->stretch, sizeof m->stretch);
        memcpy(&number[i][6], m->slip, sizeof m->slip);
        number[i][9] = m->largest;
    }
    if (number && c->memories > 0)
        qsort(number, (size_t)c->memories, sizeof *number, compare_numbers);
    return c->memories;
}

/* Whether x is a whole number from 0 to n - 1. */
static int is_index(double x, int64_t n)
{
    return x >= 0 && x < (double)n && !(floor(x) < x);
}

static int find_solid(const struct sluice_contacts *c, double code, int *solid)
{
    if (is_index(code, c->count)) {
        *solid = (int)code;
        return 1;
    }
    for (int w = 0; w < c->walls; w++)
        if (code <= code_of(c, -1 - w) && code >= code_of(c, -1 - w)) {
            *solid = -1 - w;
            return 1;
        }
    return 0;
}

/* Stretches of points, and of the directions of circles. */
static int64_t numbers_of(const struct sluice_contacts *c, int owner)
{
    return sluice_contact_tree_of(c, owner)->points +
           (owner >= 0 ? (int64_t)c->solid[owner].circles * SLUICE_CONTACT_DIRECTIONS : 0);
}

static int is_finite(const double x[SLUICE_CONTACT_NUMBERS])
{
    int good = 1;
    for (int i = 0; i < SLUICE_CONTACT_NUMBERS; i++)
        good = good && isfinite(x[i]);
    return good;
}

sluice_status sluice_contacts_restore(struct sluice_contacts *c,
                                      const double (*number)[SLUICE_CONTACT_NUMBERS], int64_t count)
{
    c->memories = 0;
    SLUICE_CONTACT_ROOM(c->memory, count, c->memory_capacity, "contacts");
    for (int64_t i = 0; i < count; i++) {
        const double *x = number[i];
        struct sluice_contact_memory *m = &c->memory[i];
        SLUICE_CHECK(find_solid(c, x[0], &m->owner) && find_solid(c, x[1], &m->other) &&
                         is_index(x[2], numbers_of(c, m->owner)) && m->other != m->owner &&
                         (m->owner >= 0 || m->other >= 0) && is_finite(x) && x[9] > 0,
                     SLUICE_BAD_INPUT,
                     "contacts: row %lld of the saved ones (body %.9g, other %.9g, point %.9g, "
                     "overlap %.9g) is none of this case",
                     (long long)i, x[0], x[1], x[2], x[9]);
        const struct sluice_contact_tree *tree = sluice_contact_tree_of(c, m->owner);
        m->point = (int64_t)x[2] < tree->points ? tree->place[(int64_t)x[2]] : (int64_t)x[2];
        memcpy(m->stretch, &x[3], sizeof m->stretch);
        memcpy(m->slip, &x[6], sizeof m->slip);
        m->largest = x[9];
        m->kept = 0;
    }
    c->memories = count;
    sort_memory(c);
    return SLUICE_OK;
}
