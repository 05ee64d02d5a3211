"""The analysis of a run's gauges, as one Result."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from plot.modules import AskedError

from waves import (
    agreement, echo, harmonics, reflected_spectrum, reflection, solitary, spectrum, window,
)  # fmt: skip
from waves.crossings import waves_of
from waves.gauges import read_gauges
from waves.maker import makers_of

UNSTEADY = 0.03  # of the first harmonic over the window: above, a note says so
MUCH_LEFT = 0.2  # of the amplitudes: a remainder above is noted


@dataclass
class Result:
    """gauges: cut to the window. rows: {gauge's name: its numbers by kind}. What was refused is a
    text in `refused`, by kind. harmonics: of regular waves, in the gauges' order."""

    run: object
    maker: object
    window: object
    gauges: list
    rows: dict
    notes: list
    harmonics: list = field(default_factory=list)
    spectra: list = field(default_factory=list)
    reflection: object = None
    fits: list = field(default_factory=list)
    reflected: object = None
    second: object = None
    speeds: list = field(default_factory=list)
    refused: dict = field(default_factory=dict)

    @property
    def kind(self):
        """The kind of the maker's waves; empty: they are not known."""
        return self.maker.wave if self.maker and self.maker.is_known else ""

    @property
    def places(self):
        """Distances from the first gauge, m."""
        return np.array([gauge.distance - self.gauges[0].distance for gauge in self.gauges])


def attempt(result, kind, function, *arguments):
    """What the function returns; None if it refuses, and then the text is kept."""
    try:
        return function(*arguments)
    except AskedError as error:
        result.refused[kind] = str(error)
        return None


# --- Regular waves ---


def add_harmonics(result):
    for gauge in result.gauges:
        found = harmonics.harmonics_of(gauge, result.maker.period)
        result.harmonics.append(found)
        result.rows[gauge.name]["harmonics"] = {
            "amplitude": [float(abs(c)) for c in found.c],
            "phase": [float(np.angle(c)) for c in found.c],
            "relative_phase": [found.relative_phase(n) for n in range(1, len(found.c))],
            "error": found.error, "drift": found.drift, "left": found.left,
            "periods": len(found.each), "from": found.start,
        }  # fmt: skip
        if abs(found.drift) > UNSTEADY:
            result.notes.append(f"'{gauge.name}' is not steady: its first harmonic changes by"
                                f" {100 * found.drift:+.1f}% over the window")


def add_reflection(result, given):
    c = np.array([found.c[0] for found in result.harmonics])
    noise = math.sqrt(np.mean([found.error**2 for found in result.harmonics]))
    found = attempt(result, "reflection", reflection.fits, result.places, c, result.maker.k, noise,
                    given)
    if found:
        result.reflection, result.fits = found
        if result.reflection.error > reflection.UNSURE:
            result.notes.append("K_r is not sure, as the waves change from period to period: take a"
                                " longer window, or one when the record is steady")
        if result.reflection.is_checked and result.reflection.left > MUCH_LEFT:
            result.notes.append("incident and reflected waves leave"
                                f" {100 * result.reflection.left:.0f}% of the amplitudes")


def add_second(result):
    """The bound and the free second harmonic, with the wavenumber of the first one."""
    maker, places = result.maker, result.places
    first, second = (np.array([found.c[n] for found in result.harmonics]) for n in (0, 1))
    if len(places) < 2 or not np.ptp(places):
        result.refused["second"] = ("the bound and the free second harmonic need two gauges at"
                                    " different distances")
        return
    decay, k = 0.0, harmonics.number_by_phase(places, first, maker.k)
    if result.reflection:
        k, decay = result.reflection.k, result.reflection.decay
    result.second = attempt(result, "second", harmonics.second_harmonic, places, second, k,
                            2 * math.pi / maker.period, maker, decay)


def analyse_regular(result, given):
    add_harmonics(result)
    add_reflection(result, given)
    add_second(result)


# --- Others ---


def analyse_irregular(result, given):
    target, maker = result.maker.target, result.maker
    for gauge in result.gauges:
        found = spectrum.spectrum_of(gauge, maker.period)
        result.spectra.append(found)
        result.rows[gauge.name]["spectrum"] = spectrum.sea_state(gauge, found, target,
                                                                 maker.components)
    result.reflected = attempt(result, "reflection", reflected_spectrum.reflected_spectrum,
                               result.gauges, maker, given or 0.0)
    if result.reflected and result.places.max() > maker.length:
        result.notes.append(f"the gauges span {result.places.max() / maker.length:.2g} lengths:"
                            " wavenumbers a few % off read as reflection; choose three near each"
                            " other with --probes")


def analyse_passing(result, given):
    """A solitary wave, or a focused group."""
    del given
    for gauge in result.gauges:
        result.rows[gauge.name]["passage"] = solitary.passage(gauge)
    if result.kind == "solitary":
        passages = [result.rows[gauge.name]["passage"] for gauge in result.gauges]
        result.speeds = solitary.speeds(result.gauges, passages)
    

def analyse_unknown(result, given):
    """Without known waves of a maker: spectra, whose peak is about the mean period of the waves."""
    del given
    for gauge in result.gauges:
        period = result.rows[gauge.name]["crossings"]["period_mean"]
        if period:
            found = spectrum.spectrum_of(gauge, period)
            result.spectra.append(found)
            result.rows[gauge.name]["spectrum"] = spectrum.sea_state(gauge, found, None)
    if len(result.spectra) < len(result.gauges):
        result.spectra = []


KINDS = {"regular": analyse_regular, "irregular": analyse_irregular,
         "solitary": analyse_passing, "focused": analyse_passing}


def add_common(result):
    """Times of echoes, single waves, level and agreement with theory of each gauge."""
    known = {gauge.name for gauge in echo.before_reflector(result.gauges, result.maker)}
    for i, gauge in enumerate(result.gauges):
        if gauge.theory is not None and not np.all(np.isfinite(gauge.theory)):
            result.notes.append(f"'{gauge.name}' has no theory in parts of the window: it is not"
                                " compared")
            gauge = result.gauges[i] = replace(gauge, theory=None)
        waves = waves_of(gauge.time, gauge.elevation)
        crossings = waves.summary() if result.kind not in ("solitary",) else None
        period = result.window.period
        lag = period / 2 if period else (gauge.time[-1] - gauge.time[0]) / 8
        result.rows[gauge.name] = {
            "at": list(gauge.at), "distance": gauge.distance,
            "echo": result.maker.echo(gauge.distance) if gauge.name in known else None,
            "again": result.maker.again(gauge.distance) if gauge.name in known else None,
            "level": float(gauge.elevation.mean()), "crossings": crossings,
            "theory": agreement.agreement(gauge, lag),
        }  # fmt: skip


def notes_on(makers):
    """What is not known of the waves."""
    if not makers:
        return ["the run has no wave maker: single waves and spectra alone, without theory"]
    maker, notes = makers[0], []
    if len(makers) > 1:
        notes.append(f"{len(makers)} wave makers: period and distances are those of '{maker.name}'")
    if not maker.is_known:
        notes.append(f"the waves of '{maker.name}' are those of a file, which is not read: single"
                     " waves and spectra alone, without a target; the window is all of the records"
                     " unless --from and --to choose")
    if maker.face is None:
        notes.append(f"the paddle of '{maker.name}' is no box: distances are from the origin")
    return notes


def analyse(run, probes, start, end, given):
    """The Result. probes: names with commas, or None; start, end: of the window, s, or None; given:
    the loss a length that is taken as known, or None."""
    makers = makers_of(run.config, run.log if run.has("log.txt") else "")
    maker = makers[0] if makers else None
    gauges, notes = read_gauges(run, probes, maker)
    notes += notes_on(makers)
    part = window.choose(gauges, maker, start, end)
    cut = [gauge.between(part.start, part.end) for gauge in gauges]
    few = next((gauge for gauge in cut if len(gauge.time) < 8), None)
    if few:
        raise AskedError(f"'{few.name}' has {len(few.time)} rows from {part.start:.4g} to"
                         f" {part.end:.4g} s, and 8 are needed: choose a longer window, or a"
                         " smaller `every` of the probe")
    result = Result(run, maker, part, cut, {}, notes)
    add_common(result)
    KINDS.get(result.kind, analyse_unknown)(result, given)
    if result.kind in ("regular", "irregular", "solitary"):
        result.notes += echo.notes_on(cut, maker, part, min(gauge.time[-1] for gauge in gauges))
    return result
