"""Heave of a half-immersed circular cylinder by linear potential theory, in 2-D.

Radius a = 1, g = 1, rho = 1: lengths in a, times in sqrt(a/g), forces for a metre of width in rho g
a^2. The water is `depth` deep, or infinitely deep. The potential of a steady oscillation is a
source of waves at the centre and multipoles without waves (Ursell 1949, Q. J. Mech. Appl. Math. 2,
218), each with what a flat bottom adds (Thorne 1953, Proc. Camb. Phil. Soc. 49, 707; Yu & Ursell
1961, J. Fluid Mech. 11, 529). It gives added mass and damping over frequency. From these follows
the motion after a release (Cummins 1962, Schiffstechnik 9, 101).

With y downwards, exp(-i omega t) and K = omega^2, the surface has K phi + phi_y = 0. The source is

    S = int_0^inf cosh k(d - y) / (K cosh kd - k sinh kd) cos kx dk.

Its path passes below the pole k0, K = k0 tanh k0 d, so that waves go outwards. The integrals are
taken along k = s exp(i pi/4), where nothing oscillates, and the pole's residue is added.
"""

import math

import numpy as np

MULTIPOLES = 14
MASS = math.pi / 2  # of the cylinder, and of the water that it displaces at rest
STIFFNESS = 2.0  # rho g times the width at the surface
HIGHEST = 9.0  # frequency up to which the damping is integrated; there it is 1e-6


def gauss(low, high, count):
    """Points and weights of Gauss and Legendre between low and high."""
    x, w = np.polynomial.legendre.leggauss(count)
    return (low + high) / 2 + (high - low) / 2 * x, (high - low) / 2 * w


ANGLE, ANGLE_WEIGHT = gauss(0.0, math.pi / 2, 48)  # from below the centre to the surface
X, Y = np.sin(ANGLE), np.cos(ANGLE)  # points of a wetted quarter
# Nodes along the path: the integrands have the scales of frequency, radius and depth, and fall as
# exp(-s (x + y)/sqrt(2)), with x + y >= 1.
EDGES = [0.0, *np.geomspace(1e-5, 60.0, 36)]
NODE, NODE_WEIGHT = (
    np.exp(1j * math.pi / 4) * np.concatenate(part)
    for part in zip(*(gauss(low, high, 16) for low, high in zip(EDGES, EDGES[1:])))
)
# exp(ikx) exp(-ky), and exp(ikx) exp(ky): [points, nodes]
FALLING = np.exp(np.outer(1j * X - Y, NODE))
RISING = np.exp(np.outer(1j * X + Y, NODE))


def wave_number(big_k, depth):
    """k0 of waves: k0 tanh(k0 d) = big_k."""
    if math.isinf(depth):
        return big_k
    k = max(big_k, math.sqrt(big_k / depth))
    for _ in range(60):
        t = math.tanh(k * depth)
        k -= (k * t - big_k) / (t + k * depth * (1 - t * t))
    return k


def group_velocity(omega, depth):
    k0 = wave_number(omega**2, depth)
    share = 0.0 if k0 * depth > 300 else 2 * k0 * depth / math.sinh(2 * k0 * depth)
    return omega / k0 / 2 * (1 + share)


def path_integral(falling, rising):
    """(potential, its radial slope) at the points: the real part of the integrals over the path of
    (falling exp(-ky) + rising exp(ky)) exp(ikx); arrays [nodes, functions]."""
    down, up = NODE_WEIGHT[:, None] * falling, NODE_WEIGHT[:, None] * rising
    k = NODE[:, None]
    value = FALLING @ down + RISING @ up
    along, across = 1j * (FALLING @ (k * down) + RISING @ (k * up)), RISING @ (k * up)
    across = across - FALLING @ (k * down)
    return value.real, (X[:, None] * along + Y[:, None] * across).real


def outgoing_wave(big_k, depth):
    """(potential, its radial slope) at the points of i pi R cosh k0(d - y) exp(i k0 x), where R is
    the residue of the source's 1/(K cosh kd - k sinh kd); and R cosh k0 d."""
    k0 = wave_number(big_k, depth)
    if math.isinf(depth):
        residue, image = -1.0, np.zeros_like(Y)
    else:
        t = math.tanh(k0 * depth)
        residue = 1 / (big_k * depth * t - t - k0 * depth)
        image = np.exp(-2 * k0 * (depth - Y))
    image_bottom = math.exp(-2 * k0 * depth)
    wave = 1j * math.pi * residue * np.exp(1j * k0 * X - k0 * Y) / (1 + image_bottom)
    value = wave * (1 + image)
    return value, X * 1j * k0 * value - Y * k0 * wave * (1 - image), residue


def source(big_k, depth, wave):
    """(S, dS/dr) at the points; wave: that of outgoing_wave."""
    below = np.exp(-2 * NODE * depth) if math.isfinite(depth) else 0 * NODE
    spectrum = 1 / (big_k * (1 + below) - NODE * (1 - below))
    value, slope = path_integral(spectrum[:, None], (spectrum * below)[:, None])
    return value[:, 0] + wave[0], slope[:, 0] + wave[1]


def multipoles(big_k, depth, wave):
    """(potentials, their radial slopes) at the points [points, MULTIPOLES], and the waves that go
    out from each, in those of the source. wave: that of outgoing_wave, None with big_k = inf."""
    n = 2.0 * np.arange(1, MULTIPOLES + 1)
    factorial = np.array([float(math.factorial(2 * m - 1)) for m in range(1, MULTIPOLES + 1)])
    even, odd = np.cos(np.outer(ANGLE, n)), np.cos(np.outer(ANGLE, n - 1))
    k = NODE[:, None]
    if math.isinf(big_k):  # potential 0 at the surface
        value, slope = odd, -(n - 1) * odd
        spectrum = k ** (n - 2) * (n - 1) / factorial
    else:
        share = big_k / (n - 1)
        value, slope = even + share * odd, -n * even - (n - 1) * share * odd
        spectrum = k ** (n - 2) * (k + big_k) / factorial
    if math.isinf(depth):
        return value + 0j, slope + 0j, 0 * n
    below = np.exp(-2 * k * depth)
    if math.isinf(big_k):
        image = spectrum * below / (1 + below)
        more = path_integral(-image, image)
        return value + more[0] + 0j, slope + more[1] + 0j, 0 * n
    # With its image alpha (cosh ky - K/k sinh ky) it has no slope along y at the bottom.
    alpha = spectrum * below / (k * (1 - below) - big_k * (1 + below))
    more = path_integral(alpha * (k + big_k), alpha * (k - big_k))
    k0 = wave_number(big_k, depth)
    waves = -k0 ** (n - 1) * (k0 + big_k) / factorial
    waves *= 2 * math.exp(-2 * k0 * depth) / (1 + math.exp(-2 * k0 * depth))
    return (value + more[0] + np.outer(wave[0], waves), slope + more[1] + np.outer(wave[1], waves),
            waves)


def radiation(omega, depth=math.inf):
    """(added mass, damping, height of the waves over that of the heave) at a frequency; omega may
    be inf."""
    big_k = omega**2
    wave = None if math.isinf(omega) else outgoing_wave(big_k, depth)
    values, slopes, waves = multipoles(big_k, depth, wave)
    if wave:
        value, slope = source(big_k, depth, wave)
        values, slopes = np.column_stack([value, values]), np.column_stack([slope, slopes])
        waves = np.append(1.0, waves)
    weight = np.sqrt(ANGLE_WEIGHT)  # least squares of dphi/dr - cos(angle) on the quarter
    size = np.linalg.norm(slopes * weight[:, None], axis=0)
    shares = np.linalg.lstsq(slopes * weight[:, None] / size, Y * weight, rcond=None)[0] / size
    pull = 2 * np.sum(ANGLE_WEIGHT * Y * (values @ shares))  # of both quarters
    if not wave:
        return -pull.real, 0.0, 0.0
    height = big_k * math.pi * abs(wave[2] * (waves @ shares))
    return -pull.real, -omega * pull.imag, height


class Heave:
    """The cylinder in water of a depth, and its motion after a release from rest."""

    def __init__(self, depth=math.inf, count=160):
        self.depth = depth
        self.added_mass = radiation(math.inf, depth)[0]  # of an impact
        self.omega, self.weight = gauss(0.0, HIGHEST, count)
        table = np.array([radiation(omega, depth)[:2] for omega in self.omega])
        self.added_mass_at, self.damping_at = table.T

    def memory(self, t):
        """The force at t after a unit jump of the velocity's integral: Cummins' K(t)."""
        return 2 / math.pi * np.cos(np.outer(t, self.omega)) @ (self.weight * self.damping_at)

    def release(self, end, dt=0.01):
        """(t, z) after a release from rest at z = 1: (m + A_inf) z'' + int K(t - s) z'(s) ds + 2 z
        = 0, by the trapezoidal rule."""
        count = int(math.ceil(end / dt)) + 1
        t = dt * np.arange(count)
        memory, mass = self.memory(t), MASS + self.added_mass
        z, v, a = np.zeros((3, count))
        z[0], a[0] = 1.0, -STIFFNESS / mass
        # The new velocity's part of the step's end: mass a + K(0) dt/2 v + 2 z.
        own = mass + dt / 2 * (memory[0] * dt / 2) + STIFFNESS * dt**2 / 4
        for i in range(1, count):
            past = dt * (memory[i] * v[0] / 2 + memory[i - 1 : 0 : -1] @ v[1:i])
            v_known, z_known = v[i - 1] + dt / 2 * a[i - 1], z[i - 1] + dt / 2 * v[i - 1]
            force = past + dt / 2 * memory[0] * v_known
            force += STIFFNESS * (z_known + dt / 2 * v_known)
            a[i] = -force / own
            v[i] = v_known + dt / 2 * a[i]
            z[i] = z_known + dt / 2 * v[i]
        return t, z
