"""Reads the files of a run's folder, compares them with reference data and draws figures."""
