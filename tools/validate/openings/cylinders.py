"""A cylinder in a channel with openings: the benchmark of Schaefer & Turek 1996."""

from plot.measure import residual_share
from plot.pictures import COLOURS

from validate.openings.setups import box, mean, sides, stream
from validate.trial import case

SPEED, DIAMETER = 0.2, 0.1  # the mean speed (m/s), m
DRAG, DROP = 5.5795, 0.11752  # Cd, and the pressure difference over 1000 Pa: the benchmark's values


@case("opening-cylinder", "Cylinder in a channel: DFG 2D-1, Re 20", (), on_gpu=(40,))
def dfg(trial):
    """A cylinder of 0.1 m, a little off the middle of a channel of 0.41 m, in a parabolic stream of
    0.2 m/s in the mean at Re 20 (Schaefer & Turek 1996, test 2D-1). Walls are those of Adami et
    al., the cylinder's fitted, particles are shifted inside. The drag coefficient may be off by 5%
    of 5.5795, the difference of the pressures before and behind the cylinder by 5% of 0.11752 of
    water of density 1. Means over the last 4 of 12 s. For comparison: the residual of the energy,
    which gravity gives no size here. Resolutions: particles in the diameter."""
    (axes,) = trial.axes(wide=6.0)
    for n, colour in zip(trial.resolutions, COLOURS):
        points = "; every = 0.02; }}, {{ name = \"{}\"; kind = \"point\"; at = [{}, 0.2]"
        run = trial.run(f"{n}", stream(
            "A cylinder in a channel", DIAMETER / n, [0.0, 0.0], [2.2, 0.41], 5.0,
            ",\n  ".join([box("water", [0.0, 0.0], [2.2, 0.41]), sides(["bottom", "top"]),
                          '{ name = "cylinder"; shape = "disc"; type = "wall"; fit = "surface";'
                          " centre = [0.2, 0.2]; radius = 0.05; }"]),
            f'{{ name = "in"; kind = "inlet"; face = "x-"; velocity = {SPEED};'
            ' profile = "parabolic"; ramp = 0.5; },\n'
            '  { name = "out"; kind = "outlet"; face = "x+"; pressure = 80.0; }', 12.0,
            viscosity='{ kind = "laminar"; nu = 0.001; }',
            fluid='shifting = { kind = "inside"; };', slip="no-slip", each=200, every=3.0,
            reference=40.0,
            probes='{ name = "force"; kind = "force"; on = "cylinder"'
                   + points.format("front", 0.15) + points.format("back", 0.25)
                   + "; every = 0.02; }"), "")
        force = run.probe("force")
        scale = 1000 * SPEED**2 * DIAMETER / 2
        drag = mean(force, "fx", 8.0) / scale
        trial.within(f"D/{n}: drag over the benchmark's, less 1", drag / DRAG - 1, 0.05,
                     note=f"Cd {drag:.3f} of {DRAG}")
        drop = (mean(run.probe("front"), "pressure", 8.0)
                - mean(run.probe("back"), "pressure", 8.0)) / 1000
        trial.within(f"D/{n}: difference of pressures over the benchmark's, less 1",
                     drop / DROP - 1, 0.05, note=f"{drop:.4f} of {DROP}")
        trial.check(f"D/{n}: residual of the energy over 40 J/m", residual_share(run), None)
        axes.plot(force["time"], force["fx"] / scale, color=colour, label=f"D/{n}")
    axes.axhline(DRAG, color="0.2", linestyle=":", label="benchmark")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("drag coefficient")
    axes.legend()


CASES = (dfg,)
