"""All cases, in the order of the page; and those that the program cannot express yet."""

from validate import (
    channels,
    dam_breaks,
    drops,
    impacts,
    invariance,
    lennard_jones,
    spheric,
    still_waters,
    vortices,
    waves,
)

CASES = {
    case.name: case
    for group in (
        dam_breaks,
        spheric,
        still_waters,
        channels,
        vortices,
        waves,
        drops,
        impacts,
        lennard_jones,
        invariance,
    )
    for case in group.CASES
}

# case: what it waits for
NOT_YET = {
    "Couette (Morris et al. 1997)": "walls that move in their own plane",
    "lid-driven cavity (Ghia et al. 1982)": "moving walls, a background pressure, shifting",
    "sloshing tank (Faltinsen et al. 2000)": "walls with a prescribed motion",
    "moving square (SPHERIC test 6)": "bodies with a prescribed motion, a background pressure",
    "Poiseuille flow at Re 10 with ghost nodes": "modified dynamic walls",
}
