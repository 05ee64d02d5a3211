#!/usr/bin/env python3
# test: 25 s
"""sluice check --ranks and bench scaling --ranks: counts against closed forms or a run; wrong
options; and the tables of docs/scaling.md, which the program writes."""

import json
import os
import re
import shutil
import subprocess
import sys

from case_run import SLUICE, Case, finish, ok, scratch
from tap import ROOT

CUBE = """model = "wcsph"; dimension = 3; spacing = 0.0625; kernel = { h_over_dp = 2.0; };
domain = { min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.0]; periodic = [true, true, true]; };
fluid = { sound_speed = 10.0; };
geometry = ( { shape = "box"; type = "fluid"; min = [0.0, 0.0, 0.0]; max = [2.0, 1.0, 1.0]; } );
time = { end = 1.0; }; output = { every = 0.0; }; energy = { reference = 1.0; };
backend = { name = "cpu"; };
"""
DAM = os.path.join(ROOT, "configs/dam_break.cfg")
cube = Case(CUBE).path


def sluice(*words, expect=0):
    done = subprocess.run([SLUICE, *words], capture_output=True, text=True)
    ok(done.returncode == expect, f"{' '.join(words[:2])}: exit {expect}", done.stderr)
    return done


def plans(*words):
    return json.loads(sluice("check", *words, "--json", "--quiet").stdout)["plans"]


# 32 x 16 x 16 particles. A cut at x = 1; the other face is the period's. Four layers lie within
# two h.
one, two = plans(cube, "--ranks", "1,2")
ok(one["own_particles"]["most"] == 8192 and one["copies"]["most"] == 0, "one rank has no halo")
ok(one["predicted"][0]["efficiency"] == 1, "and is as fast as itself")
ok(two["own_particles"]["least"] == two["own_particles"]["most"] == 4096, "two divide evenly")
ok(two["copies"]["least"] == two["copies"]["most"] == 2 * 4 * 256, "a halo of four layers a side")
ok(abs(two["halo_share"] - 1 / 3) < 1e-12, "a third of a rank's particles")
state = 86 - 24  # bytes: src/particles/fields.h
sent = two["bytes_sent_a_step"]["most"]
ok(sent % 2048 == 0 and sent / 2048 >= state,
   f"each sort sends whole halo particles: {sent / 2048:.0f} B")
for machine in two["predicted"]:
    speedup = machine["seconds_a_step_alone"] / machine["seconds_a_step"]
    ok(abs(speedup - 2 * machine["efficiency"]) < 1e-9, f"{machine['machine']}: its efficiency")

many = plans(cube, "--ranks", "2,8", "-n", "8192000")
for plan in many:
    share = plan["own_particles"]["mean"] * plan["ranks"] / 8192000
    ok(abs(share - 1) < 1e-6, f"{plan['ranks']} ranks have all particles that -n asks for")
layers = 2 * 4 * (256 * 100)  # a spacing of a tenth
ok(abs(many[0]["copies"]["mean"] / layers - 1) < 0.1, "their halo is as much thinner")
few, ids = plans(cube, "--ranks", "2,512", "-n", "16000000", "--weak")
ok(abs(few["particles"] - 32e6) < 1 and few["ids_suffice"], "--weak: so many a rank")
ok(not ids["ids_suffice"], "8 G particles have no ids")
has = sluice("check", cube, "--ranks", "512", "-n", "8000000000", "--json").stdout
ok('"ids_suffice": false' in has, "as JSON says")
said = sluice("check", cube, "--ranks", "2", "-n", "8000000000").stdout
ok("such a case cannot run" in said, "and text", said)
ok("too few places" not in said, "its halo is counted at enough places", said)
said = sluice("check", cube, "--ranks", "2", "-n", "1000000000000000").stdout
ok("too few places" in said, "fewer are not taken in silence", said)

ok("plans" not in json.loads(sluice("check", cube, "--json").stdout), "without --ranks no plan")
for words, text in (
    (("--ranks", "0"), "whole numbers from 1"),
    (("--ranks", "2,x"), "separated by commas"),
    (("-n", "100"), "give --ranks"),
    (("--ranks", "2", "--weak"), "give --particles"),
):
    said = sluice("check", cube, *words, expect=2).stderr
    ok(text in said, f"{' '.join(words)} is refused", said)

info = json.loads(sluice("info", "--json").stdout)
with_mpi = info["mpi"] and shutil.which(info["mpirun"])
if with_mpi:
    (plan,) = plans(DAM, "--ranks", "2")
    log = Case("configs/dam_break.cfg", time__max_steps=1).run("held", ranks=2).log
    held = sum(int(n) for n in re.findall(r"(?:fluid|wall): (\d+) particles of", log))
    own, copies = plan["own_particles"], plan["copies"]
    sums = [a + b for a in (own["least"], own["most"]) for b in (copies["least"], copies["most"])]
    ok(held in sums, f"a run holds what was planned: {held}", str(sums))

csv = os.path.join(scratch, "ranks.csv")
words = ["bench", "scaling", "-n", "4000", "-t", "1", "-r", "2", "--set", "time.max_steps=4"]
words += ["--backend", "cpu", "--weak", "--ranks"]
said = json.loads(sluice(*words, "1,2" if with_mpi else "1", "--json", "--csv", csv).stdout)
rows = said["rows"]
ok([row["particles"] / row["ranks"] for row in rows] == [4096] * len(rows), "weak: as much a rank")
ok(all(r["least_seconds"] <= r["median_seconds"] <= r["most_seconds"] for r in rows), "medians")
ok(all(r["predicted_seconds"] > 0 and r["pairs_per_second"] > 0 for r in rows), "all columns")
with open(csv, encoding="utf-8") as file:
    lines = file.read().splitlines()
ok(len(lines) == 1 + len(rows) and len({line.count(",") for line in lines}) == 1, "rows of CSV")
said = sluice("bench", "scaling", "nowhere", "--ranks", "1", expect=2).stderr
ok("has no case 'nowhere'" in said, "an unknown case is refused", said)
said = sluice("bench", "pair", "--ranks", "2", expect=2).stderr
ok("only `bench scaling` has --ranks" in said, "other benchmarks have no ranks", said)
words[2:4] = [os.path.join(ROOT, "configs/drop.cfg")]
said = sluice(*words, "2", expect=2)
refusal = "only cases of boxes" if with_mpi else "this build has no MPI"
ok(refusal in said.stderr, f"refused: {refusal}", said.stderr)

tool = [sys.executable, os.path.join(ROOT, "tools/expected_scaling.py"), "--check", SLUICE]
done = subprocess.run(tool, capture_output=True, text=True)
said = done.stdout + done.stderr
ok(done.returncode == 0, "docs/scaling.md has this program's predictions", said)
finish()
