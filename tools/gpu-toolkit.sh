#!/bin/sh
# Names what a GPU build lacks and how to get it, before any compiler error.
#
#   gpu-toolkit.sh cuda|hip COMPILER ARCH...      exit 0: all there
#
# COMPILER is the one that was found, or empty; ARCH... are the architectures to compile for.
set -u
kind=$1
compiler=$2
shift 2

if [ "$kind" = cuda ]; then
    if [ -z "$compiler" ] || ! command -v "$compiler" >/dev/null; then
        echo "CUDA=1: no nvcc${compiler:+ at $compiler} (looked for in CUDA_HOME, on the PATH" \
            "and in /usr/local/cuda). Get the CUDA toolkit, 12.0 or later, from" \
            "https://developer.nvidia.com/cuda-downloads, or set CUDA_HOME or NVCC." >&2
        exit 1
    fi
    known=$("$compiler" --list-gpu-arch 2>/dev/null | sed 's/compute_//' | tr '\n' ' ')
    [ $# -gt 0 ] || {
        echo "CUDA=1: CUDA_ARCHS is empty; this nvcc knows: $known" >&2
        exit 1
    }
    for arch in "$@"; do
        case " $known " in
        *" ${arch%[af]} "*) ;;
        *)
            echo "CUDA_ARCHS: this nvcc knows no architecture \"$arch\"; it knows: $known" >&2
            exit 1
            ;;
        esac
    done
    exit 0
fi

if [ -z "$compiler" ] || ! command -v "$compiler" >/dev/null; then
    echo "HIP=1: no hipcc${compiler:+ at $compiler} (looked for on the PATH and in /opt/rocm)." \
        "Debian and Ubuntu: apt-get install --no-install-recommends hipcc librocprim-dev;" \
        "elsewhere AMD's ROCm. Or set HIPCC." >&2
    exit 1
fi
[ $# -gt 0 ] || {
    echo "HIP=1: $compiler compiles for none of the known architectures (HIP_WANTED in the" \
        "Makefile); set HIP_ARCHS to those that it has, for example HIP_ARCHS=gfx90a." >&2
    exit 1
}
if ! "$compiler" --offload-arch="$1" -x hip -include rocprim/config.hpp -E /dev/null \
    >/dev/null 2>&1; then
    echo "HIP=1: rocPRIM's headers are missing, or $compiler does not compile for $1." \
        "Debian and Ubuntu: apt-get install --no-install-recommends librocprim-dev." >&2
    exit 1
fi
