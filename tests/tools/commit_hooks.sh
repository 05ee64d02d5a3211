#!/usr/bin/env bash
# test: 11 s
# The hooks that `make hooks` installs: what they refuse and accept. In a small tree of its own,
# with the Makefile and the tools of this one.
. tests/support/tap.sh
if ! command -v git >/dev/null; then
    echo "1..0 # SKIP git is not installed"
    exit 0
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES HEADERS
tree=$work/tree
mkdir -p "$tree"/{tools,src/core,kernels}
cp -r Makefile .clang-format .gitignore "$tree"
cp -r tools/{hooks,check-tree.py,python_imports.py,lint.sh,find-python.sh} "$tree/tools"
cd "$tree" || exit 1
: >kernels/registry.h
printf 'int status;\n' >src/core/status.c
git init -q -b main
git config user.name Tester
git config user.email tester@example.org
git add -A
git commit -qm "Begin"

# A title and then the lines of a body.
commit()
{
    git commit -q -F - <<<"$(printf '%s\n' "$@")"
}
run_commit()
{
    local wanted=$1
    shift
    run "$wanted" commit "$@"
}

# --- Installing ---
git config core.hooksPath elsewhere
run 2 make -s hooks
has "$err" "core.hooksPath is elsewhere" "hooks of another folder stay"
git config --unset core.hooksPath
printf '#!/bin/sh\n' >.git/hooks/pre-commit
run 2 make -s hooks
has "$err" "pre-commit is there" "a hook of the user's own stays"
rm .git/hooks/pre-commit
run 0 make -s hooks
has "$out" "--no-verify" "it says how to skip the hooks"
has "$out" "--unset core.hooksPath" "and how to end them"
run 0 make -s hooks

# --- The layout and the rules of the tree, as staged ---
printf 'int one(void)\n{\n    return 1;\n}\n' >src/core/one.c
git add -A
run_commit 0 "Add one"
if make -s check-format OWN_C=src/core/one.c 2>&1 | grep -q "NOT CHECKED"; then
    ok "layout # SKIP clang-format of the right version is not installed" true
else
    printf 'int two ( void ) { return 2; }\n' >src/core/two.c
    git add -A
    printf 'int two(void)\n{\n    return 2;\n}\n' >src/core/two.c
    run_commit 1 "Add two"
    has "$err" "make format would change:" "a layout is refused, though the working tree's is right"
    has "$err" "src/core/two.c" "the file is named"
    has "$err" "Commit refused: check-format" "the check is named"
    has "$err" "--no-verify" "the way round is named"
    git add -A
    run_commit 0 "Add two"
fi
printf 'size_t three(void);\n' >src/core/three.h
git add -A
run_commit 1 "Add three"
has "$err" "src/core/three.h:1: alone:" "a staged header compiles on its own"
has "$err" "Commit refused: check-tree" "that check is named"
run 0 git commit -q --no-verify -m "Add three"
printf '#include <stddef.h>\nsize_t three(void);\n' >src/core/three.h
git add -A
run_commit 0 "Mend three"
printf 'int utils;\n' >src/core/utils.c
git add -A
run_commit 1 "Add utils"
has "$err" "src/core/utils.c:1: names:" "a vague name is refused"
run 0 git commit -q --no-verify -m "Add utils"
git rm -q src/core/three.h
run_commit 0 "Remove three"
ok "findings of the last commit refuse no other commit" test -f src/core/utils.c

# --- More than ten files want a reason ---
for k in a b c d e f g h i j; do echo $k >"$k.txt"; done
git add -A
run_commit 0 "Add ten files"
for k in a b c d e f g h i j k; do echo $k $k >"$k.txt"; done
git add -A
run_commit 1 "Change eleven files"
has "$err" "it changes 11 files" "the number of files is named"
run_commit 1 "Change eleven files" "" "Signed-off-by: Tester <tester@example.org>"
run_commit 1 "Change eleven files" "" "# A comment of the editor's."
run_commit 0 "Change eleven files" "" "They hold their letter twice, for a test."

git checkout -q -b side HEAD~1
for k in l m n o p q r s t u v; do echo $k >"$k.txt"; done
git add -A
git commit -q --no-verify -m "Add eleven files"
git checkout -q main
run 0 git merge -q --no-ff -m "Merge branch 'side'" side
ok "a merge of many files needs no body" test -f v.txt
ok "nothing is left to commit" test -z "$(git status --porcelain)"
done_testing
