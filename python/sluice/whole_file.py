"""Files that have their name only when they are complete."""

from __future__ import annotations

import os
import secrets
from types import TracebackType


class whole:
    """A file that is written under another name, and gets its own when it is complete. A link of
    that name is replaced, and what it points to stays as it is:

    with whole(path) as temporary: write to the file `temporary`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> str:
        self.temporary = f"{self.path}.{secrets.token_hex(4)}.tmp"
        os.close(os.open(self.temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        return self.temporary

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            with open(self.temporary, "rb") as file:
                os.fsync(file.fileno())
            os.replace(self.temporary, self.path)
        elif os.path.exists(self.temporary):
            os.unlink(self.temporary)
