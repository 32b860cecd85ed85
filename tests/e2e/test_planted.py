"""What people plant in any field of the community runs in nobody's browser, on none of the pages that show it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house

HARM = "<img src=x onerror=harm()>[x](javascript:harm())<script>harm()</script>"
SHORT = "<b onclick=harm()>"
ARMED = "window.harmed = 0; window.harm = () => { window.harmed += 1; };"
TERMS = {"game": "xiangqi", "clock": {"type": "days", "days": 3}, "rated": False}
CUP = {"format": "knockout", "terms": TERMS, "min_players": 2, "max_players": 4, "start": "full"}
# What no page may have: these come from planted words alone.
PLANTED = "img[src='x'], script:not([src]), [onerror], [onclick], a[href^='javascript:' i]"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with an administrator."""
    with open_house(tmp_path_factory.mktemp("planted")) as server:
        yield server


def done(person: Guest, path: str, body: Any = None) -> Any:
    """Call the hall, and return its answer, which is no refusal."""
    answer = person.call(path, body)
    assert "error" not in answer, (path, answer)
    return answer


def plant(keeper: Guest, writer: Guest) -> list[str]:
    """Write planted words into every field; return the pages that show them."""
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(picture, "PNG")
    club = done(writer, "/clubs", {"name": SHORT, "text": HARM, "closed": False})["club"]["id"]
    done(writer, f"/clubs/{club}/news", {"title": HARM[:60], "text": HARM})
    done(writer, f"/clubs/{club}/teams", {"game": "xiangqi", "name": SHORT})
    done(writer, f"/mail/{keeper.id}", {"text": HARM})
    shown = writer.picture(picture.getvalue())
    album = done(writer, "/albums", {"name": SHORT})["id"]
    done(writer, f"/pictures/{shown}", {"caption": HARM, "visible": "public", "album": album})
    done(writer, f"/pictures/{shown}/comments", {"text": HARM})
    thread = done(writer, "/boards/general", {"title": HARM[:70], "text": f"{HARM}\n\n> {HARM}\n\n@{SHORT} `{HARM}`"})
    tip = done(writer, "/tips", {"zh": HARM, "en": HARM})["id"]
    done(keeper, f"/tips/{tip}/take", {})
    done(keeper, "/pages/links/zh-CN", {"text": HARM, "was": done(keeper, "/pages/links/zh-CN")["version"]})
    cup = done(writer, "/tournaments", {"form": {**CUP, "name": SHORT}})["number"]
    done(writer, "/reports", {"kind": "abuse", "user": keeper.id, "ref": f"post:{thread['post']}", "text": HARM})
    return [
        *("/clubs", f"/clubs/{club}", f"/clubs/{club}/people", f"/clubs/{club}/teams", f"/boards/club-{club}"),
        *(f"/mail/{writer.id}", "/mail", "/news", "/events", f"/users/{writer.id}", f"/users/{writer.id}/album"),
        *(f"/pictures/{shown}", "/boards", "/boards/general", f"/threads/{thread['thread']}", "/search?q=harm"),
        *("/tips", "/", "/links", "/tournaments", f"/tournaments/{cup}", "/moderation"),
    ]


def test_planted_words_stay_words_on_every_page(window: Callable[..., Page], house: Server) -> None:
    pages = [window(1280, 800) for _ in range(2)]
    for page in pages:
        page.add_init_script(ARMED)
    keeper, writer = Guest(pages[0], house, KEEPER, known=True), Guest(pages[1], house, "写手")
    for path in plant(keeper, writer):
        keeper.see(path)
        expect(keeper.page.locator("main")).to_be_visible()
        assert keeper.page.locator(PLANTED).count() == 0, path
        assert keeper.page.evaluate("window.harmed") == 0, path
    assert not keeper.wrongs + writer.wrongs
