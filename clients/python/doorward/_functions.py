"""The functions that every framework has, over the one core."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from doorward import _jwt, _person
from doorward._config import Options
from doorward._core import Core
from doorward._errors import ConfigurationError
from doorward._person import AssertedPerson, LivePerson, Person
from doorward._request import Visit
from doorward._steps import run, run_async
from doorward._webhook import Webhooks

if TYPE_CHECKING:
    from typing_extensions import Unpack

R = TypeVar("R")


class Html(str):
    """HTML that templates do not escape."""

    def __html__(self) -> str:
        return self


class Functions(ABC, Generic[R]):
    """The functions that never ask Doorward."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self._configure(options)

    def _configure(self, options: Options) -> None:
        self._core = Core(options)
        self._webhooks = Webhooks(self._core)

    @abstractmethod
    def _visit(self, request: R) -> Visit:
        """The request as the rules see it."""

    def login_url(self, request: R, return_to: str | None = None) -> str:
        """The address of the login, which leads back to `return_to`, a path; by default to what was asked for."""
        return self._core.page(self._visit(request), "/auth/login", return_to)

    def signup_url(self, request: R, return_to: str | None = None) -> str:
        """The address of the signup, which leads back as `login_url` does."""
        return self._core.page(self._visit(request), "/auth/signup", return_to)

    def account_url(self) -> str:
        """The address of the person's account pages."""
        return f"{self._core.config.url}/auth/account"

    def logout_form(self, request: R, label: str = "Log out", return_to: str | None = None) -> Html:
        """A form with one button that logs out, and leads to `return_to`, a path, or to the login."""
        return Html(self._core.logout_form(self._visit(request), label, return_to))

    def csrf_token(self, request: R) -> str:
        """The CSRF token for forms and `X-CSRF-Token`; empty if there is none. Login and logout replace it."""
        return next(iter(self._visit(request).csrf), "")

    def check_csrf(self, request: R, token: str | None = None) -> bool:
        """Whether the request has a permitted origin and repeats the CSRF token: in the header `X-CSRF-Token`, else in
        `token`, which a form submitted. `protect` checks the origin alone; where it is missing, call this for every
        unsafe method."""
        visit = self._visit(request)
        return visit.is_own and visit.has_csrf_token(token)

    def _assertion_audience(self) -> str:
        if self._core.config.app_url is None:
            raise ConfigurationError(
                "DOORWARD_APP_URL is missing: set it to the application's address in browsers, for which alone the "
                "gate's assertions are made."
            )
        return self._core.config.app_url


class SyncFunctions(Functions[R]):
    """The functions that may ask Doorward, and wait for it at most five seconds; then they raise `Unavailable`."""

    def who(self, request: R) -> Person | None:
        """The person of the request's access token, or None. Uses the network for keys only, so a logout is seen within
        SVC_ACCESS_TTL."""
        return run(self._core.who(self._visit(request)))

    def look(self, request: R) -> LivePerson | None:
        """The person of the request's session as Doorward reports it now, or None. Renews nothing. A logout is seen
        within a second."""
        return run(self._core.look(self._visit(request)))

    def refresh(self, request: R) -> Person | None:
        """Renews the session, at most once a request, and returns its person, or None. The answer to this request sets
        the new cookies. A logout is seen at once."""
        return run(self._core.refresh(self._visit(request)))

    def verify(self, token: str) -> Person:
        """The person of an access token; else `TokenError`. A logout is seen within SVC_ACCESS_TTL."""
        return _person.of_claims(run(self._core.verify(token)))

    def verify_assertion(self, assertion: str) -> AssertedPerson:
        """The person of the gate's `X-Svc-Assertion` for `app_url`; else `TokenError`. A logout is seen within the
        minute that an assertion is valid."""
        claims = run(self._core.verify(assertion, _jwt.ASSERTION, self._assertion_audience()))
        return _person.of_assertion(claims)


class AsyncFunctions(Functions[R]):
    """The functions that may ask Doorward, and wait for it at most five seconds; then they raise `Unavailable`. They
    ask in at most 32 threads, and the event loop goes on."""

    async def who(self, request: R) -> Person | None:
        """The person of the request's access token, or None. Uses the network for keys only, so a logout is seen within
        SVC_ACCESS_TTL."""
        return await run_async(self._core.who(self._visit(request)))

    async def look(self, request: R) -> LivePerson | None:
        """The person of the request's session as Doorward reports it now, or None. Renews nothing. A logout is seen
        within a second."""
        return await run_async(self._core.look(self._visit(request)))

    async def refresh(self, request: R) -> Person | None:
        """Renews the session, at most once a request, and returns its person, or None. The answer to this request sets
        the new cookies. A logout is seen at once."""
        return await run_async(self._core.refresh(self._visit(request)))

    async def verify(self, token: str) -> Person:
        """The person of an access token; else `TokenError`. A logout is seen within SVC_ACCESS_TTL."""
        return _person.of_claims(await run_async(self._core.verify(token)))

    async def verify_assertion(self, assertion: str) -> AssertedPerson:
        """The person of the gate's `X-Svc-Assertion` for `app_url`; else `TokenError`. A logout is seen within the
        minute that an assertion is valid."""
        claims = await run_async(self._core.verify(assertion, _jwt.ASSERTION, self._assertion_audience()))
        return _person.of_assertion(claims)
