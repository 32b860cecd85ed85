"""Analyses of finished games: asked once, kept, gone on with after a kill; none of a game that goes on (P-103)."""

from __future__ import annotations

import asyncio
import base64
import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server, chosen
from tests.hall.web.conftest import SETTINGS, run
from tests.hall.web.test_brought import MAT, PGN, bring
from tests.hall.web.test_pages import Somebody, id_of, somebody

from qipai.core.entry import Record
from qipai.games.xiangqi.notation.formats import RECORDS
from qipai.games.xiangqi.position import apply, format_fen, legal_moves, parse_fen

FEW = SETTINGS + "\n[analyses]\nwaiting_own = 2\nwaiting = 3\n"


def brought(http: Somebody, text: bytes) -> str:
    return str(bring(http, text).json()["rows"][0]["kept"]["id"])


def pgn(move: str = "马二进三") -> bytes:
    return PGN.replace("MOVE", move).encode("gb18030")


def done(http: Somebody, game: str) -> Any:
    """Return an analysis once it is there."""
    while (found := http.ask(f"/g/{game}/analysis"))["state"] in ("waiting", "running"):
        assert found["done"] <= found["of"] or found["of"] == 0
        time.sleep(0.3)
    return found


def test_it_is_made_once_survives_a_kill_and_its_lines_stand_beside_the_record(tmp_path: Path) -> None:
    server = Server(tmp_path, FEW)
    server.start()
    with somebody(server, "lin") as one, somebody(server, "yuan") as two, Somebody(base_url=server.url) as guest:
        games = [brought(one, pgn(move)) for move in ("马二进三", "车一进一", "兵七进一")]
        games.append(brought(two, MAT.encode()))
        assert one.ask(f"/g/{games[0]}/analysis")["state"] == "none"
        assert guest.refused(f"/g/{games[0]}/analysis")[0] == "SIGN_IN"
        for path in ("/g/nosuchgame/analysis", f"/g/{games[0]}/analysis/1/steps"):
            assert one.refused(path, "GET")[0] == "NOT_FOUND"
        one.do(f"/g/{games[0]}/analysis")
        one.do(f"/g/{games[0]}/analysis")
        one.do(f"/g/{games[1]}/analysis")
        last = [one.refused(f"/g/{games[2]}/analysis")] if one.ask(f"/g/{games[0]}/analysis")["state"] != "done" else []
        assert all(refused == ("LIMIT_REACHED", {"case": "analyses", "most": 2}) for refused in last)
        two.do(f"/g/{games[3]}/analysis")
    server.kill()
    server.start()
    with somebody(server, "lin", new=False) as one:
        for game in (*games[:2], games[3]):
            found = done(one, game)
            assert found["state"] == "done", found
        analysis = done(one, games[0])["analysis"]
        assert (analysis["by"], analysis["unit"], len(analysis["rows"])) == ("qipai", "win", 4)
        assert len(analysis["accounts"]) == 2
        before = one.ask(f"/g/{games[0]}")
        row = next(row for row in analysis["rows"] if row["line"])
        frames = one.ask(f"/g/{games[0]}/analysis/{row['n']}/steps")["rows"]
        assert [frame["n"] for frame in frames] == list(range(row["n"] - 1, row["n"] + len(row["line"])))
        assert "fen" in frames[0]["views"][0]  # the first has the whole view
        assert one.ask(f"/g/{games[0]}") == before
        again = one.do(f"/g/{games[0]}/analysis")
        assert (again["state"], again["analysis"]) == ("done", analysis)
        # Games from files are nobody's deals.
        page = one.ask(f"/users/{id_of(one)}/skill")
        assert (page["months"], page["rows"], page["unanalysed"]) == ([], [], 0)
    assert server.stop() == 0


def test_nothing_of_a_running_game_can_be_had_and_afterwards_it_counts(tmp_path: Path) -> None:
    async def visit(server: Server, name: str) -> tuple[str, int] | None:
        async with Person(server) as one:
            await one.register(name)
            await one.line()
            me = (await one.get("/me"))["user"]["id"]
            at = (await one.post("/play", {"game": "xiangqi", "level": "easy"}))["table"]
            table = await one.join(at)
            await chosen(table, random.Random(3), lambda t: t.result or (t.view and len(t.view["plies"]) >= 12))
            if table.result:  # who moves at random may be mated by then
                return None
            game = table.game["game_id"]
            for method in (one.get, lambda path: one.post(path)):
                with pytest.raises(Refused) as refused:
                    await method(f"/g/{game}/analysis")
                assert refused.value.code == "NOT_FOUND"
            # Its moves may be kept as a file, as any text may; an engine's word on them there is not.
            rows = tuple((n % 2, {"a": "move", "m": ply["m"]}, 0) for n, ply in enumerate(table.view["plies"]))
            text = RECORDS.formats["pgn"](Record(game="xiangqi", options={}, rows=rows, players=("a", "b")))
            data = base64.b64encode(text.encode()).decode()
            copy = (await one.post("/brought", {"data": data}))["rows"][0]["kept"]["id"]
            with pytest.raises(Refused) as refused:
                await one.post(f"/g/{copy}/analysis")
            assert (refused.value.code, refused.value.facts) == ("GAME_RUNNING", {"case": "analysis"})
            # Nor on where it stands, by whatever way a file comes there; the mirror image is the same.
            board, side, _ = table.view["fen"].split(" ", 2)
            mirrored = "/".join(rank[::-1] for rank in board.split("/"))
            for cells in (board, mirrored):
                fen = f"{cells} {side} - - 7 90"
                move = str(next(iter(legal_moves(parse_fen(fen)))))
                text = f'[Game "Chinese Chess"]\n[FEN "{fen}"]\n\n1. {move[:2]}-{move[2:]} *\n'
                data = base64.b64encode(text.encode()).decode()
                copy = (await one.post("/brought", {"data": data}))["rows"][0]["kept"]["id"]
                with pytest.raises(Refused) as refused:
                    await one.post(f"/g/{copy}/analysis")
                assert refused.value.code == "GAME_RUNNING"
                with pytest.raises(Refused) as refused:  # a bot would answer
                    await one.post(f"/g/{copy}/whatif", {"n": 0, "seat": 1, "level": "strong"})
                assert refused.value.code == "GAME_RUNNING"
            assert (await one.get(f"/users/{me}/skill"))["unanalysed"] == 0
            await table.do("stand", confirm=True)
            return game, me

    with Server(tmp_path, SETTINGS) as server:
        visits = ((name, run(partial(visit, server, name))) for name in ("runs", "runs2", "runs3"))
        name, (game, me) = next((name, found) for name, found in visits if found is not None)
        with somebody(server, name, new=False, password="correct horse") as one, somebody(server, "other") as two:
            assert one.ask(f"/users/{me}/skill")["unanalysed"] == 1
            assert one.do("/me/analyses") == {"games": 1}
            found = done(one, game)
            assert found["state"] == "done"
            page = two.ask(f"/users/{me}/skill", game="xiangqi")
            (row,) = page["rows"]
            assert (row["id"], row["unit"], page["unanalysed"]) == (game, "win", 0)
            assert page["months"][0]["accuracy"]["mean"] == row["accuracy"]
            assert two.refused(f"/users/{me}/skill?game=chess", "GET")[0] == "BAD_OPTION"
            one.do("/me/settings", "PATCH", show_wins="me")
            assert two.refused(f"/users/{me}/skill", "GET")[0] == "NOT_ALLOWED"
            assert one.ask(f"/users/{me}/skill")["rows"]
        assert server.complaints() == ""


def test_nobody_gets_advice_where_a_game_of_people_stands(tmp_path: Path) -> None:
    async def visit(server: Server) -> None:
        async with Person(server) as one, Person(server) as two, Person(server) as friend:
            for person, name in ((one, "first"), (two, "second"), (friend, "friend")):
                await person.register(name)
                await person.line()
            other = (await two.get("/me"))["user"]["id"]
            invite = (await one.post("/invites", {"game": "xiangqi", "clock": {"type": "none"}, "to": other}))["id"]
            at = (await two.post(f"/invites/{invite}/accept"))["table"]
            tables = [await one.join(at), await two.join(at)]
            done = partial(chosen, over=lambda table: table.view and len(table.view["plies"]) >= 12)
            await asyncio.gather(*(done(table, random.Random(n)) for n, table in enumerate(tables)))
            fen = tables[0].view["fen"]
            body = {"game": "xiangqi", "start": fen, "seat": 0 if fen.split()[1] == "w" else 1}
            with pytest.raises(Refused) as refused:
                await friend.post("/sandbox/advice", body)
            assert (refused.value.code, refused.value.facts) == ("GAME_RUNNING", {"case": "analysis"})
            with pytest.raises(Refused) as refused:  # whether one move is best there is an engine's word, too
                await friend.post("/problems", {"game": "xiangqi", "start": fen})
            assert refused.value.code == "GAME_RUNNING"
            with pytest.raises(Refused) as refused:  # and who plays asks of no position at all
                await one.post("/problems", {"game": "xiangqi", "start": "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"})
            assert (refused.value.code, refused.value.facts) == ("NOT_ALLOWED", {"case": "advice"})
            # Nor does a bot that is set before it, or before the moves that led there.
            before = parse_fen(tables[0].view["start"])
            for ply in tables[0].view["plies"][:-1]:
                before = apply(before, ply["m"])
            for start in (fen, format_fen(before)):
                with pytest.raises(Refused) as refused:
                    await friend.post("/play", {"game": "xiangqi", "level": "strong", "start": start, "seat": 1})
                assert refused.value.code == "GAME_RUNNING"
            move = str(next(iter(legal_moves(parse_fen(fen)))))
            moved = [{"seat": body["seat"], "a": {"a": "move", "m": move}}]
            answer = await friend.post("/sandbox/advice", {**body, "seat": 1 - body["seat"], "moves": moved})
            assert answer["action"]["a"] == "move"
            # A game from a position that somebody has set up is analysed, and is nobody's skill.
            mate = {"game": "xiangqi", "level": "easy", "start": "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1"}
            table = await friend.join((await friend.post("/play", mate))["table"])
            await table.until(lambda t: t.ask)
            game = table.game["game_id"]
            await table.act({"a": "move", "m": "b0b9"})
            await friend.post(f"/g/{game}/analysis")
            while (found := await friend.get(f"/g/{game}/analysis"))["state"] in ("waiting", "running"):
                await asyncio.sleep(0.2)
            me = (await friend.get("/me"))["user"]["id"]
            assert (found["state"], (await friend.get(f"/users/{me}/skill"))["rows"]) == ("done", [])

    with Server(tmp_path, SETTINGS) as server:
        run(lambda: visit(server))
        assert server.complaints() == ""
