"""The gallery finds what has changed and nothing else.

A change on purpose is accepted by `python3 run.py gallery --chosen --accept` (decision 0074). Another machine draws
letters otherwise: so these tests compare pictures of one run, and only tell what differs from the kept ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser
from tests.e2e.person import box_of
from tests.gallery import last
from tests.gallery.camera import Camera, pictured
from tests.gallery.difference import Place, changes, small
from tests.gallery.states import DESK, PHONE, Look, Shot, State, chosen

TABLE = Shot(State("table", "gouji", "duel"), DESK)
# What tells most, of some of what is kept: the whole takes minutes.
PARTS = (
    *(
        "six-long-sets/",
        "five-long-sets/",
        "three-long-sets/",
        "four-throws/",
        "full-rivers-and-melds/",
        "takeback-asked/",
    ),
    *("to-play/", "racing/", "page/lobby/", "page/users-", "page/rules-", "page/problems", "page/settings-play/"),
)


@pytest.fixture(scope="module")
def camera(chromium: Browser) -> Iterator[Camera]:
    with Camera(chromium) as camera:
        yield camera


def few() -> list[Shot]:
    """Return what is compared here: of a table one picture, on a phone or a desk by turns."""
    found = [one for one in chosen() if any(part in str(one) for part in PARTS)]
    pages = [one for one in found if one.state.kind == "page"]
    games = dict.fromkeys(one.state for one in found if one.state.kind == "table")
    return [*pages, *(Shot(state, (PHONE, DESK)[at % 2]) for at, state in enumerate(games))]


def test_what_has_changed_since_the_last_release_is_told(
    camera: Camera, record_property: Callable[[str, object], None]
) -> None:
    taken = list(camera.take(few()))
    assert len(taken) == len(few()) > 20
    changed = [change for shot, picture in taken if (change := last.compared(shot, picture))]
    record_property("gallery", f"{len(taken)} pictures, {len(changed)} not as in the last release")
    for one in changed:
        record_property("gallery", str(one))
    assert camera.wrong == []


# Where is it, how is it changed, and does the place that is found lie there?
PLANTED = {
    "a button has moved": (".acts .btn, [data-act]", "(one) => (one.style.translate = '0 -30px')"),
    "a colour is another": (".plate", "(one) => (one.style.background = '#7a2f2f')"),
    "a card is missing": ("[data-hand] .card", "(one) => (one.style.visibility = 'hidden')"),
}


def test_what_is_planted_is_found_and_what_stays_is_not(camera: Camera) -> None:
    """Seen by another visit of the same table in the same run."""
    ((_, was),) = camera.take([TABLE])
    for _, picture in camera.take([TABLE]):
        assert changes(small(was), picture) == []
        page = camera.page
        assert page is not None
        for name, (which, plant) in PLANTED.items():
            one = page.locator(which).first
            box = box_of(one)
            before = one.get_attribute("style")
            one.evaluate(plant)
            found = changes(small(was), pictured(page))
            assert any(lies_at(place, box) for place in found), (name, found, box)
            assert all(place.right - place.left < DESK.size[0] / 3 for place in found), (name, found)
            one.evaluate("(one, style) => one.setAttribute('style', style)", before or "")
            assert changes(small(was), pictured(page)) == [], name


def lies_at(place: Place, box: dict[str, float]) -> bool:
    """Tell whether a place meets a box."""
    across = min(place.right, box["x"] + box["width"]) - max(place.left, box["x"])
    down = min(place.bottom, box["y"] + box["height"]) - max(place.top, box["y"])
    return across > 0 and down > 0


def test_a_page_that_is_a_hair_elsewhere_is_the_same() -> None:
    picture = Image.effect_noise((1280, 800), 60).resize((160, 100)).resize((1280, 800)).convert("RGB")
    moved = picture.transform(picture.size, Image.Transform.AFFINE, (1, 0, 2, 0, 1, 1))
    assert changes(small(picture), moved) == []
    higher = picture.resize((1280, 900))
    assert [place.much for place in changes(small(picture), higher)] == [255]


def test_pictures_are_kept_and_those_of_nothing_are_named(tmp_path: Path) -> None:
    folder, picture = tmp_path, Image.new("RGB", (390, 844), "white")
    shot = Shot(State("page", "/rules?q=接风", "guest"), Look("en", "dark", (390, 844)))
    assert str(last.compared(shot, picture, folder)).endswith(": new")
    last.keep(shot, picture, folder)
    assert last.compared(shot, picture, folder) is None
    picture.paste((160, 30, 30), (200, 400, 240, 440))
    change = last.compared(shot, picture, folder)
    assert change is not None
    assert lies_at(change.places[0], {"x": 200, "y": 400, "width": 40, "height": 40})
    assert last.gone([shot], folder) == []
    assert last.gone([Shot(shot.state, PHONE)], folder) == [last.path(shot, folder)]
