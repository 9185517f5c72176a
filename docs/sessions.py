"""For `make docs`: show the Python sessions in docstrings as code. Markdown takes `>>>` for a quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

SESSION = re.compile(r"^>>> .*\n?(?:^(?!\s*$).*\n?)*", re.MULTILINE)


def fence_sessions(text: str) -> str:
    return SESSION.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class FenceSessions(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fence_sessions(obj.docstring.value)
