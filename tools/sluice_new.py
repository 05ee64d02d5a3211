#!/usr/bin/env python3
"""Begins a case: lists the shipped ones, copies one, or converts one of DualSPHysics.

  sluice_new.py                              list the shipped cases by question
  sluice_new.py CASE [FOLDER]                copy one (default: to a folder of its name)
  sluice_new.py --from Case_Def.xml [FOLDER] convert a case of DualSPHysics

Nothing is overwritten. Exit codes: 0 done, 2 no such case, a file that exists already, or a case
without a counterpart in Sluice, 3 a file that cannot be read or written, or a missing Python
module.
"""

import os
import shlex
import sys

sys.dont_write_bytecode = True
from plot import ROOT  # noqa: E402
from plot.modules import ArgumentParser, end_with_reader, require, text_of  # noqa: E402
from shipped import copying  # noqa: E402, I100


def arguments():
    parser = ArgumentParser("sluice new", __doc__)
    parser.add_argument("words", nargs="*", help="CASE [FOLDER], or with --from [FOLDER]")
    parser.add_argument("--from", dest="source", metavar="FILE",
                        help="a case of DualSPHysics, Case_Def.xml")
    parser.add_argument("--configs", metavar="FOLDER", default=os.path.join(ROOT, "configs"),
                        help="the folder of the shipped configs (default: beside the tools)")
    parser.add_argument("--list", action="store_true", help="list the shipped cases")
    args = parser.parse_args()
    most = 1 if args.source else 2
    if len(args.words) > most:
        parser.error(f"'{args.words[most]}' is one argument too many")
    return args


def print_next(folder, config):
    out = f"out/{os.path.splitext(config)[0]}"
    commands = (
        (f"cd {shlex.quote(folder)}", ""),
        (f"sluice check {shlex.quote(config)}", "particles, memory, steps"),
        (f"sluice run {shlex.quote(config)}", f"results in {out}"),
        (f"sluice plot {shlex.quote(out)}", "a picture, and the curves of its tables"),
    )
    width = max(len(command) for command, note in commands if note)
    print("Next:")
    for command, note in commands:
        print(f"  {command:<{width}}  # {note}" if note else f"  {command}")


def copy(name, configs, folder):
    names = copying.copy(name, configs, folder)
    print(f"{folder}: {', '.join(names)}")
    print_next(folder, names[0])


def convert(source, folder):
    require("numpy", needed_by="sluice new --from")
    from dualsphysics import convert as conversion

    stem = os.path.splitext(os.path.basename(source))[0]
    stem = stem[: -len("_Def")] if stem.endswith("_Def") else stem
    folder = folder or stem
    copying.refuse_existing(folder, [f"{stem}.cfg", f"{stem}.txt"])
    try:
        made = conversion.Conversion(source, stem)
    except (conversion.RefusedError, conversion.BadXmlError) as error:
        raise copying.NewCaseError(f"{source}: {error}") from None
    names = conversion.names_of(made)
    copying.refuse_existing(folder, names)
    os.makedirs(folder, exist_ok=True)
    conversion.write(made, folder)
    print("\n".join(made.report.lines()))
    print(f"{folder}: {', '.join(names)}")
    print(made.summary())
    print_next(folder, names[0])


def main():
    args = arguments()
    if args.list or not (args.words or args.source):
        print("\n".join(copying.listing()))
        print("\n`sluice new CASE [FOLDER]` copies one, `sluice new --from Case_Def.xml` converts"
              " a case of\nDualSPHysics.")  # fmt: skip
    elif args.source:
        convert(args.source, args.words[0] if args.words else "")
    else:
        copy(args.words[0], args.configs, args.words[-1])


if __name__ == "__main__":
    end_with_reader()
    try:
        main()
    except copying.NewCaseError as error:
        print(f"sluice new: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"sluice new: {text_of(error)}", file=sys.stderr)
        sys.exit(3)
