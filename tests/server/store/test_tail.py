"""Lines in SQLite on their way to their streams: whoever writes, whoever dies, every line is there once."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tercet.server.store import Conflict, Line, open_store
from tercet.server.store.tail import Append, TailedLog
from tests.server.serving import run

STREAMS = st.sampled_from(["a", "b", "c", "d"])


def make_empty(path: str) -> None:
    async def make() -> None:
        await (await open_store(path)).close()

    run(make())


def opened(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def lines_in_log(path: str, stream: str) -> list[Line]:
    with closing(opened(path)) as connection:
        query = "SELECT seq, at, event, cause FROM log WHERE stream = ? ORDER BY seq"
        return [Line(*row) for row in connection.execute(query, (stream,))]


def append(stream: str, expected: int, number: int, text: str = "{}") -> Append:
    return Append(
        stream,
        expected,
        [Line(seq, 0, text, "ann:1") for seq in range(expected + 1, expected + 1 + number)],
        lambda _: None,
    )


class Processes(RuleBasedStateMachine):
    """Three processes that write to one file, and may die at any moment."""

    empty_file: bytes

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.path = str(Path(self.folder.name) / "t.db")
        Path(self.path).write_bytes(self.empty_file)
        self.connections: list[sqlite3.Connection] = []
        self.logs: list[TailedLog] = []
        for _ in range(3):
            self.connections.append(opened(self.path))
            self.logs.append(TailedLog(self.connections[-1], tail_limit=6, at_once=2))
        self.written: dict[str, list[Line]] = {}

    @rule(
        process=st.integers(0, 2), streams=st.lists(STREAMS, min_size=1, max_size=6), lines=st.integers(1, 3)
    )
    def append(self, process: int, streams: list[str], lines: int) -> None:
        ends = {stream: len(self.written.get(stream, [])) for stream in streams}
        group = []
        for number, stream in enumerate(streams):
            group.append(append(stream, ends[stream], lines, f"{process} {number}"))
            ends[stream] += lines
        # Who appends has read before: that is how it knows the number.
        for stream in streams:
            self.logs[process].settle_stream(stream)
        assert self.logs[process].append(group) == [None] * len(group)
        for one in group:
            self.written.setdefault(one.stream, []).extend(one.lines)

    @rule(process=st.integers(0, 2), stream=STREAMS, wrong=st.sampled_from([-1, 1, 5]))
    def append_after_the_wrong_line(self, process: int, stream: str, wrong: int) -> None:
        expected = len(self.written.get(stream, [])) + wrong
        assume(expected >= 0)
        (outcome,) = self.logs[process].append([append(stream, expected, 1)])
        assert isinstance(outcome, Conflict)

    @rule(process=st.integers(0, 2))
    def sort_some(self, process: int) -> None:
        self.logs[process].sort_some()

    @rule(process=st.integers(0, 2))
    def try_to_sort_while_another_writes(self, process: int) -> None:
        with closing(opened(self.path)) as other:
            other.execute("BEGIN IMMEDIATE")
            self.connections[process].execute("PRAGMA busy_timeout = 0")
            with suppress(sqlite3.OperationalError):
                self.logs[process].sort_some()
            other.execute("ROLLBACK")

    @rule(process=st.integers(0, 2), stream=STREAMS)
    def read(self, process: int, stream: str) -> None:
        self.logs[process].settle_stream(stream)
        assert lines_in_log(self.path, stream) == self.written.get(stream, [])

    @rule(process=st.integers(0, 2))
    def die_and_come_again(self, process: int) -> None:
        self.connections[process].close()
        self.connections[process] = opened(self.path)
        self.logs[process] = TailedLog(self.connections[process], tail_limit=6, at_once=2)

    @precondition(lambda self: self.written)
    @invariant()
    def nothing_is_lost(self) -> None:
        """Whoever copies the file now has every line."""
        copy = str(Path(self.folder.name) / "copy.db")
        with closing(opened(self.path)) as source, closing(opened(copy)) as target:
            source.backup(target)
            TailedLog(target)
        for stream, lines in self.written.items():
            assert lines_in_log(copy, stream) == lines

    def teardown(self) -> None:
        for connection in self.connections:
            connection.close()
        self.folder.cleanup()


def test_whoever_writes_and_whoever_dies_every_line_is_there_once(tmp_path: Path) -> None:
    make_empty(str(tmp_path / "empty.db"))
    Processes.empty_file = (tmp_path / "empty.db").read_bytes()
    run_state_machine_as_test(
        Processes, settings=settings(max_examples=30, stateful_step_count=30, deadline=None)
    )


def test_what_could_not_be_sorted_is_sorted_the_next_time(tmp_path: Path) -> None:
    path = str(tmp_path / "t.db")
    make_empty(path)
    with closing(opened(path)) as connection, closing(opened(path)) as other:
        connection.execute("PRAGMA busy_timeout = 0")
        log = TailedLog(connection, tail_limit=2, at_once=1)
        log.append([append("a", 0, 1), append("b", 0, 1)])
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError):
            log.sort_some()
        other.execute("ROLLBACK")
        assert lines_in_log(path, "a") == lines_in_log(path, "b") == []
        log.sort_some()
        log.sort_some()
        assert len(lines_in_log(path, "a")) == len(lines_in_log(path, "b")) == 1
        assert connection.execute("SELECT count(*) FROM fresh").fetchone() == (0,)


def test_a_deleted_name_does_not_stay_behind(tmp_path: Path) -> None:
    """What is changed in the log after it was settled stays changed, and no other copy is left."""
    path = str(tmp_path / "t.db")
    make_empty(path)
    with closing(opened(path)) as connection:
        log = TailedLog(connection)
        log.append([append("a", 0, 1, "Ann")])
        log.settle()
        connection.execute("UPDATE log SET event = 'Player 1'")
        log.append([append("a", 1, 1, "{}")])
        log.settle()
        assert [line.event for line in lines_in_log(path, "a")] == ["Player 1", "{}"]
        assert connection.execute("SELECT count(*) FROM fresh").fetchone() == (0,)
