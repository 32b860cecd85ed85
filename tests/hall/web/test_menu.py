"""The menu of the first hall (seed 003) entry by entry, and ours: each opens for everybody in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.client import Calls, Server
from tests.hall.web.conftest import SETTINGS, shared
from tests.hall.web.test_pages import API, Somebody, id_of, somebody

from qipai import cli, lang
from qipai.community.plain.files import NAMES

CLIENT = Path(__file__).parents[3] / "client" / "src"
LANGS = ("zh-CN", "en")


class Entry(NamedTuple):
    """An entry of the seed. page: where it leads here; data: its twin under /api/v1; user: for registered people."""

    word: str
    page: str
    data: str
    user: bool = False


# In the seed's own order. 讯息 is a heading, 退出 a button.
SEED = (
    Entry("首页", "/", "/home", user=True),
    Entry("新游戏", "/new", "/games"),
    Entry("未决的游戏邀请", "/invites", "/invites", user=True),
    Entry("竞技", "/tournaments", "/tournaments"),
    Entry("团队比赛", "/teams", "/teams"),
    Entry("楼梯", "/stairs", "/stairs"),
    Entry("池塘", "/ponds", "/ponds"),
    Entry("扑克台", "/cards", "/cards"),
    Entry("游戏规则", "/rules/xiangqi", "/games/xiangqi"),
    Entry("游戏编辑", "/editor", "/editor"),
    Entry("档案", "/me", "/me", user=True),
    Entry("付费会员", "/membership", "/membership"),
    Entry("我的档案", "/users/ME", "/users/ME"),
    Entry("相册", "/album", "/album", user=True),
    Entry("留言箱", "/mail", "/mail", user=True),
    Entry("Events", "/events", "/events", user=True),
    Entry("朋友", "/friends", "/friends", user=True),
    Entry("被阻止的用户", "/friends/blocked", "/friends/blocked", user=True),
    Entry("设置", "/settings", "/me", user=True),
    Entry("统计", "/statistics", "/statistics"),
    Entry("新消息", "/news", "/notices", user=True),
    Entry("赢家", "/winners", "/winners"),
    Entry("名次", "/rankings", "/rankings"),
    Entry("玩家名单", "/players", "/players"),
    Entry("联谊会", "/clubs", "/clubs"),
    Entry("谁在线上?", "/online", "/online"),
    Entry("在线对手", "/online/opponents", "/online/opponents", user=True),
    Entry("讨论板", "/boards", "/boards"),
    Entry("舆论调查", "/polls", "/polls"),
    Entry("聊天室", "/chat", "/chat"),
    Entry("成就", "/achievements", "/achievements"),
    Entry("脑奖", "/prizes", "/tournaments"),
    Entry("语言", "/settings/account", "/lang/LANG"),
    Entry("面谈", "/interviews", "/interviews"),
    Entry("支持我们", "/support", "/support"),
    Entry("帮助", "/help", "/help"),
    Entry("常见问答", "/faq", "/faq"),
    Entry("联系我们", "/contact", "/contact"),
    Entry("链接", "/links", "/links"),
    Entry("新用户注册", "/signin", "/games"),
    Entry("返回游戏", "/games/xiangqi", "/games/xiangqi"),
    Entry("胜局的统计", "/statistics", "/statistics"),
    Entry("日期和时间(更改)", "/settings/account", "/me", user=True),
    Entry("朋友群", "/friends/groups", "/friends/groups", user=True),
    Entry("每日提示(显示所有的提示)", "/tips", "/tips"),
)


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that these tests share."""
    with shared(request, tmp_path_factory.mktemp("menu"), SETTINGS) as server:
        yield server
        assert (server.stop(), server.complaints()) == (0, "")


@pytest.fixture(scope="module")
def people(house: Server) -> Iterator[dict[str, Somebody]]:
    """A guest, a new user, a member and a moderator."""
    with ExitStack() as stack:
        guest = stack.enter_context(Somebody(base_url=house.url))
        guest.do("/guest")
        new, member, moderator = (stack.enter_context(somebody(house, name)) for name in ("newly", "member", "modest"))
        member.do("/shop", item="member_days", qty=5)
        assert cli.main(["role", "modest", "moderator", "--data", str(house.data)]) == 0
        yield {"guest": guest, "new": new, "member": member, "moderator": moderator}


def routes() -> list[str]:
    return re.findall(r'^  \["(/[^"]*)", "', (CLIENT / "far.ts").read_text("utf-8"), re.M)


def routed(path: str) -> bool:
    patterns = (re.sub(r":\w+", "[^/]+", re.sub(r"/:\w+\?", "(/[^/]+)?", route)) for route in routes())
    return any(re.fullmatch(pattern, path) for pattern in patterns)


def menu() -> list[tuple[str, str]]:
    """The menu's rows as the client has them: path and word."""
    text = (CLIENT / "shell" / "places.ts").read_text("utf-8")
    rows = re.findall(r'path: "(/[^"]*)", word: "([\w.]+)"', text) + re.findall(r'own\("(/[^"]*)", "([\w.]+)"', text)
    assert len(rows) > 25
    return rows


def test_every_entry_of_the_seed_has_a_page() -> None:
    assert [entry.word for entry in SEED if not routed(entry.page)] == []


def test_every_row_of_our_menu_has_a_page_and_a_word_in_both_languages() -> None:
    for path, word in menu():
        assert routed(path), path
        assert all(lang.hall(tongue)[word] for tongue in LANGS), word


@pytest.mark.parametrize("tongue", LANGS)
@pytest.mark.parametrize("who", ["guest", "new", "member", "moderator"])
def test_every_entry_opens_for_everybody(house: Server, people: dict[str, Somebody], who: str, tongue: str) -> None:
    http = people[who]
    headers = {"accept-language": tongue}
    with Calls(base_url=house.url, headers=headers, cookies=http.cookies) as browser:
        me = str(id_of(http))
        paths = dict.fromkeys([entry.page for entry in SEED] + [path for path, _word in menu()])
        for path in paths:
            page = browser.get(path.replace("ME", me))
            assert (page.status_code, page.headers["content-type"].split(";")[0]) == (200, "text/html"), path
        for entry in SEED:
            data = entry.data.replace("ME", me).replace("LANG", tongue)
            answer = browser.get(f"{API}{data}", params={"lang": tongue} if entry.page[1:] in NAMES else {})
            if answer.status_code != 200:
                # A guest is told to sign in where a page is somebody's own, and nothing else is ever in the way.
                assert (who, entry.user, answer.status_code) == ("guest", True, 401), (entry, answer.text)
                assert answer.json()["error"]["code"] == "SIGN_IN"
            else:
                assert answer.json() is not None
