"""The site that `make site` makes of README.md and docs/, by Sphinx with MyST and the theme furo,
which Debian has. Its search and its pages work from a folder, too.

The source folder is the repository, so that a link in a page leads to the same file on the site: to
a page, or to a copy of the file.
"""

import os
import re
import shutil
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
    "Use": ("docs/user-guide", "docs/guide-*", "docs/config", "docs/columns", "docs/options",
            "docs/python", "docs/snapshots", "docs/limits", "docs/gpu", "docs/scaling"),
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


shown = []  # the configs whose movies the gallery has
LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s#:]+)\)")


def name_folders(text, folder):
    """Links to folders, of which the site has no page, become their text."""
    return LINK.sub(lambda m: m[1] if (folder / m[2]).is_dir() else m[0], text)


PICTURE = re.compile(r"!\[([^\]]*)\]\(pictures/gallery-([\w-]+)\.png\)")


def movie_of(case):
    """The movie of a shipped config, where `make site MOVIES=1` has made one."""
    gallery = Path(os.environ.get("GALLERY", ROOT / "out/gallery"))
    return gallery / case.replace("-", "_") / "movie.mp4"


def show_movies(text):
    """Movies in place of the pictures, which stand there until they play."""
    def show(match):
        sentence, case = match.groups()
        if not movie_of(case).is_file():
            return match[0]
        shown.append(case)
        return (f'<video controls loop muted preload="none" width="100%" aria-label="{sentence}" '
                f'poster="../movies/{case}.png" src="../movies/{case}.mp4"></video>')
    return PICTURE.sub(show, text)


def read(app, name, source):
    source[0] = name_folders(source[0], (ROOT / name).parent)
    if name == "docs/gallery":
        shown.clear()
        source[0] = show_movies(source[0])
    if name == root_doc:
        source[0] += contents()


def copy_movies(app, error):
    folder = Path(app.outdir) / "movies"
    for case in shown if not error else []:
        folder.mkdir(exist_ok=True)
        shutil.copyfile(movie_of(case), folder / f"{case}.mp4")
        shutil.copyfile(ROOT / f"docs/pictures/gallery-{case}.png", folder / f"{case}.png")


def write_index(app, error):
    """A server and a reader of the folder look for index.html."""
    if not error:
        (Path(app.outdir) / "index.html").write_text(
            '<!doctype html><meta http-equiv="refresh" content="0; url=README.html">'
            '<a href="README.html">Sluice</a>\n')


def setup(app):
    app.connect("source-read", read)
    # Movies come and go without a change of the page.
    app.connect("env-get-outdated", lambda app, env, added, changed, removed: ["docs/gallery"])
    app.connect("build-finished", write_index)
    app.connect("build-finished", copy_movies)
