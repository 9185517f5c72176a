"""The HTTP API as a page for people, from the OpenAPI schema: /api/docs."""

from __future__ import annotations

from html import escape
from typing import Any

_HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    "<title>Tercet: HTTP API</title><h1>Tercet: HTTP API</h1>"
)


def write(schema: dict[str, Any]) -> bytes:
    """The page. It needs no script and no style sheet."""
    parts = [_HEAD, f"<p>{escape(schema['info']['description'])}"]
    parts.append('<p><a href="schema/openapi.json">The same for programs (OpenAPI)</a>')
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            parts.append(_operation(method, path, operation))
    parts.append("<h2>Types</h2>")
    for name, found in schema.get("components", {}).get("schemas", {}).items():
        parts.append(_type(name, found))
    return "\n".join(parts).encode()


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    lines = [
        f"<h3><code>{method.upper()} {escape(path)}</code> {escape(operation.get('summary') or '')}</h3>"
    ]
    if operation.get("description"):
        lines.append(f"<p>{escape(operation['description'])}")
    lines += [
        f"<p>Parameter <code>{escape(parameter['name'])}</code> ({escape(parameter['in'])})"
        for parameter in operation.get("parameters") or []
    ]
    body = operation.get("requestBody")
    if body:
        lines.append(f"<p>Body: {_content(body)}")
    for status, answer in operation.get("responses", {}).items():
        lines.append(f"<p>{escape(status)}: {_content(answer) or escape(answer.get('description') or '')}")
    return "\n".join(lines)


def _content(holder: dict[str, Any]) -> str:
    return ", ".join(
        _reference(media.get("schema") or {}) for media in (holder.get("content") or {}).values()
    )


def _type(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required") or []
    rows = [
        f"<li><code>{escape(field)}</code>{'' if field in required else ' (may be left out)'}: {_reference(found)}"
        for field, found in (schema.get("properties") or {}).items()
    ]
    return f"<h3 id='{escape(name)}'>{escape(name)}</h3><ul>{''.join(rows)}</ul>"


def _reference(schema: dict[str, Any]) -> str:
    """A type in a word or two."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"<a href='#{escape(name)}'>{escape(name)}</a>"
    if "items" in schema:
        return f"list of {_reference(schema['items'])}"
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(_reference, schema[key])))
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    kind = schema.get("type", "anything")
    return escape(" or ".join(kind) if isinstance(kind, list) else str(kind))
