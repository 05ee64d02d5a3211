"""Stamps of finished runs: FOLDER/reuse.json holds what the results in the folder depend on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Collection
from typing import Any

from sluice.errors import FileError
from sluice.whole_file import whole

Stamp = dict[str, Any]
_NAME = "reuse.json"  # in the folder: it is moved and removed with it, and FOLDER* finds runs alone


def stamp_of(config: str, settings: list[str], **more: Any) -> Stamp:
    """What a run's result depends on: the text of its config, the files that this names, the
    changed keys, and `more`, as the program's version."""
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError as error:
        raise FileError(f"{config}: {error.strerror}") from error
    files = named_files(text, os.path.dirname(config)) | named_files("\n".join(settings), "")
    return {"config": text, "files": files, "settings": settings, **more}


def read_stamp(folder: str) -> Stamp | None:
    """The stamp of a folder; None: it has none, or one that was cut off."""
    try:
        with open(os.path.join(folder, _NAME)) as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def is_result(folder: str, stamp: Stamp, without: Collection[str] = ()) -> bool:
    """Whether the folder is the result of such a run. without: parts that may differ."""
    found = read_stamp(folder)
    return (
        found is not None
        and found.get("results") == _results(folder)
        and all(found.get(name) == value for name, value in stamp.items() if name not in without)
    )


def keep(folder: str, stamp: Stamp) -> None:
    """Marks the folder as the result of a finished run."""
    with whole(os.path.join(folder, _NAME)) as temporary, open(temporary, "w") as file:
        json.dump({**stamp, "results": _results(folder)}, file)


def _results(folder: str) -> str:
    """A digest of the folder's config and log. It changes if someone else runs or restarts there.
    """
    digest = hashlib.sha256()
    for name in ("config.cfg", "log.txt"):
        with contextlib.suppress(OSError), open(os.path.join(folder, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def forget(folder: str) -> None:
    """Takes the mark away, before the folder changes."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        os.remove(os.path.join(folder, _NAME))


def named_files(text: str, folder: str) -> dict[str, str]:
    """{name: digest} of the files named in quotes in a config's text, relative to its folder:
    tables and @include files, and the files that these include."""
    found: dict[str, str] = {}
    for name in re.findall(r'"([^"\n]+)"', text):
        path = os.path.join(folder, name)
        if name in found or not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            data = file.read()
        found[name] = hashlib.sha256(data).hexdigest()
        if re.search(rf'@include\s*"{re.escape(name)}"', text):
            found |= named_files(data.decode(errors="replace"), os.path.dirname(path))
    return found
