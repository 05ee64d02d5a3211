#!/usr/bin/env python3
# test: 0.2 s
"""docs/papers.md: each claim of the papers once, with one of five words, and a reason where it is
not in the program; files, names in them, keys, rows of CSV files, links and anchors are there."""
import csv
import re
from functools import cache
from pathlib import Path

import tap
from tap import finish, ok

ROOT = Path(tap.ROOT)
PAGE = ROOT / "docs/papers.md"
LAST = {"E": 9, "A": 41, "B": 8, "C": 66, "D": 23}
WORDS = {"yes", "part", "no", "in benchmarks", "left out"}
NEED_A_REASON = {"part", "no", "left out"}
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
FOLDERS = ("src/", "kernels/", "tests/", "docs/", "configs/", "tools/", "data/", "python/")


@cache
def text_of(path):
    return path.read_text()


@cache
def cells_of(path):
    """The cells of each row of a CSV file, the one with the columns' names left out."""
    lines = [line for line in text_of(path).splitlines() if not line.startswith("#")]
    return [set(row) for row in csv.reader(lines)][1:]


@cache
def anchors_of(path):
    """The anchors of a page's headings, as GitHub makes them."""
    without_code = re.sub(r"^```.*?^```", "", text_of(path), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", without_code, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def rows():
    """The cells of the tables of claims: id, section, claim, word, place."""
    for line in text_of(PAGE).splitlines():
        if re.match(r"\| [A-Z]\d+ \|", line):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def link_problem(target):
    """What is wrong with a link from the page, or None. Those to the web are not followed."""
    if re.match(r"https?://", target):
        return None
    name, _, anchor = target.partition("#")
    path = (PAGE.parent / name).resolve() if name else PAGE
    if not path.exists():
        return f"{target}: there is no such file"
    if anchor and anchor not in anchors_of(path):
        return f"{target}: there is no such heading"
    return None


def file_problem(token):
    """What is wrong with "FILE" or with "FILE.csv: cell cell", or None."""
    name, colon, wanted = token.partition(": ")
    if not (ROOT / name).exists():
        return f"{name}: there is no such file or folder"
    if colon and not any(set(wanted.split()) <= cells for cells in cells_of(ROOT / name)):
        return f"{name}: no row has {wanted}"
    return None


def word_problem(token, files):
    """What is wrong with code that is no file: a command, a key, a choice of a key, or a name in
    one of the cell's files."""
    if token.startswith("bench "):
        app = "".join(text_of(path) for path in sorted((ROOT / "src/app").glob("*.[ch]")))
        gone = [word for word in token.split() if word.removeprefix("--") not in app]
        return f"{token}: the program has no {' '.join(gone)}" if gone else None
    keys = text_of(ROOT / "docs/config.md")
    if f"`{token}`" in keys or f'"{token}"' in keys:
        return None
    name = re.compile(rf"(?<!\w){re.escape(token)}(?!\w)")
    if any(name.search(text_of(path)) for path in files if path.is_file()):
        return None
    return f"{token}: no key, and in none of the files of this row"


def check_places(name, cell):
    tokens = CODE.findall(cell)
    named = [token for token in tokens if token.startswith(FOLDERS)]
    files = [ROOT / token.partition(": ")[0] for token in named]
    files += [PAGE.parent / target.partition("#")[0] for _, target in LINK.findall(cell)
              if not target.startswith("#")]
    problems = [link_problem(target) for _, target in LINK.findall(cell)]
    problems += [file_problem(token) for token in named]
    problems += [word_problem(token, files) for token in tokens if token not in named]
    ok(not any(problems), f"{name}: what it names is there", "\n".join(filter(None, problems)))


def has_sentence(cell):
    """Whether a cell ends with a sentence, of four words at least besides links and code."""
    plain = CODE.sub("", LINK.sub("", cell))
    return cell.endswith(".") and len(re.findall(r"[A-Za-z]{2,}", plain)) >= 4


def check_claims():
    found = list(rows())
    for paper, last in LAST.items():
        ids = [row[0] for row in found if row[0][0] == paper]
        ok(ids == [f"{paper}{n}" for n in range(1, last + 1)],
           f"{paper}1 to {paper}{last} once each, in order", " ".join(ids))
    ok(len(found) == sum(LAST.values()), f"{sum(LAST.values())} claims", len(found))
    for row in found:
        if not ok(len(row) == 5 and row[2] and row[4], f"{row[0]}: five cells", row):
            continue
        name, _, _, word, place = row
        ok(word in WORDS, f"{name}: a word of the page's list", word)
        check_places(name, place)
        if word in NEED_A_REASON:
            ok(has_sentence(place), f"{name}: a reason", place)


def check_text():
    """The links outside the tables, and the list of words."""
    others = [line for line in text_of(PAGE).splitlines() if not re.match(r"\| [A-Z]\d+ \|", line)]
    problems = [link_problem(target) for line in others for _, target in LINK.findall(line)]
    ok(not any(problems), "other links lead somewhere", "\n".join(filter(None, problems)))
    listed = {line.strip("|").split("|")[0].strip() for line in others if line.startswith("| ")}
    ok(WORDS <= listed, "the page explains its words", WORDS - listed)


check_claims()
check_text()
finish()
