#!/usr/bin/env bash
# test: 0.1 s, emulator
# The messages when a GPU, its driver or its memory does not suffice for a run. A build with the
# emulated GPU, which can be made to fail, tests every case.
. tests/support/tap.sh
small_case
cd "$work" || exit 1

backends=$(sluice info --json | tr ',{' '\n\n' | sed -n 's/.*"name": *"\([a-z]*\)".*/\1/p' |
    grep -xE 'cuda|hip|emulated')

# A backend that is not in this program: how to get it.
for name in cuda hip; do
    if ! grep -qx "$name" <<<"$backends"; then
        run 2 sluice run dam.cfg --backend "$name" --force
        has "$err" "make ${name^^}=1" "$name is not in this program: what builds it"
    elif sluice info | grep -qE "^  $name +not usable here"; then
        run 4 sluice run dam.cfg --backend "$name" --force
        has "$err" "sluice: error: $name: no d" "$name: no driver, or no device"
        has "$err" 'backend.name = "cpu"' "$name: what works without"
        run 0 sluice run dam.cfg --backend auto --set time.max_steps=1 --force
    fi
done

# fails SETTING STATUS TEXT...: a run on the emulated GPU with the setting ends so, saying all that.
fails()
{
    local setting=$1 status=$2 text
    shift 2
    run "$status" env "$setting" "$SLUICE" run dam.cfg --backend emulated --force
    for text; do has "$err" "$text" "$setting: $text"; done
}
if grep -qx emulated <<<"$backends"; then
    echo "# emulated"
    fails SLUICE_EMULATED_FAIL=device:35 4 "no driver"
    fails SLUICE_EMULATED_FAIL=device:100 4 "no device is there" 'backend.name = "cpu"'
    fails SLUICE_EMULATED_FAIL=launch:209 4 "no code for this device's architecture" "CUDA_ARCHS"
    fails SLUICE_EMULATED_FAIL=launch:222 4 "CUDA_ARCHS"
    fails SLUICE_EMULATED_FAIL=launch:9 4 "gpuErrorInvalidConfiguration"
    fails SLUICE_EMULATED_FAIL=sync:700 4 "a kernel failed" "compute-sanitizer"
    fails SLUICE_EMULATED_FAIL=sync:214 4 "memory failed" "checkpoint"
    run 4 env SLUICE_EMULATED_MEMORY=200000 "$SLUICE" run dam.cfg --backend emulated --force \
        --set spacing=0.004
    has "$err" "particles need" "too many particles: what they need"
    has "$err" "of the device's memory, of which" "and what is there"
    has "$err" "would fit, it is 0.004 now" "and the spacing that would fit"
    run 4 sluice run dam.cfg --backend emulated --set backend.device=3 --force
    has "$err" "backend.device = 3" "a device that is not there"
    has "$err" "0: emulated GPU" "and those that are"
fi
done_testing
