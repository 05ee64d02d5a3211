#!/bin/bash
# Installs a package on a bare Debian, goes from nothing to a picture of the dam break in an empty
# folder, removes the package, and says how long it took and what is left. As root:
#
#   tools/bare-machine.sh --suite bullseye --bring build/packages tools/package/try.sh deb
#   tools/bare-machine.sh --suite bullseye --bring build/packages tools/package/try.sh wheel
#
# Downloads and Debian's own Python are not counted: they come first. Processor time is printed,
# too, since other programs may keep the cores busy.
set -eu
kind=${1:?deb or wheel}
cd "$(dirname "$0")/../.."
repository=$PWD
scratch=$(mktemp -d)
environment="/opt/a sluice" # of the wheel
export DEBIAN_FRONTEND=noninteractive XDG_CACHE_HOME=$scratch/cache MPLCONFIGDIR=$scratch/matplotlib

apt_get()
{
    apt-get -q -y -o Dpkg::Use-Pty=0 "$@" >"$scratch/apt.log" 2>&1 || {
        cat "$scratch/apt.log" >&2
        return 1
    }
}

# Runs a command; adds its time, and that of the processors, to the table.
timed()
{
    local what=$1 TIMEFORMAT='%R %U %S'
    shift
    { time "$@" >"$scratch/said" 2>&1; } 2>"$scratch/took" || {
        cat "$scratch/said" >&2
        echo "FAILED: $what: $*" >&2
        exit 1
    }
    awk -v what="$what" '{ printf "%6.1f s %6.1f s  %s\n", $1, $2 + $3, what }' \
        "$scratch/took" >>"$scratch/table"
}

# Files that the package may leave, not those of apt's and dpkg's own records.
list_files()
{
    find /usr /etc /opt /root /var/lib /srv -xdev \
        \( -path /var/lib/dpkg -o -path /var/lib/apt -o -path "$repository" \) -prune -o -print |
        sort
}

case $kind in
deb)
    apt_get update
    apt_get install --no-install-recommends python3 python3-numpy python3-h5py python3-matplotlib
    # Debian 11's are too old to draw: pip's take their place.
    if ! dpkg --compare-versions "$(dpkg-query -Wf '${Version}' python3-matplotlib)" ge 3.6; then
        apt_get install --no-install-recommends python3-venv
        python3 -m venv "$scratch/python"
        "$scratch/python/bin/pip" install -q -U pip
        "$scratch/python/bin/pip" install -q numpy h5py matplotlib
    fi
    list_files >"$scratch/before"
    deb=$(echo "$repository"/build/packages/sluice-sph_*[0-9]_*.deb)
    timed "apt-get install" apt_get install "$deb"
    remove() { apt_get purge sluice-sph; }
    ;;
wheel)
    apt_get update
    apt_get install --no-install-recommends python3-venv
    wheel=$(echo "$repository"/build/packages/sluice_sph-*[0-9]-py3-*.whl)
    list_files >"$scratch/before"
    python3 -m venv "$scratch/downloads"
    "$scratch/downloads/bin/pip" install -q -U pip
    "$scratch/downloads/bin/pip" download -q -d "$scratch/wheels" pip "${wheel}[pictures]"
    timed "python3 -m venv" python3 -m venv "$environment"
    # The pip of an old Debian may not know the newest tags.
    timed "pip install" "$environment/bin/pip" install --no-index -f "$scratch/wheels" -U pip
    timed "pip install sluice-sph[pictures]" \
        "$environment/bin/pip" install --no-index -f "$scratch/wheels" "${wheel}[pictures]"
    mkdir "$scratch/links"
    ln -s "$environment/bin/sluice" "$scratch/links"
    PATH=$scratch/links:$PATH
    remove()
    {
        "$environment/bin/pip" uninstall -y sluice-sph
        find "$environment" -type f -name '*sluice*' >"$scratch/left"
        [ ! -e "$environment/share/sluice" ] || echo "$environment/share/sluice" >>"$scratch/left"
        ! grep . "$scratch/left" || return 1
        rm -r "$environment"
    }
    ;;
*) echo "try.sh deb|wheel" >&2 && exit 2 ;;
esac

mkdir "$scratch/empty"
cd "$scratch/empty"
configs=$(sluice info | sed -n 's/^  shipped configs  //p')
sluice info | sed -n '/^  cpu /p;/instruction sets/p'
timed "sluice run dam_break.cfg" sluice run "$configs/dam_break.cfg" --quiet
if [ -d "$scratch/python" ]; then
    if sluice plot out/dam_break 2>"$scratch/said"; then
        echo "old modules draw?" >&2 && exit 1
    fi
    head -n 1 "$scratch/said"
    export PYTHON=$scratch/python/bin/python
fi
timed "sluice plot" sluice plot out/dam_break
for picture in picture probes energy comparison; do
    [ -s "out/dam_break/$picture.png" ] || { echo "no $picture.png" >&2 && exit 1; }
done
mkdir -p "$repository/out"
cp out/dam_break/*.png "$repository/out"
sluice energy out/dam_break --no-plot
sluice validate --list | head -n 3

timed "removal" remove
list_files >"$scratch/after"
if ! diff "$scratch/before" "$scratch/after" >"$scratch/differ"; then
    echo "The package left, or took:" >&2
    cat "$scratch/differ" >&2
    exit 1
fi
# shellcheck disable=SC1091
echo "$(. /etc/os-release && echo "$PRETTY_NAME"), $kind, $(nproc) processors: time, of processors"
cat "$scratch/table"
awk '$5 != "removal" { sum += $1; of_processors += $3 }
    END { printf "%6.1f s %6.1f s  from nothing to a picture\n", sum, of_processors }' \
    "$scratch/table"
rm -rf "$scratch"
