"""The page of the suite: a section a case, rewritten when the case is run, and a summary of all.

A case with resolutions of its own on a GPU has a section for those as well. A section that is not
rewritten keeps its numbers, and the version that made them."""

import os
import re
import time
from dataclasses import dataclass

import matplotlib.pyplot as plt
from plot.checks import table_text

SUMMARY, END = "<!-- summary -->", "<!-- end -->"
VERDICT = re.compile(r"^\*\*(.+?)\*\*: (.+?)\. Measured with (.+?); (.+?)\.$", re.M)


@dataclass
class Place:
    """A section of the page: its name in marks and pictures, its title, what it is run at."""

    name: str
    title: str
    resolutions: tuple


def places_of(case):
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


def section(place, text, trial, picture):
    """What stands between the marks of a section."""
    seconds = f"{trial.seconds:.0f} s of runs" if trial.seconds >= 1 else "less than 1 s of runs"
    seconds += time.strftime(", %Y-%m-%d", time.gmtime())
    versions = " and ".join(trial.versions)
    parts = [f"## {place.title}", text]
    if picture:
        parts.append(f"![{place.title}]({picture})")
    parts.append(
        f"**{verdict_of(trial)}**: {gates_of(place, trial)}. Measured with {versions}; {seconds}."
    )
    parts.append(table_text([check.row() for check in trial.checks]))
    return "\n\n".join(parts) + "\n"


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
    """(before, inside, after) the marks; None where they are not."""
    if begin not in text:
        return None
    before, rest = text.split(begin, 1)
    inside, after = rest.split(END, 1)
    return before, inside, after


def put(text, begin, inside):
    """The text with what stands between the marks replaced; at the end where there are none."""
    found = between(text, begin)
    if not found:
        return f"{text.rstrip()}\n\n{begin}\n{inside}{END}\n"
    return f"{found[0]}{begin}\n{inside}{END}{found[2]}"


def summary(text, cases, not_yet):
    """A row a section from the verdicts in them, and the cases that are not possible yet."""
    lines = ["| case | verdict | gates | measured with |", "|---|---|---|---|"]
    for place in all_places(cases):
        found = between(text, begin_of(place.name))
        verdict = VERDICT.search(found[1]) if found else None
        link = f"[{place.title}](#{heading_anchor(place.title)})" if found else place.title
        row = (verdict[1], verdict[2], verdict[3]) if verdict else ("not run yet", "", "")
        lines.append(f"| {link} | {' | '.join(row)} |")
    lines += [f"| {name} | not possible yet | needs {what} | |" for name, what in not_yet.items()]
    return "\n".join(lines) + "\n"


def in_order(text, cases):
    """The sections in the order of the suite, after all that stands outside of sections."""
    sections = []
    for place in all_places(cases):
        found = between(text, begin_of(place.name))
        if found:
            text = f"{found[0].rstrip()}\n\n{found[2].lstrip()}"
            sections.append(f"{begin_of(place.name)}{found[1]}{END}\n")
    return "\n\n".join([text.rstrip()] + [s.rstrip() for s in sections]) + "\n"


def write(path, trials, cases, not_yet):
    """Puts the trials {name: trial} into the page and makes its summary anew."""
    with open(path) as file:
        text = file.read()
    for name, trial in trials.items():
        place = place_of(cases[name], trial)
        picture = save_picture(place, trial, path)
        text = put(text, begin_of(place.name), section(place, cases[name].text, trial, picture))
    text = in_order(text, cases)
    text = put(text, SUMMARY, summary(text, cases, not_yet))
    with open(path, "w") as file:
        file.write(text)
