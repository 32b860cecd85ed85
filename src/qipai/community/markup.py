"""What people write, as HTML: a safe part of Markdown, by markdown-it; nh3 removes what is not on the list (0054).

HTML of people's own is text. Links lead to this hall or to http(s), without telling from where one comes; pictures by
address are not shown. `@name` leads to a profile, and to a notice; `/g/ID` alone on a line stands for a replay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from qipai.accounts.text import plain

__all__ = ["MENTION", "embedded", "mentioned", "rendered", "words"]

TAGS: Final = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a", "h3", "h4", "h5"),
    *("table", "thead", "tbody", "tr", "th", "td", "div"),
}
ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "ol": {"start"},
    "div": {"data-game", "data-ply", "data-position"},
    "th": {"style"},
    "td": {"style"},
}
MENTION: Final = re.compile(r"(?<![\w@/.])@([\w-]{1,20})")
GAME: Final = re.compile(r"/g/([a-z0-9]{8,16})(?:#(\d{1,5}))?")
# A position of the editor (P-74), with or without the address of the hall before it.
POSITION: Final = re.compile(r"(?:https?://[^\s/]{1,100})?(/editor/[a-z]{2,24}\?[\w%+.~*=&!'(),:/-]{3,9000})")
OWN: Final = re.compile(r"/(?![/\\])[^\s]*")
MOST_MENTIONS: Final = 20
MOST_CELLS: Final = 2000  # of a table, with those that its short rows are filled up with; a larger one stays text


def words(text: str) -> str:
    """Return a text in its normal form: without invisible characters, "" where nothing of it could be seen."""
    return plain(text)


def mentioned(text: str) -> list[str]:
    """Return the names that a text mentions, in their order, each once, at most 20."""
    found = dict.fromkeys(match[1] for match in MENTION.finditer(_without_code(text)))
    return list(found)[:MOST_MENTIONS]


def embedded(text: str) -> list[tuple[str, int | None]]:
    """Return the games that stand alone on lines of a text, and at which ply."""
    found = (GAME.fullmatch(line.strip()) for line in text.split("\n"))
    return [(match[1], None if match[2] is None else int(match[2])) for match in found if match]


def rendered(text: str, people: Mapping[str, int] | None = None) -> str:
    """Return a text as HTML that is safe to show. people: the numbers of users who are mentioned, by name."""
    html = _markdown().render(plain(text), {"people": people or {}})
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        filter_style_properties={"text-align"},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow ugc",
    )


def _without_code(text: str) -> str:
    return re.sub(r"(?s)```.*?(?:```|\Z)|`[^`\n]*`", " ", text)


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False, "breaks": True})
    markdown.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])
    markdown.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    markdown.validateLink = _leads  # type: ignore[method-assign]
    markdown.core.ruler.push("hall", _hall)
    markdown.add_render_rule("game", _game)
    markdown.add_render_rule("position", _position)
    return markdown


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Begin a table, but for one so large that a short text would become a very long page."""
    if start < state.env.get("no_table", 0) or start + 2 > end:
        return False
    under = state.src[state.bMarks[start + 1] : state.eMarks[start + 1]]
    if under.strip("|:- \t>"):
        return False  # what stands under the head of a table has nothing else
    columns, rows = under.count("|") + 1, 0
    while start + rows < end and not state.isEmpty(start + rows):
        rows += 1
        if columns * rows > MOST_CELLS:
            state.env["no_table"] = start + rows  # none of its lines begins another
            return False
    return table(state, start, end, silent)


def _leads(url: str) -> bool:
    """Tell whether people may link there: to http(s), or to a page of this hall."""
    return bool(re.match(r"https?://", url, re.IGNORECASE) or OWN.fullmatch(url) or url.startswith("#"))


def _hall(state: StateCore) -> None:
    """Let headings begin at the third level, mentions and addresses lead somewhere, and games stand by themselves."""
    tokens: list[Token] = []
    found = state.tokens
    at = 0
    while at < len(found):
        token = found[at]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(5, int(token.tag[1]) + 2)}"
        if token.type == "paragraph_open" and (match := GAME.fullmatch(found[at + 1].content.strip())):
            game = Token("game", "div", 0, attrs={"data-game": match[1], "data-ply": match[2] or ""}, block=True)
            tokens.append(game)
            at += 3
            continue
        if token.type == "paragraph_open" and (match := POSITION.fullmatch(found[at + 1].content.strip())):
            tokens.append(Token("position", "div", 0, attrs={"data-position": match[1]}, block=True))
            at += 3
            continue
        if token.type == "inline" and token.children is not None:
            token.children = list(_linked(token.children, state.env.get("people", {})))
        tokens.append(token)
        at += 1
    state.tokens = tokens


PLACES: Final = re.compile(
    r"(?P<at>(?<![\w@/.])@(?P<name>[\w-]{1,20}))|(?P<url>https?://[^\s<>\"'）】》，。；！？]+[^\s<>\"'）】》，。；！？.,;:!?)])"
)


def _linked(children: Iterable[Token], people: Mapping[str, int]) -> Iterable[Token]:
    inside = 0
    for child in children:
        inside += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type != "text" or inside:
            yield child
            continue
        done = 0
        for match in PLACES.finditer(child.content):
            href = match["url"]
            if match["name"] is not None:
                number = people.get(match["name"])
                href = None if number is None else f"/users/{number}"
            if href is None:
                continue
            yield _text(child.content[done : match.start()])
            yield Token("link_open", "a", 1, attrs={"href": href})
            yield _text(match[0])
            yield Token("link_close", "a", -1)
            done = match.end()
        yield _text(child.content[done:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _position(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    path = escape(str(tokens[at].attrs["data-position"]))
    return f'<div data-position="{path}"><a href="{path}">{path.partition("?")[0]}</a></div>\n'


def _game(self: RendererHTML, tokens: list[Token], at: int, options: object, env: object) -> str:
    id, ply = (escape(str(tokens[at].attrs[name])) for name in ("data-game", "data-ply"))
    return f'<div data-game="{id}" data-ply="{ply}"><a href="/g/{id}">/g/{id}</a></div>\n'
