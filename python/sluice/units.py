"""Units of quantities, of the columns of tables, and of a run as a whole."""

from __future__ import annotations

import re

from sluice.errors import NotThere, listed


class Units(dict[str, str]):
    """Units by the name of a quantity or a column."""

    def __missing__(self, name: str) -> str:
        raise NotThere(f"no unit of '{name}': {listed(self, name)}")


SI = {
    "time": "s",
    "length": "m",
    "position": "m",
    "speed": "m/s",
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "angle": "rad",
    "spin": "rad/s",
    "spin rate": "rad/s^2",
    "density": "kg/m^3",
    "pressure": "Pa",
    "specific energy": "J/kg",
    "smoothing length": "m",
    "head gradient": "1/m",
    "stress over density squared": "m^5/(kg s^2)",
    "temperature": "reduced",
    "discharge per metre": "m^3/(s m)",
    "volume per metre": "m^3/m",
    "number": "1",
}
SPACE = {
    "mass": "kg",
    "energy": "J",
    "power": "W",
    "force": "N",
    "torque": "N m",
    "flux": "m^3/s",
    "volume": "m^3",
    "momentum": "kg m/s",
    "angular momentum": "kg m^2/s",
}
# Per metre of depth.
PLANE = {
    "mass": "kg/m",
    "energy": "J/m",
    "power": "W/m",
    "force": "N/m",
    "torque": "N m/m",
    "flux": "m^2/s",
    "volume": "m^2",
    "momentum": "kg/s",
    "angular momentum": "kg m/s",
}

# The quantity of a column of energy.csv, blow_up.csv, probe_*.csv, body_*.csv, mooring_*.csv and
# opening_*.csv, after the number of a line's point is cut off. A column that is not listed is a
# plain number.
QUANTITIES = {
    "time": "time",
    "dt": "time",
    "max_speed": "speed",
    "max_acceleration": "acceleration",
    "temperature": "temperature",
    "pressure": "pressure",
    "density": "density",
    "energy": "specific energy",
    "smoothing_length": "smoothing length",
    "flux": "flux",
    "discharge": "flux",
    "volume": "volume",
    "tension": "force",
    "torque": "torque",
    "angle": "angle",
    "spin_rate": "spin rate",
}
QUANTITIES |= {
    name: "energy"
    for name in "kinetic potential elastic thermal spring bodies contact pair total entered"
    " left removed residual reference energy_in energy_out".split()
}
QUANTITIES |= {
    name: "length"
    for name in "x y z height bed depth elevation theory level head front foremost runup"
    " mixing_length".split()
}
QUANTITIES |= {name: "discharge per metre" for name in ("q", "q_mean")}
QUANTITIES |= {
    name: "volume per metre"
    for name in "passed returned event_volume last_volume largest_volume".split()
}
QUANTITIES |= {name: "mass" for name in ("mass_in", "mass_out")}
QUANTITIES |= {name: "angle" for name in ("roll", "pitch", "yaw")}
QUANTITIES |= {name: "velocity" for name in ("vx", "vy", "vz")}
QUANTITIES |= {name: "force" for name in ("fx", "fy", "fz")}
QUANTITIES |= {name: "torque" for name in ("tx", "ty", "tz")}
PATTERNS = (
    (r"work_\w+", "energy"),
    (r"(\w+_)?momentum_[xyz]", "momentum"),
    (r"(entered|left|removed)_mass", "mass"),
    (r"(entered|left|removed)_energy", "energy"),
    (r"angular_[xyz]", "angular momentum"),
    (r"velocity_[xyz]", "velocity"),
    (r"acceleration_[xyz]", "acceleration"),
    (r"shift_[xyz]", "length"),
    (r"head_gradient_[xyz]", "head gradient"),
    (r"sub_particle_stress_[xyz]{2}", "stress over density squared"),
    (r"spin(_[xyz])?", "spin"),
    (r"spin_rate_[xyz]", "spin rate"),
    (r"(at|to)_[xyz]", "length"),
    (r"(\w+_)?force_[xyz]", "force"),
    (r"\w+_torque(_[xyz])?", "torque"),
)


def units_of(system: str, dimension: int) -> Units:
    """Units by quantity: "pressure": "Pa". In 2-D masses, energies and forces are per metre of
    depth. system: the config's `units`, "si" or "lj" (reduced units everywhere)."""
    units = SI | (PLANE if dimension == 2 else SPACE)
    if system == "lj":
        units = dict.fromkeys(units, "reduced") | {"number": "1"}
    # Also by the names of the particles' fields.
    return Units(
        units
        | {
            "internal_energy": units["specific energy"],
            "smoothing_length": units["smoothing length"],
        }
    )


def quantity_of(column: str) -> str:
    """The quantity of a table's column: "pressure" of pressure_3, "force" of fx; or the column's
    own name ("force")."""
    base = re.sub(r"_\d+$", "", column)
    if base in QUANTITIES:
        return QUANTITIES[base]
    for pattern, quantity in PATTERNS:
        if re.fullmatch(pattern, base):
            return quantity
    return base if base in SI or base in SPACE else "number"


def unit_of(column: str, units: dict[str, str]) -> str:
    """The unit of a table's column. units: those of the run."""
    return units[quantity_of(column)]
