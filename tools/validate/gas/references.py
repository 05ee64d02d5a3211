"""Exact solutions of an ideal gas: Riemann's problem, Sedov's blast, Noh's implosion, the vortex of
Gresho & Chan; and the mode of a shear layer after McNally, Lyra & Passy."""

import math
from dataclasses import dataclass

import numpy as np
from plot.reference import DATA
from sluice import read_table


@dataclass(frozen=True)
class State:
    """Density (kg/m^3), pressure (Pa) and velocity (m/s) of a gas."""

    rho: float
    p: float
    u: float = 0.0


class Riemann:
    """Riemann's problem of two states with a face at x = 0 (Toro 2009, chapter 4): p, u between the
    waves, rho_left and rho_right at both sides of the contact. No vacuum may arise."""

    def __init__(self, left, right, gamma):
        self.left, self.right, self.gamma = left, right, gamma
        self.c_left, self.c_right = (math.sqrt(gamma * s.p / s.rho) for s in (left, right))
        if 2 / (gamma - 1) * (self.c_left + self.c_right) <= right.u - left.u:
            raise ValueError("the two states part so fast that they leave a vacuum")
        self.p = self._pressure()
        self.u = (left.u + right.u) / 2 + (self._change(self.p, right) - self._change(self.p, left)
                                           ) / 2
        self.rho_left, self.rho_right = (self._density(s) for s in (left, right))

    def _change(self, p, side):
        """f_K of equation 4.6 and 4.7: the change of velocity across the wave into a side."""
        g = self.gamma
        if p > side.p:
            return (p - side.p) * math.sqrt(
                2 / ((g + 1) * side.rho) / (p + (g - 1) / (g + 1) * side.p))
        c = math.sqrt(g * side.p / side.rho)
        return 2 * c / (g - 1) * ((p / side.p) ** ((g - 1) / (2 * g)) - 1)

    def _pressure(self):
        """p of equation 4.5, whose left side rises with p, by halving."""
        def excess(p):
            return (self._change(p, self.left) + self._change(p, self.right)
                    + self.right.u - self.left.u)

        low, high = 0.0, max(self.left.p, self.right.p)
        while excess(high) < 0:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) < 0 else (low, middle)
        return (low + high) / 2

    def _density(self, side):
        """Between the wave and the contact: equations 4.50, 4.53 and their mirror."""
        g, ratio = self.gamma, self.p / side.p
        if ratio > 1:
            weak = (g - 1) / (g + 1)
            return side.rho * (ratio + weak) / (weak * ratio + 1)
        return side.rho * ratio ** (1 / g)

    def shock_speed(self):
        """Speed of the shock that runs to the right, m/s: equation 4.59."""
        g = self.gamma
        return self.right.u + self.c_right * math.sqrt(
            (g + 1) / (2 * g) * self.p / self.right.p + (g - 1) / (2 * g))

    def tail_speed(self):
        """Speed of the tail of the rarefaction that runs to the left, m/s: equation 4.55."""
        return self.u - math.sqrt(self.gamma * self.p / self.rho_left)

    def sample(self, speed):
        """(rho, u, p) at speeds x/t (section 4.5)."""
        speed = np.asarray(speed, dtype=float)
        at_left = self._side(speed, self.left, self.c_left, self.rho_left, 1)
        mirror = State(self.right.rho, self.right.p, -self.right.u)
        at_right = self._side(-speed, mirror, self.c_right, self.rho_right, -1)
        at_right = (at_right[0], -at_right[1], at_right[2])
        return tuple(np.where(speed < self.u, a, b) for a, b in zip(at_left, at_right))

    def _side(self, speed, side, c, inner, sign):
        """(rho, u, p) left of the contact; a right side comes mirrored, with sign -1."""
        g, u = self.gamma, sign * self.u
        if self.p > side.p:
            shock = side.u - c * math.sqrt(
                (g + 1) / (2 * g) * self.p / side.p + (g - 1) / (2 * g))
            outside = speed < shock
            return (np.where(outside, side.rho, inner), np.where(outside, side.u, u),
                    np.where(outside, side.p, self.p))
        head, tail = side.u - c, u - math.sqrt(g * self.p / inner)
        fan = 2 / (g + 1) + (g - 1) / ((g + 1) * c) * (side.u - speed)
        fan = np.clip(fan, 0, 1)  # beyond the fan it is not used
        inside = 2 / (g + 1) * (c + (g - 1) / 2 * side.u + speed)
        regions = [speed < head, speed < tail]
        return (np.select(regions, [side.rho, side.rho * fan ** (2 / (g - 1))], inner),
                np.select(regions, [side.u, inside], u),
                np.select(regions, [side.p, side.p * fan ** (2 * g / (g - 1))], self.p))


class Sedov:
    """A blast of energy E (J; J/m in 2-D) in a cold gas of density 1, gamma 5/3 (Sedov 1959): the
    file's profile, scaled by similarity."""

    XI = {2: 1.15379, 3: 1.15167}
    TIME = {2: 0.1, 3: 0.05}  # of the files' profiles, s

    def __init__(self, dimension, energy=1.0):
        self.dimension, self.energy = dimension, energy
        self.table = read_table(f"{DATA}/sedov_{dimension}d.csv")

    def radius(self, t):
        """Radius of the shock, m."""
        return self.XI[self.dimension] * (self.energy * t * t) ** (1 / (self.dimension + 2))

    def time(self, radius):
        """When the shock is at a radius, s."""
        return (radius / self.XI[self.dimension]) ** ((self.dimension + 2) / 2) / math.sqrt(
            self.energy)

    def sample(self, r, t):
        """(rho, v_r, p) at radii r, time t; p outside is 0."""
        edge, own = self.radius(t), self.table["r"][-1]
        speed = (edge / t) / (own / self.TIME[self.dimension])
        at, inside = np.asarray(r) / edge * own, np.asarray(r) < edge
        return tuple(
            np.where(inside, factor * np.interp(at, self.table["r"], self.table[name]), outside)
            for name, factor, outside in
            (("rho", 1, 1.0), ("v_r", speed, 0.0), ("p", speed**2, 0.0))
        )


class Noh:
    """Cold gas of density 1 that falls to the centre (to a plane in 1-D) at speed 1 (Noh 1987)."""

    def __init__(self, dimension, gamma=5 / 3):
        self.dimension, self.gamma = dimension, gamma
        self.plateau = ((gamma + 1) / (gamma - 1)) ** dimension  # density behind the shock
        self.speed = (gamma - 1) / 2  # of the shock

    def upstream(self, r, t):
        return (1 + t / np.asarray(r)) ** (self.dimension - 1)

    def density(self, r, t):
        r = np.maximum(r, 1e-12)
        return np.where(r < self.speed * t, self.plateau, self.upstream(r, t))


def gresho(r):
    """(v_phi, p) of the vortex of Gresho & Chan (1990), a steady state of a gas of density 1."""
    r = np.maximum(r, 1e-12)
    regions = [r < 0.2, r < 0.4]
    speed = np.select(regions, [5 * r, 2 - 5 * r], 0.0)
    inner = 5 + 12.5 * r**2
    middle = 9 + 12.5 * r**2 - 20 * r + 4 * np.log(5 * r)
    return speed, np.select(regions, [inner, middle], 3 + 4 * math.log(2))


def shear_mode(x, y, v_y, volume):
    """Amplitude (m/s) of the mode of two waves along x at the two layers y = 1/4 and 3/4 (McNally,
    Lyra & Passy 2012), each point weighted by its volume."""
    layer = np.exp(-4 * math.pi * np.abs(np.where(y < 0.5, y, 1 - y) - 0.25))
    weight = volume * layer
    s = np.sum(weight * v_y * np.sin(4 * math.pi * x))
    c = np.sum(weight * v_y * np.cos(4 * math.pi * x))
    return float(2 * math.hypot(s, c) / np.sum(weight))
