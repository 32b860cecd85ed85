"""Speak the calls of the table anew: `python -m tests.calls`.

It needs eSpeak NG and opusenc (Debian: `apt install espeak-ng opus-tools`), which nothing else does: what it writes
lies beside the words in `client/src/shell/calls/`, one small file a call. It runs when a word is added or changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import wave
from array import array
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "client" / "src" / "shell" / "calls"
WORDS: Final = FOLDER / "words.json"
VOICE: Final = ("-v", "cmn-latn-pinyin", "-s", "150", "-p", "45")  # the voice "cmn" reads the digits of tones aloud
SPELT: Final = {"地主": "di4 zhu3"}  # where it would take another reading of a character
ENCODING: Final = ["--quiet", "--speech", "--bitrate", "24", "--serial", "1", "--discard-comments", "--padding", "0"]
QUIET: Final = 400  # of 32,767: what is under it before and behind a word is cut
LOUD: Final = 29_000  # where the loudest moment of each word is put
FADE: Final = 200  # samples at both ends


def trimmed(samples: array[int]) -> array[int]:
    """Return a word without the silence round it, as loud as the others, its ends faded."""
    heard = [i for i, one in enumerate(samples) if abs(one) > QUIET]
    word = samples[max(0, heard[0] - FADE) : heard[-1] + FADE]
    scale = LOUD / max(abs(one) for one in word)
    last = len(word) - 1
    return array("h", (round(one * scale * min(1.0, i / FADE, (last - i) / FADE)) for i, one in enumerate(word)))


def speak(words: str, to: Path) -> None:
    """Write a word, spoken, as a small mono Opus file."""
    with tempfile.TemporaryDirectory() as folder:
        spoken = Path(folder) / "spoken.wav"
        subprocess.run(["espeak-ng", *VOICE, "-w", spoken, SPELT.get(words, words)], check=True)
        with wave.open(str(spoken), "rb") as file:
            rate, samples = file.getframerate(), array("h", file.readframes(file.getnframes()))
        with wave.open(str(spoken), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(trimmed(samples).tobytes())
        subprocess.run(["opusenc", *ENCODING, spoken, to], check=True)


def main() -> int:
    """Write all files; take away those whose word is gone."""
    words: dict[str, str] = json.loads(WORDS.read_text("utf-8"))
    for old in FOLDER.glob("*.ogg"):
        old.unlink()
    for name, word in words.items():
        speak(word, FOLDER / f"{name}.ogg")
    sizes = [path.stat().st_size for path in FOLDER.glob("*.ogg")]
    print(f"{len(sizes)} calls, {sum(sizes)} bytes, the largest {max(sizes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
