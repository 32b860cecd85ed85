"""What each command does to a pond, and when it is refused. Pure."""

from __future__ import annotations

from collections.abc import Callable

from qipai.contests import contract
from qipai.contests.pending import Pending, user_of
from qipai.contests.ponds import commands as say
from qipai.contests.ponds import events
from qipai.contests.ponds.fold import fold
from qipai.contests.ponds.model import Bid, Pond, checked, may_start
from qipai.contests.ponds.reckoning import placed, reckoned, silent
from qipai.contests.ponds.seals import seal_of
from qipai.hall.table.errors import HallError

__all__ = ["due", "handle"]

Draw = Callable[[], str]
Draft = Pending[Pond]


def handle(
    state: Pond | None, command: contract.Command, by: int | None, now: int, draw: Draw
) -> list[events.AnyEvent]:
    """Return the events that a command comes to; what is due happens before it. draw: a new salt, as hex."""
    draft = Draft(fold, state, now)
    if isinstance(command, say.MakePond):
        if state is None:
            draft.emit(events.Made(id=command.id, form=checked(command.form, now), by=by))
        return draft.events
    if state is None:
        raise HallError("NOT_FOUND")
    _catch_up(draft, draw)
    _carry_out(draft, command, by, draw)
    return draft.events


def due(state: Pond) -> int | None:
    """Return when something is due: the start, or the end of a round."""
    return state.form.starts_at if state.state == "open" else state.ends_at


def _catch_up(draft: Draft, draw: Draw) -> None:
    state = draft.state
    at = due(state)
    if at is None or at > draft.now:
        return
    if state.state == "running":
        _end_round(draft, draw)
    elif may_start(state.form, len(state.entered)):
        _start(draft)
    else:
        _cancel(draft, events.Cancelled(why="too_few" if len(state.entered) < state.form.least else "prize"))


def _carry_out(draft: Draft, command: contract.Command, by: int | None, draw: Draw) -> None:
    match command:
        case say.Enter():
            _enter(draft, user_of(by))
        case say.Leave():
            _leave(draft, user_of(by))
        case say.MakeBid():
            user = user_of(by)
            _bid(draft, user, _amount(draft.state, user, command), draw)
        case contract.Gone():
            _gone(draft, command)
        case contract.Cancel():
            _closed(draft, command, by)
        case contract.Tick() | contract.TableOpened() | contract.GameOver():
            pass
        case _:
            raise HallError("BAD_MESSAGE", field="t")


def _enter(draft: Draft, user: int) -> None:
    state, form = draft.state, draft.state.form
    if user in state.entered and state.state in ("open", "running"):
        return
    if state.state == "running":
        raise HallError("POND_CLOSED")
    if state.state != "open":
        raise HallError("POND_CLOSED", case="over")
    if form.most is not None and len(state.entered) >= form.most:
        raise HallError("TABLE_FULL", case="contest", most=form.most)
    draft.emit(events.Entered(user=user))
    if form.starts_at is None and len(draft.state.entered) == form.most:
        _start(draft)


def _leave(draft: Draft, user: int) -> None:
    state = draft.state
    if user not in state.entered:
        raise HallError("NOT_MEMBER")
    if state.state not in ("open", "running"):
        raise HallError("POND_CLOSED", case="over")
    if state.state == "running" and (user not in state.runners or user in state.gone):
        raise HallError("POND_OUT")
    draft.emit(events.Left(user=user, why="self", refund=state.form.fee if state.state == "open" else 0))


def _amount(state: Pond, user: int, command: say.MakeBid) -> int:
    """Return the amount that is bid; raises HallError."""
    if state.state != "running":
        raise HallError("POND_CLOSED", case="before" if state.state == "open" else "over")
    if user not in state.entered:
        raise HallError("POND_CLOSED")
    runner = state.runners.get(user)
    if runner is None or user in state.gone:
        raise HallError("POND_OUT")
    if command.round != state.round:
        raise HallError("POND_CLOSED", case="late", round=state.round, ends_at=state.ends_at)
    amount = command.amount
    if not isinstance(amount, int) or isinstance(amount, bool) or not 0 <= amount <= runner.points:
        raise HallError("BAD_BID", least=0, most=runner.points)
    return amount


def _bid(draft: Draft, user: int, amount: int, draw: Draw, *, auto: bool = False) -> None:
    state, salt = draft.state, draw()
    seal = seal_of(state.id, state.round, user, amount, salt)
    draft.emit(events.BidMade(user=user, round=state.round, seal=seal, amount=amount, salt=salt, auto=auto))


def _gone(draft: Draft, gone: contract.Gone) -> None:
    state, user = draft.state, gone.user
    if user not in state.entered or state.state not in ("open", "running") or state.gone.get(user) == "deleted":
        return
    runs = user in state.runners and user not in state.gone
    if state.state == "open" or runs or gone.why == "deleted":
        draft.emit(events.Left(user=user, why=gone.why, refund=state.form.fee if state.state == "open" else 0))


def _closed(draft: Draft, command: contract.Cancel, by: int | None) -> None:
    """Cancel it for who has made it, as long as nobody has paid (P-79), or for a moderator."""
    state = draft.state
    if state.state not in ("open", "running"):
        if by is None:
            return
        raise HallError("STALE", case="contest")
    if by is not None and by == state.by and not command.moderator:
        if state.state == "running":
            raise HallError("GAME_RUNNING", case="contest")
        if state.form.fee and state.entered:
            raise HallError("NOT_ALLOWED", case="paid")
    _cancel(draft, events.Cancelled(why="closed", reason=command.reason))


def _start(draft: Draft) -> None:
    draft.emit(events.Started(ends_at=draft.now + draft.state.form.round_s * 1000))


def _end_round(draft: Draft, draw: Draw) -> None:
    for user, amount in silent(draft.state).items():
        _bid(draft, user, amount, draw, auto=True)
    state = draft.state
    found = reckoned(state)
    ends_at = None if found.finished else draft.now + state.form.round_s * 1000
    fallen = tuple(sorted(fallen.user for fallen in found.fallen))
    ended = events.RoundEnded(round=state.round, fallen=fallen, ends_at=ends_at)
    if not state.hides:
        ended = events.RoundEnded(
            round=state.round, fallen=fallen, bonus=found.bonus, opened=tuple(state.bids.values()), ends_at=ends_at
        )
    draft.emit(ended)
    if found.finished:
        order, house = placed(draft.state)
        draft.emit(events.Finished(placed=order, winner=found.winner, house=house, opened=_opened(draft.state)))


def _cancel(draft: Draft, event: events.Cancelled) -> None:
    """Cancel it; what was paid goes back, of deleted accounts to the house."""
    state, fee = draft.state, draft.state.form.fee
    back = [user for user in state.entered if state.gone.get(user) != "deleted"]
    draft.emit(
        events.Cancelled(
            why=event.why,
            reason=event.reason,
            refunds=tuple(events.Refund(user, fee) for user in back) if fee else (),
            house=fee * (len(state.entered) - len(back)),
            opened=_opened(state),
        )
    )


def _opened(state: Pond) -> tuple[tuple[Bid, ...], ...]:
    """Return the bids of the rounds that have ended in the dark."""
    return tuple(ended.bids for ended in state.rounds) if state.hides else ()
