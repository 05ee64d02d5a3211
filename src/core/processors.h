/* The number of processors that this process may use, and the OpenMP variables that users set. */
#ifndef SLUICE_CORE_PROCESSORS_H
#define SLUICE_CORE_PROCESSORS_H

/* The number of processors that this process may use, at least 1. Two limits count: the affinity
 * (taskset) and the control group's quota of processor time (containers, batch systems), rounded
 * up. */
int sluice_processors_usable(void);

/* The most threads that a run uses with backend.threads = 0: OMP_NUM_THREADS if set, otherwise one
 * for each usable processor. */
int sluice_processors_most(void);

/* The number of processors to which a control group and its parents limit their processes (a
 * fraction is possible); 0: no limit. `groups` is the text of /proc/self/cgroup, `mount` the folder
 * where control groups are mounted. */
double sluice_processors_of_groups(const char *groups, const char *mount);

/* The first number in OMP_NUM_THREADS; 0: unset, or not a positive number. */
int sluice_processors_asked(void);

/* How often a waiting thread of a team polls before it sleeps. GOMP_SPINCOUNT or OMP_WAIT_POLICY
 * sets it. Without them it is 0 if the team has more threads than usable processors, otherwise -1:
 * the thread polls for a bounded time (threads.c). */
long long sluice_processors_spins(int threads);
#endif
