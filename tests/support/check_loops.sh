# check_loops FILE "VARIANT...": the rows of loops that `sluice bench` has written; sourced after
# tap.sh.
check_loops()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [row["variant"] for row in rows] == sys.argv[2].split(), rows
for row in rows:
    assert None not in row and None not in row.values(), row
    assert 0 < float(row["min_s"]) <= float(row["median_s"]) <= float(row["max_s"]), row
    assert int(row["launches"]) >= 1 and int(row["repeats"]) == 10, row
    assert (float(row["pairs"]) > 0) == (row["bench"] != "scans"), row
CODE
}

# check_strategies FILE "STRATEGY..." near|all|all-ghost-threads: the rows of `sluice bench strategies 2x10`; with `all...`
# every particle interacts with every other.
check_strategies()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
wanted = [(strategy, pair) for strategy in sys.argv[2].split() for pair in ("lj", "low", "high")]
assert [(row["strategy"], row["pair"]) for row in rows] == wanted, rows
for row in rows:
    assert None not in row and None not in row.values(), row
    assert (row["box"], row["per_cell"], row["particles"]) == ("2", "10", "80")
    assert 0 < float(row["min_s"]) <= float(row["median_s"]) <= float(row["max_s"])
    assert int(row["launches"]) >= 1 and int(row["repeats"]) == 10
    assert row["candidates"] == sys.argv[3] and row["pairs"] == rows[0]["pairs"], row
    assert 700 < int(row["pairs"]) < 80 * 79 or row["pairs"] == "6320" and sys.argv[3] != "near", row
CODE
}

# check_claims FILE CASE "VARIANT..." [JSON]: the rows of a case of `sluice bench claims`, whose verdicts
# must follow from their numbers; in JSON they are the same.
check_claims()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, json, re, sys
def faster(row, published, measured, least):
    """The verdict of a number that is to be as large as the published one."""
    is_bound = re.search(r" over [0-9]", row["claim"])
    least_of_it = published * (1 if is_bound else 0.9)
    assert row["verdict"] in ("holds", "in part", "does not hold"), row
    if measured < 1:
        assert row["verdict"] == "does not hold", row
    elif least > 1 or row["verdict"] != "does not hold":
        assert row["verdict"] == ("holds" if measured >= least_of_it else "in part"), row
def check(row):
    published, measured, least, most = (
        float(row[key] or "nan") for key in ("published", "measured", "least", "most"))
    judged = published > 0 and "one pass" not in row["claim"]
    assert (row["verdict"] != "") == judged, row
    assert row["unit"] != "times as fast" or least <= measured <= most, row
    if row["unit"] == "times as fast" and judged:
        if "without loss" in row["claim"]:  # holds unless the other way is faster
            assert row["verdict"] == "holds" or row["verdict"] == "does not hold" and measured < 1
            return
        faster(row, *((published, measured, least) if published >= 1 else
                      (1 / published, 1 / measured, 1 / most)))
    elif row["unit"] == "times the bytes of all else":
        faster(row, published, measured, measured)
    elif row["unit"] == "of the terms":
        # Of 1000 sums: plain floats lose more than compensated ones may (2^-23), those less than
        # doubles by far; double-float has 48 bits, double 53.
        low, high = {"float": (2e-6, 6e-5), "double": (0, 2e-13),
                     "double-float": (0, 8e-12)}.get(row["variant"], (1e-12, 1.2e-7))
        assert low <= measured <= high, row
    elif row["unit"] == "of the particles":
        of = {r["variant"]: float(r["measured"]) for r in rows if r["unit"] == row["unit"]}
        assert all(0 < of["sorted" + name] < of["mixed" + name] < 1 for name in ("", "-cells")), of
    elif row["unit"] == "of the time":
        assert 0 < least <= measured <= most < 1, row
    elif row["unit"] == "steps":  # "most" is empty if a repeat has "never"
        assert not row["measured"] or 0 < least <= measured <= float(row["most"] or "inf"), row
    elif row["unit"] == "components in a chunk":
        ways = {r["variant"]: float(r["median_s"]) for r in rows if r["unit"] != row["unit"]}
        chunk = {"naive": 128, "transposed": 1}.get(row["variant"]) or row["variant"].split("-")[1]
        assert float(chunk) == measured and ways[row["variant"]] == min(ways.values()), row
        assert row["verdict"] in ("holds", "a tie", "does not hold"), row
    else:
        assert row["unit"] in ("", "times as fast"), row
rows = list(csv.DictReader(open(sys.argv[1])))
assert [row["variant"] for row in rows] == sys.argv[3].split(), rows
for row in rows:
    assert None not in row and None not in row.values(), row  # no comma too many
    low, median, high = (float(row[key]) for key in ("min_s", "median_s", "max_s"))
    assert 0 < low <= median <= high and row["repeats"] == "10", row
    assert row["case"] == sys.argv[2] and row["revision"] and row["device"], row
    check(row)
if len(sys.argv) > 4:
    told = json.load(open(sys.argv[4]))
    assert told["bench"] == "claims" and len(told["rows"]) == len(rows), told
    for row, same in zip(rows, told["rows"]):
        assert list(row) == list(same), same
        for key, value in same.items():
            text = "" if value is None else value
            assert (float(row[key]) == float(f"{value:.5g}") if isinstance(value, float)
                    else row[key] == str(text).replace(",", " ")), (key, row[key], value)
CODE
}
