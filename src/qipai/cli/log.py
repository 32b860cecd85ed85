"""The log: one JSON object a line on stderr, and only what an operator should look at."""

from __future__ import annotations

import logging
import time
from asyncio import CancelledError

import msgspec

__all__ = ["start"]


class Line(logging.Formatter):
    """`{"at": …, "level": …, "worker"?: …, "from": …, "text": …, "trace"?: …}`."""

    def __init__(self, worker: str) -> None:
        """worker: the name of this process, where it is one of several."""
        super().__init__()
        self._worker = {"worker": worker} if worker else {}

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        level, text = record.levelname.lower(), record.getMessage()
        line = {"at": at, "level": level, **self._worker, "from": record.name, "text": text}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _worth(record: logging.LogRecord) -> bool:
    """Tell whether a line is to be written.

    uvicorn logs a trace for bad bytes from strangers, and for each client that was still sending when the hall stopped;
    it has already logged the number of those clients.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError | CancelledError))


def start(worker: str = "") -> None:
    """Write warnings and worse to stderr. worker: the name of this process, where it is one of several."""
    handler = logging.StreamHandler()
    handler.setFormatter(Line(worker))
    handler.addFilter(_worth)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("qipai.bots").setLevel(logging.INFO)  # the progress of compiling, after an installation
    logging.getLogger("qipai.bus").setLevel(logging.INFO)  # when it is there again
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it also warns about strangers' bytes
