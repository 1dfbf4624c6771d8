"""Reports: measuring, JSON, merging, comparing, plots."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from small_packs import write_pack

from cysmic_fast import load_game
from cysmic_fast.balance import BalanceReport, compare, measure, merge
from cysmic_fast.balance.plot import plot
from cysmic_fast.errors import ContentError, OptionError
from cysmic_fast.interface import Game


def test_report_does_not_depend_on_threads_or_engine() -> None:
    found = []
    for engine, threads in (("native", 1), ("native", 3), ("reference", 1)):
        game = load_game(players=2, engine=engine, events=True, ending="build_it", max_rounds=12)
        found.append(measure(game, 6, seed=3, first=4, threads=threads).to_dict())
    assert found[0] == found[1] == found[2]


ENDLESS = """
[[card]]
id = "D01"
count = 1
[[card.ability]]
do = "each"
over = {space = {}}
run = [{do = "each", over = {space = {}}, run = [{do = "gain", res = "lorium", n = 1}]}]
"""


def test_games_whose_cards_do_not_end_are_left_out(tmp_path: Path) -> None:
    """Of both engines the same; a report of the others, which JSON and merging keep."""
    pack = write_pack(tmp_path / "endless", {"discovery.toml": ENDLESS})
    found = []
    for engine, threads in (("native", 1), ("native", 3), ("reference", 1)):
        game = load_game(players=2, engine=engine, packs=[pack], molten_core=True, max_rounds=10)
        found.append(measure(game, 40, seed=1, first=20, threads=threads))
    report = found[0]
    assert [(one.seed, one.index) for one in report.left_out] == [(1, 35)]
    assert "game 35 of seed 1: D01" in report.left_out[0].why
    assert [(run.first, run.games) for run in report.runs] == [(20, 15), (36, 24)]
    assert report.games == 39
    assert "1 games left out: game 35 of seed 1" in str(report)
    for other in found[1:]:
        assert (other.census.data == report.census.data).all()
        assert other.runs == report.runs
    game = load_game(players=2, packs=[pack], molten_core=True, max_rounds=10)
    more = merge(
        [BalanceReport.from_dict(json.loads(json.dumps(report.to_dict()))), measure(game, 30, 1, 60)]
    )
    assert [one.index for one in more.left_out] == [35, 86]
    assert more.games == 68
    with pytest.raises(ContentError, match="game 448 of seed 1: D01") as told:
        measure(game, 600, seed=1)
    assert told.value.index == 448
    with pytest.raises(ContentError, match="game 86 of seed 1: D01") as told:
        game.simulate(1, 60, 40)
    assert told.value.index == 86


def test_progress_and_games(quick_game: Game) -> None:
    told: list[int] = []
    report = measure(quick_game, 40, progress=told.append)
    assert told[-1] == report.games == 40
    assert told == sorted(told)
    assert report.runs[0].games == 40


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"games": 10**9},
        {"games": 1.5},
        {"games": 2, "first": 2**64 - 1},
        {"games": 1, "seed": -1},
        {"games": 1, "threads": 0},
        {"games": 1, "policy": "clever"},
        {"games": 1, "policy": None},
        {"games": 1, "min_seen": 0},
    ],
    ids=str,
)
def test_arguments_that_cannot_be(quick_game: Game, wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        measure(quick_game, **wrong)


def test_interrupt(quick_game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(quick_game, 1000, progress=stop)
    report = measure(quick_game, 1000, progress=stop, partial=True)
    assert 2 <= report.games < 1000
    assert report.runs[0].games == report.games
    again = measure(quick_game, report.games)
    assert again.census == report.census


def test_json_and_text(quick_report: BalanceReport) -> None:
    text = json.dumps(quick_report.to_dict())
    again = BalanceReport.from_dict(json.loads(text))
    assert json.dumps(again.to_dict()) == text
    found = json.loads(text)
    for key in ("version", "rules_version", "content_hash", "packs", "options", "policy", "runs"):
        assert found[key]
    assert found["packs"] == ["standard", "quick"]
    assert len(found["content_hash"]) == 64
    shown = str(quick_report)
    for word in (
        "Factions",
        "Seats",
        "Discovery Cards held",
        "Relic Cards Activated",
        "95% interval",
        "Holm",
    ):
        assert word in shown
    assert "WARNING" not in shown
    assert str(quick_report.games)[:1] in shown
    rows = list(csv.DictReader(io.StringIO(quick_report.to_csv())))
    assert len(rows) == sum(len(table.lines) for table in quick_report.tables)
    assert {row["table"] for row in rows} >= {"faction", "seat", "relic_held", "event_happened"}
    assert quick_report.table("seat").comparisons == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("format"),
        lambda d: d.update(format="cysmic-balance 0"),
        lambda d: d.pop("names"),
        lambda d: d["names"].update(discovery=[]),
        lambda d: d.update(runs=[]),
        lambda d: d.update(runs=[{"seed": "x"}]),
        lambda d: d.update(census={"players": 9, "sums": {}}),
        lambda d: d.update(census=None),
    ],
)
def test_what_is_no_report_is_refused(quick_report: BalanceReport, spoil: Any) -> None:
    found = json.loads(json.dumps(quick_report.to_dict()))
    spoil(found)
    with pytest.raises(OptionError):
        BalanceReport.from_dict(found)
    for thing in (None, [], "x", 3):
        with pytest.raises(OptionError):
            BalanceReport.from_dict(thing)


def test_few_wins_are_told() -> None:
    report = measure(load_game(players=2, max_rounds=2), 10)
    assert "only 0 wins" in report.warning
    assert "--ending build_it --max-rounds 400" in report.warning
    assert "WARNING" in str(report)


# ------------------------------------------------------------------ merging
def test_merged_jobs_are_one_job(quick_game: Game) -> None:
    whole = measure(quick_game, 90, seed=7, first=10)
    parts = [measure(quick_game, n, seed=7, first=first) for first, n in ((70, 30), (10, 25), (35, 35))]
    merged = merge(parts)
    assert merged.census == whole.census
    assert [run.first for run in merged.runs] == [10, 35, 70]
    assert merged.to_dict()["tables"] == whole.to_dict()["tables"]
    other_seed = merge([whole, measure(quick_game, 5, seed=8, first=10)])
    assert other_seed.games == 95


def test_what_cannot_be_merged(quick_game: Game) -> None:
    one = measure(quick_game, 5)
    with pytest.raises(OptionError, match="game 3 of seed 0 is in two"):
        merge([one, measure(quick_game, 5, first=3)])
    other = load_game(players=3, ending="build_it", max_rounds=10)
    with pytest.raises(OptionError, match="content_hash"):
        merge([one, measure(other, 5, first=5)])
    lamer = load_game(players=3, content=quick_game.content, max_rounds=10)
    with pytest.raises(OptionError, match=r"options: factions True and False.*max_rounds 120 and 10"):
        merge([one, measure(lamer, 5, first=5)])
    with pytest.raises(OptionError):
        merge([])


# ------------------------------------------------------------------ comparing
def test_comparing_a_report_with_itself(quick_report: BalanceReport) -> None:
    comparison = compare(quick_report, quick_report)
    assert set(comparison.tables) == {table.key for table in quick_report.tables}
    for changes in comparison.tables.values():
        assert all(change.change == 0 and change.mark in ("", "?") for change in changes)
    assert "changes" in str(comparison)
    json.dumps(comparison.to_dict())


def test_different_games_are_compared_as_independent(quick_game: Game, quick_report: BalanceReport) -> None:
    other = measure(quick_game, 1200, seed=6, threads=2)
    comparison = compare(other, quick_report)
    (change,) = [c for c in comparison.tables["relic_held"] if c.id == "R05"]
    now, before = (
        next(x for x in r.table("relic_held").lines if x.id == "R05") for r in (other, quick_report)
    )
    assert change.error == pytest.approx((now.error**2 + before.error**2) ** 0.5)
    assert not any(c.mark == "***" for changes in comparison.tables.values() for c in changes)


def test_unlike_games_are_not_compared(quick_report: BalanceReport) -> None:
    game = load_game(players=3, max_rounds=2)
    with pytest.raises(OptionError, match="options"):
        compare(measure(game, 2), quick_report)


def test_a_changed_relic_stands_out(
    quick_pack: Path, quick_game: Game, quick_report: BalanceReport, tmp_path: Path
) -> None:
    """The designer's loop: one Relic gives a Blueprint every turn; a new card is new, a removed one gone."""
    mine = write_pack(
        tmp_path / "mine",
        {
            "relics.toml": """
[[card]]
id = "R38"
rules = [ { trigger = { on = "turn_start", by = "self", once = "turn" }, effect = [
  { do = "gain", res = "blueprint", n = 1, of = "opponent" },
] } ]
""",
            "discovery.toml": '[[card]]\nid = "D42"\nremove = true\n',
        },
    )
    options = quick_game.options.to_dict() | {"mode": "competitive"}
    game = load_game(packs=[quick_pack, mine], **options)
    comparison = compare(measure(game, 1200, seed=5, threads=2), quick_report)
    best = comparison.tables["relic_activated"][0]
    assert (best.id, best.mark) == ("R38", "***")
    assert best.change is not None
    assert best.change > 0.03
    assert [c.id for c in comparison.tables["relic_activated"] if c.mark == "***"] == ["R38"]
    gone = {c.id for c in comparison.tables["discovery_held"] if c.now is None}
    assert gone == {"D42"}


# ------------------------------------------------------------------ plots
def test_plots(quick_report: BalanceReport, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    one, two, png = tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.png"
    plot(quick_report, one)
    plot(BalanceReport.from_dict(json.loads(json.dumps(quick_report.to_dict()))), two)
    assert one.read_bytes() == two.read_bytes()
    text = one.read_text(encoding="utf-8")
    assert "Moving Mao Tons F03" in text
    assert "dc:date" not in text
    plot(quick_report, png, cards=5)
    assert png.read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(OptionError, match="no Factions"):
        plot(measure(load_game(players=2, max_rounds=1), 2), one)
    with pytest.raises(OptionError, match=r"\.png or \.svg"):
        plot(quick_report, tmp_path / "c.pdf")
    with pytest.raises(OptionError, match="can be written"):
        plot(quick_report, tmp_path / "nowhere" / "c.svg")


def test_without_matplotlib(
    quick_report: BalanceReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match="matplotlib is not installed"):
        plot(quick_report, tmp_path / "a.svg")
