"""The tables of moorings over time: tensions and lengths."""

from plot import probes
from plot.pictures import look_of
from sluice.units import quantity_of

MOST = 24  # moorings in one picture
PANELS = ("tension", "length")


def moorings_picture(run, choice):
    """(figure, lines of text): all moorings in a panel of tensions and one of lengths. (None, []):
    no moorings with rows."""
    tables = choice.tables(run, "mooring")
    if not tables:
        return None, []
    names, said = list(tables)[:MOST], []
    if len(tables) > MOST:
        said = [f"drawn are {MOST} of {len(tables)} moorings, up to {names[-1]}"]
    figure, axes = probes.grid_of_panels(len(PANELS), run.title)
    for place, column in zip(axes, PANELS):
        filtered = False
        for number, name in enumerate(names):
            table = tables[name]
            filtered |= probes.draw_curve(place, choice, table["time"], table[column],
                                          f"mooring {name}", column,
                                          {"label": name, **look_of(number)})  # fmt: skip
        place.set_title(f"{column} of moorings"
                        + (f"\n{choice.low_pass.words()}" if filtered else ""))  # fmt: skip
        place.set_xlabel(f"time ({run.units['time']})")
        probes.label_axis(place.yaxis, column, run.units[quantity_of(column)])
    probes.legend_of_all(figure, axes)
    return figure, said
