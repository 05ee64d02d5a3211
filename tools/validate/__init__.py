"""The validation suite: cases against experiments, closed forms and published values.

runner.py runs the program, trial.py holds what a case measured, suite.py lists all cases, page.py
writes docs/validation.md; every other file is a group of cases."""
