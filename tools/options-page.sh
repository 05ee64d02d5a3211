#!/usr/bin/env bash
# Prints docs/options.md: what `sluice help VERB` says of every verb. `make docs` runs it.
#   tools/options-page.sh PROGRAM
set -euo pipefail
program=$1
verbs=$("$program" help --list | awk -F '\t' '$1 == "verb" { print $2 }')

cat <<'PAGE'
# Options

Made from the program's own help by `tools/options-page.sh`: do not edit. This is what `sluice help
VERB` prints for every verb, also for those that need Python to run.

| verb | |
|---|---|
PAGE
"$program" help --list | awk -F '\t' '$1 == "verb" { printf "| [`%s`](#%s) | %s |\n", $2, $2, $4 }'
for verb in $verbs; do
    text=$("$program" help "$verb")
    # shellcheck disable=SC2016 # the marks of a block of text
    printf '\n## %s\n\n```text\n%s\n```\n' "$verb" "$text"
done
