"""NDArray for annotations: numpy 1.19, which Debian 11 has, lacks numpy.typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray
else:
    try:
        from numpy.typing import NDArray
    except ModuleNotFoundError:
        from typing import List as NDArray

__all__ = ["NDArray"]
