#!/usr/bin/env bash
# test: 60 s, slow
# The wheel in a virtual environment, the Debian package unpacked, and the program in both: from an
# empty folder they run and draw a shipped config, to the bits of the program linked here.
. tests/support/tap.sh
export -n SLUICE PYTHON PYTHONPATH # packages find these by themselves
tree=$PWD
if ! said=$(tools/packages.sh check build package && tools/package/python.sh 2>&1); then
    echo "1..0 # SKIP packages cannot be made: $(tail -n 1 <<<"$said")"
    exit 0
fi
run 0 make --no-print-directory wheel deb
wheel=$(echo build/packages/sluice_sph-*[0-9]-py3-none-manylinux_*.whl)
deb=$(echo build/packages/sluice-sph_*[0-9]_*.deb)
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/sluice/__init__.py)
portable=$tree/build/release/sluice-portable
ok "the wheel has the version" test -f "$(echo build/packages/sluice_sph-"$version"-py3-*.whl)"
ok "the Debian package has it" test "$(dpkg-deb -f "$deb" Version)" = "$version"
newest=$(objdump -T "$portable" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
ok "glibc 2.27 suffices: $newest" test "${newest#GLIBC_2.}" -le 27
ok "and no other library" test -z "$(objdump -p "$portable" |
    awk '$1 == "NEEDED" && $2 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $2 }')"

# The bits of the program that this machine's tools link, in an empty folder.
mkdir "$work/empty"
cd "$work/empty" || exit 1
short=(--set time.end=0.05 --threads 1 --quiet)
run 0 "$tree/build/release/sluice" run "$tree/configs/dam_break.cfg" --out here "${short[@]}"
same_bits() { cmp here/energy.csv "$1/energy.csv"; }

# --- The wheel ---
python=$("$tree/tools/find-python.sh" numpy matplotlib h5py venv ensurepip)
if [ -n "$python" ]; then
    "$python" -m venv --system-site-packages "$work/env"
    find "$work/env" -type f | sort >"$work/before"
    run 0 "$work/env/bin/python" -m pip install -q --no-index --no-deps "$tree/$wheel"
    run 0 "$work/env/bin/sluice" info
    has "$out" "shipped configs  $work/env/share/sluice/configs"
    run 0 "$work/env/bin/sluice" run "$work/env/share/sluice/configs/dam_break.cfg" --out wheel \
        "${short[@]}"
    ok "the wheel's program has the same bits" same_bits wheel
    run 0 env PATH=/usr/bin:/bin "$work/env/bin/sluice" plot wheel
    ok "and draws" test -s wheel/picture.png
    run 0 "$work/env/bin/python" -c "import sluice; print(sluice.find_program(), sluice.__file__)"
    has "$out" "$work/env/bin/sluice $work/env/lib" "import sluice finds the program"
    run 0 "$work/env/bin/sluice" validate --list
    has "$out" "martin-moyce"
    run 0 env PATH=/usr/bin:/bin "$work/env/bin/sluice" new hull from_wheel
    ok "new copies a case with its mesh" cmp from_wheel/hull.stl "$tree/configs/hull.stl"
    run 0 "$work/env/bin/python" -m pip uninstall -q -y sluice-sph
    find "$work/env" -type f | sort >"$work/after"
    ok "its removal leaves no file" cmp "$work/before" "$work/after"
    ok "and no folder of its own" test ! -e "$work/env/share/sluice"
else
    echo "ok $((tap_count += 1)) - the wheel # SKIP no Python with numpy, matplotlib, h5py and venv"
fi

# --- The Debian package ---
dpkg-deb -x "$tree/$deb" "$work/unpacked"
usr=$work/unpacked/usr
run 0 "$usr/bin/sluice" run "$usr/share/sluice/configs/dam_break.cfg" --out deb "${short[@]}"
ok "the Debian package's program has the same bits" same_bits deb
if [ -n "$python" ]; then
    run 0 env PYTHON="$python" "$usr/bin/sluice" plot deb
    run 0 env PYTHONPATH="$usr/lib/python3/dist-packages" "$python" -c \
        "import sluice; print(sluice.find_program())"
    has "$out" "$usr/bin/sluice"
fi
run 0 env PATH=/usr/bin:/bin "$usr/bin/sluice" new moving_square from_deb
ok "new copies a case with its table" test -s from_deb/spheric_test6_motion.csv
for file in man/man1/sluice.1.gz doc/sluice-sph/copyright doc/sluice-sph/examples/dam_break.cfg \
    bash-completion/completions/sluice zsh/vendor-completions/_sluice \
    fish/vendor_completions.d/sluice.fish; do
    ok "$file" test -f "$usr/share/$file"
done
has "$usr/share/doc/sluice-sph/copyright" "GNU LESSER GENERAL PUBLIC LICENSE"

done_testing
