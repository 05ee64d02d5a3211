"""What became of each element: taken, skipped, without a place in Sluice, or refused."""

from dualsphysics.xml_text import COMMENTS

LIMITS, DICTIONARY, GUIDE = "docs/limits.md", "docs/from-dualsphysics.md", "docs/guide-waves.md"


class RefusedError(Exception):
    """The case cannot be expressed in Sluice; the text names line, element and page."""


class Report:
    """The list beside the config. Each entry: (kind, line, element, text, page)."""

    TITLES = {
        "changed": "Taken with a difference",
        "missing": "Without a place in Sluice",
        "skipped": "Skipped, for nothing is lost",
        "unknown": "Not known to this converter",
        "repaired": "Not well-formed, and repaired",
    }

    def __init__(self):
        self.entries = []

    def add(self, kind, element, text, page=""):
        line, tag = (element.line, named(element)) if element is not None else (0, "")
        entry = (kind, line, tag, text, page)
        if entry not in self.entries:
            self.entries.append(entry)

    def changed(self, element, text, page=DICTIONARY):
        self.add("changed", element, text, page)

    def missing(self, element, text, page=LIMITS):
        element.take_all()
        self.add("missing", element, text, page)

    def skipped(self, element, text):
        element.take_all()
        self.add("skipped", element, text)

    def repaired(self, texts):
        for text in texts:
            self.add("repaired", None, text)

    def prune(self, element):
        """Removes elements that are switched off."""
        for child in [child for child in element.children if child.is_off()]:
            self.skipped(child, "it is switched off in the case")
            element.children.remove(child)
        for child in element.children:
            self.prune(child)

    def sweep(self, element):
        """Lists elements and attributes that nobody has read."""
        if not element.taken:
            self.add("unknown", element, "nothing was taken of it")
            return
        left = [name for name in element.attributes
                if name not in element.read and name not in COMMENTS
                and not name.startswith("_")]  # fmt: skip
        if left:
            self.add("unknown", element, f"of its attributes, not {', '.join(left)}")
        for child in element.children:
            self.sweep(child)

    def count(self, kind):
        return sum(entry[0] == kind for entry in self.entries)

    def lines(self):
        """The list as lines of text, a section for each kind."""
        for kind, title in self.TITLES.items():
            entries = sorted(e for e in self.entries if e[0] == kind)
            if not entries:
                continue
            yield f"{title}:"
            groups = {}
            for _, line, tag, text, page in entries:
                groups.setdefault((tag, text, page), []).append(line)
            for (tag, text, page), numbers in groups.items():
                words = ", ".join(str(number) for number in numbers[:6])
                words += f" and {len(numbers) - 6} more" if len(numbers) > 6 else ""
                where = f"line{'s'[: len(numbers) > 1]} {words}, {tag}: " if tag else ""
                yield f"  {where}{text}" + (f" ({page})" if page else "")
            yield ""


def named(element):
    """<tag>, of a parameter its key."""
    return element.attributes.get("key") or f"<{element.tag}>"


def refuse(element, text, page=LIMITS):
    where = f"line {element.line}, {named(element)}: " if element is not None else ""
    raise RefusedError(f"{where}{text}" + (f" ({page})" if page else ""))
