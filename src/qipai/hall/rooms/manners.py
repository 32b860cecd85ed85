"""What bots say 寒暄: hello, well played, thanks, sorry, good-bye, with the phrases that people have (P-22).

A bot says one phrase a deal at most, and mostly none. What makes it speak is what everybody was told, what a person
says at the table, or an end; which bot, whether, and when is drawn. Nothing is kept: a bot's words are no person's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from qipai.core.contract import Seat
from qipai.core.record import UNFINISHED
from qipai.core.rng import Stream
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import Runner
from qipai.hall.table.deal import limit
from qipai.hall.table.events import BotWeakened, Closed, DealCreated, Settled, Stood
from qipai.hall.table.model import Chair, Deal, Table
from qipai.hall.table.observation import view_of
from qipai.hall.table.tempers import temper_of
from qipai.hall.table.update import Applied

__all__ = ["ANSWERS", "Manners"]

# How often a bot speaks that may, percent, before its temperament.
HELLO, PRAISE, END, SORRY, BYE, ANSWER = 80, 30, 15, 60, 40, 70
LUCK: Final = 3  # one greeting in so many wishes luck
SOON_MS, SPREAD_MS = 900, 1600  # after which a phrase comes, at an even temperament
PRESSED_MS: Final = 5_000  # who has no more time than this is not spoken to
# What a person says -> what a bot answers.
ANSWERS: Final = {"hello": "hello", "good_luck": "thanks", "good_game": "good_game", "bye": "bye", "hurry": "sorry"}
THANKED: Final = frozenset({"nice", "well_played", "like", "clap"})  # by the bot that has just played


class Manners:
    """Lets the bots of tables speak."""

    def __init__(self, runner: Runner, say: Callable[[LiveTable, Seat, str], None], *, on: bool) -> None:
        """say: has a bot say a phrase at a table."""
        self._runner, self._say, self._on = runner, say, on
        self._spoke: dict[int, tuple[str, frozenset[Seat]]] = {}  # table -> game, and which of its bots have spoken

    def told(self, live: LiveTable, change: Applied) -> None:
        """Let a bot speak about what has just happened at a table, or not."""
        what, table = change.event.what, change.table
        if not self._on or not _talks(table):
            return
        for seat, phrase in _admired(change):
            self._draw(live, table, f"praise {phrase} {seat}", phrase, PRAISE, _bots(table))
        match what:
            case DealCreated() if what.deal == 1:
                self._draw(live, table, "hello", "hello", HELLO, _bots(table))
            case Settled() if what.why not in UNFINISHED:
                won = any(_person(chair) and n > 0 for chair, n in zip(table.chairs, what.points, strict=False))
                self._draw(live, table, "end", "well_played" if won else "good_game", END, _bots(table))
            case BotWeakened(seat=seat):
                self._draw(live, table, "late", "sorry", SORRY, (seat,))
            case Stood(seat=seat, why="self") if not table.playing and change.before.chairs[seat].user is not None:
                self._draw(live, table, f"bye {seat}", "bye", BYE, _bots(table))
            case Closed():
                self._spoke.pop(live.id, None)

    def heard(self, live: LiveTable, phrase: str) -> None:
        """Let a bot answer what a person has said at a table, or not."""
        table, deal = live.table, live.table.deal
        if not self._on or not _talks(table):
            return
        if phrase in THANKED:
            # In an even pause nobody knows who acted last.
            if deal is not None and deal.concealed_until is None and deal.last in _bots(table):
                self._draw(live, table, f"thanks {deal.last}", "thanks", ANSWER, (deal.last,))
        elif phrase == "hurry":
            if table.playing and deal is not None and deal.state is not None:
                waited = set(table.entry.running(view_of(table, deal, None)))
                self._draw(live, table, "hurry", "sorry", ANSWER, [seat for seat in _bots(table) if seat in waited])
        elif phrase in ANSWERS:
            self._draw(live, table, f"answer {phrase}", ANSWERS[phrase], ANSWER, _bots(table))

    def forget(self, table: int) -> None:
        """Forget who has spoken at a table that has left memory."""
        self._spoke.pop(table, None)

    def _draw(
        self, live: LiveTable, table: Table, occasion: str, phrase: str, often: int, bots: Iterable[Seat]
    ) -> None:
        """Draw whether one of these bots says a phrase, and let it, a moment later."""
        deal = table.coming or table.deal
        if deal is None:
            return
        game, spoke = self._spoke.get(live.id, ("", frozenset()))
        if game != deal.game_id:
            spoke = frozenset()
        free = [seat for seat in bots if seat not in spoke]
        if not free:
            return
        luck = Stream.of_seed(f"manners|{deal.server_seed or deal.game_id}|{occasion}|{deal.rows}")
        seat = free[luck.below(len(free))]
        temper = temper_of(seat)
        if luck.below(100) * 100 >= often * temper.talk:
            return
        if phrase == "hello" and luck.below(LUCK) == 0:
            phrase = "good_luck"
        self._spoke[live.id] = deal.game_id, spoke | {seat}
        wait = (SOON_MS + luck.below(SPREAD_MS)) * temper.pace // 100
        self._runner.timers.at(self._runner.clock.now() + wait, self._speak, live, seat, phrase)

    def _speak(self, live: LiveTable, seat: Seat, phrase: str) -> None:
        table = live.table
        if (
            not live.listeners
            or not _talks(table)
            or seat not in _bots(table)
            or self._runner.tables.get(live.id) is not live
        ):
            return  # meanwhile it was taken away, or talk was switched off
        if table.playing and table.deal is not None and _pressed(table, table.deal, self._runner.clock.now()):
            return
        self._say(live, seat, phrase)


def _talks(table: Table) -> bool:
    """Tell whether bots may speak at a table: where people may say phrases, live, to a person who plays there."""
    return (
        table.terms.table_chat != "off"
        and not table.turn_based
        and table.setting.contest is None
        and any(chair.bot is not None for chair in table.chairs)
    )


def _bots(table: Table) -> list[Seat]:
    return [seat for seat, chair in enumerate(table.chairs) if chair.bot is not None]


def _person(chair: Chair) -> bool:
    return chair.user is not None and not chair.away


def _admired(change: Applied) -> Iterable[tuple[Seat, str]]:
    """Yield which people have played something that deserves a word, by what everybody was told."""
    entry, chairs = change.table.entry, change.table.chairs
    for told in change.told:
        found: Any = entry.admired(told.event) if told.to is None else None
        if found is not None and found[0] < len(chairs) and _person(chairs[found[0]]):
            yield found


def _pressed(table: Table, deal: Deal, now: int) -> bool:
    """Tell whether a person has hardly any time left."""
    for seat, chair in enumerate(table.chairs):
        if _person(chair) and deal.asks[seat] is not None and (end := limit(deal, seat)) is not None:
            if end - now < PRESSED_MS:
                return True
    return False
