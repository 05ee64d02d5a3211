"""Cases of openings, where water comes in and goes out.

The suite is in validate/suite.py.
"""
