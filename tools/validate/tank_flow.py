"""Incompressible flow about a square that moves through a closed tank, by finite differences.

Velocities are on the faces of cells, pressures in their middle (Harlow & Welch 1965, Phys. Fluids
8, 2182). The projection is incremental (Van Kan 1986, SIAM J. Sci. Stat. Comput. 7, 870), advection
by Adams and Bashforth, friction by Crank and Nicolson, one direction after the other. The grid is
finest at the square's corners, and its columns move with the square. So all surfaces of square and
tank lie on faces of cells. L, U and rho are 1. The flow is taken to be symmetric: only the upper
half is computed.
"""

import numpy as np


def stretched(length, first, count):
    """Faces from 0 to length whose spacings grow geometrically from the first."""
    low, high = 0.2, 5.0
    for _ in range(60):
        ratio = (low + high) / 2
        short = first * np.sum(ratio ** np.arange(count)) < length
        low, high = (ratio, high) if short else (low, ratio)
    faces = np.concatenate(([0.0], np.cumsum(ratio ** np.arange(count))))
    return faces * length / faces[-1]


class Lines:
    """Tridiagonal systems along the first axis, all lines at once (Thomas)."""

    def __init__(self, lower, middle, upper):
        self.lower, self.count = lower, len(middle)
        self.ratio, self.pivot = np.zeros_like(middle), middle.copy()
        for i in range(1, self.count):
            self.ratio[i - 1] = upper[i - 1] / self.pivot[i - 1]
            self.pivot[i] -= lower[i] * self.ratio[i - 1]

    def solve(self, right):
        x = right / self.pivot
        for i in range(1, self.count):
            x[i] -= self.lower[i] / self.pivot[i] * x[i - 1]
        for i in range(self.count - 2, -1, -1):
            x[i] -= self.ratio[i] * x[i + 1]
        return x


def diffuse(change, held, size, spacing, share):
    """Solves (1 - share d2) x = change along the first axis; at nodes that are held, x = change.
    size: of the nodes' cells, [n]; spacing: from node to node, [n + 1, m]."""
    lower, upper = (-share / (size[:, None] * s) for s in (spacing[:-1], spacing[1:]))
    middle = 1 - lower - upper
    lower[0], upper[-1] = 0, 0
    for part, at_held in ((lower, 0), (upper, 0), (middle, 1)):
        part[held] = at_held
    return Lines(lower, middle, upper).solve(change)


class Flow:
    """A square in a tank of (length, height). place(t), speed(t): of the square's middle. finest:
    the spacing at its corners; inside: cells from a corner to the middle of a side; beyond: cells
    from the square to each wall."""

    def __init__(self, tank, place, speed, nu, finest, inside, beyond):
        self.place, self.speed, self.nu, self.tank = place, speed, nu, tank
        self.finest, self.beyond, self.time = finest, beyond, 0.0
        half = stretched(0.5, finest, inside)
        self.side = np.concatenate((half, 1 - half[-2::-1]))
        above = 0.5 + stretched(tank[1] / 2 - 0.5, finest, beyond)
        self.y = np.concatenate((0.5 - half[::-1], above[1:]))
        self.dy, self.yc = np.diff(self.y), (self.y[1:] + self.y[:-1]) / 2
        self.back, self.front, self.top = beyond, beyond + 2 * inside, inside
        nx, ny = self.front + beyond, len(self.dy)
        a, b, c = self.back, self.front, self.top
        self.fluid = np.ones((nx, ny), bool)
        self.fluid[a:b, :c] = False
        self.u, self.v, self.p = np.zeros((nx + 1, ny)), np.zeros((nx, ny + 1)), np.zeros((nx, ny))
        self.held_u, self.held_v = np.zeros((nx + 1, ny), bool), np.zeros((nx, ny + 1), bool)
        self.held_u[[0, -1]], self.held_u[a:b + 1, :c] = True, True
        self.held_v[:, [0, -1]], self.held_v[a:b, :c + 1] = True, True
        root = np.sqrt(self.dy)
        links = np.concatenate(([0.0], 1 / np.diff(self.yc), [0.0]))
        stiff = np.diag(links[1:] + links[:-1]) - np.diag(links[1:-1], 1) - np.diag(links[1:-1], -1)
        self.tone, modes = np.linalg.eigh(stiff / np.outer(root, root))
        self.tone[0] = 1e-6  # the level of the pressure is free
        self.modes = modes / root[:, None]
        self.advection = None

    def faces(self, time):
        left = self.place(time) - 0.5
        behind = left - stretched(left, self.finest, self.beyond)[::-1]
        ahead = left + 1 + stretched(self.tank[0] - left - 1, self.finest, self.beyond)
        return np.concatenate((behind, left + self.side[1:-1], ahead))

    def set_grid(self, time):
        """Sets the columns at a time, their speed, and the spacings between nodes, of u along y and
        of v along x. The neighbour of a node next to a surface is the surface."""
        a, b, c = self.back, self.front, self.top
        begin, end = max(time - 1e-4, 0.0), time + 1e-4
        self.x = self.faces(time)
        self.w = (self.faces(end) - self.faces(begin)) / (end - begin)
        self.dx, self.xc = np.diff(self.x), (self.x[1:] + self.x[:-1]) / 2
        nodes = np.concatenate(([-np.inf], self.yc, [self.y[-1]]))
        self.along_y = np.tile(np.diff(nodes), (len(self.x), 1))
        self.along_y[a + 1:b, c] = self.yc[c] - self.y[c]
        nodes = np.concatenate(([0.0], self.xc, [self.x[-1]]))
        self.along_x = np.tile(np.diff(nodes)[:, None], len(self.y))
        self.along_x[a, 1:c] = self.x[a] - self.xc[a - 1]
        self.along_x[b, 1:c] = self.xc[b] - self.x[b]

    def rates(self):
        """Rates of (u, v) at nodes that move with the grid: by advection, and by friction."""
        a, b, c = self.back, self.front, self.top
        wide, high = np.diff(self.xc)[:, None], np.diff(self.yc)
        u = np.pad(self.u, ((0, 0), (1, 1)))
        u[:, 0] = u[:, 1]
        v = np.pad(self.v, ((1, 1), (0, 0)))
        u_y, v_x = np.diff(u) / self.along_y, np.diff(v, axis=0) / self.along_x
        above = np.concatenate((self.yc, self.y[-1:])) - self.y
        right = (np.concatenate((self.xc, self.x[-1:])) - self.x)[:, None]
        product = (u[:, 1:] - above * u_y) * (v[1:] - right * v_x)
        product[a:b + 1, :c + 1] = 0  # v on the square
        u_x, v_y = np.diff(self.u, axis=0) / self.dx[:, None], np.diff(self.v) / self.dy
        u2 = ((self.u[1:] + self.u[:-1]) / 2) ** 2
        v2 = ((self.v[:, 1:] + self.v[:, :-1]) / 2) ** 2
        advection, friction = ((np.zeros_like(self.u), np.zeros_like(self.v)) for _ in range(2))
        advection[0][1:-1] = (self.w[1:-1, None] * (u_x[1:] + u_x[:-1]) / 2
                              - np.diff(u2, axis=0) / wide - np.diff(product[1:-1]) / self.dy)
        w = (self.w[1:] + self.w[:-1])[:, None] / 2
        advection[1][:, 1:-1] = (w * (v_x[1:, 1:-1] + v_x[:-1, 1:-1]) / 2 - np.diff(v2) / high
                                 - np.diff(product[:, 1:-1], axis=0) / self.dx[:, None])
        friction[0][1:-1] = np.diff(u_x, axis=0) / wide + np.diff(u_y[1:-1]) / self.dy
        friction[1][:, 1:-1] = (np.diff(v_y) / high
                                + np.diff(v_x[:, 1:-1], axis=0) / self.dx[:, None])
        shear = (u_y[a:b, c] + u_y[a + 1:b + 1, c]) / 2
        self.friction = -4 * self.nu * np.sum(shear * self.dx[a:b])
        return advection, [self.nu * f for f in friction]

    def fluxes(self, p):
        """Fluxes of the gradient of p through faces between fluid cells, along x and along y."""
        x, y = np.zeros_like(self.u), np.zeros_like(self.v)
        x[1:-1] = np.diff(p, axis=0) / np.diff(self.xc)[:, None] * self.dy
        y[:, 1:-1] = np.diff(p) / np.diff(self.yc) * self.dx[:, None]
        x[self.held_u], y[self.held_v] = 0, 0
        return x, y

    def poisson(self, source):
        """Solves for p: the fluxes of its gradient out of each cell are the source. Conjugate
        gradients, preconditioned by the tank without the square, whose solution eigenvectors along
        y split into lines."""
        links = np.concatenate(([0.0], 1 / np.diff(self.xc), [0.0]))[:, None]
        middle = links[1:] + links[:-1] + self.dx[:, None] * self.tone
        full = Lines(-links[:-1], middle, -links[1:])
        p, way, last = np.zeros_like(source), 0.0, 1.0
        left = np.where(self.fluid, np.mean(source[self.fluid]) - source, 0.0)
        enough = 1e-7 * np.linalg.norm(left) + 1e-14
        for _ in range(100):
            if np.linalg.norm(left) < enough:
                break
            guess = full.solve(left @ self.modes) @ self.modes.T
            guess = np.where(self.fluid, guess - np.mean(guess[self.fluid]), 0.0)
            now = np.sum(left * guess)
            way, last = guess + now / last * way, now
            x, y = self.fluxes(way)
            image = -np.where(self.fluid, np.diff(x, axis=0) + np.diff(y), 0.0)
            step = now / np.sum(way * image)
            p, left = p + step * way, left - step * image
        return p

    def predict(self, dt):
        """u and v after a step, before the pressure corrects them."""
        self.set_grid(self.time)
        advection, friction = self.rates()
        before = self.advection or advection
        push = [f / s for f, s in zip(self.fluxes(self.p), (self.dy, self.dx[:, None]))]
        du, dv = (dt * (1.5 * n - 0.5 * m + f - q)
                  for n, m, f, q in zip(advection, before, friction, push))
        self.advection = advection
        du[self.held_u], dv[self.held_v] = 0, 0
        quicker = self.speed(self.time + dt) - self.speed(self.time)
        du[self.back:self.front + 1, :self.top] = quicker
        self.set_grid(self.time + dt / 2)
        share, held_u, held_v = self.nu * dt / 2, self.held_u[1:-1], self.held_v[:, 1:-1].T
        dx, dy = np.tile(self.dx[:, None], len(self.dy)), np.tile(self.dy[:, None], len(self.dx))
        du[1:-1] = diffuse(du[1:-1], held_u, np.diff(self.xc), dx, share)
        du = diffuse(du.T, self.held_u.T, self.dy, self.along_y.T, share).T
        dv = diffuse(dv, self.held_v, self.dx, self.along_x, share)
        dv[:, 1:-1] = diffuse(dv[:, 1:-1].T, held_v, np.diff(self.yc), dy, share).T
        return self.u + du, self.v + dv

    def step(self, dt):
        u, v = self.predict(dt)
        self.time += dt
        self.set_grid(self.time)
        gain = self.poisson((np.diff(u, axis=0) * self.dy + np.diff(v) * self.dx[:, None]) / dt)
        x, y = self.fluxes(gain)
        self.u, self.v, self.p = u - dt * x / self.dy, v - dt * y / self.dx[:, None], self.p + gain

    def pressure_drag(self):
        """The pressure drag over 1/2, half a step before the present time. Pressures are
        extrapolated from the middles of cells to the surface."""
        ahead, behind = (
            self.p[i] + (self.p[i] - self.p[j]) * self.dx[i] / 2 / abs(self.xc[j] - self.xc[i])
            for i, j in ((self.front, self.front + 1), (self.back - 1, self.back - 2))
        )
        return 4 * np.sum(((ahead - behind) * self.dy)[:self.top])


def drag(flow, dt, end):
    """Times until `end`, and the drag of pressure and of friction over 1/2."""
    rows = []
    for _ in range(round(end / dt)):
        flow.step(dt)
        rows.append((flow.time - dt / 2, flow.pressure_drag(), flow.friction))
    t, pressure, friction = np.array(rows).T
    friction = np.interp(t, t - dt / 2, friction)  # was that of the step's start
    return t, pressure, friction
