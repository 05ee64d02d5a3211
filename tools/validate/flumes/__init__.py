"""Wave makers in flumes.

setups.py writes the flumes and reads their gauges; regular.py, spectra.py and solitary.py have the
cases."""
