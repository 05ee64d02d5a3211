#!/bin/sh
# Makes a wheel of an installation: bin/ and share/ of the stage become those of the environment
# that the wheel is installed into, and the Python package is among its modules.
#
#   wheel.sh STAGE FOLDER [LABEL]
#       STAGE     the prefix of a `make install`
#       FOLDER    where the wheel is put
#       LABEL     of the version, as cuda: 0.2.0+cuda
set -eu
cd "$(dirname "$0")/../.."
stage=$1
folder=$2
label=${3:-}
python=$(tools/package/python.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/source/python"
cp pyproject.toml README.md "$work/source"
cp -r python/sluice "$work/source/python"
tools/package/licences.sh "$label" >"$work/source/LICENSE"
[ -z "$label" ] ||
    sed -i "s/^__version__ = \"\(.*\)\"/__version__ = \"\1+$label\"/" \
        "$work/source/python/sluice/__init__.py"
"$python" -m pip wheel -q --no-deps --no-build-isolation -w "$work" "$work/source"
"$python" -m wheel unpack -d "$work/unpacked" "$work"/sluice_sph-*.whl >/dev/null
root=$(echo "$work"/unpacked/sluice_sph-*)
data=$root/$(basename "$root").data
mkdir -p "$data/scripts" "$data/data"
cp "$stage/bin/sluice" "$data/scripts"
cp -r "$stage/share" "$data/data"
share=$data/data/share
rm -r "$share/sluice/python" "$share/doc" # in the wheel itself; in the source
mkdir -p "$share/sluice/examples" "$share/sluice/completion"
cp python/examples/*.ipynb "$share/sluice/examples"
# No shell looks for completions in an environment.
cp tools/completion/* "$share/sluice/completion"
rm -r "$share/bash-completion" "$share/zsh" "$share/fish"
# pip removes a folder if it has a file of its own.
cp "$work/source/LICENSE" "$share/sluice"
sed -i 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' "$root"/*.dist-info/WHEEL

mkdir -p "$work/packed" "$folder"
"$python" -m wheel pack -d "$work/packed" "$root" >/dev/null
platform=$("$python" -m auditwheel show "$work"/packed/*.whl 2>/dev/null | tr '\n' ' ' |
    sed -n 's/.*platform tag: *"\([^"]*\)".*/\1/p')
case $platform in
manylinux*) ;;
*)
    "$python" -m auditwheel show "$work"/packed/*.whl >&2
    echo "auditwheel finds no tag of manylinux for the program: see above." >&2
    exit 1
    ;;
esac
"$python" -m wheel tags --remove --platform-tag "$platform" "$work"/packed/*.whl >/dev/null
# Wheels of earlier versions go, those with another label stay.
# shellcheck disable=SC2086  # a pattern
rm -f "$folder"/sluice_sph-*${label:-[0-9]}-py3-*.whl
wheel=$(echo "$work"/packed/*.whl)
mv "$wheel" "$folder"
ls -s --block-size=1K "$folder/${wheel##*/}"
