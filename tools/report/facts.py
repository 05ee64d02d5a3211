"""The facts of a run: what ran, how it ended, its verdict, warnings and times, by its own files."""

import re

from sluice.config import parse, text_of

STAMP = re.compile(r"^\d{4}-\d\d-\d\dT[\d:]+Z ")
DEFAULT = re.compile(r"^.*# default$", re.MULTILINE)
LOST = r"^\d+ particles? left the domain"  # the line at the end of a run
LOSES = re.compile(r"warning: step .*particles? left the domain .*; (\d+) in all")  # on the way
WHOLE_PATH = re.compile(r'^"/.*?([^/"]+)"$')
SECTION = re.compile(r"(\S.*?) +(\d+\.\d+)(?: +(\d+\.\d)%)?")


def given_keys(run):
    """{path: value as text} of the keys that the run's config was given, in its order. Of a file
    its name, without the folders of this machine."""
    if not run.has("config.cfg"):
        return {}
    with open(run.file("config.cfg"), encoding="utf-8", errors="replace") as file:
        given = parse(DEFAULT.sub("", file.read()), run.file("config.cfg"))
    return {path: WHOLE_PATH.sub(r'"\1"', value) for path, value in paths_of(given, "")}


def paths_of(value, path):
    """(path, value as text) of each key below a value, as --set names it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not (key == "name" and path.endswith(f".{inner}")):
                yield from paths_of(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        names = [entry.get("name", "") for entry in value]
        for number, entry in enumerate(value):
            name = names[number] if names.count(names[number]) == 1 else ""
            yield from paths_of(entry, f"{path}.{name or f'[{number}]'}")
    else:
        yield path, text_of(value)


def log_lines(run):
    """The lines of the log without their stamps."""
    return [STAMP.sub("", line) for line in run.log.splitlines()] if run.has("log.txt") else []


def last_start(lines):
    """The lines since the last start: a restart adds to the log."""
    starts = [i for i, line in enumerate(lines) if re.match(r"sluice \d", line)]
    return lines[starts[-1] :] if starts else lines


def starting_with(lines, word):
    """What follows a word at the beginning of lines, each text once."""
    return list(dict.fromkeys(line[len(word) :].strip() for line in lines if line.startswith(word)))


def folded(texts):
    """The texts, but of those that differ in numbers alone the first, their count, and the last."""
    kinds = {}
    for text in texts:
        kind = re.sub(r"\(.*?\)|[-+]?\d[\d.e+-]*|(?<=particle)s", "", text)
        kinds.setdefault(kind, []).append(text)
    return [found[0] if len(found) == 1 else
            f"{found[0]}; {len(found)} such lines in log.txt, the last: {found[-1]}"
            for found in kinds.values()]  # fmt: skip


def sections_of(lines):
    """[(section, seconds)] of the last table of times, and the lines on rates below it."""
    starts = [i for i, line in enumerate(lines) if re.match(r"section +seconds", line)]
    found, after = [], []
    for line in lines[starts[-1] + 1 :] if starts else []:
        row = SECTION.fullmatch(line)
        if row and not after:
            found.append((row[1], float(row[2])))
        elif line.strip():
            after.append(line)
        else:
            break
    return found, after


def first_matching(lines, pattern):
    return next((line for line in lines if re.search(pattern, line)), "")


def particles_of(run):
    """{"fluid": n, "wall": n} of the last snapshot."""
    if not len(run):
        return {}
    kinds = run[-1].type
    return {"fluid": int((kinds == 0).sum()), "wall": int((kinds != 0).sum())}


def verdict_of(run):
    """The verdict on the energy; None without a budget that has rows."""
    if not run.has("energy.csv") or not run.energy().rows:
        return None
    judged = run.verdict
    return {"text": str(judged), "conserved": judged.conserved, "residual": judged.residual,
            "reference": judged.reference, "tolerance": judged.tolerance}  # fmt: skip


def last_state(run):
    """(time, step) of the last row of the budget, or of the last snapshot."""
    if run.has("energy.csv") and run.energy().rows:
        table = run.energy()
        return float(table["time"][-1]), int(table["step"][-1]) if "step" in table else None
    return (float(run.times[-1]), run[-1].step) if len(run) else (None, None)


def lost_of(recent):
    """What left the domain, as "3 particles left the domain, 2% of the fluid"; "": nothing."""
    line = first_matching(recent, LOST)
    if line:
        return line.partition(":")[0]
    counts = [found[1] for found in map(LOSES.match, recent) if found]
    return f"particles left the domain, {counts[-1]} so far" if counts else ""


def facts_of(run):
    """All of it, in types of JSON."""
    lines = log_lines(run)
    recent = last_start(lines)
    sections, rates = sections_of(recent)
    time, step = last_state(run)
    return {
        "folder": run.path,
        "name": run.name,
        "title": run.title or run.name,
        "model": run.config.get("model", ""),
        "dimension": run.dimension,
        "spacing": float(run.config.get("spacing", 0.0)),
        "program": recent[0] if recent else "",
        "started": run.log[:20] if recent and STAMP.match(run.log) else "",
        "starts": sum(bool(re.match(r"sluice \d", line)) for line in lines),
        "device": first_matching(recent, r"^backend "),
        "ended": run.ended,
        "end": (starting_with(recent, "done at") or [""])[-1],
        "errors": starting_with(recent, "error:"),
        "warnings": [*filter(None, [first_matching(recent, LOST)]),
                     *folded(starting_with(lines, "warning:"))],  # fmt: skip
        "time": time,
        "time_end": run.config.get("time.end"),
        "steps": step,
        "particles": particles_of(run),
        "snapshots": len(run),
        "verdict": verdict_of(run),
        "lost": lost_of(recent),
        "sections": sections,
        "rates": rates,
        "given": given_keys(run),
        "units": {name: run.units[name] for name in ("time", "length", "energy")},
    }


def differences(all_facts):
    """{path: [value of each run, "" where it has its default]} of the keys in which runs differ."""
    paths = dict.fromkeys(path for facts in all_facts for path in facts["given"])
    rows = {path: [facts["given"].get(path, "") for facts in all_facts] for path in paths}
    return {path: row for path, row in rows.items() if len(set(row)) > 1}
