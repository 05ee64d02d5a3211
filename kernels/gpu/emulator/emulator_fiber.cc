/* Switching between fibers. On x86-64 the callee-saved registers are pushed and the stack pointers
 * swapped; elsewhere ucontext does it. */
#include "kernels/gpu/emulator/emulator_fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#ifdef SLUICE_EMULATED_TSAN
extern "C" {
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *place);
void __tsan_release(void *place);
}
#endif
#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gpu_emulator
{

namespace
{

enum { STACK = 256 << 10, GUARD = 4096 };

/* The fiber that the last switch went to. */
thread_local fiber *entering;

void arrived([[maybe_unused]] fiber *f)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(f->fake_stack, NULL, NULL);
#endif
}

void enter()
{
    fiber *f = entering;
    arrived(f);
    f->run();
    abort();
}

#ifdef __x86_64__
extern "C" void sluice_emulated_switch(void **from, void *to);
__asm__(".pushsection .text\n"
        ".type sluice_emulated_switch,@function\n"
        "sluice_emulated_switch:\n"
        " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
        ".size sluice_emulated_switch,.-sluice_emulated_switch\n"
        ".popsection\n");

/* Lays out a new stack as the switch expects it: six registers, then the return address. The tops
 * differ by a few cache lines, or all stacks would share one set of the cache. */
void prepare(fiber *f)
{
    static thread_local unsigned made;
    const size_t apart = made++ * 192 % 4096;
    void **top = (void **)(((uintptr_t)f->stack + f->stack_size - apart) & ~(uintptr_t)15);
    *--top = NULL;
    *--top = (void *)enter;
    top -= 6;
    memset(top, 0, 6 * sizeof *top);
    f->context = top;
}

void swap(fiber *from, fiber *to)
{
    sluice_emulated_switch(&from->context, to->context);
}
#else
void prepare(fiber *f)
{
    ucontext_t *context = (ucontext_t *)calloc(1, sizeof *context);
    getcontext(context);
    context->uc_stack.ss_sp = f->stack;
    context->uc_stack.ss_size = f->stack_size;
    makecontext(context, enter, 0);
    f->context = context;
}

void swap(fiber *from, fiber *to)
{
    if (!from->context)
        from->context = calloc(1, sizeof(ucontext_t));
    swapcontext((ucontext_t *)from->context, (ucontext_t *)to->context);
}
#endif

} /* namespace */

void fiber_adopt([[maybe_unused]] fiber *f)
{
#ifdef SLUICE_EMULATED_TSAN
    f->checked = __tsan_get_current_fiber();
#elif defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    void *stack;
    if (f->stack) /* known: for the first thread, asking reads /proc/self/maps */
        return;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &stack, &f->stack_size);
    pthread_attr_destroy(&attributes);
    f->stack = (char *)stack;
#endif
}

void fiber_create(fiber *f, void (*run)())
{
    f->run = run;
    f->stack_size = STACK;
    char *memory = (char *)mmap(NULL, STACK + GUARD, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "emulated GPU: no memory for the stack of a thread\n");
        abort();
    }
    mprotect(memory, GUARD, PROT_NONE);
    f->stack = memory + GUARD;
    prepare(f);
#ifdef SLUICE_EMULATED_TSAN
    f->checked = __tsan_create_fiber(0);
#endif
}

void fiber_switch(fiber *from, fiber *to)
{
    entering = to;
#ifdef SLUICE_EMULATED_TSAN
    __tsan_switch_to_fiber(to->checked, 1);
#elif defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, to->stack_size);
#endif
    swap(from, to);
    arrived(from);
}

void order_release([[maybe_unused]] const char *place)
{
#ifdef SLUICE_EMULATED_TSAN
    __tsan_release((void *)place);
#endif
}

void order_acquire([[maybe_unused]] const char *place)
{
#ifdef SLUICE_EMULATED_TSAN
    __tsan_acquire((void *)place);
#endif
}

} // namespace gpu_emulator
