/* A part of what is slow, where all of it would take too long: under sanitizers, on the emulated
 * GPU, for commands of the documents. SLUICE_TEST_PART=2/6 in the environment is the second of six.
 */
#ifndef SLUICE_TESTS_PART_H
#define SLUICE_TESTS_PART_H
#include <stdio.h>
#include <stdlib.h>

/* Ends the program where the variable makes no sense. */
__attribute__((unused)) static void part_read(int *part, int *parts)
{
    const char *asked = getenv("SLUICE_TEST_PART");
    *part = *parts = 1;
    if (asked && (sscanf(asked, "%d/%d", part, parts) != 2 || *part < 1 || *part > *parts)) {
        printf("Bail out! SLUICE_TEST_PART=%s is not a part, such as 2/6\n", asked);
        exit(1);
    }
    if (*parts > 1)
        printf("# part %d of %d\n", *part, *parts);
}

/* Whether check n (0, 1, ...) is of this part, of `most` parts where there are more. */
__attribute__((unused)) static int part_has(int n, int most)
{
    static int part, parts;
    if (!parts)
        part_read(&part, &parts);
    const int turns = parts < most ? parts : most;
    return n % turns == (part - 1) % turns;
}
#endif
