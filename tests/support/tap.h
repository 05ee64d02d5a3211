/* The Test Anything Protocol, as much of it as the tests need: one line a check, read by prove.
 *
 *   int main(void)
 *   {
 *       ok(n == 3, "three rows, got %d", n);
 *       is_close(sum, 1.0, 1e-12, "kernel sums to one");
 *       return done_testing();
 *   }
 *
 * plan(n) may be called first, to say how many checks must happen; done_testing() then compares. */
#ifndef SLUICE_TESTS_TAP_H
#define SLUICE_TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_done, tap_failed, tap_planned;

/* A comment line, shown by `prove -v` and beside failures. */
__attribute__((format(printf, 1, 2), unused)) static void diag(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("# ", stdout);
    vprintf(format, args);
    putchar('\n');
    fflush(stdout);
    va_end(args);
}

/* Says how many checks will follow. */
__attribute__((unused)) static void plan(int checks)
{
    tap_planned = checks;
    printf("1..%d\n", checks);
    fflush(stdout);
}

__attribute__((format(printf, 4, 0))) static bool
tap_report(bool passed, const char *file, int line, const char *format, va_list args)
{
    tap_done += 1;
    tap_failed += passed ? 0 : 1;
    printf("%sok %d - ", passed ? "" : "not ", tap_done);
    vprintf(format, args);
    putchar('\n');
    if (!passed)
        fprintf(stderr, "#   failed at %s:%d: check %d\n", file, line, tap_done);
    fflush(stdout);
    return passed;
}

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(bool passed, const char *file,
                                                                 int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tap_report(passed, file, line, format, args);
    va_end(args);
    return passed;
}

/* |got - want| <= tol, absolute; a value that is not finite never passes. */
__attribute__((unused)) static bool tap_close(double got, double want, double tol, const char *name,
                                              const char *file, int line)
{
    const double miss = fabs(got - want);
    const bool passed = miss <= tol;

    tap_ok(passed, file, line, "%s", name);
    if (!passed)
        fprintf(stderr, "#   got %.17g, want %.17g: off by %.3g, tolerance %.3g\n", got, want, miss,
                tol);
    return passed;
}

__attribute__((unused)) static bool tap_int(long long got, long long want, const char *name,
                                            const char *file, int line)
{
    tap_ok(got == want, file, line, "%s", name);
    if (got != want)
        fprintf(stderr, "#   got %lld, want %lld\n", got, want);
    return got == want;
}

__attribute__((unused)) static bool tap_str(const char *got, const char *want, const char *name,
                                            const char *file, int line)
{
    const bool passed = got && want ? strcmp(got, want) == 0 : got == want;

    tap_ok(passed, file, line, "%s", name);
    if (!passed)
        fprintf(stderr, "#   got  \"%s\"\n#   want \"%s\"\n", got ? got : "(null)",
                want ? want : "(null)");
    return passed;
}

/* Each check returns whether it passed. */
#define ok(condition, ...)             tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)
#define is_close(got, want, tol, name) tap_close((got), (want), (tol), (name), __FILE__, __LINE__)
#define is_int(got, want, name)                                                                    \
    tap_int((long long)(got), (long long)(want), (name), __FILE__, __LINE__)
#define is_str(got, want, name) tap_str((got), (want), (name), __FILE__, __LINE__)

/* Ends a test that cannot run here, naming the missing tool; where SLUICE_REQUIRE names it, the
 * test runner makes that a failure. */
#define skip_all(reason)                                                                           \
    do {                                                                                           \
        printf("1..0 # SKIP %s\n", (reason));                                                      \
        exit(0);                                                                                   \
    } while (0)

/* The exit status of main: 0 if every check passed and their number is the planned one. */
__attribute__((unused, warn_unused_result)) static int done_testing(void)
{
    if (tap_planned == 0)
        printf("1..%d\n", tap_done);
    fflush(stdout);
    if (tap_planned != 0 && tap_planned != tap_done) {
        fprintf(stderr, "# planned %d checks, made %d\n", tap_planned, tap_done);
        return 1;
    }
    if (tap_failed > 0)
        fprintf(stderr, "# %d of %d checks failed\n", tap_failed, tap_done);
    return tap_failed > 0 || tap_done == 0 ? 1 : 0;
}

#endif
