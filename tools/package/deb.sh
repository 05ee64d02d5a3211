#!/bin/sh
# Makes a Debian package of an installation in /usr. One package serves every release from Debian 11
# and Ubuntu 22.04 on, since its program contains its libraries and needs glibc 2.27 alone. So it is
# not built from a Debian source package for one release, and dpkg-deb is all that it takes.
#
#   deb.sh STAGE FOLDER [LABEL]
#       STAGE     the prefix of a `make install PREFIX=/usr`
#       FOLDER    where the package is put
#       LABEL     of the version, as cuda: 0.2.0+cuda
# DEBFULLNAME and DEBEMAIL name who makes it, as for Debian's own tools.
set -eu
umask 022
cd "$(dirname "$0")/../.."
stage=$1
folder=$2
label=${3:-}
# Debian has another program called sluice, in a package of that name.
name=sluice-sph
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/sluice/__init__.py)${label:++$label}
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-The Sluice developers} <${DEBEMAIL:-sluice@localhost}>"
oldest() { sed -n "s/.*\"$1>=\([0-9.]*\)\".*/\1/p" pyproject.toml | head -n 1; }
pictures="python3-numpy (>= 1:$(oldest numpy)), python3-h5py (>= $(oldest h5py))"
pictures="$pictures, python3-matplotlib (>= $(oldest matplotlib))"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
documents=$root/usr/share/doc/$name

mkdir -p "$root/DEBIAN"
cp -r "$stage" "$root/usr"
mv "$root/usr/share/doc/sluice" "$documents"
rm "$documents/LICENSE"
tools/package/licences.sh "$label" >"$documents/copyright"
ln -s ../../sluice/configs "$documents/examples"
{
    echo "$name ($version) stable; urgency=medium"
    echo
    echo "  * See CHANGELOG.md.gz in this folder."
    echo
    echo " -- $maintainer  $(date -R -d "@$(git log -1 --format=%ct)")"
} >"$documents/changelog"
gzip -9nf "$documents/changelog" "$documents/CHANGELOG.md" "$root/usr/share/man/man1/sluice.1"
# Debian's zsh looks for a package's completions here alone.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
# `import sluice` in the system's Python
modules=$root/usr/lib/python3/dist-packages
mkdir -p "$modules"
mv "$root/usr/share/sluice/python/sluice" "$modules/sluice"
ln -s ../../../lib/python3/dist-packages/sluice "$root/usr/share/sluice/python/sluice"

mkdir -p "$root/usr/share/lintian/overrides"
sed "s/^[^#]/$name: &/" tools/package/lintian-overrides >"$root/usr/share/lintian/overrides/$name"

cat >"$root/DEBIAN/control" <<CONTROL
Package: $name
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= 2.27), python3 (>= 3.9)
Recommends: $pictures
Suggests: ffmpeg, python3-skimage, paraview
Conflicts: sluice
Section: science
Priority: optional
Description: smoothed particle hydrodynamics from a config file to pictures
 Sluice simulates water, rigid bodies that float and fall in it, gases and
 Lennard-Jones systems. A run reads one config file and writes snapshots that
 open in ParaView, probe tables and a verdict on the energy.
 .
 With Python's numpy, h5py and matplotlib it draws pictures and analyses waves,
 with ffmpeg it makes movies, with scikit-image surfaces of the water.
CONTROL
cat >"$root/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ] && command -v py3compile >/dev/null; then
    py3compile -p sluice-sph
fi
SCRIPT
cat >"$root/DEBIAN/prerm" <<'SCRIPT'
#!/bin/sh
set -e
if command -v py3clean >/dev/null; then
    py3clean -p sluice-sph
fi
SCRIPT
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)

package=$work/${name}_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
lintian --allow-root --fail-on error,warning "$package" || {
    echo "lintian has findings: see above." >&2
    exit 1
}
mkdir -p "$folder"
# Packages of earlier versions go, those with another label stay.
# shellcheck disable=SC2086  # a pattern
rm -f "$folder/${name}_"*${label:-[0-9]}_"$architecture.deb"
mv "$package" "$folder"
ls -s --block-size=1K "$folder/${package##*/}"
