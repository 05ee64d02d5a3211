"""Compares runs with reference data and draws figures.

Runs are read with the package sluice of the same tree or installation, found by the path below."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
