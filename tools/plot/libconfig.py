"""Reads libconfig text, as a run's config.cfg is written: groups, lists, arrays and scalars."""

import re

TOKEN = re.compile(
    r"""
    (?P<skip>\s+|\#[^\n]*|//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:\\.|[^"\\])*")
  | (?P<name>[A-Za-z*][-\w*]*)
  | (?P<number>[-+]?(?:0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)L{0,2})
  | (?P<mark>[][{}()=:;,])
""",
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"[": "]", "(": ")"}


class Reader:
    def __init__(self, text):
        self.tokens, self.next, at = [], 0, 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(
                    f"config line {text.count(chr(10), 0, at) + 1}: cannot read"
                    f" '{text[at:at + 20]}'"
                )
            if match.lastgroup != "skip":
                self.tokens.append((match.lastgroup, match.group()))
            at = match.end()
        self.tokens.append(("end", ""))

    def peek(self):
        return self.tokens[self.next]

    def take(self, *wanted):
        kind, text = self.tokens[self.next]
        if wanted and text not in wanted:
            raise ValueError(f"config: '{text}' where one of {' '.join(wanted)} was expected")
        self.next += 1
        return kind, text

    def settings(self, end):
        out = {}
        while self.peek()[1] != end:
            name = self.take()[1]
            self.take("=", ":")
            out[name] = self.value()
            while self.peek()[1] in (";", ","):
                self.take()
        return out

    def value(self):
        kind, text = self.take()
        if text == "{":
            out = self.settings("}")
            self.take("}")
            return out
        if text in CLOSING:
            out = []
            while self.peek()[1] != CLOSING[text]:
                out.append(self.value())
                if self.peek()[1] == ",":
                    self.take()
            self.take(CLOSING[text])
            return out
        if kind == "text":
            return self.strings(text)
        if kind == "name" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if kind == "number":
            text = text.rstrip("L")
            return (
                int(text, 0)
                if re.fullmatch(r"[-+]?(0[xX][0-9A-Fa-f]+|[1-9]\d*|0)", text)
                else float(text)
            )
        raise ValueError(f"config: '{text}' is no value")

    def strings(self, text):
        """One string, or several in a row, which libconfig joins."""
        parts = [text]
        while self.peek()[0] == "text":
            parts.append(self.take()[1])
        return "".join(re.sub(r"\\(.)", r"\1", part[1:-1]) for part in parts)


def parse(text):
    """The settings of libconfig text as nested dictionaries and lists."""
    return Reader(text).settings("")
