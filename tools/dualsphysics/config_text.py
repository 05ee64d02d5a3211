"""The text of a config, with a comment beside each key that names the line it comes from."""

import numpy as np


def value_text(value):
    """A value in the syntax of libconfig."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        text = f"{float(value) + 0.0:.10g}"
        return text if any(mark in text for mark in ".en") else text + ".0"
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return "(" + ", ".join(value_text(row) for row in value) + ")"
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], tuple):
        return "{ " + " ".join(f"{key} = {value_text(inner)};" for key, inner in value) + " }"
    return "[" + ", ".join(value_text(inner) for inner in value) + "]"


def origin(element, words=""):
    """The comment that names an element."""
    if element is None:
        return f"# {words}" if words else ""
    name = element.attributes.get("key") if element.tag == "parameter" else element.tag
    return f"# line {element.line}: {name}{', ' + words if words else ''}"


class ConfigText:
    """Collects keys, groups and lists in order."""

    def __init__(self):
        self.lines = []

    def comment(self, text=""):
        self.lines.append(f"# {text}" if text else "")

    def _line(self, text, element, words=""):
        note = origin(element, words)
        self.lines.append(f"{text:<56} {note}".rstrip() if note else text)

    def key(self, name, value, element=None, words=""):
        self._line(f"{name} = {value_text(value)};", element, words)

    def group(self, name, rows):
        """Rows are (key, value, element)."""
        rows = [row for row in rows if row[1] is not None]
        if not rows:
            return
        self.lines.append(f"{name} = {{")
        for key, value, element in rows:
            self._line(f"    {key} = {value_text(value)};", element)
        self.lines.append("};")

    def list(self, name, entries):
        """Entries are ([(key, value), ...], element, words)."""
        if not entries:
            return
        self.lines.append(f"{name} = (")
        for number, (rows, element, words) in enumerate(entries):
            self.lines.append(f"    {origin(element, words)}")
            line = "    {"
            for key, value in rows:
                piece = f" {key} = {value_text(value)};"
                if len(line) + len(piece) > 96:
                    self.lines.append(line)
                    line = "     "
                line += piece
            self.lines.append(line + " }" + ("," if number < len(entries) - 1 else ""))
        self.lines.append(");")

    def text(self):
        return "\n".join(self.lines) + "\n"
