"""Structured logs. Nothing that a client sends is ever logged: no names, chat, cookies, passwords or tokens."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

#: What may stand beside the message.
FIELDS = ("table", "game", "bot", "reason", "count", "status", "node", "size")


class _Formatter(logging.Formatter):
    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        trace = self.formatException(record.exc_info) if record.exc_info else None
        if self._as_json:
            line = {"time": time, "level": record.levelname.lower(), "from": record.name}
            line |= {"message": record.getMessage(), **fields}
            return json.dumps(line | ({"trace": trace} if trace else {}))
        text = f"{time[11:23]} {record.levelname.lower()} {record.getMessage()}"
        text += "".join(f" {name}={value}" for name, value in fields.items())
        return f"{text}\n{trace}" if trace else text


def set_up(as_json: bool, level: int = logging.INFO) -> None:
    """Log to standard error: as JSON lines for programs, or short lines for people."""
    to_stderr = logging.StreamHandler(sys.stderr)
    to_stderr.setFormatter(_Formatter(as_json))
    root = logging.getLogger()
    root.handlers = [to_stderr]
    root.setLevel(logging.WARNING)
    # It warns of every request that is none: whoever sends many would fill the disk.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    logging.getLogger("tercet").setLevel(level)
