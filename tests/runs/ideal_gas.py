#!/usr/bin/env python3
# test: 53 s, slow
"""An ideal gas: a shock tube, a blast, a sound wave and a cloud at small sizes; densities by brute
force; the same bits from any number of threads and after a restart. `sluice validate` has the same
cases at sizes that resolve them."""

import re

from case_run import (
    Case, at_most, differences, finish, largest, measure, np, ok, restart, together, within,
)

from validate.gas import blasts, flows, lattice_waves, profiles  # noqa: E402, I100
from validate.gas import setups, shocks, sums, waves  # noqa: E402, I100
from validate.gas.references import Riemann, Sedov, State  # noqa: E402

STRATEGY = {"backend__strategy": "window", "output__checkpoint_every_s": 0.0}


def same(one, other, name):
    different = differences(one, other)
    ok(not different, name, f"different: {', '.join(different)}")


def check_sums(run, name, scale, energy):
    """Pairs cancel to round-off: power identity and momentum, of this scale; and the drift."""
    table = run.energy()
    at_most(largest(table["identity"]), 1e-12, f"{name}: power identity")
    for axis in "xyz"[:run.dimension]:
        change = table[f"momentum_{axis}"] - table[f"momentum_{axis}"][0]
        at_most(largest(change) / scale, 1e-12, f"{name}: momentum along {axis}")
    at_most(measure.residual_share(run), energy, f"{name}: residual")


def tube():
    """Sod's tube with 48 spacings a metre. The plateaus are a few h long: 5% of p* and u*."""
    left, right = State(1, 1), State(0.125, 0.1)
    config, (low, high) = setups.tube("Tube", 48, (1, 1, 0), (0.125, 0.1, 0), (0.5, 0.6), 0.15,
                                      gas=shocks.GAS)
    case = Case(config, **STRATEGY)
    run, other = together(lambda: case.run("tube"), lambda: case.run("tube-2", threads=2))
    same(run, other, "tube: the same bits with 1 and 2 threads")
    steps = int(run.energy()["step"][-1])
    half = case.run("tube-half", time__max_steps=steps // 2)
    same(run, restart(half.path, time__max_steps=0, backend__threads=2),
         "tube: the same bits after a restart")
    exact, gas = Riemann(left, right, 1.4), profiles.last(run)
    x, t = gas.x[:, 0], gas.time
    keep = (x > 0.25 * exact.u * t) & (x < 0.75 * exact.u * t)
    within(profiles.mean(gas, gas.p, keep) / exact.p, 0.95, 1.05, "tube: p* over the exact one")
    within(profiles.mean(gas, gas.v[:, 0], keep) / exact.u, 0.95, 1.05, "tube: u*")
    scale = float(np.sum(gas.m * np.abs(gas.v[:, 0])))
    check_sums(run, "tube", scale, 1e-3)


def blast():
    """Sedov's blast, 32 across: within 5% of the radius. Steps so small that the drift falls with
    their square."""
    run, small, smaller = together(
        *(lambda cfl=cfl: Case(blasts.blast(2, 32, cfl)).run(f"blast-{cfl:g}")
          for cfl in (0.3, 0.06, 0.03)))
    gas = profiles.last(run)
    r, _ = gas.radial()
    place, _ = profiles.peak(*profiles.means_along(gas, r, gas.rho, 0.5 / 32, 0, 0.5))
    within(place / Sedov(2).radius(gas.time), 0.95, 1.05, "blast: radius over the exact one")
    check_sums(run, "blast", float(np.sum(gas.m * np.abs(gas.v[:, 0]))), blasts.DRIFT)
    fall = measure.residual_share(small) / measure.residual_share(smaller)
    within(fall, blasts.FALL, 4.5, "blast: drift falls with the square of the step")


def sound():
    """A standing wave, 16 cells long: its speed is that of the lattice's sums. The error of the
    step is a tenth of the gate."""
    config = waves.wave(16, "cubic", "quintic-spline", waves.IDEAL)
    run = Case(config).run("sound", time__end=2.0)
    omega, _ = measure.wave_fit(run.energy(), waves.OMEGA)
    wanted = lattice_waves.speed("cubic", "quintic-spline", 1.0, 16)
    at_most(omega / waves.OMEGA / wanted - 1, 1e-3, "sound: speed over that of the lattice")
    at_most(waves.entropy_change(run), waves.ENTROPY_GATE, "sound: entropy of every particle")


def densities():
    """Of a lattice in 2-D that a wave bends, and of lattices of two densities in 3-D. With the many
    neighbours of the quintic spline float sums miss the tolerance at any h."""
    quintic = {"kernel": {"name": "quintic-spline"}}
    for dimension, n, keys in (
        (2, 40, {"geometry": [setups.box((0, 0), (1, 1), 1.0, pressure=1.0)],
                 "initial": ({"field": "velocity", "kind": "sine", "mode": [1, 1],
                              "value": [1.0, 0.3]},)}),
        (3, 12, sums.lattice_start(3)),
        (3, 16, {**sums.lattice_start(3), **quintic}),
    ):
        low, high = [0.0] * dimension, [1.0] * dimension
        keys = dict(keys)
        config = setups.text("Density", dimension, 1 / n, low, high, 0.1, keys.pop("geometry"),
                             gas={"tolerance": 1e-13}, **keys)
        for precision, gate in sums.GATES.items():
            run = Case(config).run(f"density-{dimension}-{n}-{precision}",
                                   backend__precision=precision)
            name = run.config.get("kernel.name", "wendland-c2")
            found = np.max([sums.misses(gas, name) for gas in profiles.gases(run)], axis=0)
            at_most(max(found), gate,
                    f"{dimension}-D, {name}, {precision}: density and h by brute force")


def cloud():
    """An open cloud that turns and expands."""
    for dimension in (2, 3):
        run = Case(flows.spinning(dimension, 8)).run(f"cloud-{dimension}")
        momenta, scales = zip(*map(flows.angular_momentum, profiles.gases(run)))
        at_most(largest(np.array(momenta) - momenta[0]) / min(scales), 1e-12,
                f"cloud, {dimension}-D: angular momentum")


def open_faces():
    """Gas that reaches up to an open face is warned of, not at walls or periodic axes."""
    config = setups.text("Box", 2, 0.05, (0, 0), (1, 1), 1.0,
                         [setups.box((0, 0), (1, 1), 1.0, pressure=1.0)], periodic=[False, True])
    said = Case(config).run("open", time__max_steps=1).log
    ok('reaches the open faces "x-", "x+" of the domain' in said, "open faces are warned of", said)
    said = Case(config).run("closed", time__max_steps=1, domain__periodic=[True, True]).log
    ok("open face" not in said, "periodic ones are not", said)


def bucket():
    """A dense ball in gas of spacings four times as long, in one frame. bucket sorts it in four
    parts and merges them; it sums in another order than window."""
    config = setups.text("Ball", 3, 1 / 48, (-0.5,) * 3, (0.5,) * 3, 1.0, [
        setups.box((-0.5,) * 3, (0.5,) * 3, 1 / 64, pressure=1.0),
        setups.ball(3, 0.3, 1.0, pressure=0.1)])
    cases = {name: Case(config, **{**STRATEGY, "backend__strategy": name})
             for name in ("bucket", "window")}
    run, other, window = together(
        lambda: cases["bucket"].run("bucket", time__max_steps=8),
        lambda: cases["bucket"].run("bucket-2", threads=2, time__max_steps=8),
        lambda: cases["window"].run("bucket-window", time__max_steps=8))
    same(run, other, "bucket: the same bits with 1 and 2 threads")
    half = cases["bucket"].run("bucket-half", time__max_steps=4)
    same(run, restart(half.path, time__max_steps=8, backend__threads=2),
         "bucket: the same bits after a restart")
    a, b = (r.state(by_id=True) for r in (run, window))
    for field in ("acceleration", "rate", "smoothing"):
        one, other = a[f"fluid/{field}"], b[f"fluid/{field}"]
        at_most(largest(one - other) / largest(other), 1e-12, f"bucket: {field} as with window")


def auto():
    """auto measures a gas, and then the run is that of the strategy it took, to the bit. A short
    run of spacings that differ takes bucket by the rule."""
    bins = {"output__checkpoint_every_s": 0.0, "backend__bins": [8, 2, 2]}
    blast = Case("configs/sedov.cfg", spacing=0.0625, time__cfl=0.05, **bins)
    run = blast.run("auto", backend__auto_share=1.0, backend__auto_cache=False)
    said = run.log
    ok("auto: bucket " in said and "(measured in" in said, "auto measures window and bucket", said)
    taken = re.search(r"auto: from step 0 on (\w+)", said)[1]
    different = [name for name in differences(run, blast.run("taken", backend__strategy=taken))
                 if not name.startswith("run/Auto")]
    ok(not different, f"auto: the bits of {taken}", str(different))
    config = setups.text("Ball", 3, 0.03, (-0.5,) * 3, (0.5,) * 3, 1.0, [
        setups.box((-0.5,) * 3, (0.5,) * 3, 1 / 64, pressure=1.0),
        setups.ball(3, 0.3, 1.0, pressure=1.0)])
    said = Case(config).run("rule", time__max_steps=2).log
    ok("auto: from step 0 on bucket" in said, "auto: bucket, if spacings differ fourfold", said)


def isothermal():
    """An isothermal gas keeps u; the heat that leaves it is in the budget."""
    config, _ = setups.tube("Tube", 24, (1, 1, 0), (0.25, 0.25, 0), (0.5, 0.6), 0.1,
                            gas={"heat": "isothermal"})
    run = Case(config).run("isothermal")
    start, gas = next(profiles.gases(run)), profiles.last(run)
    ok(np.array_equal(start.u, gas.u), "isothermal: no particle changes its u")
    check_sums(run, "isothermal", float(np.sum(gas.m * np.abs(gas.v[:, 0]))), 1e-3)


tube()
blast()
sound()
densities()
cloud()
isothermal()
open_faces()
bucket()
auto()
finish()
