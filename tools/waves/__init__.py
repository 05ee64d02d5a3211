"""The analysis of wave gauges: single waves, harmonics, spectra, reflection, pictures."""
