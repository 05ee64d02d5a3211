#!/usr/bin/env bash
# Builds for GPUs where there is none: one program for CUDA (where nvcc is found) and HIP, and what
# can be said of it without a device.
#
#   check-gpu-builds.sh MAKE_ARGUMENT...       WERROR=1
#
# One architecture each, with warps of 32 for CUDA and of 64 for HIP: code for all of them is for
# releases; DEBUG=1 and one instruction set spare time for the CPU's loops, and less optimisation a
# third of the kernels': nobody runs them. Double is for one of the two: CUDA, or HIP where no nvcc
# is. No nvcc is said loudly, and passes; no hipcc fails.
set -u
cd "$(dirname "$0")/.." || exit 1
architectures=gfx90a
isa=$(make -s print-ISAS | sed 's/.* = *//; s/ .*//')
arguments=(DEBUG=1 ISAS="$isa" HIP=1 "HIP_ARCHS=$architectures" HIPFLAGS=-O1
    NVCCFLAGS="-Xptxas -O1 -Xcicc -O1" "$@")
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
if PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null; then
    arguments+=(CUDA=1 CUDA_ARCHS=90 FLOAT_ALONE=hip)
    backends="cuda hip"
else
    echo "check-gpu-builds: NOT CHECKED: CUDA, nvcc not found" >&2
fi
make -j"$(nproc)" "${arguments[@]}" gpu-build || exit 1
program=$(make -s print-PROGRAM "${arguments[@]}" | sed 's/.* = //')

# Code objects: one of every architecture for every file of device code.
for arch in $architectures; do
    check "code for $arch" grep -q "amdgcn-amd-amdhsa--$arch" <(roc-obj-ls "$program")
done
if [ "$backends" != hip ] && PATH=$PATH:/usr/local/cuda/bin command -v cuobjdump >/dev/null; then
    check "code for sm_90" grep -q sm_90 \
        <(PATH=$PATH:/usr/local/cuda/bin cuobjdump --list-elf "$program")
fi

# The program starts, says what it misses, and ends with the status of a device's failure.
SLUICE=$PWD/$program
export SLUICE
check "the program starts" grep -q Backends <("$program" info)
check "messages without a device" bash tests/t250-gpu-messages.sh
[ -z "$failed" ]
