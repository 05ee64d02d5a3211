"""Sound that leaves through openings which absorb."""

import numpy as np
from plot.pictures import COLOURS

from validate.openings.setups import box, sides, stream
from validate.trial import case

SOUND, SPEED, LENGTH, HEIGHT = 20.0, 0.5, 4.0, 0.4
PLACES = {"inlet": 1.0, "outlet": 3.0}  # m, of the gauges
# Name, half the length of the pulse (m), whether openings absorb, the gate.
PULSES = (("absorbs", 0.1, True, 0.15), ("absorbs long pulse", 0.2, True, None),
          ("does not absorb", 0.1, False, None))
PASSED, BACK = 0.095, 0.21  # s: the pulse has passed a gauge; the other end's echo is not there yet


def config(n, half, absorbs):
    """A stream whose pressure is raised up to `half` (m) from its middle."""
    word = "true" if absorbs else "false"
    middle = LENGTH / 2
    shapes = [box("water", [0.0, 0.0], [LENGTH, HEIGHT]),
              box("pulse", [middle - half, 0.0], [middle + half, HEIGHT]), sides(["bottom", "top"])]
    return stream(
        "Sound", 1 / n, [0.0, 0.0], [LENGTH, HEIGHT], SOUND, ",\n  ".join(shapes),
        f'{{ name = "in"; kind = "inlet"; face = "x-"; velocity = {SPEED}; absorb = {word}; }},\n'
        f'  {{ name = "out"; kind = "outlet"; face = "x+"; pressure = 0.0; absorb = {word}; }}',
        0.3, diffusion="hydrostatic",
        initial=f'{{ field = "velocity"; kind = "uniform"; value = [{SPEED}, 0.0]; }},'
                ' { field = "pressure"; kind = "uniform"; value = 2000.0; on = "pulse"; }',
        probes=", ".join(f'{{ name = "{end}"; kind = "point"; at = [{x}, 0.2]; every = 0.001; }}'
                         for end, x in PLACES.items()),
        each=5, reference=100.0)


@case("opening-sound", "Sound that leaves through openings", (50,))
def sound(trial):
    """Half-way in a stream of 0.5 m/s, 4 m long, the pressure over 0.2 m is raised. One pulse runs
    to the outlet (a given pressure), one to the inlet (a given velocity), both with `absorb`; what
    comes back to a gauge 1 m before either end is at most 15% of what has passed it. For
    comparison: a pulse twice as long, and the openings without `absorb`. Resolutions: particles in
    a metre."""
    axes = list(trial.axes(columns=2, wide=4.4))
    for n in trial.resolutions:
        for (label, half, absorbs, gate), colour in zip(PULSES, COLOURS):
            run = trial.run(f"{n}-{label.replace(' ', '-')}", config(n, half, absorbs), "gentle")
            for end, place in zip(PLACES, axes):
                table = run.probe(end)
                t, p = table["time"], np.abs(table["pressure"])
                share = p[(t > PASSED) & (t < BACK)].max() / p[t < PASSED].max()
                trial.check(f"{n}, {label}: reflected by the {end}", share, gate)
                place.plot(t, table["pressure"], color=colour, label=label)
                place.set_title(f"1 m before the {end}")
                place.set_xlabel("time (s)")
                place.set_ylabel("pressure (Pa)")
    for place in axes:
        place.legend()


CASES = (sound,)
