/* Memory of this machine that the process may still take. */
#ifndef SLUICE_CORE_FREE_MEMORY_H
#define SLUICE_CORE_FREE_MEMORY_H

/* Bytes, within the limit of a container; 0: unknown. */
double sluice_free_memory(void);
#endif
