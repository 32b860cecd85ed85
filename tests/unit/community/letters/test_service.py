"""News by e-mail: together, not too often, only what is unread, and they can be stopped by a link."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.community.people import Town, town

from qipai.community.letters.smtp import Outcome
from qipai.config import Config, Mail
from qipai.hall.table.errors import HallError

CONFIG = Config(mail=Mail(server="mail.example.org", sender="hall@example.org", hall="https://play.example.org"))


class Post:
    """A mail server. says: what becomes of a letter."""

    def __init__(self) -> None:
        self.says: Outcome = "sent"
        self.letters: list[tuple[str, str, str, str | None]] = []
        self.tries = 0

    def send(self, to: str, subject: str, text: str, stop: str | None) -> Outcome:
        self.tries += 1
        if self.says == "sent":
            self.letters.append((to, subject, text, stop))
        return self.says

    def serve(self, place: Town) -> None:
        place.community.letters.send = self.send


async def test_news_come_together_once_in_a_while_and_end_by_a_link(tmp_path: Path) -> None:
    post = Post()
    async with town(tmp_path, CONFIG, post.serve) as place:
        await place.tell("friend", say="ui.people.befriended", name="海潮生")
        await place.sweep(3600)
        assert post.letters == []  # nobody has asked for them
        await place.set(letters=("talk", "mail"), lang="en")
        await place.tell("friend", say="ui.people.befriended", name="海潮生", n=2)
        await place.tell("ruling", say="ui.order.told_warn", reason="x")  # not of these kinds
        await place.tell("mail", **{"from": "松间照"})
        await place.sweep(14 * 60)
        assert post.letters == []
        await place.sweep(120)
        ((to, subject, text, stop),) = post.letters
        assert (to, subject) == ("one@example.org", "News from the hall (3)")
        assert "松间照 has written to you.\n  https://play.example.org/mail/1" in text
        assert "warns" not in text
        assert stop is not None
        assert stop in text
        # What comes within some hours waits; what is read meanwhile is not told.
        await place.tell("reply", n=7)
        await place.sweep(3600)
        await place.community.notices.read(place.user)
        await place.sweep(7 * 3600)
        assert (len(post.letters), await place.count("letters")) == (1, 0)
        await place.tell("reply", n=8)
        await place.sweep(3600)
        assert len(post.letters) == 2
        assert re.findall(r"/\w+/\d", post.letters[1][2]) == ["/reply/8"]
        await place.community.letters.stop(stop.rpartition("#")[2])
        await place.tell("reply", n=9)
        await place.sweep(9 * 3600)
        assert len(post.letters) == 2
        with pytest.raises(HallError, match="NOT_FOUND"):
            await place.community.letters.stop("nothing")


async def test_a_letter_survives_a_kill_and_a_server_that_is_down(tmp_path: Path) -> None:
    post = Post()
    post.says = "later"
    async with town(tmp_path, CONFIG, post.serve) as place:
        await place.set(letters=("talk",))
        await place.tell("reply")
        for _ in range(60):
            await place.sweep(60)
        assert 3 <= post.tries <= 7
        # A link to a new password does not lie in the queue: it is made when it is sent, and not after an hour.
        await place.community.letters.find("石头记", "en", 0.0)
        assert await place.count("letters") == 2
        row = await place.store.read(lambda db: db.execute("SELECT * FROM letters WHERE kind = 'reset'").fetchone())
        assert not any(isinstance(value, str) and len(value) > 5 for value in row)
    post.says = "sent"
    async with town(tmp_path, CONFIG, post.serve) as place:
        await place.sweep(8000)
        ((_, _, text, stop),) = post.letters
        assert await place.count("letters") == 0
        assert stop is not None
        assert "/reply/1" in text
        await place.community.erase(place.user)
        assert await place.count("letter_readers") == 0


async def test_an_address_that_is_refused_for_good_is_not_tried_again(tmp_path: Path) -> None:
    post = Post()
    post.says = "never"
    async with town(tmp_path, CONFIG, post.serve) as place:
        await place.set(letters=("talk",))
        await place.tell("reply")
        for _ in range(10):
            await place.sweep(3600)
        assert (post.tries, await place.count("letters")) == (1, 0)
