"""Shows how far a run is: in a notebook, in a terminal, or to a function."""

from __future__ import annotations

import html
import math
import re
import shutil
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol, Union

# A line of the program: " 10.0%  step 236  t 0.0100246 s  dt 4.22e-05 s  left 2 s  ..."
LINE = re.compile(r"\s*(\d+(?:\.\d+)?)%\s+(step .*)")

# None: shown in a notebook and in a terminal. True: elsewhere as well, a line for each tenth of the
# run. False: never. A function is called with the fraction done, 0 to 1, and the program's line.
Wanted = Union[None, bool, Callable[[float, str], Any]]


class Display(Protocol):
    """Where progress is shown."""

    def show(self, done: float, text: str) -> None:
        """done: the fraction of the run, 0 to 1. text: step, time, time left."""

    def close(self) -> None:
        """The run has ended."""


class InTerminal:
    """One line that is written over and over."""

    def __init__(self, title: str):
        self.title = title

    def show(self, done: float, text: str) -> None:
        line = f"{self.title}  {100 * done:5.1f}%  {text}"
        sys.stderr.write(f"\r{line[:columns() - 1]}\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


class InLines:
    """A line for each tenth of the run."""

    def __init__(self, title: str):
        self.title, self.tenths = title, 0

    def show(self, done: float, text: str) -> None:
        if math.floor(10 * done) > self.tenths:
            self.tenths = math.floor(10 * done)
            print(f"{self.title}  {100 * done:5.1f}%  {text}", file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class InNotebook:
    """A bar in the output of a notebook's cell."""

    def __init__(self, title: str):
        display = sys.modules["IPython"].display
        self.title, self.html = title, display.HTML
        self.handle = display.display(self._bar(0.0, ""), display_id=True)

    def show(self, done: float, text: str) -> None:
        self.handle.update(self._bar(done, text))

    def close(self) -> None:
        self.handle.update(self.html(""))

    def _bar(self, done: float, text: str) -> Any:
        words = html.escape(f"{self.title}  {100 * done:.1f}%  {text}")
        return self.html(f'<progress value="{done:.4f}" max="1"></progress> <code>{words}</code>')


class ToFunction:
    """Calls the user's function."""

    def __init__(self, function: Callable[[float, str], Any]):
        self.function = function

    def show(self, done: float, text: str) -> None:
        self.function(done, text)

    def close(self) -> None:
        pass


def display_for(wanted: Wanted, title: str) -> Display | None:
    """The display for this place; None: none. Threads other than the main one show progress only if
    asked to, because their lines would mix."""
    if callable(wanted):
        return ToFunction(wanted)
    if wanted is False:
        return None
    if wanted is None and threading.current_thread() is not threading.main_thread():
        return None
    if in_notebook():
        return InNotebook(title)
    if sys.stderr is not None and sys.stderr.isatty():
        return InTerminal(title)
    return InLines(title) if wanted else None


def in_notebook() -> bool:
    """Whether this Python is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def columns() -> int:
    """The width of the terminal."""
    return shutil.get_terminal_size((100, 24)).columns
