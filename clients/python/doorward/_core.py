"""Authentication, refresh and protection of requests, without any framework and without waiting (see `_steps`)."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote, urlsplit

from doorward import _config, _jwt, _person
from doorward._errors import DoorwardError, Lessons, TokenError, Unavailable
from doorward._http import Answer, Http
from doorward._keys import Keys
from doorward._person import LivePerson, Person
from doorward._request import Request, Visit
from doorward._rules import Rules
from doorward._steps import Steps

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Refused(DoorwardError):
    """A request that does not pass, with the answer that says so: to a form, a page that leads on."""

    def __init__(
        self, status: int, message: str, headers: dict[str, str] | None = None, page: str | None = None
    ) -> None:
        super().__init__({401: "unauthorized", 403: "forbidden", 503: "unavailable"}.get(status, "elsewhere"), message)
        self.status, self.message, self.headers, self.page = status, message, headers or {}, page

    @property
    def body(self) -> str:
        return self.message if self.page is None else self.page

    @property
    def content_type(self) -> str:
        return f"text/{'plain' if self.page is None else 'html'}; charset=utf-8"


@dataclass(frozen=True)
class _Refreshed:
    is_somebody: bool
    set_cookie: list[str] = field(repr=False)


class Core:
    """One Doorward, as one application sees it."""

    def __init__(self, options: _config.Options, http: Http | None = None) -> None:
        self.config = _config.read(options)
        self.lessons = Lessons(self.config.log, self.config.clock)
        self.http = http or Http(self.config.internal_url)
        self.keys = Keys(self.config, self.http, self.lessons)

    def visit(self, request: Request) -> Visit:
        return Visit(self.config, request)

    def verify(self, token: str, typ: str = _jwt.ACCESS, audience: str | None = None) -> Steps[dict[str, object]]:
        parsed = _jwt.parse(token)
        if parsed.algorithm not in self.keys.algorithms:
            raise TokenError("algorithm")
        found = yield from self.keys.find(parsed.kid)
        parsed.check_signature(found)
        parsed.check_claims(typ, self.config.issuer, audience or self.config.audience, self.config.clock())
        return parsed.claims

    def who(self, visit: Visit) -> Steps[Person | None]:
        """The person of the first access token that is believed."""
        visit.is_personal = True
        failure: Unavailable | None = None
        for token in visit.access:
            try:
                return _person.of_claims((yield from self.verify(token)))
            except TokenError as error:
                self._teach_token(error)
            except Unavailable as error:
                failure = error
        if failure is not None:
            raise failure
        return None

    def look(self, visit: Visit) -> Steps[LivePerson | None]:
        """The person as Doorward reports now. It renews nothing and marks no token as used, not even a new one: else a
        lost answer would look like theft."""
        visit.is_personal = True
        if not visit.access and not visit.refresh:
            return None
        headers = {"Cookie": visit.cookie_header}
        person: LivePerson | None = yield self.http.ask("GET", "/auth/api/v2/session?refresh=look", headers, _seen)
        return person

    def refresh(self, visit: Visit) -> Steps[Person | None]:
        """The person after one refresh, whose cookies go with the answer. A prefetch only looks."""
        visit.is_personal = True
        if visit.request.is_prefetch:
            return (yield from self.look(visit))
        if visit.has_refreshed:
            return (yield from self.who(visit))
        # Without a CSRF token Doorward renews nothing for us; its login page does.
        if not visit.refresh or not visit.csrf:
            return None
        visit.has_refreshed = True
        refreshed: _Refreshed = yield self.http.share(tuple(visit.refresh), lambda: self._begin_refresh(visit))
        visit.take(refreshed.set_cookie)
        if not refreshed.is_somebody:
            return None
        try:
            return _person.of_claims((yield from self.verify(visit.access[0])))
        except TokenError as error:
            self._teach_token(error, is_new=True)
            raise Unavailable(f"Doorward's new access token is not accepted here. {error}") from None

    def person(self, visit: Visit) -> Steps[Person | None]:
        """The person of the access token, else of a refresh."""
        person = yield from self.who(visit)
        return person or (yield from self.refresh(visit))

    def protect(self, visit: Visit, rules: Rules, optional: bool = False) -> Steps[Person | None]:
        """The person who meets the rules; else `Refused`. None only if it is optional."""
        self.check_origin(visit)
        try:
            person = yield from self.person(visit)
            if person is not None and rules.looks and not isinstance(person, LivePerson):
                person = yield from self.look(visit)
        except Unavailable as error:
            raise self.unavailable(error) from None
        if person is None:
            if optional:
                return None
            raise self._nobody(visit)
        lack = rules.lack(person, self.config.name, self.config.clock())
        if lack is None:
            return person
        demand = "mfa=1" if lack == "mfa" else f"max_age={max(int(rules.fresh or 0), 1)}"
        if lack != "other" and visit.request.is_navigation and not visit.request.is_prefetch:
            raise Refused(303, "", {"Location": self.page(visit, "/auth/account/confirm", None, demand)})
        if lack != "other":
            link = self.page(visit, "/auth/account/confirm", visit.page, demand)
            raise _refused(visit, 403, "Please confirm first that it is you.", "Confirm", link)
        raise Refused(403, "This is not permitted to you.")

    def check_origin(self, visit: Visit) -> None:
        if visit.is_own:
            return
        origin = visit.request.headers.get("origin")
        self.lessons.teach(
            "wrong_origin",
            f"a {visit.request.method} from a page of {_shown(origin)} was refused: if that is this application, set "
            "DOORWARD_APP_URL to its address in browsers, else name it in the option origins"
            + (
                ", or send pages with another Referrer-Policy, as theirs hides the origin." if origin == "null" else "."
            ),
        )
        raise Refused(403, "The request comes from a page of another origin.")

    def unavailable(self, error: Unavailable) -> Refused:
        self.lessons.teach("unavailable", f"a request got 503. {error}")
        return Refused(503, "Please try again in a moment.", {"Retry-After": "5"})

    def page(self, visit: Visit, path: str, return_to: str | None = None, demand: str = "") -> str:
        """The address of a page of Doorward that leads back."""
        back = visit.return_to(return_to)
        query = "&".join(filter(None, (back and f"return_to={quote(back, safe='')}", demand)))
        return f"{self.config.url}{path}" + (f"?{query}" if query else "")

    def logout_form(self, visit: Visit, label: str, return_to: str | None) -> str:
        """The form that logs out; where there is no CSRF token, a link to Doorward's page that has it."""
        visit.shows_logout = visit.origin != self.config.url
        back = None if return_to is None else visit.return_to(return_to)
        if not visit.csrf:
            query = f"?return_to={quote(back, safe='')}" if back else ""
            return f'<a href="{escape(self.config.url)}/auth/logout{query}">{escape(label)}</a>'
        fields = {"csrf_token": visit.csrf[0], **({"return_to": back} if back else {})}
        inputs = "".join(f'<input type="hidden" name="{name}" value="{escape(it)}">' for name, it in fields.items())
        action = escape(f"{self.config.url}/auth/sessions/logout")
        own = 'hx-boost="false" data-turbo="false"'
        return f'<form method="post" action="{action}" {own}>{inputs}<button>{escape(label)}</button></form>'

    def _begin_refresh(self, visit: Visit) -> Future[_Refreshed]:
        path = f"/auth/api/v1/sessions/refresh?audience={quote(self.config.audience, safe='')}"
        headers = {"Cookie": visit.cookie_header, "X-CSRF-Token": visit.csrf[0], "Content-Length": "0"}
        return self.http.ask("POST", path, headers, self._read_refresh)

    def _read_refresh(self, answer: Answer) -> _Refreshed:
        lines = answer.headers.get_all("Set-Cookie", [])
        if answer.status in (401, 403):
            return _Refreshed(False, lines)
        cookies = (line.partition(";")[0].partition("=") for line in lines)
        if answer.status == 200 and any(name == self.config.access_cookie and value for name, _, value in cookies):
            return _Refreshed(True, lines)
        if answer.status == 400:
            self._teach_token(TokenError("audience"))
        raise Unavailable(f"Doorward answered a refresh with {answer.status} and without new cookies.")

    def _nobody(self, visit: Visit) -> Refused:
        if visit.request.is_prefetch:
            return Refused(401, "Please log in.")
        if visit.request.is_htmx:
            return Refused(401, "Please log in.", {"HX-Redirect": self.page(visit, "/auth/login", visit.page)})
        if not visit.request.is_navigation:
            return _refused(visit, 401, "Please log in.", "Log in", self.page(visit, "/auth/login", visit.page))
        self._teach_nobody(visit)
        return Refused(303, "", {"Location": self.page(visit, "/auth/login")})

    def _teach_token(self, error: TokenError, is_new: bool = False) -> None:
        if error.code == "issuer":
            self.lessons.teach(
                "issuer_mismatch",
                f"an access token was not issued by {self.config.issuer}: set DOORWARD_URL to SVC_BASE_URL, or the "
                "option issuer to SVC_JWT_ISSUER.",
            )
        elif error.code == "audience":
            self.lessons.teach(
                "audience_mismatch",
                f"an access token is not for the audience {self.config.audience}: set DOORWARD_AUDIENCE to one of "
                "SVC_AUDIENCES; logins issue the first of them.",
            )
        elif error.code == "not_yet" or (is_new and error.code == "expired"):
            self.lessons.teach(
                "clock_skew",
                "a new access token is not valid by this machine's clock: set the clock, such as with NTP.",
            )

    def _teach_nobody(self, visit: Visit) -> None:
        """Explains a login loop: people log in, and the browser does not send the cookies here."""
        ours, theirs = (urlsplit(origin or "").hostname or "" for origin in (visit.origin, self.config.url))
        if not _share_cookies(ours, theirs):
            self.lessons.teach(
                "wrong_host",
                f"this application was opened at {_shown(visit.origin)}, and Doorward is at {self.config.url}: its "
                "cookies reach one host, or with SVC_COOKIE_DOMAIN those below one domain. Open it beside Doorward, and set "
                "DOORWARD_APP_URL to its address there.",
            )
        elif self.config.url.startswith("https:") and ours not in _LOOPBACK and _is_plain(visit):
            self.lessons.teach(
                "http_cookie",
                f"this application was opened by http at {ours}, and the cookies of {self.config.url} go over https "
                "alone: serve it by https, or start Doorward with an http SVC_BASE_URL.",
            )


def _refused(visit: Visit, status: int, message: str, label: str, link: str) -> Refused:
    """A refusal which the person can do something about: a form is not sent again after a redirect."""
    if not visit.request.is_form:
        return Refused(status, message)
    page = (
        f'<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>{message}</title>'
        f'<p>{message} Nothing was changed.</p><p><a href="{escape(link)}">{label}</a>, and send the form again.</p>'
    )
    return Refused(status, message, page=page)


def _seen(answer: Answer) -> LivePerson | None:
    if answer.status == 401:
        return None
    if answer.status != 200:
        raise Unavailable(f"Doorward answered {answer.status}.")
    return _person.of_session(answer.json())


def _share_cookies(one: str, other: str) -> bool:
    """Whether two hosts are one, or below one domain that has a dot."""
    return one == other or (one.split(".")[-2:] == other.split(".")[-2:] and "." in one and not one[-1:].isdigit())


def _is_plain(visit: Visit) -> bool:
    """Whether the browser came by http, as far as this server knows."""
    if visit.config.app_url is not None:
        return visit.config.app_url.startswith("http:")
    headers = visit.request.headers
    return visit.request.scheme == "http" and "x-forwarded-proto" not in headers and "forwarded" not in headers


def _shown(text: str | None) -> str:
    """What a visitor sent, short and printable."""
    return "".join(sign for sign in (text or "an unknown origin")[:100] if sign.isprintable())
