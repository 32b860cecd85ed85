"""A small kind of contest that the live part must carry: two people, a fee, games until one has won."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.contests.contract import (
    Command,
    ContestEvent,
    Game,
    GameOver,
    GameTerms,
    Gone,
    Payment,
    SharedDeal,
    TableOpened,
    Tick,
)
from qipai.hall.table.errors import HallError

ROUND_MS: Final = 600_000


class Made(ContestEvent, frozen=True, kw_only=True, tag="duel.made"):
    SECRET = frozenset({"word"})

    by: int
    fee: int
    start: int
    terms: GameTerms
    word: str = ""


class Entered(ContestEvent, frozen=True, kw_only=True, tag="duel.entered"):
    user: int


class Begun(ContestEvent, frozen=True, kw_only=True, tag="duel.begun"):
    game: str


class Opened(ContestEvent, frozen=True, kw_only=True, tag="duel.opened"):
    game: str
    table: int


class Over(ContestEvent, frozen=True, kw_only=True, tag="duel.over"):
    game: str
    winner: int | None
    why: str


class Left(ContestEvent, frozen=True, kw_only=True, tag="duel.left"):
    user: int


class Make(Command, frozen=True, tag="make"):
    fee: int
    start: int
    terms: GameTerms
    word: str = ""


class Enter(Command, frozen=True, tag="enter"):
    pass


class State(Struct, frozen=True):
    id: int
    fee: int
    start: int
    terms: GameTerms
    word: str
    users: tuple[int, ...] = ()
    game: Game | None = None
    number: int = 0
    winner: int | None = None
    over: bool = False


class Duel:
    kind = "duel"
    events = Made | Entered | Begun | Opened | Over | Left

    def fold(self, state: State | None, event: Any, now: int) -> State:
        if isinstance(event, Made):
            return State(0, event.fee, event.start, event.terms, event.word, (event.by,))
        assert state is not None
        match event:
            case Entered():
                return replace(state, users=(*state.users, event.user))
            case Begun():
                game = Game(event.game, state.users, state.terms, now, now + ROUND_MS)
                return replace(state, game=game, number=state.number + 1)
            case Opened():
                assert state.game is not None
                return replace(state, game=replace(state.game, table=event.table))
            case Over():
                done = event.winner is not None or event.why == "absent"
                return replace(state, game=None, winner=event.winner, over=done)
            case Left():
                return replace(state, over=True)
        raise AssertionError(event)

    def handle(self, state: State | None, command: Any, by: int | None, now: int) -> list[ContestEvent]:
        if isinstance(command, Make):
            assert by is not None
            return [Made(by=by, fee=command.fee, start=command.start, terms=command.terms, word=command.word)]
        assert state is not None
        match command:
            case Enter():
                if len(state.users) > 1:
                    raise HallError("TABLE_FULL")
                assert by is not None
                return [Entered(user=by)]
            case Tick():
                due = self.due(state)
                return [] if due is None or due > now else [Begun(game=f"g{state.number + 1}")]
            case TableOpened():
                if state.game is None or state.game.table is not None:
                    return []
                return [Opened(game=command.game, table=command.table)]
            case GameOver():
                if state.game is None or state.game.id != command.game:
                    return []
                best = max(command.points, default=0)
                winner = state.users[command.points.index(best)] if best > 0 else None
                return [Over(game=command.game, winner=winner, why=command.why)]
            case Gone():
                return [] if state.over else [Left(user=command.user)]
        raise AssertionError(command)

    def due(self, state: State) -> int | None:
        return state.start if len(state.users) == 2 and state.game is None and not state.over else None

    def idle_at(self, state: State) -> int | None:
        return None

    def games(self, state: State) -> tuple[Game, ...]:
        return () if state.game is None or state.over else (state.game,)

    def deals(self, state: State) -> tuple[SharedDeal, ...]:
        return ()

    def payments(self, state: State | None, event: Any) -> tuple[Payment, ...]:
        match event:
            case Made():
                return (Payment(event.by, "escrow", event.fee, "fee"),)
            case Entered():
                assert state is not None
                return (Payment(event.user, "escrow", state.fee, "fee"),)
            case Over() if event.winner is not None:
                assert state is not None
                return (Payment("escrow", event.winner, 2 * state.fee, "prize"),)
            case Over() if event.why == "absent":
                assert state is not None
                return tuple(Payment("escrow", user, state.fee, "refund") for user in state.users)
            case Left():
                assert state is not None
                return tuple(Payment("escrow", user, state.fee, "refund") for user in state.users)
        return ()

    def people(self, state: State) -> frozenset[int]:
        return frozenset(state.users)

    def line(self, state: State) -> Any:
        return {"game": state.terms.game, "people": len(state.users), "winner": state.winner}

    def news(self, before: State | None, event: Any) -> tuple[tuple[int, Any], ...]:
        if isinstance(event, Opened):
            assert before is not None
            return tuple((user, {"what": "game", "table": event.table}) for user in before.users)
        return ()

    def over(self, state: State) -> bool:
        return state.over

    def public(self, state: State, viewer: int | None, now: int) -> Any:
        return {"users": state.users, "winner": state.winner}
