"""Steady waves of finite height over a flat bed, to rounding."""

import math

import numpy as np


class SteadyWave:
    """A wave train that keeps its shape, by a Fourier series of the stream function (Rienecker &
    Fenton 1981, J. Fluid Mech. 104, 119-137), with no mean velocity at fixed places below its
    troughs. A crest is at x = 0, the bed at z = 0. SI units."""

    def __init__(self, height, wavenumber, depth, gravity=9.81, harmonics=24):
        self.depth, self.k, self.gravity = depth, wavenumber, gravity
        self.j = np.arange(1, harmonics + 1)
        self.kd = wavenumber * depth
        self.phase = np.arange(harmonics + 1) * math.pi / harmonics  # crest to trough
        self._solve(height / depth)

    def _unpack(self, u):
        """Surface (from the bed), coefficients, speed, discharge, head: of depth and gravity 1."""
        n = len(self.j)
        return u[: n + 1], u[n + 1 : 2 * n + 1], u[-3], u[-2], u[-1]

    def _errors(self, u, height):
        """The surface is a streamline, with the same head everywhere; mean depth; height."""
        surface, b, speed, discharge, head = self._unpack(u)
        jk = self.j * self.kd
        sinh = np.sinh(np.outer(surface, jk)) / np.cosh(jk)
        cosh = np.cosh(np.outer(surface, jk)) / np.cosh(jk)
        cos, sin = np.cos(np.outer(self.phase, self.j)), np.sin(np.outer(self.phase, self.j))
        along, up = (cosh * cos) @ (jk * b) - speed, (sinh * sin) @ (jk * b)
        mean = (surface[0] / 2 + surface[1:-1].sum() + surface[-1] / 2) / len(self.j)
        return np.concatenate([
            (sinh * cos) @ b - speed * surface + discharge,
            (along**2 + up**2) / 2 + surface - head,
            [mean - 1, surface[0] - surface[-1] - height],
        ])

    def _solve(self, height):
        """Newton's method, from a wave of a quarter of the height; derivatives by complex steps."""
        n, steps, tiny = len(self.j), 4, 1e-30
        speed = math.sqrt(math.tanh(self.kd) / self.kd)
        u = np.zeros(2 * n + 4)
        u[: n + 1] = 1 + height / (2 * steps) * np.cos(self.phase)
        u[n + 1] = height / (2 * steps) / math.sqrt(self.kd * math.tanh(self.kd))
        u[-3], u[-2], u[-1] = speed, speed, 1 + speed**2 / 2
        for part in range(1, steps + 1):
            for _ in range(30):
                jacobian = np.column_stack([
                    self._errors(u + 1j * tiny * unit, height * part / steps).imag / tiny
                    for unit in np.eye(len(u))
                ])
                change = np.linalg.solve(jacobian, -self._errors(u, height * part / steps))
                u = u + change
                if np.abs(change).max() < 1e-13:
                    break
        self._surface, self._b, self._speed, self._flow, self._head = self._unpack(u)
        m = np.arange(n + 1)
        weight = np.where((m == 0) | (m == n), 0.5, 1.0)
        cosines = np.cos(np.outer(m, self.phase)) @ (weight * self._surface)
        #: amplitudes (m) of the surface's harmonics; [0]: the mean depth
        self.amplitude = 2 / n * weight * cosines * self.depth

    @property
    def length(self):
        return 2 * math.pi / self.k

    @property
    def celerity(self):
        return self._speed * math.sqrt(self.gravity * self.depth)

    @property
    def period(self):
        return self.length / self.celerity

    @property
    def closed_celerity(self):
        """Its celerity (m/s) in a flume, where the mean flow through a section is zero."""
        return self._flow * math.sqrt(self.gravity * self.depth)

    @classmethod
    def in_flume(cls, height, period, depth, gravity=9.81):
        """The wave of this period (s) where the mean flow through a section is zero."""
        omega = 2 * math.pi / period
        low, high = 0.5 * omega**2 / gravity, 2 * omega**2 / gravity + omega / math.sqrt(
            gravity * depth)
        for _ in range(60):
            k = (low + high) / 2
            wave = cls(height, k, depth, gravity, 16)
            low, high = (k, high) if wave.closed_celerity * k < omega else (low, k)
            if high - low < 1e-10 * high:
                break
        return cls(height, (low + high) / 2, depth, gravity)

    def surface(self, x):
        """Height of the surface above the bed (m) at places x [n]."""
        m = np.arange(len(self.amplitude))
        return np.cos(np.outer(x, m) * self.k) @ self.amplitude

    def velocity(self, x, z):
        """(u, w) (m/s) at places x, z [n], at t = 0."""
        jk = self.j * self.kd
        high, turn = np.outer(z / self.depth, jk), np.outer(x, self.j) * self.k
        scale = math.sqrt(self.gravity * self.depth)
        u = scale * (np.cosh(high) / np.cosh(jk) * np.cos(turn)) @ (jk * self._b)
        w = scale * (np.sinh(high) / np.cosh(jk) * np.sin(turn)) @ (jk * self._b)
        return u, w

    def pressure(self, x, z, density):
        """Pa, at places x, z [n], at t = 0."""
        u, w = self.velocity(x, z)
        head = self._head * self.gravity * self.depth
        return density * (head - self.gravity * z - ((u - self.celerity) ** 2 + w**2) / 2)

    def particles(self, columns, rows):
        """(x, z) [columns * rows] of particles of equal volume that fill one length: columns of
        equal volume, at the middle of it, divided into equal parts."""
        fine = np.linspace(0, self.length, 20001)
        high = self.surface(fine)
        filled = np.concatenate([[0], np.cumsum((high[1:] + high[:-1]) / 2 * np.diff(fine))])
        middle = (np.arange(columns) + 0.5) / columns * filled[-1]
        x = np.repeat(np.interp(middle, filled, fine), rows)
        return x, self.surface(x) * np.tile((np.arange(rows) + 0.5) / rows, columns)
