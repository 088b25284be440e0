"""Calls into anastruct: frames and trusses in a plane."""

from __future__ import annotations

from anastruct import LoadCase, SystemElements

from tests.world.calls import call

DISTRIBUTION = "anastruct"


def beam(ss, length=4.0):
    ss.add_element(location=[[0, 0], [length / 2, 0]])
    ss.add_element(location=[[length / 2, 0], [length, 0]])
    ss.add_support_hinged(node_id=1)
    ss.add_support_roll(node_id=3)


@call(10.0, 23.0)
def point_load(force):
    ss = SystemElements(EA=15000, EI=5000)
    beam(ss)
    ss.point_load(node_id=2, Fy=-force)
    ss.solve()
    return ss.get_node_displacements(node_id=2)["uy"]


@call(5.0, 12.0)
def distributed(q):
    ss = SystemElements()
    beam(ss)
    ss.q_load(q=-q, element_id=[1, 2])
    ss.solve()
    return ss.get_element_results(element_id=1)["Mmax"] + ss.get_node_results_system(1)["Fy"]


@call(4000.0, 9000.0)
def stiffness(ei):
    ss = SystemElements(EA=15000, EI=ei)
    beam(ss)
    ss.q_load(q=-10, element_id=1)
    ss.solve()
    return 1e3 * ss.get_node_displacements(2)["phi_z"]


@call(3.0, 5.5)
def moment(tz):
    ss = SystemElements(EA=150, EI=50)
    beam(ss, 5.0)
    ss.point_load(2, Fy=-10)
    ss.moment_load(node_id=2, Tz=tz)
    ss.solve()
    return ss.get_node_displacements(2)["phi_z"]


@call(12.0, 21.0)
def frame(push):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element(location=[[0, 0], [0, 3]])
    ss.add_element(location=[[0, 3], [6, 3]])
    ss.add_element(location=[[6, 3], [6, 0]])
    ss.add_support_fixed(node_id=[1, 4])
    ss.q_load(element_id=2, q=-8)
    ss.point_load(2, Fx=push)
    ss.solve()
    return ss.get_node_displacements(2)["ux"] + 0.01 * ss.get_element_results(2)["Mmin"]


@call(10.0, 25.0)
def truss(force):
    ss = SystemElements(EA=5000)
    ss.add_truss_element(location=[[0, 0], [0, 5]])
    ss.add_truss_element(location=[[0, 5], [5, 5]])
    ss.add_truss_element(location=[[5, 5], [5, 0]])
    ss.add_truss_element(location=[[0, 0], [5, 5]], EA=5000 * 1.4)
    ss.add_support_fixed(node_id=1)
    ss.add_support_fixed(node_id=4)
    ss.point_load(Fx=force, node_id=2)
    ss.solve()
    return ss.get_element_results(4)["Nmax"] + ss.get_node_displacements(3)["ux"]


@call(500.0, 2000.0)
def spring_support(k):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [3, 0]])
    ss.add_support_hinged(1)
    ss.add_support_spring(node_id=2, translation=2, k=k)
    ss.point_load(2, Fy=-10)
    ss.q_load(-2, 1)
    ss.solve()
    return ss.get_node_displacements(2)["uy"]


@call(1000.0, 4000.0)
def hinge_spring(k):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [2, 0]], spring={1: k})
    ss.add_element([[2, 0], [4, 0]])
    ss.add_support_fixed([1, 3])
    ss.point_load(2, Fy=-10)
    ss.solve()
    return ss.get_node_displacements(2)["uy"]


@call(4.0, 9.0)
def load_case(q):
    ss = SystemElements(EA=15000, EI=5000)
    beam(ss)
    case = LoadCase("wind")
    case.q_load(q=-q, element_id=[1, 2], direction="y")
    case.point_load(node_id=2, Fx=2 * q)
    ss.apply_load_case(case)
    ss.solve()
    return ss.get_node_displacements(2)["uy"] + ss.get_node_displacements(3)["ux"]


@call(1.0, 2.5)
def self_weight(g):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [4, 0]], g=g)
    ss.add_support_fixed(1)
    ss.solve()
    return ss.get_node_displacements(2)["uy"]


@call(6.0, 11.0)
def many_elements(q):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_multiple_elements([[0, 0], [8, 0]], n=4)
    ss.add_support_hinged(1)
    ss.add_support_roll(5, direction=2)
    ss.q_load(-q, [1, 2, 3, 4])
    ss.solve()
    return max(ss.get_element_result_range("moment")) + ss.get_element_result_range("shear")[0]


@call(2.0, 3.0)
def moments(q):
    ss = SystemElements(EA=15000, EI=5000)
    beam(ss)
    ss.q_load(q=[-q, -2 * q], element_id=1)
    ss.q_load(q=-q, element_id=2)
    ss.solve()
    return ss.element_map[1].bending_moment[10] + ss.element_map[2].shear_force[5]


@call(0.2, 0.9)
def inclined(angle):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [3, 1]])
    ss.add_support_fixed(1)
    ss.point_load(2, Fx=0.0, Fy=-10.0, rotation=angle * 50)
    ss.solve()
    return ss.get_node_displacements(2)["uy"]


@call(10.0, 30.0)
def rolled(angle):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [3, 1]])
    ss.add_support_hinged(1)
    ss.add_support_roll(2, angle=angle)
    ss.q_load(-5, 1, direction="y")
    ss.solve()
    return ss.get_node_displacements(2)["ux"] + ss.get_node_results_system(1)["Fx"]


@call(5.0, 15.0)
def second_order(force):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_multiple_elements([[0, 0], [0, 4]], n=2)
    ss.add_support_fixed(1)
    ss.point_load(3, Fx=force, Fy=-40.0)
    ss.solve(geometrical_non_linear=True)
    return ss.get_node_displacements(3)["ux"]


@call(40.0, 60.0)
def plastic(force):
    ss = SystemElements(EA=15000, EI=5000)
    ss.add_element([[0, 0], [2, 0]], mp={1: 20, 2: 20})
    ss.add_element([[2, 0], [4, 0]])
    ss.add_support_fixed([1, 3])
    ss.point_load(2, Fy=-force)
    ss.solve()
    return ss.get_node_displacements(2)["uy"]


@call(3.0, 4.5)
def grid(ei):
    ss = SystemElements()
    ss.add_element_grid([0, 2, 4], [0, 0, 1], EA=[100.0, 120.0], EI=[ei, 2 * ei])
    ss.add_support_fixed(1)
    ss.point_load(3, Fy=-4)
    ss.solve()
    return ss.get_node_displacements(3)["uy"] + ss.get_stiffness_matrix(1)[0, 0]
