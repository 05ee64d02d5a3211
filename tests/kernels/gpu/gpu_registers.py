#!/usr/bin/env python3
# test: 84 s, slow
"""A feature that is off costs nothing on a GPU: the kernels of a step of water and of Lennard-Jones
take exactly the registers, the stack and the shared memory that tests/data/registers.csv says.
Kernels are compiled for sm_90 with the flags of a build, without a GPU.

    gpu_registers.py           compares; needs the nvcc that the table is of
    gpu_registers.py --write   writes the table, for an intended change

What a feature must not change besides: launches (launches.c), memory (runs/memory_of_runs.py), bits
(runs/same_bits_of_cases.py).
"""
import csv
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import ROOT, diag, finish, ok

TABLE = Path(ROOT) / "tests/data/registers.csv"
FILES = ("window/window_lj", "window/window_wcsph_wendland", "step/integrate", "step/pointwise",
         "step/reduce", "step/sort", "step/reuse_order")
KERNEL = re.compile(r"Compiling entry function '(?:void )?([^']*)' for.*?"
                    r"(\d+) bytes stack frame, (\d+) bytes spill stores.*?"
                    r"Used (\d+) registers([^\n]*)", re.S)
HEAD = ("kernel", "registers", "stack_bytes", "spilled_bytes", "shared_bytes")


def make(*words):
    return subprocess.run(["make", "-s", "--no-print-directory", "CUDA=1", "CUDA_ARCHS=90",
                           "FLOAT_ALONE=cuda", "NO_INSTALL=1", "DEBUG=", "SANITIZE=", "NCCL=",
                           "NVCCFLAGS=", *words], cwd=ROOT, check=True, capture_output=True,
                          text=True).stdout


def nvcc_version():
    """The version of nvcc, or None without one."""
    path = make("print-NVCC").split("=")[-1].strip()
    if not path:
        return None
    said = subprocess.run([path, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"V(\d+\.\d+\.\d+)", said)[1]


def kernels_of(name, folder):
    """The kernels of a file: {name: (registers, stack, spilled, shared)}."""
    target = f"{folder}/obj/kernels/gpu/{name}.f32.cuda.o"
    line = next(line for line in make("-n", f"B={folder}", target).splitlines()
                if f"-o {target}" in line)
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    # What runs on the GPU alone: no code of the host, no dependencies.
    words = ["-cubin" if word == "-c" else word.replace("compute_90,code=compute_90",
                                                        "compute_90,code=sm_90")
             for word in shlex.split(line)]
    run = subprocess.run(words + ["-Xptxas", "-v"],
                         cwd=ROOT, capture_output=True, text=True)
    if not ok(run.returncode == 0, f"{name}: compiled", run.stderr):
        return {}
    said = subprocess.run(["c++filt"], input=run.stderr, capture_output=True, text=True).stdout
    kernels = {}
    for signature, stack, spilled, registers, rest in KERNEL.findall(said):
        short = re.sub(r"\(.*", "", signature.replace("sluice_cuda::", "").replace("f32::", ""))
        if "cub::" in short or "thrust::" in short: # of CUDA's library
            continue
        shared = re.search(r"(\d+) bytes smem", rest)
        kernels[short] = tuple(map(int, (registers, stack, spilled, shared[1] if shared else 0)))
    return kernels


def compare(kernels):
    with TABLE.open() as file:
        next(file)
        known = {row[0]: tuple(map(int, row[1:])) for row in list(csv.reader(file))[1:]}
    for name in sorted(known.keys() | kernels.keys()):
        want, got = known.get(name), kernels.get(name)
        ok(want == got, name, "expected, found: "
           + "; ".join("none" if row is None else
                       ", ".join(f"{a} {b}" for a, b in zip(HEAD[1:], row)) for row in (want, got))
           + "\nIf the change is meant: tests/kernels/gpu/gpu_registers.py --write")


def main():
    version, write = nvcc_version(), "--write" in sys.argv[1:]
    table_of = TABLE.open().readline().split()[-1] if TABLE.exists() else None
    if version is None or (version != table_of and not write):
        why = f"no nvcc {table_of}" + (f", but {version}" if version else "")
        print(f"1..0 # SKIP {why}")
        return
    kernels = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            kernels.update(kernels_of(name, Path(folder)))
    if write:
        with TABLE.open("w", newline="") as file:
            file.write(f"# float, sm_90, nvcc {version}\n")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEAD)
            writer.writerows([name, *kernels[name]] for name in sorted(kernels))
        diag(f"wrote {TABLE}")
    compare(kernels)
    finish()


if __name__ == "__main__":
    main()
