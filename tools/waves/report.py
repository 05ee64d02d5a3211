"""The text and the JSON of an analysis."""

import math

import numpy as np


FILES = {"elevation": "a record of the surface", "paddle": "a record of the paddle"}


def table(title, columns, rows):
    """Lines of a table. columns: (name, unit, format); rows: (name, values), None as a dash."""
    cells = [[title] + [f"{name} ({unit})" if unit else name for name, unit, _ in columns]]
    for name, values in rows:
        cells.append([name] + ["-" if value is None else format(value, column[2])
                               for value, column in zip(values, columns)])
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join([row[0].ljust(widths[0])]
                      + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])
            for row in cells]  # fmt: skip


def degrees(angle):
    return math.degrees(angle)


def head(result):
    maker, part = result.maker, result.window
    lines = []
    if maker and maker.wave == "solitary":
        lines.append(f"solitary wave of '{maker.name}': H {maker.height:.6g} m, depth"
                     f" {maker.depth:.6g} m, celerity {maker.celerity:.4g} m/s")
    elif maker:
        height = {"irregular": "Hs", "focused": "crest"}.get(maker.wave, "H")
        words = [f"{height} {maker.height:.6g} m"] if maker.height else []
        if maker.period:
            words += [f"period {maker.period:.6g} s", f"length {maker.length:.6g} m"]
        words.append(f"depth {maker.depth:.6g} m")
        kind = f"{maker.wave} waves" if maker.wave not in FILES else f"waves by {FILES[maker.wave]}"
        lines.append(f"{kind} of '{maker.name}': {', '.join(words)}")
    size = f", {part.periods:.1f} periods" if part.period else ""
    lines.append(f"window {part.start:.4f} to {part.end:.4f} s{size}: {part.why}")
    return lines


def crossings_table(result):
    rows = [(gauge.name, gauge.distance, result.rows[gauge.name]) for gauge in result.gauges]
    columns = [("x", "m", ".3f"), ("level", "mm", ".2f"), ("waves", "", "d"), ("H", "m", ".5f"),
               ("H1/3", "m", ".5f"), ("Hmax", "m", ".5f"), ("Tz", "s", ".4f"),
               ("crest", "m", ".5f"), ("trough", "m", ".5f")]
    keys = ("waves", "height_mean", "height_third", "height_max", "period_mean", "crest", "trough")
    return table("single waves", columns, [
        (name, [x, 1e3 * row["level"]] + [row["crossings"][key] for key in keys])
        for name, x, row in rows])  # fmt: skip


def harmonics_table(result):
    columns = [("a1", "m", ".5f"), ("a2", "m", ".5f"), ("a3", "m", ".5f"), ("2a1/H", "", ".4f"),
               ("phase 1", "deg", ".1f"), ("phase 2", "deg", ".1f"), ("phase 3", "deg", ".1f"),
               ("remainder", "%", ".1f"), ("change", "%", "+.1f")]
    rows = []
    for gauge in result.gauges:
        one = result.rows[gauge.name]["harmonics"]
        rows.append((gauge.name, one["amplitude"]
                     + [2 * one["amplitude"][0] / result.maker.height, degrees(one["phase"][0])]
                     + [degrees(angle) for angle in one["relative_phase"]]
                     + [100 * one["left"], 100 * one["drift"]]))
    first = result.harmonics[0]
    return [*table("harmonics", columns, rows),
            f"  over the last {len(first.each)} whole periods; phases 2 and 3 are over that of the"
            " first: 0 is a sharper crest"]


def second_lines(result):
    if "second" in result.refused:
        return [f"second harmonic: {result.refused['second']}"]
    one = result.second
    left = (f"both leave {100 * one.left:.0f}%" if len(result.gauges) > 2 else
            "two gauges do not check it")  # fmt: skip
    return [f"second harmonic at '{result.gauges[0].name}': bound {abs(one.bound):.5f} m, free"
            f" {abs(one.free):.5f} m, {100 * abs(one.free / one.bound):.0f}% of the bound;"
            f" {left} (condition {one.condition:.2g})"]


def reflection_lines(result):
    if "reflection" in result.refused:
        return [f"reflection: {result.refused['reflection']}"]
    columns = [("incident", "m", ".5f"), ("reflected", "m", ".5f"), ("K_r", "%", ".2f"),
               ("+-", "%", ".2f"), ("k/k theory", "", ".4f"), ("loss a length", "%", ".2f"),
               ("remainder", "%", ".2f")]
    rows = []
    for one in result.fits:
        mark = " <" if one is result.reflection else ""
        rows.append((one.fitted + mark, [
            abs(one.incident), abs(one.reflected), 100 * one.ratio, 100 * one.error,
            one.k / result.maker.k, 100 * one.loss, 100 * one.left if one.is_checked else None]))
    lines = table("reflection", columns, rows)
    lines.append("  < is the answer: the most unknowns that leave K_r sure; amplitudes are those at"
                 f" '{result.gauges[0].name}'")
    if any(not one.is_checked for one in result.fits):
        lines.append("  three gauges have six numbers for six unknowns: the fit of k and loss"
                     " leaves nothing, whether it is right or not; a fourth gauge would check it")
    return lines


def spectrum_table(result):
    target = result.maker.target if result.maker else None
    columns = [("Hm0", "m", ".5f"), ("Tp", "s", ".4f"), ("Tm-1,0", "s", ".4f")]
    columns += [("Hm0/Hs", "", ".3f"), ("Tp/target", "", ".3f"), ("Tm-1,0/target", "", ".3f"),
                ("below", "%", ".1f"), ("above", "%", ".1f")] if target else []
    rows = []
    for gauge in result.gauges:
        one = result.rows[gauge.name].get("spectrum")
        if one:
            values = [one["Hm0"], one["Tp"], one["Tm10"]]
            if target:
                values += [one["ratio"][key] for key in ("Hm0", "Tp", "Tm10")]
                values += [100 * one["below"], 100 * one["above"]]
            rows.append((gauge.name, values))
    if not rows:
        return []
    lines = table("spectrum", columns, rows)
    if target:
        lines.append(f"  of the maker's band, {target.low:.3g} to {target.high:.3g} Hz; below and"
                     " above it is so much of the variance")
    if result.spectra:
        one = result.spectra[0]
        lines.append(f"  Welch: {one.segments} segments, {one.freedom:.0f} degrees of freedom, each"
                     f" value +-{100 * math.sqrt(2 / one.freedom):.0f}%, resolution"
                     f" {one.resolution:.2g} Hz")
    if target:
        first = result.rows[result.gauges[0].name]["spectrum"]
        lines.append(f"  expect Hm0 to scatter by {100 * first['scatter']:.1f}% (one standard"
                     f" deviation) from seed to seed, that of a sea by"
                     f" {100 * first['sea_scatter']:.1f}%, in {result.window.periods:.0f} periods")
    return lines


def reflected_lines(result):
    if "reflection" in result.refused:
        return [f"reflection: {result.refused['reflection']}"]
    one = result.reflected
    return [f"reflection: K_r {100 * one.ratio:.2f}%, incident Hm0"
            f" {4 * math.sqrt(one.incident.sum()):.5f} m, reflected"
            f" {4 * math.sqrt(one.reflected.sum()):.5f} m at '{result.gauges[0].name}'; remainder"
            f" {100 * one.left:.1f}%; of {100 * one.covered:.0f}% of the band's energy"]


def passage_table(result):
    columns = [("x", "m", ".3f"), ("crest", "m", ".5f"), ("crest/H", "", ".4f"),
               ("its time", "s", ".4f"), ("middle", "s", ".4f")]
    rows = []
    for gauge in result.gauges:
        one = result.rows[gauge.name]["passage"]
        rows.append((gauge.name, [gauge.distance, one["crest"], one["crest"] / result.maker.height,
                                  one["time"], one["middle"]]))
    lines = table("passage", columns, rows)
    rows = [(f"{one['from']} to {one['to']}",
             [one["speed"], one["speed"] and one["speed"] / result.maker.celerity])
            for one in result.speeds]
    if rows:
        lines += ["", *table("speed of the middle", [("speed", "m/s", ".4f"),
                                                     ("over theory", "", ".4f")], rows)]
    return lines


def theory_table(result):
    rows = [(gauge.name, result.rows[gauge.name]["theory"]) for gauge in result.gauges]
    rows = [(name, [one["correlation"], one["ratio"], one["lag"], one["correlation_at_lag"]])
            for name, one in rows if one]
    columns = [("correlation", "", ".4f"), ("deviation/theory's", "", ".4f"), ("late", "s", "+.4f"),
               ("correlation then", "", ".4f")]
    return table("theory", columns, rows) if rows else []


def lines_of(result):
    """The lines of the report."""
    parts = [head(result)]
    if result.kind != "solitary":
        parts.append(crossings_table(result))
    if result.kind == "regular":
        parts += [harmonics_table(result), second_lines(result), reflection_lines(result)]
    elif result.kind in ("solitary", "focused"):
        parts.append(passage_table(result))
    else:
        parts.append(spectrum_table(result))
    if result.kind == "irregular":
        parts.append(reflected_lines(result))
    parts += [theory_table(result), [f"note: {note}" for note in result.notes]]
    lines = []
    for part in filter(None, parts):
        lines += [""] * bool(lines) + part
    return lines


# --- JSON ---


def plain(value):
    """Numbers that JSON has: not finite is null; a complex one is [real, imaginary]."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(inner) for inner in value]
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value


def fit_row(one):
    return {"fitted": one.fitted, "incident": abs(one.incident), "reflected": abs(one.reflected),
            "ratio": one.ratio, "error": one.error, "k": one.k, "loss": one.loss,
            "remainder": one.left if one.is_checked else None}


def reflection_row(result):
    if result.reflection:
        return fit_row(result.reflection) | {"fits": [fit_row(one) for one in result.fits]}
    if result.reflected:
        one = result.reflected
        return {"ratio": one.ratio, "incident_m0": one.incident.sum(),
                "reflected_m0": one.reflected.sum(), "covered": one.covered, "remainder": one.left,
                "f": one.f, "incident": one.incident, "reflected": one.reflected}
    return None


def json_of(result, files):
    """One object with all numbers, SI."""
    maker, part, second = result.maker, result.window, result.second
    return plain({
        "run": result.run.path,
        "maker": maker and {"name": maker.name, "wave": maker.wave, "height": maker.height or None,
                            "period": maker.period or None, "depth": maker.depth,
                            "length": maker.length if maker.period else None,
                            "reflector": maker.reflector, "way": maker.way},
        "window": {"from": part.start, "to": part.end, "periods": part.periods, "why": part.why},
        "gauges": [{"name": gauge.name, **result.rows[gauge.name]} for gauge in result.gauges],
        "second_harmonic": second and {
            "bound": abs(second.bound), "free": abs(second.free),
            "remainder": second.left if len(result.gauges) > 2 else None,
            "condition": second.condition},
        "reflection": reflection_row(result),
        "speeds": result.speeds, "refused": result.refused, "notes": result.notes,
        "files": files,
    })  # fmt: skip
