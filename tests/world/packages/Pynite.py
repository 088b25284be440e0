"""Calls into Pynite: frames, plates and springs in space."""

from __future__ import annotations

from Pynite import FEModel3D
from Pynite.FixedEndReactions import FER_LinLoad, FER_PtLoad

from tests.world.calls import call

DISTRIBUTION = "PyNiteFEA"


def beam(e=29000.0, iz=150.0, length=168.0, **options):
    m = FEModel3D()
    m.add_node("N1", 0, 0, 0)
    m.add_node("N2", length, 0, 0)
    m.add_material("Steel", e, 11200.0, 0.3, 2.836e-4)
    m.add_section("S", 20.0, 100.0, iz, 250.0)
    m.add_member("M1", "N1", "N2", "Steel", "S", **options)
    m.def_support("N1", True, True, True, True, False, False)
    m.def_support("N2", True, True, True, False, False, False)
    return m


@call(5.0, 9.0)
def point_load(p):
    m = beam()
    m.add_member_pt_load("M1", "Fy", -p, 84.0)
    m.analyze(sparse=False)
    return m.members["M1"].min_deflection("dy", "Combo 1") * 10


@call(5.0, 9.0)
def linear(p):
    m = beam()
    m.add_member_pt_load("M1", "Fy", -p, 60.0, "D")
    m.add_load_combo("1.2D", {"D": 1.2})
    m.analyze_linear(sparse=False)
    return m.members["M1"].max_moment("Mz", "1.2D") + m.nodes["N1"].RxnFY["1.2D"]


@call(5.0, 9.0)
def sparse(p):
    m = beam()
    m.add_member_pt_load("M1", "Fy", -p, 60.0)
    m.analyze()
    return m.nodes["N2"].RxnFY["Combo 1"] ** 2


@call(0.2, 0.5)
def distributed(w):
    m = beam()
    m.add_member_dist_load("M1", "Fy", -w, -2 * w, 0, 168.0)
    m.analyze_linear(sparse=False)
    return m.members["M1"].shear("Fy", 20.0, "Combo 1")


@call(29000.0, 15000.0)
def modulus(e):
    m = beam(e=e)
    m.add_member_pt_load("M1", "Fy", -5.0, 84.0)
    m.analyze_linear(sparse=False)
    return m.members["M1"].deflection("dy", 50.0, "Combo 1") * 1e3


@call(120.0, 190.0)
def span(length):
    m = beam(length=length)
    m.add_member_dist_load("M1", "Fy", -0.2, -0.2)
    m.analyze_linear(sparse=False)
    return m.members["M1"].moment("Mz", 40.0, "Combo 1")


@call(10.0, 25.0)
def cantilever(p):
    m = FEModel3D()
    m.add_node("A", 0, 0, 0)
    m.add_node("B", 3, 4, 0)
    m.add_material("S", 200e6, 77e6, 0.3, 77.0)
    m.add_section("S", 0.01, 1e-4, 2e-4, 3e-4)
    m.add_member("M", "A", "B", "S", "S", rotation=30.0)
    m.def_support("A", True, True, True, True, True, True)
    m.add_node_load("B", "FY", -p)
    m.add_node_load("B", "FZ", p / 2)
    m.analyze_linear(sparse=False)
    return (m.nodes["B"].DY["Combo 1"] + m.nodes["B"].RZ["Combo 1"]) * 1e3


@call(1.0, 2.0)
def spring(ks):
    m = FEModel3D()
    for name, x in (("1", 0.0), ("2", 10.0), ("3", 20.0)):
        m.add_node(name, x, 0, 0)
        m.def_support(name, x != 10.0, True, True, True, True, True)
    m.add_spring("S1", "1", "2", ks)
    m.add_spring("S2", "2", "3", 2.0)
    m.add_node_load("2", "FX", 5.0)
    m.analyze_linear(sparse=False)
    return m.nodes["2"].DX["Combo 1"] + m.springs["S1"].axial("Combo 1")


@call(8.0, 15.0)
def support_spring(k):
    m = FEModel3D()
    m.add_node("A", 0, 0, 0)
    m.add_node("B", 100.0, 0, 0)
    m.add_material("S", 29000, 11200, 0.3, 2.8e-4)
    m.add_section("S", 20, 100, 150, 250)
    m.add_member("M", "A", "B", "S", "S")
    m.def_support("A", True, True, True, True, True, True)
    m.def_support_spring("B", "DY", k)
    m.add_node_load("B", "FY", -10.0)
    m.analyze_linear(sparse=False)
    return m.nodes["B"].DY["Combo 1"]


@call(0.5, 1.2)
def settlement(d):
    m = beam()
    m.def_node_disp("N2", "DY", -d)
    m.add_member_pt_load("M1", "Fy", -5.0, 84.0)
    m.analyze_linear(sparse=False)
    return m.members["M1"].deflection("dy", 50.0, "Combo 1")


@call(3.0, 6.0)
def released(p):
    m = FEModel3D()
    for i, x in enumerate((0.0, 5.0, 9.0)):
        m.add_node(f"N{i}", x, 0, 0)
    m.add_material("S", 200e6, 77e6, 0.3, 77.0)
    m.add_section("S", 0.01, 1e-4, 2e-4, 3e-4)
    m.add_member("M0", "N0", "N1", "S", "S")
    m.add_member("M1", "N1", "N2", "S", "S")
    m.def_releases("M0", Rzj=True)
    m.def_support("N0", True, True, True, True, True, True)
    m.def_support("N2", True, True, True, True, True, True)
    m.add_member_pt_load("M1", "Fy", -p, 2.0)
    m.analyze_linear(sparse=False)
    return m.nodes["N1"].DY["Combo 1"] * 1e3


@call(10.0, 20.0)
def second_order(p):
    m = FEModel3D()
    m.add_node("A", 0, 0, 0)
    m.add_node("B", 0, 150.0, 0)
    m.add_material("S", 29000, 11200, 0.3, 2.8e-4)
    m.add_section("S", 20, 100, 150, 250)
    m.add_member("M", "A", "B", "S", "S")
    m.def_support("A", True, True, True, True, True, True)
    m.add_node_load("B", "FX", p)
    m.add_node_load("B", "FY", -200.0)
    m.analyze_PDelta(sparse=False)
    return m.nodes["B"].DX["Combo 1"]


@call(0.1, 0.3)
def plate(t):
    m = FEModel3D()
    m.add_material("C", 3600.0, 1500.0, 0.2, 1e-4)
    m.add_node("1", 0, 0, 0)
    m.add_node("2", 2, 0, 0)
    m.add_node("3", 2, 2, 0)
    m.add_node("4", 0, 2, 0)
    m.add_quad("Q", "1", "2", "3", "4", t, "C")
    m.def_support("1", True, True, True, True, True, True)
    m.def_support("2", True, True, True, True, True, True)
    m.add_quad_surface_pressure("Q", -0.01)
    m.analyze_linear(sparse=False)
    return m.nodes["3"].DZ["Combo 1"]


@call(2.0, 3.5)
def rectangle(width):
    m = FEModel3D()
    m.add_material("C", 3600.0, 1500.0, 0.2, 1e-4)
    m.add_node("1", 0, 0, 0)
    m.add_node("2", width, 0, 0)
    m.add_node("3", width, 2, 0)
    m.add_node("4", 0, 2, 0)
    m.add_plate("P", "1", "2", "3", "4", 0.2, "C")
    k = m.plates["P"].Ke()
    return k[2, 2] + k[0, 0]


@call(0.3, 0.6)
def self_weight(factor):
    m = beam()
    m.add_member_self_weight("FY", -factor)
    m.analyze_linear(sparse=False)
    return m.members["M1"].min_moment("Mz", "Combo 1")


@call(5.0, 9.0)
def arrays(p):
    m = beam()
    m.add_member_pt_load("M1", "Fy", -p, 84.0)
    m.analyze_linear(sparse=False)
    return m.members["M1"].moment_array("Mz", 7, "Combo 1")[1].sum()


@call(3.0, 5.0)
def fixed_end(x):
    a = FER_PtLoad(10.0, x, 8.0, "Fy")
    b = FER_LinLoad(2.0, 3.0, 1.0, x, 8.0, "Fy")
    return a[1, 0] + a[5, 0] + b[11, 0]


@call(100.0, 180.0)
def member_matrices(iz):
    m = beam(iz=iz)
    m.analyze_linear(sparse=False)
    member = m.members["M1"].sub_members["M1a"]
    return member.ke()[1, 1] + member.Ke()[5, 5] + member.L() + member.T()[0, 0]
