"""Whom a post answers, and what of it are its author's own words."""

from __future__ import annotations

from qipai.community.boards.replies import own_words, quoted


def test_quotes_name_posts_of_the_same_thread_once() -> None:
    text = (
        "> [海潮生 · #3](/threads/7?post=31)\n> one\n\nyes\n\n"
        "> [a · #1](/threads/7?post=31) [b](/threads/8?post=2)\n  > [c](/threads/7?post=9)"
    )
    assert quoted(text, 7) == [31, 9]
    assert quoted("[a](/threads/7?post=31)", 7) == []  # no quote: a link
    assert quoted("> " + " ".join(f"(/threads/7?post={n})" for n in range(1, 30)), 7) == list(range(1, 11))


def test_own_words_leave_out_what_is_quoted() -> None:
    assert own_words("> @one\nyes @two\n  > @three") == "yes @two"
