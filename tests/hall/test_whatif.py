"""Going on from a moment of a finished deal (What if): what the seats knew stays, what nobody had drawn comes anew."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.test_snatch import asking, dealt, play_on
from tests.hall.world import Jumping, Names, Person, Repeated, World, quick, run, world

from qipai import games
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.hall.live import books, branches
from qipai.hall.records import verification
from qipai.hall.records.moments import moment
from qipai.hall.records.rebuild import rebuild
from qipai.hall.records.replay import parted, played, strays
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.store import Connection

HELD = [[1, 5, 9, 12], [2, 3, 4, 7], [6, 8, 10, 11]]  # seat 0 puts 5, and seat 2 is asked
VARIANTS = (("mahjong", {"exchange": "three"}), ("xiangqi", {"takeback": "ask"}))


def _json(value: Any) -> Any:
    """Return a value as it comes over a line."""
    return msgspec.json.decode(msgspec.json.encode(value))


@cache
def record(game: str, changed: str = "{}", bench: tuple[int, ...] = ()) -> Mapping[str, Any]:
    """Return a deal that the easiest bots have played, in the form of `Archive.finished`; at most 90 actions of it."""
    entry = games.find(game)
    options = entry.chosen(msgspec.json.decode(changed))
    seats = entry.seats[0]
    rules, luck = rules_of(entry, options, seats), Stream.of_seed(f"whatif {game}")
    carry = _json(entry.carry(options, 0))
    state, rows = entry.begun(rules, carry, bench), list[list[Any]]()
    window = 1
    bots = [entry.bots["easy"](options, seed=seat) for seat in range(seats)]
    while rules.outcome(state) is None and len(rows) < 90:
        turn = rules.turn(state)
        if len(turn.seats - {NATURE}) > 1 and len(rows) > 5:
            window = len(rows)
        seat = min(turn.seats, key=lambda one: (one != NATURE, one))
        if seat == NATURE:
            action = rules.chance(state, luck)
        elif seat >= seats:
            action = rules.idle(state, seat)
        else:
            action = bots[seat].choose(rules.observe(state, seat), 20)
        state = rules.apply(state, seat, action).state
        rows.append([seat, _json(action), 0])
    return {
        "game_id": "elsewhere",
        "window": window,
        "game": game,
        "variant": None,
        "rules": entry.edition,
        "options": entry.full(options),
        "carry": carry,
        "seats": [{"bot": "easy"}] * seats,
        **({"bench": [{"seat": seat, "user": None} for seat in bench]} if bench else {}),
        "rows": rows,
    }


def views(finished: Mapping[str, Any], upto: int) -> list[list[Any]]:
    """Return what every seat and the watchers see before the first and after each of the first actions of a deal."""
    entry = games.find(finished["game"])
    rules = rules_of(entry, entry.chosen(finished["options"]), len(finished["seats"]))
    bench = tuple(msgspec.to_builtins(each)["seat"] for each in finished.get("bench", ()))
    state = entry.begun(rules, finished["carry"], bench)
    places = [*range(rules.seats), *bench, None]
    found = [[_json(rules.observe(state, place)) for place in places]]
    for seat, action, *_ in finished["rows"][:upto]:
        assert rules.refuse(state, seat, entry.act(action)) is None
        state = rules.apply(state, seat, entry.act(action)).state
        found.append([_json(rules.observe(state, place)) for place in places])
    return found


def hidden(finished: Mapping[str, Any], seat: int) -> list[Any]:
    """Return what a seat sees during even pauses, at any moment of a deal."""
    entry = games.find(finished["game"])
    rules = rules_of(entry, entry.chosen(finished["options"]), len(finished["seats"]))
    state, found = entry.begun(rules, finished["carry"]), []
    for by, action, *_ in finished["rows"]:
        state = rules.apply(state, by, entry.act(action)).state
        found.append(_json(entry.conceal(rules.observe(state, seat))))
    return found


async def gone_on(w: World, one: Person, finished: Mapping[str, Any], n: int, seat: int, **more: Any) -> int:
    """Sit down at a table that goes on from a moment, and see it dealt."""
    table, at = await w.hall.creation.go_on(one.user, moment(finished, n, seat), seat, **{"level": "easy"} | more)
    assert at == seat
    await one.join(table)
    await one.seed(table, "mine")
    return table


async def to_the_end(w: World, one: Person, table: int, most: int = 400) -> None:
    """Play as the substitute would, until the deal is over."""
    for _ in range(most):
        shown = one.shown[table]
        if shown["result"]:
            return
        if shown["ask"] and shown["legal"] and shown["legal"]["list"]:
            at = w.table(table)
            choice = await w.hall.runner.players.choose(at, at.seat_of(one.user.id), w.clock.now())
            await one.done(commands.Act(one.cid(), table, choice.action, shown["ask"]["id"]))
        else:
            await w.jump(1500)
    raise AssertionError("the deal does not end")


def moments_of(finished: Mapping[str, Any]) -> list[int]:
    """Return moments at the beginning, within a dealing, within a window where several answer, in the middle, late."""
    rows = len(finished["rows"])
    return sorted({0, 2, rows // 2, finished["window"], rows - 2})


def forbidden(finished: Mapping[str, Any]) -> list[bytes]:
    """Return what of luck's actions must not be in anything that somebody is sent while the deal goes on."""
    laid = [action for seat, action, *_ in finished["rows"] if seat == NATURE]
    texts = [msgspec.json.encode(value) for action in laid for name, value in action.items() if name != "a"]
    return [text for text in texts if len(text) > 60]


@pytest.mark.parametrize("game", games.names())
def test_what_the_seats_knew_stays_as_it_was(game: str, tmp_path: Path) -> None:
    """In every game, from several moments: views on the way, frames, verification, the fold."""
    changed = msgspec.json.encode(dict(VARIANTS).get(game, {})).decode()
    original = record(game, changed)
    before = views(original, len(original["rows"]))

    async def test() -> None:
        async with world(tmp_path, Room(1, game, "friendly"), config=quick()) as w:
            one = await w.person(20)
            for k, n in enumerate(moments_of(original)):
                seat = k % len(original["seats"])
                start = len(one.raw)
                table = await gone_on(w, one, original, n, seat)
                deal = w.table(table).deal
                assert (deal.start.game, deal.start.ply, len(deal.trunk.rows)) == ("elsewhere", n, n)
                assert {one.shown[table]["seats"][s]["bot"] for s in range(len(original["seats"])) if s != seat} <= {
                    "easy"
                }
                # What was drawn at once since is told; up to there every view is as it was.
                trunk = {**original, "rows": deal.trunk.rows}
                assert views(trunk, n) == before[: n + 1]
                # Neither the other hands nor what is to come is sent to anybody.
                sent = b"".join(one.raw[start:])
                assert b"trunk" not in sent
                assert not [text for text in forbidden(trunk) if text in sent]
                await w.jump(1)
                await w.check()
                if n != moments_of(original)[-1]:
                    await one.done(commands.Stand(one.cid(), table, True))
                    await w.jump(1)
            await to_the_end(w, one, table)
            await w.check()
            id = w.table(table).deal.game_id
            assert await w.hall.archive.verify(id) is None
            whole = await w.hall.archive.finished(id, viewer=20)
            assert views(whole, n) == before[: n + 1]
            # Whatever the person was shown is what their seat may know of some state.
            may = [*(each[seat] for each in views(whole, len(whole["rows"]))), *hidden(whole, seat)]
            shown = [m.get("view") for m in one.got if m.get("table") == table and m["t"] in ("snapshot", "ev")]
            assert [view for view in shown if view and view not in may] == []
            assert msgspec.to_builtins(whole["start"]) == {"game": "elsewhere", "ply": n}
            # One deal, which counts for nobody.
            assert await one.refused(commands.Ready(one.cid(), table, True)) == "NOT_ALLOWED"
            assert await w.store.read(lambda db: _counts(db, 20)) == (0, 0, 0, 0)
            await w.jump(60_000)
            assert w.table(table).state == "closed"

    run(test())


def _counts(db: Connection, user: int) -> tuple[int, ...]:
    """Return how many rows the books have of somebody's games."""
    tables = ("parts WHERE user = ?1", "scores WHERE user = ?1", "ends WHERE ?1 > 0", "reasons WHERE ?1 > 0")
    return tuple(db.execute(f"SELECT count(*) FROM {table}", (user,)).fetchone()[0] for table in tables)


def test_what_nobody_had_drawn_comes_anew(tmp_path: Path) -> None:
    """The wall of mahjong and the cards that have not fallen in shengji; by the seeds of the new deal, not the old."""

    async def test() -> None:
        for game in ("mahjong", "shengji"):
            original = record(game)
            n = next(i for i, row in enumerate(original["rows"]) if len(msgspec.json.encode(row)) > 100) + 3
            async with world(tmp_path / game, Room(1, game, "friendly"), config=quick()) as w:
                one = await w.person(20)
                laid = []
                for client in ("mine", "other"):
                    table, _ = await w.hall.creation.go_on(one.user, moment(original, n, 0), 0)
                    await one.join(table)
                    await one.seed(table, client)
                    laid.append(msgspec.json.encode(w.table(table).deal.trunk.rows))
                    await one.done(commands.Stand(one.cid(), table, True))
                assert len({*laid, msgspec.json.encode(original["rows"][:n])}) == 3
                assert views({**original, "rows": msgspec.json.decode(laid[0])}, n) == views(original, n)

    for game in ("mahjong", "shengji"):
        (tmp_path / game).mkdir()
    run(test())


def test_a_deal_with_a_bench_goes_on_without_it(tmp_path: Path) -> None:
    original = record("mahjong", msgspec.json.encode({"horse": "bench"}).decode(), bench=(4, 6))
    rows = original["rows"]
    asked = next(i for i, (seat, *_) in enumerate(rows) if seat in (4, 6))

    async def test() -> None:
        async with world(tmp_path, Room(1, "mahjong", "friendly", options={"horse": "bench"}), config=quick()) as w:
            one = await w.person(20)
            for n in (asked, asked + 1, len(rows) - 3):
                table = await gone_on(w, one, original, n, 1)
                await w.jump(5000)
                assert w.table(table).deal.seats == (0, 1, 2, 3, 4, 6)
                await w.check()
                await one.done(commands.Stand(one.cid(), table, True))
            table = await gone_on(w, one, original, asked, 1)
            await to_the_end(w, one, table)
            assert len(one.shown[table]["result"]["points"]) == 6
            assert await w.hall.archive.verify(w.table(table).deal.game_id) is None

    run(test())


@pytest.mark.usefixtures("snatch")
def test_a_moment_within_an_even_pause_hides_who_is_asked(tmp_path: Path) -> None:
    """From within a pause the new deal begins with one: who is not asked, and a watcher, see what they saw."""

    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3)) as w:
            people, _watcher = await dealt(w, HELD)
            await people[0].act(101, {"a": "put", "card": 5})
            assert asking(people) == [2]
            await play_on(w, people)
            id = people[0].shown[101]["game"]["game_id"]
            whole = await w.hall.archive.finished(id, viewer=people[0].user.id)
            hidden = next(n for n, row in enumerate(whole["rows"], 1) if row[1]["a"] == "put")
            for person in people:
                await person.done(commands.Stand(person.cid(), 101, True))
            table, _ = await w.hall.creation.go_on(people[0].user, moment(whole, hidden, 0), 0)
            await people[0].join(table)
            await people[0].seed(table, "x")
            deal = w.table(table).deal
            assert deal.concealed_until is not None
            assert deal.shown_meanwhile is not None
            await w.check()
            await w.jump(5000)
            assert w.table(table).deal.concealed_until is None
            await w.check()

    run(test())


async def finished_deal(w: World, one: Person, game: str) -> str:
    """Return the name of a deal that somebody has played against bots."""
    table, _seat = await w.hall.creation.play(one.user, game, level="easy")
    await one.join(table)
    await to_the_end(w, one, table)
    id = str(one.shown[table]["game"]["game_id"])
    await one.done(commands.Stand(one.cid(), table, True))
    return id


def test_branches_of_branches_stand_in_a_tree_through_kills_and_rebuilds(tmp_path: Path) -> None:
    async def test() -> None:
        names, clock, luck = Names(), Jumping(), Repeated()
        room = Room(1, "doudizhu", "friendly")
        async with world(tmp_path, room, config=quick(), clock=clock, names=names, luck=luck) as w:
            one = await w.person(20)
            root = await finished_deal(w, one, "doudizhu")
            first = await w.hall.archive.finished(root, viewer=20)
            half = len(first["rows"]) // 2
            table = await gone_on(w, one, first, half, 1, cid="again")
            before = w.table(table).lasting()
            await w.kill()  # in the midst of it
        async with world(tmp_path, room, config=quick(), clock=clock, names=names, luck=luck) as w:
            one = await w.person(20)
            await one.join(table)
            assert w.table(table).lasting().deal.trunk == before.deal.trunk
            assert (await w.hall.creation.go_on(one.user, moment(first, half, 1), 1, cid="again"))[0] == table
            await to_the_end(w, one, table)
            branch = str(w.table(table).deal.game_id)
            await one.done(commands.Stand(one.cid(), table, True))
            second = await w.hall.archive.finished(branch, viewer=20)
            late = len(second["rows"]) - 2
            for n in (half - 1, late):  # of what it shares with the root, and of its own
                table = await gone_on(w, one, second, n, 2)
                await to_the_end(w, one, table)
                await one.done(commands.Stand(one.cid(), table, True))
            found = {each.id: each for each in await w.store.read(partial(branches.tree, root=root))}
            early, deep = (id for id, each in found.items() if each.origin == branch)
            assert branches.parent(found, branch, {root}) == (root, half)
            assert branches.parent(found, early, {root, branch}) == (branch, half - 1)
            assert branches.parent(found, deep, {root, branch}) == (branch, late)
            assert branches.parent(found, deep, {root}) == (root, half)  # the one between is not shown
            assert [branches.shared(found, deep, id) for id in (root, branch, early)] == [half, late, half - 1]
            one_way, other = [played(await w.store.read(partial(books.game_rows, id=id))) for id in (branch, deep)]
            assert parted(one_way, other, late) >= late
            assert [await w.hall.archive.verify(id) for id in found] == [None] * 3
            # Nobody else sees them, until they are shown.
            with pytest.raises(HallError, match="NOT_FOUND"):
                await w.hall.archive.finished(branch, viewer=21)
            await w.store.transaction(lambda db: branches.write(db, branch, name="half way", who="link"))
            assert (await w.hall.archive.finished(branch, viewer=21))["start"].ply == half
            was = await w.store.read(_projected)
            await rebuild(w.store)
            assert await w.store.read(_projected) == was
            found = {each.id: each for each in await w.store.read(partial(branches.tree, root=root))}
            assert (found[branch].name, found[branch].who) == ("half way", "link")

    run(test())


@pytest.mark.parametrize(("game", "ply"), [("doudizhu", 1), ("mahjong", 2)])
def test_the_luck_that_a_branch_begins_with_is_its_games_or_its_seeds(tmp_path: Path, game: str, ply: int) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, game, "friendly"), config=quick()) as w:
            one = await w.person(20)
            root = await finished_deal(w, one, game)
            first = await w.hall.archive.finished(root, viewer=20)
            table = await gone_on(w, one, first, ply, 1)
            await to_the_end(w, one, table)
            id = str(w.table(table).deal.game_id)
            branch, origin = [await w.store.read(partial(books.game_rows, id=each)) for each in (id, root)]
            moves = played(origin)
            assert strays(branch, moves) is None
            assert await w.store.read(partial(verification.of_game, id=id)) is None
            name = "hands" if game == "doudizhu" else "wall"
            n = next(n for n, move in enumerate(moves) if name in move.action)
            cards = moves[n].action[name]
            other = {**moves[n].action, name: cards[2:] + cards[:2]}
            moves[n] = msgspec.structs.replace(moves[n], action=other)  # as if other cards had been dealt there
            assert "neither the luck" in str(strays(branch, moves))
            if ply > 1:
                assert strays(branch, moves[:1]) == "it goes on from step 2 of a game that has 1"

    run(test())


def _projected(db: Connection) -> list[Any]:
    rows = "SELECT id, origin, ply, root, player, seat, ended_at IS NULL FROM games ORDER BY id"
    return [db.execute(rows).fetchall(), db.execute("SELECT id, user, seat FROM parts").fetchall()]


def test_what_cannot_be_gone_on_from_is_refused_by_its_rule(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "doudizhu", "friendly"), config=quick()) as w:
            one, two = await w.person(20), await w.person(21)
            table, _ = await w.hall.creation.play(one.user, "doudizhu", level="easy")
            await one.join(table)
            await w.jump(4000)
            running = one.shown[table]["game"]["game_id"]
            assert await _refused(w, running, 20) == ("NOT_ALLOWED", "whatif_running")
            await to_the_end(w, one, table)
            whole = await w.hall.archive.to_go_on(running, 20)
            for n, seat, code in (
                (len(whole["rows"]), 0, "NOT_ALLOWED"),
                (len(whole["rows"]) + 1, 0, "BAD_MESSAGE"),
                (1, 3, "BAD_MESSAGE"),
            ):
                with pytest.raises(HallError, match=code):
                    moment(whole, n, seat)
            with pytest.raises(HallError, match="NOT_FOUND"):
                moment({**whole, "rows": [[0, {"a": "play", "cards": ["3"]}, 0], *whole["rows"]]}, 3, 0)
            await one.done(commands.Stand(one.cid(), table, True))
            # Others do not come to such a table, and nothing of it can be set.
            table = await gone_on(w, one, whole, 3, 0, timed=True)
            assert await two.refused(commands.Sit(two.cid(), table, 1)) in ("TABLE_FULL", "TABLE_LOCKED")
            assert await two.refused(commands.Join(table)) == "TABLE_LOCKED"
            assert w.table(table).deal.clocks
            # A lost line leaves it to a bot, and coming back takes it over again, as at any table.
            await one.hang_up()
            await w.jump(1000)
            assert w.table(table).chairs[0].presence == "grace"
            one = await w.person(20)
            await one.join(table)
            assert w.table(table).chairs[0].presence == "online"
            assert await _refused(w, "nosuchgame", 20) == ("NOT_FOUND", None)

    run(test())


async def _refused(w: World, game: str, user: int) -> tuple[str, Any]:
    with pytest.raises(HallError) as wrong:
        await w.hall.archive.to_go_on(game, user)
    return wrong.value.code, wrong.value.facts.get("case")
