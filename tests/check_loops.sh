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
    assert int(row["launches"]) >= 1 and int(row["repeats"]) == 10 and float(row["pairs"]) > 0, row
CODE
}

# check_strategies FILE "STRATEGY..." near|all: the rows of `sluice bench strategies 2x10`; with `all`
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
    assert 700 < int(row["pairs"]) < 80 * 79 or (sys.argv[3], row["pairs"]) == ("all", "6320"), row
CODE
}

# check_claims FILE CASE "VARIANT..." [JSON]: the rows of a case of `sluice bench claims`, whose verdicts
# must follow from their numbers; in JSON they are the same.
check_claims()
{
    "$PYTHON" - "$@" <<'CODE'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [row["variant"] for row in rows] == sys.argv[3].split(), rows
for row in rows:
    assert None not in row and None not in row.values(), row  # no comma too many
    low, median, high = (float(row[key]) for key in ("min_s", "median_s", "max_s"))
    assert 0 < low <= median <= high and row["repeats"] == "10", row
    assert row["case"] == sys.argv[2] and row["revision"] and row["device"], row
    published, measured = float(row["published"] or 0), float(row["measured"] or 0)
    assert (row["verdict"] != "") == (published > 0), row
    if row["unit"] == "times as fast":
        assert float(row["least"]) <= measured <= float(row["most"]), row
        if published > 1:
            assert (row["verdict"] == "holds") == (measured >= 0.9 * published), row
        elif published > 0:
            assert (row["verdict"] == "holds") == (published >= 0.9 * measured), row
        assert row["verdict"] != "in part" or published < 1 or measured > 1, row
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
