#!/usr/bin/env bash
# Builds for aarch64 by Debian's cross compiler, and runs tests in C in an emulator.
#
#   test-aarch64.sh [NAME...]    as list-tests.sh; default: all but the slow ones
#
# The libraries of arm64 are unpacked into build/aarch64/root: nothing is installed, no root is
# needed. Objects are in build/aarch64. Tests that are divided run a part (tests/support/part.h).
# Left out: core/threads, whose limit of memory the emulator does not keep, and files/whole_files,
# which kills a program after some milliseconds.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/build/aarch64/root
jobs=${JOBS:-$(nproc)}
export SLUICE_TEST_PART=${SLUICE_TEST_PART:-1/200}
tools/packages.sh install build test aarch64

unpack_libraries()
{
    local apt=$PWD/build/aarch64/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial"
    : >"$apt/status"
    set -- -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/status" \
        -o Dir::Cache::Archives="$apt/archives" -o Debug::NoLocking=1 -qq
    apt-get "$@" update
    apt-get "$@" --no-install-recommends --download-only -y install \
        libhdf5-dev libconfig-dev zlib1g-dev
    rm -f "$apt"/archives/libc6-dev_*.deb # the cross compiler has its own
    mkdir -p "$root"
    for package in "$apt"/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink
    done
    # Links within the root that name it as /.
    find "$root" -type l -lname '/*' -exec sh -c \
        'for l; do ln -sf "$0$(readlink "$l")" "$l"; done' "$root" {} +
    touch "$root/complete"
}
[ -e "$root/complete" ] || unpack_libraries

lib=$root/usr/lib/aarch64-linux-gnu
[ $# -gt 0 ] || set -- --without slow
tests=$(tools/list-tests.sh --language c "$@" | grep -v -e core/threads -e files/whole_files |
    sed 's,\(.*\)\.c$,build/aarch64/build/\1,')
make -j"$jobs" B=build/aarch64/build ISAS=native \
    CC=aarch64-linux-gnu-gcc \
    HDF5_CFLAGS="-I$root/usr/include/hdf5/serial -I$root/usr/include" \
    HDF5_LIBS="-L$lib -L$lib/hdf5/serial -lhdf5 -Wl,-rpath-link,$lib:$root/lib/aarch64-linux-gnu" \
    LIBCONFIG_CFLAGS= LIBCONFIG_LIBS="-L$lib -lconfig" tests-build
export QEMU_LD_PREFIX=$root SLUICE=$PWD/build/aarch64/build/sluice
# shellcheck disable=SC2086  # file names here hold no spaces
prove --jobs "$jobs" --timer --exec qemu-aarch64 $tests
