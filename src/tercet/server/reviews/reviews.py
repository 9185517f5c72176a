"""Who gets a review, and when: asked for or by itself, one after the other, told to everybody at the table."""

from __future__ import annotations

import asyncio
import logging
import os
import zlib
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec
from msgspec import Raw

from tercet import record
from tercet.codec import from_data, reason, to_json
from tercet.games import find
from tercet.server import metrics, table
from tercet.server.bots.thinking import Thinkers
from tercet.server.budgets import AtOnce, Rates, TooMuch, over
from tercet.server.clock import Clock
from tercet.server.ids import new_id
from tercet.server.limits import Limits
from tercet.server.people.people import Visitor
from tercet.server.projections.record import find_players, find_record
from tercet.server.protocol import Judged, Making, ReviewNews, ReviewState, WhatIf
from tercet.server.reviews import kept
from tercet.server.reviews.kept import Game, Job
from tercet.server.reviews.reviewer import TOO_LONG, Answer, Died, Reviewer, Tried, Wanted
from tercet.server.room.rooms import Rooms
from tercet.server.store import Store, Unavailable
from tercet.sets import TercetError
from tercet.study.review import review_type, reviewed_games

logger = logging.getLogger("tercet.reviews")

#: How often it is looked for reviews that other nodes have queued or given up, or that can be made now that it is quiet.
LOOK_SECONDS = 3.0
#: How often the store and the table are told how far a review has come.
SEEN_SECONDS = 5.0
TELL_SECONDS = 1.0
#: A review whose process has died so often is not tried again.
TRIES = 3
#: Somebody waits for what a turn would have been worth: that gives way to bots, but not to everything.
TRY_NICE = 10
#: A deeper review plays out so many times as many games.
DEEPER = 4


class NotReviewed(TercetError):
    """A review that there is not; ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Reviews:
    """Makes reviews while the server runs. ``node`` is what this one is called in the queue."""

    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        thinkers: Thinkers,
        limits: Limits,
        rates: Rates,
        clock: Clock,
        nice: int,
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._thinkers = thinkers
        self._limits = limits
        self._rates = rates
        self._clock = clock
        self._node = rooms.nodes.id if rooms.nodes is not None else new_id()
        self._more = asyncio.Event()
        self._nice = nice
        self._reviewers: list[Reviewer] = []
        self._trying = AtOnce("what_ifs_at_once", limits.what_ifs_at_once)
        self._triers = [Reviewer(min(nice, TRY_NICE)) for _ in range(limits.what_ifs_at_once)]
        self._progress: dict[str, tuple[int, int]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Take up what was left unmade."""
        if self._rooms.nodes is None:
            await kept.free_all(self._store)
        self._rooms.when_over = self._game_over
        for _ in range(self._limits.reviews_at_once):
            reviewer = Reviewer(self._nice)
            self._reviewers.append(reviewer)
            self._begin(self._make_forever(reviewer))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for reviewer in (*self._reviewers, *self._triers):
            reviewer.close()

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- what people ask ---

    async def state(self, game: str, visitor: Visitor | None, where: str) -> ReviewState | None:
        """What there is of a review; None if there is no such game."""
        await self._rooms.projector.flush()
        async with self._store.reading() as connection:
            found = await kept.find_game(connection, game)
            if found is None:
                return None
            # In this order: what is made between the two is seen twice, and never not at all.
            queued = await kept.find_queued(connection, game)
            row = await kept.find_kept(connection, game)
            left = None
            if visitor is not None:
                spent = await kept.count_asked(connection, visitor.ids)
                left = max(0, self._limits.reviews_per_day - spent)
        state = ReviewState(id=game, game=found.kind, problem=found.problem, left=left)
        if queued is not None:
            state.making = self._making(*queued)
        if row is not None:
            state.made_time = self._clock.wall(row.made_time)
            state.games = row.games
            if row.problem is not None:
                state.problem = None if state.making else row.problem
            else:
                self._rates.records.check(where, "too many reviews for your address; wait a minute")
                state.review = await self._with_names(game, row.content)
                state.deeper = queued is None and self._deeper(found.kind, row.games) is not None
        return state

    def _making(self, row: Any, ahead: int) -> Making:
        if row.node is None:
            return Making(ahead)
        done, total = self._progress.get(row.game, (row.done, row.total))
        return Making(None, done, total)

    async def _with_names(self, game: str, content: bytes) -> dict[str, Raw]:
        """The names stand in the log alone: who was erased there has none here."""
        players = await find_players(self._store, game)
        text = await asyncio.to_thread(zlib.decompress, content)
        parts: dict[str, Raw] = msgspec.json.decode(text, type=dict[str, Raw])
        parts["players"] = Raw(to_json(players))
        return parts

    def _deeper(self, kind: str, games: int | None) -> int | None:
        """How many games a deeper review would play out, if there can be one."""
        if games is None or DEEPER * games > self._limits.review_games:
            return None
        return DEEPER * games if review_type(kind).usual_games is not None else None

    async def ask(self, game: str, visitor: Visitor, *, deeper: bool) -> Game | None:
        """Have a game reviewed, unless it is or is about to be; None if there is no such game, `NotReviewed` or `TooMuch` if not."""
        found = await self._find(game)
        if found is None:
            return None
        async with self._store.writing(exclusive=True) as connection:
            row = await kept.find_kept(connection, game)
            queued = await kept.find_queued(connection, game)
            if queued is not None:
                return found
            games = None
            if row is not None and row.problem is None:
                games = self._deeper(found.kind, row.games) if deeper else None
                if games is None:
                    if deeper:
                        over("review_games")
                    return found
            elif row is not None and row.problem != "review_failed":
                _check(row.problem)
            if await kept.waits_for_one(connection, visitor.ids):
                raise NotReviewed("review_waits", "another review of yours is being made; wait for that one")
            if await kept.count_asked(connection, visitor.ids) >= self._limits.reviews_per_day:
                over("reviews_per_day")
                limit = self._limits.reviews_per_day
                raise TooMuch(
                    "too_many_reviews", f"there are {limit} reviews a day for everybody; come back tomorrow"
                )
            if await kept.count_queued(connection, by_itself=False) >= self._limits.reviews_waiting:
                over("reviews_waiting")
                raise TooMuch("server_full", "too many reviews wait; try again later")
            await kept.add(connection, game, found.kind, games, visitor.id)
            await kept.note_asked(connection, visitor.id, game)
        self._more.set()
        return found

    async def what_if(self, game: str, wanted: WhatIf) -> Judged | None:
        """What another turn would have been worth, by as many games as the review that is kept; None if there is no such game,
        `NotReviewed` or `TooMuch` if that cannot be said."""
        found = await self._find(game)
        if found is None:
            return None
        if review_type(found.kind).judged is None:
            _check("no_what_if")
        try:
            from_data(wanted.command, find(found.kind).rules.commands)
        except (msgspec.ValidationError, TercetError) as error:
            raise NotReviewed("bad_request", f"command: {reason(error)}") from None
        async with self._store.reading() as connection:
            row = await kept.find_kept(connection, game)
        games = self._depth(found.kind, None) if row is None or row.problem is not None else row.games
        async with self._trying:
            trier = self._triers.pop()
            try:
                tried = Tried(await self._record(game), wanted.line, wanted.command, games)
                answer = await trier.ask(tried)
            except Died:
                answer = Answer(problem="review_failed", detail="it took too much")
            finally:
                self._triers.append(trier)
        _check(answer.problem, answer.detail)
        return Judged(found.kind, **msgspec.json.decode(answer.content))

    async def _find(self, game: str) -> Game | None:
        """A game that can be reviewed; None if there is no such game, `NotReviewed` if it cannot."""
        await self._rooms.projector.flush()
        async with self._store.reading() as connection:
            found = await kept.find_game(connection, game)
        if found is not None:
            _check(found.problem)
        return found

    async def _record(self, game: str) -> str:
        """The record of a game that is over, as JSON. `LookupError` if it has none."""
        async with self._rates.making_records:
            found = await find_record(self._store, game)
            if found is None:
                raise LookupError(game)
            return await asyncio.to_thread(record.write_json, found)

    # --- making them ---

    def _game_over(self, played: table.State, game: str) -> None:
        """A game has ended here: it is reviewed by itself, if people played and there is time for it."""
        if self._limits.review_load and played.game in reviewed_games() and any(played.people()):
            self._begin(self._queue_by_itself(game, played.game))

    async def _queue_by_itself(self, game: str, kind: str) -> None:
        with suppress(Unavailable):
            # The end of the game must be written before anybody reviews it.
            await self._rooms.projector.flush()
            async with self._store.writing(exclusive=True) as connection:
                if await kept.count_queued(connection, by_itself=True) < self._limits.reviews_waiting:
                    await kept.add(connection, game, kind, None, None)
            self._more.set()

    @property
    def _is_quiet(self) -> bool:
        """Whether there is time for what nobody asked for."""
        load = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 0.0
        return not self._thinkers.busy and load < self._limits.review_load

    async def _make_forever(self, reviewer: Reviewer) -> None:
        while True:
            try:
                job = await self._next()
                if job is not None:
                    await self._make(reviewer, job)
                    continue
            except Unavailable:
                logger.warning("the store cannot be reached")
            except Exception:
                logger.exception("a review failed")
            self._more.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._more.wait()

    async def _next(self) -> Job | None:
        is_quiet = self._is_quiet
        job = await kept.take(self._store, self._node, by_itself=is_quiet)
        if job is None and is_quiet and await kept.queue_outdated(self._store):
            job = await kept.take(self._store, self._node, by_itself=True)
        return job

    async def _make(self, reviewer: Reviewer, job: Job) -> None:
        async with self._store.reading() as connection:
            game = await kept.find_game(connection, job.game)
        if game is None or game.problem is not None:
            await kept.drop(self._store, job.game)
            return
        watching = asyncio.create_task(self._watch(reviewer, job, game))
        begun = monotonic()
        try:
            answer = await self._answer(reviewer, job)
        except asyncio.CancelledError:
            with suppress(Unavailable):
                await kept.put_back(self._store, self._node, job, tries=job.tries - 1)
            raise
        finally:
            watching.cancel()
            self._progress.pop(job.game, None)
        if answer is None or not await kept.keep(
            self._store, self._node, job, self._depth(job.kind, job.games), answer.content, answer.problem
        ):
            return
        metrics.reviews[answer.problem or "ready"] += 1
        told = {"game": job.game, "kind": job.kind, "seconds": round(monotonic() - begun, 1)}
        if answer.problem is not None:
            logger.warning("a game could not be reviewed: %s", answer.detail, extra=told)
        else:
            logger.info("a game was reviewed", extra=told)
        self._rooms.tell_reviewed(
            game.table, ReviewNews(game=job.game, ready=answer.problem is None, problem=answer.problem)
        )

    def _depth(self, kind: str, games: int | None) -> int | None:
        """How many games are played out for a decision when so many are asked for (None: as usual), if any are."""
        usual = review_type(kind).usual_games
        return None if usual is None else min(games or usual, self._limits.review_games)

    async def _answer(self, reviewer: Reviewer, job: Job) -> Answer | None:
        """What came of a review; None if it is to be tried again."""
        if job.tries > TRIES:
            return Answer(problem="review_failed", detail=f"it ended its process {TRIES} times")
        limits = self._limits

        def progress(done: int, total: int) -> None:
            self._progress[job.game] = done, total

        try:
            text = await self._record(job.game)
            depth = self._depth(job.kind, job.games)
            answer = await reviewer.ask(Wanted(text, depth, limits.review_seconds), progress)
        except Died:
            logger.warning("a review ended its process", extra={"game": job.game, "tries": job.tries})
            await kept.put_back(self._store, self._node, job, tries=job.tries)
            return None
        except LookupError:
            return Answer(problem="review_failed", detail="there is no record of it")
        if answer.problem == TOO_LONG:
            over("review_seconds")
            return answer._replace(problem="cannot_review")
        if len(answer.content) > limits.review_bytes:
            over("review_bytes")
            return Answer(problem="cannot_review", detail="the review is too large to be kept")
        return answer

    async def _watch(self, reviewer: Reviewer, job: Job, game: Game) -> None:
        """Tell the table and the other nodes how far it has come; and end it, should it not be ours any more."""
        seen, told = monotonic(), None
        while True:
            progress = self._progress.get(job.game, (0, 0))
            if progress != told:
                told = progress
                self._rooms.tell_reviewed(
                    game.table, ReviewNews(game=job.game, making=Making(None, *progress))
                )
            if monotonic() - seen > SEEN_SECONDS:
                seen = monotonic()
                with suppress(Unavailable):
                    if not await kept.see(self._store, self._node, job, *progress):
                        reviewer.close()
            await asyncio.sleep(TELL_SECONDS)


def _check(problem: str | None, detail: str = "") -> None:
    """`NotReviewed` with this code, if there is one."""
    match problem:
        case None:
            return
        case "no_review":
            raise NotReviewed("no_review", "this game has no review")
        case "not_finished":
            raise NotReviewed("not_finished", "the game still goes on: only finished games are reviewed")
        case "broken_off":
            raise NotReviewed("broken_off", "the game was broken off: only finished games are reviewed")
        case "no_what_if":
            raise NotReviewed("no_what_if", detail or "there is nothing to try out in this game")
        case "review_failed":
            raise NotReviewed("review_failed", detail or "the review could not be made")
        case _:
            raise NotReviewed("cannot_review", detail or "this game cannot be reviewed here")
