#!/usr/bin/env python3
"""Gain and cost of the program's numerics: compiles tools/numerics/study.c once a variant, runs
them and writes docs/numerics.md. Needs a C compiler and the source tree; `make numerics` calls it.

    tools/numerics.py [--quick] [--out FILE]
"""

import argparse
import math
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = {
    "SUM": "PACKED",
    "PLACE": "FRAMES",
    "DENSITY": "RELATIVE",
    "EOS": "HORNER",
    "PAIRS": "PLAIN",
    "LENGTH": "SQRT",
}
DOUBLE = {"double": True}
# Variants: name and difference from the program.
VARIANTS = {
    "double": DOUBLE,
    "as the program": {},
    "plain sums": {"SUM": "PLAIN"},
    "Kahan's sums": {"SUM": "KAHAN"},
    "as the program, 32 bits kept": {"SUM": "NEUMAIER"},
    "global positions": {"PLACE": "GLOBAL"},
    "global positions, plain sums": {"PLACE": "GLOBAL", "SUM": "PLAIN"},
    "absolute density": {"DENSITY": "ABSOLUTE"},
    "absolute density, plain sums": {"DENSITY": "ABSOLUTE", "SUM": "PLAIN"},
    "powers in the equation of state": {"EOS": "POWERS"},
    "absolute density, powers": {"DENSITY": "ABSOLUTE", "EOS": "POWERS"},
    "compensated pair sums": {"PAIRS": "NEUMAIER"},
    "hypot": {"LENGTH": "HYPOT"},
}
QUICK = [
    "double",
    "as the program",
    "plain sums",
    "global positions, plain sums",
    "absolute density",
    "powers in the equation of state",
]
FAR = 1e4  # radii from the origin


def build(folder, name):
    """Compiles a variant of the study, without contraction, so that all compilers agree."""
    keys = {**OURS, **VARIANTS[name]}
    flags = ["-DSLUICE_DOUBLE"] if keys.pop("double", False) else []
    flags += [f"-DSTUDY_{key}={value}" for key, value in keys.items()]
    program = os.path.join(folder, name.replace(" ", "-").replace("'", ""))
    subprocess.run(
        [*shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-O2", "-fno-math-errno"]
        + ["-ffp-contract=off", f"-I{ROOT}", f"-I{ROOT}/src", *flags]
        + [f"{ROOT}/tools/numerics/study.c", "-o", program, "-lm"],
        check=True,
    )
    return program


def run(program, *words):
    words = [program, *map(str, words)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def drop(program, across, steps, shift):
    """{word: number} as the program prints them."""
    words = run(program, "drop", across, steps, shift).split()
    return {words[k]: float(words[k + 1]) for k in range(0, len(words), 2)}


def column(program):
    return [[float(x) for x in line.split()] for line in run(program, "column").splitlines()]


def rms(values):
    values = list(values)
    return math.sqrt(sum(x * x for x in values) / len(values))


def noise(rows, exact):
    """RMS errors against double: acceleration over g, pressure over rho0 g H."""
    pairs = list(zip(rows, exact))
    return (
        rms(one[c] - other[c] for one, other in pairs for c in (0, 1)),
        rms(one[2] - other[2] for one, other in pairs),
    )


def measure(names, across, steps, repeats):
    """{name: {near, far, momentum, seconds, acceleration, pressure}}."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(folder, name) for name in names}
        exact = column(programs["double"])
        for name, program in programs.items():
            near, far = (drop(program, across, steps, shift) for shift in (0, FAR))
            acceleration, pressure = noise(column(program), exact)
            found[name] = {
                "near": near["residual"],
                "far": far["residual"],
                "momentum": near["momentum"],
                "particles": int(near["particles"]),
                "acceleration": acceleration,
                "pressure": pressure,
            }
        for _ in range(repeats):  # the variants take turns, and each has its least time: other work
                                  # only adds to it
            for name, program in programs.items():
                seconds = drop(program, across, max(steps // 20, 1), 0)["seconds"]
                found[name]["seconds"] = min(seconds, found[name].get("seconds", math.inf))
    return found


def table(found):
    lines = [
        "| variant | residual, at the origin | residual, 1e4 radii away | momentum "
        "| acceleration, g | pressure, rho0 g H | time a step |",
        "|---|---|---|---|---|---|---|",
    ]
    ours = found["as the program"]["seconds"]
    for name, row in found.items():
        far = "blows up" if math.isinf(row["far"]) else f"{row['far']:.1e}"
        noise_of = ("0", "0") if name == "double" else (
            f"{row['acceleration']:.1e}", f"{row['pressure']:.1e}")
        lines.append(
            f"| {name} | {row['near']:.1e} | {far} | {row['momentum']:.1e} "
            f"| {noise_of[0]} | {noise_of[1]} | {row['seconds'] / ours:.2f} |"
        )
    return "\n".join(lines) + "\n"


def write(path, found, steps):
    """Writes the table between the two marks of the page; the rest of the page stays."""
    with open(path) as file:
        text = file.read()
    before, rest = text.split("<!-- table -->\n")
    after = rest.split("<!-- end of table -->\n")[1]
    said = f"{found['double']['particles']} particles, {steps} steps:\n\n"
    with open(path, "w") as file:
        file.write(
            f"{before}<!-- table -->\n{said}{table(found)}<!-- end of table -->\n{after}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="a small drop, few steps and variants")
    parser.add_argument("--out", help="the page to write the table into; else it is printed")
    arguments = parser.parse_args()
    across, steps = (8, 1500) if arguments.quick else (12, 10000)
    names = QUICK if arguments.quick else list(VARIANTS)
    found = measure(names, across, steps, 1 if arguments.quick else 5)
    if arguments.out:
        write(arguments.out, found, steps)
    else:
        sys.stdout.write(table(found))


if __name__ == "__main__":
    main()
