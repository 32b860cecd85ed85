"""Who sees what of a profile: every field but name, grade, rating and credibility is its owner's to show (P-4)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, get_args

import pytest
from tests.client import Person, Refused, Server
from tests.hall.web.conftest import run
from tests.hall.web.test_mine import played, room_of, seated

from qipai.accounts.model import USUAL, Level

pytestmark = pytest.mark.slow

FIELDS = sorted(USUAL)
SEES = {"public": {"me", "friend", "fan", "stranger", "guest", "nobody"}, "friends": {"me", "friend"}, "me": {"me"}}


async def seen(reader: Person, user: int, name: str) -> dict[str, Any]:
    """Return all that one reader finds of somebody, by field, None where nothing is told; what he is told to be hidden.

    What two answers tell of the same field must be told, or hidden, by both.
    """
    profile = await reader.get(f"/users/{user}")
    (row,) = (await reader.get(f"/players?name={name}"))["rows"]
    by_score, by_pass = [
        next(
            (each for each in (await reader.get(f"/rankings/xiangqi?by={by}"))["rows"] if each["user"]["id"] == user),
            None,
        )
        for by in ("score", "pass")
    ]
    if "games" in profile["hidden"]:
        games = None
        for path in ("games", "highlights"):
            with pytest.raises(Refused) as wrong:
                await reader.get(f"/users/{user}/{path}")
            refused = wrong.value
            assert (refused.code, refused.facts, refused.status) == ("NOT_ALLOWED", {"case": "hidden"}, 403)
    else:
        games = (await reader.get(f"/users/{user}/games"))["rows"]
        highlights = await reader.get(f"/users/{user}/highlights?offset=480")
        assert highlights["days"][-1][0] <= highlights["today"]
        assert highlights["days"][0][0] >= highlights["since"]
        assert bool(highlights["opponents"]) == ("wins" not in profile["hidden"])
    reached = profile["scores"]["xiangqi"]
    assert reached["grade"] == 1
    assert (profile["user"]["name"], profile["credibility"]) == (name, 100)
    assert profile["ratings"]["xiangqi"]["games"] > 0
    assert (await reader.get(f"/users/{user}/ratings?pool=xiangqi"))["rows"]
    wins = reached["won"] is not None
    assert [reached[key] is not None for key in ("lost", "drawn")] == [wins, wins]
    assert bool((await reader.get(f"/users/{user}/statistics"))["rows"]) == wins
    assert by_score is None or ("won" in by_score["detail"]) == wins
    assert (row["registered_at"], row["seen_at"]) == (profile["registered_at"], profile["seen_at"])
    assert (by_score and by_score["value"]) == reached["score"]
    assert (by_pass and by_pass["value"]) == profile["passes"].get("xiangqi", {}).get("pass")
    found = {
        "about": profile["about"],
        "country": profile["country"],
        "language": profile["language"],
        "hours": profile["online_s"],
        "registered": profile["registered_at"],
        "seen": profile["seen_at"],
        "member": profile["member_until"],
        "score": reached["score"],
        "wins": reached["won"],
        "passes": profile["passes"] or None,
        "games": games,
        "coins": profile["coins"],
    }
    return {"fields": {field for field, value in found.items() if value is not None}, "hidden": set(profile["hidden"])}


def test_a_profile_shows_to_each_what_its_owner_wants(hall: Server) -> None:
    async def visit() -> None:
        async with AsyncExitStack() as stack:
            names = {"me": "veiled", "friend": "veilfriend", "fan": "veilfan", "stranger": "veilother"}
            all_of_them = [*names, "guest", "nobody"]
            people = {who: await stack.enter_async_context(Person(hall)) for who in all_of_them}
            for who, name in names.items():
                await people[who].register(name)
            await people["guest"].guest()
            me, friend = people["me"], people["friend"]
            user = me.user["id"]
            for person in (me, friend):
                await person.line()
            await played([me, friend], await room_of(me, "xiangqi", "score"), 1)
            await played([me, friend], await room_of(me, "xiangqi", "pass"), 18)
            await me.post("/shop", {"item": "member_days", "qty": 2})
            await me.call("PATCH", "/me/profile", {"about": "我爱下棋", "country": "CN"})
            await me.call("PATCH", "/me/settings", {"lang": "zh-CN"})
            for who in ("friend", "fan"):
                await people[who].post("/friends", {"user": user})
            for who in ("friend", "stranger"):  # the fan is not followed back, and the stranger does not follow
                await me.post("/friends", {"user": people[who].user["id"]})

            async def all_see(shown: dict[str, str]) -> None:
                for who, person in people.items():
                    fields = {field for field, level in shown.items() if who in SEES[level]}
                    assert await seen(person, user, "veiled") == {
                        "fields": fields,
                        "hidden": set(FIELDS) - fields,
                    }, (who, shown)

            await all_see({**dict.fromkeys(FIELDS, "public"), "coins": "me"})  # nothing is set
            for level in get_args(Level):
                change = {f"show_{field}": level for field in FIELDS}
                assert (await me.call("PATCH", "/me/settings", change)).items() >= change.items()
                await all_see(dict.fromkeys(FIELDS, level))
            for field in FIELDS:  # each for itself: nothing else opens with it
                await me.call("PATCH", "/me/settings", {f"show_{field}": "public"})
                await all_see({**dict.fromkeys(FIELDS, "me"), field: "public"})
                await me.call("PATCH", "/me/settings", {f"show_{field}": "me"})
            own = await me.get("/me")
            assert (own["scores"]["xiangqi"]["score"], own["scores"]["xiangqi"]["won"]) == (4, 2)
            assert own["passes"]["xiangqi"]
            # How the two of us have done is the friend's, too.
            versus = await friend.get(f"/users/{user}/statistics")
            assert (versus["rows"], versus["met"][0]["games"]) == ([], 2)

    run(visit)


def test_one_tells_of_oneself_what_he_likes_and_it_stays_text(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as guest:
            await me.register("tellsalot")
            await guest.guest()
            wild = "<script>alert(1)</script>\r\nline two\u202e\x07 "
            await me.call("PATCH", "/me/profile", {"about": wild, "country": "FR", "picture": "炮"})
            kept = {"about": "<script>alert(1)</script>\nline two", "country": "FR"}
            shown = await guest.get(f"/users/{me.user['id']}")
            assert shown["user"]["picture"] == (await me.get("/me/profile"))["picture"] == "炮"
            assert {key: shown[key] for key in kept} == kept
            assert (await me.get("/me/profile")).items() >= kept.items()
            for body, code in (
                ({"country": "XX"}, "BAD_OPTION"),
                ({"country": "France"}, "BAD_MESSAGE"),
                ({"picture": "x"}, "BAD_OPTION"),
                ({"picture": "<b>"}, "BAD_MESSAGE"),
                ({"about": "x" * 1001}, "BAD_MESSAGE"),
                ({"name": "other"}, "BAD_MESSAGE"),
            ):
                with pytest.raises(Refused, match=code):
                    await me.call("PATCH", "/me/profile", body)
            with pytest.raises(Refused, match="SIGN_IN"):
                await guest.call("PATCH", "/me/profile", {"about": "me"})
            await me.call("PATCH", "/me/profile", {"country": "", "picture": ""})  # nothing, and the text stays
            assert "picture" not in (await guest.get(f"/users/{me.user['id']}"))["user"]
            assert (await me.get("/me/profile")).items() >= {**kept, "country": None}.items()

    run(visit)


def test_a_friend_is_one_no_more_who_unfollows_or_is_blocked(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as friend:
            await me.register("veilagain")
            await friend.register("veilgone")
            mine, his = me.user["id"], friend.user["id"]
            await me.call("PATCH", "/me/settings", {"show_seen": "friends"})

            async def sees() -> bool:
                return (await friend.get(f"/users/{mine}"))["seen_at"] is not None

            await me.post("/friends", {"user": his})
            await friend.post("/friends", {"user": mine})
            assert await sees()
            await friend.call("DELETE", f"/friends/{mine}", {})
            assert not await sees()
            await friend.post("/friends", {"user": mine})
            assert await sees()
            await me.post("/blocks", {"user": his})
            assert not await sees()

    run(visit)


def test_what_a_guest_hides_stays_hidden_when_he_registers(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as other:
            await me.guest()
            await me.call("PATCH", "/me/settings", {"show_seen": "me"})
            await me.register("veilguest")
            profile = await other.get(f"/users/{me.user['id']}")
            assert (profile["seen_at"], profile["hidden"]) == (None, ["coins", "seen"])

    run(visit)


def test_coins_of_a_minor_are_nowhere(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as other:
            await me.register("veilminor")
            await me.call("PATCH", "/me/settings", {"show_coins": "public", "minor": True})
            assert (await other.get(f"/users/{me.user['id']}"))["coins"] is None
            await me.call("PATCH", "/me/settings", {"minor": False})
            await me.get("/me")
            assert (await other.get(f"/users/{me.user['id']}"))["coins"] == 200

    run(visit)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({f"show_{field}": "public"}, f"show_{field}") for field in ("name", "grade", "rating", "credibility", "")),
        *(({"invited_by": who}, "invited_by") for who in ("public", "", None, 1)),
        *(({"zone": zone}, "zone") for zone in ("Asia/Shang hai", "Moon/Base", "<b>", None, "x" * 65)),
        *(({"dates": order}, "dates") for order in ("", "iso", None)),
        *(({"rows": rows}, "rows") for rows in (0, 30, "50", None)),
        *(({"high_contrast": on}, "high_contrast") for on in ("more", None)),
        *(({"hide_online": on}, "hide_online") for on in ("yes", 1, None)),
        *(({"show_coins": level}, "show_coins") for level in ("nobody", "", None, 1, ["me"])),
    ],
)
def test_what_cannot_be_set_is_refused_and_changes_nothing(hall: Server, change: dict[str, Any], field: str) -> None:
    async def visit() -> None:
        async with Person(hall) as me:
            await me.guest()
            with pytest.raises(Refused) as wrong:
                await me.call("PATCH", "/me/settings", {"show_seen": "me", **change})
            assert (wrong.value.code, wrong.value.facts, wrong.value.status) == ("BAD_MESSAGE", {"field": field}, 400)
            assert (await me.get("/me"))["settings"] == {}

    run(visit)


HERE = {"listed", "friend", "home", "player", "filter", "profile", "table", "seen"}


async def told(reader: Person, user: int) -> set[str]:
    """Return which answers tell one reader that somebody is here, where he sits, when he was last seen."""
    profile = await reader.get(f"/users/{user}")
    by_name = f"/players?name={profile['user']['name']}"
    (player,) = (await reader.get(by_name))["rows"]
    found = {
        "listed": any(row["user"]["id"] == user for row in (await reader.get("/online"))["rows"]),
        "player": player["online"],
        "filter": bool((await reader.get(f"{by_name}&online=true"))["rows"]),
        "profile": profile["online"],
        "table": profile["table"] is not None,
        "seen": profile["seen_at"] is not None and player["seen_at"] is not None,
    }
    if reader.user and reader.user["id"] != user:
        (friend,) = (await reader.get("/friends"))["rows"]
        assert (friend["table"] is not None) == friend["online"] == found["table"]
        found |= {"friend": friend["online"], "home": bool((await reader.get("/home"))["friends"])}
    return {name for name, tells in found.items() if tells}


def test_who_hides_that_he_is_online_is_here_for_himself_alone(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as friend, Person(hall) as nobody:
            await me.register("veilaway")
            await friend.register("veilpal")
            mine = me.user["id"]
            await me.post("/friends", {"user": friend.user["id"]})
            await friend.post("/friends", {"user": mine})
            for person in (me, friend):
                await person.line()

            async def follows() -> set[int]:
                """Follow the live list anew, and return who is on it."""
                friend.other.clear()
                await friend.say({"t": "follow", "list": "online", "on": True})
                whole = await friend.until(lambda: next((m for m in friend.other if m.get("whole")), None))
                return {row["user"]["id"] for row in whole["rows"]}

            def heard(what: str) -> bool:
                ids = [each["user"]["id"] if what == "rows" else each for m in friend.other for each in m.get(what, ())]
                return mine in ids

            assert mine in await follows()
            await seated([me], await room_of(me, "xiangqi", "score"), 5)
            alone = HERE - {"friend", "home"}
            assert (await told(friend, mine), await told(nobody, mine), await told(me, mine)) == (HERE, alone, alone)
            await me.call("PATCH", "/me/settings", {"hide_online": True})
            await friend.until(lambda: heard("gone"))
            assert (await told(friend, mine), await told(nobody, mine), await told(me, mine)) == (set(), set(), alone)
            assert "seen" in (await friend.get(f"/users/{mine}"))["hidden"]
            assert mine not in await follows()
            await me.call("PATCH", "/me/settings", {"hide_online": False})
            await friend.until(lambda: heard("rows"))
            assert (await told(friend, mine), await told(nobody, mine)) == (HERE, alone)

    run(visit)


def test_only_those_invite_somebody_whom_he_lets(hall: Server) -> None:
    async def visit() -> None:
        async with Person(hall) as me, Person(hall) as friend, Person(hall) as fan, Person(hall) as other:
            for person, name in ((me, "veilasked"), (friend, "veilpal2"), (fan, "veilfan2"), (other, "veilother2")):
                await person.register(name)
            mine, his = me.user["id"], friend.user["id"]
            await me.post("/friends", {"user": his})
            for person in (friend, fan):
                await person.post("/friends", {"user": mine})

            async def invites(person: Person, **to: Any) -> Any:
                """Return code and facts of the refusal, None when the invitation came; it is withdrawn again."""
                try:
                    row = await person.post("/invites", {"game": "xiangqi", **to})
                except Refused as wrong:
                    return wrong.code, wrong.facts
                came = [each["id"] for each in (await me.get("/invites"))["rows"]]
                await person.post(f"/invites/{row['id']}/withdraw", {})
                return None if row["id"] in came else "not seen"

            no = ("NOT_ALLOWED", {"case": "invites"})
            for level, answers in (
                (None, [None, None]),
                ("friends", [None, no]),
                ("nobody", [no, no]),
                ("anyone", [None, None]),
            ):
                if level is not None:
                    await me.call("PATCH", "/me/settings", {"invited_by": level})
                assert [await invites(person, to=mine) for person in (friend, fan)] == answers, level
                assert await invites(fan) is None  # an open one is for all
            # In a group: who wants none is left out, the others are asked; where nobody is left there is no invitation.
            await fan.post("/friends", {"user": other.user["id"]})
            both = await fan.post("/groups", {"name": "both", "users": [mine, other.user["id"]]})
            alone = await fan.post("/groups", {"name": "alone", "users": [mine]})
            assert await invites(fan, group=both["id"]) is None
            await me.call("PATCH", "/me/settings", {"invited_by": "friends"})
            assert await invites(fan, group=both["id"]) == "not seen"
            row = await fan.post("/invites", {"game": "xiangqi", "group": both["id"]})
            assert row["group"] == 1
            assert row["id"] in [each["id"] for each in (await other.get("/invites"))["rows"]]
            assert await invites(fan, group=alone["id"]) == no

    run(visit)
