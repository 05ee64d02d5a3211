#!/usr/bin/env bash
# Lists the source files of tests, those that take longest first. A file under tests/ is a test if
# its first line says so (the first after `#!`):
#
#   /* test: 12 s, emulator, tsan */        # test: 3 s, mpi
#
#   list-tests.sh [--language c,cu,sh,py] [--tagged TAG,...] [--without TAG,...] [NAME...]
#
# --tagged: with any of these tags. NAME: a file's name without its ending, narrow_places; or a
# folder, geometry. tests/README.md explains the tags; the time is that on
# two cores, in `make test` or where else the test runs.
set -u
cd "$(dirname "$0")/.." || exit 1
languages=c,cu,sh,py
tagged=
without=
while [ $# -gt 0 ]; do
    case $1 in
    --language) languages=${2:-} ;;
    --tagged) tagged=${2:-} ;;
    --without) without=${2:-} ;;
    -*) echo "list-tests.sh knows no $1: --language, --tagged, --without" >&2 && exit 1 ;;
    *) break ;;
    esac
    [ $# -ge 2 ] || { echo "list-tests.sh: $1 needs a value" >&2 && exit 1; }
    shift 2
done

find tests -name data -prune -o \( -name '*.c' -o -name '*.cu' -o -name '*.sh' -o -name '*.py' \) \
    -print0 | xargs -0 awk -v languages="$languages" -v tagged="$tagged" -v without="$without" \
    -v names="$*" '
    function complain(what) { print FILENAME ": " what >"/dev/stderr"; wrong = 1 }
    function any_of(list, tags,    words, n, i) {
        n = split(list, words, ",")
        for (i = 1; i <= n; i++)
            if (index("," tags ",", "," words[i] ",")) return 1
        return 0
    }
    function is_named(    i, path, yes) {
        path = FILENAME
        yes = !named
        sub(/^tests\//, "", path)
        sub(/\.[a-z]+$/, "", path)
        for (i = 1; i <= named; i++)
            if (path == name[i] || index(path, name[i] "/") == 1 ||
                substr(path, length(path) - length(name[i])) == "/" name[i])
                yes = found[i] = 1
        return yes
    }
    BEGIN {
        known = "emulator,emulator-slow,sanitize-slow,tsan,tsan-slow,gpu,mpi,slow"
        named = split(names, name, " ")
        for (i = 1; i <= named; i++) { # as a shell completes them
            sub(/^tests\//, "", name[i])
            sub(/(\/|\.(c|cu|sh|py))$/, "", name[i])
        }
        n = split(tagged "," without, tag, ",")
        for (i = 1; i <= n; i++)
            if (tag[i] != "" && !any_of(tag[i], known)) {
                print "no tag is called \"" tag[i] "\": " known >"/dev/stderr"
                exit wrong = 1
            }
    }
    FNR == 1 && /^#!/ { next }
    FNR == 1 || FNR == 2 && !looked[FILENAME] {
        looked[FILENAME] = 1
        if ($0 !~ /^(\/\*|#) test: /) { nextfile }
        tags = $0
        sub(/^(\/\*|#) test: /, "", tags)
        sub(/ *\*\/$/, "", tags)
        gsub(/, */, ",", tags)
        seconds = tags
        sub(/,.*/, "", seconds)
        sub(/^[^,]*,?/, "", tags)
        if (seconds !~ /^[0-9.]+ s$/) complain("the first line gives no time, such as \"12 s\"")
        n = split(tags, tag, ",")
        for (i = 1; i <= n; i++)
            if (!any_of(tag[i], known)) complain("no tag is called \"" tag[i] "\": " known)
        language = FILENAME
        sub(/.*\./, "", language)
        asked = is_named()
        if (asked && any_of(language, languages) && (tagged == "" || any_of(tagged, tags)) &&
            !any_of(without, tags))
            print seconds + 0, FILENAME
        nextfile
    }
    { nextfile }
    END {
        for (i = 1; i <= named; i++)
            if (!found[i]) {
                print "No test is named " name[i] ": see tests/." >"/dev/stderr"
                wrong = 1
            }
        exit wrong
    }' | sort -k1,1nr -k2 | cut -d' ' -f2-
[ "${PIPESTATUS[1]}" = 0 ]
