"""The types of the protocol as TypeScript: ``python -m tercet.server.protocol.typescript > web/src/protocol.ts``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from msgspec import UNSET, inspect

from tercet import bots, games
from tercet.codec import to_data
from tercet.editions.edition import Edition
from tercet.editions.squares import Square
from tercet.games import AnyRules, race
from tercet.games.rules import NoHint
from tercet.games.runs import Reason, runs
from tercet.server import protocol
from tercet.server.protocol import refusals
from tercet.sets import Card, Face
from tercet.study.review import Review, review_type, reviewed_games

HEADER = """// Written by `python -m tercet.server.protocol.typescript` from src/tercet/server/protocol; do not edit.

/** A card such as "2GHS": number, colour, fill, shape. */
export type Card = string;
/** A face of a die such as "2GS", or "W" for the wild. */
export type Face = string;
/** A square such as "e5". */
export type Square = string;
/** A built-in edition by its name, or the content of an edition file. */
export type Edition = string | Record<string, unknown>;
"""

#: What a client sends: fields with a default may be left out there.
_SENT: list[Any] = [
    protocol.ClientMessage,
    protocol.NewGuest,
    protocol.Credentials,
    protocol.NewPassword,
    protocol.NewToken,
    protocol.NewTable,
    protocol.EditionText,
    protocol.NewRun,
    protocol.AskForReview,
    protocol.WhatIf,
    protocol.NewChallenge,
    protocol.Declining,
]
#: What a client is sent: every field is there.
_RECEIVED: list[Any] = [
    protocol.ServerMessage,
    protocol.PersonalMessage,
    protocol.Challenge,
    protocol.OnlineBot,
    protocol.Me,
    protocol.Token,
    protocol.Statistics,
    protocol.PersonalData,
    protocol.TableCreated,
    protocol.CheckedEdition,
    protocol.TableSummary,
    protocol.Company,
    protocol.GameSummary,
    protocol.GameInfo,
    protocol.RunInfo,
    protocol.RunCreated,
    protocol.MyRuns,
    protocol.Board,
    protocol.Daily,
    protocol.Calendar,
    protocol.ReviewState,
    protocol.Judged,
    protocol.Failure,
    protocol.Health,
]
_UNIONS: dict[str, Any] = {
    "ClientMessage": protocol.ClientMessage,
    "TableCommand": protocol.TableCommand,
    "ServerMessage": protocol.ServerMessage,
    "PersonalMessage": protocol.PersonalMessage,
}
_TEXTS = {Card: "Card", Face: "Face", Square: "Square", Edition: "Edition"}


def _package(rules: AnyRules) -> str:
    return _package_of(type(rules))


def _package_of(cls: type) -> str:
    return cls.__module__.rpartition(".")[0]


def prefix(rules: AnyRules) -> str:
    """What the names of a game's own types begin with, after its package: ``tercet.cards`` has ``CardState``."""
    return _package(rules).rpartition(".")[2].removesuffix("s").capitalize()


def _all_rules() -> list[AnyRules]:
    return [games.find(name).rules for name in games.names()]


def _all_reviews() -> dict[str, type[Review]]:
    """How each game is reviewed, for those that are."""
    return {name: review_type(name) for name in reviewed_games()}


def _all_unions() -> dict[str, Any]:
    unions = dict(_UNIONS)
    for rules in _all_rules():
        unions |= {f"{prefix(rules)}Command": rules.commands, f"{prefix(rules)}Event": rules.events}
    return unions


class _Writer:
    """Collects the interfaces that the given types need."""

    def __init__(self) -> None:
        self.interfaces: dict[str, str] = {}
        self._sent: set[type] = set()
        self._prefixes = {_package(rules): prefix(rules) for rules in _all_rules()}
        self._prefixes |= {f"{package}.review": f"{own}Review" for package, own in self._prefixes.items()}
        self._prefixes[_package_of(Review)] = "Review"
        self._game = ""
        self._reviewed: dict[type, str] = {kind: name for name, kind in _all_reviews().items()}
        self._unions = {self._key(inspect.type_info(union)): name for name, union in _all_unions().items()}

    def add(self, types: list[Any], *, sent: bool, game: str = "") -> None:
        """Collect what these types need; of a game, if they are of one: its prefix."""
        self._game = game
        for info in inspect.multi_type_info(types):
            self._write(info, sent)

    def _write(self, info: inspect.Type, sent: bool) -> str:
        """The TypeScript of a type; the interfaces that it names are collected on the way."""
        match info:
            case inspect.Metadata():
                extra = info.extra or {}
                return str(extra["typescript"]) if "typescript" in extra else self._write(info.type, sent)
            case inspect.UnionType():
                parts = [self._write(part, sent) for part in info.types]
                name = self._unions.get(self._key(info))
                return name or " | ".join(dict.fromkeys(parts))
            case inspect.StructType() if info.array_like:
                return f"[{', '.join(self._write(field.type, sent) for field in info.fields)}]"
            case inspect.StructType():
                return self._refer(info, sent)
            case inspect.TupleType():
                return f"[{', '.join(self._write(part, sent) for part in info.item_types)}]"
            case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
                return f"{_bracket(self._write(info.item_type, sent))}[]"
            case inspect.DictType():
                return f"Record<{self._write(info.key_type, sent)}, {self._write(info.value_type, sent)}>"
            case inspect.LiteralType():
                return " | ".join(json.dumps(value) for value in info.values)
            case inspect.CustomType():
                return _TEXTS.get(info.cls, "string")
            case inspect.StrType():
                return "string"
            case inspect.IntType() | inspect.FloatType():
                return "number"
            case inspect.BoolType():
                return "boolean"
            case inspect.NoneType():
                return "null"
            case inspect.AnyType():
                return "unknown"
            case _:
                raise TypeError(f"no TypeScript for {info}")

    def _refer(self, info: inspect.StructType, sent: bool) -> str:
        name = self.name(info.cls, self._game)
        if name == "Entry":  # of one of the games
            event = next(field.type for field in info.fields if field.name == "event")
            name = self._unions[self._key(event)].replace("Event", "Entry")
        if sent:
            self._sent.add(info.cls)
        if name not in self.interfaces:
            self.interfaces[name] = ""  # so that a type within itself ends
            self.interfaces[name] = self._interface(name, info, sent)
        optional = info.cls in self._sent and any(not field.required for field in info.fields)
        return name if sent or not optional else f"Required<{name}>"

    def _interface(self, name: str, info: inspect.StructType, sent: bool) -> str:
        lines = [f"export interface {name} {{"]
        if info.tag is not None:
            lines.append(f"  {info.tag_field}: {json.dumps(info.tag)};")
        for field in info.fields:
            optional = "?" if field.default is UNSET or (sent and not field.required) else ""
            game = self._reviewed.get(info.cls) if field.name == "game" else None
            kind = self._write(field.type, sent) if game is None else json.dumps(game)
            lines.append(f"  {field.encode_name}{optional}: {kind};")
        comment = _comment(info.cls)
        return comment + "\n".join([*lines, "}"])

    def name(self, cls: type, game: str = "") -> str:
        """The games' own types are told apart by the game, and so are the words that all races have."""
        plain = cls.__name__.partition("[")[0]
        begin = game if cls.__module__ == race.__name__ else self._prefixes.get(_package_of(cls), "")
        return begin if begin.endswith("Review") and plain == "Review" else begin + plain

    def _key(self, info: inspect.Type) -> frozenset[type]:
        types = info.types if isinstance(info, inspect.UnionType) else ()
        return frozenset(part.cls for part in types if isinstance(part, inspect.StructType))


def _bracket(text: str) -> str:
    return f"({text})" if "|" in text else text


def _comment(cls: type) -> str:
    text = (cls.__dict__.get("__doc__") or "").replace("``", "`")
    if not text or text.startswith(f"{cls.__name__}("):
        return ""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def interfaces() -> dict[str, str]:
    """The interface of every type, by its name."""
    writer = _Writer()
    writer.add(_SENT, sent=True)
    for rules in _all_rules():
        writer.add([rules.commands, rules.options_type], sent=True, game=prefix(rules))
    writer.add(_RECEIVED, sent=False)
    for rules in _all_rules():
        kinds = [rules.state_type, rules.entry_type, rules.hint_type]
        writer.add(kinds, sent=False, game=prefix(rules))
    writer.add([*_all_reviews().values()], sent=False)
    return writer.interfaces


def unions() -> dict[str, list[str]]:
    """The names of the types that a message, a command or an event may have."""
    writer = _Writer()
    infos = {name: inspect.type_info(union) for name, union in _all_unions().items()}
    names = {}
    for name, info in infos.items():
        game = name.removesuffix("Command").removesuffix("Event")
        parts = [part.cls for part in _parts(info) if isinstance(part, inspect.StructType)]
        names[name] = [writer.name(cls, game) for cls in parts]
    return names


def _parts(info: inspect.Type) -> tuple[inspect.Type, ...]:
    return info.types if isinstance(info, inspect.UnionType) else (info,)


def game_types() -> dict[str, list[str]]:
    """What a message may hold of any game, by the names of the games' own types."""
    kinds = ("Command", "Options", "State", "Entry", "Event", "Hint")
    names = {
        f"Game{kind}": [
            prefix(rules) + kind for rules in _all_rules() if kind != "Hint" or rules.hint_type is not NoHint
        ]
        for kind in kinds
    }
    writer, reviews = _Writer(), _all_reviews().values()
    names["GameReview"] = [writer.name(kind) for kind in reviews]
    names["GameJudged"] = [writer.name(kind.judged) for kind in reviews if kind.judged is not None]
    return names


def constants() -> list[str]:
    """What the site would otherwise write down a second time."""
    rules = {name: games.find(name).rules for name in games.names()}
    refused = {name: sorted(of.refusals) for name, of in rules.items()} | {"server": refusals.SERVER_REFUSALS}
    kinds = {
        run.name: {"order": run.order, "seats": run.most_seats, "daily": run.daily} for run in runs().values()
    }
    ladders = {name: bots.names(name) for name in rules}
    options = {name: to_data(of.options_schema()) for name, of in rules.items()}
    offered = [f"  {name}: [\n{_lines(found)}  ],\n" for name, found in options.items()]
    return [
        f"export const PROTOCOL_VERSION = {protocol.VERSION};",
        f"export const CHAT_LIMIT = {protocol.CHAT_LIMIT};",
        f"export const REACTIONS = {json.dumps(protocol.REACTIONS)} as const;",
        f"export const GAMES = {json.dumps(games.names())} as const;",
        "export type GameName = (typeof GAMES)[number];",
        "/** The games that have a review. */",
        f"export const REVIEWED: readonly GameName[] = {json.dumps(reviewed_games())};",
        "/** Every code with which a game, or the server, may refuse a command. */",
        f"export const REFUSALS = {_record(refused)} as const;",
        "export type RefusalCode = (typeof REFUSALS)[keyof typeof REFUSALS][number];",
        "/** Every code of a request that failed. */",
        f"export const FAILURES = {json.dumps(refusals.FAILURES)} as const;",
        "export type FailureCode = (typeof FAILURES)[number];",
        "/** Every code of an edition that cannot be played with. */",
        f"export const EDITION_PROBLEMS = {json.dumps(refusals.EDITION_PROBLEMS)} as const;",
        "export type EditionProblem = (typeof EDITION_PROBLEMS)[number];",
        "/** What a token may do. */",
        f"export const SCOPES = {json.dumps(protocol.SCOPES)} as const;",
        "/** Why a challenge is declined. */",
        f"export const DECLINES = {json.dumps(protocol.DECLINES)} as const;",
        "/** The kinds of runs: what counts first, for how many they are, and whether there is one for each day. */",
        f"export const RUNS = {_record(kinds)} as const;",
        "export type RunName = keyof typeof RUNS;",
        "/** Why a run is on no board. */",
        f"export const RUN_REASONS = {json.dumps(get_args(Reason))} as const;",
        "export type RunReason = (typeof RUN_REASONS)[number];",
        "/** Why a socket was closed, and with which code. */",
        f"export const CLOSE_CODES = {_record(refusals.CLOSE_CODES)} as const;",
        "/** The bots of each game, the weakest first. */",
        f"export const BOTS: Record<GameName, readonly string[]> = {_record(ladders)};",
        "/** The options of each game, with defaults and limits. */",
        f"export const OPTIONS: Record<GameName, readonly Option[]> = {{\n{''.join(offered)}}};",
    ]


def _record(values: Mapping[str, Any]) -> str:
    return "{\n" + "".join(f"  {key}: {json.dumps(value)},\n" for key, value in values.items()) + "}"


def _lines(values: Iterable[Any]) -> str:
    return "".join(f"    {json.dumps(value)},\n" for value in values)


def write() -> str:
    """The whole file."""
    types = [
        f"export type {name} =\n" + "\n".join(f"  | {part}" for part in parts) + ";"
        for name, parts in (unions() | game_types()).items()
    ]
    return "\n\n".join([HEADER.rstrip(), "\n".join(constants()), *interfaces().values(), *types]) + "\n"


if __name__ == "__main__":
    print(write(), end="")
