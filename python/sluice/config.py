"""Configs: a run's effective one, and values as the program's --set takes them.

A config is in the syntax of libconfig: groups, lists, arrays and scalars."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sluice.errors import FileError, NotThere, listed

_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|\#[^\n]*|//[^\n]*|/\*.*?\*/)
  | (?P<include>@include\s*"[^"\n]*")
  | (?P<text>"(?:\\.|[^"\\])*")
  | (?P<name>[A-Za-z*][-\w*]*)
  | (?P<number>[-+]?(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)L{0,2})
  | (?P<mark>[][{}()=:;,])
""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_CLOSING = {"[": "]", "(": ")"}
_MISSING = object()
_DEEPEST = 10  # the deepest chain of @include files, as in the program


class Config(dict[str, Any]):
    """The settings of a config: a dictionary, whose groups are dictionaries, too.

    A key may be a path, as for --set: config["fluid.viscosity.alpha"]. An entry of a list has its
    name or its number, from 0: config["geometry.tank.sides"], config["geometry.[0].min"]."""

    def __missing__(self, path: str) -> Any:
        value = self._find(path)
        if value is _MISSING:
            raise NotThere(f"no key '{path}' in this config: {self._near(path)}")
        return value

    def get(self, path: str, default: Any = None) -> Any:
        """The value at a path, or the default if there is none."""
        value = self._find(path)
        return default if value is _MISSING else value

    def __contains__(self, path: object) -> bool:
        return self._find(str(path)) is not _MISSING

    def names(self, path: str) -> list[str]:
        """The names of a list's entries that have one: config.names("probes")."""
        entries = self.get(path, [])
        return [e["name"] for e in entries if isinstance(e, dict) and "name" in e]

    def entry(self, path: str, name: str) -> Config:
        """The entry of that name in a list: config.entry("probes", "P1"). Empty: there is none."""
        for entry in self.get(path, []):
            if isinstance(entry, Config) and entry.get("name") == name:
                return entry
        return Config()

    def _find(self, path: str) -> Any:
        if dict.__contains__(self, path):
            return dict.__getitem__(self, path)
        value: Any = self
        for key in path.split("."):
            value = _step(value, key)
            if value is _MISSING:
                break
        return value

    def _near(self, path: str) -> str:
        """The names in the deepest group or list of the path that exists."""
        value: Any = self
        for key in path.split("."):
            inner = _step(value, key)
            if inner is _MISSING:
                break
            value = inner
        if isinstance(value, dict):
            return listed(value, key)
        if isinstance(value, list):
            return listed([e["name"] for e in value if isinstance(e, dict) and "name" in e], key)
        return "the path ends before"


def _step(value: Any, key: str) -> Any:
    """The entry of a group or list, or _MISSING."""
    if isinstance(value, dict):
        return dict.get(value, key, _MISSING)
    if isinstance(value, list):
        number = re.fullmatch(r"\[(\d+)\]", key)
        if number:
            return value[int(number[1])] if int(number[1]) < len(value) else _MISSING
        for entry in value:
            if isinstance(entry, dict) and dict.get(entry, "name") == key:
                return entry
    return _MISSING


def parse(text: str, path: str = "") -> Config:
    """The settings of a config's text. path: the config's file; included files are relative to it.
    ValueError: the syntax is wrong. FileError: an included file is missing or wrong."""
    return _Reader(text, path).settings("")


def read_config(path: str) -> Config:
    """The settings of a config file, with those of the files that it includes."""
    try:
        return parse(_text(path), path)
    except ValueError as error:
        raise FileError(f"{path}: {error}") from error


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error


def text_of(value: Any) -> str:
    """A value as a config and --set take it: 0.05, true, "adami", [0.0, 1.0], { kind = "none"; }.

    An array that mixes real and whole numbers becomes one of real numbers. numpy's scalars and
    arrays are converted to Python's."""
    if hasattr(value, "tolist"):  # numpy's
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + " ".join(f"{key} = {text_of(v)};" for key, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        if any(isinstance(item, float) for item in value):
            value = [float(item) if type(item) is int else item for item in value]
        groups = value == () or any(isinstance(item, (Mapping, list, tuple)) for item in value)
        inside = ", ".join(text_of(item) for item in value)
        return f"( {inside} )" if groups else f"[{inside}]"
    if isinstance(value, (str, os.PathLike)):
        escaped = os.fspath(value).replace("\\", "\\\\").replace('"', '\\"')
        for code, character in _ESCAPES.items():
            escaped = escaped.replace(character, f"\\{code}")
        return f'"{escaped}"'
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"{value!r} is no value of a config: numbers, bool, str, lists and dicts are")


def _tokens(text: str, path: str, depth: int = 1) -> Iterator[tuple[str, str]]:
    """Kind and text of each token, with those of files that the text includes."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            line = text.count("\n", 0, at) + 1
            raise ValueError(f"config line {line}: cannot read '{text[at:at + 20]}'")
        at, kind = match.end(), match.lastgroup
        if kind == "include":
            if depth == _DEEPEST:
                raise ValueError(f"@include: more than {_DEEPEST} files in a row: is it a circle?")
            inner = os.path.join(os.path.dirname(path), match.group().split('"')[1])
            yield from _tokens(_text(inner), inner, depth + 1)
        elif kind and kind != "skip":
            yield kind, match.group()


class _Reader:
    def __init__(self, text: str, path: str):
        self.tokens = [*_tokens(text, path), ("end", "")]
        self.next = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.next]

    def take(self, *wanted: str) -> tuple[str, str]:
        kind, text = self.tokens[self.next]
        if kind == "end" or (wanted and text not in wanted):
            found = f"'{text}'" if text else "the end"
            raise ValueError(f"config: {found} where {' or '.join(wanted) or 'more'} was expected")
        self.next += 1
        return kind, text

    def settings(self, end: str) -> Config:
        out = Config()
        while self.peek()[1] != end:
            name = self.take()[1]
            self.take("=", ":")
            out[name] = self.value()
            while self.peek()[1] in (";", ","):
                self.take()
        return out

    def value(self) -> Any:
        kind, text = self.take()
        if text == "{":
            group = self.settings("}")
            self.take("}")
            return group
        if text in _CLOSING:
            entries = []
            while self.peek()[1] != _CLOSING[text]:
                entries.append(self.value())
                if self.peek()[1] == ",":
                    self.take()
            self.take(_CLOSING[text])
            return entries
        if kind == "text":
            return self.strings(text)
        if kind == "name" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if kind == "number":
            text = text.rstrip("L")
            whole = re.fullmatch(r"[-+]?(0[xX][0-9A-Fa-f]+|[1-9]\d*|0)", text)
            return int(text, 0) if whole else float(text)
        raise ValueError(f"config: '{text}' is no value")

    def strings(self, text: str) -> str:
        """One string, or several in a row, which libconfig joins."""
        parts = [text]
        while self.peek()[0] == "text":
            parts.append(self.take()[1])
        return "".join(_ESCAPE.sub(_escaped, part[1:-1]) for part in parts)


def _escaped(match: re.Match[str]) -> str:
    """The character of an escape: \\n, \\", \\x41."""
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 3 else _ESCAPES.get(code, code)
