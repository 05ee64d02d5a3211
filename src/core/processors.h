/* The processors that this process may use, and the threads that its environment asks for. */
#ifndef SLUICE_CORE_PROCESSORS_H
#define SLUICE_CORE_PROCESSORS_H

/* Processors that this process may use, at least 1: limited by its affinity (taskset) and by its
 * control group's share of time (containers, batch systems), rounded up. */
int sluice_processors_usable(void);

/* The most threads to use with backend.threads = 0: OMP_NUM_THREADS, else the usable processors. */
int sluice_processors_most(void);

/* The processors that a control group and its parents leave; 0: no limit. `groups` is the text of
 * /proc/self/cgroup, `mount` the folder where control groups are mounted. */
double sluice_processors_of_groups(const char *groups, const char *mount);

/* The number in OMP_NUM_THREADS; 0: unset, or not a number. */
int sluice_processors_asked(void);

/* How often a waiting thread of a team polls before it sleeps: by GOMP_SPINCOUNT or
 * OMP_WAIT_POLICY, else 0 if the team has more threads than processors, else -1: for a bounded
 * time. */
long long sluice_processors_spins(int threads);
#endif
