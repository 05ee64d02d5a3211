#!/bin/sh
# Lets Pythons find the package sluice of an installation: a file sluice.pth in their own folder for
# modules names its folder. Only folders within the prefix are touched: /usr/local for the system's
# Python, ~/.local, a virtual environment.
#
#   install-python.sh install|uninstall PREFIX [DESTDIR]
set -u
action=$1
prefix=$(realpath -m "$2")
destination=${3:-}
package=$prefix/share/sluice/python
export prefix

# The folder for modules of Python $1 that lies within the prefix: PREFIX/lib/python3...
folder_of()
{
    "$1" - <<'PYTHON' 2>/dev/null
import os, site, sys
prefix = os.environ["prefix"]
for folder in site.getsitepackages() + [site.getusersitepackages()]:
    if os.path.realpath(folder).startswith(os.path.join(prefix, "lib", "python3")):
        print(folder)
        break
PYTHON
}

found=
for python in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$python" ] && folder=$(folder_of "$python") && [ -n "$folder" ] || continue
    case " $found " in *" $folder "*) continue ;; esac
    found="$found $folder"
    file=$destination$folder/sluice.pth
    if [ "$action" = install ]; then
        install -d "$destination$folder" && echo "$package" >"$file" || exit 1
        echo "import sluice: for $(command -v "$python"), by $file"
    elif [ "$(cat "$file" 2>/dev/null)" = "$package" ]; then
        rm -f "$file"
    fi
done
if [ "$action" = install ] && [ -z "$found" ]; then
    echo "import sluice: no Python looks for modules in $prefix: set PYTHONPATH=$package, or" \
        "'pip install .' in a virtual environment"
fi
