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
