"""The hall's side: each bot's question goes to the least loaded that can answer it, here or on a node of its own.

Whatever becomes of a node or of the bus, the question is thought through here, in what is left of its time: a move is
never lost. An answer counts that comes in time, from the same version, and that the rules allow.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Raw, Struct

from qipai import __version__, games
from qipai.arena.pool import EDGES, SHORT_MS, SLACK_MS, Bots, Chosen
from qipai.bots.messages import HELLO, HELLO_S, Found, Heard, Here, Question, Reply, topic_of
from qipai.bus import Bus, Unanswered
from qipai.bus.contract import Why as Missing
from qipai.core.histogram import Histogram

__all__ = ["BACK", "Back", "FarBots", "Tally"]

AWAY_S: Final = 3 * HELLO_S  # a node that was not heard for so long is not asked
LEAST_MS: Final = 20  # that is left for thinking here
REST_S: Final = (1.0, 2.0, 5.0, 15.0, 60.0)  # a node is not asked for so long after failures in a row
# nonsense: what came is no answer, or no action that the rules allow. The rest is of `bus.contract` and `messages`.
Back = Literal["gone", "nobody", "late", "large", "version", "busy", "leaving", "nonsense"]
BACK: Final[tuple[Back, ...]] = get_args(Back)
FAULTS: Final[frozenset[Back]] = frozenset({"nobody", "late", "nonsense", "version"})  # of a node, which then rests

log = logging.getLogger("qipai.bots")


class Tally:
    """Counts the questions that were given away, and what became of them."""

    def __init__(self) -> None:
        self.given = 0
        self.answered = Histogram(EDGES)
        self.back: Counter[Back] = Counter()


class _Node(Struct):
    """A node, as the hall knows it."""

    here: Here
    heard: float  # monotonic
    asked: Counter[bool] = msgspec.field(default_factory=Counter[bool])  # questions it has, by whether they are short
    failures: int = 0  # in a row
    not_before: float = 0.0  # monotonic

    def seats(self, short: bool) -> int:
        return self.here.short if short else self.here.long


class FarBots:
    """What computes the moves of bots (`hall.live.bot_players.Thinker`): the nodes there are, and this machine."""

    def __init__(self, here: Bots, bus: Bus) -> None:
        """here: the processes of this machine."""
        self._here, self.bus, self.tally = here, bus, Tally()
        self._nodes: dict[str, _Node] = {}
        self._strangers: set[tuple[str, str]] = set()  # nodes of other versions that the log has named
        bus.answer(HELLO, self._hello)

    @property
    def nodes(self) -> int:
        """Return how many nodes can be asked."""
        return sum(self._present(node) for node in self._nodes.values())

    def prepare(self, game: str) -> None:
        """Warm up for a game that will soon be played; nodes are ready for all."""
        self._here.prepare(game)

    async def choose(
        self,
        game: str,
        options: dict[str, Any],
        level: str,
        view: bytes,
        *,
        seed: int,
        budget_ms: int,
        patience_ms: int | None = None,
        fits: Callable[[bytes], bool] | None = None,
    ) -> Chosen:
        """Return an action for the seat whose view this is, as `Bots.choose`.

        fits: tells whether the rules allow an answer. Engines think here, where they are installed.
        """
        entry = games.find(game)
        began = time.monotonic()
        patience = budget_ms + max(budget_ms // 2, SLACK_MS) if patience_ms is None else patience_ms
        node = self._node(game, entry.edition, budget_ms <= SHORT_MS) if level in entry.bots else None
        if node is not None:
            # What is left then is enough to think here, less long where the clock is short.
            wait = min(budget_ms + max(budget_ms // 2, SLACK_MS), patience * 2 // 3)
            question = Question(
                version=__version__,
                edition=entry.edition,
                game=game,
                options=options,
                level=level,
                view=Raw(view),
                seed=seed,
                budget_ms=min(budget_ms, wait),
                patience_ms=wait,
            )
            found = await self._asked(node, question, fits)
            took_s = time.monotonic() - began
            if isinstance(found, Found):
                self.tally.answered.add(took_s)
                node.failures = 0
                self._here.count.add(level, found.given, took_s)
                return Chosen(bytes(found.action), given=found.given)
            self.tally.back[found] += 1
            self._failed(node, found)
            patience = max(0, patience - int(1000 * took_s))
            budget_ms = max(LEAST_MS, min(budget_ms, patience // 2))
        return await self._here.choose(
            game, options, level, view, seed=seed, budget_ms=budget_ms, patience_ms=patience, fits=fits
        )

    def _node(self, game: str, edition: int, short: bool) -> _Node | None:
        """Return the node that can answer soonest, None where that is this machine."""
        if not self.bus.there:
            return None
        waiting, seats = self._here.load(short=short)
        best, least = None, (waiting + 1) / seats if seats else float("inf")
        now = time.monotonic()
        for node in self._nodes.values():
            seats = node.seats(short)
            if not seats or node.not_before > now or node.here.games.get(game) != edition or not self._present(node):
                continue
            load = (node.asked[short] + 1) / seats
            if load < least or (load == least and best is None):  # this machine serves people, too
                best, least = node, load
        return best

    @staticmethod
    def _present(node: _Node) -> bool:
        return time.monotonic() - node.heard < AWAY_S and not node.here.leaving and node.here.version == __version__

    async def _asked(self, node: _Node, question: Question, fits: Callable[[bytes], bool] | None) -> Found | Back:
        """Return a node's answer, or why there is none that can be used."""
        short = question.budget_ms <= SHORT_MS
        self.tally.given += 1
        node.asked[short] += 1
        try:
            raw = await self.bus.ask(
                topic_of(node.here.node), msgspec.json.encode(question), question.patience_ms / 1000
            )
            found = msgspec.json.decode(raw, type=Found | Reply)
        except Unanswered as missing:
            why: Missing = missing.why
            return why
        except msgspec.MsgspecError:
            return "nonsense"
        finally:
            node.asked[short] -= 1
        if isinstance(found, Reply):
            return found.why
        if (found.version, found.edition) != (question.version, question.edition):
            return "version"
        try:
            allowed = fits is None or fits(bytes(found.action))
        except Exception:  # whatever a stranger sends must affect this move only
            allowed = False
        return found if allowed else "nonsense"

    def _failed(self, node: _Node, why: Back) -> None:
        """Let a node rest that does not do as it should; the log says so once until it is well again."""
        now = time.monotonic()
        if why not in FAULTS or node.not_before > now:
            return
        node.not_before = now + REST_S[min(node.failures, len(REST_S) - 1)]
        if not node.failures:
            log.warning("the bot node %s did not answer a question (%s): its questions are thought through here",
                        node.here.node, why)  # fmt: skip
        node.failures += 1

    async def _hello(self, raw: bytes) -> bytes:
        """Note that a node is there, and tell it whether it will be asked."""
        here = msgspec.json.decode(raw, type=Here)
        fits = here.version == __version__
        now = time.monotonic()
        node = self._nodes.get(here.node)
        if node is None:
            for name in [name for name, other in self._nodes.items() if now - other.heard > AWAY_S]:
                del self._nodes[name]
            node = self._nodes[here.node] = _Node(here, now)
            if fits:
                log.info("the bot node %s is there, with %d processes", here.node, here.short + here.long)
        if not fits and (here.node, here.version) not in self._strangers:
            self._strangers.add((here.node, here.version))
            log.warning("the bot node %s is of version %s and is asked nothing: this hall is of version %s",
                        here.node, here.version, __version__)  # fmt: skip
        node.here, node.heard = here, now
        return msgspec.json.encode(Heard(__version__, fits))
