/* The sort's moves through the room: whatever fields a set has, however small the room, and in
 * either direction, every field arrives as it was, and moves that may be made at once never write
 * where another one of them still reads. */
#include "particles/columns.h"

#include "tap.h"

enum { N = 64, SORTS = 5 };

/* What entry i of a field holds before the first sort. */
static uint32_t mark(int field, int word)
{
    return (uint32_t)(field * 1000003 + word * 7919 + 17);
}

static int is_moving(const struct sluice_set *set, int f)
{
    return set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE;
}

static void fill(const struct sluice_set *set)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        for (int w = 0; is_moving(set, f) &&
                        w < N * (int)sluice_set_field_bytes(set, (enum sluice_field)f) / 4;
             w++)
            ((uint32_t *)set->field[f])[w] = mark(f, w);
}

static int64_t wrong(const struct sluice_set *set)
{
    int64_t bad = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        for (int w = 0; is_moving(set, f) &&
                        w < N * (int)sluice_set_field_bytes(set, (enum sluice_field)f) / 4;
             w++)
            bad += ((const uint32_t *)set->field[f])[w] != mark(f, w);
    return bad;
}

/* Words of `a` and `b` in common, both of their own length. */
static int overlap(const void *a, int a_words, const void *b, int b_words)
{
    const char *x = a, *y = b;
    return x < y + 4 * N * b_words && y < x + 4 * N * a_words;
}

/* Does the moves; returns how many of one batch write where one of it reads, or outside. */
static int move_all(struct sluice_set *set, const struct sluice_move *move, int count, int *batches)
{
    int clashes = 0, begin = 0;
    for (int k = 0; k < count; k++) {
        if (move[k].waits)
            begin = k, *batches += 1;
        for (int other = begin; other <= k; other++) {
            clashes += overlap(move[k].to, move[k].words, move[other].from, move[other].words);
            clashes += other < k &&
                       overlap(move[other].to, move[other].words, move[k].from, move[k].words);
        }
        clashes += (const char *)move[k].to < (const char *)set->memory ||
                   (const char *)move[k].to + 4 * N * move[k].words >
                       (const char *)set->memory + 4 * N * set->words;
        memmove(move[k].to, move[k].from, (size_t)4 * N * (size_t)move[k].words);
    }
    return clashes;
}

static void check(unsigned fields, int dimension, int real_bytes, int more, const char *name)
{
    struct sluice_set set = {
        .dimension = dimension, .real_bytes = real_bytes, .count = N, .capacity = N};
    struct sluice_move move[SLUICE_FIELD_COUNT];
    set.fields = fields;
    const struct sluice_columns c = sluice_columns_of(&set);
    const int least = c.scratch > c.largest ? c.scratch : c.largest,
              room = least + more < c.state ? least + more : c.state;
    set.words = c.first + c.state + room;
    set.memory = calloc(N, 4 * (size_t)set.words);
    sluice_columns_lay_out(&set);
    fill(&set);
    int clashes = 0, batches = 0, scratch_lies = 0;
    for (int s = 0; s < SORTS; s++) {
        const int count = sluice_columns_plan(&set, move);
        batches = 1;
        clashes += move_all(&set, move, count, &batches);
        sluice_columns_moved(&set, move, count);
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) /* what is in the room may be written */
            if (set.field[f] && sluice_field_table[f].life == SLUICE_LIFE_SCRATCH)
                memset(set.field[f], 0xee,
                       (size_t)(N * sluice_set_field_bytes(&set, (enum sluice_field)f)));
        memset(sluice_columns_room(&set, 0), 0xee, (size_t)4 * N * (size_t)room);
        scratch_lies += wrong(&set) != 0;
    }
    ok(clashes == 0 && scratch_lies == 0 && wrong(&set) == 0,
       "%s, %d-D, %d bytes, room of %d columns: %d clashes, %d spoiled, in %d batches", name,
       dimension, real_bytes, room, clashes, scratch_lies, batches);
    ok(room < c.state || batches == 1, "a room for all fields takes one batch");
    free(set.memory);
}

int main(void)
{
    const unsigned rest = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID),
                   motion = rest | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(VELOCITY) |
                            SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION),
                   fluid = motion | SLUICE_BIT(DENSITY) | SLUICE_BIT(DENSITY_LOW) |
                           SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(ACCELERATION_OLD) |
                           SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS);
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int more = 0; more < 60; more += 7) {
                check(rest | SLUICE_BIT(EOS), dimension, real_bytes, more, "walls");
                check(motion, dimension, real_bytes, more, "atoms");
                check(fluid, dimension, real_bytes, more, "fluid");
            }
    return done_testing();
}
