#!/usr/bin/env python3
# test: 3 s
"""References of the validation of an ideal gas: exact solutions, means, jumps and sums; and the
gates: exact solutions meet them, wrong ones do not."""

import math

from case_run import at_most, finish, np, ok, within

from validate.gas import blasts, lattice_waves, profiles, setups, shocks, sums  # noqa: E402, I100
from validate.gas.references import Noh, Riemann, Sedov, State, gresho, shear_mode  # noqa: E402
from validate.trial import Trial  # noqa: E402, I100

GAMMA = 1.4
# Toro 2009, chapter 4: p*, u*, densities beside the contact; and the speed of the shock.
TUBES = {
    "Sod's tube": (State(1, 1), State(0.125, 0.1), (.30313, .92745, .42632, .26557, 1.75216)),
    "the strong shock": (State(1, 1000), State(1, 0.01),
                         (460.894, 19.5975, .57506, 5.99924, 23.5175)),
}


def test_riemann():
    for name, (left, right, wanted) in TUBES.items():
        exact = Riemann(left, right, GAMMA)
        found = exact.p, exact.u, exact.rho_left, exact.rho_right, exact.shock_speed()
        off = max(abs(a / b - 1) for a, b in zip(found, wanted))
        at_most(off, 2e-5, f"{name}: its numbers, to the digits given")
        speed = exact.shock_speed()
        rho, u, p = exact.sample([speed - 1e-9, speed + 1e-9])
        mass = rho * (speed - u)
        at_most(mass[0] / mass[1] - 1, 1e-12, f"{name}: mass through the shock")
        change = p[0] - p[1] - mass[1] * (u[0] - u[1])
        at_most(change / exact.p, 1e-12, f"{name}: momentum through the shock")
        energy = GAMMA / (GAMMA - 1) * p / rho + (speed - u) ** 2 / 2
        at_most(energy[0] / energy[1] - 1, 1e-12, f"{name}: energy through the shock")
        head, tail = -exact.c_left, exact.tail_speed()
        speeds = np.linspace(head, tail, 50)
        rho, u, p = exact.sample(speeds)
        c = np.sqrt(GAMMA * p / rho)
        at_most(np.max(np.abs(u - c - speeds)) / exact.c_left, 1e-9,
                f"{name}: the fan is the characteristic u - c")
        entropy = p / rho**GAMMA / (left.p / left.rho**GAMMA)
        at_most(np.max(np.abs(entropy - 1)), 1e-12, f"{name}: the fan keeps the entropy")


def test_mirror():
    """A tube that is mirrored has the mirrored solution; a boost adds to all velocities."""
    left, right = State(1, 1), State(0.125, 0.1)
    one = Riemann(left, right, GAMMA)
    other = Riemann(State(0.125, 0.1, 3), State(1, 1, 3), GAMMA)
    speeds = np.linspace(-2, 2, 401) + 1e-4
    a, b = one.sample(speeds), other.sample(3 - speeds)
    off = max(np.max(np.abs(a[0] - b[0])), np.max(np.abs(a[1] + b[1] - 3)),
              np.max(np.abs(a[2] - b[2])))
    at_most(off, 1e-12, "mirrored and moving tube")
    try:
        Riemann(State(1, 1, -20), State(1, 1, 20), GAMMA)
        ok(False, "a vacuum is refused")
    except ValueError:
        ok(True, "a vacuum is refused")


def test_sedov():
    for dimension, unit in ((2, "J/m"), (3, "J")):
        exact, t = Sedov(dimension), 0.07
        edge = exact.radius(t)
        at_most(exact.time(edge) / t - 1, 1e-12, f"{dimension}-D: the time of a radius")
        r = np.linspace(0, edge, 200001)[1:] - edge / 400000
        rho, v, p = exact.sample(r, t)
        shell = 2 * (dimension - 1) * math.pi * r ** (dimension - 1) * edge / 200000
        energy = np.sum(shell * (rho * v**2 / 2 + p / (5 / 3 - 1)))
        # The file has 200 rows, between which it is read along lines.
        at_most(energy - 1, 1e-3, f"{dimension}-D: its energy is 1 {unit}")
        mass = np.sum(shell * rho) / (2 * (dimension - 1) * math.pi / dimension * edge**dimension)
        at_most(mass - 1, 1e-3, f"{dimension}-D: its mass was there before")
        speed = 2 * edge / (dimension + 2) / t
        rho, v, p = exact.sample(edge * (1 - 1e-12), t)
        off = max(abs(rho / 4 - 1), abs(v / (0.75 * speed) - 1), abs(p / (0.75 * speed**2) - 1))
        at_most(off, 1e-5, f"{dimension}-D: jump of a strong shock")


def test_others():
    for dimension, plateau in ((1, 4), (2, 16), (3, 64)):
        exact = Noh(dimension)
        at_most(exact.plateau - plateau, 1e-12, f"Noh, {dimension}-D: density")
        at_most(exact.speed - 1 / 3, 1e-12, f"Noh, {dimension}-D: speed of the shock")
        # Gas that arrives at the shock at time t started at 4/3 t.
        at_most(exact.upstream(1 / 3, 1.0) - 4 ** (dimension - 1), 1e-9, "and what arrives there")
    r = np.linspace(1e-3, 0.6, 60001)
    v, p = gresho(r)
    force = np.gradient(p, r) - v**2 / r
    smooth = (np.abs(r - 0.2) > 1e-4) & (np.abs(r - 0.4) > 1e-4)
    smooth[[0, -1]] = False  # differences to one side
    at_most(np.max(np.abs(force[smooth])), 1e-4, "the vortex: dp/dr = rho v^2/r")
    at_most(np.max(np.abs(np.diff(p))), 1e-4, "the vortex: its pressure has no jump")
    grid = (np.arange(200) + 0.5) / 200
    x, y = (q.ravel() for q in np.meshgrid(grid, grid))
    v = 0.03 * np.sin(4 * math.pi * x + 0.7)
    volume = np.full(len(x), 1 / len(x))
    at_most(shear_mode(x, y, v, volume) / 0.03 - 1, 1e-12, "the mode of a wave of any phase")


def test_kernels():
    q = (np.arange(30000) + 0.5) / 10000
    for name in sums.KERNELS:
        for dimension in (2, 3):
            shell = 2 * (dimension - 1) * math.pi * q ** (dimension - 1) / 10000
            total = np.sum(shell * sums.kernel(name, dimension, q))
            at_most(total - 1, 1e-7, f"{name}, {dimension}-D: integral less 1")


def test_lattice_waves():
    """With many neighbours the sums become integrals, and a long wave has the gas' speed: what is
    left, 5e-5, is of the kernel's width. With few the speed is off by more."""
    for lattice, cells in (("cubic", 96), ("fcc", 60)):
        found = lattice_waves.speed(lattice, "quintic-spline", 2.2, cells) - 1
        at_most(found, 2e-4, f"{lattice}: speed of sound with many neighbours, less 1")
        few = lattice_waves.speed(lattice, "cubic-spline", 1.2, cells) - 1
        ok(0.01 < abs(few) < 0.03, f"{lattice}: with few neighbours it is {few:+.4f} off")


class Cloud:
    """Particles of a density profile along x."""

    def __init__(self, count, profile):
        self.x = ((np.arange(count) + 0.5) / count)[:, None]
        self.rho = profile(self.x[:, 0])
        self.m = self.rho / count
        self.volume = self.m / self.rho


def test_profiles():
    gas = Cloud(4000, lambda x: 1 + 3 / (1 + np.exp((x - 0.6123) / 0.004)))
    means = profiles.means_along(gas, gas.x[:, 0], gas.rho, 0.01, 0, 1)
    at_most(profiles.last_crossing(*means, 2.5) - 0.6123, 1e-3, "the place of a jump")
    ok(math.isnan(profiles.last_crossing(*means, 5.0)), "no jump: no number")
    gas = Cloud(4000, lambda x: 1 + np.exp(-((x - 0.3217) / 0.05) ** 2))
    place, height = profiles.peak(*profiles.means_along(gas, gas.x[:, 0], gas.rho, 0.01, 0, 1))
    at_most(place - 0.3217, 1e-3, "the place of a peak")
    within(height, 1.98, 2.0, "its height, less what a bin evens out")
    found = profiles.orders({16: 0.4, 32: 0.1, 64: 0.05})
    ok(np.allclose(list(found.values()), [2, 1]), "orders", found)
    gas.volume = np.where(gas.x[:, 0] < 0.5, 3.0, 1.0)
    one = np.where(gas.x[:, 0] < 0.5, 1.0, 0.0)
    at_most(profiles.l1(gas, one, 0 * one, one >= 0) - 0.75, 1e-12, "a mean is of volumes")


class Sample:
    """A gas that an exact solution gives at points, each with its part of the volume."""

    def __init__(self, x, volume, rho, v, p, time):
        self.x, self.v, self.rho, self.p = x, v, rho, p
        self.volume, self.m, self.time = volume, rho * volume, time

    radial = profiles.Gas.radial


def missed(check, *arguments):
    """The first words of the gates that a gas misses, and how many there are."""
    trial = Trial("trial", None, ())
    check(trial, "n", *arguments)
    return [c.what.split(": ")[1].split(",")[0] for c in trial.checks if not c.passed], trial.gates


def test_tube_gates():
    left, right, _ = TUBES["Sod's tube"]
    exact, t = Riemann(left, right, GAMMA), 0.15
    x = np.linspace(-0.5, 0.6, 8000)
    for stretch, faster, wrong in (
        (1.0, 1.0, []),
        (1.03, 1.0, ["place of the shock"]),
        (1.0, 1.04, ["u*"]),
    ):
        rho, u, p = exact.sample(x / stretch / t)
        gas = Sample(x[:, None], np.full(len(x), 1.1 / 8000), rho, faster * u[:, None], p, t)
        found, gates = missed(shocks.check_tube, gas, exact, 1 / 64, (-0.5, 0.6), (0.02, 0.01))
        ok(gates == 5 and found == wrong, f"tube {stretch} long, {faster} fast: {found} missed")


def test_blast_gates():
    exact, t = Sedov(2), Sedov(2).time(0.4)
    x = (np.arange(400) + 0.5) / 400 - 0.5
    x = np.column_stack([q.ravel() for q in np.meshgrid(x, x)])
    r = np.linalg.norm(x, axis=1)
    for stretch, share, wrong in (
        (1.0, 1.0, []),
        (1.03, 1.0, ["radius of the shock"]),
        (1.0, 0.5, ["peak of the mean density"]),
    ):
        rho, v, p = exact.sample(r / stretch, t)
        rho = 1 + share * (rho - 1) if share < 1 else rho
        gas = Sample(x, np.full(len(x), 400.0**-2), rho, v[:, None] * x / r[:, None], p, t)
        found, gates = missed(blasts.check_blast, gas, exact, 200, True)
        ok(gates == 2 and found == wrong, f"blast {stretch} wide, {share} high: {found} missed")


def test_implosion_gates():
    exact, t = Noh(3), 0.6
    r = (np.arange(20000) + 0.5) / 20000 * 0.5
    for stretch, share, wrong in (
        (1.0, 1.0, []),
        (1.2, 1.0, ["place of the shock"]),
        (1.0, 0.8, ["plateau"]),
    ):
        rho = share * exact.density(r / stretch, t)
        gas = Sample(r[:, None], r * r, rho, None, None, t)
        found, gates = missed(blasts.check_noh, gas, r, exact, 0.002, (0.15, 0.1))
        ok(gates == 2 and found == wrong, f"implosion {stretch} wide, {share} high: {found} missed")


def test_setups():
    config, (low, high) = setups.tube("Tube", 32, (1, 1, 0), (0.125, 0.1, 0), (0.5, 0.6), 0.1)
    cells = np.array([-low, high]) * 32 / setups.EDGE / [1, 2]
    at_most(np.max(np.abs(cells - np.rint(cells))), 1e-9, "a tube is whole cells long")
    ok('lattice = "fcc"' in config and "\n" in config, "its config is a text", config)


test_riemann()
test_mirror()
test_sedov()
test_others()
test_kernels()
test_lattice_waves()
test_profiles()
test_tube_gates()
test_blast_gates()
test_implosion_gates()
test_setups()
finish()
