"""The planet's map for tests, from axial coordinates alone (independent of both engines' tables)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

SPACES = range(127)

#: The six side steps clockwise; terrain t starts at the corner r * STEPS[t] of ring r.
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

_PLACE = [(0, 0)] * 127
_RING = [0] * 127
_OFFSET = [0] * 127
_TERRAIN = [-1] * 127
for _r in range(1, 7):
    for _t in range(6):
        for _k in range(_r):
            (_q, _s), (_dq, _ds) = STEPS[_t], STEPS[(_t + 2) % 6]
            _n = 1 + 3 * _r * (_r - 1) + _r * _t + _k
            _PLACE[_n] = (_r * _q + _k * _dq, _r * _s + _k * _ds)
            _RING[_n], _OFFSET[_n], _TERRAIN[_n] = _r, _k, _t
_AT = {place: number for number, place in enumerate(_PLACE)}

#: Side-neighbours of each space (P1.4).
SIDES = [{_AT[(q + dq, s + ds)] for dq, ds in STEPS if (q + dq, s + ds) in _AT} for q, s in _PLACE]
#: Other edge spaces with the same arrow (P4.2).
ARROWS = [
    {n for n in SPACES if n != m and _RING[n] == _RING[m] == 6 and _OFFSET[n] == _OFFSET[m]} for m in SPACES
]
#: Adjacent by side or arrow.
NEAR = [SIDES[n] | ARROWS[n] for n in SPACES]


def ring(number: int) -> int:
    """Ring of a space, 0 for the centre."""
    return _RING[number]


def is_abyss(number: int) -> bool:
    """Whether the bottom layer of a space is Abyss (F:bottom_layer)."""
    return (_RING[number] + _OFFSET[number]) % 3 == 0


def landscape(terrain: int, of_ring: int) -> list[int]:
    """Spaces of a terrain's part of a ring, ascending."""
    return [n for n in SPACES if _TERRAIN[n] == terrain and _RING[n] == of_ring]


def ball(centre: int, radius: int, near: Callable[[int], Iterable[int]] = NEAR.__getitem__) -> set[int]:
    """Spaces within ``radius`` steps, the centre included."""
    found = {centre}
    for _ in range(radius):
        found |= {n for m in found for n in near(m)}
    return found
