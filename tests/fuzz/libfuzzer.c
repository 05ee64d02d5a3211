/* The entry of libFuzzer: FUZZ_TARGET is one of fuzz.h. */
#include "fuzz/fuzz.h"

/* HDF5 leaks a little after some errors, which is not ours to mend. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ_TARGET(data, size);
    return 0;
}
