/* Fibers of the emulated GPU: stacks that take turns on one thread of the machine, and what the
 * sanitizers must be told of them. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_FIBER_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_FIBER_H
#include <stddef.h>

namespace gpu_emulator
{

struct fiber {
    void *context; /* where it stands: the machine's own */
    char *stack;   /* lowest address, NULL: not created */
    size_t stack_size;
    void *checked;    /* ThreadSanitizer's fiber */
    void *fake_stack; /* AddressSanitizer's */
    void (*run)();    /* never returns */
};

/* The stack that runs already, the same one each time for one fiber; and a new one, which runs
 * when first switched to. */
void fiber_adopt(fiber *f);
void fiber_create(fiber *f, void (*run)());
void fiber_switch(fiber *from, fiber *to);

/* For ThreadSanitizer: what came before a release of a place comes before what follows an acquire
 * of it. */
void order_release(const char *place);
void order_acquire(const char *place);

} // namespace gpu_emulator
#endif
