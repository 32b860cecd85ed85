"""Windows and pauses: who has answered, who was asked, and what it costs, nobody else can tell (README X6, 13.1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hall.test_snatch import asking, dealt, frames_of, hand_to, play_on
from tests.hall.world import Jumping, Names, World, run, world

from qipai.hall.rooms.rooms import Room
from qipai.hall.table import commands
from qipai.hall.table.model import Terms

pytestmark = pytest.mark.usefixtures("snatch")
HELD = [[1, 5, 9, 12], [2, 3, 4, 7], [6, 8, 10, 11]]  # seat 0 puts 5, and seat 2 is asked
FREE = [[1, 5, 6, 12], [2, 3, 4, 7], [8, 9, 10, 11]]  # nobody is
EVEN = Terms(pauses="even")
FISCHER = {"type": "fischer", "base": 60, "inc": 3}


# A window in which everybody is asked, and nobody sees who has answered.


@pytest.mark.parametrize("clock", [None, FISCHER, {"type": "byoyomi", "base": 5, "period": 10, "periods": 2}])
def test_an_answer_shows_nowhere_before_the_window_closes(tmp_path: Path, clock: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, options={"wager": True}, clock=clock)) as w:
            people, watcher = await dealt(w)
            assert asking(people) == [0, 1, 2]
            shown = [person.shown[101]["clocks"] for person in (*people, watcher)]
            assert [clocks["run"] for clocks in shown] == [[0, 1, 2]] * 4
            await w.jump(1500)
            others = [people[0], people[2], watcher]
            starts = [len(person.got) for person in others]
            await people[1].act(101, {"a": "wager", "yes": True}, 1)
            assert [person.got[start:] for person, start in zip(others, starts, strict=True)] == [[], [], []]
            mine = people[1].shown[101]
            assert (mine["ask"], mine["view"]["wagered"], mine["clocks"]["run"]) == (None, True, [0, 2])
            await w.jump(2000)
            # Whoever comes now sees all three clocks run alike.
            late = await w.person(14)
            for clocks in ((await late.join(101))["clocks"], (await watcher.join(101))["clocks"]):
                assert clocks["run"] == [0, 1, 2]
                assert clocks["left"][0] == clocks["left"][1] == clocks["left"][2] is not None
                assert clocks.get("periods", [0] * 3)[0] == clocks.get("periods", [0] * 3)[1]
            start = len(people[2].got)
            await people[0].act(101, {"a": "wager", "yes": False}, 1)
            assert people[2].got[start:] == []
            await people[2].act(101, {"a": "wager", "yes": False}, 1)
            assert watcher.shown[101]["view"]["wagers"] == [False, True, False]
            assert watcher.shown[101]["clocks"]["run"] == [0]
            if clock == FISCHER:  # now it shows what everybody has thought: he was asked like the others
                assert watcher.shown[101]["clocks"]["left"][1:] == [61_500, 59_500]

    run(test())


def test_an_open_offer_does_not_fall_with_a_hidden_answer(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, options={"wager": True})) as w:
            people, watcher = await dealt(w)
            await people[1].done(commands.Offer("o1", 101, "stop"))
            start = len(watcher.got)
            await people[1].act(101, {"a": "wager", "yes": True}, 1)
            assert watcher.got[start:] == []
            for seat in (0, 2):
                await people[seat].act(101, {"a": "wager", "yes": True}, 1)
            assert len(watcher.shown[101]["offers"]) == 1
            await people[0].act(101, {"a": "put", "card": people[0].shown[101]["view"]["hand"][0]})
            assert len(watcher.shown[101]["offers"]) == 1  # it was another's act
            await w.jump(60_000)
            assert watcher.shown[101]["offers"] == []

    run(test())


# An even pause.


@pytest.mark.parametrize("clock", [{"type": "none"}, FISCHER, {"type": "move", "s": 900}])
def test_what_is_asked_in_a_pause_is_over_with_it_whatever_the_clock(tmp_path: Path, clock: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, clock=clock, terms=EVEN)) as w:
            people, watcher = await dealt(w, HELD)
            await w.jump(1000)
            await people[0].act(101, {"a": "put", "card": 5})
            ask = people[2].shown[101]["ask"]
            assert (ask["kind"], ask["until"]) == ("snatch", w.clock.time + 2000)
            await w.jump(1999)
            assert people[2].shown[101]["ask"] == ask
            await w.jump(1)
            assert people[2].shown[101]["ask"] is None
            assert asking(people) == [1]
            late = commands.Act("late", 101, {"a": "snatch", "yes": True}, ask["id"])
            assert await people[2].refused(late) == "STALE"
            if clock == FISCHER:  # a clock that had lost time would show who was asked
                assert watcher.shown[101]["clocks"]["left"] == [62_000, 60_000, 60_000]
            if clock["type"] == "none":
                assert people[1].shown[101]["ask"]["until"] is None

    run(test())


def test_an_answer_in_a_pause_costs_no_time(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, clock=FISCHER, terms=EVEN)) as w:
            people, watcher = await dealt(w, HELD)
            await people[0].act(101, {"a": "put", "card": 5})
            await w.jump(700)
            start = len(watcher.got)
            await people[2].act(101, {"a": "snatch", "yes": False})
            assert watcher.got[start:] == []
            await w.jump(1300)
            assert watcher.shown[101]["clocks"]["left"] == [63_000, 60_000, 60_000]

    run(test())


@pytest.mark.parametrize("leaver", [1, 2])
def test_the_price_of_leaving_tells_nothing_in_a_pause(tmp_path: Path, leaver: int) -> None:
    """Free, seat 1 is already on turn in the state, where leaving costs less than in a window."""

    async def price(folder: Path, hands: list[list[int]]) -> Any:
        folder.mkdir()
        async with world(folder, Room(1, "snatch", "score", seats=3)) as w:
            people, _watcher = await dealt(w, hands)
            before = await people[leaver].say(commands.Stand("s1", 101))
            await people[0].act(101, {"a": "put", "card": 5})
            if people[2].shown[101]["ask"] is not None:
                await people[2].act(101, {"a": "snatch", "yes": False})
            await w.jump(100)
            during = await people[leaver].say(commands.Stand("s2", 101))
            await w.jump(1900)
            after = await people[leaver].say(commands.Stand("s3", 101))
            return [answer["facts"]["score"] for answer in (before, during, after)]

    async def test() -> None:
        held, free = await price(tmp_path / "held", HELD), await price(tmp_path / "free", FREE)
        assert held == free == [-5, -9, -5]

    run(test())


def test_a_hidden_frame_of_a_free_pause_is_that_of_a_held_one(tmp_path: Path) -> None:
    """Under a clock with a store, too, others see the same pause whether or not anybody is asked."""

    async def watched(folder: Path, hands: list[list[int]]) -> Any:
        folder.mkdir()
        async with world(folder, Room(1, "snatch", "friendly", seats=3, clock=FISCHER, terms=EVEN)) as w:
            people, watcher = await dealt(w, hands)
            starts = len(people[1].got), len(watcher.got)
            await people[0].act(101, {"a": "put", "card": 5})
            await w.jump(600)
            if people[2].shown[101]["ask"] is not None:
                await people[2].act(101, {"a": "snatch", "yes": False})
            await w.jump(1400)
            return frames_of(people[1], starts[0]), frames_of(watcher, starts[1])

    async def test() -> None:
        assert await watched(tmp_path / "held", HELD) == await watched(tmp_path / "free", FREE)

    run(test())


# A quick pause.


async def put(w: World, hands: list[list[int]], snatch: bool | None = None, at: int = 0) -> tuple[int, list[int]]:
    """Put a card where pauses are quick; return how long the pause was and the card's due next seat."""
    people, _watcher = await dealt(w, hands)
    begun = w.clock.time
    await people[0].act(101, {"a": "put", "card": 5})
    if snatch is not None:
        await w.jump(at)
        await people[2].act(101, {"a": "snatch", "yes": snatch})
    while w.table(101).deal.concealed_until is not None:
        await w.jump(1)
    return w.clock.time - begun, asking(people)


def test_a_quick_pause_ends_when_all_have_answered_but_not_before_its_time(tmp_path: Path) -> None:
    async def lasted(name: str, hands: list[list[int]], *answer: Any) -> int:
        (tmp_path / name).mkdir()
        async with world(tmp_path / name, Room(1, "snatch", "friendly", seats=3)) as w:
            ms, asked = await put(w, hands, *answer)
            assert asked == [1]
            return ms

    async def test() -> None:
        free = await lasted("free", FREE)
        assert 400 <= free <= 900
        assert await lasted("soon", HELD, False, 10) == free, "drawn alike, whoever is asked"
        assert 1300 <= await lasted("late", HELD, False, 1300) <= 1301
        assert await lasted("never", HELD) == 2000

    run(test())


@pytest.mark.parametrize("kind", ["friendly", "score"])
def test_where_it_counts_a_pause_is_even(tmp_path: Path, kind: Any) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", kind, seats=3)) as w:
            ann = await w.person(10)
            await ann.sit(101, 0)
            assert ann.shown[101]["info"]["pauses"] == ("quick" if kind == "friendly" else "even")
            for wanted in ("even", "quick"):
                asked = commands.Set(wanted, 101, options={"pauses": wanted})
                if kind == "friendly":
                    await ann.done(asked)
                    assert ann.shown[101]["info"]["pauses"] == wanted
                else:
                    assert await ann.refused(asked) == "BAD_OPTION"

    run(test())


# Cards that fall at one rhythm, and seats that may speak meanwhile.


def test_cards_fall_at_one_rhythm_whoever_may_speak(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, options={"falling": True})) as w:
            hands = [[1, 12, 5, 9], [2, 3, 4, 7], [6, 8, 10, 11]]
            people, watcher = await dealt(w, hands)
            view = people[0].shown[101]["view"]
            assert (view["phase"], view["hand"], asking(people)) == ("fall", [], [])
            assert people[0].shown[101]["legal"] is None
            assert watcher.shown[101]["clocks"]["run"] == []
            seen = []
            for _ in range(4):
                await w.jump(499)
                seen.append(len(people[1].shown[101]["view"]["hand"]))
                await w.jump(1)
                seen.append(len(people[1].shown[101]["view"]["hand"]))
                if seen[-1] == 2:
                    assert people[0].shown[101]["ask"] is None
                    assert people[0].shown[101]["legal"] == {"list": [{"a": "call"}], "more": False}
                    assert people[1].shown[101]["legal"] is None
                    assert await people[1].refused(commands.Act("no", 101, {"a": "call"})) == "not_held"
                    await w.jump(200)
                    await people[0].act(101, {"a": "call"})  # now nobody may any more: luck is alone
                    assert watcher.told(101)[-1] == {"e": "called", "seat": 0}
                    assert people[0].shown[101]["legal"] is None
                    await w.jump(299)
                    assert len(people[1].shown[101]["view"]["hand"]) == 2
                    await w.jump(1)
                    seen += [2, len(people[1].shown[101]["view"]["hand"])]
                if seen[-1] == 4:
                    break
            assert seen == [0, 1, 1, 2, 2, 3, 3, 4]
            assert watcher.shown[101]["view"]["called"] == 0
            assert asking(people) == [0]
            assert not any(chair.flags for chair in w.table(101).chairs)  # nobody was waited for

    run(test())


@pytest.mark.parametrize("seat", [1, 2])
def test_a_bot_that_may_speak_is_shown_every_step(tmp_path: Path, seat: int) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, options={"falling": True})) as w:
            ann = await w.person(10)
            await ann.sit(101, 0)
            for other in (1, 2):
                await ann.fill(101, other)
            await ann.ready(101)
            hands = [[1, 5, 9, 2], [3, 4, 7, 6], [8, 10, 11, 6]]
            hands[seat][2] = 12
            hand_to(w, hands)
            await ann.seed(101, "x")
            w.undo()  # type: ignore[attr-defined]
            told = {}
            for ms in range(0, 2000, 100):
                await w.jump(100)
                told[ms + 100] = ann.shown[101]["view"]["called"]
            assert told[1400] is None
            assert told[1500] == seat
            game = ann.shown[101]["game"]["game_id"]
            rows = await w.store.read(lambda db: db.execute("SELECT type, data FROM events").fetchall())
            assert sum('"call"' in data for _type, data in rows) == 1
            assert game

    run(test())


# Who leaves where no bot plays on.


@pytest.mark.parametrize(
    ("room", "why"),
    [
        (
            Room(1, "snatch", "score", seats=3, options={"on_leave": "void"}),
            "void",
        ),  # the rules refuse what the hall sends
        (Room(1, "snatch", "score", seats=3, options={"on_leave": "leave"}), "left"),  # the rules end the deal
        (Room(1, "snatch", "score", seats=3, terms=Terms(substitute=False)), "void"),  # the room has the last word
    ],
)
def test_who_leaves_ends_the_deal_where_no_bot_plays_on(tmp_path: Path, room: Room, why: str) -> None:
    async def test() -> None:
        async with world(tmp_path, room) as w:
            people, _watcher = await dealt(w)
            await people[1].done(commands.Stand("s1", 101, confirm=True))
            result = people[0].shown[101]["result"]
            assert (result["why"], result["points"]) == (why, [0, 0, 0])
            # A void deal was no game for who stayed, nor is one that was left before it counted (P-38).
            assert [paid["score"] for paid in result["paid"]] == [None, -5, None]
            assert await w.hall.archive.verify(people[0].shown[101]["game"]["game_id"]) is None

    run(test())


def test_a_bot_plays_on_where_the_options_say_so(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "score", seats=3)) as w:
            people, _watcher = await dealt(w)
            await people[1].done(commands.Stand("s1", 101, confirm=True))
            assert people[0].shown[101]["info"]["state"] == "playing"

    run(test())


def test_luck_is_not_taken_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3, options={"takeback": "ask"})) as w:
            people, _watcher = await dealt(w, FREE)
            await people[0].act(101, {"a": "put", "card": 5})
            await w.jump(2000)
            assert await people[0].refused(commands.Offer("o1", 101, "takeback")) == "NOT_ALLOWED"

    run(test())


def test_luck_goes_on_when_time_is_up_for_the_last_who_was_asked(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "mahjong", "friendly", options={"exchange": "three"})) as w:
            people = [await w.person(10 + seat) for seat in range(4)]
            for seat, person in enumerate(people):
                await person.sit(101, seat)
            for person in people:
                await person.ready(101)
            for person in people:
                await person.seed(101, "x")
            assert people[0].shown[101]["view"]["phase"] == "swap"
            await w.jump(people[0].shown[101]["ask"]["until"] - w.clock.time + 1)
            assert people[0].shown[101]["view"]["phase"] not in ("swap", "die")
            assert asking(people)

    run(test())


# Answers given beforehand.


NEVER = commands.Standing("n1", 101, ("never",))


def test_a_standing_answer_is_given_at_once_and_ends_a_quick_pause(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, Room(1, "snatch", "friendly", seats=3)) as w:
            people, _watcher = await dealt(w, HELD)
            await people[2].done(NEVER)
            await people[0].act(101, {"a": "put", "card": 5})
            assert people[2].shown[101]["ask"] is None
            deal = w.table(101).deal
            assert deal is not None
            assert deal.bot_moves[2] == 0  # nobody has played for it
            await w.jump(900)
            assert asking(people) == [1]
            assert w.table(101).chairs[2].flags == 0
            # Setting it while one is asked answers, too; without it the seat is asked.
            await people[2].done(commands.Standing("n2", 101, ()))
            hand = people[1].shown[101]["view"]["hand"]
            assert hand == [2, 3, 4, 7]
            await people[1].act(101, {"a": "put", "card": 7})
            assert people[2].shown[101]["ask"]["kind"] == "snatch"  # type: ignore[index]
            await people[2].done(commands.Standing("n3", 101, ("never",)))
            assert people[2].shown[101]["ask"] is None

    run(test())


def test_a_standing_answer_shows_nowhere_at_an_even_table(tmp_path: Path) -> None:
    async def watched(folder: Path, hands: list[list[int]], standing: bool) -> Any:
        folder.mkdir()
        async with world(folder, Room(1, "snatch", "friendly", seats=3, clock=FISCHER, terms=EVEN)) as w:
            people, watcher = await dealt(w, hands)
            others = [people[0], people[1], watcher]
            starts = [len(person.got) for person in others]
            if standing:
                await people[2].done(NEVER)
                assert people[2].shown[101]["you"] == {"seat": 2, "owner": False, "standing": ["never"]}
            await people[0].act(101, {"a": "put", "card": 5})
            assert people[2].shown[101]["ask"] is None or not standing
            await w.jump(1999)
            assert asking(people) == ([2] if hands is HELD and not standing else [])
            await w.jump(1)
            assert asking(people) == [1]
            for person in others:
                assert "standing" not in str((await person.join(101))["you"])
            await person.leave(101) if False else None
            found = [person.got[start:] for person, start in zip(others, starts, strict=True)]
            assert all(found)
            return [[m for m in frames if m["t"] != "ack"] for frames in found]

    async def test() -> None:
        held = await watched(tmp_path / "held", HELD, False)
        assert await watched(tmp_path / "set", HELD, True) == held
        free = await watched(tmp_path / "free", FREE, False)
        assert await watched(tmp_path / "both", FREE, True) == free
        assert free[1:] == held[1:], "of seat 1 and a watcher"

    run(test())


def test_standing_answers_outlive_the_hall_but_neither_seat_nor_match(tmp_path: Path) -> None:
    clock, names, room = Jumping(), Names(), Room(1, "snatch", "friendly", seats=3)

    async def test() -> None:
        async with world(tmp_path, room, clock=clock, names=names) as w:
            people, watcher = await dealt(w, HELD)
            assert await people[2].refused(commands.Standing("n0", 101, ("never", "ever"))) == "BAD_OPTION"
            assert await watcher.refused(NEVER) == "NOT_SEATED"
            for person in people[1:]:
                await person.done(NEVER)
            await people[0].act(101, {"a": "put", "card": 5})
            await w.jump(900)
        async with world(tmp_path, room, clock=clock, names=names) as w:
            people = [await w.person(10 + seat) for seat in range(3)]
            assert (await people[0].join(101))["you"] == {"seat": 0, "owner": True}
            assert [(await person.join(101))["you"]["standing"] for person in people[1:]] == [["never"]] * 2
            await people[2].done(commands.Stand("s1", 101, confirm=True))
            await play_on(w, people)
            assert not w.table(101).chairs[2].standing
            assert people[1].shown[101]["you"]["standing"] == ["never"]
            await w.jump(600_000)  # nobody wants another
            assert w.table(101).state == "open"
            assert not any(chair.standing for chair in w.table(101).chairs)

    run(test())
