"""What every answer carries."""

from __future__ import annotations

from litestar.types import Message, Scope

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
#: The same for a page that others may show in a frame of theirs.
FRAMED_HEADERS = [
    (
        b"content-security-policy",
        CONTENT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode(),
    ),
    *(header for header in SECURITY_HEADERS[1:] if header[0] != b"x-frame-options"),
]
#: What the API answers may be about a person, and is out of date in a moment.
NOT_KEPT = (b"cache-control", b"no-store")
#: Pages of other sites may read this, failures too, as everybody may; nobody's cookie goes with it.
FOR_ALL = (b"access-control-allow-origin", b"*")


async def add_headers(message: Message, scope: Scope) -> None:
    """Litestar calls this before it sends anything; failures and pages that are not there are no exception."""
    if message["type"] == "http.response.start":
        kept = [NOT_KEPT] if scope["path"].startswith(("/api/", "/health")) else []
        shared = [FOR_ALL] if scope["path"].startswith("/api/daily/") else []
        message["headers"] = [*message["headers"], *SECURITY_HEADERS, *kept, *shared]
