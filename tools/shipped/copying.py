"""Lists the shipped configs by question, and copies one with the files that it needs."""

import difflib
import os
import re
import shutil

QUOTED = re.compile(r'"([^"\n]+)"')


class NewCaseError(Exception):
    """What was asked for does not exist, or its files do already."""


def questions():
    """[(heading, [(case, question), ...]), ...], as cases.txt has them."""
    found = []
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.txt")
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                found.append((line[1:].strip(), []))
            elif line.strip():
                found[-1][1].append(tuple(line.rstrip("\n").split("\t")))
    return found


def listing():
    for heading, cases in questions():
        yield f"{heading}:"
        for name, question in cases:
            yield f"  {name:<24}{question}"


def case_of(name, folder):
    """(text of a config of `folder`, paths of the files that it names). The text names them beside
    itself."""
    config = os.path.join(folder, f"{name}.cfg")
    known = [case for _, cases in questions() for case, _ in cases]
    if not os.path.isfile(config):
        if name.lower().endswith(".xml"):
            raise NewCaseError(f"{name}: a case of DualSPHysics takes `sluice new --from {name}`")
        near = [case for case in known if name and (name in case or case in name)]
        near = near or difflib.get_close_matches(name, known, n=3)
        more = f" (did you mean {' or '.join(near)}?)" if near else ""
        raise NewCaseError(f"there is no case '{name}'{more}: `sluice new` lists them")
    with open(config, encoding="utf-8") as file:
        text = file.read()
    paths = []
    for word in dict.fromkeys(QUOTED.findall(text)):
        path = os.path.join(folder, word)
        if os.path.isfile(path):
            paths.append(path)
            text = text.replace(f'"{word}"', f'"{os.path.basename(word)}"')
    return text, paths


def refuse_existing(folder, names):
    """Nothing of a user's is overwritten."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise NewCaseError(f"{folder} is a file: name a folder")
    for name in names:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            raise NewCaseError(f"{path} exists: name another folder, or remove it")


def copy(name, configs, folder):
    """Copies a case of the folder `configs`. Returns the names of the files."""
    text, paths = case_of(name, configs)
    names = [f"{name}.cfg", *(os.path.basename(path) for path in paths)]
    refuse_existing(folder, names)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, names[0]), "x", encoding="utf-8") as file:
        file.write(text)
    for path, file in zip(paths, names[1:]):
        shutil.copyfile(path, os.path.join(folder, file))
    return names
