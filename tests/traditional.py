"""Write anew, from OpenCC's dictionaries, how traditional Chinese respells simplified: `python -m tests.traditional`.

It needs `pip install opencc` (1.4 or later), which nothing else does: what it writes stands in
`src/qipai/lang/hant.toml`, below the words that people have chosen there. A hall respells by that table alone, so this
runs when OpenCC has a new release; `--check` prints where it spells our sentences otherwise.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from qipai import lang
from qipai.lang.respelling import Respelling

FILE: Final = Path(lang.__file__).with_name("hant.toml")
SOURCES: Final = Path(lang.__file__).parents[1]
MARK: Final = "# Below: written by `python -m tests.traditional`; do not edit."
PHRASES: Final = ("STPhrases", "STPhrases_GeneratedFromRegionalPhrases")
TAIWAN: Final = ("TWPhrases", "TWVariantsPhrases")
NEWLINE: Final = "\n"
PLAIN: Final = re.compile(r"[一-鿿]+")


def dictionary(name: str) -> dict[str, str]:
    """Return a dictionary of OpenCC: word -> the first of its spellings."""
    import opencc  # type: ignore[import-not-found, unused-ignore]

    clib = Path(opencc.__file__).parent / "clib"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.txt"
        where = clib / "share" / "opencc" / f"{name}.ocd2"
        subprocess.run([clib / "bin" / "opencc_dict", "-i", where, "-o", file, "-f", "ocd2", "-t", "text"], check=True)
        rows = (line.split("\t") for line in file.read_text("utf-8").splitlines())
        return {word: spellings.split()[0] for word, spellings in rows}


def common(word: str) -> bool:
    """Is every character of a word one that simplified texts of today have?"""
    try:
        word.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def texts() -> Iterator[str]:
    """Yield every run of Chinese characters that the hall says in simplified Chinese."""
    for pattern in (
        "**/lang/zh.toml",
        "**/lang/*/zh.toml",
        "**/lang/lesson.zh.toml",
        "**/*.zh-CN.md",
        "hall/rooms.toml",
    ):
        for file in sorted(SOURCES.glob(pattern)):
            yield from PLAIN.findall(file.read_text("utf-8"))


def table(convert: Any, back: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the words and the characters that are respelt, no more of them than make a difference."""
    known = [word for name in PHRASES for word in dictionary(name)]
    taiwan = [back(word) for name in TAIWAN for word in dictionary(name)]
    letters = {letter: convert(letter) for name in ("STCharacters", "TWVariants") for letter in dictionary(name)}
    letters = {letter: to for letter, to in letters.items() if to != letter and len(letter) == 1 and common(letter)}
    words: dict[str, str] = {}
    longest: dict[int, set[str]] = {}
    for word in {word for word in (*known, *taiwan) if common(word) and len(word) > 1 and PLAIN.fullmatch(word)}:
        longest.setdefault(len(word), set()).add(word)
    for _, group in sorted(longest.items()):
        shorter = Respelling(words, letters)
        words |= {word: convert(word) for word in sorted(group) if convert(word) != shorter(word)}
    # OpenCC cuts a sentence into all words that it knows. Of those that are spelt as their letters are, the ones count
    # that keep our sentences from being cut elsewhere.
    plain = set(known)
    for _ in range(4):
        ours = Respelling(words, letters)
        wrong = [text for text in set(texts()) if ours(text) != convert(text)]
        for text in wrong:
            at = next((n for n, (a, b) in enumerate(zip(ours(text), convert(text), strict=False)) if a != b), len(text))
            spans = ((a, b) for a in range(max(0, at - 4), at + 1) for b in range(a + 2, min(len(text), at + 5) + 1))
            words |= {text[a:b]: convert(text[a:b]) for a, b in spans if text[a:b] in plain}
    return words, letters


def lines(rows: Iterable[str], width: int = 110) -> Iterator[str]:
    """Yield rows set into lines of so many columns, two for a character."""
    line: list[str] = []
    long = 0
    for row in rows:
        if line and long + 2 * len(row) > width:
            yield " ".join(line)
            line, long = [], 0
        line.append(row)
        long += 2 * len(row) + 1
    yield " ".join(line)


def main() -> int:
    """Write the table, or with `--check` say where OpenCC spells our sentences otherwise."""
    import opencc

    convert, back = opencc.OpenCC("s2twp").convert, opencc.OpenCC("tw2s").convert
    if "--check" in sys.argv:
        ours = lang.respelling("zh-Hant")
        for text in sorted(set(texts())):
            if ours(text) != convert(text):
                print(text, ours(text), convert(text), sep="\n  ")
        return 0
    words, letters = table(convert, back)
    by_hand = FILE.read_text("utf-8").partition(MARK)[0]
    rows = {
        "words": [f"{word}{to}" if len(word) == len(to) else f"{word}={to}" for word, to in sorted(words.items())],
        "letters": [f"{letter}{to}" for letter, to in sorted(letters.items())],
    }
    tables = "".join(f'{name} = """\n{NEWLINE.join(lines(each))}\n"""\n' for name, each in rows.items())
    FILE.write_text(f"{by_hand}{MARK}\n{tables}", encoding="utf-8")
    print(f"{FILE.name}: {len(words)} words, {len(letters)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
