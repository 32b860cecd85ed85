"""The colours of the client keep their contrast: the table of the design is computed anew from tokens.css."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from tests.house.client.colour_vision import KINDS, apart, seen

SHAPES = Path(__file__).parents[3] / "client" / "src" / "kit" / "CardDefs.svelte"
CSS = Path(__file__).parents[3] / "client" / "src" / "shell" / "tokens.css"
TEXT, EDGE = 4.5, 3.0  # WCAG 2.x AA: text; large figures, outlines and rings
CLOTHS = ("pine", "indigo", "umber")
THEMES = ("light", "dark")
CLEAR = "html:root[data-contrast][data-cloth]"

# what stands on what, and how clear it must be
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-2") for ground in ("paper", "paper-up", "paper-down", "ochre-soft")),
    *(("ink-3", ground, TEXT) for ground in ("paper", "paper-up", "paper-down")),
    ("on-seal", "seal", TEXT),
    ("on-seal", "seal-up", TEXT),
    ("seal-text", "paper-up", TEXT),
    ("seal-text", "paper", TEXT),
    *((word, f"{word.removesuffix('-text')}-soft", TEXT) for word in ("seal-text", "jade", "indigo", "ochre")),
    *((word, "paper-up", TEXT) for word in ("jade", "indigo", "ochre")),
    ("ink", "seal-soft", TEXT),
    *((suit, "card", TEXT) for suit in "shcd"),
    *((f"off-{suit}", "card-off", EDGE) for suit in "shcd"),
    ("wood-ink", "wood", TEXT),
    ("piece-red-ink", "piece-red", TEXT),
    ("piece-dark-ink", "piece-dark", TEXT),
    *((mark, "wood", EDGE) for mark in ("board-jade", "board-indigo", "board-seal")),
    ("line-strong", "paper", EDGE),
    ("line-strong", "paper-up", EDGE),
]
CLOTH_PAIRS = [
    ("on-cloth", "cloth-light", TEXT),
    ("on-cloth", "plate", TEXT),
    ("on-cloth-2", "cloth-light", TEXT),
    ("on-cloth-2", "plate", TEXT),
    *((word, "plate", TEXT) for word in ("lamp", "ally", "foe", "warn")),
    ("card", "cloth-light", TEXT),
    ("cloth-line", "cloth", EDGE),
    ("lamp", "cloth-light", EDGE),
]


@cache
def blocks() -> dict[str, dict[str, str]]:
    """The declarations of each selector; inside the dark media query with `@dark ` before it."""
    css = re.sub(r"/\*.*?\*/", "", CSS.read_text(encoding="utf-8"), flags=re.DOTALL)
    found: dict[str, dict[str, str]] = {}
    depth, path = 0, list[str]()
    for head, sign in re.findall(r"([^{}]*)([{}])", css):
        if sign == "{":
            path.append(head.rsplit(";", 1)[-1].strip())
            depth += 1
        else:
            if head.strip():
                name = ("@dark " if "@media" in path[0] else "") + path[-1]
                found.setdefault(name, {}).update(
                    re.findall(r"--([\w-]+):\s*(#[0-9A-Fa-f]{6}\b|var\(--[\w-]+\))", head)
                )
            path.pop()
            depth -= 1
    assert depth == 0
    return found


def colours(theme: str, cloth: str = "pine", *, clear: bool = False) -> dict[str, str]:
    """The tokens of a theme and cloth, as the cascade leaves them; clear: in high contrast."""
    all_blocks = blocks()
    found = dict(all_blocks[":root"])
    if cloth != "pine":
        found |= all_blocks[f':root[data-cloth="{cloth}"]']
    if theme == "dark":
        found |= all_blocks[':root[data-theme="dark"]']
        if cloth != "pine":
            found |= all_blocks[f':root[data-cloth="{cloth}"][data-theme="dark"]']
    if clear:
        found |= all_blocks[CLEAR]
        if theme == "dark":
            found |= all_blocks[f'{CLEAR}[data-theme="dark"]']
    for _ in range(2):  # a name may stand for a name
        found = {key: found[value[6:-1]] if value.startswith("var") else value for key, value in found.items()}
    return found


def light(colour: str) -> float:
    """The relative luminance of #rrggbb."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 … 21."""
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_yardstick_is_right() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#24211C", "#F6F1E7") == pytest.approx(14.3, abs=0.1)  # the design's figure: ink on paper
    assert contrast("#EDBE55", "#15211C") == pytest.approx(9.6, abs=0.1)  # lamp on plate, dark


@pytest.mark.parametrize(("theme", "pair"), list(product(THEMES, PAIRS)), ids=lambda value: str(value[:2]))
def test_what_is_written_can_be_read(theme: str, pair: tuple[str, str, float]) -> None:
    front, ground, least = pair
    tokens = colours(theme)
    assert contrast(tokens[front], tokens[ground]) >= least


@pytest.mark.parametrize(("cloth", "theme", "pair"), list(product(CLOTHS, THEMES, CLOTH_PAIRS)), ids=str)
def test_what_lies_on_a_cloth_can_be_seen(cloth: str, theme: str, pair: tuple[str, str, float]) -> None:
    front, ground, least = pair
    tokens = colours(theme, cloth)
    assert contrast(tokens[front], tokens[ground]) >= least


@pytest.mark.parametrize(("cloth", "theme", "pair"), list(product(CLOTHS, THEMES, [*PAIRS, *CLOTH_PAIRS])), ids=str)
def test_high_contrast_is_that(cloth: str, theme: str, pair: tuple[str, str, float]) -> None:
    """WCAG AAA for what is read; what is greyed out stays as it was, since grey is what it says."""
    front, ground, least = pair
    tokens = colours(theme, cloth, clear=True)
    wanted = 7.0 if least == TEXT else least if front.startswith(("off-", "board-")) else 4.5
    assert contrast(tokens[front], tokens[ground]) >= wanted


# What tells things apart by its colour, besides by its shape: suits, sides, pieces, marks, yes and no.
TOLD_APART = (
    ("s", "h", "c", "d"),
    ("ally", "foe"),
    ("lamp", "foe"),
    ("warn", "foe"),
    ("piece-red-ink", "piece-dark"),
    ("piece-red", "piece-dark"),
    ("point-a", "point-b"),
    ("board-jade", "board-indigo", "board-seal"),
    ("jade", "seal-text"),
    ("indigo", "ochre"),
)
AT_ONCE, GREYED = 7.0, 5.0  # of CIEDE2000


def test_the_yardstick_of_differences_is_right() -> None:
    # Of the table by Sharma, Wu and Dalal (2005).
    for one, other, told in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (56, -27, -3), 31.9030),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert apart(one, other) == pytest.approx(told, abs=1e-4)
    assert seen("#FFFFFF", "tritanopia") == pytest.approx((100, 0, 0), abs=0.05)  # who lacks a cone sees white as white
    red, green = (seen(colour, "deuteranopia") for colour in ("#C00000", "#6A6A00"))
    assert apart(red, green) < apart(seen("#C00000", "all cones"), seen("#6A6A00", "all cones")) / 2


@pytest.mark.parametrize("clear", [False, True], ids=["", "high contrast"])
@pytest.mark.parametrize(("theme", "kind"), list(product(THEMES, KINDS)))
def test_colours_stay_apart_for_who_lacks_a_cone(theme: str, kind: str, clear: bool) -> None:
    for cloth in CLOTHS:
        tokens = colours(theme, cloth, clear=clear)
        for group, least in (
            *((group, AT_ONCE) for group in TOLD_APART),
            (("off-s", "off-h", "off-c", "off-d"), GREYED),
        ):
            for one, other in combinations(group, 2):
                told = apart(seen(tokens[one], kind), seen(tokens[other], kind))
                assert told >= least, f"{one} and {other} are {told:.1f} apart on {cloth}"


def test_suits_have_shapes_of_their_own() -> None:
    shapes = re.findall(r'<symbol id="card-([shcd])".*?</symbol>', SHAPES.read_text("utf-8"), re.DOTALL)
    assert sorted(shapes) == ["c", "d", "h", "s"]


def test_dark_is_the_same_by_the_system_and_by_choice() -> None:
    found = blocks()
    assert found['@dark :root:not([data-theme="light"])'] == found[':root[data-theme="dark"]']
    for cloth in ("indigo", "umber"):
        by_system = found[f'@dark :root[data-cloth="{cloth}"]:not([data-theme="light"])']
        assert by_system == found[f':root[data-cloth="{cloth}"][data-theme="dark"]']
    assert found[f'@dark {CLEAR}:not([data-theme="light"])'] == found[f'{CLEAR}[data-theme="dark"]']


def test_dark_leaves_nothing_light_by_mistake() -> None:
    fixed = {name for name in blocks()[":root"] if re.match(r"piece-|board-|tile-|point-", name)}
    suits = set("shcd")
    assert blocks()[":root"].keys() - blocks()[':root[data-theme="dark"]'].keys() == fixed | suits
