"""Take pictures of every state of every table and page, and say what has changed since the last release.

  python3 run.py gallery                                    everything, some forty minutes
  python3 run.py gallery --only mahjong --size 390x844      a part: by words of a picture's name, by how it is looked at
  python3 run.py gallery --chosen                           what is compared with the last release, a minute and a half
  python3 run.py gallery --chosen --accept                  … and kept to be compared with from now on
  python3 run.py gallery --readme                           the ten pictures of the README

Pictures and an index.html to walk through them are written to build/gallery, or where --out says. The exit status is 1
if something has changed that is not accepted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.e2e.conftest import FOUND, launched
from tests.gallery import book, front, last
from tests.gallery.camera import Camera
from tests.gallery.states import KINDS, LANGS, SIZES, THEMES, Look, Shot, chosen, every, narrowed


def size(text: str) -> tuple[int, int]:
    """Return width and height."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def options() -> argparse.ArgumentParser:
    """Return what can be asked for."""
    parser = argparse.ArgumentParser(
        "gallery", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="in the name of a picture")
    parser.add_argument("--kind", action="append", default=[], choices=KINDS)
    parser.add_argument("--size", action="append", type=size, metavar="390x844", help="any, not only the usual ones")
    parser.add_argument("--lang", action="append", metavar="en", help="zh-Hant is there, too")
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--chosen", action="store_true", help="what is compared with the last release")
    parser.add_argument("--accept", action="store_true", help="keep what has changed as the last release")
    parser.add_argument("--readme", action="store_true", help="write the pictures of the README")
    parser.add_argument("--out", type=Path, default=Path("build/gallery"), metavar="DIR")
    parser.add_argument("--browser", default=FOUND, metavar="FILE", help="the Chromium that is used")
    return parser


def looked_at(look: Look, asked: argparse.Namespace) -> bool:
    """Tell whether somebody who has named languages, themes or sizes wants this look."""
    named = ((asked.lang, look.lang), (asked.theme, look.theme), (asked.size, look.size))
    return all(not wanted or own in wanted for wanted, own in named)


def main(words: Sequence[str] | None = None) -> int:
    """Do what is asked; return the exit status."""
    parser = options()
    asked = parser.parse_args(words)
    kept = list(chosen())
    if asked.readme:
        wanted: Iterable[Shot] = front.TEN.values()
    elif asked.chosen or asked.accept:
        wanted = (one for one in kept if looked_at(one.look, asked))
    else:
        wanted = every(asked.lang or LANGS, asked.theme or THEMES, asked.size or SIZES)
    shots = narrowed(wanted, asked.kind, asked.only)
    if not shots:
        parser.error("there is no such picture")
    changed, pages = [], book.Book(asked.out)
    compare = set(kept)
    began = time.monotonic()
    with launched(asked.browser) as browser, Camera(browser) as camera:
        for at, (shot, picture) in enumerate(camera.take(shots), 1):
            change = last.compared(shot, picture) if shot in compare else None
            pages.add(shot, picture, change)
            if change:
                changed.append(change)
                if asked.accept:
                    last.keep(shot, picture)
            if asked.readme:
                front.write(shot, picture)
            left = (time.monotonic() - began) / at * (len(shots) - at)
            print(f"\r{at}/{len(shots)}, {left:3.0f} s left  {str(shot)[:90]:90}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    old = last.gone(kept) if len(shots) == len(kept) else []
    if asked.accept:
        for one in old:
            one.unlink()
    for line in (*changed, *(f"{one.relative_to(last.FOLDER)}: gone" for one in old), *camera.wrong):
        print(line)
    print(f"{len(shots)} pictures, {len(changed)} changed: {pages.close()}")
    return int(bool(camera.wrong or ((changed or old) and not asked.accept)))


if __name__ == "__main__":
    sys.exit(main())
