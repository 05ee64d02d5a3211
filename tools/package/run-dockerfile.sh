#!/bin/bash
# Runs the steps of the Dockerfile in the root that it stands in, for machines without docker, and
# then the program as `docker run --user` does: to a picture, with EXTRAS=look to a movie. As root:
#
#   tools/bare-machine.sh --suite bookworm --bring build/packages tools/package/run-dockerfile.sh
#
# `env EXTRAS=look` before the script's name does what --build-arg EXTRAS=look does.
set -eu
cd "$(dirname "$0")/../.."
repository=$PWD
entry=()
standard=()

die()
{
    echo "Dockerfile: $*" >&2
    exit 1
}

# The words of ["sluice", "help"], none of which has a blank or a quote.
words_of()
{
    case $1 in '['*']') ;; *) die "$1: a list in brackets is expected" ;; esac
    tr -d '[]",' <<<"$1"
}

follow()
{
    local instruction=$1 rest=$2 words release
    echo "== $instruction $rest" | cut -c 1-100
    case $instruction in
    FROM)
        # shellcheck disable=SC1091
        release=$(. /etc/os-release && echo "$ID:$VERSION_CODENAME")
        [ "${rest%-slim}" = "$release" ] || die "FROM $rest: this root is $release"
        ;;
    RUN) /bin/sh -c "$rest" >/tmp/said 2>&1 || { cat /tmp/said && die "failed: RUN $rest"; } ;;
    COPY)
        read -r -a words <<<"$rest"
        [ ${#words[@]} -eq 2 ] || die "COPY $rest: two words are expected"
        # shellcheck disable=SC2086  # a pattern
        (cd "$repository" && cp -r ${words[0]} "${words[1]}")
        ;;
    ARG)
        local name=${rest%%=*}
        export "$name=${!name:-${rest#*=}}"
        ;;
    ENV) export "${rest?}" ;;
    WORKDIR) mkdir -p "$rest" && cd "$rest" ;;
    ENTRYPOINT) read -r -a entry <<<"$(words_of "$rest")" ;;
    CMD) read -r -a standard <<<"$(words_of "$rest")" ;;
    *) die "$instruction: this script does not know it" ;;
    esac
}

export DEBIAN_FRONTEND=noninteractive
step=
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    step="$step${line%\\}"
    case $line in *\\) continue ;; esac
    follow "${step%% *}" "${step#* }"
    step=
done <Dockerfile

echo "== the image: $(du -xsm --exclude="$repository" / | cut -f 1) MB"
chown 1000:1000 . # the folder of who calls docker
docker_run() { setpriv --reuid 1000 --regid 1000 --clear-groups "${entry[@]}" "$@"; }
docker_run "${standard[@]}" >/tmp/said
head -n 2 /tmp/said
configs=$(docker_run info | sed -n 's/^  shipped configs  //p')
docker_run run "$configs/dam_break.cfg" --quiet
docker_run plot out/dam_break
[ -s out/dam_break/picture.png ] || die "no picture"
if [ "$EXTRAS" = look ]; then
    docker_run movie out/dam_break --every 10
    docker_run report out/dam_break
    [ -s out/dam_break/movie.mp4 ] || die "no movie"
fi
