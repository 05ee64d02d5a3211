/* Kicks and drift through the objects that are shipped: compensation, frames. Every precision and
 * instruction set of this machine. */
#include "tap.h"

#include "kernels/cpu/cpu_backend.h"

/* A set of one particle in one frame of a 2-D grid; arrays are the caller's. */
struct one {
    struct sluice_grid grid;
    struct sluice_set set;
    double position[3], low[2], velocity[2], velocity_low[2],
        acceleration[2]; /* room for float or double */
    uint32_t frame;
};

static void put(const struct cpu_leaf *leaf, void *to, int k, double value)
{
    if (leaf->real_bytes == 8)
        ((double *)to)[k] = value;
    else
        ((float *)to)[k] = (float)value;
}

static double get(const struct cpu_leaf *leaf, const void *from, int k)
{
    return leaf->real_bytes == 8 ? ((const double *)from)[k] : (double)((const float *)from)[k];
}

static void make(struct one *o, const struct cpu_leaf *leaf, double width)
{
    const struct sluice_grid_options options = {.dimension = 2,
                                                .cutoff = width / 8,
                                                .high = {4 * width, 4 * width},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    memset(o, 0, sizeof *o);
    sluice_grid_create(&o->grid, &options);
    sluice_grid_set_frames(&o->grid, (const int32_t[1][3]){{1, 1, 0}}, 1);
    o->frame = (uint32_t)sluice_grid_find_frame(&o->grid, (const int32_t[3]){1, 1, 0});
    o->set = (struct sluice_set){.type = SLUICE_FLUID,
                                 .dimension = 2,
                                 .real_bytes = leaf->real_bytes,
                                 .moves = 1,
                                 .count = 1};
    o->set.field[SLUICE_FIELD_POSITION] = o->position;
    o->set.field[SLUICE_FIELD_POSITION_LOW] = o->low;
    o->set.field[SLUICE_FIELD_VELOCITY] = o->velocity;
    o->set.field[SLUICE_FIELD_VELOCITY_LOW] = o->velocity_low;
    o->set.field[SLUICE_FIELD_ACCELERATION] = o->acceleration;
    o->set.field[SLUICE_FIELD_FRAME] = &o->frame;
}

/* 1e5 drifts of 1e-5 from 1000 move by 1.0; in float without compensation by nothing. */
static void many_small_drifts(const struct cpu_leaf *leaf)
{
    struct one o;
    char name[160];
    volatile float naive = 1000;
    make(&o, leaf, 4096);
    ok(o.grid.width[0] == 4096, "a frame 4096 wide");
    put(leaf, o.position, 0, 1000);
    put(leaf, o.velocity, 0, 1);
    for (int n = 0; n < 100000; n++) {
        leaf->kick_drift(&o.grid, &o.set, 1e-5);
        naive += 1e-5f;
    }
    snprintf(name, sizeof name, "%s, %d bytes: 1e5 drifts of 1e-5 from 1000 move by 1", leaf->isa,
             leaf->real_bytes);
    is_close(get(leaf, o.position, 0) - 1000 + get(leaf, o.low, 0), 1, 2e-7,
             name); /* 1e-5 itself is rounded to float: 2.5e-8 */
    ok(naive == 1000, "naive float does not move");
    sluice_grid_destroy(&o.grid);
}

/* The same for kicks, from rest, where the value is smaller than the increment at first. */
static void many_small_kicks(const struct cpu_leaf *leaf)
{
    struct one o;
    char name[160];
    make(&o, leaf, 1);
    put(leaf, o.velocity, 0, 1000);
    put(leaf, o.acceleration, 0, 2);
    put(leaf, o.acceleration, 1, 2);
    for (int n = 0; n < 100000; n++)
        leaf->kick(&o.set, 1e-5);
    snprintf(name, sizeof name, "%s, %d bytes: 1e5 kicks of 1e-5", leaf->isa, leaf->real_bytes);
    is_close(get(leaf, o.velocity, 0) - 1000 + get(leaf, o.velocity_low, 0), 1, 2e-7, name);
    is_close(get(leaf, o.velocity, 1) + get(leaf, o.velocity_low, 1), 1, 2e-7, "and from rest");
    sluice_grid_destroy(&o.grid);
}

static void crossing_frames(const struct cpu_leaf *leaf)
{
    struct one o;
    make(&o, leaf, 1);
    put(leaf, o.position, 0, 0.4375);
    put(leaf, o.position, 1, -0.4375);
    put(leaf, o.position, 2, 7); /* the mass */
    put(leaf, o.velocity, 0, 1);
    put(leaf, o.velocity, 1, -1);
    leaf->kick_drift(&o.grid, &o.set, 0.125);
    const int32_t *frame = o.grid.frame[o.frame];
    ok(frame[0] == 2 && frame[1] == 0,
       "a particle that leaves its frame by a corner is in the next one");
    ok(get(leaf, o.position, 0) == -0.4375 && get(leaf, o.position, 1) == 0.4375 &&
           get(leaf, o.position, 2) == 7,
       "with its offset from there, exactly, and its mass");
    sluice_grid_destroy(&o.grid);

    make(&o, leaf, 1);
    put(leaf, o.position, 0, 0.375);
    put(leaf, o.velocity, 0, 1);
    leaf->kick_drift(&o.grid, &o.set, 0.125);
    ok(get(leaf, o.position, 0) == -0.5 && o.grid.frame[o.frame][0] == 2,
       "exactly on the border: the upper frame's");
    put(leaf, o.position, 0, NAN);
    leaf->kick_drift(&o.grid, &o.set, 0.125);
    ok(isnan(get(leaf, o.position, 0)) && o.grid.frame[o.frame][0] == 2,
       "not a number stays where it is");
    sluice_grid_destroy(&o.grid);
}

int main(void)
{
    int ran = 0;
    for (int i = 0; cpu_leaves[i]; i++) {
        if (!cpu_leaf_runs_here(cpu_leaves[i]))
            continue;
        many_small_drifts(cpu_leaves[i]);
        many_small_kicks(cpu_leaves[i]);
        crossing_frames(cpu_leaves[i]);
        ran++;
    }
    ok(ran >= 2, "%d variants ran", ran);
    return done_testing();
}
