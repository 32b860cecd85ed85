"""Problems over HTTP: the day's, answers that count once, a kill in between, positions that are published (P-102)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.client import Person, Refused, Server, Table
from tests.hall.web.conftest import SETTINGS, run
from tests.hall.web.test_pages import Somebody, somebody

from qipai import games
from qipai.core.problems import Problem, shipped


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("problems")
    with Server(data, SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def solution_of(id: int) -> Problem:
    """Return the problem behind a number: those that come with the games were written down in order."""
    every = [one for name in games.names() for one in shipped(games.find(name))]
    return every[id - 1]


def test_the_day_has_a_problem_of_each_game_for_everybody(house: Server) -> None:
    with somebody(house, "early") as early, Somebody(base_url=house.url) as nobody:
        page = nobody.ask("/problems")
        assert [row["game"] for row in page["games"]] == [
            name for name in games.names() if games.find(name).problems is not None
        ]
        assert all(row["problem"]["today"] and row["problem"]["done"] is None for row in page["games"])
        assert early.ask("/problems")["games"] == page["games"]
        rows = nobody.ask("/problems/xiangqi", limit=5)
        assert len(rows["rows"]) == 5
        more = nobody.ask("/problems/xiangqi", limit=5, after=rows["next"])["rows"]
        assert max(row["id"] for row in more) < min(row["id"] for row in rows["rows"])
        assert nobody.refused("/problems/chess", "GET") == ("NOT_FOUND", {})
        assert nobody.refused("/problems/99999", "GET") == ("NOT_FOUND", {})


def test_a_learner_sees_what_the_seat_knows_and_no_solution(house: Server) -> None:
    with Somebody(base_url=house.url) as nobody:
        for row in nobody.ask("/problems")["games"]:
            id, hidden = row["problem"]["id"], not games.find(row["game"]).problems.open  # type: ignore[union-attr]
            page = nobody.ask(f"/problems/{id}")
            assert (page["start"] is None) == hidden
            looked = nobody.do(f"/problems/{id}/look")
            assert {one["seat"] for one in looked["asked"]} == {page["seat"]} or not hidden
            if hidden:
                assert (looked["views"], looked["text"]) == ([], None)


def test_a_first_answer_counts_once_for_both_even_after_a_kill(house: Server) -> None:
    with somebody(house, "solver") as solver:
        id = solver.ask("/problems")["games"][0]["problem"]["id"]
        one = solution_of(id)
        path = f"/problems/{id}/answer"
        assert solver.refused(path, a={"a": "nonsense"}) == ("BAD_MESSAGE", {"field": "a"})
        assert solver.ask(f"/problems/{id}")["row"]["tried"] == 0
        wrong = solver.do(path, a=one.choices[-1].a, cid="first")
        assert (wrong["right"], wrong["first"], wrong["rated"], wrong["solution"]) == (False, True, True, [])
        assert wrong["choice"]["behind"] > 0
        assert wrong["after"] < wrong["before"] == 1500
        assert wrong["row"]["rating"] > one.first
        house.kill()
        house.start()
    with somebody(house, "solver", new=False) as solver:
        again = solver.do(path, a=one.choices[-1].a, cid="first")
        assert {name: again[name] for name in wrong} == wrong
        right = solver.do(path, a=one.choices[0].a, cid="second")
        assert (right["right"], right["first"], right["rated"], right["streak"]) == (True, False, False, 1)
        assert [choice["said"] for choice in right["solution"]] == [choice.said for choice in one.choices[: one.good]]
        assert (right["row"]["tried"], right["row"]["solved"], right["row"]["done"]) == (1, 0, True)
        me = solver.ask("/problems")["games"][0]["me"]
        assert (me["tried"], me["solved"], me["rating"], me["streak"]) == (1, 0, wrong["after"], 1)
        assert solver.do(path, a=one.choices[0].a)["streak"] == 1


def test_guests_and_those_who_give_up(house: Server) -> None:
    with Somebody(base_url=house.url) as guest, somebody(house, "quitter") as quitter:
        guest.do("/guest")
        id = guest.ask("/problems")["games"][1]["problem"]["id"]
        before = guest.ask(f"/problems/{id}")["row"]
        seen = guest.do(f"/problems/{id}/answer")
        assert (seen["right"], seen["rated"], bool(seen["solution"])) == (False, False, True)
        assert {**guest.ask(f"/problems/{id}")["row"], "done": None} == before
        given = quitter.do(f"/problems/{id}/answer")
        assert (given["rated"], given["right"], bool(given["solution"])) == (True, False, True)
        assert guest.refused("/problems", game="xiangqi", start="x")[0] == "SIGN_IN"
        assert guest.refused("/me/problems")[0] == "SIGN_IN"


def another() -> dict[str, Any]:
    """Return a position that is a problem and none of those that are here: one of them with two faces exchanged."""
    one = shipped(games.find("lianliankan"))[0]
    board, _, rest = one.start.partition(" ")
    swap = {"1": "2", "2": "1"}
    rows = "/".join(",".join(swap.get(face, face) for face in row.split(",")) for row in board.split("/"))
    start = f"{rows} {rest}".strip()
    return {"game": "lianliankan", "options": one.options, "seats": 1, "start": start, "title": "A <b>jam</b>"}


def test_a_position_is_published_when_one_choice_is_best(house: Server) -> None:
    form = another()
    good = shipped(games.find("lianliankan"))[0].choices[0].a
    with somebody(house, "author") as author, somebody(house, "reader") as reader:
        assert author.refused("/problems", game="xiangqi", start="no board") == ("BAD_POSITION", {"why": "bad_fen"})
        assert author.refused("/problems", **{**form, "game": "chess"}) == ("BAD_OPTION", {"field": "game"})
        assert author.refused("/problems", **{**form, "options": {"x": 1}})[0] == "BAD_OPTION"
        plain = {**form, "start": "1,1,2,2,3,3/0,0,0,0,0,0"}
        assert author.refused("/problems", **plain) == ("BAD_POSITION", {"why": "too_many_good", "n": 3})
        id = author.do("/problems", **form, cid="a")["problem"]
        assert author.do("/problems", **form, cid="a")["problem"] == id
        assert reader.do("/problems", **form)["problem"] == id, "the same position is the same problem"
        shown = reader.ask(f"/problems/{id}")
        assert (shown["row"]["title"], shown["row"]["author"]["name"]) == ("A <b>jam</b>", "author")
        own = author.do(f"/problems/{id}/answer", a=good)
        assert (own["right"], own["rated"]) == (True, False), "nobody is rated at their own problem"
        assert reader.do(f"/problems/{id}/answer", a=good)["rated"] is True
        assert reader.do("/reports", kind="abuse", ref=f"problem:{id}", text="look")["report"]
        assert reader.refused(f"/problems/{id}", "DELETE")[0] == "NOT_FOUND"
        author.do(f"/problems/{id}", "DELETE")
        assert reader.refused(f"/problems/{id}", "GET") == ("NOT_FOUND", {})
        assert author.do("/me/problems") == {"problems": [], "looked": 0, "games": 0}


def after(n: int, table: Table) -> bool:
    return bool(table.view) and len(table.view["plies"]) == n


# Red overlooks at row 5 that the cannon takes the horse with check.
OVERLOOKED = ("h2h5", "b7e7", "h5c5", "h7g7", "c5f5")
MISSED = "炮七进四"


def test_my_mistakes_become_problems_for_me_alone(house: Server) -> None:
    async def visit() -> None:
        async with Person(house) as one, Person(house) as two:
            for person, name in ((one, "hasty"), (two, "lucky")):
                await person.register(name)
                await person.line()
            other = (await two.get("/me"))["user"]["id"]
            invite = (await one.post("/invites", {"game": "xiangqi", "clock": {"type": "none"}, "to": other}))["id"]
            at = (await two.post(f"/invites/{invite}/accept"))["table"]
            tables = [await one.join(at), await two.join(at)]
            for n, move in enumerate(OVERLOOKED):
                for table in tables:
                    await table.until(partial(after, n))
                mover = next(table for table in tables if table.view["you"] == n % 2)
                await mover.until(lambda t: t.ask)
                await mover.act({"a": "move", "m": move})
            red, black = (one, two) if tables[0].view["you"] == 0 else (two, one)
            game = tables[0].game["game_id"]
            assert (await red.post("/me/problems", {}))["looked"] == 0, "nobody has analysed it yet"
            await next(table for table in tables if table.view["you"] == 0).act({"a": "resign"})
            await red.post(f"/g/{game}/analysis")
            while (found := await red.get(f"/g/{game}/analysis"))["state"] in ("waiting", "running"):
                await asyncio.sleep(0.2)
            wrong = next(row for row in found["analysis"]["rows"] if row["n"] == len(OVERLOOKED))
            assert (wrong["mark"], wrong["best"]) == ("blunder", MISSED)
            made = await red.post("/me/problems", {"game": "xiangqi"})
            assert made["games"] == 1
            assert (await red.post("/me/problems", {}))["problems"] == made["problems"], "each mistake once"
            mine = {row["id"]: row for row in (await red.get("/problems"))["mine"]}
            assert set(mine) == set(made["problems"])
            pages = [await red.get(f"/problems/{id}") for id in made["problems"]]
            (page,) = [page for page in pages if page["origin"] == f"{game}:{len(OVERLOOKED)}"]
            id = page["row"]["id"]
            assert (page["seat"], page["row"]["source"]) == (0, "mistake")
            # What was played is wrong again, what was missed is right, and neither changes a rating.
            again = await red.post(f"/problems/{id}/answer", {"a": {"a": "move", "m": OVERLOOKED[-1]}})
            assert (again["right"], again["rated"], again["choice"]["behind"] > 20) == (False, False, True)
            right = await red.post(f"/problems/{id}/answer", {"a": {"a": "move", "m": "c5c9"}})
            assert (right["right"], right["rated"], right["solution"][0]["said"]) == (True, False, MISSED)
            assert (await red.get("/problems"))["games"][0]["me"] is None
            # Nobody else gets it, not even who sat opposite.
            for path in (f"/problems/{id}", f"/problems/{id}/look", f"/problems/{id}/answer"):
                with pytest.raises(Refused) as refused:
                    await (black.get(path) if path.endswith(str(id)) else black.post(path, {}))
                assert refused.value.code == "NOT_FOUND"
            assert id not in {row["id"] for row in (await black.get("/problems/xiangqi"))["rows"]}

    run(visit)
