#!/usr/bin/env python3
# test: 8 s
"""Cases of DualSPHysics, each of a few lines, as configs: shapes, walls on the dry side, motions,
waves, bodies, openings, probes; what is refused; and that `sluice check` takes them."""

import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

from dualsphysics import convert  # noqa: E402, I100
from dualsphysics.report import RefusedError  # noqa: E402

O, X, Y, Z = (0, 0, 0), (200, 0, 0), (0, 200, 0), (0, 0, 200)
SLUICE = os.environ.get("SLUICE", "build/release/sluice")
WATER = ('<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/>'
         '<size x="0.5" y="2" z="0.4"/></drawbox>')  # fmt: skip
TANK = ('<setmkbound mk="0"/><drawbox><boxfill>all^top</boxfill><point x="0" y="-1" z="0"/>'
        '<size x="1" y="2" z="0.8"/></drawbox>')  # fmt: skip
FILL = ('<setmkfluid mk="0"/><fillbox x="0.5" y="0" z="0.1"><modefill>void</modefill>'
        '<point x="-1" y="-1" z="-1"/><size x="9" y="2" z="1.4"/></fillbox>')  # fmt: skip


def xml(drawing, casedef="", special="", parameters="", dp=0.02, y=(0, 0), gravity=-9.81, extra=""):
    return f"""<?xml version="1.0"?>
<case><casedef>
<constantsdef><gravity x="0" y="0" z="{gravity}"/><rhop0 value="1000"/><coefsound value="20"/>
<hswl value="0" auto="true"/><speedsystem value="0" auto="true"/><coefh value="1.0"/>{extra}
</constantsdef>
<geometry><definition dp="{dp}"><pointmin x="-1" y="{y[0]}" z="-1"/>
<pointmax x="4" y="{y[1]}" z="2"/></definition><commands><mainlist>
{drawing}
</mainlist></commands></geometry>
{casedef}</casedef>
<execution><special>{special}</special><parameters>
<parameter key="Visco" value="0.01"/><parameter key="DensityDT" value="2"/>
<parameter key="TimeMax" value="1"/><parameter key="TimeOut" value="0.1"/>{parameters}
</parameters></execution></case>"""


class Made:
    """A converted case: its config as text, the list, and what `sluice check` says."""

    def __init__(self, text, files=(), check=True):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "Case_Def.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for name, content in files:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            self.conversion = convert.Conversion(path, "case")
            out = os.path.join(folder, "out")
            os.mkdir(out)
            convert.write(self.conversion, out)
            self.text = self.conversion.text
            self.flat = re.sub(r"\s+", " ", re.sub(r"#.*", "", self.text))
            self.list = "\n".join(self.conversion.report.lines())
            self.tables = {}
            for name in os.listdir(out):
                if name.endswith(".csv"):
                    self.tables[name] = np.loadtxt(os.path.join(out, name), delimiter=",",
                                                   skiprows=1)  # fmt: skip
            if check:
                done = subprocess.run([SLUICE, "check", os.path.join(out, "case.cfg")], text=True,
                                      capture_output=True, timeout=60)  # fmt: skip
                self.status, self.said = done.returncode, done.stdout + done.stderr

    def has(self, words, name):
        ok(words in self.flat, name, self.text)

    def lists(self, words, name):
        ok(words in self.list, name, self.list)

    def passes(self, name):
        ok(self.status == 0, f"sluice check takes {name}", self.said + self.text)


def refused(text, words, name, files=()):
    try:
        made = Made(text, files, check=False)
        ok(False, name, made.text)
    except RefusedError as error:
        ok(all(word in str(error) for word in words), name, error)


def test_dam_break():
    made = Made(xml(WATER + TANK))
    made.passes("a dam break")
    made.has('type = "fluid"; min = [0.0, 0.0]; max = [0.5, 0.4];', "the water as it is drawn")
    made.has("min = [-0.08, 0.0]; max = [0.0, 0.8];", "the left wall is outside of its face")
    made.has("min = [0.0, -0.08]; max = [1.0, 0.0];", "so is the floor")
    made.has("h_over_dp = 1.414213562;", "coefh sqrt(2) in 2-D")
    made.has("sound_speed = 38.6", "20 sqrt(g H), H between the water's points, as GenCase has it")
    ok("line 8: drawbox" in made.text, "a comment names the line", made.text)
    ok(made.conversion.scene.lost == made.conversion.scene.won == 0, "the water is the same",
       made.conversion.summary())  # fmt: skip


def test_fill_and_obstacle():
    """A fill up to a sheet of a slope and around a box; the box of faces is solid here."""
    slope = ('<setmkbound mk="1"/><drawprism mask="1|2|5|6"><point x="0" y="-1" z="0"/>'
             '<point x="2" y="-1" z="0"/><point x="3" y="-1" z="0.6"/><point x="0" y="-1" z="0.6"/>'
             '<point x="0" y="1" z="0"/><point x="2" y="1" z="0"/><point x="3" y="1" z="0.6"/>'
             '<point x="0" y="1" z="0.6"/></drawprism>')  # fmt: skip
    piston = ('<setmkbound mk="10"/><drawbox><boxfill>solid</boxfill>'
              '<point x="-0.02" y="-1" z="0"/><size x="0.02" y="2" z="0.6"/></drawbox>')
    box = ('<setmkbound mk="2"/><drawbox><boxfill>all^bottom</boxfill><point x="1" y="-1" z="0"/>'
           '<size x="0.2" y="2" z="0.2"/></drawbox>')  # fmt: skip
    made = Made(xml(piston + slope + box + FILL))
    made.passes("a fill over a slope")
    made.has("points = ([0.0, 0.0], [2.0, 0.0], [3.0, 0.6], [3.0, -0.08], [0.0, -0.08]);",
             "the slope is the ground beneath it")  # fmt: skip
    made.has('name = "bound2"; shape = "box"; type = "wall"; min = [1.0, 0.0]; max = [1.2, 0.2];',
             "a box of faces with water around it is solid")  # fmt: skip
    made.has("min = [-0.08, 0.0]; max = [0.0, 0.6];", "a thin piston grows to its dry side")
    made.lists("it grows by 0.06 m", "and the list says so")
    scene = made.conversion.scene
    ok(scene.lost == scene.won == 0 and scene.total > 1000, "the water is the same",
       made.conversion.summary())  # fmt: skip


def test_gap_and_void():
    drawing = WATER.replace('x="0" y="-1" z="0"', 'x="0.02" y="-1" z="0.02"', 1)
    void = ('<setmkvoid/><drawbox><boxfill>solid</boxfill><point x="0.2" y="-1" z="0.2"/>'
            '<size x="0.1" y="2" z="0.1"/></drawbox>')  # fmt: skip
    made = Made(xml(drawing + void + TANK))
    made.has('type = "fluid"; min = [0.0, 0.0];', "water drawn a point off the walls touches them")
    made.lists("moves by 0.02 m to the wall", "and the list says so")
    made.has('type = "void"; min = [0.2, 0.2]; max = [0.3, 0.3];', "a void cuts")


def test_lists_and_matrices():
    drawing = ('<newvarcte side="Dp*5" _rem="of a block"/>' + WATER + TANK +
               '<setmkbound mk="3"/><move x="0.6" y="0" z="0.1"/><runlist name="block" times="3"/>')
    text = xml(drawing).replace("<mainlist>", '<list name="block"><drawbox><boxfill>solid</boxfill>'
        '<point x="0" y="-1" z="0"/><size x="#side" y="2" z="#side"/></drawbox>'
        '<setmknextbound next="true"/><move x="0" y="0" z="#side*2"/></list><mainlist>')
    made = Made(text)
    made.passes("a list of blocks")
    for mk, low in ((3, 0.1), (4, 0.3), (5, 0.5)):
        made.has(f'name = "bound{mk}"; shape = "box"; type = "wall"; min = [0.6, {low:g}];',
                 f"block {mk} of the list at {low:g}")  # fmt: skip


def test_motions():
    tank = TANK.replace('mk="0"', 'mk="7"')
    motion = ('<motion><objreal ref="7"><begin mov="1" start="0"/><mvrotsinu id="1" duration="9">'
              '<freq v="0.5"/><ampl v="4"/><axisp1 x="0.5" y="-1" z="0"/>'
              '<axisp2 x="0.5" y="1" z="0"/>'
              '</mvrotsinu></objreal></motion>')  # fmt: skip
    made = Made(xml(WATER + tank, motion))
    made.passes("a tank that rocks")
    made.has('kind = "sine"; angle = 0.06981317008; period = 2.0;',
             "clockwise about y is anticlockwise in the plane")  # fmt: skip
    sequence = ('<motion><objreal ref="7"><begin mov="1" start="0.1"/>'
                '<mvrect id="1" duration="0.2" next="2"><vel x="1" y="0" z="0"/></mvrect>'
                '<wait id="2" duration="0.1" next="3"/>'
                '<mvrectace id="3" duration="0.2"><ace x="0" y="0" z="2"/></mvrectace>'
                "</objreal></motion>")  # fmt: skip
    made = Made(xml(WATER + tank, sequence))
    table = made.tables["bound7_path.csv"]
    at = {t: np.interp(t, table[:, 0], table[:, 1]) for t in (0.1, 0.2, 0.4, 1.0)}
    found = [at[t] for t in sorted(at)]
    ok(np.allclose(found, [0, 0.1, 0.2, 0.2], atol=1e-9), "a sequence in x", at)
    up = np.interp([0.4, 0.6, 1.0], table[:, 0], table[:, 2])
    ok(np.allclose(up, [0, 0.04, 0.04], atol=1e-9), "its acceleration upwards", up)
    file = ('<motion><objreal ref="7"><begin mov="1" start="0"/><mvrectfile id="1" duration="9">'
            '<file name="path.dat" fields="2" fieldtime="0" fieldx="1"/></mvrectfile></objreal>'
            "</motion>")  # fmt: skip
    made = Made(xml(WATER + tank, file), [("path.dat", "#t x\n0 5\n0.2 5\n0.5 5.1\n")])
    ok(np.allclose(made.tables["bound7_path.csv"], [[0, 0], [0.2, 0], [0.5, 0.1], [1, 0.1]]),
       "a file: displacements from its first row, at rest after its last", made.tables)  # fmt: skip
    made = Made(xml(WATER + tank, file.replace('start="0"', 'start="0.1" finish="0.35"')),
                [("path.dat", "#t x\n0 5\n0.2 5\n0.5 5.1\n")])  # fmt: skip
    ok(np.allclose(made.tables["bound7_path.csv"], [[0, 0], [0.1, 0], [0.3, 0], [1, 0]]),
       "it begins and finishes with the movement", made.tables)  # fmt: skip
    refused(xml(WATER + tank, file.replace('fieldx="1"', 'fieldx="2"')), ("fieldx", "column 2"),
            "a column that the file has not", [("path.dat", "0 5\n0.2 5\n")])  # fmt: skip


def test_accelerations():
    """accinputs: in a table, with gravity or in its place, within their time; what is refused."""
    given = ('<accinputs><accinput mkfluid="0"><time start="0.2" end="0.6"/>'
             '<acccentre x="0" y="0" z="0"/><globalgravity value="1"/>'
             '<acctimesfile value="acc.csv"/></accinput></accinputs>')  # fmt: skip
    file = [("acc.csv", "#Time;AccX;AccY;AccZ\n0;2;9;0\n1;4;9;-1\n")]
    made = Made(xml(WATER + TANK, special=given), file)
    made.passes("an acceleration over time")
    made.has('acceleration = "case_acceleration.csv";', "it is a table")
    table = made.tables["case_acceleration.csv"]
    at = [[np.interp(t, table[:, 0], column) for column in table.T[1:]]
          for t in (0.1, 0.3, 0.5, 0.8, 1.0)]  # fmt: skip
    ok(np.allclose(at, [[0, 0], [2.6, -0.3], [3, -0.5], [0, 0], [0, 0]]), "in its time alone", at)
    made.lists("its y is across the plane of this case", "its y is listed")
    inner = ('<acctimes><timevalue time="0" linx="1" linz="-9.81"/>'
             '<timevalue time="2" linx="3" linz="-9.81"/></acctimes>')  # fmt: skip
    inner = given.replace('<acctimesfile value="acc.csv"/>', inner).replace(
        'gravity value="1"', 'gravity value="0"').replace('<time start="0.2" end="0.6"/>', "")
    made = Made(xml(WATER + TANK, special=inner))
    table = made.tables["case_acceleration.csv"]
    ok(table.shape[1] == 2 and np.allclose(table[[0, -1]], [[0, 1], [1, 2]]),
       "in the place of gravity, which stays gravity", table)  # fmt: skip
    made = Made(xml(WATER + TANK, special=given.replace('"0.2" end="0.6"', '"5" end="10"')), file)
    ok("acceleration" not in made.text, "one that begins after the end is none", made.text)
    made.lists("never in this run", "and the list says so")
    turning = [("acc.csv", "0 0 0 0 0 1 0\n1 0 0 0 0 1 0\n")]
    refused(xml(WATER + TANK, special=given), ("accinput", "angular", "turn the tank"),
            "an angular acceleration", turning)  # fmt: skip
    more = WATER + WATER.replace('mk="0"', 'mk="1"').replace('x="0"', 'x="0.5"')
    refused(xml(more + TANK, special=given), ("accinput", "part of the fluid"),
            "an acceleration of a part of the fluid", file)  # fmt: skip
    refused(xml(WATER + TANK, special=given.replace("mkfluid", "mkbound")), ("bodies alone",),
            "an acceleration of bodies", file)  # fmt: skip
    refused(xml(WATER + TANK, special=given), ("acc.csv", "do not rise"), "times that fall",
            [("acc.csv", "1 0 0 0\n0 0 0 0\n")])  # fmt: skip


def moving(movement):
    """A 2-D case whose tank has one movement, without an end."""
    return xml(WATER + TANK.replace('mk="0"', 'mk="7"'), '<motion><objreal ref="7"><begin mov="1"'
               f' start="0"/>{movement}</objreal></motion>')  # fmt: skip


def test_across_the_plane():
    """In 2-D a y of DualSPHysics leads out of the plane: it is left out and listed, and is never
    taken for the y of Sluice, which points up."""
    words = "its y is across the plane of this case, and left out"
    made = Made(moving('<mvrect id="1" duration="9"><vel x="0.1" y="3" z="0"/></mvrect>'))
    made.has('kind = "linear"; velocity = [0.1, 0.0];', "a velocity in the plane")
    made.lists(f"<vel>: {words}", "and its y is listed")
    made = Made(moving('<mvrect id="1" duration="0.5"><vel x="0.1" y="3" z="0"/></mvrect>'))
    table = made.tables["bound7_path.csv"]
    ok(table.shape[1] == 2 and np.isclose(table[-1, 1], 0.05), "a sequence moves along x", table)
    made.lists(f"<objreal>: {words}", "and its y is listed")
    made = Made(moving('<mvrectsinu id="1" duration="9"><freq x="1" y="1" z="0"/>'
                       '<ampl x="0.1" y="3" z="0"/></mvrectsinu>'))  # fmt: skip
    made.has('kind = "sine"; amplitude = [0.1, 0.0]; period = 1.0;', "an amplitude in the plane")
    made.lists(f"<ampl>: {words}", "and its y is listed")
    made = Made(moving('<mvrect id="1" duration="9"><vel x="0" y="3" z="0"/></mvrect>'))
    ok("motions" not in made.text, "a wall that moves along y alone rests", made.text)
    made.lists("it does not move before TimeMax", "and the list says so")
    start = '<initials><velocity mkfluid="0" x="0.2" y="3" z="0"/></initials>'
    made = Made(xml(WATER + TANK, start), check=False)
    made.has("value = [0.2, 0.0];", "water begins to flow in the plane")
    made.lists(f"<velocity>: {words}", "and its y is listed")


def test_movements_without_frequency():
    axis = '<axisp1 x="0.5" y="-1" z="0"/><axisp2 x="0.5" y="1" z="0"/>'
    for movement in ('<mvrectsinu id="1" duration="9"><freq x="0" y="0" z="0"/><ampl x="0.1" y="0"'
                     ' z="0"/></mvrectsinu>', '<mvrotsinu id="1" duration="9"><ampl v="4"/>'
                     f"{axis}</mvrotsinu>"):  # fmt: skip
        made = Made(moving(movement), check=False)
        ok("motions" not in made.text, "a sine without a frequency is no motion", made.text)
        made.lists("it does not move before TimeMax", "and the list says so")


def test_waves():
    piston = TANK.replace('mk="0"', 'mk="10"').replace("all^top", "left")
    floor = TANK.replace("all^top", "all^top^left").replace('size x="1"', 'size x="4"')
    paddle = ('<wavepaddles><piston><mkbound value="10"/><waveorder value="2"/><start value="0"/>'
              '<depth value="0.4"/><pistondir x="1" y="0" z="0"/><waveheight value="0.05"/>'
              '<waveperiod value="1.2"/><phase value="0"/><ramp value="1"/>'
              '<savemotion periods="2"/>'
              '<awas_zsurf><startawas value="4"/></awas_zsurf></piston></wavepaddles>'
              '<damping><dampingzone><limitmin x="3" y="0" z="0"/></dampingzone></damping>'
              '<gauges><swl name="g1"><point0 x="1" y="0" z="0"/><point2 x="1" y="0" z="1"/></swl>'
              "</gauges>")  # fmt: skip
    made = Made(xml(WATER.replace('x="0.5" y="2"', 'x="4" y="2"') + piston + floor, special=paddle))
    made.passes("a wave flume")
    made.has('wave = "regular"; depth = 0.4; height = 0.05; period = 1.2; ramp = 1.2;',
             "the piston, its ramp in seconds")  # fmt: skip
    made.has('name = "g1"; kind = "height"; at = [1.0];', "a gauge")
    made.lists("<awas_zsurf>: absorption", "AWAS is on the list")
    made.lists("<damping>: damping zones", "so is damping")
    made.lists("docs/limits.md#waves", "with the page")


def test_bodies():
    box = ('<setmkbound mk="50"/><drawbox><boxfill>solid</boxfill><point x="0.2" y="-1" z="0.3"/>'
           '<size x="0.2" y="2" z="0.15"/></drawbox>')  # fmt: skip
    floating = ('<floatings><floating mkbound="50" relativeweight="0.5">'
                '<rotationDOF x="0" y="0" z="0"/>'
                '<linearvelini x="0.1" y="0" z="0.2"/></floating></floatings>')  # fmt: skip
    spring = ('<chrono><bodyfloating id="b" mkbound="50"/><bodyfixed id="f" mkbound="0"/>'
              '<link_linearspring idbody1="f" idbody2="b"><point_fb1 x="0.3" y="0" z="0"/>'
              '<point_fb2 x="0.3" y="0" z="0.3"/><stiffness value="100"/><damping value="5"/>'
              '<rest_length value="0.3"/></link_linearspring><link_pointline idbody1="b"/></chrono>'
              '<moorings><x/></moorings>')  # fmt: skip
    made = Made(xml(WATER + TANK + box, floating, spring))
    made.passes("a floating box on a spring")
    made.has('name = "bound50"; density = 500.0; velocity = [0.1, 0.2]; locked = "rz";', "the body")
    made.has("at = [0.3, 0.3]; to = [0.3, 0.0]; stiffness = 100.0; damping = 5.0; length = 0.3;",
             "the spring, from the body to the floor")  # fmt: skip
    made.lists("<link_pointline>: a joint that slides", "a joint without a counterpart")
    made.lists("<moorings>: lines with weight", "MoorDyn")


def test_solid_figures():
    """3-D: a cylinder in another direction than an axis, a sphere, a mesh of a file, moved."""
    stl = "solid x\n" + "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners) + "endloop\nendfacet\n"
        for corners in ((O, Y, X), (O, X, Z), (O, Z, Y), (X, Y, Z))
    ) + "endsolid\n"  # fmt: skip
    drawing = (WATER + TANK + '<setmkbound mk="1"/><setdrawmode mode="full"/>'
               '<drawsphere radius="0.12"><point x="0.8" y="0.5" z="0.4"/></drawsphere>'
               '<drawcylinder radius="0.1"><point x="0.6" y="-0.5" z="0.2"/>'
               '<point x="0.8" y="-0.3" z="0.2"/></drawcylinder>'
               '<drawfilestl file="CORNER.stl"><drawscale x="0.001" y="0.001" z="0.001"/>'
               '<drawmove x="0.6" y="0" z="0.1"/></drawfilestl>')  # fmt: skip
    made = Made(xml(drawing, y=(-1, 1), dp=0.04), [("Corner.stl", stl)])
    made.passes("a sphere, a cylinder and a mesh")
    made.has('shape = "sphere"; type = "wall"; centre = [0.8, 0.5, 0.4]; radius = 0.12;',
             "the sphere")  # fmt: skip
    made.has("rotation_degrees = 90.0; move = [0.7, -0.4, 0.2];", "the turned cylinder")
    made.has('shape = "mesh"; type = "wall"; file = "case_1.stl";', "the mesh")
    drawing = drawing.replace('drawmove x="0.6" y="0"', 'drawmove x="0.6" y="-0.1"')
    drawing = re.sub("<drawcylinder.*?</drawcylinder>", "", drawing)
    flat = Made(xml(drawing, dp=0.04), [("Corner.stl", stl)])
    flat.has("points = ([0.6, 0.1], [0.7, 0.1], [0.6, 0.2]);", "its section in 2-D")


def test_openings_and_start():
    inlet = ('<inout><inoutzone><zone2d><line><point x="0" y="0" z="0"/>'
             '<point2 x="0" y="0" z="0.4"/><direction x="1" y="0" z="0"/></line></zone2d>'
             '<imposevelocity mode="0"><velocity v="0.5"/>'
             '</imposevelocity><imposezsurf mode="0"><zsurf value="0.4"/></imposezsurf></inoutzone>'
             '</inout>')  # fmt: skip
    made = Made(xml(WATER + TANK.replace("all^top", "bottom"),
                    '<initials><velocity mkfluid="0" x="0.5" y="0" z="0"/></initials>', inlet),
                check=False)  # fmt: skip
    made.has('kind = "inlet"; centre = [0.0, 0.2]; normal = [1.0, 0.0]; size = 0.4;'
             " velocity = 0.5;", "an inlet")  # fmt: skip
    made.has('field = "velocity"; kind = "uniform"; value = [0.5, 0.0];', "water that moves")


def test_refusals():
    page = "docs/"
    refused(xml(WATER + TANK, special='<nnphases><phase mkfluid="0"/></nnphases>'),
            ("line 11", "<nnphases>", "Newtonian", page), "fluids that are not Newtonian")
    refused(xml(WATER + TANK, special="<magnets><x/></magnets>"), ("<magnets>", "not known here"),
            "an effect that is not known")  # fmt: skip
    refused(xml(WATER + TANK, parameters='<parameter key="PhaseCount" value="2"/>'),
            ("PhaseCount", "two-fluids"), "several phases")  # fmt: skip
    refused(xml(TANK), ("no water", page), "a case without water")
    refused(xml(WATER + TANK + "<drawteapot/>"), ("line 8", "<drawteapot>", page),
            "a figure unknown")  # fmt: skip
    refused(xml(WATER + TANK + "<clipplane/>"), ("<clipplane>", "clipping"), "clipping")
    refused(xml(WATER + TANK + '<drawfilestl file="no.stl"/>'), ("'no.stl'", "put it there"),
            "a missing file")  # fmt: skip
    refused(xml(WATER + TANK + '<move x="#q"/>'), ("line 8", "<move>", "x: ", "'q'"),
            "a variable unknown")  # fmt: skip
    refused(xml(WATER.replace('x="0.5"', 'x="half"') + TANK), ("line 8", "<size>", "'half'"),
            "a size that is no number")  # fmt: skip
    refused(xml(WATER + TANK.replace('mk="0"', 'mk="0.5"')), ("<setmkbound>", "whole number"),
            "half an mk")  # fmt: skip
    refused(xml(WATER + TANK, "<motion><objreal ref='0'><begin mov='1'/><mvrect id='1'/></objreal>"
                "</motion>"), ("line 10", "<mvrect>", "no vel"), "a movement without its velocity")
    still = "<objreal ref='0'><begin mov='1'/><mvnull id='1'/></objreal>"
    refused(xml(WATER + TANK, f"<motion>{still}{still}</motion>"), ("<objreal>", "the same mk"),
            "two movements of one wall")  # fmt: skip
    refused(xml(WATER + TANK.replace('x="1"', 'x="1e9"')), ("<drawbox>", "over 3e+07"),
            "a tank as long as the equator")  # fmt: skip
    refused(xml(WATER + TANK, dp=0.02).replace('pointmax x="4"', 'pointmax x="-0.5"'),
            ("<definition>", "beyond its pointmin and pointmax"), "a drawing beyond its limits")
    inlet = "<inout><inoutzone><zone2d/></inoutzone></inout>"
    refused(xml(TANK, special=inlet), ("line 11", "<inout>", "empty tank", page),
            "an inlet into an empty tank")  # fmt: skip
    refused(xml(WATER + TANK, extra='<hdp value="4"/>').replace('coefh value="1.0"', "x"),
            ("<hdp>", "1 to 3"), "a kernel that is too wide")  # fmt: skip
    box = WATER.replace('mkfluid mk="0"', 'mkbound mk="5"').replace('z="0.4"', 'z="0.2"')
    force = '<floatings><floating mkbound="5" rhopbody="500"><linearforce/></floating></floatings>'
    refused(xml(WATER + TANK + box, force), ("<linearforce>", "docs/limits.md#bodies"),
            "a body with a force of a table")  # fmt: skip


def test_degenerate():
    """Numbers that leave a figure or a direction without a size are refused with their line."""
    place = '<point x="0.3" y="0" z="0.3"/>'
    line = "".join(f'<point x="{0.1 * k}" y="0" z="0.3"/>' for k in range(3))
    for drawing, words in (
        (f'<drawcylinder radius="0.1">{place * 2}</drawcylinder>', "its 2 points are one place"),
        (f"<drawprism>{place * 6}</drawprism>", "its 6 points are one place"),
        (f"<drawtriangle>{line}</drawtriangle>", "its faces have no area"),
        (f'<drawsphere radius="0">{place}</drawsphere>', "a radius above 0"),
        (f'<rotateline ang="30">{place * 2}</rotateline>', "its axis has no length"),
        ('<rotateadv ang1="3" axes="XQ"/>', "'XQ'"),
    ):
        refused(xml(WATER + TANK + '<setmkbound mk="3"/>' + drawing), ("line 8", words), words)
    inlet = ('<inout><inoutzone><zone2d><line><point x="0" z="0"/><point2 x="0" z="0.3"/>'
             '<direction x="0" {}/></line></zone2d></inoutzone></inout>')  # fmt: skip
    refused(xml(WATER + TANK, special=inlet.format('z="0"')), ("<direction>", "no length"),
            "an opening that points nowhere")  # fmt: skip
    refused(xml(WATER + TANK, special=inlet.format('y="1"')), ("<line>", "along x and z"),
            "and one that points out of the plane")  # fmt: skip


test_dam_break()
test_fill_and_obstacle()
test_gap_and_void()
test_lists_and_matrices()
test_motions()
test_accelerations()
test_across_the_plane()
test_movements_without_frequency()
test_waves()
test_bodies()
test_solid_figures()
test_openings_and_start()
test_refusals()
test_degenerate()
finish()
