"""Water in a swaying tank by potential theory, waves of any height.

In the tank's frame the water's potential obeys Laplace's equation, with u.n = 0 at walls and floor,
and Bernoulli's at the surface, with the tank's acceleration a beside gravity: phi_t + |u|^2/2 + g y
+ a x = 0. Mirrored at a wall, the tank becomes periodic water of twice its length. A conformal map
turns this into a flat strip. There the flow inside acts on the surface only by a factor for each
Fourier mode, so waves of any height are exact (Dyachenko, Kuznetsov, Spector & Zakharov 1996, Phys.
Lett. A 221, 73; for finite depth Choi & Camassa 1999, J. Eng. Mech. 125, 756).
"""

import numpy as np

GRAVITY = 9.81


class Surface:
    """The surface y and its potential phi at `count` points xi of the strip, [0, 2 length)."""

    def __init__(self, length, level, count):
        self.length, self.level, self.count = length, level, count
        self.xi = np.arange(count) * 2 * length / count
        self.k = np.pi / length * np.arange(count // 2 + 1)
        share = self.k / (self.k[-1] * 2 / 3)
        self.kept = share <= 1  # modes whose products do not alias
        self.smooth = self.kept * np.exp(-0.3 * share**6)  # once a step: damps short waves
        self.y, self.phi = np.zeros(count), np.zeros(count)

    def times(self, factor, f):
        return np.fft.irfft(factor * np.fft.rfft(f), self.count)

    def slope(self, f):
        return self.times(1j * self.k, f)

    def places(self, y):
        """Returns x and dx/dxi of the surface, and tanh and coth of k times the strip's depth."""
        tanh = np.tanh(self.k * (self.level + np.mean(y)))
        coth = np.zeros_like(tanh)
        coth[1:] = 1 / tanh[1:]
        x = self.xi + self.times(-1j * coth, y)
        return x - x[0], 1 + self.times(self.k * coth, y), tanh, coth

    def rates(self, y, phi, acceleration):
        """y_t and phi_t at points xi; z_t = (r + i q) z_xi (Dyachenko et al.)."""
        x, x_xi, tanh, coth = self.places(y)
        y_xi, along, up = self.slope(y), self.slope(phi), self.times(self.k * tanh, phi)
        stretch = x_xi**2 + y_xi**2
        q = up / stretch  # dz/dt = (r + i q) dz/dxi, and this is analytic inside
        r = self.times(-1j * coth, q)
        r = r - r[0]
        mirrored = np.where(self.xi <= self.length, x, 2 * self.length - x)
        y_t = q * x_xi + r * y_xi
        phi_t = -GRAVITY * y - acceleration * mirrored
        phi_t += (up**2 - along**2) / (2 * stretch) + r * along
        return self.times(self.kept, y_t), self.times(self.kept, phi_t - np.mean(phi_t))

    def step(self, dt, first, middle, last):
        """A Runge-Kutta step; the tank's acceleration at the step's start, middle and end."""
        a = self.rates(self.y, self.phi, first)
        b = self.rates(self.y + dt / 2 * a[0], self.phi + dt / 2 * a[1], middle)
        c = self.rates(self.y + dt / 2 * b[0], self.phi + dt / 2 * b[1], middle)
        d = self.rates(self.y + dt * c[0], self.phi + dt * c[1], last)
        y, phi = (p + dt / 6 * (i + 2 * j + 2 * k + m)
                  for p, i, j, k, m in zip((self.y, self.phi), a, b, c, d))
        y, self.phi = self.times(self.smooth, y), self.times(self.smooth, phi)
        self.y = y - np.mean(y * self.places(y)[1])  # the water keeps its volume

    def energy(self):
        """Kinetic and potential energy over rho times the tank's length."""
        _, x_xi, tanh, _ = self.places(self.y)
        up = self.times(self.k * tanh, self.phi)
        return np.mean(self.phi * up) / 2 + GRAVITY * np.mean(self.y**2 * x_xi) / 2

    def elevation(self, place):
        """The elevation at x = place in the tank, m."""
        half = self.count // 2 + 1
        return np.interp(place, self.places(self.y)[0][:half], self.y[:half])


def sway_elevation(acceleration, end, place, length, level, count=256, dt=0.005):
    """(t, elevation) at a place, m from the tank's left wall; from rest, with acceleration(t)."""
    surface = Surface(length, level, count)
    times, found = [0.0], [0.0]
    for i in range(int(np.ceil(end / dt))):
        surface.step(dt, *(acceleration(i * dt + part * dt) for part in (0, 0.5, 1)))
        times.append((i + 1) * dt)
        found.append(surface.elevation(place))
    return np.array(times), np.array(found)
