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
