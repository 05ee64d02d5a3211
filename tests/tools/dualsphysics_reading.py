#!/usr/bin/env python3
# test: 1 s
"""How cases of DualSPHysics are read: broken XML, expressions, matrices, and what stays unread."""

import math
import os
import sys
import tempfile

try:
    import numpy as np
except ImportError as error:
    print(f"1..0 # SKIP python modules missing: {error}")
    sys.exit(0)

from tap import finish, ok  # noqa: E402

from dualsphysics import matrix, meshes, xml_text  # noqa: E402, I100
from dualsphysics.expressions import BadExpressionError, Variables  # noqa: E402
from dualsphysics.report import Report  # noqa: E402


def test_broken_xml():
    root, repairs = xml_text.parse(
        b"\n \xef\xbb\xbf<?xml version='1.0'?>\n<case>\n<!-- <lost> -->\n<a if=\"x<3\" b='2'/>\n"
        b"<b>text &lt; more\n<c>\n</b>\n<d 5 x=\"1\"/>\n</nothing>\n"
    )
    tags = [child.tag for child in root.children]
    ok(tags == ["a", "b", "d"], "elements after a fault are read on", tags)
    ok(root.children[0].get("if") == "x<3" and root.children[0].get("b") == "2",
       "'<' in an attribute is taken as it is, and so are single quotes")  # fmt: skip
    ok(root.children[0].line == 5 and root.children[2].line == 9, "each has its line",
       [child.line for child in root.children])  # fmt: skip
    ok(root.children[1].text.startswith("text < more"), "text and entities")
    for words in ("line 5: '<' in an attribute", "</b> closes <c> of line 7", "'5' in <d> is no",
                  "</nothing> closes nothing", "the file ends within <case>"):  # fmt: skip
        ok(any(words in repair for repair in repairs), f"it says: {words}", repairs)
    latin, repairs = xml_text.parse(b"<case><a c=\"caf\xe9\"/></case>")
    ok(latin.children[0].get("c") == "caf\u00e9" and "Latin-1" in repairs[0],
       "bytes that are not UTF-8", repairs)  # fmt: skip
    clean, repairs = xml_text.parse(b"<case><a/></case>")
    ok(clean.tag == "case" and not repairs, "a clean file has no repairs", repairs)


def test_expressions():
    variables = Variables(dp=0.1, x1=11.0)
    variables.values["size"] = variables.evaluate("#(Dp+2)*2.8")
    wanted = {
        "#size": 5.88, "#x[1]+1": 12, "#pow(2,3)/2": 4, "#eval(dp<1&&!(dp>2),5,6)": 5,
        "#min(4,2,3)": 2, "#sindg(30)": 0.5, "#round(2.5)": 3, "7.5": 7.5, "#-dp*2": -0.2,
        "#roundpos(0.26,0,dp)": 0.3,
    }  # fmt: skip
    for text, value in wanted.items():
        got = variables.number(text)
        ok(abs(got - value) < 1e-12, f"{text} is {value:g}", got)
    length = variables.number("#wavelength(9.81,0.5,1.5)")
    k = 2 * math.pi / length
    off = 9.81 * k * math.tanh(k * 0.5) / (2 * math.pi / 1.5) ** 2 - 1
    ok(abs(off) < 1e-12, "wavelength solves the dispersion relation", off)
    for text in ("#nobody", "#__import__('os')", "three", "#1/0", "#dp.real", "nan", "1e999"):
        try:
            ok(False, f"{text} is refused", variables.number(text))
        except BadExpressionError as error:
            ok(True, f"{text} is refused", error)


def test_matrices():
    """GenCase's rotation about an axis is clockwise: z becomes y by 90 degrees about x."""
    place = matrix.moved([0, -0.12, 0]) @ matrix.turned(-90, [1, 0, 0])
    end = matrix.apply(place, [[0, 0, 2.65]])[0]
    ok(np.allclose(end, [0, 2.53, 0]), "move and rotate, the later one first", end)
    turn = matrix.turned_about(90, [1, 0, 0], [1, 0, 1])
    ok(np.allclose(matrix.apply(turn, [[2, 0, 5]])[0], [1, 1, 5]), "about a line")
    ok(matrix.scale_of(matrix.scaled([2, 2, 2])) == 2, "an even scale")
    ok(matrix.scale_of(matrix.scaled([2, 2, 1])) is None, "one that differs between axes")


def test_vtk():
    """A file of VTK 5 has other numbers where VTK 4 has the polygons."""
    head = b"# vtk DataFile Version 3.0\nx\nBINARY\nDATASET POLYDATA\nPOINTS 3 float\n"
    head += np.arange(9, dtype=">f4").tobytes() + b"\nPOLYGONS 1 4\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hull.vtk")
        for count in (3, -1, 9):
            with open(path, "wb") as file:
                file.write(head + np.array([count, 0, 1, 2], ">i4").tobytes())
            try:
                triangles = meshes.read(path)
                ok(count == 3 and np.array_equal(triangles.ravel(), range(9)),
                   "a triangle of VTK 4")  # fmt: skip
            except meshes.BadMeshError as error:
                ok(count != 3 and f"a polygon of {count} points" in str(error)
                   and "to STL" in str(error), f"{count} points are refused", error)  # fmt: skip


def test_sweep():
    root, _ = xml_text.parse(
        b'<case><known value="1" strange="2" comment="c"/><unread><x/></unread><_off/></case>'
    )
    report = Report()
    report.prune(root)
    root.first("known").get("value")
    report.sweep(root)
    text = "\n".join(report.lines())
    ok("<known>: of its attributes, not strange" in text, "an attribute that nobody read", text)
    ok("<unread>: nothing was taken of it" in text, "an element that nobody read", text)
    ok("<_off>: it is switched off" in text, "an element that is switched off", text)
    ok("comment" not in text, "comments are no news", text)


test_broken_xml()
test_expressions()
test_matrices()
test_vtk()
test_sweep()
finish()
