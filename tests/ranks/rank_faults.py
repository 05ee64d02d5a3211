#!/usr/bin/env python3
# test: 30 s, mpi
"""Faults of several ranks: a rank that fails while a file is written ends all ranks with its own
message; a collective message is printed once, and with --json as an object; a run that blows up
leaves the files of one rank. And their measurements for auto give one choice, which one rank and a
restart repeat. Needs a build with MPI=1 and mpirun."""

import json
import os
import re
import shutil
import subprocess
import sys

from case_run import SLUICE, Case, Run, differences, finish, ok, restart, scratch
from rank_cases import planes
from tap import skip

INFO = json.loads(subprocess.run([SLUICE, "info", "--json"], capture_output=True).stdout)
if not INFO["mpi"] or not shutil.which(INFO["mpirun"]):
    print("1..0 # SKIP no MPI in this program, or no mpirun")
    sys.exit(0)

DAM = "configs/dam_break.cfg"
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
OPEN_MPI = "Open MPI" in subprocess.run([INFO["mpirun"], "--version"], capture_output=True,
                                        text=True).stdout


def mpirun(*words, **environment):
    words = [INFO["mpirun"], *(["--oversubscribe"] if OPEN_MPI else []), *words]
    return subprocess.run(words, capture_output=True, text=True, timeout=60,
                          env={**ENVIRONMENT, **environment})


def errors(done):
    return [line for line in done.stderr.splitlines() if "sluice: " in line and "error:" in line]


# In rank 1 the program's allocation FAIL_NUMBER fails after a checkpoint's file was opened.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
void *__libc_calloc(size_t, size_t);
static int left = -1;
void *calloc(size_t n, size_t size)
{
    Dl_info from;
    if (left > 0 && n * size >= 2048 && dladdr(__builtin_return_address(0), &from) &&
        strstr(from.dli_fname, "sluice") && --left == 0)
        return NULL;
    return __libc_calloc(n, size);
}
int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    va_list more;
    va_start(more, flags);
    const int mode = va_arg(more, int);
    va_end(more);
    if (left < 0 && rank && strcmp(rank, "1") == 0 && strstr(path, "checkpoint_") &&
        strstr(path, ".tmp"))
        left = atoi(getenv("FAIL_NUMBER"));
    return real(path, flags, mode);
}
"""


def fail_allocations():
    """Rank 1 fails alone, where the others go on to the next message."""
    source, shim = os.path.join(scratch, "fail.c"), os.path.join(scratch, "fail.so")
    with open(source, "w") as file:
        file.write(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
    for number in (1, 4):
        done = mpirun("-x", f"LD_PRELOAD={shim}", "-n", "2", SLUICE, "run", DAM, "--threads", "1",
                      "--out", f"{scratch}/memory-{number}", "--set", "time.max_steps=3",
                      "--set", "output.every=0.0", "--quiet", FAIL_NUMBER=str(number))
        said = errors(done)
        ok(len(said) == 1 and "no memory" in said[0] and "rank 1" in said[0],
           f"allocation {number} of rank 1 fails: {said}", done.stderr)


if OPEN_MPI:
    fail_allocations()
else:
    skip("a rank without memory", "its options are OpenMPI's")

done = mpirun("-n", "2", "sh", "-c", 'ulimit -f 200; exec "$@"', "sh", SLUICE, "run", DAM,
              "--quiet", "--out", f"{scratch}/large", "--set", "time.max_steps=3")
ok(len(errors(done)) == 1 and "File too large" in done.stderr,
   "a collective failure is reported once", done.stderr)
done = mpirun("-n", "3", SLUICE, "run", DAM, "--bogus")
ok(len(errors(done)) == 1, "an unknown option is reported once", done.stderr)
done = mpirun("-n", "2", SLUICE, "run", DAM, "--json", "--set", "spacing=-1.0")
ok(len(errors(done)) == 1 and json.loads(done.stdout)["exit"] == 2,
   "a wrong config is reported once, with --json as one object", done.stdout + done.stderr)
of_one = [SLUICE, "run", DAM, "--json", "--out", f"{scratch}/one"]
done = mpirun("-n", "1", *of_one, ":", "-n", "1", *of_one, "--set", "spacing=-1.0")
ok(len(errors(done)) == 1 and "rank 1: " in json.loads(done.stdout)["error"],
   "errors of other ranks than the first, too", done.stdout + done.stderr)

one, many = (Case(DAM, spacing=0.005, time__step=0.003).run(f"blown-{n}", expect=(5,), ranks=n)
             for n in (1, 3))
ok(one.bytes_of("blow_up.csv") == many.bytes_of("blow_up.csv"),
   "a run that blows up leaves the same table on 3 ranks")
message = re.search("error: (the simulation blew up.*)", one.said)
ok(message and message.group(1) in many.said, "and says the same", many.said)

case = Case(DAM, spacing=0.003, time__max_steps=60, backend__strategy="auto",
            backend__auto_share=1.0, backend__auto_cache=False)
planes(3)
measured = case.run("measured", expect=(0, 1), ranks=2)
again = restart(measured.path, ranks=3, time__max_steps=90)
planes(0)
log = again.log
ok("(measured in" in log, "2 ranks measure for auto", log)
ok(re.search(r"rank [01] has the most: [0-9.]+ MB", log), "the log says who has the most memory")
folder = f"{scratch}/replayed"
words = case.command(folder, {"time__max_steps": 90})
replayed = Run(folder, [*words, "--replay", f"{measured.path}/log.txt"], (0, 1))
different = differences(again, replayed)
ok(not different, "one rank that repeats the choice has the same bits as their restart",
   str(different))
finish()
