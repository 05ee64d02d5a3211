"""The HTML of a report: facts as text and tables that need no script, and what the scripts draw."""

import base64
import html
import json
import os
import re
import zlib

from report import facts
from report.packed import LEVEL

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = ("unpack.js", "viewer.js", "page.js")
SECTIONS = ("Probes", "Bodies", "Moorings", "Openings", "Energy")
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src"
          " 'unsafe-inline'; img-src data: blob:; worker-src blob:; font-src data:")  # fmt: skip
LICENCE = """Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE."""


def escape(value):
    return html.escape(str(value))


def source_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def library():
    """(plotly.js in base64 of deflated text, the lines of its copyright)."""
    from plotly.offline import get_plotlyjs

    text = get_plotlyjs()
    found = re.match(r"\s*/\*+(.*?)\*/", text, re.DOTALL)
    notice = re.sub(r"(?m)^\s*\*\s?", "", found[1]).strip() if found else "plotly.js, Plotly, Inc."
    return base64.b64encode(zlib.compress(text.encode(), LEVEL)).decode(), notice


# --- Facts ---


def table(rows, head=()):
    """Rows of cells, which are HTML; a cell may be (HTML, class)."""
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"] if head else []
    for row in rows:
        cells = "".join(
            f'<td class="{cell[1]}">{cell[0]}</td>' if isinstance(cell, tuple) else
            f"<td>{cell}</td>" for cell in row
        )  # fmt: skip
        lines.append(f"<tr>{cells}</tr>")
    return '<div class="tables"><table>' + "\n".join(lines) + "</table></div>"


def badge(words, kind):
    return f'<span class="badge {kind}">{escape(words)}</span>'


def verdict_badge(verdict, lost):
    """Of the energy, and what left the domain: the budget counts it, and so may be conserved
    without it."""
    left = " " + badge(lost, "warn") if lost else ""
    if verdict is None:
        return badge("no energy budget", "warn") + left
    kind = {True: "warn" if lost else "good", False: "bad", None: "warn"}[verdict["conserved"]]
    return badge(verdict["text"], kind) + left


def ended_badge(run):
    words, kind = {"done": ("done", "good"), "stopped": ("stopped: a restart continues it", "warn"),
                   "failed": ("failed", "bad")}.get(run["ended"], ("not ended", "warn"))
    return badge(words, kind)


def number(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if value is not None else ""


def overview(runs, labels):
    """What ran: a column a run."""
    rows = [
        ("ended", lambda run: ended_badge(run)),
        ("energy", lambda run: verdict_badge(run["verdict"], run["lost"])),
        ("time", lambda run: f"{number(run['time'])} of {number(run['time_end'])}"
                             f" {run['units']['time']}"),
        ("steps", lambda run: number(run["steps"])),
        ("particles", lambda run: ", ".join(f"{number(count)} {kind}"
                                            for kind, count in run["particles"].items())),
        ("spacing", lambda run: f"{run['spacing']:.6g} {run['units']['length']}"
                                if run["spacing"] else ""),
        ("took", lambda run: next((f"{seconds:.6g} s" for name, seconds in run["sections"]
                                   if name == "all"), "")),
        ("speed", lambda run: escape("; ".join(run["rates"][:1]).replace("a second:", "in 1 s"))),
        ("device", lambda run: escape(run["device"].removeprefix("backend "))),
        ("started", lambda run: escape(run["started"]) + (
            f", {run['starts']} starts" if run["starts"] > 1 else "")),
        ("program", lambda run: escape(run["program"])),
        ("folder", lambda run: escape(run["folder"].rstrip("/").split("/")[-1])),
    ]  # fmt: skip
    head = ("", *map(escape, labels)) if len(runs) > 1 else ()
    cells = [[f'<span class="soft">{name}</span>', *map(of, runs)] for name, of in rows]
    return table([row for row in cells if any(row[1:])], head)


def messages(runs, labels):
    """Errors and warnings."""
    found = []
    for name, kind in (("errors", "warnings errors"), ("warnings", "warnings")):
        lines = [(label, text) for run, label in zip(runs, labels) for text in run[name]]
        items = "".join(f"<li>{escape(label + ': ' if len(runs) > 1 else '')}{escape(text)}</li>"
                        for label, text in lines)  # fmt: skip
        if items:
            found.append(f"<h2>{name.capitalize()}</h2><ul class='{kind}'>{items}</ul>")
    return "".join(found)


def configs(runs, labels):
    """Keys in which runs differ; the keys of each that were given."""
    found = []
    if len(runs) > 1:
        rows = [[f"<code>{escape(path)}</code>", *(escape(value) or "default" for value in row)]
                for path, row in facts.differences(runs).items()]  # fmt: skip
        found.append("<h2>Keys in which the runs differ</h2>" + (
            table(rows, ("", *map(escape, labels))) if rows else "<p>none</p>"))
    else:
        found.append("<h2>Config</h2>")
    for run, label in zip(runs, labels):
        rows = [[f"<code>{escape(path)}</code>", escape(value)]
                for path, value in run["given"].items()]  # fmt: skip
        name = f" of {escape(label)}" if len(runs) > 1 else ""
        is_open = " open" if len(runs) == 1 else ""
        found.append(f"<details{is_open}><summary>{len(rows)} keys{name} that were given; all"
                     f" others have their defaults</summary>{table(rows)}</details>")  # fmt: skip
    return "".join(found)


def bar(part):
    return f'<div style="width:{100 * part:.1f}%"></div>'


def times(runs, labels):
    """Where the time went."""
    found = []
    for run, label in zip(runs, labels):
        rows = [(name, seconds) for name, seconds in run["sections"] if name != "all"]
        most = max((seconds for _, seconds in rows), default=0) or 1
        total = sum(seconds for _, seconds in rows) or 1
        cells = [[escape(name), (f"{seconds:.3f} s", "number"),
                  (f"{seconds / total:.1%}", "number"), (bar(seconds / most), "bar")]
                 for name, seconds in rows]  # fmt: skip
        if cells:
            title = f"<h3>{escape(label)}</h3>" if len(runs) > 1 else ""
            words = "<br>".join(map(escape, run["rates"]))
            found.append(f'{title}{table(cells)}<p class="soft">{words}</p>')
    return "<h2>Times</h2>" + "".join(found) if found else ""


# --- The page ---


def graphs(panels):
    there = {panel["section"] for panel in panels}
    return "".join(f'<h2>{name}</h2><div class="panels" id="section-{name}"></div>'
                   for name in SECTIONS if name in there)  # fmt: skip


def plain(data):
    """JSON that no tag within it can end."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def page_of(report, blocks, lib):
    """The text of the page. report: runs, labels, viewers, panels, curvesBlock; lib: library()."""
    runs, labels = report["runs"], report["labels"]
    title = runs[0]["title"] if len({run["title"] for run in runs}) == 1 else "Runs compared"
    text, notice = lib
    viewer = ('<h2>The run</h2><div class="controls" id="controls"></div>'
              '<div class="viewers" id="viewers"></div>'
              if any(report["viewers"]) else "")  # fmt: skip
    parts = [
        "<!DOCTYPE html>\n<!-- sluice report: `sluice run --force` knows the file by this -->",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{source_of('page.css')}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        overview(runs, labels),
        messages(runs, labels),
        '<p id="trouble" class="bad"></p>',
        "<noscript><p>Curves and the viewer need JavaScript; nothing is fetched.</p></noscript>",
        viewer,
        graphs(report["panels"]),
        f'<p class="soft">{escape(report["thinned"])}</p>' if report["thinned"] else "",
        configs(runs, labels),
        times(runs, labels),
        "<h2>About</h2><p>Made by <code>sluice report</code>. The file is whole: it opens without"
        " a network, and fetches nothing.</p><details><summary>Licence of the library that draws"
        f" curves and space</summary><pre>{escape(notice)}\n\n{escape(LICENCE)}</pre></details>",
        f'<script type="application/json" id="report">{plain(report)}</script>',
        f'<script type="text/plain" id="library">{text}</script>',
    ]
    parts += [f'<script type="text/plain" id="block{i}">{block}</script>'
              for i, block in enumerate(blocks.texts)]  # fmt: skip
    parts += [f"<script>{source_of(name)}</script>" for name in SCRIPTS]
    return "\n".join(filter(None, parts)) + "</body></html>\n"
