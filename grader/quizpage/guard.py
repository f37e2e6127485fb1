"""Who may speak to the page: a browser on this machine that was given the address which the terminal printed.

    address with token --> cookie, SameSite=Strict --> every request: Host is ours, cookie fits
                                                   --> and what changes something: Origin and form token are ours

A page of another site knows neither token nor cookie, and a name that somebody points at 127.0.0.1 is no Host of ours.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

ADDRESS = "127.0.0.1"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer a browser would hide the Origin of our own forms too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Guard:
    """The secret of one run of the server, and the port that it listens on."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def address(self) -> str:
        """What is printed, and opened by the learner."""
        return f"http://{ADDRESS}:{self.port}/?token={self.token}"

    @property
    def cookie(self) -> str:
        """Name of the cookie: cookies know no ports, and two servers must not take each other's."""
        return f"manyheads_{self.port}"

    @property
    def cookie_value(self) -> str:
        """What the cookie holds; the address, which stays in a browser's history, does not tell it."""
        return self._derived("cookie")

    @property
    def form_token(self) -> str:
        """What stands in every form of ours."""
        return self._derived("form")

    def _derived(self, use: str) -> str:
        return hmac.new(self.token.encode(), use.encode(), hashlib.sha256).hexdigest()

    def is_host(self, host: str) -> bool:
        """Whether the request was meant for this server: its Host is the loopback address or its usual name."""
        return host in {f"{ADDRESS}:{self.port}", f"localhost:{self.port}"}

    def is_token(self, given: str) -> bool:
        """Whether the address is the one that was printed."""
        return _equal(given, self.token)

    def is_known(self, cookies: Mapping[str, str]) -> bool:
        """Whether the browser was given the address before."""
        return _equal(cookies.get(self.cookie, ""), self.cookie_value)

    def is_own_form(self, host: str, origin: str | None, site: str | None, form_token: str) -> bool:
        """Whether a form was sent by a page of ours.

        Browsers for text alone send no Origin, so its absence is no fault; the token of the form is asked for anyway.

        Args:
            origin: the header Origin. site: the header Sec-Fetch-Site.
        """
        if origin is not None and origin != f"http://{host}":
            return False
        return site in {None, "same-origin"} and _equal(form_token, self.form_token)


def _equal(given: str, wanted: str) -> bool:
    """Compares in a time that does not tell how much was right."""
    return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())
