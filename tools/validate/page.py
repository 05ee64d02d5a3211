"""The page of the suite: a section a case, rewritten when the case is run, and a summary of all.

A section that is not rewritten keeps its numbers, and the version that made them."""

import os
import re
import time

import matplotlib.pyplot as plt
from plot.checks import table_text

SUMMARY, END = "<!-- summary -->", "<!-- end -->"
VERDICT = re.compile(r"^\*\*(.+?)\*\*: (.+?)\. Measured with (.+?); (.+?)\.$", re.M)


def begin_of(name):
    return f"<!-- case {name} -->"


def heading_anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def verdict_of(trial):
    return "MISSED" if trial.missed else "pass"


def gates_of(case, trial):
    """How many gates were missed, and which of the case's resolutions were run if not all."""
    text = f"{trial.gates} gates met"
    if trial.missed:
        text = f"{trial.missed} of {trial.gates} gates missed"
    if set(trial.resolutions) not in (set(case.resolutions), set(case.on_gpu)):
        run, own = (", ".join(f"{n:g}" for n in c.resolutions) for c in (trial, case))
        text += f", run at {run} and not at all of {own}"
    return text


def section(case, trial, picture):
    """The text between the marks of a case."""
    seconds = f"{trial.seconds:.0f} s of runs" if trial.seconds >= 1 else "less than 1 s of runs"
    seconds += time.strftime(", %Y-%m-%d", time.gmtime())
    versions = " and ".join(trial.versions)
    parts = [f"## {case.title}", case.text]
    if picture:
        parts.append(f"![{case.title}]({picture})")
    parts.append(
        f"**{verdict_of(trial)}**: {gates_of(case, trial)}. Measured with {versions}; {seconds}."
    )
    parts.append(table_text([check.row() for check in trial.checks]))
    return "\n\n".join(parts) + "\n"


def save_picture(trial, page):
    """The case's figure in pictures/ beside the page; its path as the page links it."""
    if trial.figure is None:
        return None
    link = f"pictures/validate-{trial.name}.png"
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
    """A row a case from the verdicts in the sections, and the cases that are not possible yet."""
    lines = ["| case | verdict | gates | measured with |", "|---|---|---|---|"]
    for case in cases.values():
        found = between(text, begin_of(case.name))
        verdict = VERDICT.search(found[1]) if found else None
        link = f"[{case.title}](#{heading_anchor(case.title)})" if found else case.title
        row = (verdict[1], verdict[2], verdict[3]) if verdict else ("not run yet", "", "")
        lines.append(f"| {link} | {' | '.join(row)} |")
    lines += [f"| {name} | not possible yet | needs {what} | |" for name, what in not_yet.items()]
    return "\n".join(lines) + "\n"


def in_order(text, cases):
    """The sections in the order of the suite, after all that stands outside of sections."""
    sections = []
    for case in cases.values():
        found = between(text, begin_of(case.name))
        if found:
            text = f"{found[0].rstrip()}\n\n{found[2].lstrip()}"
            sections.append(f"{begin_of(case.name)}{found[1]}{END}\n")
    return "\n\n".join([text.rstrip()] + [s.rstrip() for s in sections]) + "\n"


def write(path, trials, cases, not_yet):
    """Puts the trials {name: trial} into the page and makes its summary anew."""
    with open(path) as file:
        text = file.read()
    for name, trial in trials.items():
        picture = save_picture(trial, path)
        text = put(text, begin_of(name), section(cases[name], trial, picture))
    text = in_order(text, cases)
    text = put(text, SUMMARY, summary(text, cases, not_yet))
    with open(path, "w") as file:
        file.write(text)
