"""How cards, Factions and seats fare in many games: ``cysmic balance`` as a library (``docs/balance.md``).

>>> from cysmic_fast import load_game
>>> from cysmic_fast.balance import measure
>>> game = load_game(players=2, factions=True, ending="build_it", max_rounds=400)
>>> report = measure(game, 50, seed=1)
>>> report.games
50

:func:`measure` plays, :class:`BalanceReport` holds sums and shows tables, :func:`merge` adds up jobs,
:func:`compare` sets two packs side by side, :func:`~cysmic_fast.balance.plot.plot` draws.
"""

from cysmic_fast.balance.comparison import Change, Comparison, compare
from cysmic_fast.balance.measuring import POLICIES, measure
from cysmic_fast.balance.report import BalanceReport, LeftOut, Run, merge
from cysmic_fast.balance.tables import MIN_SEEN, EventLine, Line, Table

__all__ = [
    "MIN_SEEN",
    "POLICIES",
    "BalanceReport",
    "Change",
    "Comparison",
    "EventLine",
    "LeftOut",
    "Line",
    "Run",
    "Table",
    "compare",
    "measure",
    "merge",
]
