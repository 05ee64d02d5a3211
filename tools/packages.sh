#!/bin/sh
# Finds and installs missing packages.
#
#   packages.sh check GROUP...      exit 0: all there; 1: prints what is missing, and the remedy
#   packages.sh install GROUP...    installs what is missing (apt, as root or with sudo)
#
# Groups: build, plot, surface, report, browser, movie, test, memory, shells, lint, fuzz, emulated,
# hip, mpi, paraview, package, aarch64.
# NO_INSTALL=1 makes install behave as check. A package counts as there if its use works (a header
# compiles, a module imports), whether or not a package of that name is installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)

usage()
{
    echo "usage: packages.sh check|install GROUP..., of build plot surface report browser movie" \
        "test memory shells lint fuzz emulated hip mpi paraview package aarch64" >&2
    exit 2
}

packages_of()
{
    case $1 in
    build) echo "gcc libc6-dev make pkg-config libhdf5-dev libconfig-dev zlib1g-dev git" ;;
    plot) echo "python3 python3-numpy python3-matplotlib python3-h5py" ;;
    surface) echo "python3 python3-numpy python3-matplotlib python3-h5py python3-skimage" ;;
    report) echo "python3 python3-numpy python3-matplotlib python3-h5py python3-skimage" \
        "python3-plotly" ;;
    browser) echo "chromium" ;;
    movie) echo "ffmpeg" ;;
    test) echo "perl" ;;
    memory) echo "valgrind" ;;
    shells) echo "zsh fish" ;;
    lint) echo "clang-format clang-tidy" ;;
    fuzz) echo "clang libclang-rt-14-dev" ;;
    emulated) echo "g++" ;;
    hip) echo "hipcc librocprim-dev" ;;
    mpi) echo "libopenmpi-dev openmpi-bin procps" ;;
    paraview) echo "paraview python3-paraview xvfb xauth" ;;
    package) echo "python3 python3-venv lintian" ;;
    aarch64) echo "gcc-aarch64-linux-gnu qemu-user" ;;
    *) usage ;;
    esac
}

# The use of a package, in words for any system.
purpose_of()
{
    case $1 in
    gcc) echo "the C compiler gcc" ;;
    libc6-dev) echo "the C library's headers" ;;
    libhdf5-dev) echo "HDF5's C library with headers and its pkg-config file" ;;
    libconfig-dev) echo "libconfig with headers and its pkg-config file" ;;
    zlib1g-dev) echo "zlib with headers" ;;
    python3-skimage) echo "scikit-image, with SciPy, for the same Python 3 ($1)" ;;
    python3-venv) echo "a Python 3 that makes virtual environments ($1)" ;;
    python3-plotly) echo "plotly, for the same Python 3 ($1)" ;;
    python3*) echo "Python 3.9 or later with numpy, matplotlib and h5py ($1)" ;;
    chromium) echo "the browser Chromium, which tests the report" ;;
    perl) echo "prove, a part of Perl" ;;
    valgrind) echo "valgrind, which watches every access to memory" ;;
    clang) echo "the C compiler clang" ;;
    libclang-rt-14-dev) echo "clang's libFuzzer and sanitizers" ;;
    g++) echo "the C++ compiler g++" ;;
    hipcc) echo "hipcc, of AMD's ROCm" ;;
    librocprim-dev) echo "rocPRIM's headers, of AMD's ROCm" ;;
    libopenmpi-dev) echo "an MPI with its compiler mpicc" ;;
    openmpi-bin) echo "mpirun" ;;
    procps) echo "pgrep" ;;
    paraview) echo "ParaView with pvbatch" ;;
    xvfb) echo "xvfb-run" ;;
    gcc-aarch64-linux-gnu) echo "gcc that compiles for aarch64" ;;
    qemu-user) echo "qemu-aarch64, an emulator" ;;
    *) echo "$1" ;;
    esac
}

is_there()
{
    case $1 in
    libc6-dev) echo '#include <stdio.h>' | gcc -E - ;;
    libhdf5-dev) pkg-config --exists hdf5 || pkg-config --exists hdf5-serial ;;
    libconfig-dev) echo '#include <libconfig.h>' | gcc -E - ;;
    zlib1g-dev) echo '#include <zlib.h>' | gcc -E - ;;
    python3) "$here/find-python.sh" ;;
    python3-venv) "$here/find-python.sh" venv ensurepip ;;
    python3-numpy | python3-matplotlib | python3-h5py)
        # One Python must have all three; failing that, the system's own is the one to complete.
        "$here/find-python.sh" numpy matplotlib h5py ||
            /usr/bin/python3 -c "import ${1#python3-}" ;;
    python3-skimage)
        "$here/find-python.sh" numpy matplotlib h5py scipy skimage ;;
    python3-plotly)
        "$here/find-python.sh" numpy matplotlib h5py scipy skimage plotly ;;
    python3-paraview) PYTHON=/usr/bin/python3 "$here/find-python.sh" paraview ;;
    perl) command -v prove ;;
    libclang-rt-14-dev) echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null ;;
    librocprim-dev) ls /usr/include/rocprim/config.hpp /opt/rocm/include/rocprim/config.hpp |
        grep . ;;
    libopenmpi-dev) command -v mpicc ;;
    openmpi-bin) command -v mpirun ;;
    procps) command -v pgrep ;;
    paraview) command -v pvbatch ;;
    xvfb) command -v xvfb-run ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    qemu-user) command -v qemu-aarch64 ;;
    *) command -v "$1" ;;
    esac
} >/dev/null 2>&1

list_missing()
{
    for group in $groups; do
        for package in $(packages_of "$group"); do
            is_there "$package" || echo "$package"
        done
    done
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

apt()
{
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# The package lists may be missing (a fresh image) or too old: fetch them, then install again.
install_with_apt()
{
    if ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1 &&
        apt install --no-install-recommends "$@"; then
        return 0
    fi
    apt update && apt install --no-install-recommends "$@"
}

[ $# -ge 2 ] || usage
action=$1
shift
groups=$*
for group in $groups; do packages_of "$group" >/dev/null || exit 2; done

missing=$(list_missing | tr '\n' ' ')
missing=${missing% }
if [ -z "$missing" ]; then
    [ "$action" = check ] && echo "Nothing is missing for: $groups"
    exit 0
fi

command="apt-get install --no-install-recommends $missing"
[ "$(id -u)" -eq 0 ] || command="sudo $command"

if ! command -v apt-get >/dev/null; then
    echo "Missing, and this system has no apt to install them with. Please install:" >&2
    for package in $missing; do echo "  - $(purpose_of "$package")" >&2; done
    exit 1
fi
echo "Missing packages: $missing"
if [ "$action" = check ] || [ -n "${NO_INSTALL:-}" ]; then
    echo "Nothing was installed${NO_INSTALL:+ (NO_INSTALL is set)}. To install them: $command"
    exit 1
fi
[ "$action" = install ] || usage
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "Installing needs root or sudo. As root: ${command#sudo }" >&2
    exit 1
fi

echo "Installing them: $command"
# shellcheck disable=SC2086  # a list of words
if ! install_with_apt $missing; then
    echo "The packages could not be installed; the lines above say why. By hand: $command" >&2
    exit 1
fi
left=$(list_missing | tr '\n' ' ')
if [ -n "$left" ]; then
    echo "Installed, but still not usable: $left" >&2
    exit 1
fi
