#!/bin/sh
# Prints the licences of Sluice and of the libraries that a package's program contains, with "cuda"
# those of the GPU's, too.
set -eu
cd "$(dirname "$0")/../.."
cat LICENSE
cat <<'TEXT'

The program contains these libraries, linked statically: HDF5, libaec (with its szip interface),
zlib, libconfig, libgcc (GPL 3 with the GCC Runtime Library Exception) and the start-up code of
glibc (LGPL 2.1 with an exception for programs that contain it).

libconfig is under the LGPL 2.1 or later; its text follows. You may modify the program for your own
use, and take it apart to debug such changes. To link it with another libconfig, build it from
Sluice's source, of the revision that `sluice --version` names: `make STATIC_LIBS=1`. The source of
libconfig is Debian's, of the version below. If you hand this package on, hand on both sources, or
offer them.
TEXT
[ "${1:-}" != cuda ] || cat <<'TEXT'

It also contains LLVM's libc++, libc++abi and libunwind (Apache License 2.0 with LLVM Exceptions,
https://llvm.org/LICENSE.txt), NVIDIA's CUDA runtime, which NVIDIA allows within a program
(https://docs.nvidia.com/cuda/eula/), and CUB (BSD 3-Clause, as above; Copyright (c) 2010-2011,
Duane Merrill, (c) 2011-2025, NVIDIA CORPORATION).
TEXT
for names in libhdf5-dev "libaec-dev libaec0" "zlib1g zlib1g-dev" "libconfig-dev libconfig9"; do
    found=
    for name in $names; do
        [ -n "$found" ] || [ ! -r "/usr/share/doc/$name/copyright" ] || found=$name
    done
    if [ -z "$found" ]; then
        echo "No licence of $names in /usr/share/doc: packages are made on Debian or Ubuntu." >&2
        exit 1
    fi
    printf '\n=== Debian package %s ===\n\n' "$(dpkg-query -W "$found" | tr '\t' ' ')"
    cat "/usr/share/doc/$found/copyright"
done
printf '\n=== GNU Lesser General Public License 2.1 ===\n\n'
cat /usr/share/common-licenses/LGPL-2.1
