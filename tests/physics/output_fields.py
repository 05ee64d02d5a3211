#!/usr/bin/env python3
# test: 2 s, emulator, mpi
"""Fields of effects in snapshots and probes: each against its formula, summed over all pairs, or
the distance from a wall; devices, ranks, restarts, precision and compression; refusals."""

import json
import os
import re
import shutil
import subprocess

import h5py

from case_run import SLUICE, Case, at_most, finish, largest, np, ok, restart, scratch

C0, RHO, DP, H = 10.0, 1000.0, 0.1, 0.15  # H: h_over_dp = 1.5, the default
VORTEX = [[0.1, 0.5, 0.3], [-0.2, 0.2, 0.7], [0.4, -0.1, -0.3]]  # grad v, 1/s: no symmetry

# A block of water in space, with a density that varies along each axis.
BLOCK = f"""model = "wcsph"; dimension = 3; spacing = {DP};
domain = {{ max = [2.0, 2.0, 2.0]; }};
fluid = {{ sound_speed = {C0}; viscosity = {{ kind = "sps"; nu = 1e-6; }};
    diffusion = {{ kind = "antuono"; }}; shifting = {{ kind = "everywhere"; }}; }};
geometry = ( {{ shape = "box"; type = "fluid"; min = [0.5, 0.5, 0.5]; max = [1.3, 1.1, 1.2]; }} );
initial = (
    {{ field = "density"; kind = "quadratic"; value = 1000.0; curvature = 40.0;
       centre = [0.4, 0.7, 0.5]; }},
    {{ field = "velocity"; kind = "linear"; gradient = ({VORTEX[0]}, {VORTEX[1]}, {VORTEX[2]});
       centre = [0.9, 0.8, 0.85]; }}
);
time = {{ end = 0.05; }}; output = {{ every = 0.01; precision = "double";
    fields = ["sub_particle_stress", "head_gradient", "shift"]; }};
energy = {{ tolerance = 1e6; }}; backend = {{ name = "cpu"; precision = "double"; }};
"""
MIXING = 0.2
FLOOR = f"""model = "wcsph"; dimension = 2; spacing = 0.05; gravity = [0.5, -9.81];
domain = {{ max = [1.0, 1.5]; periodic = [true, false]; }};
fluid = {{ sound_speed = 30.0; diffusion = {{ filter = 2.0; }};
    shifting = {{ kind = "inside"; }}; }};
boundary = {{ slip = "wall-law"; mixing_length = {MIXING}; }};
geometry = (
    {{ name = "water"; shape = "box"; type = "fluid"; min = [0.0, 0.0]; max = [1.0, 1.0]; }},
    {{ name = "floor"; shape = "walls"; sides = ["bottom"]; }}
);
probes = (
    {{ name = "length"; kind = "point"; quantity = "mixing_length"; at = [0.5, 0.75];
       every = 0.05; }},
    {{ name = "shift"; kind = "line"; quantity = "shift"; from = [0.2, 0.2]; to = [0.2, 0.6];
       points = 3; every = 0.05; }},
    {{ name = "head"; kind = "point"; quantity = "mean_head"; at = [0.5, 0.5]; every = 0.05; }},
    {{ name = "pressure"; kind = "point"; at = [0.5, 0.5]; every = 0.05; }}
);
time = {{ end = 0.2; }};
output = {{ every = 0.05; fields = ["mixing_length", "mean_head", "shift"]; }};
backend = {{ name = "cpu"; }};
"""


# --- The formulas, over all pairs of a block without walls, with Wendland C2 ---

class Pairs:
    """d, r and F = dW/dr/r of all pairs within 2 h; F = 0 of a particle with itself."""

    def __init__(self, x, dimension):
        self.d = x[:, None, :] - x[None, :, :]
        r = np.linalg.norm(self.d, axis=2)
        q = np.minimum(r / H, 2)
        alpha = 7 / (4 * np.pi * H**2) if dimension == 2 else 21 / (16 * np.pi * H**3)
        self.w = alpha * (1 - q / 2) ** 4 * (2 * q + 1)
        self.f = -5 * alpha / H**2 * (1 - q / 2) ** 3
        q = DP / H
        self.w_dp = alpha * (1 - q / 2) ** 4 * (2 * q + 1)


def stress(pairs, fluid):
    """tau over rho^2, as xx, yy, zz, xy, yz, xz: kernels/pair/wcsph_gradients.h."""
    v = fluid.velocity[:, None, :] - fluid.velocity[None, :, :]
    m, rho = fluid.mass[0], fluid.density
    gradient = -np.einsum("ija,ij,ijb->iab", v, m * pairs.f, pairs.d) / rho[:, None, None]
    strain = (gradient + np.swapaxes(gradient, 1, 2)) / 2
    square = 2 * np.sum(strain**2, axis=(1, 2))
    nu = (0.12 * DP) ** 2 * np.sqrt(square)
    trace = np.trace(strain, axis1=1, axis2=2)
    tau = 2 * nu[:, None, None] * strain
    tau -= (2 / 3 * (nu * trace + 0.00066 * DP**2 * square))[:, None, None] * np.eye(3)
    return np.stack([tau[:, a, b] / rho for a, b in
                     ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))], axis=1)


def head_of(density):
    """The specific enthalpy of the Tait equation, gamma = 7, over c0^2."""
    return ((density / RHO) ** 6 - 1) / 6


def head_gradient(pairs, fluid):
    e = head_of(fluid.density)
    n = -np.einsum("ij,ija,ijb->iab", pairs.f, pairs.d, pairs.d)
    g = np.einsum("ij,ija->ia", pairs.f * (e[None, :] - e[:, None]), pairs.d)
    return np.linalg.solve(n, g[:, :, None])[:, :, 0]


def shift(pairs, fluid, dt):
    """Sun et al. 2017: kernels/pair/pair_shift.h."""
    volume = fluid.mass[0] / fluid.density
    weight = volume[None, :] * (1 + 0.2 * (pairs.w / pairs.w_dp) ** 4) * pairs.f
    dx = -4 * C0 / 10 * H * dt * np.einsum("ij,ija->ia", weight, pairs.d)
    length = np.linalg.norm(dx, axis=1)[:, None]
    return dx * np.minimum(1, 0.05 * DP / np.maximum(length, 1e-300))


def check_block():
    run = Case(BLOCK).run("block", time__max_steps=12, output__every=0.002)
    first, last = run[0], run[-1]
    pairs = Pairs(first.fluid.position, 3)
    for name, wanted in (("sub_particle_stress", stress(pairs, first.fluid)),
                         ("head_gradient", head_gradient(pairs, first.fluid))):
        found = first.fluid.field(name)
        ok(found.dtype == np.float64 and found.shape == wanted.shape, f"{name}: {found.shape}")
        # Sums in another order: rounding alone.
        at_most(largest(found - wanted) / largest(wanted), 1e-10, f"{name} is its formula's")
    ok(not first.fluid.shift.any(), "nothing was shifted before the first step")
    pairs = Pairs(last.fluid.position - last.fluid.shift, 3)
    wanted = shift(pairs, last.fluid, last.header["TimeStep"])
    # The shift has the predicted density, which differs by the square of the step: 1e-4 of it.
    at_most(largest(last.fluid.shift - wanted) / largest(wanted), 1e-3, "and so is the shift")
    for name, unit in (("sub_particle_stress", "m^5/(kg s^2)"), ("head_gradient", "1/m"),
                       ("shift", "m")):
        ok(last.fluid.unit(name) == unit, f"{name}: {last.fluid.unit(name)}")
    return run


# --- Water over a floor ---

def wanted_length(fluid):
    """The table of lengths is linear between its nodes, so that it is exact but where it bends."""
    y = fluid.position[:, 1] - fluid.shift[:, 1]  # where the forces were found
    bend = np.abs(y - MIXING / 0.41) < 0.05
    return np.where(bend, np.nan, np.minimum(0.41 * np.abs(y), MIXING)), y


def check_floor():
    run = Case(FLOOR).run("floor")
    for snapshot in (run[0], run[-1]):
        wanted, y = wanted_length(snapshot.fluid)
        found = snapshot.fluid.mixing_length
        far = y > 0.03  # nearer, a wall particle's corner may be nearer than the floor
        at_most(np.nanmax(np.abs((found - wanted)[far])) / MIXING, 1e-6,
                f"t = {snapshot.time:.2g}: 0.41 times the distance, at most {MIXING}")
        ok(np.isfinite(found).all() and np.all(found <= MIXING * (1 + 1e-6)),
           "all fluid has lengths")
        walls = snapshot.walls
        ok(np.isnan(walls.mixing_length).all() and np.isnan(walls.shift).all() and len(walls) > 0,
           "walls, which have no such fields, have NaN")
        ok(not snapshot.fluid.shift[:, 2].any(), "z of a vector is 0 in 2-D")
    fluid = run[0].fluid
    x, g = fluid.position, np.array([0, -9.81, 0])  # x is periodic
    rest = fluid.mean_head - head_of(fluid.density) + x @ g / 30.0**2
    at_most(largest(rest - rest.mean()), 1e-6, "the mean head begins as the head less g.x/c0^2")
    # x counts from the lower corner of the domain with its three layers of walls.
    at_most(rest.mean() - g @ [0, 0.15, 0] / -30.0**2, 1e-6, "and its constant")
    ok(largest(run[-1].fluid.mean_head - fluid.mean_head) > 0, "and follows it")
    return run


def mean_at(fluid, values, at, h):
    """What a probe has: Shepard's mean with Wendland C2."""
    q = np.linalg.norm(fluid.position[:, : len(at)] - at, axis=1) / h
    weight = np.where(q < 2, (1 - q / 2) ** 4 * (2 * q + 1), 0) / fluid.density
    return weight @ values / weight.sum()


def check_probes(run):
    table = run.probe("length")
    at_most(largest(table["mixing_length"] / MIXING - 1), 1e-6, "a point far from the floor")
    table = run.probe("shift")
    ok([name for name in table if name not in ("step", "time")] ==
       [f"{name}_{n}" for n in range(3) for name in ("shift_x", "shift_y", "weight")],
       "a line of vectors: a column for each component", list(table))
    ok(largest(table["shift_y_1"]) > 0, "which has values")
    fluid = run[-1].fluid
    for name, field in (("head", "mean_head"), ("pressure", "pressure")):
        mean = mean_at(fluid, fluid.field(field), [0.5, 0.5], 1.5 * 0.05)
        at_most(run.probe(name)[field][-1] / mean - 1, 1e-5, f"{field} at a point")
    columns = {}
    for dimension, text in ((3, BLOCK), (2, None)):
        if text is None:
            text = BLOCK.replace("dimension = 3", "dimension = 2")
            text = re.sub(r"\[([^],\[]+), ([^],]+), [^],]+\]", r"[\1, \2]", text)
            text = re.sub(r"gradient = \((.*?\]), (.*?\]), .*?\)", r"gradient = (\1, \2)", text)
        at = [0.9, 0.8, 0.85][:dimension]
        text += f"""probes = ( {{ name = "P"; kind = "point"; quantity = "sub_particle_stress";
            at = {at}; every = 1.0; }} );"""
        run = Case(text).run(f"stress-{dimension}", time__max_steps=1)
        table = run.probe("P")
        columns[dimension] = [name.rpartition("_")[2] for name in table
                              if name.startswith("sub_particle_stress_")]
        fluid = run[0].fluid
        found = np.array([table[f"sub_particle_stress_{c}"][0] for c in columns[dimension]])
        wanted = mean_at(fluid, fluid.sub_particle_stress, at, H)
        order = ["xx", "yy", "zz", "xy", "yz", "xz"]
        wanted = wanted[[order.index(c) for c in columns[dimension]]]
        at_most(largest(found - wanted) / largest(wanted), 1e-10, f"a tensor, {dimension}-D")
    ok(columns == {3: ["xx", "yy", "zz", "xy", "yz", "xz"], 2: ["xx", "yy", "xy"]},
       "a column for each component", columns)


# --- The same bits ---

NAMES = ("MixingLength", "MeanHead", "Shift")


def arrays(run, names=NAMES):
    """The arrays of the last snapshot, as bytes."""
    with h5py.File(run[-1].path) as file:
        return [file[f"VTKHDF/PointData/{name}"][:].tobytes() for name in names]


def names_of(path):
    with h5py.File(path) as file:
        return set(file["VTKHDF/PointData"])


def check_same(run):
    case = Case(FLOOR)
    half = case.run("half", time__end=0.1)
    again = restart(half.path, time__end=0.2)
    ok(arrays(again) == arrays(run), "a restart goes on with the same fields")
    plain = case.run("plain", output__compression=0, threads=2)
    ok(arrays(plain) == arrays(run), "without compression, with two threads: the same bits")
    wide = case.run("wide", output__precision="double")
    same = np.array_equal(wide[-1].fluid.mixing_length.astype(np.float32),
                          run[-1].fluid.mixing_length)
    ok(same and wide[-1].fluid.mixing_length.dtype == np.float64, "output in double")
    checkpoint = next(name for name in sorted(os.listdir(run.path)) if name.startswith("check"))
    ok(names_of(os.path.join(run.path, checkpoint)) >= set(NAMES), "checkpoints show them, too")
    off = case.run("off", output__fields=[])
    ok(not names_of(off[-1].path) & set(NAMES), "no fields asked for: no arrays")
    for file in ("energy.csv", "probe_shift.csv"):
        ok(off.bytes_of(file) == run.bytes_of(file), f"and the same bits of {file}")
    one = case.run("one", output__fields="shift")
    ok(names_of(one[-1].path) & set(NAMES) == {"Shift"}, "a single word")
    ok(arrays(one, ["Shift"]) == [arrays(run)[2]], "gives that array")


def about():
    return json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True,
                                     text=True).stdout)


def check_devices():
    """Every other backend that runs here, against the CPU: the same sums in another order. In float
    the shift is a small difference of large sums."""
    for name in (b["name"] for b in about()["backends"] if b["usable"] and b["name"] != "cpu"):
        for precision, gate in (("double", 1e-10), ("float", 1e-3)):
            for text, word in ((FLOOR, "floor"), (BLOCK, "block")):
                case = Case(text, backend__precision=precision, time__max_steps=12,
                            output__every=0.002)
                one = case.run(f"{word}-{precision}-cpu")[-1].fluid
                other = case.run(f"{word}-{precision}-{name}", backend__name=name)[-1].fluid
                for field in words_of(text):
                    a, b = one.field(field), other.field(field)
                    at_most(largest(a - b) / largest(a), gate,
                            f"{name}, {word}, {precision}: {field} as on the CPU")


def words_of(text):
    return re.findall(r'"(\w+)"', re.search(r"fields = (\[.*\]);", text).group(1))


def check_ranks(run):
    info = about()
    if not info["mpi"] or not shutil.which(info["mpirun"]):
        return
    for ranks in (2, 3):
        parts = Case(FLOOR).run(f"ranks-{ranks}", ranks=ranks)
        ok(arrays(parts) == arrays(run), f"{ranks} ranks: the same arrays")
        again = restart(Case(FLOOR).run(f"part-{ranks}", ranks=ranks, time__end=0.1).path,
                        ranks=5 - ranks, time__end=0.2)
        ok(arrays(again) == arrays(run), f"restarted on {5 - ranks}, too")
        ok(parts.bytes_of("probe_shift.csv") == run.bytes_of("probe_shift.csv"), "and probes")


# --- What is refused ---

def refused(text, *says, word="check"):
    path = os.path.join(scratch, "refused.cfg")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run([SLUICE, word, path], capture_output=True, text=True)
    line = next((line for line in done.stderr.splitlines() if all(s in line for s in says)), None)
    ok(done.returncode == 2 and line, f"refused: {says[-1]}", done.stderr)


def check_refusals():
    fields = re.search(r"fields = (\[.*\]);", FLOOR).group(1)
    line = FLOOR[:FLOOR.index("fields = [")].count("\n") + 1
    refused(FLOOR.replace(fields, '["mixing_lengths"]'), f"refused.cfg:{line}: output.fields",
            'did you mean "mixing_length"')
    refused(FLOOR.replace(fields, '["vorticity"]'), '"vorticity" is no choice',
            '"sub_particle_stress", "head_gradient", "mean_head", "shift", '
            '"gradient_correction" or "mixing_length"')
    refused(FLOOR.replace(fields, '["shift", "shift"]'), '"shift" is named twice')
    refused(FLOOR.replace(fields, "3"), "output.fields", 'write it as ["')
    refused(FLOOR.replace("mixing_length = 0.2;", ""), f"refused.cfg:{line}: output.fields",
            '"mixing_length" is a field that this run does not have',
            "it comes with boundary.mixing_length above 0")
    refused(FLOOR.replace("mixing_length = 0.2;", ""), "probes.[0].quantity",
            "it comes with boundary.mixing_length above 0")
    refused(FLOOR.replace('"mean_head"; at', '"head_gradient"; at'), "probes.[2].quantity",
            'it comes with fluid.diffusion.kind = "antuono"')


def check_plan():
    """Where the disk is the slowest, a step takes as long as its part of a snapshot."""
    said = subprocess.run([SLUICE, "check", Case(BLOCK).path, "--ranks", "64", "-n", "10000000",
                           "--json", "--set", "output.every=1e-5"], capture_output=True, text=True)
    plan = json.loads(said.stdout)["plans"][0]
    machine = next(m for m in plan["predicted"] if m["machine"] == "h100")
    steps = (plan["particles"] / 336) ** (1 / 3)  # of a snapshot: a finer spacing has more
    found = machine["seconds_a_step"] * 1e10 * steps / plan["particles"]
    at_most(found / (41 + 12 * 8) - 1, 1e-3, f"a plan counts 12 doubles more: {found:.1f} bytes")


check_devices()
if os.environ.get("SLUICE_TEST_BACKEND") in (None, "cpu"):
    check_block()
    floor = check_floor()
    check_probes(floor)
    check_same(floor)
    check_ranks(floor)
    check_refusals()
    check_plan()
finish()
