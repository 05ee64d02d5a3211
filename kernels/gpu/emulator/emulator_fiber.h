/* Fibers of the emulated GPU: stacks that take turns on one host thread. They tell the sanitizers
 * of each switch. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_FIBER_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_FIBER_H
#include <stddef.h>

namespace gpu_emulator
{

struct fiber {
    void *context; /* saved registers, in the machine's form */
    char *stack;   /* lowest address, NULL: not created */
    size_t stack_size;
    void *checked;    /* ThreadSanitizer's fiber */
    void *fake_stack; /* AddressSanitizer's */
    void (*run)();    /* never returns */
};

/* fiber_adopt makes a fiber of the stack that runs already, always the same stack for one fiber;
 * fiber_create makes one with a new stack, which runs when first switched to. */
void fiber_adopt(fiber *f);
void fiber_create(fiber *f, void (*run)());
void fiber_switch(fiber *from, fiber *to);

/* For ThreadSanitizer: everything before a release of a place happens before everything after an
 * acquire of the same place. */
void order_release(const char *place);
void order_acquire(const char *place);

} // namespace gpu_emulator
#endif
