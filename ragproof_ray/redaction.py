"""What text must not hold: secrets, what drives a terminal, what no file can store.

Secrets are taken out of errors, logs, raw judge replies and config echoes, not out
of answers and questions, which are the user's data.
"""

import json
import os
import re
from functools import lru_cache
from urllib.parse import quote

_MARK = "[redacted]"
_SECRET_NAMES = ("API_KEY", "TOKEN", "SECRET", "PASSWORD")
_MIN_SECRET_LENGTH = 8
# Stops before quotes and backslashes, so that redacted JSON is still JSON.
_BEARER = re.compile(r"\bBearer\s+[^\s\"'\\,;<>]{8,}", re.IGNORECASE)
# C0 and C1 without newline and tab, bidi overrides and isolates, lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def redact(text: str) -> str:
    """Replace secrets in `text` by `[redacted]`.

    A secret is the value (8 characters or more) of an environment variable whose
    name ends in API_KEY, TOKEN, SECRET or PASSWORD in any case, also as it reads
    inside JSON, a Python repr or a URL; and `Bearer` with 8 or more characters.
    The environment is read at each call: a variable may be set after the import.
    """
    for secret in _spellings(_secrets()):
        text = text.replace(secret, _MARK)
    return _BEARER.sub(_MARK, text)


def printable(text: str) -> str:
    """Replace what a terminal would obey instead of show by U+FFFD.

    Newlines and tabs stay.
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def storable(text: str) -> str:
    """Replace unpaired surrogates, which no UTF-8 file can hold, by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _secrets() -> frozenset[str]:
    return frozenset(
        os.environ.get(name, "")  # another thread may have just unset it
        for name in os.environ
        if name.upper().endswith(_SECRET_NAMES)
    )


@lru_cache(maxsize=8)
def _spellings(secrets: frozenset[str]) -> tuple[str, ...]:
    """Every form of the secrets, longest first so that no tail is left behind."""
    values = {secret.strip() for secret in secrets}
    forms = {
        form
        for value in values
        if len(value) >= _MIN_SECRET_LENGTH
        for form in (
            value,
            repr(value)[1:-1],
            json.dumps(value)[1:-1],
            json.dumps(value, ensure_ascii=False)[1:-1],
            quote(value, safe="", errors="surrogateescape"),
        )
    }
    return tuple(sorted(forms, key=len, reverse=True))
