#!/usr/bin/env python3
"""Writes configs/hull.stl, the mesh of configs/hull.cfg: Wigley's hull with a deck.

  tools/hull.py [FILE]
"""

import os
import sys

sys.dont_write_bytecode = True
from plot.modules import require  # noqa: E402

require("numpy")
from validate import meshes  # noqa: E402

FILE = os.path.join(os.path.dirname(__file__), "..", "configs", "hull.stl")


def main():
    triangles = meshes.wigley(1.2, 0.3, 0.15, 0.06, 24, 8)
    path = sys.argv[1] if len(sys.argv) > 1 else FILE
    meshes.write_stl(path, triangles, "Wigley's hull: L 1.2 m, B 0.3 m, T 0.15 m")
    print(f"{path}: {len(triangles)} triangles, {meshes.volume(triangles):.6f} m^3")


if __name__ == "__main__":
    main()
