"""The planet's shape and the flood fill, held to networkx on cube coordinates and to plain BFS."""

from __future__ import annotations

import random
from collections.abc import Iterator

import networkx as nx
import pytest

from cysmic_fast import _native

Cube = tuple[int, int, int]
SPACES = range(127)
#: Corner directions in clockwise order, and the direction in which a ring goes on from each corner.
CORNERS: list[Cube] = [(0, -1, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1)]


def cube_of(terrain: int, ring: int, offset: int) -> Cube:
    """Walk ``ring`` steps to the wedge's corner, then ``offset`` steps toward the next corner."""
    corner, following = CORNERS[terrain], CORNERS[(terrain + 1) % 6]
    return tuple(ring * a + offset * (b - a) for a, b in zip(corner, following, strict=True))  # type: ignore[return-value]


def places() -> Iterator[tuple[int, int, int]]:
    return ((t, r, k) for r in range(1, 7) for t in range(6) for k in range(r))


CUBES: dict[int, Cube] = {0: (0, 0, 0)} | {
    1 + 3 * r * (r - 1) + r * t + k: cube_of(t, r, k) for t, r, k in places()
}
ARROWS = [[1 + 3 * 6 * 5 + 6 * t + k for t in range(6)] for k in range(6)]


def side_graph() -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(SPACES)
    for a in SPACES:
        for b in range(a):
            if max(abs(x - y) for x, y in zip(CUBES[a], CUBES[b], strict=True)) == 1:
                graph.add_edge(a, b)
    return graph


@pytest.fixture(scope="module")
def hexmap() -> _native.KernelMap:
    return _native.KernelMap(ARROWS)


@pytest.fixture(scope="module")
def graph() -> nx.Graph:
    graph = side_graph()
    for group in ARROWS:
        graph.add_edges_from((a, b) for a in group for b in group if a < b)
    return graph


def test_numbers(hexmap: _native.KernelMap) -> None:
    """P1.7: the numbers of all places are 1 .. 126, once each."""
    assert sorted(hexmap.number(*place) for place in places()) == list(range(1, 127))
    for t, r, k in places():
        assert hexmap.place(hexmap.number(t, r, k)) == (t, r)
    assert len(set(CUBES.values())) == 127


def test_side_adjacency(hexmap: _native.KernelMap) -> None:
    """P1.4, P1.6."""
    graph = side_graph()
    for space in SPACES:
        assert hexmap.side(space) == sorted(graph[space])
    degrees = sorted(len(hexmap.side(space)) for space in SPACES)
    assert sum(degrees) == 2 * 342
    assert degrees == [3] * 6 + [4] * 30 + [6] * 91


def test_side_neighbours_of_the_example(hexmap: _native.KernelMap) -> None:
    """P-EX1, Savannah being terrain 0 and Forest terrain 1."""
    expected = [(0, 5, 3), (0, 4, 3), (0, 6, 4), (0, 6, 5), (1, 5, 0), (1, 4, 0)]
    assert hexmap.side(hexmap.number(0, 5, 4)) == sorted(hexmap.number(*place) for place in expected)


def test_arrows(hexmap: _native.KernelMap, graph: nx.Graph) -> None:
    """P-EX2: six groups of six add 90 pairs."""
    for space in SPACES:
        assert hexmap.near(space) == sorted(graph[space])
    assert graph.number_of_edges() == 432


def test_inner_spaces(hexmap: _native.KernelMap) -> None:
    """S4.9."""
    for terrain in range(6):
        expected = [(3, 1), (4, 1), (4, 2), (5, 1), (5, 2), (5, 3)]
        assert hexmap.inner(terrain) == sorted(hexmap.number(terrain, r, k) for r, k in expected)


def test_areas(hexmap: _native.KernelMap) -> None:
    """Y2.3: ring r of one terrain has r spaces."""
    for terrain in range(6):
        for ring in range(1, 7):
            assert len(hexmap.area(terrain, ring)) == ring


def as_set(spaces: set[int]) -> int:
    return sum(1 << space for space in spaces)


def as_spaces(members: int) -> set[int]:
    return {space for space in SPACES if members >> space & 1}


def random_planet(seed: int) -> tuple[random.Random, set[int], set[int]]:
    rng = random.Random(seed)
    passing = {space for space in SPACES if rng.random() < rng.choice([0.4, 0.7, 0.95])}
    tunl = set(rng.sample(SPACES, rng.choice([0, 2, 12])))
    return rng, passing, tunl


def plain_reach(graph: nx.Graph, start: int, steps: int, passing: set[int], tunl: set[int]) -> set[int]:
    """Ends of all paths, step by step, keeping every prefix."""
    ends, heads = set(), {start}
    for _ in range(steps):
        around = {b for a in heads for b in graph[a]} | (tunl if heads & tunl else set())
        ends |= around
        heads = around & passing
    return ends


@pytest.mark.parametrize("seed", range(200))
def test_reach_is_plain_search(hexmap: _native.KernelMap, graph: nx.Graph, seed: int) -> None:
    rng, passing, tunl = random_planet(seed)
    start, steps = rng.randrange(127), rng.randint(1, 4)
    found = as_spaces(hexmap.reach(start, steps, as_set(passing), as_set(tunl)))
    expected = plain_reach(graph, start, steps, passing, tunl)
    assert found - {start} == expected - {start}


@pytest.mark.parametrize("seed", range(200))
def test_distance_is_breadth_first(hexmap: _native.KernelMap, graph: nx.Graph, seed: int) -> None:
    rng, passing, tunl = random_planet(seed)
    start = rng.randrange(127)
    targets = set(rng.sample(SPACES, 2))
    joined = graph.copy()
    joined.add_edges_from((a, b) for a in tunl for b in tunl if a < b)
    directed = nx.DiGraph(edge for a, b in joined.edges for edge in ((a, b), (b, a)))
    directed.remove_edges_from([(a, b) for a, b in directed.edges if a != start and a not in passing])
    lengths = nx.single_source_shortest_path_length(directed, start)
    expected = min((lengths[target] for target in targets if target in lengths), default=-1)
    assert hexmap.distance(start, as_set(targets), as_set(passing), as_set(tunl)) == expected
