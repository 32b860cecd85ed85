"""People who come to all nodes of one hall, as behind a proxy without memory."""

from __future__ import annotations

from collections.abc import Sequence

from tests.client import Person
from websockets.exceptions import InvalidStatus


class Visitor(Person):
    """Somebody who comes to the next node with each line and each try."""

    def __init__(self, urls: Sequence[str], seed: int) -> None:
        super().__init__(urls[seed % len(urls)], seed=seed)
        self._urls, self._turn = urls, seed

    async def _visit(self) -> None:
        self.url = self._urls[self._turn % len(self._urls)]
        self._turn += 1
        try:
            await super()._visit()
        except InvalidStatus as wrong:  # a node that is about to end, or has none to lead: the next one, as a browser
            if wrong.response.status_code in (403, 503):
                raise ConnectionError from wrong
            raise
