"""Pictures of a run's snapshots, all with one camera and one scale of colours."""

from dataclasses import dataclass

import numpy as np

from plot import fields
from plot.modules import AskedError
from sluice import FileError
from render import camera, paint, scene

AXES = "xyz"
DEFAULT_VIEW = (30.0, 20.0)  # azimuth, elevation
LOOK_ALONG = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))  # towards the eye, of a slice


@dataclass(frozen=True)
class Asked:
    """The words of the options --camera, --zoom, --slice, --range and --hide."""

    camera: str = ""
    zoom: str = ""
    slice: str = ""
    range: str = ""
    hide: str = ""


LOOK = (
    ("camera", "3-D: azimuth,elevation (degrees; default 30,20), a direction x,y,z towards the eye,"
     " or front, back, left, right, top"),
    ("zoom", "enlarge the middle of the picture (default 1)"),
    ("slice", "3-D: only the particles beside a plane, as y=0.5"),
    ("range", "of the colours: LOW,HIGH"),
    ("hide", "groups of walls that are not drawn: NAME,..."),
)  # fmt: skip


def add_look(parser):
    """Adds the options of Asked to a tool's parser."""
    for name, text in LOOK:
        parser.add_argument(f"--{name}", default="", help=text)


def asked_of(args):
    return Asked(**{name: getattr(args, name) for name, _ in LOOK})


def numbers(option, text, counts, words):
    """Numbers separated by commas, as many as one of `counts`."""
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) not in counts or not np.all(np.isfinite(found)):
        raise AskedError(f"--{option} {text}: {words}")
    return found


def towards_eye(text):
    """The direction of --camera."""
    if not text:
        return camera.direction(*DEFAULT_VIEW)
    if text in camera.VIEWS:
        return camera.direction(*camera.VIEWS[text])
    words = ("needed are azimuth,elevation in degrees (as 30,20), a direction x,y,z towards the eye"
             f" (as 0.5,-1,0.4), or one of {', '.join(camera.VIEWS)}")  # fmt: skip
    found = numbers("camera", text, (2, 3), words)
    if len(found) == 2:
        if abs(found[1]) > 90:
            raise AskedError(f"--camera {text}: the elevation {found[1]:g} is not within -90..90")
        return camera.direction(*found)
    if not np.linalg.norm(found) > 0:
        raise AskedError(f"--camera {text}: the direction has no length")
    return np.array(found)


def plane_of(text):
    """(axis, place in m) of --slice, or None."""
    if not text:
        return None
    axis, _, place = text.partition("=")
    try:
        return AXES.index(axis), float(place)
    except ValueError:
        raise AskedError(f"--slice {text}: needed is x, y or z = a place in m, as y=0.5") from None


def range_of(scale, text):
    """The scale with the ends of --range."""
    if not text:
        return scale
    low, high = numbers("range", text, (2,), "needed are two numbers LOW,HIGH, as 0,2.5")
    if not low < high:
        raise AskedError(f"--range {text}: the first number must be the smaller one")
    if scale.names:
        raise AskedError(f"--range {text}: {scale.field.name} has classes, and no range")
    return scale.within(low, high)


class Studio:
    """sample: snapshots (in the order of time) by which colours and frame are chosen."""

    def __init__(self, run, sample, field, asked):
        self.run = run
        self.field = fields.find(field, run, sample)
        self.scale = range_of(fields.scale_of(self.field, sample), asked.range)
        plane = plane_of(asked.slice)
        if run.dimension == 2 and (asked.slice or asked.camera):
            option = "slice" if asked.slice else "camera"
            raise AskedError(f"--{option}: this run is in 2-D, where all is in one plane")
        if plane is not None and asked.camera:
            raise AskedError("--slice and --camera: a slice is seen along its axis; give one")
        if plane is None and run.dimension == 3 and self.field.walls:
            plane = self.middle_plane(sample[0])
        self.what = scene.make_scene(run, sample, self.hidden(asked.hide, sample[0]), plane,
                                     self.field.walls)  # fmt: skip
        if plane is not None:
            self.check_plane(plane)
        self.is_flat = run.dimension == 2 or plane is not None
        self.zoom = self.zoom_of(asked.zoom)
        back = (0, 0, 1) if run.dimension == 2 else towards_eye(asked.camera)
        self.axes = camera.axes_towards(back if plane is None else LOOK_ALONG[plane[0]])
        self.static = (None, None)

    @staticmethod
    def zoom_of(text):
        zoom = numbers("zoom", text, (1,), "needed is a factor, as 2")[0] if text else 1.0
        if not 0.05 <= zoom <= 100:
            raise AskedError(f"--zoom {text}: it must be from 0.05 to 100")
        return zoom

    @staticmethod
    def hidden(text, snapshot):
        names = [name for name in text.split(",") if name]
        for name in names:
            if name not in snapshot.groups:
                raise AskedError(f"--hide {name}: no group has this name; there are "
                                 f"{', '.join(snapshot.groups) or 'none'}")  # fmt: skip
        return names

    @staticmethod
    def middle_plane(snapshot):
        y = snapshot.x[snapshot.type == 0, 1]
        return 1, 0.5 * (y.min() + y.max()) if len(y) else 0.0

    def check_plane(self, plane):
        low, high = (end[plane[0]] for end in self.what.box)
        if not low <= plane[1] <= high:
            raise AskedError(f"--slice {AXES[plane[0]]}={plane[1]:g}: the particles reach from "
                             f"{low:.4g} to {high:.4g} m")  # fmt: skip

    def note(self):
        """Remarks for a reader of the picture."""
        if self.what.plane is None:
            return ""
        axis, place = self.what.plane
        reach = f"{self.what.reach * self.what.spacing:.3g} {self.run.units['length']}"
        if self.run.config.get("model") == "gas":
            reach = f"{1.15 * self.what.reach:.2g} particle spacings"
        at = f"{AXES[axis]} = {place:g} {self.run.units['length']}"
        shown = "particles" if self.field.walls else "fluid"
        return f"slice at {at}: {shown} within {reach} of it"

    def spans(self):
        """Low and high [2] (m) of the scene, to the right and up."""
        return camera.spans(self.what.box, self.axes)

    def view(self, size):
        return camera.fit(self.what.box, self.axes, size, self.zoom)

    def prepare(self, view, snapshot):
        """Draws what stays the same in all pictures of a camera."""
        if not self.is_flat:
            self.static = view, paint.static_layer(self.what, view.times(paint.FINER), snapshot)

    def picture(self, view, snapshot):
        """RGB [rows, columns, 3] in 0..1."""
        if self.field.values(snapshot) is None:
            raise FileError(f"the snapshot of t = {snapshot.time:g} has no {self.field.name}")
        if self.is_flat:
            return paint.plane_picture(self.what, view, snapshot, self.scale)
        if self.static[0] is not view:
            self.prepare(view, snapshot)
        is_liquid = self.run.config.get("model", "wcsph") == "wcsph"
        return paint.picture(self.what, view, snapshot, self.scale, self.static[1], is_liquid)
