#!/usr/bin/env bash
# Builds one program for CUDA (if nvcc is there) and HIP, and checks what needs no device.
#
#   check-gpu-builds.sh MAKE_ARGUMENT...       WERROR=1
#
# To save time: one architecture each (warps of 32 for CUDA, of 64 for HIP), few kernels and the
# flags that compile them fastest, since nobody runs them. The release's objects serve for all else.
# HIP has double only without nvcc, since the emulator is built in both. Without nvcc a message says
# so, and the check passes; without hipcc it fails.
set -u
cd "$(dirname "$0")/.." || exit 1
architectures=gfx90a
PATH=$PATH:/usr/local/cuda/bin
arguments=(B=build/check-gpu SHARED=build/release GPU_FEW=-DSLUICE_FEW_KERNELS
    HIP=1 "HIP_ARCHS=$architectures" GPU_OPTIMISE=-O0 "$@")
failed=
check()
{
    local what=$1
    shift
    if "$@"; then echo "check-gpu-builds: $what"; else
        echo "check-gpu-builds: FAILED: $what" >&2
        failed=yes
    fi
}

backends=hip
if command -v nvcc >/dev/null; then
    fastest="-Xptxas -O1 -Xcicc -O1"
    ! nvcc --help | grep -q -e --Ofast-compile || fastest="-Ofc max" # from CUDA 12.9 on
    arguments+=(CUDA=1 CUDA_ARCHS=90 "FLOAT_ALONE=cuda hip" "NVCCFLAGS=$fastest")
    backends="cuda hip"
else
    echo "check-gpu-builds: NOT CHECKED: CUDA, nvcc not found" >&2
fi
make -j"$(nproc)" "${arguments[@]}" gpu-build || exit 1
program=$(make -s print-PROGRAM "${arguments[@]}" | sed 's/.* = //')

# The program holds device code for each architecture.
for arch in $architectures; do
    check "code for $arch" grep -q "amdgcn-amd-amdhsa--$arch" <(roc-obj-ls "$program")
done
if [ "$backends" != hip ] && command -v cuobjdump >/dev/null; then
    check "code for sm_90" grep -q sm_90 <(cuobjdump --list-elf "$program")
fi

# Without a device the program starts, names the device that is missing, and exits with 4.
SLUICE=$PWD/$program
export SLUICE
check "the program starts" grep -q Backends <("$program" info)
check "messages without a device" bash tests/kernels/gpu/gpu_messages.sh
[ -z "$failed" ]
