"""The page for whoever calls the server by a name that it does not know: the site itself must not be served under that name."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from html import escape

#: What the site says of ``wrong_host``, in its languages; and the name under which browsers know each.
SENTENCES = {
    "en": "This server does not answer to the name {host}. Whoever runs it can change that with the setting {setting}",
    "fi": "Tämä palvelin ei vastaa nimeen {host}. Palvelimen ylläpitäjä voi sallia nimen asetuksella {setting}",
    "he": "השרת הזה לא עונה לשם {host}. מי שמפעיל אותו יכול לאפשר את השם בהגדרה {setting}",
    "is": "Þessi þjónn svarar ekki nafninu {host}. Sá sem rekur hann getur leyft nafnið með stillingunni {setting}",
    "nb": "Denne serveren svarer ikke på navnet {host}. Den som driver den, kan endre det med innstillingen {setting}",
    "nl": "Deze server luistert niet naar de naam {host}. Wie hem beheert, kan dat veranderen met de instelling {setting}",
    "ru": "Этот сервер не отзывается на имя {host}. Тот, кто им управляет, может разрешить это имя настройкой {setting}",
}
ALSO = {"no": "nb", "nn": "nb", "iw": "he"}
_RIGHT_TO_LEFT = ("he",)
#: The colours of web/src/theme/tokens.css, by day and by night.
_STYLE = (
    "body{margin:0;min-height:100vh;display:grid;place-items:center;background:#e1e4d8;color:#22251e;"
    "font:1.125rem/1.5 system-ui,sans-serif}"
    "main{box-sizing:border-box;max-width:36rem;margin:1rem;padding:1.75rem;border-radius:1rem;background:#fdfcf7}"
    "h1{margin:0;font-size:1.75rem}p{margin:.5rem 0 0}code{overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{background:#18231e;color:#ece8da}main{background:#22302a}}"
)
STYLE_POLICY = f"'sha256-{b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"


def write(host: str, accepted: str) -> bytes:
    """The page about this name, in the first of the accepted languages that the site speaks."""
    language = choose(accepted)
    name = re.sub(r":\d*$", "", host)
    parts = {"host": _code(name), "setting": _code(f"TERCET_HOSTS={name}")}
    text = re.sub(r"{(\w+)}", lambda found: parts[found[1]], escape(SENTENCES[language]))
    direction = "rtl" if language in _RIGHT_TO_LEFT else "ltr"
    return (
        f'<!doctype html><html lang="{language}" dir="{direction}"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>Tercet</title><style>{_STYLE}</style>'
        f"<main><h1>Tercet</h1><p>{text}</main>"
    ).encode()


def choose(accepted: str) -> str:
    """The language for an ``Accept-Language`` header. Browsers name the best first.

    >>> choose("no,en;q=0.5"), choose("he-IL"), choose("xx, fi;q=0.3"), choose("")
    ('nb', 'he', 'fi', 'en')
    """
    for part in accepted[:200].split(","):
        code = part.partition(";")[0].partition("-")[0].strip().lower()
        code = ALSO.get(code, code)
        if code in SENTENCES:
            return code
    return "en"


def _code(text: str) -> str:
    return f'<code dir="ltr">{escape(text[:80])}</code>'
