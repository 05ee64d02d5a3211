/* The search of the window strategy: a target goes through the rows around it and meets the
 * particles of their windows. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_SEARCH_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_SEARCH_H
#include "kernels/gpu/window/window_parts.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Pairs that do not mask themselves must not meet themselves. The target is in its own row only, so
 * that row comes first, and the others need no test. */
template <class Pair> struct own_row_first {
    static constexpr int value = !Pair::masks_itself;
};
struct yes {
    static constexpr int value = 1;
};
struct no {
    static constexpr int value = 0;
};

/* Searches one source: every parts-th row of the block's list, from `part` on. A row's window is
 * looked up before the candidates of the row before it are met, so that the loads overlap. */
template <class Pair, int dim, int energy, int usual, int split, int source>
static __device__ __forceinline__ void
search(const struct window_basics<Pair> &args, const struct window_row *rows, int64_t n,
       const struct window_target &i, const struct window_lists &shared, int part, int parts,
       const typename Pair::src &own, typename Pair::acc *sum, int64_t *hits)
{
    const struct window_space &space = args.space;
    const struct window_source &s = args.source[source];
    const struct window_at &place = i.at;
    const struct window_loop<Pair> loop = loop_of<Pair, usual, source>(args, n);
    struct window_lookup frame[WINDOW_FRAMES];
    look_around<dim, split ? (int)WINDOW_FRAMES : 1>(space, s, i, frame);
    const struct window_home home = home_of(space, i, frame[0]);
    const uint32_t check = home.aside ? 1u << 30
                                      : i.row; /* makes every row a row outside the frame */
    struct window_at next;
    constexpr int edges = !lists_for<Pair, dim>::used;
    const auto find = [&](int r) {
        const struct window_row row = rows[r];
        next.y = place.y - row.y;
        next.z = place.z - row.z;
        if ((check + row.code) & space.beyond)
            return find_aside<dim, edges>(space, s, i, frame, 0, next, i.row + row.code);
        const uint32_t start = home.own + row.offset * home.stride;
        struct window_range range = {0, 0};
        const struct row_extent box = edges         ? edges_of(space)
                                      : source == 0 ? shared.box[r]
                                                    : extent_at(s, start + home.at);
        const real left = left_of<dim>(space, box, next.y, next.z);
        if (!(left > 0))
            return range;
        const real root = REAL_SQRT(left) + space.drift;
        const int low = max((int)floor(home.x - root * home.per_length), home.first),
                  high = min((int)floor(home.x + root * home.per_length), home.last);
        range.first = gpu_load(s.start + (start + (uint32_t)low));
        range.last = gpu_load(s.start + (uint64_t)(start + (uint32_t)high) + 1);
        return range;
    };
    const auto across_seam = [&](int r, const struct window_at &at) {
        const struct window_range none = {0, 0};
        return i.seam ? find_aside<dim, edges>(space, s, i, frame, WINDOW_ACROSS, at,
                                               i.row + rows[r].code)
                      : none;
    };
    const auto two = [&](auto others, const struct window_at &at, uint32_t j, uint32_t last) {
        const struct window_candidate<Pair> p = candidate<Pair, dim, source>(loop, j),
                                            q = candidate<Pair, dim, source>(loop, (uint64_t)j + 1);
        meet<Pair, dim, energy, usual, source, others.value>(loop, at.x, at.y, at.z, own, p, j, 0,
                                                             1, sum, hits);
        meet<Pair, dim, energy, usual, source, others.value>(loop, at.x, at.y, at.z, own, q, j, 1,
                                                             j + 2 <= last, sum, hits);
    };
    next.x = place.x;
    if (space.x.periodic && gpu_any_or_seam(i.seam != 0)) {
        /* A warp with a target at the seam meets a row's windows on both sides as one, and uses no
         * lists: the windows of its targets are as long as the others'. */
        fixed over_seam = place.x - (fixed)i.seam * space.x.period;
        hold(over_seam);
#pragma unroll 1
        for (int r = part; r < space.rows; r += parts) {
            struct window_range range = find(r), across = across_seam(r, next);
            struct window_at at = next;
            const auto on_both_sides = [&](auto others) {
                const auto cross = [&]() {
                    range = across;
                    across.last = 0;
                    at.x = over_seam;
                };
                if (range.first >= range.last)
                    cross();
#pragma unroll 1
                while (range.first < range.last) {
                    two(others, at, range.first, range.last);
                    range.first += 2;
                    if (range.first >= range.last)
                        cross();
                }
            };
            if (own_row_first<Pair>::value && r > 0)
                on_both_sides(yes());
            else
                on_both_sides(no());
        }
        return;
    }
    /* The target's place as find() had it. Keeping it would take two registers of the loops over
     * candidates, which need them to overlap all loads of two candidates. */
    const auto from_row = [&](int r) {
        struct window_at at = place;
        uint32_t again = (uint32_t)r;
        hold(again);
        at.y -= rows[again].y;
        at.z -= rows[again].z;
        return at;
    };
    /* Parts share all rows of the list. The rows that a block leaves out depend on the bins' width,
     * which may differ after a restart, but the bits of a sum must not. */
    constexpr int listed = source == 0 && lists_for<Pair, dim>::used && !split;
    const auto row_at = [&](int k) { return listed ? (int)shared.rows[k] : min(k, space.rows); };
    struct window_range found = find(row_at(part));
    int k = part;
#pragma unroll 1
    for (; k < args.near_rows; k += parts) {
        struct window_range range = found;
        const struct window_at at = from_row(k);
        found = find(row_at(k + parts));
        const auto all = [&](auto others) {
#pragma unroll 1
            for (; range.first < range.last; range.first += 2)
                two(others, at, range.first, range.last);
        };
        if (own_row_first<Pair>::value && k > 0)
            all(yes());
        else
            all(no());
    }
    if (lists_for<Pair, dim>::used) {
        const list_place full = shared.list + (LIST - 2) * LIST_STEP; /* two more fit */
        list_place top = shared.list;
#pragma unroll 1
        for (;; k += parts) {
            const int r = row_at(k);
            if (r >= space.rows)
                break;
            struct window_range range = found;
            const struct window_at at = from_row(r);
            uint32_t far_row = (uint32_t)(r - args.near_rows);
            hold(far_row);
            found = find(row_at(k + parts));
            for (;;) { /* once, unless a list is full */
#pragma unroll 1
                for (; range.first < range.last && top <= full; range.first += 2)
                    top = test<Pair, dim>(loop, at, two_at(loop, range.first), range, far_row,
                                          shared.far_rows, top);
                if (!gpu_any(range.first < range.last))
                    break;
                top = drain_pairs<Pair, dim, energy, usual, source>(loop, shared, top, place, own,
                                                                    sum, hits);
            }
        }
        drain<Pair, dim, energy, usual, source>(loop, shared, top, place, own, sum, hits);
    }
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
