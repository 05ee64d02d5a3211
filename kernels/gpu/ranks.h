/* The GPU backend as one of several ranks (src/domain): the data of a rank are in device memory,
 * and particles travel from there. A program that is alone has none of this: gpu->ranks is NULL. */
#ifndef SLUICE_KERNELS_GPU_RANKS_H
#define SLUICE_KERNELS_GPU_RANKS_H
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

/* Numbers of particles, in device memory; `count` on the host. */
struct gpu_list {
    struct gpu_scratch memory;
    int64_t count;
};

static inline uint32_t *numbers_of(const struct gpu_list &list)
{
    return (uint32_t *)list.memory.memory;
}

/* A set, in the order of the last sort: the own particles in the halo of rank r, and the halo
 * particles that rank r owns. */
struct gpu_shared {
    int64_t border_most;       /* at a sort, about the particles at the border; 0: not known yet */
    int64_t border_after;      /* after it: at most so many */
    struct gpu_scratch counts; /* of the lists, and of the border */
    uint32_t *counted;         /* [3 + 2 size] in pinned memory, once `counting` has happened */
    gpuEvent_t counting;
    int pending;            /* 1: they have not been read yet */
    struct gpu_scratch own; /* [count] set->own, an enum gpu_whose */
    /* If messages travel by MPI: the own particles; the lengths of the lists are in device
     * memory only. */
    struct gpu_list inner, edge;
    uint32_t *inner_count, *edge_count;
    int64_t edge_most;        /* the edge has at most so many */
    struct gpu_list *own_for; /* [size] */
    struct gpu_list *halo_of; /* [size] */
    struct gpu_scratch key;   /* [count] of a moving set, with as many bytes as a real: orders the
                                 particles of a row in a frame, by ascending numbers and then by id,
                                 as the last sort did */
};

/* A particle is own or of the halo. Particles at the edge are in the halos of other ranks, and may
 * reach this rank's halo. Inner particles do neither. */
enum gpu_whose { GPU_HALO, GPU_INNER, GPU_EDGE };

/* Messages to all ranks, or from all of them. */
struct gpu_mail {
    size_t *bytes; /* [size] of the message of each rank */
    char **at; /* [size] where it is packed, or has arrived, in memory that the device reaches */
    struct gpu_scratch device; /* messages one after the other, unless peers.cu takes them */
    char *host;                /* the same in pinned memory, if MPI does not reach the device */
    size_t host_bytes;
};

/* The time of this rank's own work: of the first passes after a sort. */
enum { GPU_TIMED_PASSES = 8 };
struct gpu_clock {
    gpuEvent_t begun[GPU_TIMED_PASSES], ended[GPU_TIMED_PASSES];
    int passes, measured; /* events of so many passes are recorded; 1: enough, until a sort */
    double seconds;       /* of measured passes, since the costs were compared */
};

/* Why GPUs do not write into each other's memory. */
enum gpu_obstacle {
    GPU_OBSTACLE_NONE,
    GPU_OBSTACLE_HOSTS,  /* ranks run on several hosts */
    GPU_OBSTACLE_KIND,   /* GPUs of this kind do not */
    GPU_OBSTACLE_SHARED, /* ranks share a GPU */
    GPU_OBSTACLE_ASKED,  /* SLUICE_TEST_MESSAGES: nccl, mpi or host */
    GPU_OBSTACLE_SCREEN, /* a device ends kernels that wait */
    GPU_OBSTACLE_OFFER,  /* a GPU's memory cannot be offered to another program */
    GPU_OBSTACLE_MAP     /* another GPU's memory cannot be mapped */
};

struct gpu_ranks {
    struct sluice_domain *domain; /* borrowed */
    int size;                     /* ranks */
    enum gpu_obstacle obstacle;   /* the worst of all ranks */
    struct gpu_peers *peers;      /* peers.cu; NULL: messages travel by direct */
    void *direct;                 /* direct.cu; NULL, too: they travel by MPI */
    int mpi_reaches;              /* 1: from GPU to GPU; 0: through host memory */
    struct gpu_shared set[SLUICE_TYPE_COUNT];
    struct gpu_scratch cut, region, frame_inner; /* of domain->regions */
    struct gpu_list border, dropped, *sends;     /* at a sort; [size] */
    struct gpu_list **made;                      /* [3 + 2 size] of a listing */
    struct gpu_scratch place;                    /* of arriving particles */
    struct gpu_mail out, in;
    /* Messages by MPI travel on a stream of their own, while the step's stream computes
     * what does not need them. Those of peers.cu and of NCCL are so fast that this would
     * take longer (docs/notes/gpu-trials.md). */
    gpuStream_t mail;
    gpuEvent_t forked, computed, arrived; /* computed: the edge of the last divided pass */
    int divided; /* 1: the present pass computes edges on the stream of messages */
    int pending; /* 1: the step's stream has not waited for `arrived` yet */
    struct gpu_clock clock;
    int64_t *sent, *got;   /* [size] particles */
    int64_t inner_version; /* of the grid's table that frame_inner is for, */
    double inner_reach;    /* and the reach of domain->regions; 0: none yet */
};

/* The questions about a particle at a sort. */
enum gpu_question {
    GPU_IS_AT_BORDER, /* not surely this rank's alone */
    GPU_IS_DROPPED,   /* this rank has it, but no longer needs it */
    GPU_IS_SENT,      /* own, and rank r needs it */
    GPU_IS_OWN_FOR,   /* after the sort: own, and in the halo of rank r */
    GPU_IS_HALO_OF    /* after the sort: in the halo, owned by rank r */
};

struct gpu_question_args {
    enum gpu_question what;
    int self, rank, is_ghost, leaves; /* leaves: particles may leave the domain */
    struct sluice_regions regions;    /* in device memory */
    const uint8_t *frame_inner;
    const uint32_t *index; /* the n particles that are asked; NULL: all */
    int64_t n;
    const uint32_t *limit; /* of n, in device memory; NULL: none */
    uint32_t *flag;        /* [n + 1] the answers */
};

/* rank_lists.cu. A listing makes lists of a set's particles, and brings all their lengths at once.
 * It opens with that of the particles at the border, to which it then is limited: `most` are
 * expected; if there are more, ranks->border.count says so at the end, and the listing is to be
 * made again. Two columns of the set's scratch space are free at a sort (step/sort.cu): the flags
 * are in the first. */
struct gpu_listing {
    struct gpu_backend *gpu;
    const struct sluice_grid *g;
    const struct sluice_set *set;
    struct gpu_question_args question;
    struct gpu_list **made; /* [3 + 2 size], of gpu->ranks */
    int count;
    uint32_t *counts; /* in device memory */
};
sluice_status gpu_listing_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                               const struct sluice_set *set, int64_t most, struct gpu_listing *l);
sluice_status gpu_listing_add(struct gpu_listing *l, enum gpu_question what, int rank,
                              struct gpu_list *list);
/* Lists the particles that the marks call inner, or at the edge. */
sluice_status gpu_listing_add_marked(struct gpu_listing *l, enum gpu_whose whose,
                                     struct gpu_list *list);
/* Brings the lengths. */
sluice_status gpu_listing_end(struct gpu_listing *l);
/* The bytes that gpu_scratch_reserve takes for so many. */
static inline size_t gpu_with_spare(size_t bytes)
{
    const size_t spare = bytes < 1 << 20 ? bytes / 4 : bytes / GPU_SPARE_PART;
    return (bytes + spare + 255) / 256 * 256;
}
/* The next listing expects so many particles at the border, if there are `count` now. */
static inline int64_t gpu_border_capacity(int64_t count)
{
    return count + count / 4 + 4096;
}
static inline uint32_t *gpu_flags_of(const struct sluice_set *set)
{
    return (uint32_t *)sluice_columns_scratch(set, 0);
}

/* The fields of a set, or of a packed copy of it. */
struct gpu_fields {
    int count;
    struct {
        char *at;
        int bytes; /* of an entry, a multiple of 2 */
    } field[SLUICE_FIELD_COUNT];
};

/* exchange.cu. Fields of a set; of a packed message of n particles at `memory`, whose bytes are
 * gpu_packed_bytes. */
struct gpu_fields gpu_fields_of(const struct sluice_set *set, sluice_fields fields);
struct gpu_fields gpu_packed_fields(const struct sluice_set *set, sluice_fields fields, int64_t n,
                                    void *memory);
size_t gpu_packed_bytes(const struct sluice_set *set, sluice_fields fields, int64_t n);
/* Copies n entries, from[from_index[k]] to to[to_index[k]]; an index NULL: entry k. limit: fewer,
 * if this number in device memory is smaller; NULL: none. */
sluice_status gpu_copy_fields(gpuStream_t stream, const struct gpu_fields &from,
                              const uint32_t *from_index, const struct gpu_fields &to,
                              const uint32_t *to_index, int64_t n, const uint32_t *limit);
/* Allocates the messages, ranks->out and ranks->in, whose bytes are known on both sides, and says
 * where they are. Messages that are then packed, travel. Both are collective. */
sluice_status gpu_mail_open(struct gpu_backend *gpu);
sluice_status gpu_mail_travel(struct gpu_backend *gpu, gpuStream_t stream);

/* peers.cu. create leaves ranks->peers NULL where ranks run on several hosts, or their GPUs do not
 * reach each other's memory: ranks->obstacle says why. Collective. */
sluice_status gpu_peers_create(struct gpu_backend *gpu);
void gpu_peers_destroy(struct gpu_ranks *ranks);
sluice_status gpu_peers_open(struct gpu_backend *gpu);
sluice_status gpu_peers_travel(struct gpu_backend *gpu, gpuStream_t stream);
/* The capacity for a message of so many bytes, of which a rank has two for each other one; the
 * bytes of all of this rank's. */
size_t gpu_peers_capacity(size_t bytes);
int64_t gpu_peers_bytes(const struct gpu_ranks *ranks);

/* direct.cu. create leaves ranks->direct NULL in a build without NCCL, and where ranks
 * share a GPU. Collective. */
sluice_status gpu_direct_create(struct gpu_backend *gpu);
void gpu_direct_destroy(struct gpu_ranks *ranks);
sluice_status gpu_direct_travel(struct gpu_backend *gpu, gpuStream_t stream);

/* rank_memory.cu. */
sluice_status gpu_ranks_create(struct gpu_backend *gpu, struct sluice_domain *domain);
void gpu_ranks_destroy(struct gpu_backend *gpu);
/* ranks.cu and share.cu. gpu_share: before a sort, sends each own particle to all ranks that it is
 * near to, and drops those that are needed no longer. gpu_list_shared: after the sort of a set.
 * gpu_rank_pass: a pass, and then its results for the halos. All are collective. */
sluice_status gpu_share(struct gpu_backend *gpu, struct sluice_grid *g,
                        struct sluice_set *const *sets, int n);
/* Adds the time of the passes that were measured since the last sort. */
sluice_status gpu_read_clock(struct gpu_clock *clock);
/* Which frames of the table lie within this rank's region; when the table has changed. */
sluice_status gpu_find_inner(struct gpu_backend *gpu, const struct sluice_grid *g);
/* Reads the lengths of the lists that gpu_list_shared has made: when they are needed, so that the
 * device does not wait for the host. */
sluice_status gpu_read_lists(struct gpu_backend *gpu, const struct sluice_set *set);
sluice_status gpu_list_shared(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set);
/* The first division of sets in the order of an earlier sort, bin[type] of a moving one. own[type]:
 * of the particles that stay; the caller frees them. Collective. */
sluice_status gpu_share_sorted(struct gpu_backend *gpu, struct sluice_grid *g,
                               struct sluice_set *const *sets, int n,
                               struct sluice_sorted *const bin[SLUICE_TYPE_COUNT],
                               struct sluice_sorted *own[SLUICE_TYPE_COUNT]);
/* Number i of a copy of gpu_shared.key in host memory. */
static inline uint64_t gpu_key(const char *key, const struct sluice_set *set, int64_t i)
{
    uint64_t number = 0; /* both are little-endian */
    memcpy(&number, key + set->real_bytes * i, (size_t)set->real_bytes);
    return number;
}
static inline void gpu_put_key(char *key, const struct sluice_set *set, int64_t i, uint64_t number)
{
    memcpy(key + set->real_bytes * i, &number, (size_t)set->real_bytes);
}
/* rank_order.cu. gpu_note_order: after a sort of a moving set, for checkpoints. gpu_order_of_ranks:
 * the operation order on several ranks, collective. */
sluice_status gpu_note_order(struct gpu_backend *gpu, const struct sluice_set *set);
sluice_status gpu_order_of_ranks(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 const struct sluice_set *set, struct sluice_sorted *bin);
sluice_status gpu_rank_pass(struct gpu_backend *gpu, const struct sluice_grid *g, int strategy,
                            struct sluice_pass *pass);

} // namespace SLUICE_GPU
#endif
