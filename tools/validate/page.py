"""The pages of the suite: a section for each case, rewritten when the case is run, and a summary.

The page itself has the checks with a gate; numbers for comparison go to a second page in notes/.
A case with resolutions of its own on a GPU has a section for those as well. A section that is not
rewritten keeps its numbers, and the version that made them."""

import fcntl
import os
import re
import textwrap
import time
from dataclasses import dataclass

import matplotlib.pyplot as plt
from plot.checks import table_text

SUMMARY, END = "<!-- summary -->", "<!-- end -->"
COMPARISONS = "notes/validation-comparisons.md"
COMPARISONS_HEAD = """# Notes: validation, numbers for comparison

Numbers of the [validation page](../{page}) that have no gate: coarser or finer runs, other keys,
theories, and observed orders. `sluice validate --write` writes this page along with that one.
"""
VERDICT = re.compile(r"^\*\*(.+?)\*\*: (.+?)\. Measured with (.+?); (.+?)\.$", re.M)  # on one line


@dataclass
class Place:
    """A section of the page: its name in marks and pictures, its title, its resolutions."""

    name: str
    title: str
    resolutions: tuple


def places_of(case):
    if not case.resolutions:
        return [Place(case.name, case.title, case.on_gpu)]
    places = [Place(case.name, case.title, case.resolutions)]
    if case.on_gpu != case.resolutions:
        places.append(Place(f"{case.name}-gpu", f"{case.title}, on a GPU", case.on_gpu))
    return places


def all_places(cases):
    return [place for case in cases.values() for place in places_of(case)]


def place_of(case, trial):
    return places_of(case)[-1 if trial.on_gpu else 0]


def begin_of(name):
    return f"<!-- case {name} -->"


def heading_anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def verdict_of(trial):
    return "MISSED" if trial.missed else "pass"


def gates_of(place, trial):
    """How many gates were missed, and which of the section's resolutions were run if not all."""
    text = f"{trial.gates} gates met"
    if trial.missed:
        text = f"{trial.missed} of {trial.gates} gates missed"
    if set(trial.resolutions) != set(place.resolutions):
        run, own = (", ".join(f"{n:g}" for n in c.resolutions) for c in (trial, place))
        text += f", run at {run} and not at all of {own}"
    return text


def measured_with(trial):
    seconds = f"{trial.seconds:.0f} s of runs" if trial.seconds >= 1 else "less than 1 s of runs"
    seconds += time.strftime(", %Y-%m-%d", time.gmtime())
    return f"Measured with {' and '.join(trial.versions)}; {seconds}."


def section(place, text, trial, picture):
    """A section of the page: its text, picture, verdict, and the checks with a gate."""
    filled = textwrap.fill(" ".join(text.split()), 108, break_long_words=False,
                           break_on_hyphens=False)
    parts = [f"## {place.title}", filled]
    if picture:
        parts.append(f"![{place.title}]({picture})")
    parts.append(f"**{verdict_of(trial)}**: {gates_of(place, trial)}. {measured_with(trial)}")
    parts.append(table_text([check.row() for check in trial.checks if check.gate is not None]))
    count = sum(check.gate is None for check in trial.checks)
    if count:
        link = f"{COMPARISONS}#{heading_anchor(place.title)}"
        parts.append(f"[{count} more for comparison]({link}).")
    return "\n\n".join(parts) + "\n"


def comparisons(place, trial):
    """A section of the second page: the numbers without a gate; empty if there are none."""
    rows = [check.row() for check in trial.checks if check.gate is None]
    table = table_text([[what, value, note] for what, value, _, _, note in rows],
                       ["number", "measured", ""])
    return f"## {place.title}\n\n{measured_with(trial)}\n\n{table}\n" if rows else ""


def save_picture(place, trial, page):
    """The trial's figure in pictures/ beside the page; its path as the page links it."""
    if trial.figure is None:
        return None
    link = f"pictures/validate-{place.name}.png"
    path = os.path.join(os.path.dirname(os.path.abspath(page)), link)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    trial.figure.savefig(path, dpi=90)
    plt.close(trial.figure)
    return link


def between(text, begin):
    """Splits the text into (before, inside, after) the marks; None if it has no such marks."""
    if begin not in text:
        return None
    before, rest = text.split(begin, 1)
    inside, after = rest.split(END, 1)
    return before, inside, after


def put(text, begin, inside):
    """Replaces the text between the marks; without marks, appends them and the text."""
    found = between(text, begin)
    if not found:
        return f"{text.rstrip()}\n\n{begin}\n{inside}{END}\n"
    return f"{found[0]}{begin}\n{inside}{END}{found[2]}"


def joined(section):
    """A section with the lines of each paragraph joined: its verdict may be wrapped."""
    return "\n\n".join(" ".join(part.splitlines()) for part in section.split("\n\n"))


def summary(text, cases, not_yet):
    """The summary's table: a row for each section, and for each case that is not possible yet."""
    lines = ["| case | verdict | gates | measured with |", "|---|---|---|---|"]
    for place in all_places(cases):
        found = between(text, begin_of(place.name))
        verdict = VERDICT.search(joined(found[1])) if found else None
        if found and not verdict:
            raise ValueError(f"the section of {place.name} has no verdict")
        link = f"[{place.title}](#{heading_anchor(place.title)})" if found else place.title
        row = (verdict[1], verdict[2], verdict[3]) if verdict else ("not run yet", "", "")
        lines.append(f"| {link} | {' | '.join(row)} |")
    lines += [f"| {name} | not possible yet | needs {what} | |" for name, what in not_yet.items()]
    return "\n".join(lines) + "\n"


def in_order(text, cases):
    """The sections in the order of the suite, after the text outside of sections."""
    sections = []
    for place in all_places(cases):
        found = between(text, begin_of(place.name))
        if found:
            text = f"{found[0].rstrip()}\n\n{found[2].lstrip()}"
            sections.append(f"{begin_of(place.name)}{found[1]}{END}\n")
    return "\n\n".join([text.rstrip()] + [s.rstrip() for s in sections]) + "\n"


def write_comparisons(path, trials, cases):
    """Puts the trials' numbers without a gate into the second page, beside the page at `path`."""
    second = os.path.join(os.path.dirname(os.path.abspath(path)), COMPARISONS)
    text = COMPARISONS_HEAD.format(page=os.path.basename(path))
    if os.path.exists(second):
        with open(second) as file:
            text = file.read()
    for name, trial in trials.items():
        place = place_of(cases[name], trial)
        text = put(text, begin_of(place.name), comparisons(place, trial))
    os.makedirs(os.path.dirname(second), exist_ok=True)
    with open(second, "w") as file:
        file.write(in_order(text, cases))


def write(path, trials, cases, not_yet):
    """Writes the sections of the trials {name: trial} to both pages, and the summary anew."""
    with open(path) as page:
        fcntl.flock(page, fcntl.LOCK_EX)  # until it is closed: cases run at once write it, too
        text = page.read()
        for name, trial in trials.items():
            place = place_of(cases[name], trial)
            picture = save_picture(place, trial, path)
            text = put(text, begin_of(place.name), section(place, cases[name].text, trial, picture))
        text = in_order(text, cases)
        text = put(text, SUMMARY, summary(text, cases, not_yet))
        with open(path, "w") as file:
            file.write(text)
        write_comparisons(path, trials, cases)
