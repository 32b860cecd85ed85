"""First lessons over HTTP, and the steps that people have done (platform P-73)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.client import Server
from tests.hall.web.conftest import SETTINGS
from tests.hall.web.test_pages import Somebody, id_of, somebody


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("lessons"), SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


def test_anybody_goes_through_a_lesson(hall: Server) -> None:
    with Somebody(base_url=hall.url) as nobody:
        assert "gouji" in [row["game"] for row in nobody.ask("/learn")["rows"]]
        page = nobody.ask("/learn/gouji", lang="zh-CN")
        steps = {step["name"]: step for step in page["steps"]}
        assert next(iter(steps)) == "goal"
        assert (
            page["words"]["gouji.lesson.goal.say"]
            != nobody.ask("/learn/gouji", lang="en")["words"]["gouji.lesson.goal.say"]
        )
        # What the others hold is not for the learner to know.
        view = steps["lead"]["moments"][0]["view"]
        assert view["hand"] == "333799JK2"
        assert "4458TQA" not in json.dumps(view)

        good = nobody.do("/learn/gouji/lead", action={"a": "play", "cards": "333"})
        assert (good["good"], good["answer"]) == (True, "good")
        split = nobody.do("/learn/gouji/lead", action={"a": "play", "cards": "3"})
        assert (split["good"], split["answer"], split["after"]) == (False, "split", None)
        refused = nobody.do("/learn/gouji/lead", action={"a": "play", "cards": "37"})
        assert refused["refusal"]["code"] == "not_a_set"

        done: list[Any] = []
        while True:
            moments = nobody.do("/learn/gouji/deal/deal", done=done)
            if moments["points"] is not None:
                break
            done.append(nobody.do("/learn/gouji/deal/advice", done=done)["action"])
        assert moments["points"] >= 0
        assert nobody.do("/learn/gouji/deal/advice", done=done)["action"] is None


def test_what_is_no_lesson_and_no_action_is_refused(hall: Server) -> None:
    with Somebody(base_url=hall.url) as nobody:
        assert nobody.refused("/learn/whist", "GET")[0] == "NOT_FOUND"
        assert nobody.refused("/learn/gouji?lang=../x", "GET") == ("BAD_OPTION", {"field": "lang"})
        for path in ("/learn/gouji/goal", "/learn/gouji/nothing", "/learn/whist/lead"):
            assert nobody.refused(path, action={"a": "pass"})[0] == "NOT_FOUND"
        assert nobody.refused("/learn/gouji/lead/deal", done=[])[0] == "NOT_FOUND"
        assert nobody.refused("/learn/gouji/goal/advice", done=[])[0] == "NOT_FOUND"
        assert nobody.refused("/learn/gouji/deal/deal", done=[{}] * 501)[0] == "BAD_MESSAGE"
        assert nobody.refused("/learn/gouji/lead")[0] == "BAD_MESSAGE"
        nonsense: Any
        for nonsense in (None, [], {"a": "dance"}, {"a": "play", "cards": "?" * 1000}):
            assert nobody.do("/learn/gouji/lead", action=nonsense)["refusal"] is not None
            assert nobody.do("/learn/gouji/deal/deal", done=[nonsense])["refusal"] is not None


def test_the_steps_of_two_devices_are_united(hall: Server) -> None:
    with Somebody(base_url=hall.url) as guest:
        guest.do("/guest")
        assert guest.refused("/me/lessons", done={})[0] == "SIGN_IN"
    with somebody(hall, "learner") as phone, somebody(hall, "learner", new=False) as desk:
        assert phone.do("/me/lessons", done={"gouji": ["sides", "goal"]})["done"] == {"gouji": ["goal", "sides"]}
        # What another device has kept takes nothing away; what is no step is left out.
        sent = {"gouji": ["lead", "no such step"], "xiangqi": ["goal"], "whist": ["goal"]}
        united = {"gouji": ["goal", "sides", "lead"], "xiangqi": ["goal"]}
        assert desk.do("/me/lessons", done=sent)["done"] == united
        assert phone.ask("/me/lessons")["done"] == united
        assert phone.refused("/me/lessons", done={"gouji": ["x"] * 101})[0] == "BAD_MESSAGE"
        assert id_of(phone) == id_of(desk)
        phone.do("/me", "DELETE", password="long enough", confirm=True)
    with somebody(hall, "another") as http:
        assert http.ask("/me/lessons")["done"] == {}
