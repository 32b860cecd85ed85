"""People play dou dizhu in a real browser from the first call to the sheet that says what it was about."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.cards import play_out
from tests.e2e.doudizhu import BOTTOM, HANDS, RULES, WHOLE, DoudizhuScene, Sitter, after, went_out
from tests.e2e.person import FITS, SIZES, box_of
from tests.e2e.scene import Json
from tests.e2e.test_layout import REST

from qipai.core.rng import Stream
from qipai.games.doudizhu.state import Bid, NoBid, Pass, Play, State

OPTIONS = {"turn_seconds": 60, "bid_seconds": 60}
Visit = Callable[[State, int | None], DoudizhuScene]


def number(text: str) -> int:
    """Return the number that a table writes: "+4", "−2"."""
    return int(text.replace("−", "-").replace("+", ""))


# a whole deal --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "bids"), [("desktop", 3), ("upright", 3), ("sideways", 0)])
def test_a_person_plays_a_deal_with_two_bots(
    window: Callable[..., Page], hall: Server, shots: Path, size: str, bids: int
) -> None:
    person = Sitter(window(*SIZES[size]), touch=size != "desktop").guest(hall)
    person.bids = bids
    table = person.call("/play", {"game": "doudizhu", "level": "easy", "options": OPTIONS})["table"]
    page = person.page
    page.goto(f"{hall.url}/tables/{table}")
    # Everybody sees three backs while it is called for them; the suggestion marks one of the calls.
    expect(page.locator("[data-calls]")).to_be_visible()
    assert person.cards() == 17
    assert page.locator("[data-bottom]").get_attribute("data-bottom") == "?"
    expect(page.locator("[data-bottom] .back")).to_have_count(3)
    person.press("hint", "h")
    expect(page.locator("[data-calls] .advised")).to_have_count(1)
    page.screenshot(path=shots / f"doudizhu-{size}-call.png")
    assert {"no_bid", "bid_3"} <= person.buttons().keys()
    # Where nobody calls, the cards are dealt again and all are asked again.
    settled = page.locator("[data-phase=lead], [data-phase=answer]")
    while not settled.count():
        person.step()
        expect(page.locator("[data-calls]").or_(settled).first).to_be_visible()

    # Then all three cards are seen, and one plate says whose they are.
    lord = page.locator(".plate[data-seat]:has-text('地主')")
    expect(lord).to_have_count(1)
    expect(page.locator("[data-bottom] .turned")).to_have_count(3)
    expect(page.locator(".plate[data-seat]:has-text('农民')")).to_have_count(2)
    if bids == 3:
        assert person.cards() == 20
        expect(page.locator("[data-multiple='3']")).to_be_visible()
    page.screenshot(path=shots / f"doudizhu-{size}-lead.png")

    def reload() -> None:
        before = person.hand()
        page.reload()
        expect(page.locator("[data-phase]")).to_be_visible()
        assert all(person.hand().get(card, 0) <= held for card, held in before.items())

    play_out(person, at={2: reload})
    rows = page.locator(".result tbody tr")
    expect(rows).to_have_count(3)
    points = [number(row.locator("td b").first.inner_text()) for row in rows.all()]
    assert sum(points) == 0
    multiple = int(page.locator("[data-multiple]").get_attribute("data-multiple") or 0)
    assert sorted(map(abs, points)) == [multiple, multiple, 2 * multiple]
    sheet = page.locator(".result").inner_text()
    assert sheet.count("农民") >= 2
    assert f"×{multiple}" in sheet
    page.screenshot(path=shots / f"doudizhu-{size}-result.png")

    # The deal is the one that was sealed, and can be looked at again.
    expect(page.locator(".result")).to_contain_text(FITS)
    page.locator(".result a[href*='/g/']").first.click()
    expect(page.locator("[data-at]")).to_be_visible()
    page.locator("[data-go=last]").click()
    expect(page.locator("[data-phase=over]")).to_be_visible()
    page.screenshot(path=shots / f"doudizhu-{size}-replay.png")
    person.healthy()


# moments -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def look(window: Callable[..., Page], hall: Server) -> Visit:
    """Open a browser at a table that stands in a state."""

    def opened(state: State, seat: int | None = 0) -> DoudizhuScene:
        return DoudizhuScene(window(*SIZES["desktop"]), hall, state, seat).open()

    return opened


def test_only_higher_calls_are_offered_and_the_highest_takes_the_cards(look: Visit) -> None:
    scene = look(after(RULES.place(HANDS, BOTTOM, 2), (2, Bid(1))), 0)
    assert scene.acts() == ["hint", "no_bid", "bid_2", "bid_3"]
    assert "海潮生 叫了 1 分" in scene.cloth()
    assert "1 分" in scene.plate(2)
    scene.page.keyboard.press("2")
    expect(scene.page.locator("[data-calls]")).to_have_count(0)
    assert scene.actions() == [{"a": "bid", "n": 2}]
    assert scene.reading() == "等 小鲁 叫分"
    scene.go(1, NoBid())
    expect(scene.page.locator("[data-bottom] .turned")).to_have_count(3)
    expect(scene.page.locator("[data-phase=lead]")).to_be_visible()
    assert "地主" in scene.plate(0)
    assert "农民" in scene.plate(1)
    assert scene.reading() == "轮到你领出"
    scene.healthy()


def test_a_table_where_nobody_calls_is_dealt_again(look: Visit) -> None:
    scene = look(after(RULES.place(HANDS, BOTTOM, 1), (1, NoBid()), (2, NoBid())), 0)
    scene.page.locator("[data-act=no_bid]").click()
    expect(scene.page.locator("[data-calls]")).to_have_count(0)
    assert scene.actions() == [{"a": "no_bid"}]
    scene.go(-1, RULES.chance(scene.state, Stream.of_seed("dealt again")))
    expect(scene.page.locator("[data-phase=bid]")).to_contain_text("没人叫，重新发牌")
    assert "先叫" in scene.page.locator(".sidebar").inner_text()
    scene.healthy()


SETS = {
    "333444": "飞机 3–4",
    "33344478": "飞机 3–4 带 7、8",
    "34567": "顺子 3–7",
    "3337": "三张 3 带 7",
    "33388": "三张 3 带一对 8",
    "6666": "炸弹 6 分数翻倍",
    "xX": "王炸 分数翻倍，没人能再压",
}


def test_what_is_raised_is_read_back_by_its_kind(look: Visit) -> None:
    state = RULES.place(("33344456666788xX", "9TJQ", "9TJQ"), setup={"landlord": 0, "bid": 1})
    scene = look(state, 0)
    for cards, words in SETS.items():
        scene.raise_cards(cards)
        expect(scene.page.locator(".reading.ready")).to_be_visible()
        assert scene.reading().startswith(words), cards
    # A straight is raised card by card: the first four are not wrong yet.
    scene.raise_cards("3456")
    expect(scene.page.locator(".reading.open")).to_be_visible()
    assert not [one for one in scene.sent if one["t"] == "try"]


def test_a_set_on_the_cloth_is_said_and_lies_as_it_was_read(look: Visit) -> None:
    state = RULES.place(("333444555789QQ", "333444555666KK", "6789TJJ"), setup={"landlord": 0, "bid": 1})
    # Led it would be a plane of four; on a plane of three it is one of three with the cards 3 3 3 (R12).
    scene = look(after(state, (0, Play("333444555789")), (1, Play("333444555666"))), 2)
    for seat, words, ranks in ((0, "飞机 3–5 带 7、8、9", "345789"), (1, "飞机 4–6 带 3、3、3", "4563")):
        lying = scene.page.locator(f"[data-set='{seat}']")
        expect(lying.locator("[role=img]")).to_have_attribute("aria-label", re.compile(words))
        faces = lying.locator(".card b").all_inner_texts()
        assert "".join(dict.fromkeys(faces)) == ranks
    expect(scene.page.locator("[data-set='1'] .cap")).to_have_text("飞机 4–6 带 3、3、3")
    scene.healthy()


def test_planes_with_wings_answer_each_other(look: Visit, shots: Path) -> None:
    """It takes the picture of the README: `build/shots/doudizhu.png`."""
    hands = ("467778889TJJQQKA2", "3334445799JQKKAA2", "355566689TTJQKA2x")
    scene = look(RULES.place(hands, "2TX", 1), 0)
    for seat, action in ((1, Bid(3)), (1, Play("33344457")), (2, Play("55566689"))):
        scene.go(seat, action)
    expect(scene.page.locator("[data-set='2'] .cap")).to_have_text("飞机 5–6 带 8、9")
    scene.raise_cards("46777888")
    expect(scene.page.locator(".reading.ready")).to_contain_text("飞机 7–8 带 4、6")
    scene.page.screenshot(path=shots / "doudizhu.png", animations="disabled")
    scene.page.keyboard.press("Enter")
    expect(scene.page.locator("[data-set='0'] .cap")).to_have_text("飞机 7–8 带 4、6")
    assert scene.actions() == [{"a": "play", "cards": "46777888"}]
    scene.healthy()


@pytest.mark.parametrize(
    ("led", "tried", "code", "words"),
    [
        ("", "58", "not_a_set", "不成牌型"),
        ("66", "55", "not_higher", "压不过"),
        ("34567", "6789TJ", "wrong_count", "长短不同"),
        ("666", "5559", "wrong_kind", "牌型不同"),
    ],
)
def test_a_refused_set_is_told_its_rule(look: Visit, led: str, tried: str, code: str, words: str) -> None:
    if led:
        state = RULES.place(("5556678889TJQ2", "KKA", "34566677J"), setup={"landlord": 2, "bid": 1})
        state = after(state, (2, Play(led)))
    else:
        state = RULES.place(("58", "KKA", "34566677J"), setup={"landlord": 0, "bid": 1})
    scene = look(state, 0)
    scene.raise_cards(tried)
    expect(scene.page.locator(f".reading.bad [title={code}]")).to_be_visible()
    assert words in scene.reading()
    assert scene.actions() == []


def test_a_bomb_doubles_before_everybodys_eyes(look: Visit) -> None:
    state = RULES.place(("3344445555", "66667", "xX8"), setup={"landlord": 0, "bid": 2})
    scene = look(after(state, (0, Play("3")), (1, Play("6666"))), 2)
    expect(scene.page.locator("[data-verdict=bomb]")).to_contain_text("炸弹")
    expect(scene.page.locator("[data-multiple='4']")).to_be_visible()
    assert scene.reading() == "小鲁 出了炸弹 6 要更大的炸弹，或者王炸"
    scene.page.keyboard.press("h")
    scene.page.keyboard.press("Enter")
    expect(scene.page.locator("[data-verdict=rocket]")).to_contain_text("王炸")
    expect(scene.page.locator("[data-multiple='8']")).to_be_visible()
    assert "你出王炸，翻到 ×8" in scene.page.locator(".sidebar").inner_text()
    scene.healthy()


@pytest.mark.parametrize(("landlord", "word"), [(0, "春天"), (1, "反春")])
def test_a_spring_stands_in_the_result(look: Visit, landlord: int, word: str) -> None:
    state = RULES.place(("34567", "3J", "KA22X"), setup={"landlord": landlord, "bid": 3, "leader": 0})
    if landlord:
        state = RULES.place(("4567A", "3J", "KA22X"), setup={"landlord": 1, "bid": 3})
        state = after(state, (1, Play("3")), (2, Pass()), (0, Play("A")), (1, Pass()), (2, Pass()))
        for card in "456":
            state = after(state, (0, Play(card)), (1, Pass()), (2, Pass()))
        last = "7"
    else:
        last = "34567"
    scene = look(state, 0)
    scene.raise_cards(last)
    scene.page.keyboard.press("Enter")
    result = scene.page.locator(".result")
    expect(result).to_be_visible()
    text = result.inner_text()
    assert word in text
    assert f"叫 3 分，{word}：×6" in text
    expect(scene.page.locator("[data-verdict=spring]")).to_contain_text(word)
    scene.healthy()


# the room there is ---------------------------------------------------------------------------------------------------

# How much of each card's rank the next card leaves to be read, and how far cards stick out of the cloth.
LYING = """() => {
  const { left, top, right, bottom } = document.querySelector(".table-of-cards").getBoundingClientRect();
  const slots = [...document.querySelectorAll("[data-set] .slot")].map((one) => one.getBoundingClientRect());
  const edges = [...new Set(slots.map((one) => one.left))].sort((a, b) => a - b);
  const ranks = [...document.querySelectorAll("[data-set] .card b")].map((one) => {
    const word = document.createRange();
    word.selectNodeContents(one);
    const box = word.getBoundingClientRect();
    const next = edges.find((edge) => edge > one.closest(".slot").getBoundingClientRect().left) ?? Infinity;
    return { size: parseFloat(getComputedStyle(one).fontSize), seen: Math.min(1, (next - box.left) / box.width) };
  });
  const out = slots.flatMap((one) => [left - one.left, top - one.top, one.right - right, one.bottom - bottom]);
  const least = (of) => Math.min(...ranks.map((one) => one[of]));
  return { cards: slots.length, out: Math.max(...out), seen: least("seen"), size: least("size") };
}"""


@pytest.mark.parametrize("landlord", [0, 1, 2])
@pytest.mark.parametrize("cards", WHOLE)
def test_a_plane_of_twenty_is_read_where_it_lies(
    window: Callable[..., Page], hall: Server, cards: str, landlord: int
) -> None:
    page = window(390, 844, reduced_motion="reduce", has_touch=True)
    scene = DoudizhuScene(page, hall, went_out(landlord, cards), 0).open()
    page.locator(".result .x").click()
    for width, height, least in ((390, 844, 10), (844, 390, 10), (1280, 800, 14)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(REST)
        found = page.evaluate(LYING)
        assert found["cards"] == 20
        assert found["out"] <= 0
        assert found["seen"] > 0.8
        assert found["size"] >= least, (width, height, found)
    scene.healthy()


class Named(DoudizhuScene):
    """A table of people with long names."""

    def _user(self, seat: int) -> Json:
        return {**super()._user(seat), "name": "Alexandra Hawthorne"}


@pytest.mark.parametrize(("hand", "badges"), [("556", ["landlord"]), ("55", ["landlord", "2 left"])])
def test_who_is_landlord_and_nearly_out_stands_on_their_plate(
    window: Callable[..., Page], hall: Server, hand: str, badges: list[str]
) -> None:
    page = window(390, 844, reduced_motion="reduce", has_touch=True)
    state = RULES.place(("3456789TJQKAA22xX", hand, "789TTJJQQKKA2"), "3AA", setup={"landlord": 1, "bid": 3})
    scene = Named(page, hall, state, 0).open("en")
    for width, height in ((390, 844), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(REST)
        plate = page.locator(".plate[data-seat='1']")
        edge = box_of(plate)
        for badge in badges:
            word = plate.get_by_text(badge, exact=True)
            expect(word).to_be_visible()
            box = box_of(word)
            assert edge["x"] <= box["x"]
            assert box["x"] + box["width"] <= edge["x"] + edge["width"]
    scene.healthy()
