#!/usr/bin/env bash
# Runs the fuzz targets side by side: fuzz.sh SECONDS TARGET... (config, mesh, snapshot).
#
# Results stay in build/fuzz:
#   corpus-TARGET/   inputs that reached new code; the next run starts with them
#   found-TARGET-*   inputs that broke the target
#   TARGET.log       libFuzzer's output
# To keep an input that broke a target, put it into tests/data/fuzz/TARGET/, gzipped if it is large.
# The test corpus reads that folder.
# FUZZ_OUT=FOLDER replaces build/fuzz. FUZZ_NICE=19 runs at the lowest priority.
# Exit status 1: an input broke a target.
set -u
cd "$(dirname "$0")/.." || exit 1
duration=$1
shift
out=${FUZZ_OUT:-build/fuzz}
case $duration in
'' | *[!0-9]*) echo "fuzz: SECONDS=$duration is not a whole number of seconds" >&2 && exit 2 ;;
esac
mkdir -p "$out"/seeds-{config,mesh,snapshot} || exit 1
# The mesh and the snapshot target write each input to a file, as they are read by name. Memory is
# fastest.
TMPDIR=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
trap 'rm -rf "$TMPDIR"' EXIT
# An allocation that is too large returns NULL, as without the sanitizer.
export ASAN_OPTIONS=allocator_may_return_null=1:quarantine_size_mb=16
export OMP_NUM_THREADS=1 XDG_CACHE_HOME=$out/cache TMPDIR

# Seeds for configs: those of the examples and the tests. Seeds for meshes: a tetrahedron in each
# format. Seeds for snapshots: files of the smallest cases, run now and so in the present format.
# For all: inputs that once broke a target.
make_seeds()
{
    local config name file folder
    for config in tests/fuzz/seeds/*.cfg; do
        name=$(basename "$config" .cfg)
        build/sluice run "$config" --out "$out/run-$name" --force --strategy window --quiet \
            --threads 1 >/dev/null || return 1
        for file in "$out/run-$name"/{snap_000000,checkpoint_000000002}.hdf; do
            cp "$file" "$out/seeds-snapshot/$name-$(basename "$file")" || return 1
        done
    done
    cp configs/*.cfg tests/data/config-errors/*.cfg tests/fuzz/seeds/*.cfg "$out/seeds-config" ||
        return 1
    cp tests/fuzz/meshes/* "$out/seeds-mesh" || return 1
    for file in tests/data/fuzz/{config,mesh,snapshot}/*; do # large files are compressed
        name=$(basename "$file" .gz) folder=$out/seeds-$(basename "$(dirname "$file")")
        gzip -dcf "$file" >"$folder/$name" || return 1
    done
}
make_seeds || { echo "fuzz: the seeds could not be made" >&2 && exit 1; }

# A dictionary for libFuzzer: every word of the keys and choices, and of the meshes' formats.
build/sluice info | grep -oE '[a-z][a-z0-9_-]+' | sort -u | sed 's/.*/"&"/' >"$out/config.dict"
grep -haoE '[a-z][a-z_]+' tests/fuzz/meshes/* | sort -u | sed 's/.*/"&"/' >"$out/mesh.dict"

fuzz_one()
{
    local target=$1 flags=(-max_len=4096 "-dict=$out/$1.dict")
    [ "$target" != snapshot ] || flags=(-max_len=131072 -mutate_depth=1)
    mkdir -p "$out/corpus-$target"
    nice -n "${FUZZ_NICE:-0}" build/fuzz/"$target" -max_total_time="$duration" -timeout=20 \
        -rss_limit_mb=3000 -print_final_stats=1 \
        -artifact_prefix="$out/found-$target-" "${flags[@]}" \
        "$out/corpus-$target" "$out/seeds-$target" >"$out/$target.log" 2>&1
}
pids=()
for target in "$@"; do
    fuzz_one "$target" &
    pids+=($!)
done

failed=
for i in "${!pids[@]}"; do
    target=${*:i + 1:1}
    if wait "${pids[$i]}"; then
        inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$target.log")
        echo "fuzz $target: $inputs inputs in $duration s, none broke it"
    else
        failed=1
        echo "fuzz $target: BROKE. The end of $out/$target.log:" >&2
        grep -vE '^#[0-9]+' "$out/$target.log" | tail -n 40 >&2
        ls "$out"/found-"$target"-* >&2
    fi
done
[ -z "$failed" ]
