#!/bin/sh
# Lets git run the hooks of this folder, in this clone and its worktrees. If there are other hooks
# already, it changes nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=tools/hooks

set_before=$(git config --get core.hooksPath)
if [ -n "$set_before" ] && [ "$set_before" != $folder ]; then
    echo "Nothing was changed: core.hooksPath is $set_before. To take these hooks instead:" \
        "git config core.hooksPath $folder" >&2
    exit 1
fi
own=$(git rev-parse --git-common-dir)/hooks
for name in pre-commit commit-msg; do
    if [ -z "$set_before" ] && [ -e "$own/$name" ]; then
        echo "Nothing was changed: $own/$name is there and would no longer run." \
            "Move it away, then 'make hooks' again." >&2
        exit 1
    fi
done
git config core.hooksPath $folder || exit 1
echo "git checks each commit now: layout, rules of the tree, and a reason for many files." \
    "'git commit --no-verify' skips it, 'git config --unset core.hooksPath' ends it."
