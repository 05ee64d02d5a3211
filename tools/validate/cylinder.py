"""A tilted cylinder in 3-D, described in three ways: as a cylinder, as a prism, as a mesh."""

import math

import numpy as np
from plot.pictures import COLOURS

from validate import meshes
from validate.trial import case

RADIUS, LENGTH = 0.1, 0.1  # m
FACETS = 128  # of the prism and of the mesh
BOX = (0.32, 0.24, 0.32)  # m, of the water, periodic along x and y
TILT = 73.0  # degrees, about x: the axis leads along y, 17 degrees upwards
GRAVITY, RHO0 = 9.81, 1000.0
NU, DRIVE = 0.01, 0.2  # m^2/s; m/s^2, along x


def descriptions(trial):
    """{name: keys of the geometry's entry}, each along z about the origin."""
    angle = 2 * math.pi * np.arange(FACETS) / FACETS
    corners = {"x": RADIUS * np.cos(angle), "y": RADIUS * np.sin(angle)}
    mesh = trial.write_mesh("mesh", meshes.cylinder(RADIUS, LENGTH, FACETS))
    return {
        "cylinder": {"shape": "cylinder", "centre": [0.0] * 3, "radius": RADIUS, "length": LENGTH},
        "prism": {"shape": "polygon", "file": trial.write("corners", corners),
                  "from": -LENGTH / 2, "to": LENGTH / 2},
        "mesh": {"shape": "mesh", "file": mesh},
    }


def keys(n, kind, top, sides):
    """Keys of the water with the tilted cylinder in its middle, `top` m high, and these walls."""
    water = {"name": "water", "shape": "box", "type": "fluid", "min": [0.0] * 3, "max": list(BOX)}
    middle = [edge / 2 for edge in BOX]
    return {
        "dimension": 3,
        "spacing": 2 * RADIUS / n,
        "domain__min": [0.0] * 3,
        "domain__max": [*BOX[:2], top],
        "domain__periodic": [True, True, False],
        "geometry": (water, {"name": "tank", "shape": "walls", "sides": sides},
                     {"name": "body", "type": "wall", "fill": "solid", **kind, "move": middle,
                      "rotation_degrees": TILT, "rotation_axis": [1.0, 0.0, 0.0]}),
    }


def late_mean(probe, column):
    """Mean over the second half, and how much the means of both halves of that differ."""
    half = probe[column][probe["time"] > probe["time"][-1] / 2]
    parts = [np.mean(part) for part in np.array_split(half, 2)]
    return float(np.mean(half)), float(parts[1] - parts[0])


def compare(trial, what, found, gate):
    """Checks numbers {description: value} of the prism and the mesh against the cylinder's."""
    for name in ("prism", "mesh"):
        trial.within(f"{what}, {name} against cylinder, relative",
                     found[name] / found["cylinder"] - 1, gate,
                     f"{found[name]:.6g} and {found['cylinder']:.6g}")


def cells_of(run):
    """Volume (m^3) of the body's particles."""
    snapshot = run[0]
    body = snapshot.shape == snapshot.groups.index("body")
    return np.count_nonzero(body) * run.config.get("spacing", 0.0) ** 3


@case("cylinder-buoyancy", "Buoyancy of a cylinder: primitive, prism, mesh", (20,))
def cylinder_buoyancy(trial):
    """A cylinder 0.2 m across and 0.1 m long floats fixed in the middle of still water, 0.32 m deep
    and periodic along x and y; its axis is tilted by 17 degrees. It is described as a `cylinder`,
    as a `polygon` of 128 corners and as a `mesh` (STL) of 128 facets. The force is the mean of its
    probe over the second half of 0.4 s. The sound of the start still rings there with 1% of the
    force, and the period of four depths, 0.05 s; the mean covers almost four periods. It is
    compared with Archimedes' for the true cylinder, and with each other. Keys as in the still tank.
    Resolutions: particles across."""
    volume = math.pi * RADIUS**2 * LENGTH
    exact = RHO0 * GRAVITY * volume
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    for n in trial.resolutions:
        found = {}
        for (name, kind), colour in zip(descriptions(trial).items(), COLOURS):
            run = trial.run(
                f"{n}-{name}", "still_water.cfg", "still", **keys(n, kind, 0.4, ["bottom"]),
                gravity=[0.0, 0.0, -GRAVITY], output__every=0.2, time__end=0.4,
                probes=({"name": "push", "kind": "force", "on": "body", "every": 0.001},))
            probe, label = run.probes()["push"], f"D/{n}, {name}"
            found[name], drift = late_mean(probe, "fz")
            trial.within(f"{label}: buoyancy against Archimedes, relative", found[name] / exact - 1,
                         0.02, f"{found[name]:.3f} N, exact {exact:.3f} N")
            trial.check(f"{label}: its change within the second half, relative", drift / exact,
                        None)
            trial.check(f"{label}: volume of its particles, relative", cells_of(run) / volume - 1,
                        None)
            if n == trial.resolutions[-1]:
                axes.plot(probe["time"], probe["fz"], color=colour, label=name)
        compare(trial, f"D/{n}: buoyancy", found, 0.005)
    axes.axhline(exact, color="0.3", linestyle=":", label="Archimedes")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("upward force (N)")
    axes.set_ylim(0.9 * exact, 1.1 * exact)
    axes.legend()


@case("cylinder-drag", "Drag on a cylinder: primitive, prism, mesh", (20,))
def cylinder_drag(trial):
    """The same cylinder, in a slow stream between two plates without slip, 0.32 m apart, with nu =
    0.01 m^2/s. A force of 0.2 m/s^2 along x, a periodic axis, drives it from rest. When the stream
    is steady, cylinder and plates together bear all of the force, rho g V; how they share it, and
    the stream's mean speed U, depend on the cylinder. Compared are the force on the cylinder, and
    its resistance, the force over rho nu U times its length. Means are over the second half of 4 s.
    Resolutions: particles across."""
    (axes,) = trial.axes(wide=6.0, tall=3.8)
    for n in trial.resolutions:
        drag, resistance = {}, {}
        for (name, kind), colour in zip(descriptions(trial).items(), COLOURS):
            run = trial.run(
                f"{n}-{name}", "poiseuille.cfg", "gentle",
                **keys(n, kind, BOX[2], ["bottom", "top"]), gravity=[DRIVE, 0.0, 0.0],
                fluid__sound_speed=3.0, fluid__viscosity__nu=NU, time__end=4.0, output__every=0.2,
                energy__reference=1.0,
                probes=({"name": "body", "kind": "force", "on": "body", "every": 0.01},
                        {"name": "tank", "kind": "force", "on": "tank", "every": 0.01}))
            probe, label = run.probes()["body"], f"D/{n}, {name}"
            drag[name], drift = late_mean(probe, "fx")
            late = [snapshot for snapshot in run if snapshot.time > 2.0]
            fluid = [(s.type == 0) for s in late]
            speed = np.mean([np.mean(s.velocity[f, 0]) for s, f in zip(late, fluid)])
            force = DRIVE * np.sum(late[-1].mass[fluid[-1]])
            resistance[name] = drag[name] / (RHO0 * NU * speed * LENGTH)
            both = drag[name] + late_mean(run.probes()["tank"], "fx")[0]
            trial.within(f"{label}: forces on cylinder and plates against rho g V, relative",
                         both / force - 1, 0.01, f"{both:.4f} N, {force:.4f} N; on the cylinder "
                         f"{drag[name]:.4f} N, U = {speed:.5f} m/s")
            trial.within(f"{label}: change of the drag within the second half, relative",
                         drift / drag[name], 0.005)
            if n == trial.resolutions[-1]:
                axes.plot(probe["time"], probe["fx"], color=colour, label=name)
        compare(trial, f"D/{n}: drag", drag, 0.02)
        compare(trial, f"D/{n}: resistance", resistance, 0.02)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("drag (N)")
    axes.legend()


CASES = (cylinder_buoyancy, cylinder_drag)
