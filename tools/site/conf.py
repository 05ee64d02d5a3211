"""The site that `make site` makes of README.md and docs/, by Sphinx with MyST and the theme furo,
which Debian has. Its search and its pages work from a folder, too.

The source folder is the repository, so that a link in a page leads to the same file on the site: to
a page, or to a copy of the file.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
project = "Sluice"
author = copyright = "The Sluice developers"
version = release = re.search(r'__version__ = "(.*)"',
                              (ROOT / "python/sluice/__init__.py").read_text())[1]
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "docs/**",
                    "tests/README.md", "data/README.md"]
myst_heading_anchors = 6
# A page may begin below its first level; not every script is coloured.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_title = "Sluice"
html_copy_source = html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}

# The contents at the side: pages that are not named here stand under Notes.
CONTENTS = {
    "Start": ("docs/tutorials/dam-break", "docs/tutorials/flume", "docs/tutorials/floater",
              "docs/tutorials/shock-tube", "docs/tutorials/own-stl", "docs/gallery",
              "docs/building", "docs/from-dualsphysics"),
    "Use": ("docs/user-guide", "docs/guide-*", "docs/config", "docs/python", "docs/snapshots",
            "docs/limits", "docs/gpu", "docs/scaling"),
    "Trust": ("docs/validation", "docs/theory", "docs/numerics", "docs/papers",
              "docs/benchmarks"),
    "Extend": ("CONTRIBUTING", "docs/design", "docs/strategies", "docs/adding-*", "tests/README"),
    "Notes": ("CHANGELOG", "RELEASING", "data/README", "docs/notes/*"),
}


def contents():
    """The toctrees of the first page, as MyST writes them."""
    trees = []
    for caption, pages in CONTENTS.items():
        trees.append(f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n"
                     + "\n".join(pages) + "\n```\n")
    return "".join(trees)


LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s#:]+)\)")


def name_folders(text, folder):
    """Links to folders, of which the site has no page, become their text."""
    return LINK.sub(lambda m: m[1] if (folder / m[2]).is_dir() else m[0], text)


def read(app, name, source):
    source[0] = name_folders(source[0], (ROOT / name).parent)
    if name == root_doc:
        source[0] += contents()


def write_index(app, error):
    """A server and a reader of the folder look for index.html."""
    if not error:
        (Path(app.outdir) / "index.html").write_text(
            '<!doctype html><meta http-equiv="refresh" content="0; url=README.html">'
            '<a href="README.html">Sluice</a>\n')


def setup(app):
    app.connect("source-read", read)
    app.connect("build-finished", write_index)
