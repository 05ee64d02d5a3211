/* Errors travel up as a status; the message is made where the cause is known. Only main exits.
 *
 * A function that can fail returns a sluice_status. SLUICE_CHECK makes a failure with a message
 * (what, value, limit, remedy), SLUICE_TRY passes one on. The last message is kept per thread, like
 * errno, until the next failure. */
#ifndef SLUICE_CORE_STATUS_H
#define SLUICE_CORE_STATUS_H

/* The values are the program's exit codes. */
typedef enum {
    SLUICE_OK = 0,
    SLUICE_FAILED_CHECK = 1, /* it ran, and a check failed: energy, validation */
    SLUICE_BAD_INPUT = 2,    /* usage or config */
    SLUICE_IO = 3,           /* a file could not be read or written */
    SLUICE_DEVICE = 4,       /* device or memory */
    SLUICE_BLOW_UP = 5,      /* a value stopped being finite, or particles collapsed */
    SLUICE_STOPPED = 75      /* stopped on request, with a checkpoint */
} sluice_status;

/* Records the message; returns `code`. printf-like. */
sluice_status sluice_fail(sluice_status code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The message of this thread's last failure; "": none. */
const char *sluice_message(void);

#define SLUICE_FAIL(code, ...) sluice_fail((code), __VA_ARGS__)
#define SLUICE_TRY(call)                                                                           \
    do {                                                                                           \
        const sluice_status status_ = (call);                                                      \
        if (status_ != SLUICE_OK)                                                                  \
            return status_;                                                                        \
    } while (0)
/* Returns `code` itself, not the result of sluice_fail: analyzers then see that it is an error. */
#define SLUICE_CHECK(cond, code, ...)                                                              \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            (void)sluice_fail((code), __VA_ARGS__);                                                \
            return (code);                                                                         \
        }                                                                                          \
    } while (0)
#endif
