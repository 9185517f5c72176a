"""The catalogues of messages: nothing missing, unused, untranslated or told the wrong things."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tercet import bots, games
from tercet.server.protocol.refusals import CLOSE_CODES, FAILURES, SERVER_REFUSALS
from tests.web.catalogues import LANGUAGES, WEB, catalogue, sources

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]


def forms(message: Any) -> dict[str, str]:
    """The text of a message for each plural; a message without plurals has one."""
    return {"": message} if isinstance(message, str) else message[0]["match"]


def prose(name: str, message: Any) -> list[str]:
    """The texts of a message, without what a program reads."""
    texts = list(forms(message).values())
    return [OF_THE_FILE.sub("", text) for text in texts] if name.startswith("own_edition_") else texts


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


ENGLISH = catalogue("en")
SOURCE = "\n".join(
    path.read_text("utf-8")
    for path in sorted((WEB / "src").rglob("*"))
    if path.suffix in (".ts", ".svelte") and "catalogue" not in path.parts
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_one_place(language: str) -> None:
    assert sum(map(len, sources(language))) == len(catalogue(language))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_message_is_translated(language: str) -> None:
    texts = catalogue(language)
    assert texts.keys() == ENGLISH.keys()
    same = {
        name
        for name in texts
        if texts[name] == ENGLISH[name] and re.search("[a-z]", re.sub(r"{\w+}", "", str(texts[name])))
    }
    assert same == set(LANGUAGES[language].get("as_in_english", ())), "or is it the same word there?"


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_and_plurals_agree(language: str) -> None:
    for name, message in catalogue(language).items():
        wanted = placeholders(forms(ENGLISH[name]).get("plural=other", str(ENGLISH[name])))
        said = forms(message)
        assert isinstance(message, str) == isinstance(ENGLISH[name], str), name
        for text in said.values():
            assert text.strip(), name
            assert placeholders(text) <= wanted, name
        assert placeholders("".join(said.values())) == wanted, name
        if not isinstance(message, str):
            assert {form.removeprefix("plural=") for form in said} == set(LANGUAGES[language]["plurals"]), (
                name
            )


#: Names, signs and letters that are Latin in every script.
LATIN = re.compile(r"Tercet|SET|Set Cubed|Set|Scramble|QR|TOML|Enter|Esc|Shift|\b[a-e][1-5]\b|\{\w+\}")
#: What is written so in the file of an edition, in every language.
OF_THE_FILE = re.compile(
    r"name = \"my-box\"|\"house\"|\"dutch\"|\b(name|size|logo|dice|title|note|bonus|extends|2GS|W)\b"
)
#: Words of English alone that a hurried translation leaves behind.
ENGLISH_WORDS = re.compile(
    r"\b(the|and|you|your|with|for each|this|that|these|which|cards?|dice|players?|square|turn|wilds?)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_english_is_left(language: str) -> None:
    as_in_english = set(LANGUAGES[language].get("as_in_english", ()))
    for name, message in catalogue(language).items():
        for text in prose(name, message):
            left = re.search(r"[a-zA-Z]", LATIN.sub("", text)) if language in ("ru", "he") else None
            words = ENGLISH_WORDS.search(re.sub(r"\{\w+\}", "", text))
            assert not left, f"{name}: {text}"
            assert not words or name in as_in_english, f"{name}: {text}"


def test_no_text_reads_as_a_word_for_word_translation() -> None:
    """What native readers of English stumbled over once."""
    stumbles = re.compile(r"\b((?i:the own|anew|until now)\b|Who (lays|has|first|sees)\b(?!.*\?))")
    for name, message in ENGLISH.items():
        for text in forms(message).values():
            assert not stumbles.search(text), f"{name}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_and_apostrophes_are_typographic(language: str) -> None:
    for name, message in catalogue(language).items():
        for text in prose(name, message):
            assert not re.search(r"[\"']", text), f"{name}: {text}"


#: What the site never asks for, or answers by trying again; should it come all the same, a general sentence is said.
NEVER_MET = {
    "failed": {
        "bad_request",
        "internal_error",
        "no_account",
        "no_seat",
        "too_large",
        "wrong_method",
    },
    "goodbye": {"restart", "slow", "store_unavailable", "too_fast"},
}


def test_every_code_has_a_sentence() -> None:
    """Refusals of every game and of the server, requests that fail, and sockets that are closed."""
    codes = {
        "refused": {
            *SERVER_REFUSALS,
            *(code for name in games.names() for code in games.find(name).rules.refusals),
        },
        "failed": set(FAILURES) - NEVER_MET["failed"],
        "goodbye": set(CLOSE_CODES) - NEVER_MET["goodbye"],
    }
    for kind, known in codes.items():
        assert {f"{kind}_{code}" for code in known} <= ENGLISH.keys()


def test_every_bot_has_a_word() -> None:
    known = {f"bot_{name}" for game in games.names() for name in bots.names(game)}
    assert known == {name for name in ENGLISH if name.startswith("bot_")} - {"bot_fitting", "bot_level"}


def test_every_message_is_used() -> None:
    used = set(re.findall(r"\bm\.(\w+)", SOURCE))
    made = set(re.findall(r"`(\w+_)\$\{", SOURCE))
    unused = {name for name in ENGLISH if name not in used and not any(map(name.startswith, made))}
    assert not unused
    assert not used - ENGLISH.keys()
