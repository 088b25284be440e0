"""Particles: pair forces accumulated in place, symplectic integrators."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import fixed, wavy

PLACES = fixed([[0.0, 0.1, 0.2], [1.1, -0.2, 0.0], [0.3, 1.3, -0.1]])
PLANE = fixed([[0.0, 0.1], [1.2, -0.2], [0.3, 1.3], [1.4, 1.1]])


def gravity(positions, masses, acceleration):
    acceleration.fill(0.0)
    n = len(masses)
    for i in range(n):
        for j in range(i + 1, n):
            d = positions[j] - positions[i]
            r3 = (np.sum(d**2) + 0.01) ** 1.5
            acceleration[i] += masses[j] * d / r3
            acceleration[j] -= masses[i] * d / r3


@program([(PLACES, wavy(3, 3), wavy(3, low=0.5, high=2.0))], analytic=True)
def n_body_leapfrog(x, v, m):
    dt = 0.05
    a = np.empty_like(x)
    gravity(x, m, a)
    for step in range(2):
        v += 0.5 * dt * a
        x += dt * v
        gravity(x, m, a)
        v += 0.5 * dt * a
    return x, v


@program([(PLACES, wavy(3, 3), wavy(3, low=0.5, high=2.0))], analytic=True)
def n_body_bodies_as_lists(x, v, m):
    bodies = [(x[i], v[i], m[i]) for i in range(3)]
    pairs = [(bodies[0], bodies[1]), (bodies[0], bodies[2]), (bodies[1], bodies[2])]
    for step in range(2):
        for (x1, v1, m1), (x2, v2, m2) in pairs:
            d = x1 - x2
            magnitude = 0.02 * np.dot(d, d) ** -1.5
            v1 -= d * m2 * magnitude
            v2 += d * m1 * magnitude
        for r, w, _ in bodies:
            r += 0.02 * w
    energy = 0.0
    for _, w, mass in bodies:
        energy += 0.5 * mass * np.sum(w * w)
    return energy + np.sum(x**2)


def lennard_jones_forces(pos, force, epsilon, sigma):
    force[:] = 0.0
    energy = 0.0
    for i in range(len(pos) - 1):
        for j in range(i + 1, len(pos)):
            rij = pos[i] - pos[j]
            r2 = rij @ rij
            if r2 > 5.06:
                continue
            s6 = (sigma**2 / r2) ** 3
            energy += 4 * epsilon * s6 * (s6 - 1)
            f = 24 * epsilon * s6 * (2 * s6 - 1) / r2 * rij
            force[i, :] += f
            force[j, :] -= f
    return energy


@program([(fixed(1.3 * PLANE), wavy(4, 2), 0.8, 1.0)], analytic=True)
def molecular_dynamics(pos, vel, epsilon, sigma):
    dt = 0.01
    force = np.zeros(pos.shape)
    energy = lennard_jones_forces(pos, force, epsilon, sigma)
    for step in range(2):
        pos += vel * dt + 0.5 * force * dt**2
        vel += 0.5 * force * dt
        energy = lennard_jones_forces(pos, force, epsilon, sigma)
        vel += 0.5 * force * dt
    return energy + 0.5 * np.sum(vel**2)


@program([(PLANE, 1.1, 1.5)], analytic=True)
def spring_network_verlet(pos, k, rest):
    old = pos.copy()
    springs = [(0, 1), (1, 3), (3, 2), (2, 0), (0, 3)]
    for step in range(3):
        force = np.zeros_like(pos)
        for i, j in springs:
            d = pos[j] - pos[i]
            length = np.sqrt(d @ d)
            pull = k * (length - rest) * d / length
            force[i] += pull
            force[j] -= pull
        force[:, 1] -= 0.3
        force[0] = 0.0
        pos, old = 2 * pos - old + 0.01 * force, pos
    return pos


@program([(wavy(6, low=0.3, high=3.6), wavy(6), 0.8)], analytic=True)
def particle_in_cell(x, v, strength):
    cells, dt = 4, 0.1
    for step in range(2):
        rho = np.zeros(cells)
        left = np.floor(x).astype(int)
        weight = x - left
        np.add.at(rho, left % cells, 1.0 - weight)
        np.add.at(rho, (left + 1) % cells, weight)
        field = np.empty(cells)
        field[1:-1] = 0.5 * (rho[:-2] - rho[2:])
        field[0] = 0.5 * (rho[-1] - rho[1])
        field[-1] = 0.5 * (rho[-2] - rho[0])
        v += (
            dt
            * strength
            * ((1 - weight) * field[left % cells] + weight * field[(left + 1) % cells])
        )
        x += 0.01 * v
    return x, v


@program([(wavy(4, low=0.5), wavy(3), wavy(3, phase=1.0))], analytic=True)
def rigid_body_quaternion(q, omega, inertia_log):
    inertia = np.exp(inertia_log)
    dq = np.empty(4)
    dt = 0.1
    for step in range(3):
        w, x, y, z = q
        dq[0] = -x * omega[0] - y * omega[1] - z * omega[2]
        dq[1] = w * omega[0] + y * omega[2] - z * omega[1]
        dq[2] = w * omega[1] + z * omega[0] - x * omega[2]
        dq[3] = w * omega[2] + x * omega[1] - y * omega[0]
        q += 0.5 * dt * dq
        q /= np.sqrt(np.sum(q**2))
        omega += dt * np.cross(inertia * omega, omega) / inertia
    return q, omega


@program([(wavy(3, 2), 0.4)], analytic=True)
def verlet_rope(points, length):
    for sweep in range(3):
        for i in range(len(points) - 1):
            a, b = points[i], points[i + 1]
            d = b - a
            gap = np.sqrt(np.sum(d**2))
            shift = 0.5 * (gap - length) / gap * d
            if i > 0:
                a += shift
                b -= shift
            else:
                b -= 2 * shift
    return points


@program(
    [(wavy(2, low=0.1, high=0.3), wavy(4, low=1.0, high=2.0), wavy(4, low=1.3, high=1.7))],
    analytic=True,
)
def lens_stack(ray, radii, indices):
    n1 = 1.0
    path = np.zeros(len(radii) + 1)
    for s in range(len(radii)):
        height, angle = ray[0], ray[1]
        curvature = 1.0 / radii[s] if s % 2 == 0 else -1.0 / radii[s]
        incidence = angle + np.arcsin(0.3 * height * curvature)
        ray[1] = angle + np.arcsin(n1 / indices[s] * np.sin(incidence)) - incidence
        ray[0] += 0.2 * np.tan(ray[1])
        path[s + 1] = path[s] + 0.2 * indices[s] / np.cos(ray[1])
        n1 = indices[s]
    return ray, path


@program([(wavy(3), wavy(3, low=0.4, high=0.6), wavy(2, 3, low=0.3, high=0.8))], analytic=True)
def path_through_spheres(origin, direction, albedo):
    throughput = np.ones(3)
    radiance = np.zeros(3)
    position = origin * 0.1
    for bounce in range(2):
        direction /= np.linalg.norm(direction)
        b = position @ direction
        distance = -b + np.sqrt(b * b - position @ position + 4.0)
        position += distance * direction
        normal = position / 2.0
        radiance += throughput * 0.2 * (1.0 + normal[1])
        throughput *= albedo[bounce] * (1.0 + 0.5 * np.dot(normal, direction))
        direction -= 2.0 * np.dot(direction, normal) * normal
        direction[2] += 0.1 * normal[0]
    return radiance + throughput
