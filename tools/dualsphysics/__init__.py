"""The way over from DualSPHysics: reads a case of GenCase, writes a config of Sluice.

A module for each group of elements. `convert.py` calls them in turn; each takes what it knows from
the tree of elements, and `report.py` lists what nobody took.
"""
