/* Explains the runtime's errors, and what to do about them. */
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

/* The last launch of this thread: a kernel's error shows later. */
static thread_local const char *last_queued = "nothing";
static thread_local int64_t queued_so_far;

void gpu_queued(const char *what)
{
    last_queued = what;
    queued_so_far++;
}

int64_t gpu_queued_so_far(void)
{
    return queued_so_far;
}

sluice_status gpu_check(gpuError_t error, const char *what)
{
    if (error == gpuSuccess)
        return SLUICE_OK;
    const char *name = gpuGetErrorName(error), *text = gpuGetErrorString(error);
    gpuGetLastError(); /* clears it, since it is reported now */
    if (error == gpuErrorNoKernelImage || error == gpuErrorUnsupportedPtx)
        return SLUICE_FAIL(SLUICE_DEVICE,
                           GPU_NAME ": %s: this program holds no code for this device's "
                                    "architecture (%s); build it with " GPU_ARCHS
                                    " naming it, or without " GPU_ARCHS " for all of them",
                           what, name);
    if (error == gpuErrorEcc)
        return SLUICE_FAIL(SLUICE_DEVICE,
                           GPU_NAME ": %s: the device's memory failed (%s: %s); what was computed "
                                    "since the last checkpoint cannot be trusted: restart from it, "
                                    "and have the device looked at if this comes again",
                           what, name, text);
    if (error == gpuErrorIllegalAddress || error == gpuErrorLaunchFailure)
        return SLUICE_FAIL(SLUICE_DEVICE,
                           GPU_NAME ": %s: a kernel failed (%s: %s); the last one queued was %s; "
                                    "that is a mistake of the program, which `" GPU_DEBUGGER
                                    "` finds the place of",
                           what, name, text, last_queued);
    return SLUICE_FAIL(SLUICE_DEVICE, GPU_NAME ": %s: %s (%s)", what, text, name);
}

sluice_status gpu_check_memory(gpuError_t error, size_t bytes, const char *what)
{
    size_t available = 0, total = 0;
    if (error != gpuErrorMemoryAllocation)
        return gpu_check(error, what);
    gpuGetLastError();
    if (gpuMemGetInfo(&available, &total) != gpuSuccess)
        available = total = 0;
    return SLUICE_FAIL(SLUICE_DEVICE,
                       GPU_NAME ": no memory on the device for %s: %.4g GiB needed more, %.4g of "
                                "%.4g GiB are free; a larger `spacing` needs less",
                       what, (double)bytes / 1073741824.0, (double)available / 1073741824.0,
                       (double)total / 1073741824.0);
}

sluice_status gpu_launched(const char *kernel)
{
    char what[100];
    const gpuError_t error = gpuGetLastError();
    gpu_queued(kernel);
    if (error == gpuSuccess)
        return SLUICE_OK;
    snprintf(what, sizeof what, "launch of %s", kernel);
    return gpu_check(error, what);
}

/* Driver versions are 1000 major + 10 minor in CUDA. */
static void explain_no_driver(gpuError_t error, char *text, size_t size)
{
    int driver = 0, runtime = 0;
    gpuDriverGetVersion(&driver);
    gpuRuntimeGetVersion(&runtime);
    if (driver == 0)
        snprintf(text, size,
                 "no driver of the device is installed (%s); get it from the maker of the device",
                 gpuGetErrorName(error));
    else
        snprintf(text, size,
                 "the driver is for CUDA %d.%d, this program for %d.%d: install a newer driver "
                 "(CUDA 13 needs 580 or later, CUDA 12 525), or build with an older toolkit",
                 driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
}

int gpu_count_devices(char *text, size_t size)
{
    int count = 0;
    const gpuError_t error = gpuGetDeviceCount(&count);
    gpuGetLastError();
    if (error == gpuErrorInsufficientDriver)
        explain_no_driver(error, text, size);
    else if (error == gpuErrorNoDevice || (error == gpuSuccess && count == 0))
        snprintf(text, size, "no device is there, or " GPU_VISIBLE " hides it");
    else if (error != gpuSuccess)
        snprintf(text, size, "the devices cannot be counted: %s (%s)", gpuGetErrorString(error),
                 gpuGetErrorName(error));
    return error == gpuSuccess ? count : 0;
}

} // namespace SLUICE_GPU
