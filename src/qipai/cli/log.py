"""The log: one JSON object a line on stderr, and only what an operator should look at."""

from __future__ import annotations

import logging
import time
from asyncio import CancelledError

import msgspec

__all__ = ["start"]


class Line(logging.Formatter):
    """`{"at": …, "level": …, "from": …, "text": …, "trace"?: …}`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        line = {"at": at, "level": record.levelname.lower(), "from": record.name, "text": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _worth(record: logging.LogRecord) -> bool:
    """Tell whether a line is to be written.

    uvicorn logs a trace for bad bytes from strangers, and for each client that was still sending when the hall stopped;
    it has already logged the number of those clients.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError | CancelledError))


def start() -> None:
    """Write warnings and worse to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(Line())
    handler.addFilter(_worth)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("qipai.bots").setLevel(logging.INFO)  # the progress of compiling, after an installation
    logging.getLogger("qipai.bus").setLevel(logging.INFO)  # when it is there again
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it also warns about strangers' bytes
