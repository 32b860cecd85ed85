"""Slow, obvious mahjong: hands are sorted lists of kinds, sets are looked for one by one, readings are written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

Sets = tuple[tuple[int, ...], ...]


def splits(tiles: list[int]) -> Iterator[Sets]:
    """Every way to split tiles into runs and triplets."""
    if not tiles:
        yield ()
        return
    first = tiles[0]
    if tiles.count(first) >= 3:
        rest = tiles[3:]
        for others in splits(rest):
            yield ((first,) * 3, *others)
    if first % 9 <= 6 and first + 1 in tiles and first + 2 in tiles:
        rest = list(tiles)
        for kind in (first, first + 1, first + 2):
            rest.remove(kind)
        for others in splits(rest):
            yield ((first, first + 1, first + 2), *others)


def standard(tiles: list[int]) -> Iterator[tuple[int, Sets]]:
    """Every pair and its sets."""
    for pair in sorted({kind for kind in tiles if tiles.count(kind) >= 2}):
        rest = sorted(tiles)
        rest.remove(pair)
        rest.remove(pair)
        for sets in splits(rest):
            yield pair, sets


def suits_of(tiles: list[int], melds: list[tuple[int, int]]) -> set[int]:
    return {kind // 9 for kind in tiles} | {kind // 9 for kind, _ in melds}


def held(tiles: list[int], melds: list[tuple[int, int]]) -> Counter[int]:
    counts = Counter(tiles)
    for kind, how in melds:
        counts[kind] += 4 if how else 3
    return counts


def is_seven(tiles: list[int], melds: list[tuple[int, int]]) -> bool:
    return not melds and len(tiles) == 14 and all(n in (2, 4) for n in Counter(tiles).values())


def wins(tiles: list[int], melds: list[tuple[int, int]], void: int = -1) -> bool:
    """Whether 14 tiles win; melds are (kind, 0 for a pong or the kind of a kong)."""
    if len(tiles) + 3 * len(melds) != 14 or max(held(tiles, melds).values()) > 4:
        return False
    suits = suits_of(tiles, melds)
    if len(suits) == 3 or void in suits:
        return False
    return is_seven(tiles, melds) or next(standard(tiles), None) is not None


def waits(tiles: list[int], melds: list[tuple[int, int]], void: int = -1) -> list[int]:
    return [kind for kind in range(27) if held(tiles, melds)[kind] < 4 and wins(sorted([*tiles, kind]), melds, void)]


def patterns(tiles: list[int], melds: list[tuple[int, int]], last: int) -> Iterator[dict[str, int]]:
    """The items of every reading, how often each counts: the pattern, and what wait the tile `last` finishes."""
    counts = held(tiles, melds)
    roots = sum(n == 4 for n in counts.values())
    kinds = sorted(counts)
    common = {
        "qing_yi_se": int(len({kind // 9 for kind in kinds}) == 1),
        "gen": roots,
        "men_qing": int(all(how == 3 for _, how in melds)),
        "zhong_zhang": int(all(kind % 9 not in (0, 8) for kind in kinds)),
    }
    eyes = all(kind % 9 in (1, 4, 7) for kind in kinds)
    if is_seven(tiles, melds):
        yield {**common, "qi_dui": 1, "long_qi_dui_extra": int(roots > 0), "jiang": int(eyes)}
    for pair, sets in standard(tiles):
        triplets = all(len(set(each)) == 1 for each in sets)
        groups = [*sets, (pair, pair), *((kind,) for kind, _ in melds)]
        items = {
            **common,
            "ping_hu": 1,
            "dui_dui": int(triplets),
            "jiang": int(eyes and triplets),
            "dai_yao": int(all(any(kind % 9 in (0, 8) for kind in group) for group in groups)),
            "jin_gou_diao": int(len(melds) == 4),
        }
        if pair == last:
            yield {**items, "diao": int(len(melds) < 4)}
        for each in sets:
            if last not in each:
                continue
            if len(set(each)) == 1:
                yield items
            elif each[1] == last:
                yield {**items, "ka": 1}
            elif (each[2] == last and last % 9 == 2) or (each[0] == last and last % 9 == 6):
                yield {**items, "bian": 1}
            else:
                yield items


def drawn_hand(random: Random, melds: int = 0) -> tuple[list[int], list[tuple[int, int]]]:
    """A hand of 14 that mostly wins or nearly does: sets and a pair in few suits, sometimes with a tile changed."""
    suits = random.choices((0, 1, 2), k=random.choice((1, 2, 2, 2, 3)))
    while True:
        tiles: list[int] = []
        laid: list[tuple[int, int]] = []
        if random.random() < 0.15 and not melds:
            tiles = sorted(kind for kind in random.choices(pool(suits), k=7) for _ in range(2))
        else:
            for i in range(4):
                kind = random.choice(pool(suits))
                if i < melds:
                    laid.append((kind, random.choice((0, 0, 1, 2, 3))))
                elif random.random() < 0.6 and kind % 9 <= 6:
                    tiles += [kind, kind + 1, kind + 2]
                else:
                    tiles += [kind] * 3
            tiles += [random.choice(pool(suits))] * 2
        for _ in range(random.choice((0, 0, 0, 1, 2))):
            tiles[random.randrange(len(tiles))] = random.choice(pool(suits))
        if max(held(tiles, laid).values()) <= 4:
            return sorted(tiles), laid


def pool(suits: list[int]) -> list[int]:
    return [suit * 9 + rank for suit in suits for rank in range(9)]
