/* test: 0.1 s */
/* The sort's moves through the scratch space: for any fields of a set, any size of the scratch
 * space and either direction, every field arrives as it was. Moves that may run at the same time
 * never write where another one of them still reads. */
#include "particles/columns.h"

#include "support/tap.h"

enum { N = 64, SORTS = 5, COLUMN = N * SLUICE_COLUMN_BYTES };

/* The value of entry i of a field before the first sort. */
static uint16_t mark(int field, int number)
{
    return (uint16_t)(field * 1003 + number * 7919 + 17);
}

/* 16-bit numbers of a field that moves. */
static int numbers_of(const struct sluice_set *set, int f)
{
    const int moves = set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE;
    return moves ? N * (int)sluice_set_field_bytes(set, (enum sluice_field)f) / 2 : 0;
}

static void fill(const struct sluice_set *set)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        for (int k = 0; k < numbers_of(set, f); k++)
            ((uint16_t *)set->field[f])[k] = mark(f, k);
}

static int64_t wrong(const struct sluice_set *set)
{
    int64_t bad = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        for (int k = 0; k < numbers_of(set, f); k++)
            bad += ((const uint16_t *)set->field[f])[k] != mark(f, k);
    return bad;
}

/* Whether columns of `a` and `b` are the same, both of their own number. */
static int overlap(const void *a, int a_columns, const void *b, int b_columns)
{
    const char *x = a, *y = b;
    return x < y + COLUMN * b_columns && y < x + COLUMN * a_columns;
}

/* Does the moves; returns how many of one batch write where one of it reads, or outside. */
static int move_all(struct sluice_set *set, const struct sluice_move *move, int count, int *batches)
{
    int clashes = 0, begin = 0;
    for (int k = 0; k < count; k++) {
        if (move[k].waits)
            begin = k, *batches += 1;
        for (int other = begin; other <= k; other++) {
            clashes += overlap(move[k].to, move[k].columns, move[other].from, move[other].columns);
            clashes += other < k &&
                       overlap(move[other].to, move[other].columns, move[k].from, move[k].columns);
        }
        clashes += (const char *)move[k].to < (const char *)set->memory ||
                   (const char *)move[k].to + COLUMN * move[k].columns >
                       (const char *)set->memory + COLUMN * set->columns;
        memmove(move[k].to, move[k].from, (size_t)COLUMN * (size_t)move[k].columns);
    }
    return clashes;
}

static void check(sluice_fields fields, int dimension, int real_bytes, int more, const char *name)
{
    struct sluice_set set = {
        .dimension = dimension, .real_bytes = real_bytes, .count = N, .capacity = N};
    struct sluice_move move[SLUICE_FIELD_COUNT];
    set.fields = fields;
    const struct sluice_columns c = sluice_columns_of(&set);
    const int least = c.scratch > c.largest ? c.scratch : c.largest,
              room = least + more < c.state ? least + more : c.state;
    set.columns = c.first + c.state + room;
    set.memory = calloc((size_t)set.columns, COLUMN);
    sluice_columns_lay_out(&set);
    fill(&set);
    int clashes = 0, batches = 0, scratch_lies = 0;
    for (int s = 0; s < SORTS; s++) {
        const int count = sluice_columns_plan(&set, move);
        batches = 1;
        clashes += move_all(&set, move, count, &batches);
        sluice_columns_moved(&set, move, count);
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) /* scratch may be overwritten */
            if (set.field[f] && sluice_field_table[f].life == SLUICE_LIFE_SCRATCH)
                memset(set.field[f], 0xee,
                       (size_t)(N * sluice_set_field_bytes(&set, (enum sluice_field)f)));
        memset(sluice_columns_scratch(&set, 0), 0xee, (size_t)COLUMN * (size_t)room);
        scratch_lies += wrong(&set) != 0;
    }
    ok(clashes == 0 && scratch_lies == 0 && wrong(&set) == 0,
       "%s, %d-D, %d bytes, scratch of %d columns: %d clashes, %d spoiled, in %d batches", name,
       dimension, real_bytes, room, clashes, scratch_lies, batches);
    ok(room < c.state || batches == 1, "scratch space for all fields takes one batch");
    free(set.memory);
}

int main(void)
{
    const sluice_fields rest = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID),
                        motion = rest | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(VELOCITY) |
                                 SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION),
                        fluid = motion | SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) |
                                SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) |
                                SLUICE_BIT(ACCELERATION_OLD) | SLUICE_BIT(PREDICTED) |
                                SLUICE_BIT(EOS);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int more = 0; more < 120; more += 7) {
                check(rest | SLUICE_BIT(EOS), dimension, real_bytes, more, "walls");
                check(motion, dimension, real_bytes, more, "atoms");
                check(fluid, dimension, real_bytes, more, "fluid");
            }
    return done_testing();
}
