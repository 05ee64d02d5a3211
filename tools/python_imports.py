"""Which files of the tree's Python import which, for check-tree.py."""

import ast
from pathlib import Path

ROOTS = (Path("python"), Path("tools"))  # where modules are looked for, as PYTHONPATH would be


def file_of(name, bases, files):
    """The file, one of `files`, of a module's dotted name below one of `bases`, or None."""
    for base in bases:
        module = base.joinpath(*name.split("."))
        for path in (module.with_name(f"{module.name}.py"), module / "__init__.py"):
            if path in files:
                return path
    return None


def imports_of(path, source, files):
    """The set of `files` that a file with this source imports: anywhere in it, within functions and
    for checkers of types, too. `from package import name` is the module of that name if there is
    one, otherwise the package's __init__.py; packages around a module do not count. SyntaxError:
    the source is no Python."""
    found = set()
    is_script = path.parent / "__init__.py" not in files
    roots = [*([path.parent] if is_script else []), *ROOTS]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {file_of(alias.name, roots, files) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            bases = [*path.parents][node.level - 1 :][:1] if node.level else roots
            stem, rest = (f"{node.module}.", node.module) if node.module else ("", "__init__")
            found |= {file_of(stem + alias.name, bases, files) or file_of(rest, bases, files)
                      for alias in node.names}
    return found - {None, path}


def needs_by_imports(root, files):
    """What each Python file of python and tools (relative to root) imports of the others: file ->
    set of files; the same of the folders there, where a script that is in none is one by itself;
    and the findings of files that are no Python."""
    checked = {path for path in files
               if path.suffix == ".py" and any(base in path.parents for base in ROOTS)}
    needs, folders, unreadable = {}, {}, []
    for path in sorted(checked):
        try:
            needs[path] = imports_of(path, (root / path).read_bytes(), checked)
        except SyntaxError as error:
            unreadable.append(f"{path}:{error.lineno}: circles: this is no Python: {error.msg}")
            continue
        own = Path(*path.parts[:2])
        others = {Path(*other.parts[:2]) for other in needs[path]}
        folders[own] = folders.get(own, set()) | others - {own}
    return needs, folders, unreadable
