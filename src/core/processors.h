/* Processors and threads: what this process may use, and what its user asked for. */
#ifndef SLUICE_CORE_PROCESSORS_H
#define SLUICE_CORE_PROCESSORS_H

/* Processors that this process may use: by its affinity (taskset) and its control group's share of
 * time (containers, batch systems), rounded up; at least 1. */
int sluice_processors_usable(void);

/* The most threads that share work where the config names no number (backend.threads = 0): as many
 * as OMP_NUM_THREADS asks for, else the usable processors. */
int sluice_processors_most(void);

/* The least share of a control group and those above it, in processors; 0: not limited. `groups`
 * is the text of /proc/self/cgroup, `mount` where control groups are mounted. */
double sluice_processors_of_groups(const char *groups, const char *mount);

/* Threads that OMP_NUM_THREADS asks for; 0: it is not set, or no number. */
int sluice_processors_asked(void);

/* How often a thread of a team of `threads` looks before it sleeps, by GOMP_SPINCOUNT or
 * OMP_WAIT_POLICY; -1: neither is set, a bounded time. 0 where there are more threads than
 * processors. */
long long sluice_processors_spins(int threads);
#endif
