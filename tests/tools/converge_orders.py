#!/usr/bin/env python3
# test: 31 s, slow
"""sluice converge: orders and error bars of exact sequences, what is taken from the tables, and a
whole comparison whose limit is known."""

import json
import math
import os
import subprocess
import sys

from case_run import ROOT, SLUICE, at_most, finish, np, ok, scratch, within

from converge import numbers_of_runs, order, report, spacings  # noqa: E402, I100
import sluice  # noqa: E402
from plot import measure  # noqa: E402

CONFIGS = os.path.join(ROOT, "configs")
RATIOS = {"equal ratios": (4.0, 2.0, 1.0), "unequal ratios": (3.0, 1.6, 1.0),
          "others": (0.05, 0.02, 0.0125)}


def values_of(steps, limit, factor, p):
    return [limit + factor * h**p for h in steps]


def test_exact_sequences():
    """f0 + C h^p. The root is found to 1e-12; rounding of the values, 1e-16 of 10 against
    differences of 0.01 and more, leaves 1e-13: gates of 1e-9 are far above both."""
    for name, steps in RATIOS.items():
        for p in (1.0, 2.0, 1.5, 0.3):
            judged = order.judge(steps, values_of(steps, 10.0, -2.0, p))
            ok(judged.verdict == order.CONVERGING, f"order {p:g}, {name}: converging", judged)
            at_most(judged.order - p, 1e-9, "the order")
            at_most(judged.extrapolated - 10, 1e-9, "the limit")
            wanted = 1.25 * 2 * min(steps) ** p  # 1.25 |f1 - f0|
            at_most(judged.error / wanted - 1, 1e-8, "the error bar is 1.25 of the error")
    one = order.judge((4, 2, 1), (1.0, 2.0, 2.5))
    ok(one == order.judge((1, 4, 2), (2.5, 1.0, 2.0)), "in any order of the runs", one)


def test_published():
    """The example of Celik et al. 2008, table 1, first column: reattachment length on 18000, 8000
    and 4500 cells, phi = 6.063, 5.972, 5.863; p = 1.53, phi_ext = 6.1685, GCI = 2.2%."""
    cells = (4500, 8000, 18000)
    judged = order.judge([n**-0.5 for n in cells], (5.863, 5.972, 6.063))
    # Printed with three to five digits.
    at_most(judged.order - 1.53, 0.005, "Celik et al. 2008: the order")
    at_most(judged.extrapolated - 6.1685, 0.0005, "the extrapolated value")
    at_most(judged.error / 6.063 - 0.022, 0.0005, "the grid convergence index")


def test_no_error_bar():
    def without(name, values, verdict, spread):
        judged = order.judge((4, 2, 1), values)
        ok(judged.verdict == verdict, f"{name}: {verdict}", judged)
        ok(math.isnan(judged.error) and math.isnan(judged.extrapolated), "no error bar, no limit")
        at_most(judged.spread - spread, 1e-12, "the spread")
        return judged

    judged = without("differences that grow", (0.0, 1.0, 4.0), order.DIVERGING, 4.0)
    at_most(judged.order + math.log2(3), 1e-9, "an order below 0 is said")
    without("differences that stay", (1.0, 2.0, 3.0), order.DIVERGING, 2.0)
    without("only the finest differs", (1.0, 1.0, 3.0), order.DIVERGING, 2.0)
    judged = without("signs that change, and shrink", (1.0, 2.0, 1.5), order.OSCILLATING, 1.0)
    ok(math.isnan(judged.order), "no order f0 + C h^p fits it")
    without("signs that change, and grow", (1.0, 1.5, 0.5), order.DIVERGING, 1.0)
    without("seven digits of float", (1.0, 1.0000005, 1.0), order.EQUAL, 5e-7)
    without("the finer two agree", (2.0, 1.0, 1.0), order.EQUAL, 1.0)
    for bad in (math.nan, math.inf):
        judged = order.judge((4, 2, 1), (1.0, bad, 1.0))
        ok(judged == order.Judgement(order.NONE) or judged.verdict == order.NONE,
           f"a value of {bad}: no number")


def test_beyond_formal():
    judged = order.judge((4, 2, 1), values_of((4, 2, 1), 10.0, 1.0, 4.0))
    ok(judged.verdict == order.CONVERGING, "order 4 converges")
    at_most(judged.order - 4, 1e-9, "and is said")
    difference = 2.0**4 - 1
    at_most(judged.error - difference, 1e-9, "its error bar takes order 2 and a factor of 3")
    ok(report.order_text(judged) == "4*", "and is marked")
    # Beyond 1.1^30 = 17, the steepest that is looked for: no number stands for the order.
    for values, said in (((0, 20, 21), ">30*"), ((0, 1, 21), "<-30")):
        judged = order.judge((1.21, 1.1, 1.0), values)
        ok(report.order_text(judged) == said, f"an unknown order: {said}", judged)


class Tables:
    """A run that exists as tables only."""

    units = {"pressure": "Pa", "length": "m", "flux": "m^3/s", "speed": "m/s"}

    def __init__(self, end, step):
        t = np.append(np.arange(0, end, step), end)
        wet = np.where(t > 0.2, 1.0, np.nan)
        self.tables = {
            "P": {"step": t, "time": t, "pressure": 2 * t, "weight": t},
            "tail": {"step": t, "time": t, "front": wet, "foremost": t},
            "gate": {"step": t, "time": t, "flux": 0 * t + 3},
            "row": {"step": t, "time": t, "vx_0": 0 * t + 3, "vx_1": 0 * t - 4, "weight_0": t},
            "other": {"step": t, "time": t, "something": t},
        }
        self.table = {"time": t, "kinetic": t, "potential": 7 + t, "pair": 0 * t, "residual": -t}

    def probes(self):
        return self.tables

    def energy(self):
        return dict(self.table)

    def has(self, name):
        return name == "energy.csv"

    reference_energy = 2.0


def test_tables():
    said = []
    runs = [Tables(1.0, 0.1), Tables(1.01, 0.02), Tables(1.02, 0.005)]
    series = numbers_of_runs.of_probes(runs, said.append)
    found = {
        (one.probe, one.column, what): (unit, values)
        for one in series + numbers_of_runs.of_energy(runs, said.append)
        for what, unit, values in one.numbers()
    }

    def measured(key, unit, value):
        have = found.pop(key, ("", [math.inf]))
        ok(have[0] == unit, f"{' '.join(key)} in {unit}", have)
        # Straight lines, which the trapezoidal rule and interpolation take exactly.
        at_most(max(abs(v - value) for v in have[1]), 1e-12, "of the time that all runs have")

    measured(("P", "", "mean"), "Pa", 1.0)
    measured(("P", "", "largest"), "Pa", 2.0)
    measured(("tail", "", "end"), "m", 1.0)
    measured(("gate", "", "total"), "m^3", 3.0)
    measured(("row", "rms vx", "mean"), "m/s", math.sqrt(12.5))
    measured(("row", "rms vx", "end"), "m/s", math.sqrt(12.5))
    measured(("energy", "kinetic", "end"), "ref", 0.5)
    measured(("energy", "potential change", "end"), "ref", 0.5)
    measured(("energy", "residual", "largest"), "ref", 0.5)
    missing = found.pop(("tail", "", "mean"))[1]
    ok(all(map(math.isnan, missing)), "a mean over rows without a value is no number", missing)
    ok(not found, "nothing else is measured", found)
    ok(said == ["probe other: no column of it is compared; it has something"],
       "a probe that is not compared is named", said)


def test_shapes():
    """A column of 0.4 by 0.6, a block that stands off the wall by 0.1, and a tank whose top is
    open."""
    case = {
        "domain_min": [-1.0, 0.0], "domain_max": [1.0, 1.0], "periodic": [False, False],
        "shapes": [
            {"asked_min": low, "asked_max": high, "bounded": bounded}
            for low, high, bounded in (([-1.0, 0.0], [-0.6, 0.6], [True, True]),
                                       ([-0.9, 0.0], [-0.4, 0.2], [True, True]),
                                       ([-1.0, 0.0], [1.0, 0.97], [True, False]))
        ],
    }
    shapes = spacings.Shapes(case)
    at_most(shapes.misfit(0.05), 1e-12, "0.05 divides all lengths")
    # 0.4 is 6 spacings, 0.6 is 9: 0.42 by 0.63; the block's 0.1 to 0.6 is 1 to 9, its 0.2 is 3.
    wanted = 0.56 * 0.21 / 0.1 - 1
    at_most(shapes.misfit(0.07) - wanted, 1e-12, "0.07 makes the block larger")
    # Halves go up: 0.2 and 1 are 0.5 and 2.5 spacings, and become 1 and 3.
    halves = spacings.Shapes(dict(case, shapes=[
        {"asked_min": [-0.8, 0.0], "asked_max": [0.0, 0.8], "bounded": [True, True]}]))
    at_most(halves.misfit(0.4), 1e-12, "0.2 to 1 in spacings of 0.4 is one to three")
    ok(shapes.best_near(0.05, 2.0) == 0.05, "a spacing that fits stays")
    ok(shapes.best_near(0.047, 2.0) == 0.05, "one that does not goes to the nearest that does")
    ok(shapes.best_near(0.047, 1.1) != 0.05, "but not far towards the next spacing")
    case["periodic"] = [True, False]
    case["domain_max"][0] = 1.02
    wide = spacings.Shapes(case)
    ok(wide.misfit(0.05) == math.inf, "a periodic length is a whole number of spacings")
    count = 2.02 / wide.best_near(0.05, 2.0)
    at_most(count - round(count), 1e-4, "and stays so")  # what the program allows


def converge(*words):
    """(exit code, standard output, standard error), in the scratch folder."""
    done = subprocess.run(
        [SLUICE, "converge", *words], cwd=scratch, env={**os.environ, "PYTHON": sys.executable},
        capture_output=True, text=True, check=False,
    )
    return done.returncode, done.stdout, done.stderr


STILL = (os.path.join(CONFIGS, "still_water.cfg"), "--set", "time.end=0.02", "--threads", "1")


def test_still_water():
    """The floor probe reads the pressure 0.7 spacings above the floor: an error of first order,
    whose limit is the exact pressure (docs/validation.md has the floor's to 0.3%)."""
    exact = measure.tait_floor_pressure(1000.0, 10 * math.sqrt(2 * 9.81), 7.0, 9.81, 1.0)
    words = (*STILL, "--spacings", "0.04,0.125,0.0625", "--out", "still")
    code, out, err = converge(*words, "--json")
    ok(code == 0, f"exit {code}", err)
    said = json.loads(out)
    ok([run["spacing"] for run in said["runs"]] == [0.125, 0.0625, 0.04], "coarse first", out)
    floor = said["numbers"][0]
    within(floor["order"], 0.9, 1.1, "the order of the floor's pressure")
    at_most(floor["extrapolated"] / exact - 1, 1e-3, "its limit, beside the exact pressure")
    at_most((floor["values"][-1] - exact) / floor["error"], 1.0, "which is within the error bar")

    table = sluice.read_table(os.path.join(scratch, "still", "converge.csv"))
    ok(len(table["order"]) == len(said["numbers"]) and abs(table["order"][0] - floor["order"])
       < 1e-6, "converge.csv has the same rows")
    import matplotlib.image

    image = matplotlib.image.imread(os.path.join(scratch, "still", "converge.png"))
    ok(min(image.shape[:2]) > 300 and len(np.unique(image[..., :3].reshape(-1, 3), axis=0)) > 50,
       "converge.png is a picture", image.shape)

    code, out, err = converge(*words)
    ok(code == 0 and "$ sluice run" not in err, "finished runs are used again", err)
    row = next((line for line in out.splitlines() if line.startswith("floor")), "")
    ok("mean (Pa)" in row and row.endswith("converging"), "the table names it", out)
    code, out, err = converge(*words, "--set", "fluid.viscosity.alpha=0.03")
    ok(code == 0 and err.count("$ sluice run") == 3, "but not with other keys", err)


def test_spacings():
    code, out, err = converge(*STILL, "--set", "spacing=0.125", "--finer", "--out", "finer",
                              "--json")
    have = [run["spacing"] for run in json.loads(out)["runs"]] if code == 0 else []
    ok(have == [0.125, 0.0625, 0.03125], f"--finer begins at the config's spacing {have}", err)
    code, _, err = converge(*STILL, "--spacings", "0.06,0.048,0.0384", "--set", "energy.every=0",
                            "--set", "time.max_steps=6", "--out", "near")
    ok(code == 0 and "closer than 1.3" in err, "near spacings give a warning", err)
    ok("shape 'water' changes its volume" in err and "1.0404 at 0.06" in err,
       "and so does another volume", err)
    ok("the energies are not compared" in err, "a run without a budget", err)
    ok("floor: the start is all" in err, "and runs that end before the probe's second row", err)


def test_refusals():
    for words, code, text in (
        (("--spacings", "1,2"), 2, "three different numbers"),
        (("--ratio", "20"), 2, "does not pass 'sluice check' at spacing="),
        (("--set", "time.step=0.01", "--set", "time.end=0.5", "--out", "blown"), 5, "blew up"),
    ):
        have, _, err = converge(*STILL, *words)
        ok(have == code and text in err, f"{' '.join(words)}: {text}", f"exit {have}\n{err}")
    have, _, err = converge("nosuch.cfg")
    ok(have == 3 and "cannot read the config 'nosuch.cfg'" in err and "--finer" not in err,
       "a config that is not there: no advice about spacings", err)
    have, out, err = converge(os.path.join(CONFIGS, "lennard_jones.cfg"), "--json")
    ok(have == 2 and "no spacing to refine" in err, "atoms have no spacing", err)
    ok(json.loads(out)["error"], "--json has an object for errors too", out)
    start = os.path.join(scratch, "start.csv")
    with open(start, "w") as file:
        file.write("x,y\n0.5,0.5\n")
    have, _, err = converge(*STILL, "--set", f'particles="{start}"')
    ok(have == 2 and "come from a file" in err, "particles of a file keep their spacing", err)


test_exact_sequences()
test_published()
test_no_error_bar()
test_beyond_formal()
test_tables()
test_shapes()
test_still_water()
test_spacings()
test_refusals()
finish()
