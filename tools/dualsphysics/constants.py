"""constantsdef and the execution parameters: the keys outside of lists."""

import math

import numpy as np

from dualsphysics.report import DICTIONARY, LIMITS, refuse

LEAVES = "a run goes on, and counts what leaves"
ONE_SCHEME = "there is one time integration"
NO_FLOOR = "steps have no lower limit"
KEPT = "particles are not removed by their density"
IGNORED = {
    "StepAlgorithm": ONE_SCHEME, "VerletSteps": ONE_SCHEME, "CoefDtMin": NO_FLOOR,
    "DtMin": NO_FLOOR, "DtAllParticles": "steps count all particles", "RhopOutMin": KEPT,
    "RhopOutMax": KEPT, "PartsOutMax": LEAVES, "WrnPartsOut": LEAVES, "MinFluidStop": LEAVES,
    "NoPenetration": "boundary.spring is on", "PosDouble": "places are exact",
    "RigidAlgorithm": "bodies touch each other and walls always",
    "FtIgnoreRadius": "bodies know periodic axes", "#Boundary": "a comment",
    "IncZ": "the domain has its own top", "CaseNfixed": "a result of GenCase",
}  # fmt: skip


class Constants:
    """Values by name, with their elements. `write` puts the keys into a config."""

    def __init__(self, case, report):
        self.case, self.report = case, report
        constants = case.root.first("casedef/constantsdef")
        if constants is None:
            refuse(case.root, "there is no casedef/constantsdef", DICTIONARY)
        self.of = {child.tag: child for child in constants.children}
        parameters = case.root.first("execution/parameters")
        self.parameters = {}
        for child in parameters.all("parameter") if parameters is not None else []:
            self.parameters[child.get("key", "")] = child
        gravity = self.of.get("gravity")
        self.gravity = np.zeros(3) if gravity is None else case.vector(gravity)
        for name, element in self.parameters.items():
            if name.startswith("Phase") or name in ("FlowType", "MPCoefficient"):
                refuse(element, "several fluids with laws of their own: fluid.second is by hand",
                       f"{LIMITS}#two-fluids")  # fmt: skip

    def number(self, name, default=None):
        """A constant, or None where it is "auto"."""
        element = self.of.get(name)
        if element is None:
            return default
        if element.get("auto", "false").strip().lower() in ("true", "1"):
            element.get("value")
            return default
        return self._value(element, default)

    def parameter(self, name, default=None):
        element = self.parameters.get(name)
        return default if element is None else self._value(element, default)

    def choice(self, name, default):
        """A parameter that counts kinds."""
        if self.parameter(name) is None:
            return default
        return self.case.whole(self.parameters[name], "value")

    def _value(self, element, default):
        text = element.get("value", "").strip()
        return self.case.number_of(element, "value", text) if text else default

    def h_over_dp(self, dimension, spacing):
        for name, value in (
            ("h", lambda v: v / spacing),
            ("hdp", lambda v: v),
            ("coefh", lambda v: v * math.sqrt(dimension)),
            ("coefficient", lambda v: v * math.sqrt(dimension)),  # its name in versions before 4
        ):
            given = self.number(name)
            if given:
                return value(given), self.of[name]
        return 1.5, None

    # --- Keys ---

    def write(self, text, scene):
        case = self.case
        flat = case.in_plane(self.gravity, self.of.get("gravity"), self.report)
        if any(self.gravity):
            text.key("gravity", flat, self.of.get("gravity"))
        h, element = self.h_over_dp(case.dimension, case.spacing)
        if not 1 <= h <= 3:
            refuse(element, f"h/dp is {h:.4g}: `kernel.h_over_dp` takes 1 to 3", "docs/config.md")
        kernel = self.choice("Kernel", 2)
        names = {1: "cubic-spline", 2: "wendland-c2"}
        if kernel not in names:
            refuse(self.parameters["Kernel"], f"kernel {kernel} is not known", LIMITS)
        text.group("kernel", [("name", names[kernel], self.parameters.get("Kernel")),
                              ("h_over_dp", round(h, 9), element)])  # fmt: skip
        self._fluid(text, scene)
        self._boundary(text)

    def _fluid(self, text, scene):
        rows = [("density", self.number("rhop0", 1000.0), self.of.get("rhop0"))]
        gamma = self.number("gamma", 7.0)
        if gamma <= 1.0:
            rows.append(("eos", "linear", self.of.get("gamma")))
        elif gamma != 7.0:
            rows.append(("gamma", gamma, self.of.get("gamma")))
        speed, element = self.sound_speed(scene)
        if speed:
            rows.append(("sound_speed", speed, element))
        rows += self._viscosity() + self._diffusion() + self._shifting()
        text.group("fluid", rows)

    def sound_speed(self, scene):
        """The one of GenCase: coefsound times the speed of a dam break, sqrt(g H)."""
        given = self.number("speedsound")
        for name in ("speedsystem", "hswl", "coefsound"):
            self.number(name)
        if given:
            return given, self.of["speedsound"]
        coefficient = self.number("coefsound", 20.0)
        system = self.number("speedsystem")
        if not system:
            depth = self.number("hswl")
            if not depth:
                depth = float((scene.fluid_high - scene.fluid_low)[-1])
            system = math.sqrt(math.hypot(*self.gravity) * depth)
        pressure = self.number("b")
        if not system and pressure:
            return math.sqrt(pressure * self.number("gamma", 7.0)
                             / self.number("rhop0", 1000.0)), self.of["b"]  # fmt: skip
        if not system and scene.speed:
            self.report.changed(self.of.get("coefsound"),
                                "without gravity there is no speed of a dam break: ten times the"
                                f" largest given speed, {scene.speed:.4g} m/s",
                                DICTIONARY)  # fmt: skip
            return float(f"{10 * scene.speed:.6g}"), self.of.get("coefsound")
        if not system:
            refuse(self.of.get("coefsound", self.case.root),
                   "without gravity it takes speedsystem or speedsound", DICTIONARY)  # fmt: skip
        return float(f"{coefficient * system:.6g}"), self.of.get("coefsound")

    def _viscosity(self):
        kind, value = self.choice("ViscoTreatment", 1), self.parameter("Visco", 0.01)
        element = self.parameters.get("Visco") or self.parameters.get("ViscoTreatment")
        self.no_slip = False
        if self.parameter("ViscoTime") is not None:
            self.report.missing(self.parameters["ViscoTime"], "a viscosity that changes in time")
        if kind == 1:
            return [("viscosity", [("kind", "artificial"), ("alpha", value)], element)]
        if kind in (2, 3):
            self.no_slip = True
            name = "sps" if kind == 2 else "laminar"
            rows = [("kind", name), ("nu", value), ("form", "morris")]
            return [("viscosity", rows, element)]
        return refuse(self.parameters["ViscoTreatment"], f"ViscoTreatment {kind} is not known")

    def _diffusion(self):
        kind = self.choice("DensityDT", 0)
        value = self.parameter("DensityDTvalue", 0.1)
        element = self.parameters.get("DensityDT")
        if "DeltaSPH" in self.parameters and element is None:
            element = self.parameters["DeltaSPH"]
            value = self.parameter("DeltaSPH")
            kind = 1 if value else 0
        if kind == 0:
            return [("diffusion", [("kind", "none")], element)]
        name = "molteni" if kind == 1 else "hydrostatic"
        if kind == 1 and any(self.gravity):
            self.report.changed(element, "molteni diffusion under gravity makes still water's"
                                         " pressure 17 to 19% too small: \"hydrostatic\" does"
                                         " not", LIMITS)
        return [("diffusion", [("kind", name), ("delta", value)], element)]

    def _shifting(self):
        mode, threshold = self.choice("Shifting", 0), self.parameter("ShiftTFS", 0.0)
        for name in ("ShiftCoef", "ShiftAdvCoef", "ShiftAdvALE", "ShiftAdvNCPress"):
            if self.parameter(name) is not None and mode:
                self.report.changed(self.parameters[name],
                                    "fluid.shifting.strength has another formula: its default is"
                                    " taken", "docs/theory.md")  # fmt: skip
        if not mode:
            return []
        kind = "inside" if threshold else "everywhere"
        if self.case.openings and any(self.gravity):
            self.report.missing(self.parameters["Shifting"],
                                "shifting with openings under gravity is refused: left"
                                " out", "docs/config.md#refused-together")
            return []
        if self.case.waves:
            self.report.missing(self.parameters["Shifting"],
                                "shifting moves the level of a surface that waves: left"
                                " out", "docs/config.md#refused-together")
            return []
        return [("shifting", [("kind", kind)], self.parameters["Shifting"])]

    def _boundary(self, text):
        kind = self.choice("Boundary", 1)
        slip = self.choice("SlipMode", 1)
        factor = self.parameter("ViscoBoundFactor", 1.0)
        name = {1: "dynamic", 2: "mdbc"}.get(kind)
        if name is None:
            refuse(self.parameters["Boundary"], f"Boundary {kind} is not known", DICTIONARY)
        element = self.parameters.get("Boundary")
        if name == "dynamic" and self.case.openings:
            self.report.changed(element, "dynamic walls are refused with openings: adami walls are"
                                " taken", "docs/config.md#refused-together")  # fmt: skip
            name = "adami"
        if kind == 2 and "SlipMode" in self.parameters:
            free = slip == 3
        else:
            free = factor == 0
        if factor not in (0.0, 1.0):
            self.report.changed(self.parameters["ViscoBoundFactor"],
                                f"friction of walls is on or off, not {factor:g} times")
        word = "free" if free else "no-slip" if self.no_slip else "artificial"
        friction = self.parameters.get("SlipMode" if kind == 2 else "ViscoBoundFactor")
        text.group("boundary", [("kind", name, element), ("slip", word, friction)])

    def time(self, text):
        end = self.parameter("TimeMax")
        if not end:
            refuse(self.parameters.get("TimeMax", self.case.root), "there is no TimeMax above 0",
                   DICTIONARY)  # fmt: skip
        rows = [("end", end, self.parameters.get("TimeMax"))]
        cfl = self.number("cflnumber", 0.2)
        if cfl > 0.45:
            self.report.changed(self.of["cflnumber"],
                                f"{cfl:g} is above 0.45, where steps are unstable: 0.3 is"
                                " taken", LIMITS)  # fmt: skip
            cfl = 0.3
        rows.append(("cfl", cfl, self.of.get("cflnumber")))
        fixed = self.parameter("DtFixed")
        if fixed:
            rows.append(("step", fixed, self.parameters["DtFixed"]))
        if self.parameter("DtIni"):
            self.report.skipped(self.parameters["DtIni"], "the first step is the stable one")
        text.group("time", rows)
        text.group("output", [("every", self.parameter("TimeOut", 0.01),
                               self.parameters.get("TimeOut"))]
                   + ([("precision", "double", self.parameters["SavePosDouble"])]
                      if self.parameter("SavePosDouble") else []))  # fmt: skip

    def rest(self):
        """What has no key: said once for each."""
        for name, element in self.parameters.items():
            if name in IGNORED or name.startswith("#"):
                self.report.skipped(element, IGNORED.get(name, "it is switched off"))
            elif name == "DtFixedFile":
                if element.get("value", "NONE").upper() != "NONE":
                    self.report.missing(element, "steps from a file", f"{LIMITS}#time-steps")
            elif name in ("DtIni", "ShiftCoef", "ShiftTFS", "DensityDTvalue", "SavePosDouble",
                          "FtPause", "SlipMode", "ShiftAdvCoef", "ShiftAdvALE", "ViscoTime",
                          "ShiftAdvNCPress", "DeltaSPH"):  # fmt: skip
                element.take_all()
        for name in ("lattice", "b", "massbound", "massfluid", "h", "hdp"):
            if name in self.of and not self.of[name].taken:
                self.report.skipped(self.of[name], "it follows from density, speed and spacing")
        for name in ("lattice", "b", "massbound", "massfluid"):
            if name in self.of:
                self.of[name].take_all()
        if self.number("eps"):
            self.report.missing(self.of["eps"], "XSPH, of versions before 4", f"{LIMITS}#physics")
