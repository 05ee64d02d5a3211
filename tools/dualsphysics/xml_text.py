"""Reads the XML of GenCase, which is not always well-formed: `<` in attributes, text before the
declaration, bytes of other encodings. Each element knows its line, and what was read of it."""

import re

TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<![^>]*>"
    r"|</\s*(?P<end>[\w.:-]+)\s*>"
    r"|<(?P<tag>[A-Za-z_][\w.:-]*)(?P<attributes>(?:\s+[\w.:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*')"
    r"|\s+|[^<>\"'/\s]+)*?)\s*(?P<empty>/?)\s*>",
    re.DOTALL,
)
ATTRIBUTE = re.compile(r"([\w.:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
# Attributes that say nothing to the program, and elements whose name switches them off.
COMMENTS = ("comment", "units_comment", "unit_comment", "objname", "cmt", "_rem", "_print",
            "__comment", "___comment")  # fmt: skip


class BadXmlError(Exception):
    """The file is no case of GenCase."""


class Element:
    """An element with its line. `get` remembers what was read, so that the rest can be listed."""

    def __init__(self, tag, attributes, line, parent=None):
        self.tag, self.attributes, self.line, self.parent = tag, attributes, line, parent
        self.children, self.text = [], ""
        self.read, self.taken = set(), False

    def __repr__(self):
        return f"<{self.tag}> of line {self.line}"

    def get(self, name, default=None):
        self.taken = True
        self.read.add(name)
        return self.attributes.get(name, default)

    def all(self, tag):
        """The children of that name; they count as taken."""
        self.taken = True
        found = [child for child in self.children if child.tag == tag]
        for child in found:
            child.taken = True
        return found

    def first(self, path):
        """The first element at a path of names, or None."""
        here = self
        for tag in path.split("/"):
            found = here.all(tag)
            if not found:
                return None
            here = found[0]
        return here

    def take_own(self):
        """Its attributes say nothing."""
        self.taken = True
        self.read.update(self.attributes)

    def take_all(self):
        """Everything below is dealt with."""
        self.taken = True
        self.read.update(self.attributes)
        for child in self.children:
            child.take_all()

    def is_off(self):
        """Switched off by a name that begins with _, or by active="false"."""
        self.read.update(("active", "activate"))
        values = [self.attributes.get(name, "true").strip().lower()
                  for name in ("active", "activate")]  # fmt: skip
        return self.tag.startswith("_") or "false" in values or "0" in values


def _plain(text):
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def _decode(data):
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode("latin-1"), f"line {line}: bytes that are not UTF-8, read as Latin-1"


def parse(data):
    """(root, repairs): the element <case> and a list of what was not well-formed."""
    text, wrong = _decode(data)
    repairs = [wrong] if wrong else []
    root, open_elements, place, line = None, [], 0, 1
    while True:
        start = text.find("<", place)
        between = text[place : start if start >= 0 else len(text)]
        if open_elements and between.strip():
            open_elements[-1].text += _plain(between)
        if start < 0:
            break
        line += text.count("\n", place, start)
        match = TOKEN.match(text, start)
        if not match:
            repairs.append(f"line {line}: '{text[start:start + 20].split()[0]}' begins no element,"
                           " and is skipped")  # fmt: skip
            place = start + 1
            continue
        place = match.end()
        if match["tag"]:
            attributes = {name: _plain(a or b)
                          for name, a, b in ATTRIBUTE.findall(match["attributes"])}  # fmt: skip
            rest = ATTRIBUTE.sub("", match["attributes"]).strip()
            if rest:
                repairs.append(f"line {line}: '{rest}' in <{match['tag']}> is no attribute, and is"
                               " skipped")  # fmt: skip
            if "<" in match["attributes"]:
                repairs.append(f"line {line}: '<' in an attribute of <{match['tag']}>, taken as it"
                               " is")  # fmt: skip
            parent = open_elements[-1] if open_elements else None
            element = Element(match["tag"], attributes, line, parent)
            if parent:
                parent.children.append(element)
            elif root is None:
                root = element
            if not match["empty"]:
                open_elements.append(element)
        elif match["end"]:
            repairs += _close(open_elements, match["end"], line)
        line += text.count("\n", start, place)
    if root is None:
        raise BadXmlError("there is no element in it")
    if open_elements:
        names = ", ".join(f"<{element.tag}> of line {element.line}" for element in open_elements)
        repairs.append(f"the file ends within {names}")
    return root, repairs


def _close(open_elements, tag, line):
    """Closes the innermost element of that name, and those within it."""
    for depth in range(len(open_elements) - 1, -1, -1):
        if open_elements[depth].tag == tag:
            wrong = [f"line {line}: </{tag}> closes <{inner.tag}> of line {inner.line}, too"
                     for inner in open_elements[depth + 1 :]]  # fmt: skip
            del open_elements[depth:]
            return wrong
    return [f"line {line}: </{tag}> closes nothing, and is skipped"]
