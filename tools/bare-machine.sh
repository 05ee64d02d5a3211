#!/usr/bin/env bash
# Proves that a command works on a fresh clone of a bare machine: makes a minimal Debian root with
# git and make but no compiler, clones the last commit into it, runs the command there as root,
# copies out/ back, and cleans up.
#
#   sudo tools/bare-machine.sh [--suite SUITE] [--bring PATH]... [--copy PATH]... [--to DIR]
#       [--keep] COMMAND...
#       --suite SUITE another release of Debian, as bullseye (the host's)
#       --bring PATH  file or folder to copy into the clone, though git does not have it
#       --copy PATH   file or folder to copy back, relative to the clone (out)
#       --to DIR      folder for the copies (build/bare-machine)
#       --keep        keep the root and print its place
#   sudo tools/bare-machine.sh make demo
#
# Needs root, mmdebstrap, git and unshare. The host's own apt sources, keyrings and proxy are
# used, for --suite with the other name in them. Variables passed on: NO_INSTALL, TESTS, JOBS,
# CI, SLUICE_REQUIRE, the proxies, pip's certificates and index.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

die()
{
    echo "bare-machine: $*" >&2
    exit 1
}

usage()
{
    sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

suite=
brought=()
copies=()
to=$here/build/bare-machine
keep=
while [ $# -gt 0 ]; do
    case $1 in
    --suite) suite=$2 && shift 2 ;;
    --bring) brought+=("$2") && shift 2 ;;
    --copy) copies+=("$2") && shift 2 ;;
    --to) to=$2 && shift 2 ;;
    --keep) keep=1 && shift ;;
    -*) usage ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || usage
[ ${#copies[@]} -gt 0 ] || copies=(out)
[ "$(id -u)" -eq 0 ] || die "making a root file system needs root: sudo $0 $*"
for tool in mmdebstrap git unshare; do
    command -v $tool >/dev/null || die "$tool is missing: apt-get install mmdebstrap git util-linux"
done

root=$(mktemp -d /var/tmp/sluice-bare.XXXXXX)
work=$(mktemp -d)
clone=$root/srv/sluice
# The mounts below exist only in the command's own mount namespace; outside, the folders are empty.
clean_up()
{
    rm -rf "$work"
    if [ -n "$keep" ]; then
        echo "bare-machine: the root stays in $root" >&2
    else
        rm -rf --one-file-system "$root"
    fi
}
trap clean_up EXIT

# shellcheck disable=SC1091
own=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
suite=${suite:-$own}
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources
do
    # Other vendors' archives have no place on a bare machine.
    if [ -s "$file" ] && grep -qE '^[^#]*(debian|ubuntu)' "$file" &&
        grep -qE "^[^#]*\b$own\b" "$file"; then
        sed "s/\b$own\b/$suite/g" "$file" >"$work/${file##*/}"
        sources+=("$work/${file##*/}")
    fi
done
[ ${#sources[@]} -gt 0 ] || die "no apt source for $own found on this machine"

options=()
kept_settings='^Acquire::(https?::Proxy|Retries|Check-Valid-Until|Check-Date|Languages)'
while read -r line; do
    options+=("--aptopt=$line")
done < <(apt-config dump | grep -E "$kept_settings" || true)

echo "bare-machine: $suite from ${sources[*]}" >&2
mmdebstrap --quiet --variant=apt --include=git,make,ca-certificates "${options[@]}" \
    "$suite" "$root" "${sources[@]}"
for tool in gcc pkg-config python3; do
    [ ! -x "$root/usr/bin/$tool" ] || die "not bare, it has $tool"
done

# Proxies of companies and test machines sign with certificates of their own.
authorities=usr/local/share/ca-certificates
if [ -d "/$authorities" ]; then cp -rT "/$authorities" "$root/$authorities"; fi
chroot "$root" update-ca-certificates >/dev/null 2>&1 || die "update-ca-certificates failed"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
git clone --quiet --no-hardlinks "file://$here" "$clone"
for path in "${brought[@]}"; do (cd "$here" && cp -a --parents -t "$clone" -- "$path"); done

passed=(HOME=/root LANG=C.UTF-8 "TERM=${TERM:-dumb}"
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
for name in NO_INSTALL TESTS JOBS CI SLUICE_REQUIRE \
    http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy PIP_CERT PIP_INDEX_URL; do
    if [ -n "${!name:-}" ]; then passed+=("$name=${!name}"); fi
done

echo "bare-machine: $(git -C "$clone" log -1 --format='%h %s'); running: $*" >&2
began=$SECONDS
status=0
# shellcheck disable=SC2016  # expanded inside
env -i "${passed[@]}" unshare --mount --pid --fork --propagation private bash -c '
    root=$1; shift
    mount -t proc proc "$root/proc" || exit 125
    mount --rbind /dev "$root/dev" || exit 125
    mount --rbind /sys "$root/sys" || exit 125
    exec chroot "$root" /bin/sh -c "cd /srv/sluice && exec \"\$@\"" sh "$@"
    ' bash "$root" "$@" || status=$?
echo "bare-machine: '$*' ended with status $status after $((SECONDS - began)) s" >&2

mkdir -p "$to"
to=$(cd "$to" && pwd)
for path in "${copies[@]}"; do
    if [ -e "$clone/$path" ]; then
        (cd "$clone" && cp -a --parents -t "$to" -- "$path")
        echo "bare-machine: copied $path to $to" >&2
    fi
done
exit $status
