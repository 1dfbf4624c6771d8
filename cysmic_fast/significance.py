"""Intervals and tests of shares: Wilson's interval, two-sided normal tests, Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, erfc, pi, sin, sqrt

__all__ = ["Z95", "holm", "mark", "two_sided", "two_sided_t", "wilson"]

#: Half width of a 95 % interval of a normal quantity, in standard errors.
Z95 = 1.959963984540054


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """Wilson score interval of a share; by default with 95 % confidence. (0, 1) without trials."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    middle = share + z * z / (2 * trials)
    spread = z * (share * (1 - share) / trials + z * z / (4 * trials * trials)) ** 0.5
    scale = 1 + z * z / trials
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def two_sided(z: float) -> float:
    """Probability that a standard normal quantity is at least as far from 0 as ``z``."""
    return erfc(abs(z) / sqrt(2))


def two_sided_t(t: float, freedom: int) -> float:
    """The same for Student's t with an odd number of degrees of freedom."""
    if freedom < 3 or freedom % 2 == 0:
        raise ValueError(f"{freedom} degrees of freedom; allowed: 3, 5, 7, ...")
    angle = atan2(abs(t), sqrt(freedom))
    term = total = cos(angle)
    for i in range(2, freedom - 1, 2):
        term *= cos(angle) ** 2 * i / (i + 1)
        total += term
    return max(0.0, 1 - 2 / pi * (angle + sin(angle) * total))


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment of p values, in their order.

    Calling significant what is below a level then errs anywhere among all comparisons with at most that
    probability, however the comparisons depend on each other.
    """
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    adjusted = [1.0] * len(probabilities)
    least = 0.0
    for place, i in enumerate(order):
        least = max(least, min(1.0, probabilities[i] * (len(order) - place)))
        adjusted[i] = least
    return adjusted


def mark(adjusted: float | None) -> str:
    """``***`` below 0.001, ``**`` below 0.01, ``*`` below 0.05, else nothing; ``?`` for None: not tested."""
    if adjusted is None:
        return "?"
    return "*" * sum(adjusted < level for level in (0.05, 0.01, 0.001))
