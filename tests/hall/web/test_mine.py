"""What a person owns: all of it as one file, and its end (platform P-96, walk W20); where coins are hidden (P-107)."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server, Table
from tests.hall.web.conftest import SETTINGS, run, shared
from tests.stores import beside, settings_of

from qipai import cli, records
from qipai.store.reader import STORE

pytestmark = pytest.mark.slow

PASSWORD = "correct horse"
ONE_HOUSE = "parcels_per_hour = 2\n[order]\nsame_address = true\n"


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator 'keeper'."""
    data = tmp_path_factory.mktemp("mine")
    (data / "hall.toml").write_text(SETTINGS + ONE_HOUSE + settings_of(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("keys of the house\n"))
        assert cli.main(["admin", "first", "keeper", "--data", str(data)]) == 0
    with shared(request, data, SETTINGS + ONE_HOUSE) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


async def room_of(person: Person, game: str, kind: str) -> int:
    rows = (await person.get(f"/rooms?game={game}"))["rows"]
    return next(int(row["room"]) for row in rows if row["kind"] == kind)


async def seated(people: list[Person], room: int, no: int) -> list[Table]:
    tables = [await person.join(100 * room + no) for person in people]
    for seat, table in enumerate(tables):
        await table.do("sit", seat=seat)
    return tables


async def played(people: list[Person], room: int, no: int) -> str:
    """Play a game of xiangqi of four moves that counts; the second resigns. Return its id."""
    tables = await seated(people, room, no)
    for table in tables:
        await table.do("ready", on=True)
    for table in tables:
        await table.until(lambda table: table.view)
    for seat, move in ((0, "h2e2"), (1, "h9g7"), (0, "h0g2"), (1, "i9h9")):
        await tables[seat].until(lambda table: table.ask)
        await tables[seat].act({"a": "move", "m": move})
    await tables[1].act({"a": "resign"})
    for table in tables:
        await table.until(lambda table: table.result)
    for table in tables:
        await table.do("stand")
    return str(tables[0].game["game_id"])


async def exported(person: Person) -> zipfile.ZipFile:
    answer = await person.http.get("/me/data")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip"), answer.text
    assert "attachment" in answer.headers["content-disposition"]
    found = zipfile.ZipFile(io.BytesIO(answer.content))
    assert found.testzip() is None
    return found


def part(zip: zipfile.ZipFile, name: str) -> Any:
    return json.loads(zip.read(name))


def test_all_that_is_mine_comes_as_one_file_and_goes_with_me(house: Server) -> None:
    """W20: what W1 to W9 leave behind of one user is in the zip; after the end, games stay under `deleted`."""

    async def visit() -> None:
        async with Person(house) as one, Person(house) as two, Person(house) as keeper:
            # W1: a game as a guest, who then becomes a user and keeps it.
            await one.guest()
            await one.line()
            table = await one.join((await one.post("/play", {"game": "xiangqi", "level": "easy"}))["table"])
            await table.until(lambda table: table.ask)
            await table.act({"a": "resign"})
            await table.until(lambda table: table.result)
            first = table.game["game_id"]
            await table.do("stand")
            await one.cut()
            await one.register("海潮mine", PASSWORD)
            await one.line()
            await two.register("minetwo")
            await two.line()
            await keeper.post("/login", {"name": "keeper", "password": "keys of the house"})
            mine, other = one.user["id"], two.user["id"]
            # W2, W6, W8: score, coins, the shop, a code.
            second = await played([one, two], await room_of(one, "xiangqi", "score"), 1)
            third = await played([two, one], await room_of(one, "xiangqi", "coin"), 1)
            await one.post("/shop", {"item": "member_days", "qty": 2})
            await keeper.post("/admin/codes", {"code": "PARCEL", "coins": 7})
            await one.post("/redeem", {"code": "PARCEL"})
            # Talk, friends, a report, a ruling, an invitation.
            room = await room_of(one, "xiangqi", "score")
            await one.answer_to({"t": "enter", "room": room})
            await one.command("say", to=f"room:{room}", text="a line of mine <b>")
            await two.answer_to({"t": "enter", "room": room})
            await two.command("say", to=f"room:{room}", text="a line of another")
            await one.post("/friends", {"user": other})
            await two.post("/friends", {"user": mine})
            await one.post("/reports", {"kind": "abuse", "user": other, "text": "he was rude"})
            await keeper.post(f"/moderation/users/{mine}", {"what": "warn", "reason": "be kind"})
            await one.post("/invites", {"game": "xiangqi", "to": other, "note": "again?"})
            await one.call("PATCH", "/me/settings", {"cloth": "umber"})
            token = (await one.post("/tokens", {"name": "my program", "scopes": ["play"]}))["token"]
            await keeper.post("/admin/roles", {"user": mine, "role": "moderator", "room": room})

            found = await exported(one)
            about = part(found, "about.json")
            assert (about["format"], about["user"]) == (1, mine)
            profile = part(found, "profile.json")
            assert (profile["name"], profile["settings"]["cloth"]) == ("海潮mine", "umber")
            assert "password" not in profile
            assert [row["room"] for row in profile["moderates"]] == [room]
            assert [login["name"] for login in profile["logins"] if login["kind"] == "token"] == ["my program"]
            assert profile["scores"]["xiangqi"] == {"score": 2, "won": 1, "lost": 1, "drawn": 0}
            assert profile["ratings"]["xiangqi"]["games"] == 2
            wallet = (await one.get("/me"))["coins"]
            assert profile["wallet"]["coins"] == wallet == 200 - 12 - 4 + 7
            games = part(found, "games.json")["rows"]
            assert [(row["id"], row["sign"]) for row in games] == [(first, -1), (second, 1), (third, -1)]
            for row in games:
                whole = part(found, f"games/xiangqi/{row['id']}.json")
                assert whole["game_id"] == row["id"]
                assert whole["rows"]
                assert {"pgn"} <= set(row["notations"])
                for notation in row["notations"]:
                    assert found.read(f"games/xiangqi/{row['id']}.{notation}")
            assert "海潮mine" in found.read(f"games/xiangqi/{second}.pgn").decode()
            lines = part(found, "ledger.json")["rows"]
            assert [line["reason"] for line in lines] == ["trial", "game", "member_days", "code"]
            assert [line["balance"] for line in lines] == [200, 188, 184, 191]
            assert [line["text"] for line in part(found, "chat.json")["rows"]] == ["a line of mine <b>"]
            friends = part(found, "friends.json")
            assert [row["name"] for row in friends["follows"]] == ["minetwo"]
            assert [row["name"] for row in friends["followers"]] == ["minetwo"]
            assert [row["text"] for row in part(found, "reports.json")["rows"]] == ["he was rude"]
            assert [row["reason"] for row in part(found, "rulings.json")["rows"]] == ["be kind"]
            assert [row["asked"]["note"] for row in part(found, "invitations.json")["rows"]] == ["again?"]
            assert "minetwo" not in json.dumps(part(found, "chat.json"))

            # The end: not without the password, not by a program, not in a running game without its price.
            for body, code in (
                ({"password": "wrong horse"}, "BAD_LOGIN"),
                ({}, "BAD_MESSAGE"),
            ):
                with pytest.raises(Refused, match=code):
                    await one.call("DELETE", "/me", body)
            async with Person(house, token=token) as program:
                with pytest.raises(Refused, match="NOT_ALLOWED"):
                    await program.call("DELETE", "/me", {"password": PASSWORD})
                with pytest.raises(Refused, match="NOT_ALLOWED"):
                    await program.get("/me/data")
            running = await seated([one, two], room, 2)
            for table in running:
                await table.do("ready", on=True)
            for table in running:
                await table.until(lambda table: table.view)
            with pytest.raises(Refused) as price:
                await one.call("DELETE", "/me", {"password": PASSWORD})
            assert (price.value.code, price.value.facts["score"]) == ("CONFIRM_QUIT", -2)
            sums = await keeper.get("/rankings/xiangqi?by=score")
            assert mine in [row["user"]["id"] for row in sums["rows"]]
            await one.call("DELETE", "/me", {"password": PASSWORD, "confirm": True})
            await running[1].until(lambda table: table.result)
            last = running[1].game["game_id"]

            # Sessions and tokens have ended, and the name leads nowhere.
            with pytest.raises(ConnectionError, match="4001"):
                await one.until(lambda: False)
            async with Person(house, token=token) as program:
                with pytest.raises(Refused, match="SIGN_IN"):
                    await program.get("/me")
            async with Person(house) as again:
                with pytest.raises(Refused, match="BAD_LOGIN"):
                    await again.post("/login", {"name": "海潮mine", "password": PASSWORD})
                with pytest.raises(Refused, match="NAME_TAKEN"):
                    await again.register("海潮MINE", PASSWORD)
            # No list names him, and nobody finds him.
            assert (await two.get(f"/rooms/{room}"))["info"]["moderators"] == []
            for path in ("/rankings/xiangqi?by=score", "/rankings/xiangqi?by=pass", "/players?limit=200", "/online"):
                assert mine not in [row["user"]["id"] for row in (await two.get(path))["rows"]], path
            assert (await two.get("/friends"))["rows"] == []
            assert (await two.get("/invites"))["rows"] == []
            for path in (f"/users/{mine}", f"/users/{mine}/games", f"/users/{mine}/statistics"):
                with pytest.raises(Refused, match="NOT_FOUND"):
                    await two.get(path)
            with pytest.raises(Refused, match="NOT_FOUND"):
                await two.post("/friends", {"user": mine})
            assert "a line of mine" not in json.dumps(await two.get(f"/rooms/{room}"))
            # The games stay, under `deleted`, that of which he went included.
            for game in (first, second, third, last):
                whole = await two.get(f"/g/{game}")
                names = [seat["user"]["name"] for seat in whole["seats"] if seat.get("user")]
                assert "deleted" in names
                assert "海潮mine" not in json.dumps(whole, ensure_ascii=False)
            pgn = (await two.http.get(f"/g/{second}?as=pgn")).text
            assert "deleted" in pgn
            assert "海潮mine" not in pgn
            rows = (await two.get(f"/users/{other}/games"))["rows"]
            assert {row["game_id"] for row in rows} == {second, third, last}

    run(visit)
    with beside(house.data) as db:
        for currency in ("coins", "hearts"):
            found = db.execute("SELECT coalesce(sum(amount), 0) FROM balances WHERE currency = ?", (currency,))
            assert found.fetchone()[0] == 0
        kept = db.execute("SELECT until - ? FROM kept_names", (int(time.time()),)).fetchall()
        assert len(kept) == 1
        assert 89 * 86400 < kept[0][0] <= 90 * 86400
        row = db.execute("SELECT name, password, email, settings FROM users WHERE deleted_at IS NOT NULL").fetchone()
        assert row == ("deleted", None, None, "{}")
        assert not db.execute("SELECT 1 FROM users WHERE name LIKE '%mine%' AND name != 'minetwo'").fetchone()


def test_a_name_is_free_again_when_its_time_is_over(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as two:
            await one.register("freedname", PASSWORD)
            await one.call("DELETE", "/me", {"password": PASSWORD})
            with pytest.raises(Refused, match="NAME_TAKEN"):
                await two.register("freedname", PASSWORD)
            with beside(house.data) as db:
                db.execute("UPDATE kept_names SET until = ? WHERE folded = 'freedname'", (int(time.time()) - 1,))
            assert (await two.register("freedname", PASSWORD)).user is not None

    run(visit)


def test_the_last_administrator_and_guests_stay(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as keeper, Person(house) as guest:
            await keeper.post("/login", {"name": "keeper", "password": "keys of the house"})
            with pytest.raises(Refused, match=r"NOT_ALLOWED.*last_admin"):
                await keeper.call("DELETE", "/me", {"password": "keys of the house"})
            await guest.guest()
            with pytest.raises(Refused, match="SIGN_IN"):
                await guest.call("DELETE", "/me", {"password": "anything"})
            assert part(await exported(guest), "games.json") == {"rows": []}

    run(visit)


@pytest.mark.calm  # a file that was lost on the way is counted all the same
def test_the_hall_plays_on_while_somebody_fetches_his_data(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as two:
            await one.register("fetcher", PASSWORD)
            await two.register("walker")
            fetching = asyncio.create_task(exported(one))
            answered = 0
            while not fetching.done():
                await two.get("/me")
                answered += 1
            assert part(await fetching, "profile.json")["name"] == "fetcher"
            assert answered > 1
            await exported(one)
            with pytest.raises(Refused, match="RATE_LIMIT"):
                await one.get("/me/data")

    run(visit)


def test_a_statement_shows_balances_game_by_game_and_as_a_table(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as two, Person(house) as keeper:
            await one.register("lines1")
            await two.register("lines2")
            await one.line()
            await two.line()
            await keeper.post("/login", {"name": "keeper", "password": "keys of the house"})
            game = await played([one, two], await room_of(one, "xiangqi", "coin"), 3)
            note = {"user": two.user["id"], "amount": 5, "note": '=HYPERLINK("x"), a "prize"'}
            await keeper.post("/admin/grants", note)
            found = await two.get("/ledger")
            assert [(row["reason"], row["amount"], row["balance"]) for row in found["rows"]] == [
                ("grant", 5, 193),
                ("game", -12, 188),
                ("trial", 200, 200),
            ]
            assert (found["games"], found["lost"], found["limit"]) == (["xiangqi"], 12, None)
            rows = (await two.get("/ledger?game=xiangqi"))["rows"]
            assert [(row["ref"], row["game"], row["balance"]) for row in rows] == [(game, "xiangqi", 188)]
            page = await two.get("/ledger?limit=1")
            assert [row["balance"] for row in (await two.get(f"/ledger?limit=1&after={page['next']}"))["rows"]] == [188]
            table = await two.http.get("/ledger?as=csv")
            assert table.headers["content-type"] == "text/csv; charset=utf-8"
            lines = table.text.removeprefix("\ufeff").splitlines()
            assert lines[0] == "id,at,currency,amount,balance,reason,game,ref"
            assert lines[1].endswith(""",coins,5,193,grant,,"'=HYPERLINK(""x""), a ""prize\"\"\"""")
            assert f",coins,-12,188,game,xiangqi,{game}" in lines[2]
            assert len(lines) == 4
            with pytest.raises(Refused, match="BAD_OPTION"):
                await two.get("/ledger?as=pdf")
            # A limit of his own: shown, and respected at the next table (P-107).
            await two.call("PATCH", "/me/settings", {"daily_loss": 10})
            assert (await two.get("/ledger"))["limit"] == 10
            coin = await two.join(100 * await room_of(one, "xiangqi", "coin") + 4)
            with pytest.raises(Refused, match="DAILY_LIMIT"):
                await coin.do("sit", seat=0)
            await two.call("PATCH", "/me/settings", {"daily_loss": None})
            await coin.do("sit", seat=0)

    run(visit)


def test_coin_rooms_are_hidden_from_who_says_he_is_a_minor(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one:
            await one.register("youngone")
            await one.line()
            room = await room_of(one, "xiangqi", "coin")
            await one.call("PATCH", "/me/settings", {"minor": True})
            assert "coin" not in {row["kind"] for row in (await one.get("/rooms"))["rows"]}
            assert (await one.get("/me"))["coins"] is None
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await one.get("/ledger")
            refused = await one.answer_to({"t": "enter", "room": room})
            assert (refused["code"], refused["facts"]) == ("NOT_ALLOWED", {"case": "minor"})
            table = await one.join(100 * room + 5)
            with pytest.raises(Refused, match="NOT_ALLOWED"):
                await table.do("sit", seat=0)
            await one.call("PATCH", "/me/settings", {"minor": False})
            await table.do("sit", seat=0)
            await table.do("stand")

    run(visit)


def test_a_profile_has_games_statistics_and_curves(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as two, Person(house) as nobody:
            await one.register("career1")
            await two.register("career2")
            await one.line()
            await two.line()
            room = await room_of(one, "xiangqi", "score")
            ids = [await played(pair, room, 5 + n) for n, pair in enumerate(([one, two], [one, two], [two, one]))]
            mine, other = one.user["id"], two.user["id"]
            rows = (await one.get(f"/users/{mine}/games"))["rows"]
            assert sorted(row["game_id"] for row in rows) == sorted(ids)
            assert sorted(row["sign"] for row in rows) == [-1, 1, 1]
            assert {row["score"] for row in rows} == {2, -2}
            assert {player["user"]["name"] for player in rows[0]["players"]} == {"career1", "career2"}
            page = await one.get(f"/users/{mine}/games?limit=2&with={other}")
            assert (len(page["rows"]), page["next"]) == (2, "2")
            assert len((await one.get(f"/users/{mine}/games?limit=2&after=2"))["rows"]) == 1
            assert (await one.get(f"/users/{mine}/games?game=gouji"))["rows"] == []
            assert (await one.get(f"/users/{mine}/games?with=1"))["rows"] == []
            for bad in ("game=chess", "with=x", "limit=0"):
                with pytest.raises(Refused, match="BAD_"):
                    await one.get(f"/users/{mine}/games?{bad}")
            curve = await one.get(f"/users/{mine}/ratings?pool=xiangqi")
            shown = (await one.get(f"/users/{mine}"))["ratings"]["xiangqi"]["rating"]
            assert (len(curve["rows"]), curve["rows"][-1][1]) == (3, shown)
            found = await one.get(f"/users/{mine}/statistics")
            (row,) = found["rows"]
            assert row["all"] == {"won": 2, "lost": 1, "drawn": 0}
            assert row["percent"] == {"won": "66.66", "lost": "33.33", "drawn": "0.00"}
            assert sum(each["won"] + each["lost"] for each in row["seats"].values()) == 3
            assert list(row["variants"]) == [""]
            assert len(row["months"]) == 1
            assert [(met["user"]["name"], met["ahead"], met["behind"]) for met in found["met"]] == [("career2", 2, 1)]
            to_him = await two.get(f"/users/{mine}/statistics")
            assert [(met["user"]["name"], met["ahead"], met["behind"]) for met in to_him["met"]] == [("career1", 1, 2)]
            stranger = await nobody.get(f"/users/{mine}/statistics")
            assert stranger["met"] == []
            home = await one.get("/home")
            assert home["tables"] == []

    run(visit)


def test_the_rated_games_of_a_month_are_for_everybody(house: Server, tmp_path: Path) -> None:
    ids: list[str] = []

    async def visit() -> None:
        async with Person(house) as one, Person(house) as two:
            await one.register("dumped1")
            await two.register("dumped2")
            await one.line()
            await two.line()
            ids.append(await played([one, two], await room_of(one, "xiangqi", "score"), 20))
            ids.append(await played([one, two], await room_of(one, "xiangqi", "friendly"), 20))

    run(visit)
    month, to = time.strftime("%Y-%m", time.gmtime()), house.data / "dumps"
    assert cli.main(["dump", month, "--data", str(house.data)]) == 0

    async def look() -> Any:
        async with Person(house) as nobody:
            found = await nobody.get("/open-data")
            name = next(file["name"] for file in found["months"][0]["files"] if file["game"] == "xiangqi")
            got = await nobody.http.get(f"/open-data/{name}")
            assert got.content == (to / name).read_bytes()
            assert await nobody.get(f"/open-data/{month}.json") == found["months"][0]
            for other in (f".{month}.named.json", "..%2Fhall.sqlite", "hall.toml"):
                assert (await nobody.http.get(f"/open-data/{other}")).status_code == 404
            return found, name

    found, name = run(look)
    of = records.month(to / f"{month}.json")
    assert records.intact(to / name, of)
    assert not of.whole  # it is not over
    rated = [*records.read(to / name)]
    assert found["games"] == sum(file.games for file in of.files) >= len(rated)
    plain = gzip.decompress((to / name).read_bytes()).decode()
    for secret in (*ids, "dumped1", "dumped2", "server_seed", "table"):
        assert secret not in plain
    assert all(records.verified(game) is not None for game in rated)
    assert {seat.kind for game in rated for seat in game.seats} <= {"letters", "deleted", "bot"}
    assert cli.main(["dump", "2026-13", "--data", str(house.data)]) == 1
    assert cli.main(["dump", "2001-01", "--to", str(tmp_path), "--data", str(house.data)]) == 0
    os.environ.pop(STORE, None)  # of the hall before: each command is a process
    assert cli.main(["dump", month, "--data", str(tmp_path)]) == 1


def test_what_was_played_and_paid_is_made_again_to_the_same_bytes(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """P-116 and P-96 through the log: a match of backgammon is rated by FIBS, too, and who is gone stays gone."""
    books = ("parts", "transfers", "balances", "ratings", "scores", "departed", "members")

    def read(data: Path) -> dict[str, list[Any]]:
        with beside(data) as db:
            return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() if name != "departed" else
                    db.execute("SELECT * FROM departed").fetchall() for name in books}  # fmt: skip

    with shared(request, tmp_path / "hall", SETTINGS) as server:

        async def visit() -> None:
            async with Person(server) as one, Person(server) as two:
                await one.register("fibsone")
                await two.register("fibstwo")
                await one.line()
                await two.line()
                tables = await seated([one, two], await room_of(one, "backgammon", "score"), 1)
                for table in tables:
                    await table.do("ready", on=True)
                done = [0, 0]
                while min(done) < 2:
                    for seat, table in enumerate(tables):
                        if table.at.get("ask") and table.legal and table.legal["list"]:
                            await table.act(table.legal["list"][0])
                            done[seat] += 1
                    await asyncio.sleep(0)
                await tables[1].do("stand", confirm=True)
                await tables[0].until(lambda table: table.result)
                paid = tables[0].result["paid"]
                assert [(each["fibs"]["shown"], each["fibs"]["experience"]) for each in paid] == [(1510, 1), (1490, 1)]
                shown = (await one.get(f"/users/{one.user['id']}"))["ratings"]
                assert shown["backgammon/fibs"] == {"rating": 1510, "deviation": None, "sure": False, "games": 1}
                assert "backgammon/fibs" in (await one.get("/rankings/backgammon?by=rating"))["pools"]
                for person, points in ((one, [1510]), (two, [1490])):
                    curve = await one.get(f"/users/{person.user['id']}/ratings?pool=backgammon/fibs")
                    assert [point for _at, point in curve["rows"]] == points
                await played([one, two], await room_of(one, "xiangqi", "score"), 1)
                assert "fibs" not in tables[0].result["paid"][0] or tables[0].info["game"] == "backgammon"
                await two.call("DELETE", "/me", {"password": PASSWORD})

        run(visit)
        assert server.stop() == 0
        before = read(server.data)
        assert all(before[name] for name in books if name != "members")
        assert cli.main(["rebuild", "--data", str(server.data)]) == 0
        assert read(server.data) == before
