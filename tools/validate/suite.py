"""All cases, in the order of the page, and the cases that the program cannot run yet."""

from validate import (
    channels,
    convergence,
    cylinder,
    dam_break_wall,
    dam_breaks,
    driven,
    drops,
    friction,
    impacts,
    invariance,
    lasting_waves,
    lennard_jones,
    moving_square,
    pillar,
    probes,
    slopes,
    solids,
    spheric,
    still_waters,
    two_fluids,
    vortices,
    waves,
)
from validate.bodies import contacts, falling, floating, heave, stack
from validate.flumes import regular, solitary, spectra
from validate.gas import blasts, flows, forms, shocks, sums
from validate.gas import waves as gas_waves
from validate.openings import channels as opening_channels
from validate.openings import cylinders, hydraulics, jets, sound, volumes
from validate.openings import still_waters as opening_waters

CASES = {
    case.name: case
    for group in (
        dam_breaks,
        dam_break_wall,
        convergence,
        pillar,
        spheric,
        moving_square,
        still_waters,
        slopes,
        probes,
        solids,
        cylinder,
        two_fluids,
        channels,
        driven,
        vortices,
        waves,
        lasting_waves,
        regular,
        spectra,
        solitary,
        opening_channels,
        opening_waters,
        jets,
        volumes,
        sound,
        hydraulics,
        cylinders,
        drops,
        friction,
        impacts,
        floating,
        heave,
        falling,
        contacts,
        stack,
        lennard_jones,
        sums,
        shocks,
        gas_waves,
        flows,
        blasts,
        forms,
        invariance,
    )
    for case in group.CASES
}

# {name of a case: the feature that it waits for}
NOT_YET = {}
