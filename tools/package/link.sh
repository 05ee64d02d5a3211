#!/bin/sh
# Links a program that runs with glibc 2.27 and later, whatever this machine has: with zig, which
# knows the symbols of every glibc. The objects are gcc's, and so are the static libraries.
#
#   link.sh PROGRAM COMPARED OBJECT_OR_LIBRARY_OR_SOURCE...
#       COMPARED    the same program, linked here; both must find the same instruction set
#       a source    of C++: the program needs zig's C++ library, since gcc's needs a newer glibc
set -eu
program=$1
compared=$2
shift 2
python=$("$(dirname "$0")/python.sh")
for each in "$@"; do
    [ -r "$each" ] || {
        echo "$each: no static library; Debian: apt-get install libhdf5-dev libconfig-dev" >&2
        exit 1
    }
done
# gcc's libgcc.a is among the libraries, before zig's: with zig's own __builtin_cpu_supports the
# program would take plain x86-64 everywhere.
case "$*" in
*.cpp | *.cpp\ *) driver=c++ ;;
*) driver=cc ;;
esac
"$python" -m ziglang "$driver" -target "$(uname -m)-linux-gnu.2.27" -pie -Wl,-z,now -s -pthread \
    "$@" -lm -ldl -lrt -o "$program.new"
for each in "$compared" "$program.new"; do
    "$each" info | sed -n '/^  cpu /p;/instruction sets/p'
done | sort | uniq -c | awk '$1 != 2 { exit 1 }' || {
    echo "$program takes another instruction set than $compared: is libgcc.a linked?" >&2
    exit 1
}
mv "$program.new" "$program"
