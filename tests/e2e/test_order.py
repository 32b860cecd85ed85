"""Keeping the order in a browser: who is named for a room has its buttons there, and nowhere else (section 1, P-95)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.guest import KEEPER, Guest, open_house

Window = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with open_house(tmp_path_factory.mktemp("order")) as server:
        yield server


def says(person: Guest, text: str) -> None:
    person.page.locator("[data-chat-input]").fill(text)
    person.page.locator("[data-chat-input]").press("Enter")


def because(person: Guest, reason: str) -> None:
    """Give the reason that is asked for, and see that it was taken."""
    person.page.locator("#because").fill(reason)
    person.page.locator("[data-because]").click()
    expect(person.page.locator("#because")).to_have_count(0)


def named(person: Guest, window: Window, house: Server) -> int:
    """Let the administrator name somebody for the friendly room of xiangqi; return its number."""
    keeper = Guest(window(), house, KEEPER, known=True)
    room = keeper.room("friendly")
    keeper.call("/admin/roles", {"user": person.id, "role": "moderator", "room": room})
    return room


def test_an_administrator_names_a_moderator_who_takes_a_line_away(window: Window, house: Server, shots: Path) -> None:
    keeper = Guest(window(390, 844), house, KEEPER, known=True)
    judge, rude = Guest(window(), house, "明镜台"), Guest(window(), house, "骂街人")
    room = rude.room("friendly")
    for person in (judge, rude):
        person.see(f"/rooms/{room}")
    expect(rude.page.locator("[data-keepers]")).to_have_count(0)
    says(rude, "难听的话")
    line = judge.page.locator("[data-line]", has_text="难听的话")
    line.get_by_role("button").click()
    expect(judge.page.locator("[data-report-line]")).to_be_visible()
    expect(judge.page.locator("[data-remove-line]")).to_have_count(0)

    keeper.see("/moderation/admin")
    form = keeper.page.locator("form", has=keeper.page.locator("[data-role]"))
    form.get_by_role("searchbox").fill("明镜台")
    form.get_by_role("button", name="明镜台").click()
    form.locator("#room").select_option(str(room))
    form.locator("[data-role]").click()
    expect(form.locator(f"[data-keeper='{judge.id}']")).to_contain_text("友谊室")
    keeper.page.screenshot(path=shots / "order-roles.png", full_page=True)

    # Both pages that are open say so at once.
    expect(judge.page.get_by_text("的管理员。").first).to_be_visible()
    expect(rude.page.locator("[data-keepers]")).to_contain_text("明镜台")
    judge.page.locator("[data-remove-line]").click()
    because(judge, "骂人")
    for person in (judge, rude):
        expect(person.page.locator("[data-line]", has_text="难听的话")).to_have_count(0)
    expect(rude.page.get_by_text("骂人").first).to_be_visible()  # the author reads why

    # In another room he is a guest like everybody.
    other = judge.room("score")
    for person in (judge, rude):
        person.see(f"/rooms/{other}")
    says(rude, "还是难听")
    judge.page.locator("[data-line]", has_text="还是难听").get_by_role("button").click()
    expect(judge.page.locator("[data-report-line]")).to_be_visible()
    expect(judge.page.locator("[data-remove-line]")).to_have_count(0)

    form.locator("[data-unname]").click()
    expect(form.locator(f"[data-keeper='{judge.id}']")).to_have_count(0)
    expect(judge.page.get_by_text("不再是").first).to_be_visible()
    keeper.see("/moderation/audit")
    place = "中国象棋 · 友谊室"
    for words in (f"任命明镜台为{place}的管理员", "删掉骂街人的一句话", f"解除明镜台在{place}的管理员职位"):
        expect(keeper.page.locator("[data-act]", has_text=words)).to_have_count(1)
    for person in (keeper, judge, rude):
        person.healthy()


def test_a_moderator_of_the_room_sees_its_reports_and_no_others(window: Window, house: Server, shots: Path) -> None:
    judge, witness = Guest(window(390, 844), house, "听审人"), Guest(window(), house, "目击者")
    room = named(judge, window, house)
    for ref, text in ((f"room:{room}", "这个房间里的事"), ("room:1", "别处的事")):
        witness.call("/reports", {"kind": "abuse", "user": judge.id, "ref": ref, "text": text})
    about = {"kind": "stalling", "user": witness.id, "ref": f"room:{room}", "text": "拖得太久"}
    witness.call("/reports", about)
    witness.see("/grades")
    judge.see("/moderation")
    rows = judge.page.locator("[data-report-row]")
    expect(rows).to_have_count(2)
    rows.filter(has_text="拖延").click()
    expect(judge.page.locator("[data-report-text]")).to_have_text("拖得太久")
    for absent in ("ban_week", "unban"):  # what is for the whole hall
        expect(judge.page.locator(f"input[value={absent}]")).to_have_count(0)
    judge.page.locator("input[value=mute_day]").check()
    judge.page.locator("#reason").fill("请快一点")
    judge.page.screenshot(path=shots / "order-report.png", full_page=True)
    judge.page.locator("[data-rule]").click()
    expect(witness.page.get_by_text("请快一点").first).to_be_visible()
    expect(rows).to_have_count(1)
    witness.see(f"/rooms/{room}")
    says(witness, "我还能说话吗")
    expect(witness.page.get_by_text("已禁言").first).to_be_visible()
    for person in (judge, witness):
        person.healthy()


def test_a_moderator_sends_somebody_away_and_closes_the_table(window: Window, house: Server, shots: Path) -> None:
    judge, slow, friend = (Guest(window(), house, name) for name in ("关桌人", "慢半拍", "等不及"))
    room = named(judge, window, house)
    here = slow.call("/tables", {"game": "xiangqi", "room": room})["table"]
    for n, person in enumerate((slow, friend)):
        person.see(f"/tables/{here}")
        person.page.locator(f"[data-sit='{n}']").click()
        expect(person.page.locator("[data-ready]")).to_be_visible()
    judge.see(f"/tables/{here}")
    judge.page.locator("[data-page='info']").click()
    judge.page.locator("[data-kick='0']").click()
    judge.page.screenshot(path=shots / "order-kick.png")
    because(judge, "让别人先下")
    expect(slow.page.get_by_text("让别人先下").first).to_be_visible()
    expect(slow.page.locator("[data-sit='0']")).to_be_visible()
    expect(judge.page.locator("[data-kick='0']")).to_have_count(0)
    judge.page.locator("[data-close-table]").click()
    because(judge, "拿棋局打赌")
    expect(friend.page.get_by_text("拿棋局打赌").first).to_be_visible()
    for person in (judge, slow, friend):
        person.healthy()

    # At a table of another room he has neither button.
    there = slow.call("/tables", {"game": "xiangqi", "room": slow.room("score")})["table"]
    judge.see(f"/tables/{there}")
    judge.page.locator("[data-page='info']").click()
    expect(judge.page.locator("[data-link]")).to_be_visible()
    expect(judge.page.locator("[data-close-table]")).to_have_count(0)
    judge.healthy()


def test_the_end_of_a_mute_is_told_in_the_zone_of_whom_it_is_about(window: Window, house: Server) -> None:
    keeper = Guest(window(), house, KEEPER, known=True)
    far = Guest(window(timezone_id="Europe/London"), house, "远方客")
    far.see("/settings/account")
    far.page.get_by_label("时区").select_option("Asia/Kabul")  # 4½ hours from Greenwich, at any season
    ruling = {"what": "mute", "reason": "夜里太吵", "hours": 1}
    until = keeper.call(f"/moderation/users/{far.id}", ruling)["until"]
    told = datetime.fromtimestamp(until, timezone(timedelta(hours=4, minutes=30))).strftime("%H:%M")
    expect(far.page.get_by_text("夜里太吵").first).to_contain_text(told)
    far.healthy()
