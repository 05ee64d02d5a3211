#!/bin/sh
# Prints the licences of Sluice and of the libraries that a package's program contains.
set -eu
cd "$(dirname "$0")/../.."
cat LICENSE
cat <<'TEXT'

The program contains these libraries, linked statically: HDF5, libaec (with its szip interface),
zlib, libconfig and libgcc (GPL 3 with the GCC Runtime Library Exception). libconfig is under the
LGPL 2.1 or later; its text follows. You may modify the program for your own use, and debug such
changes. To link it with another libconfig, build it from Sluice's source: `make STATIC_LIBS=1`.
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
    printf '\n=== %s, from Debian ===\n\n' "$found"
    cat "/usr/share/doc/$found/copyright"
done
printf '\n=== GNU Lesser General Public License 2.1 ===\n\n'
cat /usr/share/common-licenses/LGPL-2.1
