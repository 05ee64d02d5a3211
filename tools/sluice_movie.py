#!/usr/bin/env python3
"""Draws a movie of a run: movie.mp4, and one picture of it, poster.png.

  sluice_movie.py RUN_DIR [--field NAME] [--every N] [--camera VIEW] [--slice y=0.5] [--out DIR]

No display and no GPU are needed. ffmpeg joins the pictures.
Exit codes: 0 done, 2 usage, 3 a file, a Python module or ffmpeg is missing or wrong.
"""

import contextlib
import importlib.util
import multiprocessing
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from plot.modules import (  # noqa: E402
    ADD_EXTRAS,
    BY_PIP,
    ArgumentParser,
    end_with_reader,
    make_folder,
    require,
    run_tool,
)

require("numpy", "matplotlib", "h5py")
import matplotlib.image  # noqa: E402
import numpy as np  # noqa: E402

from plot import fields, pictures  # noqa: E402
from plot.studio import Studio, add_look, asked_of  # noqa: E402
from render.frame import Frame, default_size, strips  # noqa: E402
from sluice import FileError, Run  # noqa: E402
from sluice.whole_file import whole  # noqa: E402

EVERY = 10.0  # s between lines of progress that no terminal shows
INSTALL_FFMPEG = ADD_EXTRAS if BY_PIP else "apt-get install ffmpeg"
SAMPLE = 16  # snapshots that choose frame and colours


def arguments(words=None):
    parser = ArgumentParser("sluice movie", __doc__)
    parser.add_argument("run_dir", help="the folder of a run")
    parser.add_argument("--out", help="folder of the movie (default RUN_DIR)")
    parser.add_argument("--field", default="speed",
                        help="what colours the fluid: " + ", ".join(fields.FIELDS))
    parser.add_argument("--every", type=int, default=1, help="only each Nth snapshot")
    add_look(parser)
    parser.add_argument("--size", help="of the movie, pixels: WIDTHxHEIGHT")
    parser.add_argument("--rate", type=float, default=25.0, help="pictures a second (default 25)")
    parser.add_argument("--poster", type=float, metavar="T", help="the time (s) of the poster"
                        " (default: when the kinetic energy is largest)")
    parser.add_argument("--frames", action="store_true", help="keep the pictures, in frames/")
    args = parser.parse_args(words)
    if args.every < 1:
        parser.error(f"--every {args.every}: a whole number of at least 1 is needed")
    if not 0.1 <= args.rate <= 240:
        parser.error(f"--rate {args.rate:g}: it must be from 0.1 to 240 pictures a second")
    args.size = args.size and parse_size(parser, args.size)
    return args


def parse_size(parser, text):
    """Width and height, made even, as movies need."""
    parts = text.lower().replace(",", "x").split("x")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        parser.error(f"--size {text}: needed are width and height in pixels, as 1280x720")
    size = tuple(int(part) // 2 * 2 for part in parts)
    if not (320 <= size[0] <= 7680 and 200 <= size[1] <= 4320):
        parser.error(f"--size {text}: it must be from 320x200 to 7680x4320")
    return size


def find_ffmpeg():
    """The ffmpeg on the PATH, or that of the Python package imageio-ffmpeg; None: there is none."""
    found = shutil.which("ffmpeg")
    if not found and importlib.util.find_spec("imageio_ffmpeg"):
        import imageio_ffmpeg

        found = imageio_ffmpeg.get_ffmpeg_exe()
    return found


def need_ffmpeg():
    found = find_ffmpeg()
    if not found:
        raise FileError("ffmpeg, which joins the pictures to a movie, is not found:"
                        f" {INSTALL_FFMPEG}; or --frames keeps the pictures and makes no movie")
    return found


def options_of(ffmpeg):
    """Options of the best encoder that this ffmpeg has."""
    listed = subprocess.run([ffmpeg, "-hide_banner", "-encoders"], capture_output=True, text=True)
    return ["-c:v", "libx264", "-crf", "18"] if " libx264 " in listed.stdout else ["-q:v", "3"]


def processors():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


class Movie:
    """The frames of a run's snapshots."""

    def __init__(self, args, run):
        self.args, self.run = args, run
        self.times = run.times[:: args.every]
        sample = [self.snapshot(k) for k in pictures.evenly(range(len(self.times)), SAMPLE)]
        self.studio = Studio(run, sample, args.field, asked_of(args))
        self.size = args.size or default_size(self.studio.spans())
        self.view = self.studio.view((self.size[0], self.size[1] - sum(strips(self.size))))
        self.studio.prepare(self.view, sample[0])
        studio = self.studio
        self.frame = Frame(self.size, studio.what, self.view, studio.scale, self.times,
                           studio.note())  # fmt: skip

    def snapshot(self, number):
        return self.run[number * self.args.every]

    def draw(self, number):
        """The frame of one of the snapshots: bytes [rows, columns, 3]."""
        snapshot = self.snapshot(number)
        return self.frame.draw(self.studio.picture(self.view, snapshot), snapshot.time)


def draw_number(number):
    return draw_number.movie.draw(number)


def frames_of(movie):
    """The frames in order, drawn on all processors."""
    count = len(movie.times)
    workers = min(processors(), count, 16)
    if workers == 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(movie.draw, range(count))
        return
    draw_number.movie = movie  # the workers are forks of this program
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        yield from pool.imap(draw_number, range(count))


def poster_of(movie, asked):
    """The number of the poster's picture: nearest to the time asked for, or to the largest kinetic
    energy; the middle one, if that is at the start or not known."""
    at, middle = asked, len(movie.times) // 2
    if asked is not None:
        pictures.nearest(movie.run, [asked], "poster")
    else:
        table = movie.run.energy() if movie.run.has("energy.csv") else {}
        if not np.any(np.nan_to_num(table.get("kinetic", 0)) > 0):
            return middle
        at = table["time"][int(np.nanargmax(table["kinetic"]))]
    number = int(np.argmin(np.abs(movie.times - at)))
    return number or (middle if asked is None else 0)


class Progress:
    """On a terminal one line that changes; else a line now and then."""

    def __init__(self, count):
        self.count, self.start = count, time.time()
        self.told = self.start

    def tell(self, done):
        now, is_last = time.time(), done == self.count
        left = (now - self.start) / done * (self.count - done)
        text = f"{done} of {self.count} pictures, {left:.0f} s left"
        if sys.stderr.isatty():
            print(f"\r{text}  ", end="\n" if is_last else "", file=sys.stderr, flush=True)
        elif now - self.told > EVERY and not is_last:
            self.told = now
            print(text, file=sys.stderr, flush=True)


class Encoder:
    """ffmpeg, which joins frames to a movie. The file gets its name when it is complete:

    with Encoder(path, size, rate) as encoder: encoder.add(frame), again and again."""

    def __init__(self, path, size, rate):
        self.path, self.part = path, f"{path}.{secrets.token_hex(4)}.tmp"
        ffmpeg = need_ffmpeg()
        self.command = [ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        self.command += ["-s", f"{size[0]}x{size[1]}", "-r", f"{rate:g}", "-i", "-"]
        self.command += [*options_of(ffmpeg), "-pix_fmt", "yuv420p", "-movflags", "+faststart"]

    def __enter__(self):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # the end of ffmpeg is an error with words
        command = [*self.command, "-f", "mp4", os.path.abspath(self.part)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE)
        return self

    def add(self, frame):
        try:
            self.process.stdin.write(frame.tobytes())
        except BrokenPipeError:
            self.close()
            raise FileError("ffmpeg ended before the movie did") from None

    def close(self):
        """Ends the movie. FileError: ffmpeg failed."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        if self.process.wait() != 0:
            raise FileError(f"{self.path} is not made: ffmpeg ended with status"
                            f" {self.process.returncode}: see its message above")  # fmt: skip

    def __exit__(self, kind, error, trace):
        try:
            if kind is None:
                self.close()
                os.replace(self.part, self.path)
        finally:
            self.process.kill()
            self.process.wait()
            with contextlib.suppress(FileNotFoundError):
                os.remove(self.part)
            end_with_reader()


def save_image(path, frame):
    with whole(path) as temporary:
        matplotlib.image.imsave(temporary, frame, format="png")


def write_all(movie, out, name, poster, is_joined):
    """Writes frames, poster, and the movie if the frames are joined. Returns what was written."""
    args, written, count = movie.args, [], len(movie.times)
    mp4 = os.path.join(out, name + ".mp4")
    folder = os.path.join(out, "frames" + name[len("movie"):])
    if args.frames:
        make_folder(folder, is_own=True)
    progress = Progress(count)
    with Encoder(mp4, movie.size, args.rate) if is_joined else contextlib.nullcontext() as joined:
        for number, frame in enumerate(frames_of(movie)):
            if joined:
                joined.add(frame)
            if args.frames:
                save_image(os.path.join(folder, f"frame_{number:05d}.png"), frame)
            if number == poster:
                picture = os.path.join(out, name.replace("movie", "poster") + ".png")
                save_image(picture, frame)
                written.append(f"{picture}  t = {movie.times[number]:.4g}")
            progress.tell(number + 1)
    if args.frames:
        written.append(f"{folder}/frame_00000.png .. frame_{count - 1:05d}.png")
    if is_joined:
        written.append(f"{mp4}  {count} pictures, {count / args.rate:.3g} s")
    return written


def main():
    args = arguments()
    is_joined = bool(find_ffmpeg() if args.frames else need_ffmpeg())
    run = Run(args.run_dir)
    if not len(run):
        raise FileError(f"{args.run_dir} has no snapshots: run.hdf.series is missing or empty")
    out = args.out or args.run_dir
    make_folder(out)
    movie = Movie(args, run)
    field = movie.studio.field.name
    name = "movie" if field == "speed" else f"movie_{field}"
    for line in write_all(movie, out, name, poster_of(movie, args.poster), is_joined):
        print(line)
    if not is_joined:
        print(f"no movie: ffmpeg is not found ({INSTALL_FFMPEG})")


if __name__ == "__main__":
    run_tool("sluice movie", main)
