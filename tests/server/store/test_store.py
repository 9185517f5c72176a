"""The log and what lies around it: the same for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, insert, select

from tercet.server.backup import BackupError, backup, restore
from tercet.server.people.people import People, PeopleError
from tercet.server.store import Conflict, Line, StoreError, Unavailable, open_store, schema
from tests.server.serving import run


def test_lines_are_read_as_written(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        lines = [Line(1, 0, '{"kind":"called","seat":0}', "ann:1"), Line(2, 5, "æ \"quoted\" \\ '☃'", None)]
        await store.append("a", 0, lines)
        await store.append("a", 2, [Line(3, 7, "{}", None)])
        await store.append("b", 0, [Line(1, 1, "{}", None)])
        assert await store.read("a") == [*lines, Line(3, 7, "{}", None)]
        assert await store.read("a", after=2) == [Line(3, 7, "{}", None)]
        assert await store.read("nothing") == []
        await store.close()
        again = await open_store(database)
        assert len(await again.read("a")) == 3
        await again.close()

    run(scenario())


@pytest.mark.parametrize("expected", [0, 1, 3, 10])
def test_an_append_after_the_wrong_line_is_refused_and_writes_nothing(database: str, expected: int) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        await store.append("a", 0, [Line(1, 0, "{}"), Line(2, 0, "{}")])
        with pytest.raises(Conflict):
            await store.append("a", expected, [Line(expected + 1, 0, "{}"), Line(expected + 2, 0, "{}")])
        assert len(await store.read("a")) == 2
        await store.close()

    run(scenario())


def test_of_many_who_append_the_same_line_one_wins(database: str) -> None:
    """Also when they come over several stores, as several servers on one database would."""

    async def scenario() -> None:
        stores = [await open_store(database) for _ in range(3)]

        async def attempt(number: int, seq: int) -> bool:
            lines = [Line(seq + 1, 0, f'{{"by":{number}}}'), Line(seq + 2, 0, f'{{"by":{number}}}')]
            try:
                await stores[number % 3].append("a", seq, lines)
            except Conflict:
                return False
            return True

        for seq in range(0, 40, 2):
            wins = await asyncio.gather(*(attempt(number, seq) for number in range(9)))
            assert sum(wins) == 1
            lines = await stores[0].read("a", after=seq)
            assert [line.event for line in lines] == [f'{{"by":{wins.index(True)}}}'] * 2
        for store in stores:
            await store.close()

    run(scenario())


def test_nodes_that_try_to_write_at_once_are_all_well(database: str) -> None:
    """Otherwise `/health` of one of two machines would now and then say that nothing can be written."""

    async def scenario() -> None:
        stores = [await open_store(database) for _ in range(3)]
        for _ in range(10):
            assert await asyncio.gather(*(store._try_to_write() for store in stores)) == [None] * 3
        for store in stores:
            await store.close()

    run(scenario())


def test_a_lost_race_does_not_harm_the_others_in_the_group(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        await store.append("taken", 0, [Line(1, 0, "{}")])
        wrong = store.append("taken", 0, [Line(1, 0, "{}")])
        right = [store.append(f"s{number}", 0, [Line(1, 0, "{}")]) for number in range(50)]
        outcomes = await asyncio.gather(*right[:25], wrong, *right[25:], return_exceptions=True)
        assert isinstance(outcomes.pop(25), Conflict)
        assert outcomes == [None] * 50
        for number in range(50):
            assert len(await store.read(f"s{number}")) == 1
        await store.close()

    run(scenario())


def test_thousands_of_appends_at_once_are_all_written(database: str) -> None:
    async def check() -> None:
        store = await open_store(database)
        lines = [Line(1, 0, "{}", "x"), Line(2, 0, "{}"), Line(3, 0, "{}")]
        await asyncio.gather(*(store.append(f"s{number}", 0, lines) for number in range(2500)))
        ends = await store.ends([f"s{number}" for number in range(2500)])
        assert ends == {f"s{number}": 3 for number in range(2500)}
        await store.close()

    run(check())


@pytest.mark.filterwarnings("ignore:.*expression-based index")
def test_the_migrations_lead_to_the_schema(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        async with store.reading() as connection:
            difference = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), schema.metadata)
            )
        # What an index computes cannot be compared; that it is used is tested with growth.
        assert [
            found
            for found in difference
            if found[0] != "remove_table" and getattr(found[1], "name", "") != "log_of_sitters"
        ] == []
        await store.close()

    run(scenario())


def test_a_database_of_the_first_version_keeps_its_people(tmp_path: Path) -> None:
    """Every step of the migrations goes over a table with rows."""
    place = str(tmp_path / "t.db")
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{place}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.exec_driver_sql(
            "INSERT INTO people (id, name, sessions, created_time) VALUES ('p1', 'Ann', 0, 1)"
        )
    engine.dispose()

    async def scenario() -> None:
        store = await open_store(place)
        async with store.reading() as reading:
            (ann,) = await reading.execute(select(schema.people))
        assert (ann.id, ann.name, ann.created_time) == ("p1", "Ann", 1)
        await store.close()

    run(scenario())


def test_a_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot open the database"):
        run(open_store(str(tmp_path)))
    with pytest.raises(StoreError) as failed:
        run(open_store("postgresql://ann:geheim@127.0.0.1:1/none"))
    assert "geheim" not in str(failed.value)
    for place in ("postgresql://ann:geheim@here:port/none", "mysql://ann:geheim@here/none"):
        with pytest.raises(StoreError) as failed:
            run(open_store(place))
        assert "geheim" not in str(failed.value)


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    place = str(tmp_path / "t.db")

    async def make() -> None:
        store = await open_store(place)
        async with store.writing() as connection:
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        await store.close()

    run(make())
    with pytest.raises(StoreError, match="newer Tercet"):
        run(open_store(place))


def test_backup_and_restore(database: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        people = await People.open(store)
        guest = await people.new_guest("Ann")
        await people.register(guest, "Ann", "correct horse")
        token = await people.new_token(guest, "robot", 10)
        await store.append("a", 0, [Line(1, 2, "{}", "x"), Line(2, 3, "{}")])
        day = {"kind": "daily_set", "day": "2026-11-17", "seed": "5e" * 16, "turns": "[]"}
        async with store.writing() as connection:
            await connection.execute(insert(schema.days), day)
        file = tmp_path / "a.backup.gz"
        count = await backup(store, file)
        assert count == 6
        with pytest.raises(BackupError, match="folder"):
            await backup(store, tmp_path)
        assert not list(tmp_path.parent.glob("*.part"))
        with pytest.raises(BackupError, match="not empty"):
            await restore(store, file)
        await store.close()

        other = await open_store(str(tmp_path / "other.db"))
        assert await restore(other, file) == count
        assert await other.read("a") == [Line(1, 2, "{}", "x"), Line(2, 3, "{}")]
        async with other.reading() as connection:
            assert (await connection.execute(select(schema.days))).mappings().one() == day
        restored = await People.open(other)
        assert (await restored.log_in("ann", "correct horse", None)).id == guest.id
        assert token.secret
        assert (await restored.by_token(str(token.secret))) is not None
        await other.close()

    run(scenario())


def test_a_backup_holds_every_line_once(database: str, tmp_path: Path) -> None:
    """In SQLite, those that are sorted into their streams and those that are not."""

    async def scenario() -> None:
        store = await open_store(database)
        lines = [Line(number, 0, "{}") for number in range(1, 4)]
        await store.append("a", 0, lines[:1])
        assert await store.read("a") == lines[:1]
        await store.append("a", 1, lines[1:])
        await store.append("b", 0, lines)
        assert await backup(store, tmp_path / "a.gz") == 6
        await store.close()
        other = await open_store(str(tmp_path / "other.db"))
        await restore(other, tmp_path / "a.gz")
        assert await other.read("a") == await other.read("b") == lines
        await other.close()

    run(scenario())


def test_what_cannot_be_written_at_all_stops_nobody_else(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await open_store(str(tmp_path / "t.db"))
        with pytest.raises(Unavailable):
            await store.append("a", 0, [Line(1, 0, "\ud800")])
        await store.append("a", 0, [Line(1, 0, "{}")])
        assert await store.read("a") == [Line(1, 0, "{}")]
        await store.close()

    run(scenario())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip",
        gzip.compress(b"no json"),
        gzip.compress(b"{}\n"),
        gzip.compress(b"")[:10] + b"\xff" * 20,
    ],
    ids=["empty", "no gzip", "no json", "no backup", "broken"],
)
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    async def scenario() -> None:
        file = tmp_path / "x.gz"
        file.write_bytes(content)
        store = await open_store(str(tmp_path / "t.db"))
        with pytest.raises(BackupError):
            await restore(store, file)
        await store.close()

    run(scenario())


def test_people_accounts_and_tokens(database: str) -> None:
    async def scenario() -> None:
        store = await open_store(database)
        people = await People.open(store)
        ann = await people.new_guest("  Ann   Lee ")
        assert ann.name == "Ann Lee"
        cookie = await people.sign_in(ann)
        found = await people.by_cookie(cookie)
        assert found is not None
        assert (found.id, found.by_token) == (ann.id, False)
        for forged in (
            "",
            "x",
            cookie[:-9] + ("1" if cookie[-9] == "0" else "0") + cookie[-8:],
            *(
                cookie[:place] + ("B" if cookie[place] == "A" else "A") + cookie[place + 1 :]
                for place in (0, 9)
            ),
            cookie[:-1],
            cookie + "A",
            f"{ann.id}.0.1.",
            "é.0.1.2",
        ):
            assert await people.by_cookie(forged) is None
        ann = await people.register(ann, "Ann", "correct horse")
        with pytest.raises(PeopleError) as taken:
            await people.register(await people.new_guest("Bo"), "ANN", "another one")
        assert taken.value.code == "name_taken"
        with pytest.raises(PeopleError):
            await people.log_in("Ann", "wrong horse", None)
        with pytest.raises(PeopleError):
            await people.log_in("Nobody", "wrong horse", None)
        guest = await people.new_guest("Somebody")
        back = await people.log_in("aNN", "correct horse", guest)
        assert (back.id, set(back.former)) == (ann.id, {guest.id})
        assert await people.find(guest.id) is None
        token = await people.new_token(ann, "robot", 1)
        with pytest.raises(PeopleError):
            await people.new_token(ann, "robot 2", 1)
        robot = await people.by_token(str(token.secret))
        assert robot is not None
        assert (robot.id, robot.former, robot.by_token) == (back.id, back.former, True)
        assert await people.by_cookie(str(token.secret)) is None
        assert await people.revoke(ann, token.id)
        assert not await people.revoke(ann, token.id)
        with pytest.raises(PeopleError, match="revoked"):
            await people.by_token(str(token.secret))
        await people.end_sessions(ann)
        assert await people.by_cookie(cookie) is None
        await people.delete(back)
        assert await people.find(ann.id) is None
        with pytest.raises(PeopleError):
            await people.log_in("Ann", "correct horse", None)
        await store.close()

    run(scenario())
