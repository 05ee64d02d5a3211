#!/usr/bin/env python3
"""Profiles the strategies of `sluice bench strategies --all-candidates` with NVIDIA's ncu.

    strategies_ncu.py SLUICE [--csv FILE] [--cubes 8x10,...] [--strategies NAME,...] [OPTION ...]

One launch of each strategy in each cube, Lennard-Jones, in the columns of figure 7 of Algis et al.
2024: achieved and theoretical occupancy, branch efficiency, the limit of blocks a multiprocessor by
warps, L2 hit rate, and compute throughput. Further options go to the benchmark. Needs ncu, and
rights to read the counters of a GPU.
"""
import argparse
import csv
import io
import subprocess
import sys

CUBES = [f"{box}x{filling}" for filling in (1, 10, 100) for box in (2, 4, 8, 16, 32)]
STRATEGIES = {
    "par-part-noloop": "par_part_noloop_kernel",
    "par-part-loop": "par_part_loop_kernel",
    "par-cell": "par_cell_kernel",
    "par-cell-sm": "box_kernel",
    "x-pencil": "box_kernel",
    "x-pencil-reg": "box_kernel",
    "all-in-sm": "box_kernel",
}
METRICS = {
    "achieved_occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "theoretical_occupancy": "sm__maximum_warps_per_active_cycle_pct",
    "branch_efficiency": "smsp__sass_average_branch_targets_threads_uniform.pct",
    "block_limit_warps": "launch__occupancy_limit_warps",
    "l2_hit_rate": "lts__t_sector_hit_rate.pct",
    "compute_throughput": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "issue_active": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "lanes_active": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "registers": "launch__registers_per_thread",
    "shared_bytes": "launch__shared_mem_per_block_dynamic",
    "threads": "launch__block_size",
    "us": "gpu__time_duration.sum",
}


def profile(sluice, strategy, cube, options):
    """The metrics of one launch. The first launch counts pairs, so the second is taken."""
    command = ["ncu", "--csv", "--page", "raw", "--metrics", ",".join(METRICS.values()),
               "--kernel-name", STRATEGIES[strategy], "--launch-skip", "1", "--launch-count", "1",
               "--kill", "on", sluice, "bench", "strategies", cube, "--strategy", strategy,
               "--backend", "cuda", "--all-candidates", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    if len(rows) < 2:  # the first has the units
        sys.exit(f"{strategy}, {cube}: ncu gave no row: {(done.stdout + done.stderr)[-600:]}")
    scale = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3,
             "Kbyte/block": 1e3, "Kbyte": 1e3}
    return {name: float(rows[1][metric].replace(",", "")) * scale.get(rows[0][metric], 1)
            for name, metric in METRICS.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sluice", help="the program")
    parser.add_argument("--csv", help="write the rows there (default: standard output)")
    parser.add_argument("--cubes", default=",".join(CUBES))
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    arguments, options = parser.parse_known_args()
    with open(arguments.csv, "w") if arguments.csv else sys.stdout as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["strategy", "box", "per_cell", *METRICS])
        for cube in arguments.cubes.split(","):
            for strategy in arguments.strategies.split(","):
                found = profile(arguments.sluice, strategy, cube, options)
                out.writerow([strategy, *cube.split("x"), *(f"{v:.4g}" for v in found.values())])
                file.flush()


if __name__ == "__main__":
    main()
