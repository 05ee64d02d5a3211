#include "particles/columns.h"

#include <stddef.h>

static int is_state(int field)
{
    return sluice_field_table[field].life == SLUICE_LIFE_STATE;
}

static int width_of(const struct sluice_set *set, int field)
{
    return (int)(sluice_set_field_bytes(set, (enum sluice_field)field) / SLUICE_COLUMN_BYTES);
}

static char *column(const struct sluice_set *set, int k)
{
    return (char *)set->memory + SLUICE_COLUMN_BYTES * set->capacity * k;
}

static int column_of(const struct sluice_set *set, int field)
{
    return (int)(((const char *)set->field[field] - (const char *)set->memory) /
                 (SLUICE_COLUMN_BYTES * set->capacity));
}

struct sluice_columns sluice_columns_of(const struct sluice_set *set)
{
    struct sluice_columns c = {SLUICE_COLUMNS_OF_INDEX, 0, 0, 0};
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int columns = width_of(set, f);
        if (!(set->fields & SLUICE_FIELD_BIT(f)))
            continue;
        if (f == SLUICE_FIELD_EOS)
            c.first = columns;
        else if (!is_state(f))
            c.scratch += columns;
        else
            c.state += columns;
        if (is_state(f) && columns > c.largest)
            c.largest = columns;
    }
    return c;
}

static void place_scratch(struct sluice_set *set)
{
    int at = set->scratch;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(set->fields & SLUICE_FIELD_BIT(f)) || is_state(f) || f == SLUICE_FIELD_EOS)
            continue;
        set->field[f] = column(set, at);
        at += width_of(set, f);
    }
}

void sluice_columns_lay_out(struct sluice_set *set)
{
    int at = sluice_columns_of(set).first;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        set->field[f] = NULL;
        if (!(set->fields & SLUICE_FIELD_BIT(f)) || !is_state(f))
            continue;
        set->field[f] = column(set, at);
        at += width_of(set, f);
    }
    if (set->fields & SLUICE_BIT(EOS))
        set->field[SLUICE_FIELD_EOS] = column(set, 0);
    set->scratch = at;
    place_scratch(set);
}

void *sluice_columns_scratch(const struct sluice_set *set, int k)
{
    return column(set, set->scratch + k);
}

/* Lists the STATE fields, the nearest to the scratch space first. */
static int fields_from_scratch(const struct sluice_set *set, int upwards,
                               int order[SLUICE_FIELD_COUNT])
{
    int count = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        int k = count;
        if (!set->field[f] || !is_state(f))
            continue;
        for (; k > 0 && (set->field[order[k - 1]] < set->field[f]) == upwards; k--)
            order[k] = order[k - 1];
        order[k] = f;
        count++;
    }
    return count;
}

/* `edge` is where the last field went; `bound` is the end of the space that was free at the last
 * wait. */
int sluice_columns_plan(const struct sluice_set *set, struct sluice_move move[SLUICE_FIELD_COUNT])
{
    const int first = sluice_columns_of(set).first, upwards = set->scratch > first;
    int order[SLUICE_FIELD_COUNT],
        edge = upwards ? set->columns : first,
        bound = upwards ? set->scratch : set->columns - sluice_columns_of(set).state;
    const int count = fields_from_scratch(set, upwards, order);
    for (int k = 0; k < count; k++) {
        const int f = order[k], columns = width_of(set, f), from = column_of(set, f);
        edge += upwards ? -columns : columns;
        const int waits = upwards ? edge < bound : edge > bound;
        if (waits)
            bound = upwards ? from + columns : from;
        move[k] = (struct sluice_move){(enum sluice_field)f, set->field[f],
                                       column(set, upwards ? edge : edge - columns), columns,
                                       waits};
    }
    return count;
}

void sluice_columns_moved(struct sluice_set *set, const struct sluice_move *move, int count)
{
    const struct sluice_columns c = sluice_columns_of(set);
    for (int k = 0; k < count; k++)
        set->field[move[k].field] = move[k].to;
    set->scratch = set->scratch > c.first ? c.first : c.first + c.state;
    place_scratch(set);
}
