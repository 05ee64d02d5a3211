/* Finds, opens and closes a device. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* Tests that this program's code runs on the device. */
static __global__ void try_kernel(int *out)
{
    gpu_begin();
    *out = 1;
}

int gpu_lists_device(int number, char *text, size_t size)
{
    gpuDeviceProp_t properties;
    char why[400] = "";
    int driver = 0;
    const int count = gpu_count_devices(why, sizeof why);
    if (count == 0) {
        snprintf(text, size, "%s", why);
        return 0;
    }
    if (number < 0 || number >= count) {
        snprintf(text, size, "there is no device %d, only 0 to %d", number, count - 1);
        return 0;
    }
    if (gpuGetDeviceProperties(&properties, number) != gpuSuccess) {
        snprintf(text, size, "device %d does not answer", number);
        return 0;
    }
    gpuDriverGetVersion(&driver);
    gpu_describe(&properties, driver, text, size);
    return 1;
}

/* No such device: list the available ones. */
static sluice_status fail_device(int number)
{
    char why[400] = "", list[1000] = "";
    const int count = gpu_count_devices(why, sizeof why);
    if (count == 0)
        return SLUICE_FAIL(SLUICE_DEVICE, GPU_NAME ": %s; backend.name = \"cpu\" runs without",
                           why);
    for (int d = 0; d < count; d++) {
        const size_t used = strlen(list);
        char text[256];
        gpu_lists_device(d, text, sizeof text);
        snprintf(list + used, sizeof list - used, "%s%d: %s", d ? "; " : "", d, text);
    }
    return SLUICE_FAIL(SLUICE_DEVICE, GPU_NAME ": backend.device = %d, but the devices are %s",
                       number, list);
}

static sluice_status try_device(struct gpu_backend *gpu)
{
    struct gpu_device_array<int> out;
    SLUICE_TRY(gpu_allocate_array(gpu, 1, &out.at));
    GPU_LAUNCH(try_kernel, 1, 1, 0, gpu->stream, out.at);
    SLUICE_TRY(gpu_check(gpuGetLastError(), "a first kernel"));
    return gpu_check(gpuStreamSynchronize(gpu->stream), "a first kernel");
}

static sluice_status open_device(struct gpu_backend *gpu, int device)
{
    gpuDeviceProp_t properties;
    if (!gpu_lists_device(device, gpu->description, sizeof gpu->description))
        return fail_device(device);
    SLUICE_TRY(gpu_check(gpuGetDeviceProperties(&properties, device), "asking for the device"));
    SLUICE_TRY(gpu_check(gpuSetDevice(device), "choosing the device"));
    gpu->device = device;
    SLUICE_TRY(gpu_check(
        gpuDeviceGetPCIBusId(gpu->backend->device_id, (int)sizeof gpu->backend->device_id, device),
        "asking for the device"));
    gpu->multiprocessors = properties.multiProcessorCount;
    gpu->warp = properties.warpSize;
    gpu->shared_most = gpu_shared_most(properties);
    SLUICE_TRY(gpu_check(gpuStreamCreate(&gpu->stream), "a stream"));
    SLUICE_TRY(try_device(gpu));
    SLUICE_TRY(gpu_copy_create(&gpu->copy));
    return gpu_results_create(gpu);
}

void gpu_close(struct sluice_backend *b)
{
    struct gpu_backend *gpu = gpu_of(b);
    if (!gpu)
        return;
    if (gpu->stream)
        gpuStreamSynchronize(gpu->stream);
    gpu_ranks_destroy(gpu);
    gpu_results_destroy(gpu);
    gpu_sums_destroy(gpu); /* its copy is in the stream of the next */
    gpu_copy_destroy(&gpu->copy);
    gpu_release(gpu, gpu->scan.memory);
    gpu_release(gpu, gpu->wanted.memory);
    gpu_release(gpu, gpu->labels.memory);
    if (gpu->born.memory)
        gpuFreeHost(gpu->born.memory);
    gpu_gone_destroy(gpu);
    gpu_release(gpu, gpu->list_scratch.memory);
    gpu_release(gpu, gpu->asked.memory);
    for (int k = 0; k < 2; k++) {
        gpu_release(gpu, gpu->supports[k].memory);
        gpu_release(gpu, gpu->again[k].memory);
    }
    gpu_frames_destroy(gpu);
    if (gpu->stream)
        gpuStreamDestroy(gpu->stream);
    free(gpu);
    b->data = NULL;
}

static sluice_status variant_for(int real_bytes, const struct gpu_variant **variant)
{
#ifdef SLUICE_FLOAT_ALONE
    SLUICE_CHECK(real_bytes != 8, SLUICE_BAD_INPUT,
                 GPU_NAME ": this program has it for float alone: make without FLOAT_ALONE");
    *variant = &f32::variant;
#else
    *variant = real_bytes == 8 ? &f64::variant : &f32::variant;
#endif
    return SLUICE_OK;
}

sluice_status gpu_open(struct sluice_backend *b, int device, int threads, int real_bytes)
{
    (void)threads;
    const struct gpu_variant *variant;
    SLUICE_TRY(variant_for(real_bytes, &variant));
    struct gpu_backend *gpu = (struct gpu_backend *)calloc(1, sizeof *gpu);
    SLUICE_CHECK(gpu, SLUICE_DEVICE, GPU_NAME ": no memory for the backend");
    gpu->variant = variant;
    gpu->frames.version = -1;
    gpu->backend = b;
    b->free_least = INT64_MAX;
    b->data = gpu;
    const sluice_status status = open_device(gpu, device);
    if (status != SLUICE_OK) {
        gpu_close(b);
        return status;
    }
    b->isa = gpu->description;
    b->real_bytes = real_bytes;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
