"""All cases, in the order of the page, and the cases that the program cannot run yet."""

from validate import (
    channels,
    convergence,
    dam_break_wall,
    dam_breaks,
    driven,
    drops,
    impacts,
    invariance,
    lennard_jones,
    moving_square,
    spheric,
    still_waters,
    two_fluids,
    vortices,
    waves,
)

CASES = {
    case.name: case
    for group in (
        dam_breaks,
        dam_break_wall,
        convergence,
        spheric,
        moving_square,
        still_waters,
        two_fluids,
        channels,
        driven,
        vortices,
        waves,
        drops,
        impacts,
        lennard_jones,
        invariance,
    )
    for case in group.CASES
}

# {name of a case: the feature that it waits for}
NOT_YET = {}
