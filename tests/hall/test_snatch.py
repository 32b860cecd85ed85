"""What carries the toy carries all: luck hidden and open, a secret window with its even pause, a race, a match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.world import Person, World, quick, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Terms

pytestmark = pytest.mark.usefixtures("snatch")
ROOMS = (Room(1, "snatch", "friendly", seats=3, terms=Terms(pauses="even")), Room(2, "snatch", "score", seats=3))


async def three(w: World, table: int = 101, kind: Any = "user") -> list[Person]:
    """Seat three people, in the order 1, 0, 2, and let the game begin."""
    people = [await w.person(id, kind=kind) for id in (10, 11, 12)]
    for seat in (1, 0, 2):
        await people[seat].sit(table, seat)
    for seat, person in enumerate(people):
        await person.ready(table)
        assert person.shown[table]["you"]["seat"] == seat
    for person in people:
        await person.seed(table, f"seed of {person.user and person.user.id}")
    return people


def asking(people: list[Person], table: int = 101) -> list[int]:
    return [seat for seat, person in enumerate(people) if person.shown[table]["ask"]]


async def play_on(w: World, people: list[Person], table: int = 101, snatch: bool = True) -> None:
    """Play to the end of the deal: the lowest card, snatching or not, no shouts."""
    while people[0].shown[table]["info"]["state"] == "playing":
        seats = asking(people, table)
        if not seats:
            await w.jump(100)
            continue
        person = people[seats[0]]
        ask = person.shown[table]["ask"]
        if ask["kind"] == "shout":
            await w.jump(100)
        elif ask["kind"] == "snatch":
            await person.act(table, {"a": "snatch", "yes": snatch}, ask["id"])
        else:
            await person.act(table, {"a": "put", "card": min(person.shown[table]["view"]["hand"])}, ask["id"])


def test_a_match_of_two_deals_is_played_and_verified(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w, 201)
            first = people[0].shown[201]["game"]
            assert first["deal"] == 1
            assert first["client_seeds"] == ["seed of 10", "seed of 11", "seed of 12"]
            assert first["server_seed"] is None
            await play_on(w, people, 201)
            shown = people[0].shown[201]
            assert shown["info"]["state"] == "between"
            assert sum(shown["result"]["points"]) == 0
            assert [p["score"] for p in shown["result"]["paid"]] == shown["result"]["points"]
            assert [s["score"] for s in shown["seats"]] == shown["result"]["points"]
            assert await w.hall.archive.verify(first["game_id"]) is None
            page = await w.hall.archive.finished(first["game_id"])
            assert page["fair"]["client_seeds"] == first["client_seeds"]
            assert [row[0] for row in page["rows"]].count(-1) == 2
            for person in people:
                await person.ready(201)
            assert people[0].shown[201]["game"]["deal"] == 2
            assert people[0].shown[201]["game"]["game_id"] != first["game_id"]
            await w.jump(3000)  # nobody has sent a seed: it is dealt without
            assert people[0].shown[201]["game"]["client_seeds"] == ["", "", ""]
            await play_on(w, people, 201)
            assert await w.hall.archive.verify(people[0].shown[201]["game"]["game_id"]) is None
            assert (await w.hall.ledger.standings(10))["snatch"].score == people[0].shown[201]["seats"][0]["score"]

    run(test())


def test_the_first_seated_is_named_and_the_commitment_comes_before_the_seeds(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            told = [each["e"] for each in people[2].told(101) if each["e"].startswith("game.")]
            assert told == ["game.created", "game.seeded"]
            created = next(each for each in people[2].told(101) if each["e"] == "game.created")
            assert created["first_seated"] == 1
            assert created["seats"][0]["user"]["name"] == "p10"
            assert "server_seed" not in created

    run(test())


def frames_of(person: Person, start: int) -> list[tuple[int, dict[str, Any]]]:
    """Return what came since: when, and what of it another deal would also have."""
    found = []
    for m in person.got[start:]:
        keep = {key: value for key, value in m.items() if key not in ("view", "legal", "hints", "told")}
        keep["told"] = [each["e"] for each in m.get("told", ())]
        keep["phase"] = (m.get("view") or {}).get("phase"), (m.get("view") or {}).get("turn")
        found.append((m["now"], keep))
    return found


def hand_to(w: World, hands: list[list[int]]) -> None:
    """Let luck deal these hands."""
    from qipai.core.contract import Rng
    from qipai.hall.table.deal import rules_at

    table = w.table(101)
    deal = table.coming
    kind = type(rules_at(table, deal))
    original = kind.chance

    def chance(self: Any, state: Any, rng: Rng) -> Any:
        if state.hands:
            return original(self, state, rng)
        action = original(self, state, rng)
        return type(action)(tuple(map(tuple, hands)))

    kind.chance = chance  # type: ignore[method-assign]
    w.undo = lambda: setattr(kind, "chance", original)  # type: ignore[attr-defined]


async def dealt(w: World, hands: list[list[int]] | None = None) -> tuple[list[Person], Person]:
    """Seat three people, and a watcher, at a table where these hands are dealt."""
    people = [await w.person(10 + seat) for seat in range(3)]
    watcher = await w.person(13)
    for seat, person in enumerate(people):
        await person.sit(101, seat)
    await watcher.join(101)
    for person in people:
        await person.ready(101)
    if hands is not None:
        hand_to(w, hands)
    for person in people:
        await person.seed(101, "x")
    if hands is not None:
        w.undo()  # type: ignore[attr-defined]
    return people, watcher


@pytest.mark.parametrize("answer", ["yes", "no", "late"])
def test_nobody_can_tell_whether_somebody_was_asked(tmp_path: Path, answer: str) -> None:
    """Seat 0 puts 5; seat 2 holds the 6, or does not. Seat 1 and a watcher see the same until the pause is over."""

    async def watched(folder: Path, hands: list[list[int]]) -> tuple[Any, Any, int]:
        folder.mkdir()
        async with world(folder, *ROOMS) as w:
            people, watcher = await dealt(w, hands)
            starts = [len(people[1].got), len(watcher.got)]
            await people[0].act(101, {"a": "put", "card": 5}, 1)
            asked = people[2].shown[101]["ask"]
            if asked:
                assert asked["kind"] == "snatch"
                assert asked["until"] == w.clock.time + 2000
                assert people[2].shown[101]["clocks"]["run"] == [2]
                await w.jump(700)
                if answer != "late":
                    await people[2].act(101, {"a": "snatch", "yes": answer == "yes"}, asked["id"])
                    assert people[2].shown[101]["ask"] is None
                await w.jump(1299)
            else:
                await w.jump(700)
                await w.jump(1299)
            # Free, seat 1 is on turn in the state; it is told the same before the pause is over.
            early = [
                await people[1].refused(commands.Act(f"early{n}", 101, action, ask))  # type: ignore[arg-type]
                for n, (action, ask) in enumerate(
                    [
                        ({"a": "put", "card": 2}, None),
                        ({"a": "snatch", "yes": True}, None),
                        ({"a": "cheer"}, None),
                        ({"a": "dance"}, None),
                        ({"a": "put", "card": 2}, 1),
                    ]
                )
            ]
            assert early == ["not_your_turn", "not_your_turn", "not_your_turn", "bad_action", "STALE"]
            people[1].got = [message for message in people[1].got if message["t"] != "err"]
            during = frames_of(people[1], starts[0]), frames_of(watcher, starts[1])
            await w.jump(1)
            whose = asking(people)
            return during, (frames_of(people[1], starts[0]), frames_of(watcher, starts[1])), whose[0]

    async def test() -> None:
        held = await watched(tmp_path / "held", [[1, 5, 9, 12], [2, 3, 4, 7], [6, 8, 10, 11]])
        free = await watched(tmp_path / "free", [[1, 5, 6, 12], [2, 3, 4, 7], [8, 9, 10, 11]])
        assert held[0] == free[0]
        assert len(held[0][0]) == 1  # the card itself, and nothing else
        assert held[0][0][0][1]["phase"] == ("wait", [])
        assert held[2] == (2 if answer == "yes" else 1)
        assert free[2] == 1
        if answer != "yes":
            assert [when for when, _ in held[1][1]] == [when for when, _ in free[1][1]]
            assert held[1][1] == free[1][1]

    run(test())


def test_a_taken_seat_in_the_window_costs_no_flag(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            for _ in range(60):
                if people[0].shown[101]["info"]["state"] != "playing":
                    break
                seats = asking(people)
                if not seats:
                    await w.jump(2000)
                elif people[seats[0]].shown[101]["ask"]["kind"] == "put":
                    person = people[seats[0]]
                    await person.act(101, {"a": "put", "card": max(person.shown[101]["view"]["hand"])})
                else:
                    await w.jump(2000)  # never answer a window
            assert all(chair.flags == 0 and chair.presence == "online" for chair in w.table(101).chairs)

    run(test())


def test_luck_waits_its_beat_while_seats_may_shout(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            while asking(people) != [0, 1, 2]:
                seats = asking(people)
                if not seats:
                    await w.jump(2000)
                    continue
                person = people[seats[0]]
                ask = person.shown[101]["ask"]
                if ask["kind"] == "shout":
                    break
                if ask["kind"] == "snatch":
                    await person.act(101, {"a": "snatch", "yes": False}, ask["id"])
                else:
                    await person.act(101, {"a": "put", "card": min(person.shown[101]["view"]["hand"])}, ask["id"])
            assert people[0].shown[101]["ask"]["kind"] == "shout"
            before = people[0].shown[101]["ask"]["id"]
            await people[1].act(101, {"a": "shout"})
            assert people[1].shown[101]["ask"] is None
            assert people[0].shown[101]["ask"]["id"] == before  # the race goes on, the question is the same
            await w.jump(499)
            assert people[0].shown[101]["info"]["state"] == "playing"
            await w.jump(1)
            assert people[0].shown[101]["info"]["state"] == "between"
            assert people[0].told(101)[-2:][0]["e"] == "rolled"

    run(test())


def test_a_variant_is_fixed_and_a_preset_is_a_habit(tmp_path: Path) -> None:
    async def test() -> None:
        kind = Room(1, "snatch", "friendly", seats=3, preset="kind")
        async with world(tmp_path, kind, Room(2, "snatch", "score", seats=3, variant="short")) as w:
            ann = await w.person(1)
            await ann.sit(101, 0)
            assert (ann.shown[101]["info"]["preset"], ann.shown[101]["info"]["options"]) == (
                "kind",
                {"takeback": "ask"},
            )
            await ann.done(commands.Set("s1", 101, options={"deals": 1}))
            assert ann.shown[101]["info"]["preset"] == "kind"
            await ann.done(commands.Set("s2", 101, options={"takeback": "off"}))
            assert ann.shown[101]["info"]["preset"] is None
            await ann.sit(201, 0)
            assert (ann.shown[201]["info"]["variant"], ann.shown[201]["info"]["options"]) == ("short", {"deals": 1})
            answer = await ann.say(commands.Set("s3", 201, options={"deals": 2}))
            assert (answer["code"], answer["facts"]) == ("BAD_OPTION", {"field": "deals"})
            table, _key = await w.hall.creation.make(ann.user, "snatch", variant="short")
            await ann.join(table)
            assert ann.shown[table]["info"]["variant"] == "short"
            for wrong in (
                {"variant": "long"},
                {"variant": "short", "options": {"deals": 2}},
                {"variant": "short", "room": 1},
            ):
                with pytest.raises(HallError, match="BAD_OPTION"):
                    await w.hall.creation.make(ann.user, "snatch", **wrong)

    run(test())


def test_who_may_act_is_not_waited_for(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS) as w:
            people = await three(w)
            assert asking(people) == [0]
            waiting = people[2].shown[101]
            assert (waiting["ask"], waiting["legal"]) == (None, {"list": [{"a": "cheer"}], "more": False})
            assert people[0].shown[101]["clocks"]["run"] == [0]
            before = people[0].shown[101]["ask"]
            await people[2].act(101, {"a": "cheer"})
            assert people[0].told(101)[-1] == {"e": "cheered", "seat": 2}
            assert people[0].shown[101]["ask"] == before
            assert people[2].shown[101]["legal"] is None
            await people[0].act(101, people[0].shown[101]["legal"]["list"][0])
            other = next(person for person in people[1:] if not person.shown[101]["ask"])
            assert await other.refused(commands.Act("c1", 101, {"a": "cheer"})) == "not_your_turn"  # a pause

    run(test())


def test_bots_play_a_whole_deal_by_themselves_around_a_person(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, *ROOMS, config=quick(bots={"pace_ms": 400})) as w:
            ann = await w.person(5, "ann")
            table, seat = await w.hall.creation.play(ann.user, "snatch", level="strong")
            await ann.join(table)
            assert ann.shown[table]["you"] == {"seat": seat, "owner": True}
            assert [s["bot"] for s in ann.shown[table]["seats"]] == [None, "strong", "strong"]
            for _ in range(400):
                shown = ann.shown[table]
                if shown["info"]["state"] == "between":
                    break
                if shown["ask"] and shown["ask"]["kind"] != "shout":
                    await ann.act(table, shown["legal"]["list"][0], shown["ask"]["id"])
                await w.jump(250)
            assert ann.shown[table]["info"]["state"] == "between"
            assert {"e": "cheered", "seat": 1} in ann.told(table)  # a bot that may act says when
            assert await w.hall.archive.verify(ann.shown[table]["game"]["game_id"]) is None

    run(test())
