"""The report of runs: one HTML file that opens without a network."""
