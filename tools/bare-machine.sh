#!/usr/bin/env bash
# Proves that a command works on a fresh clone of a bare machine: makes a minimal Debian root with git, make and nothing
# else to build with, clones the last commit into it, runs the command there as root, brings back out/, cleans up.
#
#   sudo tools/bare-machine.sh [--copy PATH]... [--to DIR] [--keep] COMMAND...
#       --copy PATH   what to bring back when the command has ended, relative to the clone (out, if nothing is said)
#       --to DIR      where to (build/bare-machine)
#       --keep        leave the root in place and say where it is
#   sudo tools/bare-machine.sh make demo
#
# Needs root, mmdebstrap, git and unshare. The host's own apt sources, keyrings and proxy are used, so the root is of
# the host's release. Variables passed on: NO_INSTALL, TESTS, JOBS, CI, SLUICE_REQUIRE and the proxies.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

copies=()
to=$here/build/bare-machine
keep=
while [ $# -gt 0 ]; do
    case $1 in
    --copy) copies+=("$2") && shift 2 ;;
    --to) to=$2 && shift 2 ;;
    --keep) keep=1 && shift ;;
    -*) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
[ ${#copies[@]} -gt 0 ] || copies=(out)
[ "$(id -u)" -eq 0 ] || { echo "bare-machine: making a root file system needs root: sudo $0 $*" >&2 && exit 1; }
for tool in mmdebstrap git unshare; do
    command -v $tool >/dev/null || { echo "bare-machine: $tool is missing: apt-get install mmdebstrap git util-linux" >&2; exit 1; }
done

root=$(mktemp -d /var/tmp/sluice-bare.XXXXXX)
# All mounts live in a mount namespace of the command's own, so nothing of the host is below the folder here.
trap '[ -n "$keep" ] && echo "bare-machine: the root stays in $root" || rm -rf --one-file-system "$root"' EXIT

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    # Other vendors' archives have no place on a bare machine.
    if [ -s "$file" ] && grep -qE '^[^#]*(debian|ubuntu)' "$file" && grep -qE "^[^#]*\b$suite\b" "$file"; then
        sources+=("$file")
    fi
done
[ ${#sources[@]} -gt 0 ] || { echo "bare-machine: no apt source for $suite found on this machine" >&2; exit 1; }
options=()
while read -r line; do
    options+=("--aptopt=$line")
done < <(apt-config dump | grep -E '^Acquire::(https?::Proxy|Retries|Check-Valid-Until|Check-Date|Languages)' || true)

echo "bare-machine: $suite from ${sources[*]}" >&2
mmdebstrap --quiet --variant=apt --include=git,make,ca-certificates "${options[@]}" "$suite" "$root" "${sources[@]}"
# Proxies of companies and test machines sign with certificates of their own.
cp -rT /usr/local/share/ca-certificates "$root/usr/local/share/ca-certificates" 2>/dev/null || true
chroot "$root" update-ca-certificates >/dev/null 2>&1 || true
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
git clone --quiet --no-hardlinks "file://$here" "$root/root/sluice"
for tool in gcc pkg-config python3; do
    if [ -x "$root/usr/bin/$tool" ]; then echo "bare-machine: not bare, it has $tool" >&2; exit 1; fi
done

passed=(HOME=/root "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" LANG=C.UTF-8 "TERM=${TERM:-dumb}")
for name in NO_INSTALL TESTS JOBS CI SLUICE_REQUIRE http_proxy https_proxy HTTP_PROXY HTTPS_PROXY no_proxy; do
    if [ -n "${!name:-}" ]; then passed+=("$name=${!name}"); fi
done

echo "bare-machine: $(git -C "$root/root/sluice" log -1 --format='%h %s'); running: $*" >&2
began=$SECONDS
status=0
# shellcheck disable=SC2016  # expanded inside
env -i "${passed[@]}" unshare --mount --pid --fork --propagation private bash -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" || exit 125
    exec chroot "$root" /bin/sh -c "cd /root/sluice && exec \"\$@\"" sh "$@"' bash "$root" "$@" || status=$?
echo "bare-machine: '$*' ended with status $status after $((SECONDS - began)) s" >&2

mkdir -p "$to"
to=$(cd "$to" && pwd)
for path in "${copies[@]}"; do
    if [ -e "$root/root/sluice/$path" ]; then
        (cd "$root/root/sluice" && cp -a --parents -t "$to" -- "$path")
        echo "bare-machine: copied $path to $to" >&2
    fi
done
exit $status
