#!/usr/bin/env python3
# test: 10 s
"""More motions than parameters of a kernel hold: a row of paddles side by side in 3-D, beside a
floating box. They move as one motion moves them all; with phases each where its own maker has it;
the same bits on one and two threads, and after a restart; too many are refused."""

import math

from case_run import Case, differences, finish, np, ok, restart
from rank_cases import FLAPS, snake

KEYS = {"backend__strategy": "window", "output__checkpoint_every_s": 0.0, "time__max_steps": 60}
PADDLES = 20


def shared_arrays(run):
    """Without the names of groups and motions, and the digest of the motions' tables."""
    state = run.state()
    return {key: state[key] for key in state
            if not key.endswith(("motion", "group", "MotionTables"))}


def test_as_one(name, keys):
    """The motions come from the table, the single one from the parameters."""
    many = Case(snake(PADDLES, keys), **KEYS).run(f"{name}-many")
    one = Case(snake(PADDLES, keys, one=True), **KEYS).run(f"{name}-one")
    a, b = shared_arrays(many), shared_arrays(one)
    different = [key for key in b if key not in a or a[key].tobytes() != b[key].tobytes()]
    ok(len(b) > 10 and not different, f"{name}: {PADDLES} motions, and one of all: the same bits",
       str(different))
    ok(many.bytes_of("body_float.csv") == one.bytes_of("body_float.csv"), f"{name}: the body, too")


test_as_one("pistons", "")
test_as_one("flaps", FLAPS)


def test_phases(run):
    """A fifth of a turn from paddle to paddle: those five apart move alike, neighbours do not."""
    state = run.state()
    speed = [state["wall/velocity"][state["wall/motion"] == 1 + n] for n in range(PADDLES)]
    fastest = max(np.abs(one).max() for one in speed)
    alike = max(np.abs(speed[n + 5] - speed[n]).max() for n in range(PADDLES - 5))
    apart = min(np.abs(speed[n + 1] - speed[n]).max() for n in range(PADDLES - 1))
    ok(fastest > 0.05 and alike < 1e-6 * fastest and apart > 0.1 * fastest,
       f"flaps with phases: the fastest {fastest:.3g} m/s; five apart differ by {alike:.2g}, "
       f"neighbours by {apart:.2g}")


case = Case(snake(PADDLES, FLAPS, 2 * math.pi / 5), **KEYS)
whole = case.run("whole")
test_phases(whole)
threads = case.run("threads", threads=2)
ok(not differences(whole, threads), "flaps with phases: 1 and 2 threads",
   str(differences(whole, threads)))
half = case.run("half", time__max_steps=30)
again = restart(half.path, time__max_steps=60)
ok(not differences(whole, again), "restarted: the same as one run", str(differences(whole, again)))
crowd = Case(snake(1025, "")).run("crowd", expect=(2,))
ok("motions: 1025 entries, at most 1024" in crowd.said, "1025 motions are refused", crowd.said)
finish()
