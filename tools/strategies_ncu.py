#!/usr/bin/env python3
"""Profiles the strategies of `sluice bench strategies --all-candidates` with NVIDIA's ncu.

    strategies_ncu.py SLUICE [--csv FILE] [--cubes 8x10,...] [--strategies NAME,...] [OPTION ...]
    strategies_ncu.py SLUICE --water [--csv FILE] [--strategies NAME,...] [OPTION ...]

One launch of each strategy in each cube, Lennard-Jones, in the columns of figure 7 of Algis et al.
2024: achieved and theoretical occupancy, branch efficiency, the limit of blocks a multiprocessor by
warps, L2 hit rate, and compute throughput. Further options go to the benchmark. Needs ncu, and
rights to read the counters of a GPU.

--water: cases of `sluice bench sph` with a million particles, and for what warps wait: the mean
number that wait whenever an instruction is issued.
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
WATER = ("cube-m4-1.0", "tank-m4-1.0", "tank-m4-1.3", "tank-c2-2.0")
WATER_METRICS = {
    **{f"wait_{name}": f"smsp__average_warps_issue_stalled_{stall}_per_issue_active.ratio"
       for name, stall in (("barrier", "barrier"), ("memory", "long_scoreboard"),
                           ("shared_memory", "short_scoreboard"))},
    "instructions": "smsp__inst_executed.sum",
    "l1_hit_rate": "l1tex__t_sector_hit_rate.pct",
}


def profile(sluice, strategy, bench, case, metrics, options):
    """The metrics of one launch: of cubes the second, since the first counts pairs; of water one
    of those that are measured, after those of the start."""
    skip = "1" if bench == "strategies" else "12"
    command = ["ncu", "--csv", "--page", "raw", "--metrics", ",".join(metrics.values()),
               "--kernel-name", STRATEGIES[strategy], "--launch-skip", skip, "--launch-count", "1",
               "--kill", "on", sluice, "bench", bench, case, "--strategy", strategy,
               "--backend", "cuda", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    if len(rows) < 2:  # the first has the units
        sys.exit(f"{strategy}, {case}: ncu gave no row: {(done.stdout + done.stderr)[-600:]}")
    scale = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3,
             "Kbyte/block": 1e3, "Kbyte": 1e3}
    return {name: float(rows[1][metric].replace(",", "")) * scale.get(rows[0][metric], 1)
            for name, metric in metrics.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sluice", help="the program")
    parser.add_argument("--csv", help="write the rows there (default: standard output)")
    parser.add_argument("--cubes", help="default: all 15")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--water", action="store_true")
    arguments, options = parser.parse_known_args()
    strategies = arguments.strategies.split(",")
    unknown = [name for name in strategies if name not in STRATEGIES]
    if unknown:
        parser.error(f"no strategy of cells is called {unknown[0]}: {', '.join(STRATEGIES)}")
    if arguments.water and arguments.cubes:
        parser.error("--water has cases of its own, and no --cubes")
    if arguments.water:
        bench, metrics, keys = "sph", {**METRICS, **WATER_METRICS}, ["case"]
        cases, options = WATER, ["-n", "1000000", *options]
    else:
        bench, metrics, keys = "strategies", METRICS, ["box", "per_cell"]
        cases = arguments.cubes.split(",") if arguments.cubes else CUBES
        options = ["--all-candidates", *options]
    rows = [["strategy", *keys, *metrics]]
    for case in cases:
        for strategy in strategies:
            found = profile(arguments.sluice, strategy, bench, case, metrics, options)
            named = [case] if arguments.water else case.split("x")
            rows.append([strategy, *named, *(f"{v:.4g}" for v in found.values())])
            print(*rows[-1], file=sys.stderr)
    with open(arguments.csv, "w") if arguments.csv else sys.stdout as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
