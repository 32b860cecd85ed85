"""What a seat of gouji sees and may do at the moments that matter, each set up by the rules themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from tests.client import Server
from tests.e2e.gouji import GoujiScene as Scene
from tests.e2e.person import box_of, rests

from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Burn, Close, NoBurn, Pass, Play, State

Opener = Callable[..., Scene]

DUEL = (
    "3344555566777889TTTTJJJQQKKKAA222xXX",
    "3333333344444466666777777788QQKKAA22",
    "3334444555555688888999999JJQQKKAA222",
    "4455667788999TTJJQQKKAAAA2222222xx",
    "66667789999TTTTTTTTTJJJJQQQQQQKKKKKK",
    "JJJJJJKKKKKKQQQQQQAAAAAA222222TTTTTT",
)
BURN = ("577TKKKxXX", "QQQ334", "344566889JJQA2x", "3K45J7Q889AA", "QQ78943", "9934JJ8A7")


def passed_on(state: State, *moves: tuple[int, Play | Pass | Close | Burn | NoBurn]) -> State:
    """Return the state after these moves."""
    rules = Gouji()
    for seat, action in moves:
        assert rules.refuse(state, seat, action) is None, (seat, action)
        state = rules.apply(state, seat, action).state
    return state


@pytest.fixture
def at(window: Callable[..., Page], hall: Server) -> Opener:
    """Open a browser at a seat of a state: at(state, seat, size, lang=…, theme=…)."""

    def opened(
        state: State,
        seat: int | None,
        size: tuple[int, int] = (1440, 900),
        options: Options | None = None,
        pausing: bool = False,
        **how: str,
    ) -> Scene:
        scene = Scene(window(*size), hall, state, seat, options)
        scene.pausing = pausing
        return scene.open(**how)

    return opened


@pytest.fixture
def duel() -> State:
    """Seat 3 has put 999xx on 88888: only seat 0 may answer."""
    state = Gouji().place(DUEL, 1)
    return passed_on(state, (1, Play("66666")), (2, Play("88888")), (3, Play("999xx")))


@pytest.fixture
def burn() -> State:
    """Seat 1 has led QQQ; seat 4 may answer, seat 0 could burn."""
    return passed_on(Gouji().place(BURN, 1), (1, Play("QQQ")))


# the duel ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "lang", "theme"),
    [
        ("desktop", (1440, 900), "zh-CN", ""),
        ("desktop-dark", (1440, 900), "zh-CN", "dark"),
        ("desktop-en", (1440, 900), "en", ""),
        ("sideways", (844, 390), "zh-CN", ""),
        ("upright", (390, 844), "zh-CN", ""),
        ("small-en", (320, 640), "en", ""),
        ("tablet", (820, 1180), "zh-CN", ""),
    ],
)
def test_a_gouji_set_is_a_duel(
    at: Opener, duel: State, shots: Path, name: str, size: tuple[int, int], lang: str, theme: str
) -> None:
    scene = at(duel, 0, size, lang=lang, theme=theme)
    word, only = ("够级", "只有 你 能应") if lang == "zh-CN" else ("Gouji", "Only you may answer")
    assert word in scene.cloth()
    assert only in scene.cloth()
    assert scene.page.locator("path.way").count() == 1
    assert scene.acts() == ["hint", "close", "play"]
    scene.raise_cards("JJJXX")
    expect(scene.page.locator(".reading.ready")).to_be_visible()
    if lang == "zh-CN":
        assert scene.reading().startswith("三张 J + 两张大王 · 够级")
    else:
        assert scene.reading().startswith("three jacks + two big jokers · Gouji")
    rests(scene.page)
    scene.page.screenshot(path=shots / f"gouji-duel-{name}.png")
    assert scene.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    scene.healthy()


def test_who_may_not_answer_is_told_who_may(at: Opener, duel: State) -> None:
    scene = at(duel, 4)
    assert scene.acts() == []
    assert scene.reading() == "松间照 三张 9 + 两张小王 · 够级 只有 青屿 能应，你不用动"
    scene.healthy()


def test_a_selection_is_read_back_before_it_is_sent(at: Opener, duel: State) -> None:
    scene = at(duel, 0)
    assert scene.reading() == "松间照 出了三张 9 + 两张小王 要五张更大的"
    play = scene.page.locator("[data-act=play]")
    assert play.inner_text().strip() == "选牌"
    scene.raise_cards("JJJ")
    expect(scene.page.locator(".reading.open")).to_contain_text("三张 J")
    expect(scene.page.locator(".reading.open")).to_contain_text("还差两张")
    assert play.inner_text().strip() == "张数不对"
    scene.raise_cards("TTTTJ")
    expect(scene.page.locator(".reading.bad")).to_contain_text("不成一套")
    scene.raise_cards("5555x")
    expect(scene.page.locator(".reading.bad")).to_contain_text("压不过")
    assert scene.actions() == []  # it was only tried
    scene.raise_cards("JJJXX")
    scene.page.keyboard.press("Enter")
    expect(scene.page.locator("[data-set='0']")).to_be_visible()
    assert scene.actions() == [{"a": "play", "cards": "JJJXX"}]
    scene.healthy()


def test_hints_cycle_and_count(at: Opener, duel: State) -> None:
    scene = at(duel, 0)
    button = scene.page.locator("[data-act=hint]")
    seen = []
    for _ in range(3):
        button.click()
        expect(scene.page.locator(".reading.ready")).to_be_visible()
        seen.append((scene.reading(), button.inner_text().split()[1] if " " in button.inner_text() else ""))
    assert len({reading for reading, _ in seen}) > 1
    assert scene.actions() == []


def test_closing_is_not_passing(at: Opener, duel: State) -> None:
    scene = at(duel, 0)
    close = scene.page.locator("[data-act=close]")
    assert close.inner_text().split() == ["扣牌", "P"]
    assert close.get_attribute("title") == "收下这一轮，松间照 领出"
    scene.page.keyboard.press("p")
    expect(scene.page.locator("[data-act=close]")).to_have_count(0)
    assert scene.actions() == [{"a": "close"}]
    before = Gouji().place(DUEL, 5)
    open_set = at(passed_on(before, (5, Play("T"))), 0)
    assert open_set.page.locator("[data-act=pass]").inner_text().split() == ["过牌", "P"]


def test_i_lead_and_they_close(at: Opener, duel: State) -> None:
    scene = at(duel, 0, lang="en")
    scene.page.keyboard.press("p")
    log = scene.page.locator(".log")
    expect(log).to_contain_text("You close")
    expect(log).not_to_contain_text("ou closes")
    scene.healthy()


# burning -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size"),
    [("desktop", (1440, 900)), ("sideways", (844, 390)), ("upright", (390, 844)), ("small", (320, 640))],
)
def test_who_can_burn_is_asked_with_the_proof(
    at: Opener, burn: State, shots: Path, name: str, size: tuple[int, int]
) -> None:
    scene = at(burn, 0, size)
    panel = scene.page.locator(".burn")
    expect(panel).to_contain_text("捎 小鲁 的三张 Q？")
    expect(panel).to_contain_text("余牌 5 · 7 · 10 三种")
    expect(panel).to_contain_text("三张王")
    assert scene.acts() == ["no_burn", "burn"]
    assert scene.page.locator("[data-card=K]").get_attribute("data-raised") == "3"
    scene.page.screenshot(path=shots / f"gouji-burn-{name}.png")
    box = box_of(panel)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    scene.healthy()


def test_one_key_burns_and_plays(at: Opener, burn: State, shots: Path) -> None:
    scene = at(burn, 0)
    scene.page.keyboard.press("b")
    expect(scene.page.locator("[data-set='0']")).to_be_visible()
    assert scene.actions() == [{"a": "burn"}, {"a": "play", "cards": "KKK"}]
    assert "捎牌" in scene.cloth()
    assert "烧" in scene.plate(0)
    rests(scene.page)
    scene.page.screenshot(path=shots / "gouji-burned.png")
    scene.healthy()


def test_a_set_that_breaks_the_condition_cannot_be_burned_with(at: Opener, burn: State) -> None:
    scene = at(burn, 0)
    scene.raise_cards("xXX")  # it would beat nothing, and leave no joker
    expect(scene.page.locator(".burn")).to_contain_text("这几张不行")
    scene.page.keyboard.press("b")
    assert scene.actions() == []
    scene.raise_cards("KKK")
    scene.page.keyboard.press("b")
    expect(scene.page.locator(".burn")).to_have_count(0)
    assert scene.actions()[0] == {"a": "burn"}


def test_declining_leaves_the_screen_of_everybody_else(at: Opener, burn: State) -> None:
    """README X6: the pause goes on, and looks the same from every chair."""
    asked, other = at(burn, 0, pausing=True), at(burn, 2, pausing=True)
    assert other.acts() == []
    assert "问过捎牌，再轮 石头记" in other.cloth()
    assert "问过捎牌，再轮 石头记" in asked.cloth()
    assert other.reading() == "小鲁 三张 Q · 够级 只有 石头记 能应，你不用动"
    assert other.page.locator(".plate[data-seat='1'] svg.ring").count() == 1
    asked.page.keyboard.press("n")
    expect(asked.page.locator(".burn")).to_have_count(0)
    assert asked.actions() == [{"a": "no_burn"}]
    expect(asked.page.locator(".reading")).to_contain_text("只有 石头记 能应，你不用动")
    assert "问过捎牌，再轮 石头记" in asked.cloth()
    assert asked.page.locator(".plate[data-seat='1'] svg.ring").count() == 1
    asked.after_pause()
    expect(asked.page.locator("[data-phase]")).to_contain_text("只有 石头记 能应")
    asked.healthy()
    other.healthy()


def test_a_burner_has_to_hang_a_joker_on_every_set(at: Opener, burn: State) -> None:
    after = passed_on(burn, (0, Burn()), (0, Play("KKK")))
    rules = Gouji()
    while rules.turn(after).ask != "close":
        after = rules.apply(after, min(rules.turn(after).seats), NoBurn()).state
    led = passed_on(after, (3, Close()))
    scene = at(led, 0)
    assert "每套须带王 · 余三王三种" in scene.plate(0)
    # What no set of his may hold without a joker is said before it is tried, and the rule when it is.
    scene.raise_cards("77")
    expect(scene.page.locator(".reading.bad")).to_contain_text("捎牌在身")
    scene.raise_cards("77x")
    expect(scene.page.locator(".reading.ready")).to_contain_text("两张 7 + 小王")
    scene.healthy()


# the rest of a deal --------------------------------------------------------------------------------------------------


def test_with_nothing_to_play_it_passes_by_itself_unless_i_stay(at: Opener) -> None:
    scene = at(passed_on(Gouji().place(("33", "334455", "3445", "T778", "Q", "99"), 5), (5, Play("9"))), 0)
    expect(scene.page.locator(".reading")).to_contain_text("没有压得过的牌")
    assert scene.acts() == ["stay", "pass"]
    scene.page.locator("[data-act=stay]").click()
    scene.page.wait_for_timeout(3200)
    assert scene.actions() == []
    scene.page.reload()
    expect(scene.page.locator("[data-act=stay]")).to_be_visible()
    scene.page.wait_for_timeout(3200)
    assert scene.actions() == [{"a": "pass"}]


def test_the_wind_can_be_asked_for(at: Opener) -> None:
    state = passed_on(Gouji().place(("3456", "3456", "3456", "3456", "3456", "9"), 5), (5, Play("9")))
    scene = at(state, 0)
    assert "wind" in scene.acts()
    assert "头科" in scene.plate(5)
    scene.page.keyboard.press("w")
    expect(scene.page.locator("[data-phase]")).to_contain_text("你申请接风")
    assert scene.actions() == [{"a": "wind"}]
    scene.healthy()


def test_a_fallen_hand_lies_open(at: Opener, shots: Path) -> None:
    # Seat 0 could burn with KKK and keep to its duty, but burns with KKX and has to lead 5 9 K without a joker.
    hands = ("59KKKX", "QQQ33445566", "3344556677", "33445566", "3344556677", "3344556677")
    burned = passed_on(Gouji().place(hands, 1), (1, Play("QQQ")), (0, Burn()))
    scene = at(passed_on(burned, (0, Play("KKX"))), 2)
    scene.go(3, Close())
    expect(scene.page.locator(".fallen .run")).to_have_attribute("aria-label", "青屿 亮牌：一张 5 + 一张 9 + 一张 K")
    assert "大落" in scene.plate(0)
    assert "烧落" in scene.plate(0)
    assert "无头" in scene.plate(3)
    scene.page.screenshot(path=shots / "gouji-fallen.png")
    scene.healthy()


def test_ten_cards_or_fewer_are_reported(at: Opener) -> None:
    scene = at(Gouji().place(("3456789TJQ", "3" * 11, "34", "3" * 12, "3", "44444"), 0), 1)
    assert "报 10" in scene.plate(0)
    assert "报 2" in scene.plate(2)
    assert "报" not in scene.plate(3)
    assert "报 1" in scene.plate(4)
    assert "报" not in scene.plate(1)
    scene.healthy()


def test_after_two_have_gone_nothing_is_gouji(at: Opener) -> None:
    scene = at(Gouji().place(("3344KK", "3344", "3344", "", "3344", ""), 0, out=(3, 5)), 0)
    assert "四人乱缠：不再有够级" in scene.cloth()
    scene.raise_cards("KK")
    expect(scene.page.locator(".reading.ready")).to_contain_text("两张 K")
    assert "够级" not in scene.reading()
    expect(scene.page.locator(".sums")).to_contain_text("四人乱缠")
    scene.healthy()


def test_a_tribute_is_returned_from_the_low_cards(at: Opener, shots: Path) -> None:
    options = Options(tribute="on")
    state = Gouji(options).place([*DUEL[:5], "JJJJJJKKKKKKQQQQQQAAAAAA222222TTTTXX"], 0, previous=(0, 1, 2, 3, 4, 5))
    scene = at(state, 0, options=options)
    assert "雁来红 进贡你：两张大王" in scene.cloth()
    assert scene.reading() == "选两张小牌还回去"
    scene.raise_cards("X")
    expect(scene.page.locator(".reading.bad")).to_contain_text("还贡")
    scene.raise_cards("34")
    expect(scene.page.locator(".reading.ready")).to_be_visible()
    scene.page.screenshot(path=shots / "gouji-tribute.png")
    scene.page.locator("[data-act=play]").click()
    expect(scene.page.locator("[data-phase=lead]")).to_be_visible()
    assert scene.actions() == [{"a": "return", "cards": "34"}]
    scene.healthy()


def test_a_three_is_kept_with_its_reason(at: Opener) -> None:
    options = Options(keep_three=True)
    scene = at(Gouji(options).place(("3345", "3456", "3456", "3456", "3456", "3456"), 0), 0, options=options)
    three = scene.page.locator("[data-card='3']")
    assert three.get_attribute("aria-disabled") == "true"
    three.click(force=True)
    expect(scene.page.locator(".reading.bad")).to_contain_text("憋三")
    assert three.get_attribute("data-raised") == "0"


def test_the_last_trick_can_be_seen_again(at: Opener, duel: State) -> None:
    scene = at(passed_on(duel, (0, Close())), 0)
    assert scene.page.locator("[data-set]").count() == 0
    scene.page.keyboard.press("l")
    expect(scene.page.locator("[data-set]")).to_have_count(3)
    assert "上一轮是 松间照 的" in scene.cloth()
    scene.page.keyboard.press("l")
    expect(scene.page.locator("[data-set]")).to_have_count(0)


def test_a_watcher_sees_no_hand(at: Opener, duel: State) -> None:
    scene = at(duel, None)
    assert scene.page.locator("[data-hand]").count() == 0
    assert scene.page.locator("[data-set]").count() == 3
    assert "只有 青屿 能应" in scene.cloth()
    scene.healthy()


def test_on_a_phone_what_a_watcher_chooses_stands_beside_the_plate(at: Opener, duel: State) -> None:
    scene = at(duel, None, (390, 844))
    chooses, plate = box_of(scene.page.locator(".watching")), box_of(scene.page.locator(".plate[data-seat='0']"))
    assert plate["x"] + plate["width"] <= chooses["x"]
    assert chooses["x"] + chooses["width"] <= 390


@pytest.mark.parametrize("lang", ["zh-CN", "en"])
def test_the_table_can_be_heard(at: Opener, duel: State, lang: str) -> None:
    scene = at(duel, 0, lang=lang)
    option = scene.page.locator("[data-hand]").get_by_role("option", selected=False).first
    assert option.get_attribute("aria-label") == ("两张 3" if lang == "zh-CN" else "two threes")
    scene.raise_cards("3")
    label = scene.page.locator("[data-card='3']").get_attribute("aria-label")
    assert label == ("两张 3，已选一张" if lang == "zh-CN" else "two threes, one chosen")
    scene.page.keyboard.press("v")
    spoken = scene.page.locator("[aria-live=assertive]")
    expect(spoken).to_contain_text("轮到你" if lang == "zh-CN" else "Your turn")


class Away(Scene):
    """A hall whose database is away whenever somebody comes to the table, until it is `back`."""

    back = False

    def _take(self, line: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["t"] == "join" and not self.back:
            facts = {"case": "unread"}
            self._say(line, t="err", cid=None, re="join", code="BUSY", facts=facts, table=message["table"])
        else:
            super()._take(line, message)


def test_who_comes_while_the_database_is_away_sees_the_table_as_soon_as_it_is_back(
    window: Callable[..., Page], hall: Server, duel: State, shots: Path
) -> None:
    scene = Away(window(390, 844), hall, duel, 0)
    scene.there = ".sheet.no"  # type: ignore[misc]
    scene.open()
    expect(scene.page.locator(".sheet.no")).to_contain_text("数据库")
    scene.page.screenshot(path=shots / "gouji-database-away.png")
    scene.back = True
    expect(scene.page.locator("[data-phase]").first).to_be_visible()
    expect(scene.page.locator(".sheet.no")).to_have_count(0)
    scene.healthy()


def test_motion_can_be_calm(window: Callable[..., Page], hall: Server, duel: State) -> None:
    page = window(1440, 900, reduced_motion="reduce")
    scene = Scene(page, hall, duel, 0).open()
    scene.raise_cards("JJJXX")
    page.keyboard.press("Enter")
    expect(page.locator("[data-set='0']")).to_be_visible()
    moved = page.evaluate(
        """document.getAnimations()
          .filter((one) => one.effect.getTiming().duration > 20)
          .flatMap((one) => one.effect.getKeyframes?.() ?? [])
          .map((frame) => frame.transform ?? "none")
          .some((way) => way !== "none" && !/matrix\\(1, 0, 0, 1, 0, 0\\)/.test(way))"""
    )
    assert moved is False
