"""The catalogues of messages: nothing missing, unused, untranslated or told the wrong things."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.catalogues import LANGUAGES, WEB, catalogue, sources

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]


def forms(message: Any) -> dict[str, str]:
    """The text of a message for each plural; a message without plurals has one."""
    return {"": message} if isinstance(message, str) else message[0]["match"]


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


ENGLISH = catalogue("en")
SOURCE = "\n".join(
    path.read_text("utf-8")
    for path in sorted((WEB / "src").rglob("*"))
    if path.suffix in (".ts", ".svelte") and "paraglide" not in path.parts
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


def test_every_message_is_used() -> None:
    used = set(re.findall(r"\bm\.(\w+)", SOURCE))
    made = set(re.findall(r"`(\w+_)\$\{", SOURCE))
    unused = {name for name in ENGLISH if name not in used and not any(map(name.startswith, made))}
    assert not unused
    assert not used - ENGLISH.keys()
