"""What a seat of mahjong sees and may do at the moments that matter, each set up by the rules themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.client import Server
from tests.e2e.mahjong import NAMES, Scene
from tests.e2e.person import box_of, rests

from qipai.games.mahjong.state import Discard, Hu, Kong, Pass, Void

Opener = Callable[..., Scene]
Position = Mapping[str, Any]

WALL = "123456789m123456789p123456789s"
# Seat 3 is to throw the five of dots it drew: seat 0 may win on it, or pong.
CLAIM: Position = {
    "hands": ["234678m3355789p", "112299m118p4466s", "147m258p1336799s", "159m159p22468s1p5p"],
    "wall": WALL, "turn": 3, "drawn": "5p", "dealer": 1,
}  # fmt: skip
# Seat 0 has drawn the seven of dots: without it the hand waits for threes and fives.
TURN: Position = {**CLAIM, "hands": ["234678m33557789p", "112299m118p4466s", "147m258p1336799s", "159m159p22468s1p"],
                  "turn": 0, "drawn": "7p"}  # fmt: skip
SIZES = {
    "desktop": (1440, 900), "laptop": (1366, 700), "narrow": (1024, 768), "sideways": (844, 390), "upright": (390, 844),
    "small": (320, 640), "tablet": (820, 1180),
}  # fmt: skip


@pytest.fixture
def at(window: Callable[..., Page], hall: Server) -> Opener:
    """Open a browser at a seat of a position: at(position, seat, size, lang=…, theme=…)."""

    def opened(given: Position, seat: int | None, size: str = "desktop", *, pausing: bool = False, **how: str) -> Scene:
        scene = Scene(window(*SIZES[size]), hall, given, seat)
        scene.pausing = pausing
        return scene.open(**how)

    return opened


def thrown(scene: Scene, seat: int, name: str) -> None:
    """Let a seat throw a tile, as the hall shows it while the even pause lasts."""
    scene.go(seat, Discard(name))


# a claim -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "lang", "theme"),
    [
        ("desktop", "desktop", "zh-CN", ""),
        ("desktop-dark", "desktop", "zh-CN", "dark"),
        ("desktop-en", "desktop", "en", ""),
        ("laptop", "laptop", "zh-CN", ""),
        ("narrow", "narrow", "zh-CN", ""),
        ("sideways", "sideways", "zh-CN", ""),
        ("upright", "upright", "zh-CN", ""),
        ("small-en", "small", "en", ""),
        ("tablet", "tablet", "zh-CN", "dark"),
    ],
)
def test_a_claim_names_every_answer_and_its_worth(
    at: Opener, shots: Path, name: str, size: str, lang: str, theme: str
) -> None:
    scene = at(CLAIM, 0, size, lang=lang, theme=theme)
    thrown(scene, 3, "5p")
    expect(scene.page.locator("[data-act=hu]")).to_be_visible()
    assert scene.acts() == ["pass", "pong", "hu"]
    if lang == "zh-CN":
        assert scene.says().startswith("松间照 打出 五筒 平胡 · 0 番，收 1 过则锁 二·五·八筒")
    else:
        assert scene.says().startswith("松间照 threw five dots plain hand · 0 fan, 1 in all Passing locks 2·5·8 dots")
    rests(scene.page)
    scene.page.screenshot(path=shots / f"mahjong-claim-{name}.png")
    for key in scene.page.locator("[data-act]").all():
        box = box_of(key)
        assert min(box["width"], box["height"]) >= 44
    # What was thrown last is marked; the claim does not lie over the hand.
    assert scene.page.locator(".stone.fresh").get_attribute("data-tile") == "5p"
    panel, hand = box_of(scene.page.locator(".panel .keys")), box_of(scene.tile("9p"))
    assert panel["y"] + panel["height"] <= hand["y"] + 1
    scene.fits()
    scene.healthy()


def test_a_win_is_one_key_away(at: Opener) -> None:
    scene = at(CLAIM, 0)
    thrown(scene, 3, "5p")
    expect(scene.page.locator("[data-act=hu]")).to_be_visible()
    scene.page.keyboard.press("w")
    expect(scene.page.locator(".panel .info")).to_contain_text("你选了胡")
    assert scene.actions() == [{"a": "hu"}]
    scene.after_pause()
    expect(scene.page.locator(".plate[data-seat='0']")).to_contain_text("已胡")
    expect(scene.page.locator("[data-paid=win]")).to_have_text("胡 1")
    assert "+1" in scene.page.locator("[data-points='0']").inner_text()
    assert "−1" in scene.page.locator("[data-points='3']").inner_text()
    scene.healthy()


def test_a_declined_win_locks_its_line_and_is_said_so(at: Opener) -> None:
    hands = ["234678m3355789p", "112299m118p4466s5p", "147m258p1336799s", "159m159p22468s1p"]
    scene = at({**CLAIM, "hands": hands, "turn": 1}, 0)
    thrown(scene, 1, "5p")
    expect(scene.page.locator("[data-act=pass]")).to_be_visible()
    scene.page.keyboard.press(" ")
    expect(scene.page.locator("[data-act=pass]")).to_have_count(0)
    assert scene.actions() == [{"a": "pass"}]
    scene.after_pause()
    expect(scene.page.locator(".locks")).to_contain_text("二·五·八筒")
    assert scene.waits() == {"3p": 2, "5p": 1}
    # The same line again, for no more fan: there is no question.
    thrown(scene, 2, "8p")
    scene.page.wait_for_timeout(200)
    assert scene.acts() == []
    scene.healthy()


def test_a_pong_lies_beside_the_hand_turned_to_its_giver(at: Opener, shots: Path) -> None:
    scene = at(CLAIM, 0)
    thrown(scene, 3, "5p")
    expect(scene.page.locator("[data-act=pong]")).to_be_visible()
    scene.page.keyboard.press("e")
    expect(scene.page.locator(".panel .info")).to_contain_text("你选了碰")
    scene.after_pause()
    expect(scene.page.locator("[data-hand] [data-meld='5p']")).to_be_visible()
    assert scene.actions() == [{"a": "pong"}]
    # It was thrown by the seat before mine: the tile at the left lies on its side.
    assert scene.page.locator("[data-hand] [data-meld='5p'] .turned").count() == 1
    assert "turned" in (scene.page.locator("[data-hand] [data-meld='5p'] .tile").first.get_attribute("class") or "")
    assert scene.page.locator("[data-river='3'][data-tile='5p']").count() == 0
    assert scene.acts() == ["discard"]
    assert scene.says().startswith("碰了，打一张")
    scene.page.screenshot(path=shots / "mahjong-pong.png")
    scene.healthy()


def test_who_is_not_asked_sees_the_same_with_and_without_a_window(at: Opener) -> None:
    """README X6: seat 0 could claim, and seat 1 cannot tell."""
    asked = at(CLAIM, 1)
    thrown(asked, 3, "5p")
    nobody = at({**CLAIM, "hands": ["234678m3344789p", *CLAIM["hands"][1:]]}, 1)
    thrown(nobody, 3, "5p")
    for scene in (asked, nobody):
        scene.page.wait_for_timeout(300)
        assert scene.acts() == []
        assert scene.says() == "松间照 打出 五筒"
    cloths = [" ".join(scene.page.locator("#cloth").inner_text().split()) for scene in (asked, nobody)]
    assert cloths[0] == cloths[1]


# throwing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["desktop", "sideways", "upright", "small"])
def test_a_raised_tile_shows_what_the_hand_would_wait_for(at: Opener, shots: Path, size: str) -> None:
    scene = at(TURN, 0, size)
    assert scene.page.locator("[data-hand] [data-drawn]").get_attribute("data-tile") == "7p"
    assert scene.says().startswith("轮到你，打一张")
    scene.tile("7p").click()
    expect(scene.page.locator(".panel [data-wait]")).to_have_count(2)
    assert scene.waits() == {"3p": 2, "5p": 2}
    assert scene.says().startswith("打 七筒")
    assert scene.acts() == ["sing", "dance", "discard"]
    rests(scene.page)
    scene.page.screenshot(path=shots / f"mahjong-turn-{size}.png")
    assert scene.actions() == []
    scene.tile("7p").click()  # a second tap throws it
    expect(scene.page.locator("[data-river='0'][data-tile='7p']")).to_be_visible()
    assert scene.actions() == [{"a": "discard", "t": "7p"}]
    # What it waits for stays in sight while the others play.
    scene.after_pause()
    expect(scene.page.locator(".panel [data-wait]")).to_have_count(2)
    scene.fits()
    scene.healthy()


def test_a_tile_pulled_upward_is_thrown(at: Opener) -> None:
    scene = at(TURN, 0)
    box = box_of(scene.tile("2m"))
    mouse = scene.page.mouse
    mouse.move(box["x"] + 20, box["y"] + 40)
    mouse.down()
    mouse.move(box["x"] + 24, box["y"] + 10, steps=4)
    mouse.move(box["x"] + 26, box["y"] - 40, steps=4)
    mouse.up()
    expect(scene.page.locator("[data-river='0'][data-tile='2m']")).to_be_visible()
    assert scene.actions() == [{"a": "discard", "t": "2m"}]
    scene.healthy()


def test_the_keyboard_alone_throws(at: Opener) -> None:
    scene = at(TURN, 0)
    scene.page.keyboard.press("Home")
    expect(scene.page.locator("[data-hand] [aria-selected=true]")).to_have_attribute("data-tile", "2m")
    scene.page.keyboard.press("ArrowRight")
    expect(scene.page.locator("[data-hand] [aria-selected=true]")).to_have_attribute("data-tile", "3m")
    scene.page.keyboard.press("Escape")
    expect(scene.page.locator("[data-hand] [aria-selected=true]")).to_have_count(0)
    scene.page.keyboard.press("h")
    best = scene.page.locator("[data-hand] [aria-selected=true]").get_attribute("data-tile")
    scene.page.keyboard.press("Enter")
    expect(scene.page.locator(f"[data-river='0'][data-tile='{best}']")).to_be_visible()
    assert scene.actions() == [{"a": "discard", "t": best}]


def test_a_dance_shows_its_waits_and_bars_them_to_others(at: Opener, shots: Path) -> None:
    dancer = at(TURN, 0)
    dancer.tile("7p").click()
    dancer.page.keyboard.press("k")
    expect(dancer.page.locator("[data-act=dance]")).to_have_attribute("aria-pressed", "true")
    assert dancer.says().startswith("跳着打 七筒")
    dancer.page.keyboard.press("Enter")
    expect(dancer.page.locator(".plate[data-seat='0']")).to_contain_text("舞")
    expect(dancer.page.locator("div.seal")).to_contain_text("跳舞")
    assert dancer.actions() == [{"a": "discard", "t": "7p", "call": "dance"}]
    # The next seat holds what the dancer waits for.
    barred = {
        **TURN, "hands": ["234678m3355789p", "1122m1133p446668s", *TURN["hands"][2:]], "turn": 1, "drawn": "8s",
        "danced": {"0": ["3p", "5p"]},
    }  # fmt: skip
    other = at(barred, 1)
    expect(other.page.locator("[data-dance='0']")).to_be_visible()
    three = other.tile("3p")
    assert three.get_attribute("aria-disabled") == "true"
    assert three.locator(".note").count() == 1
    other.page.screenshot(path=shots / "mahjong-danced.png")
    three.click(force=True)
    expect(other.page.locator(".panel .info b").first).to_have_attribute("title", "danced_tile")
    assert other.page.locator("[data-act=discard]").get_attribute("aria-disabled") == "true"
    other.page.keyboard.press("Enter")
    assert other.actions() == []
    dancer.healthy()
    other.healthy()


def test_the_void_suit_goes_first(at: Opener, shots: Path) -> None:
    declared = {**TURN, "options": {"void_rule": "declare"}, "voids": ["p", "m", "s", "s"]}
    scene = at(declared, 0)
    assert "缺筒" in scene.plate(0)
    names = [one.get_attribute("data-tile") for one in scene.page.locator("[data-hand] [data-tile]").all()]
    assert names == ["2m", "3m", "4m", "6m", "7m", "8m", "3p", "3p", "5p", "5p", "7p", "8p", "9p", "7p"]
    two = scene.tile("2m")
    assert two.get_attribute("aria-disabled") == "true"
    two.click(force=True)
    expect(scene.page.locator(".panel .info b").first).to_have_attribute("title", "must_discard_void")
    scene.page.screenshot(path=shots / "mahjong-void-first.png")
    assert scene.actions() == []
    scene.healthy()


def test_in_the_last_four_a_win_plays_itself(at: Opener) -> None:
    scene = at({**CLAIM, "wall": "123m"}, 0)
    thrown(scene, 3, "5p")
    expect(scene.page.locator("[data-act=hu]")).to_be_visible()
    assert scene.acts() == ["hu"]
    assert "后四张" in scene.says()
    expect(scene.page.locator(".panel .info")).to_contain_text("你选了胡")
    scene.after_pause()
    expect(scene.page.locator(".plate[data-seat='0']")).to_contain_text("已胡")
    assert scene.actions() == [{"a": "hu"}]


# kongs ---------------------------------------------------------------------------------------------------------------

RAIN: Position = {
    **CLAIM, "hands": ["2222678m3355789p", "112299m118p4466s", "147m258p1336799s", "159m159p22468s1p"], "turn": 0,
    "drawn": "2m",
}  # fmt: skip


def test_rain_falls_where_it_is_paid(at: Opener, shots: Path) -> None:
    scene = at(RAIN, 0)
    assert scene.acts() == ["kong", "discard"]
    assert "可以杠：3 家各付 2" in scene.says()
    scene.page.keyboard.press("q")
    expect(scene.page.locator("[data-kind=concealed]")).to_be_visible()
    expect(scene.page.locator("[data-paid=kong]").first).to_have_text("下雨 2")
    assert scene.page.locator("[data-paid=kong]").count() == 3
    rests(scene.page)
    scene.page.screenshot(path=shots / "mahjong-rain.png")
    assert "+6" in scene.page.locator("[data-points='0']").inner_text()
    assert "3 家各付 2" in scene.page.locator(".sums").inner_text()
    assert scene.actions() == [{"a": "kong", "t": "2m"}]
    scene.healthy()


def test_an_added_tile_may_be_robbed(at: Opener, shots: Path) -> None:
    given = {
        **CLAIM, "hands": ["234678m3355789p", *CLAIM["hands"][1:3], "1559m5p22468s"],
        "melds": [[], [], [], [{"k": "pong", "t": "5p"}]], "drawn": "5p",
    }  # fmt: skip
    scene = at(given, 0)
    scene.go(3, Kong("5p"))
    expect(scene.page.locator("[data-act=hu]")).to_be_visible()
    assert scene.acts() == ["pass", "hu"]
    assert scene.says().startswith("松间照 补杠 五筒")
    assert "抢杠" in scene.says()
    assert scene.page.locator("[data-wing='3'] .on .hot").count() == 1
    scene.page.screenshot(path=shots / "mahjong-rob.png")
    scene.page.keyboard.press("w")
    expect(scene.page.locator(".panel .info")).to_contain_text("你选了胡")
    scene.after_pause()
    expect(scene.page.locator("div.seal")).to_contain_text("抢杠")
    scene.healthy()


# before the first discard --------------------------------------------------------------------------------------------

STEP = "".join(f"{(k * 5) % 9 + 1}{'mps'[k % 3]}" for k in range(27)) * 4


def test_three_tiles_and_a_suit_are_chosen(at: Opener, shots: Path) -> None:
    scene = at({"wall": STEP, "deal": True, "dealer": 0, "die": 1,
                "options": {"exchange": "three", "void_rule": "declare"}}, 0, "upright")  # fmt: skip
    expect(scene.page.locator("[data-phase=swap]")).to_be_visible()
    scene.page.locator("[data-act=hint]").click()
    expect(scene.page.locator("[data-hand] [aria-selected=true]")).to_have_count(3)
    rests(scene.page)
    scene.page.screenshot(path=shots / "mahjong-swap-upright.png")
    scene.mend()
    expect(scene.page.locator("[data-hand] [aria-selected=true]")).to_have_count(3)
    scene.page.locator("[data-act=give]").click()
    expect(scene.page.locator(".panel .info")).to_contain_text("选好了")
    for seat in (1, 2, 3):
        scene.go(seat, next(scene.rules.legal(scene.state, seat)))
    scene.throw_die()
    scene.tell([{"e": "swapped", "d": 1, "by": 1}])
    expect(scene.page.locator("[data-phase=void]")).to_be_visible()
    rests(scene.page)
    scene.page.screenshot(path=shots / "mahjong-void-upright.png")
    scene.page.locator("[data-void=s]").click()
    for seat in (1, 2, 3):
        scene.go(seat, Void("m"))
    expect(scene.page.locator(".plate[data-seat='0']")).to_contain_text("缺条")
    expect(scene.page.locator(".plate[data-seat='1']")).to_contain_text("缺万")
    assert [one["a"] for one in scene.actions()] == ["swap", "void"]
    scene.fits()
    scene.healthy()


@pytest.mark.parametrize("size", ["desktop", "upright"])
def test_a_bench_member_buys_a_horse_and_shares_its_luck(at: Opener, shots: Path, size: str) -> None:
    scene = at({"wall": STEP, "deal": True, "dealer": 0, "bench": ["w0", "w1"]}, 4, size)
    page = scene.page
    expect(page.locator("[data-phase=horse]")).to_be_visible()
    assert page.locator(".plate[data-seat]").count() == 4
    assert page.locator("[data-horse]").count() == 55
    assert page.locator("[data-hand] [data-tile]").count() == 0  # no hand is seen from the bench
    assert page.locator("[data-act=horse]").get_attribute("aria-disabled") == "true"
    page.locator("[data-horse='3']").click()
    rests(page)
    page.screenshot(path=shots / f"mahjong-horse-{size}.png")
    page.locator("[data-act=horse]").click()
    expect(page.locator("[data-act=horse]")).to_have_count(0)
    assert scene.actions() == [{"a": "horse", "i": 3}]
    scene.go(5, Pass())
    (horse,) = scene.rules.observe(scene.state, None).horses
    expect(page.locator(f".plate[data-seat='{horse.seat}']")).to_contain_text("马")
    expect(page.locator(".panel .info")).to_contain_text("你的马")
    if size == "desktop":
        expect(page.locator("[data-bench='4']")).to_contain_text(f"马跟 {NAMES[horse.seat]}")
        expect(page.locator("[data-bench='5']")).to_contain_text("没有马")
        expect(page.locator("[data-points='4']")).to_be_visible()
    page.screenshot(path=shots / f"mahjong-horse-{size}-bought.png")
    scene.fits()
    scene.healthy()


# the end -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["desktop", "upright"])
@pytest.mark.parametrize(
    ("lang", "titles"),
    [("zh-CN", [r"胜\s\+1", "平", "平", r"负\s−1"]), ("en", [r"Won\s\+1", "Even", "Even", r"Lost\s−1"])],
)
def test_who_has_no_points_has_neither_won_nor_lost(
    window: Callable[..., Page], hall: Server, shots: Path, lang: str, titles: list[str], size: str
) -> None:
    for seat, title in enumerate(titles):
        scene = Scene(window(*SIZES[size]), hall, {**CLAIM, "options": {"mode": "standard"}}, seat)
        me = {"user": {"id": 5 + 3 * seat, "name": NAMES[seat], "kind": "guest"}}
        scene.page.route(re.compile("/api/v1/me$"), partial(Route.fulfill, json=me))
        scene.open(lang=lang)
        scene.go(3, Discard("5p"))
        scene.go(0, Hu())
        scene.after_pause()
        expect(scene.page.locator(".result h1")).to_contain_text(re.compile(rf"^\s*{title}\s"))
        assert scene.rules.outcome(scene.state).points == (1, 0, 0, -1)  # type: ignore[union-attr]
        if seat == 1:
            scene.page.screenshot(path=shots / f"mahjong-even-{size}-{lang}.png")
        scene.healthy()


# The last tile of the wall is drawn for a kong: seats 0 and 3 are ready, 1 is not, 2 has three suits.
LAST: Position = {
    "hands": ["234678m3355789p", "13689m12467899p", "123m258p1336799s", "1234567777s1123p"], "wall": "9m", "turn": 3,
    "drawn": "7s", "dealer": 1,
}  # fmt: skip


@pytest.mark.parametrize("size", ["desktop", "upright", "sideways"])
def test_the_settlement_writes_out_every_payment(at: Opener, shots: Path, size: str) -> None:
    scene = at(LAST, 0, size)
    scene.go(3, Kong("7s"))
    scene.go(3, Discard("9m"))
    scene.after_pause()
    expect(scene.page.locator("[data-settle]")).to_be_visible()
    view = scene.rules.observe(scene.state, 0)
    assert view.end == "exhausted"
    rows = scene.page.locator("[data-payment]")
    assert rows.count() == len(view.payments) > 3
    amounts = [int(row.locator("td").last.inner_text()) for row in rows.all()]
    assert sorted(amounts) == sorted(one.amount for one in view.payments)
    assert scene.page.locator("[data-check=ready]").count() == sum(one.what == "ready" for one in view.checks)
    assert scene.page.locator("[data-check=pig]").count() == sum(one.what == "pig" for one in view.checks)
    rests(scene.page)
    scene.page.screenshot(path=shots / f"mahjong-result-{size}.png")
    if size == "upright":  # an open hand shares the width of its place with its melds
        beyond = scene.page.evaluate(
            """[...document.querySelectorAll("[data-wing] > *")].map((part) => {
              const [own, all] = [part.getBoundingClientRect(), part.parentElement.getBoundingClientRect()];
              return Math.max(all.left - own.left, own.right - all.right);
            })"""
        )
        assert max(beyond) <= 1
    scene.fits()
    scene.healthy()
