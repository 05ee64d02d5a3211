"""How a result changes with the spacing: spacings.py chooses spacings, order.py has the arithmetic,
numbers_of_runs.py the numbers that are compared, report.py the table and the picture."""
