"""Cases of an ideal gas.

setups.py writes their configs, references.py has the exact solutions, profiles.py reads what a run
gave; every other file is a group of cases."""
