"""Tables and replays at moments that are hard on the room: states drawn by the rules, shown one after the other.

A page is loaded once for a game and then shown state after state; where the rules would take long to come to what a
cloth has to bear at the worst (six sets of nine cards, full rivers), the view is drawn fuller than they made it.
"""

from __future__ import annotations

import importlib.util
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from playwright.sync_api import Page, Route, expect
from tests.client import Server
from tests.e2e import scene, shengji
from tests.e2e.scene import Json

from qipai.core.contract import NATURE, Malformed
from qipai.core.entry import Record, rules_of
from qipai.core.replay_frames import frames
from qipai.core.rng import Stream
from qipai.games import find, names
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Play
from qipai.games.mahjong.conform import Play as Placed
from qipai.games.mahjong.state import Discard

GAMES = names()
NAMES = ("青屿", "小鲁", "海潮生", "Alexandra Hawthorne", "石头记", "雁来红")
SAID = {"zh-CN": "这一墩先让一让，后面看我的", "en": "Let this one go, I take the next"}
GAME_ID = "laid0ut"
UNASKED = {"state": "none", "ahead": 0, "done": 0, "of": 0, "analysis": None}  # nobody has asked for its analysis


@dataclass(frozen=True)
class Moment:
    """What a table shows: a state of the rules as a seat sees it, and what is drawn otherwise than they have it."""

    name: str
    rules: Any
    state: Any
    options: Any
    seat: int | None = 0
    pausing: bool = False
    bubbles: bool = False
    view: Json = field(default_factory=dict)
    fields: Json = field(default_factory=dict)
    info: Json = field(default_factory=dict)
    before: str = ""  # what is clicked before one looks


class Stage(scene.Scene[Any]):
    """A browser at one table of a game, shown moment after moment."""

    asked_in_pause = ("burn", "burn_play", "claim", "rob")
    there = ".lounge, .stage:not(.cloth-ground), [data-phase]"

    def __init__(self, page: Page, hall: Server, game: str, lang: str) -> None:
        self.game = game  # type: ignore[misc]  # of this stage, not of all
        entry = find(game)
        self.lang = lang
        self.moment = next(iter(moments(game)))
        super().__init__(page, hall, self.moment.state, self.moment.seat, entry.options())
        self._take_over()

    def _take_over(self) -> None:
        one = self.moment
        self.rules, self.state, self.seat, self.options = one.rules, one.state, one.seat, one.options
        self.seats, self.pausing = one.rules.seats, one.pausing

    def come(self, one: Moment, lang: str) -> None:
        """Come to the table at a moment, by a page that knows of nothing before it."""
        self.moment = one
        self._take_over()
        if not self._lines:
            self.open(lang=lang)
        else:
            self._lines.clear()
            self.page.reload()
            expect(self.page.locator(self.there).first).to_be_visible()
        self.show(one)

    def show(self, one: Moment) -> None:
        """Show a moment, whatever was shown before."""
        self.moment = one
        self._take_over()
        self.page.evaluate("document.querySelectorAll('.drawer .x').forEach((one) => one.click())")
        self.tell([])
        if one.bubbles:
            self.talk()
        if one.before:
            self.page.locator(one.before).first.click()

    def talk(self) -> None:
        """Let everybody say something at once."""
        for line in self._lines:
            for seat in range(self.seats):
                self._asked_at += 1
                said = {
                    "to": f"table:{scene.TABLE}",
                    "id": self._asked_at,
                    "at": scene._now(),
                    "from": self._user(seat),
                }
                self._say(line, t="chat", text=SAID[self.lang], **said)

    _asked_at = 0

    @property
    def _channel(self) -> str:
        return f"{scene.TABLE}.0"

    def _user(self, seat: int) -> Json:
        return {"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"}

    def result(self) -> Json | None:
        found = super().result()
        if found is not None:
            found["paid"] = [
                {**one, "score": 12, "coins": 78, "pass": None, "grade": None, "rating": None} for one in found["paid"]
            ]
        return found

    def _fields(self) -> Json:
        fields = super()._fields()
        one = self.moment
        fields["view"] |= one.view
        fields["info"] |= one.info
        shown: Json = fields | one.fields
        return shown | {"offers": [{**each, "until": scene._now() + 60_000} for each in shown["offers"]]}


# states --------------------------------------------------------------------------------------------------------------


def walked(
    game: str, seats: int, options: Any, stop: Callable[[Any, Any, frozenset[int]], bool], lively: bool = False
) -> Any:
    """Return the rules, the state at which to stop, and what was done. lively: whatever is legal is done by chance."""
    entry = find(game)
    rules = rules_of(entry, options, seats)
    state, luck, whim = rules.start(), Stream.of_seed(f"layout {game}"), random.Random(game)
    rows: list[tuple[int, Any, int]] = []
    while rules.outcome(state) is None and not stop(state, rules.observe(state, 0), rules.turn(state).seats):
        turn = rules.turn(state)
        seat = min(turn.seats, default=NATURE)
        if seat == NATURE:
            action = rules.chance(state, luck)
        elif lively and (chosen := [one for one in rules.legal(state, seat) if _goes_on(one)]):
            action = whim.choice(chosen)
        else:
            action = rules.idle(state, seat)
        assert not isinstance(action, Malformed)
        rows.append((seat, msgspec.to_builtins(action), 1200))
        state = rules.apply(state, seat, action).state
    return rules, state, rows


def _goes_on(action: Any) -> bool:
    return type(action).__name__ != "Double"


@cache
def played(game: str, deeds: int | None, seats: int = 0, rules: tuple[tuple[str, Any], ...] = ()) -> Any:
    """Return a deal after so many actions; None: at its end. rules: house rules that are not the usual ones."""
    entry = find(game)
    done = iter(range(10**6))
    lively = game in ("xiangqi", "backgammon")
    count = seats or entry.seats[-1]
    stop = (lambda *_: False) if deeds is None else (lambda *_: next(done) >= deeds)
    return walked(game, count, entry.options(**dict(rules)), stop, lively and deeds is not None)


def asked(game: str, phase: str, seats: int = 0) -> Any:
    """Return a deal at the first moment at which seat 0 is asked this."""
    entry = find(game)
    return walked(
        game, seats or entry.seats[-1], entry.options(), lambda state, view, turn: view.phase == phase and 0 in turn
    )


def lounges(game: str) -> Iterator[Moment]:
    """Yield a table before its game: empty, as a stranger finds it, full, and with a clock to agree on."""
    entry = find(game)
    seats = entry.seats[-1]
    rules, state, _ = played(game, 0)
    users = [{"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"} for seat in range(seats)]
    chair = {
        "ready": False,
        "presence": "online",
        "until": None,
        "score": None,
        "grade": None,
        "pass": None,
        "bot": None,
    }
    bare = {"view": None, "game": None, "ask": None, "hints": None, "clocks": None, "result": None}
    clock = {
        "xiangqi": {"type": "stages", "stages": [{"s": 3600, "moves": 30}, {"s": 600, "moves": 10}], "carry": True}
    }
    info = {"state": "open", "clock": clock.get(game, entry.clock(entry.options()))}
    ask = {
        "offer": 1,
        "seat": 1,
        "what": "set",
        "set": {"clock": {"type": "fischer", "base": 600, "inc": 5}},
    }

    def table(
        name: str, seat: int | None, there: Callable[[int], bool], owner: bool = False, offers: tuple[Json, ...] = ()
    ) -> Moment:
        chairs = [{**chair, "seat": one, "user": users[one] if there(one) else None} for one in range(seats)]
        fields = {**bare, "seats": chairs, "you": {"seat": seat, "owner": owner}, "offers": list(offers)}
        return Moment(name, rules, state, entry.options(), seat, fields=fields, info=info)

    yield table("alone", 0, lambda one: one == 0, owner=True)
    yield table("stranger", None, lambda one: one % 2 == 0)
    yield table("full", 0, lambda one: True, owner=True)
    if seats == 2:
        yield table("time", 0, lambda one: True, offers=(ask,))


@cache
def moments(game: str) -> tuple[Moment, ...]:
    """Return the moments of a game, those before it first. A game's own module may have them (`doudizhu.py`)."""
    return (*lounges(game), *_own(game)())


def _own(game: str) -> Callable[[], Iterable[Moment]]:
    if game in MOMENTS:
        return MOMENTS[game]
    if importlib.util.find_spec(f"tests.e2e.{game}") is None:
        return lambda: _plain(game)
    found: Callable[[], Iterable[Moment]] = importlib.import_module(f"tests.e2e.{game}").moments
    return found


def _watched(one: Moment) -> Moment:
    return replace(one, name=f"{one.name}, watched", seat=None)


def _plain(game: str) -> Iterator[Moment]:
    """Yield what every game has: its first question, some moves later, its end."""
    options = find(game).options()
    for name, moves in (("begun", 0), ("later", 6)):
        done = iter(range(10**6))
        rules, state, _ = walked(
            game,
            find(game).seats[-1],
            options,
            lambda state, view, turn: 0 in turn and next(done) >= moves,  # noqa: B023
        )
        if rules.outcome(state) is None:
            yield Moment(name, rules, state, options, bubbles=True)
            yield _watched(Moment(name, rules, state, options))
    yield Moment("over", *_end(game))


def _gouji() -> Iterator[Moment]:
    from tests.e2e.test_gouji_table import BURN, DUEL, passed_on

    options = find("gouji").options()
    rules = Gouji()
    state = passed_on(rules.place(DUEL, 1), (1, Play("66666")), (2, Play("88888")), (3, Play("999xx")))
    sets = ("JJJJJJJXX", "33333333x", "88888888", "999999xxX", "TTTTTTTTx", "QQQQQQQQQ")
    full = [{"seat": seat % 6, "cards": sets[seat % 6]} for seat in range(4, 10)]
    duel = Moment("duel", rules, state, options)
    yield duel
    crowd = {
        "trick": full,
        "headless": [5],
        "answerers": [0, 5],
        "places": [None, 1, None, None, None, None],
        "counts": [36, 8, 6, 5, 7, 3],
    }
    yield Moment("six long sets", rules, state, options, view=crowd, bubbles=True)
    yield _watched(Moment("six long sets", rules, state, options, view=crowd, bubbles=True))
    burning = passed_on(rules.place(BURN, 1), (1, Play("QQQ")))
    yield Moment("burn", rules, burning, options, pausing=True)
    yield Moment("over", *_end("gouji"))


def _end(game: str, seats: int = 0) -> tuple[Any, Any, Any]:
    rules, state, _ = played(game, None, seats)
    return rules, state, find(game).options()


def _baohuang() -> Iterator[Moment]:
    options = find("baohuang").options()
    for phase in ("grab", "rebel"):
        rules, state, _ = asked("baohuang", phase)
        yield Moment(phase, rules, state, options)
    rules, state, _ = asked("baohuang", "answer")
    sets = ("JJJJJJxxX", "33333333", "88888888x", "999999xxX", "TTTTTTTTx")
    full = [{"seat": seat % 5, "cards": sets[seat % 5]} for seat in range(1, 6)]
    crowd = {"trick": full, "top": sets[0], "owner": 0, "trick_no": 5, "multiple": 4}
    yield Moment("five long sets", rules, state, options, view=crowd, bubbles=True)
    yield _watched(Moment("five long sets", rules, state, options, view=crowd))
    yield Moment("over", *_end("baohuang"))


def _shengji() -> Iterator[Moment]:
    for name in ("falling", "declaring", "burying", "follow", "three"):
        one = _shengji_at(name)
        yield Moment(name, *one)
    rules, state, options = _shengji_at("three")
    throw = (
        "AD KD KD KD QD QD JD TD 9D",
        "X X x x 2S 2H 2D AS AS",
        "7C 7C 7C 8C 8C 8C 9C TC JC",
        "3H 4H 5H 5H 6H 7H 8H 9H TH",
    )
    plays = [
        {"seat": seat, "cards": throw[seat].split(), "how": "lead" if seat == 0 else "follow"} for seat in range(4)
    ]
    view = msgspec.to_builtins(rules.observe(state, 0))
    trick = {**(view["trick"] or {}), "leader": 0, "plays": plays, "points": 20, "best": 1, "winning": 1}
    yield Moment("four throws", rules, state, options, view={"trick": trick, "points": 65}, bubbles=True)
    yield _watched(Moment("four throws", rules, state, options, view={"trick": trick, "points": 65}))
    yield Moment("over", *_shengji_at("over"))


@cache
def _shengji_at(moment: str) -> tuple[Any, Any, Any]:
    class Nobody:
        def __getattr__(self, name: str) -> Any:
            return lambda *args, **named: None

    one = shengji.scene(Nobody(), Nobody(), moment)  # type: ignore[arg-type]  # the state alone is wanted
    return one.rules, one.state, one.options


def _mahjong() -> Iterator[Moment]:
    from tests.e2e.test_mahjong import CLAIM

    entry = find("mahjong")
    rules, late, _ = played("mahjong", 58)
    rivers = msgspec.to_builtins(rules.observe(late, 0))["rivers"]
    placed = Placed({**CLAIM, "void": ["s", "m", "s", "m"]})
    claimed = placed.rules.apply(placed.state, 3, Discard("5p")).state
    view = msgspec.to_builtins(placed.rules.observe(claimed, 0))
    full = [[*rivers[seat][:14], *view["rivers"][seat]] for seat in range(4)]
    yield Moment(
        "claim", placed.rules, claimed, placed.rules.options, pausing=True, view={"rivers": full, "wall_left": 3}
    )
    melds = [
        [{"k": "kong", "t": f"{n}{suit}", "kind": kind, "giver": giver} for n, suit, kind, giver in row]
        for row in (
            ((1, "m", "direct", 1), (5, "s", "added", 2)),
            ((9, "m", "concealed", None), (1, "p", "added", 0), (3, "s", "direct", 2)),
            ((2, "p", "direct", 0), (4, "s", "direct", 3), (6, "p", "concealed", None)),
            ((8, "m", "added", 1), (7, "s", "direct", 0)),
        )
    ]
    counts = [14 - 3 * len(row) - 1 for row in melds]
    hand = {"hand": "2346678p", "melds": melds, "counts": counts, "rivers": [row[:14] for row in rivers]}
    rules_t, turn, _ = asked("mahjong", "turn")
    yield Moment("turn", rules_t, turn, entry.options(), bubbles=True)
    yield Moment("full rivers and melds", rules, late, entry.options(), view=hand, bubbles=True)
    yield _watched(Moment("full rivers and melds", rules, late, entry.options(), view={**hand, "hand": None}))
    yield Moment("over", *_end("mahjong"))


def _xiangqi() -> Iterator[Moment]:
    options = find("xiangqi").options()
    rules, state, _ = played("xiangqi", 24)
    yield Moment("playing", rules, state, options, bubbles=True)
    yield _watched(Moment("playing", rules, state, options, bubbles=True))
    back = {"offer": 1, "seat": 1, "what": "takeback"}
    yield Moment("takeback asked", rules, state, options, fields={"offers": [back]})
    yield Moment("over", *_end("xiangqi"))


def _backgammon() -> Iterator[Moment]:
    options = find("backgammon").options()

    def after(phase: str) -> Any:
        done = iter(range(10**6))
        return lambda state, view, turn: next(done) > 24 and view.phase == phase and 0 in turn

    for phase in ("to_play", "to_roll"):
        rules, state, _ = walked("backgammon", 2, options, after(phase), lively=True)
        yield Moment(phase, rules, state, options, bubbles=True)
    yield _watched(Moment("to_roll", rules, state, options))
    yield Moment("over", *_end("backgammon"))


def _lianliankan() -> Iterator[Moment]:
    options = find("lianliankan").options()
    rules, state, _ = played("lianliankan", 30)
    yield Moment("racing", rules, state, options, bubbles=True)
    yield _watched(Moment("racing", rules, state, options))
    yield Moment("over", *_end("lianliankan"))


MOMENTS: Mapping[str, Callable[[], Iterator[Moment]]] = {
    "gouji": _gouji, "baohuang": _baohuang, "shengji": _shengji, "mahjong": _mahjong, "xiangqi": _xiangqi,
    "backgammon": _backgammon, "lianliankan": _lianliankan,
}  # fmt: skip


# replays -------------------------------------------------------------------------------------------------------------


@cache
def finished(game: str, options: tuple[tuple[str, Any], ...] = ()) -> tuple[Json, Json]:
    """Return a record and its steps, as the hall answers `GET /g/<id>` and `…/steps`. options: house rules."""
    entry = find(game)
    seats = entry.seats[-1]
    rules, state, rows = played(game, None, 0, options)
    outcome = rules.outcome(state)
    assert outcome is not None
    record = Record(
        game=game, options=entry.changed(entry.options(**dict(options))), seats=seats, carry=None, rows=tuple(rows)
    )
    shown = msgspec.to_builtins(list(islice(frames(entry, record), None)))
    people = [
        {"user": {"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"}, "bot": None} for seat in range(seats)
    ]
    result = {
        "points": list(outcome.points), "places": list(outcome.places), "why": outcome.why,
        "paid": [{"seat": seat, "score": None, "coins": None} for seat in range(seats)],
    }  # fmt: skip
    found = {
        "game_id": GAME_ID, "deal": 1, "table": scene.TABLE, "game": game, "variant": None, "carry": None,
        "options": record.options, "seats": people, "first_seated": 0, "at": 1_760_000_000_000,
        "fair": {"commitment": "63" * 32, "server_seed": None, "client_seeds": None},
        "rows": [list(row) for row in rows], "result": result,
    }  # fmt: skip
    return found, {"rows": shown}


def replay(page: Page, hall: Server, game: str, lang: str, options: tuple[tuple[str, Any], ...] = ()) -> int:
    """Open the replay of a game that the rules have played; return how many steps it has."""
    record, steps = finished(game, options)

    answers = {
        "": record,
        "/steps": steps,
        "/whatif": {"root": GAME_ID, "result": None, "rows": []},
        "/analysis": UNASKED,
    }

    def answer(route: Route) -> None:
        route.fulfill(json=answers[route.request.url.partition(GAME_ID)[2]])

    page.route(re.compile(rf"/api/v1/g/{GAME_ID}(/steps|/whatif|/analysis)?$"), answer)
    page.add_init_script(f"localStorage.setItem('qipai.prefs', '{json.dumps({'lang': lang})}')")
    page.goto(f"{hall.url}/g/{GAME_ID}#0")
    expect(page.locator("[data-at]")).to_be_visible()
    return len(steps["rows"]) - 1
