"""Cases of floating and falling bodies.

motion.py reads the bodies' tables, curves.py compares with published curves, heave_theory.py is
linear potential theory, overlaps.py finds overlaps of bodies, fluid and walls, setups.py has the
parts of configs; every other file is a group of cases."""
