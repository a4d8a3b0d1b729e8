"""Doorward for Django: the middleware `doorward.django.DoorwardMiddleware`, decorators for views, sync and async, and
the context processor `doorward.django.context`. Options stand in the setting DOORWARD, a dictionary, or in the
environment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import wraps
from http.cookies import Morsel
from typing import TYPE_CHECKING, Any, cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from doorward import _rules, asgi, wsgi
from doorward._core import Refused
from doorward._errors import ConfigurationError, Unavailable, WebhookError
from doorward._functions import Html, SyncFunctions
from doorward._person import LivePerson, Person
from doorward._request import Visit
from doorward._steps import Steps, run, run_async
from doorward.events import Event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from doorward._config import Options
    from doorward._rules import RuleOptions

View = Callable[..., Any]

_VISIT = "_doorward_visit"


class Doorward(SyncFunctions[HttpRequest]):
    """The Doorward of the settings. Its functions and decorators are also the module's: `from doorward.django import
    protect`."""

    def __init__(self) -> None:
        """The settings are read when they are first needed, as Django's own."""

    def __getattr__(self, name: str) -> Any:
        if name not in ("_core", "_webhooks"):
            raise AttributeError(name)
        try:
            options = cast("Options", getattr(settings, "DOORWARD", {}))
            self._configure(options)
        except ConfigurationError as error:
            raise ImproperlyConfigured(f"{error.code}: {error}") from None
        return vars(self)[name]

    async def awho(self, request: HttpRequest) -> Person | None:
        """`who` for async views."""
        return await run_async(self._core.who(self._visit(request)))

    async def alook(self, request: HttpRequest) -> LivePerson | None:
        """`look` for async views."""
        return await run_async(self._core.look(self._visit(request)))

    async def arefresh(self, request: HttpRequest) -> Person | None:
        """`refresh` for async views."""
        return await run_async(self._core.refresh(self._visit(request)))

    def protect(self, view: View | None = None, **rules: Unpack[RuleOptions]) -> Any:
        """Decorates a view, for people who meet the rules: `@protect` or `@protect(role="admin")`. Others are
        redirected to the login, or get 401 or 403. The view finds the person as `request.person`. With `live`,
        `verified`, `mfa` or `fresh` it is a `LivePerson`, and a logout is seen within a second; else within
        SVC_ACCESS_TTL."""
        checked = _rules.read(rules)
        return _decorator(view, lambda request: self._core.protect(_carried(request), checked))

    def optional(self, view: View | None = None) -> Any:
        """Decorates a public view. Sessions are renewed, and `request.person` is the person or None. A logout is seen
        within SVC_ACCESS_TTL."""
        return _decorator(view, lambda request: self._core.protect(_carried(request), _rules.Rules(), optional=True))

    def webhook(self, handler: View) -> View:
        """Decorates the view that receives webhooks, which is called with the request and a genuine event, and may
        return nothing. The event is remembered once it returned; one that was processed before gets 204 without it."""
        if iscoroutinefunction(handler):

            @wraps(handler)
            async def receive_async(request: HttpRequest) -> HttpResponse:
                try:
                    event = await asyncio.to_thread(self._open, request)
                except WebhookError as error:
                    return _unhandled(error)
                return await asyncio.to_thread(self._handled, event, await handler(request, event))

            exempt: View = csrf_exempt(require_POST(receive_async))
            return exempt

        @wraps(handler)
        def receive(request: HttpRequest) -> HttpResponse:
            try:
                event = self._open(request)
            except WebhookError as error:
                return _unhandled(error)
            return self._handled(event, handler(request, event))

        exempt = csrf_exempt(require_POST(receive))
        return exempt

    def _open(self, request: HttpRequest) -> Event:
        return self._webhooks.open(request.headers, request.body)

    def _handled(self, event: Event, response: HttpResponse | None) -> HttpResponse:
        response = response or HttpResponse(status=204)
        if response.status_code < 300:
            self._webhooks.note(event)
        return response

    def check_csrf(self, request: HttpRequest, token: str | None = None) -> bool:
        """As everywhere; without `token` a form's field `csrf_token` counts."""
        return super().check_csrf(request, request.POST.get("csrf_token") if token is None else token)

    def _visit(self, request: HttpRequest) -> Visit:
        visit = getattr(request, _VISIT, None)
        return visit if isinstance(visit, Visit) else self._begin(request)

    def _begin(self, request: HttpRequest) -> Visit:
        scope = getattr(request, "scope", None)
        return self._core.visit(wsgi.request_of(request.META) if scope is None else asgi.request_of(scope))


class DoorwardMiddleware:
    """Adds the cookies of a refresh to answers. It protects nothing: decorate views. It belongs behind Django's own."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        self._core = doorward._core  # A wrong setting stops the start.
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        setattr(request, _VISIT, doorward._begin(request))
        if iscoroutinefunction(self):
            return self._answer_async(request)
        return _with_session(request, self._get_response(request))

    async def _answer_async(self, request: HttpRequest) -> HttpResponse:
        return _with_session(request, await self._get_response(request))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A view that asked, and got no answer, is 503."""
        return _refusal(self._core.unavailable(exception)) if isinstance(exception, Unavailable) else None


class _Context:
    """What templates may write, as `{{ doorward.logout_form }}`."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def login_url(self) -> str:
        return doorward.login_url(self._request)

    def signup_url(self) -> str:
        return doorward.signup_url(self._request)

    def account_url(self) -> str:
        return doorward.account_url()

    def logout_form(self) -> Html:
        return doorward.logout_form(self._request)

    def csrf_token(self) -> str:
        return doorward.csrf_token(self._request)


def context(request: HttpRequest) -> dict[str, Any]:
    """A context processor: templates get `person`, as the decorator found or the token says, and `doorward` with
    `login_url signup_url account_url logout_form csrf_token`."""
    person = request.person if hasattr(request, "person") else SimpleLazyObject(lambda: doorward.who(request))
    return {"person": person, "doorward": _Context(request)}


class _Line(Morsel[str]):
    """A `Set-Cookie` line that stays as Doorward wrote it."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self._line = line
        name, _, value = line.partition(";")[0].partition("=")
        self.set(name, value, value)

    def OutputString(self, attrs: object = None) -> str:
        return self._line


def _decorator(view: View | None, steps: Callable[[HttpRequest], Steps[Person | None]]) -> Any:
    return (lambda it: _guarded(it, steps)) if view is None else _guarded(view, steps)


def _guarded(view: View, steps: Callable[[HttpRequest], Steps[Person | None]]) -> View:
    if iscoroutinefunction(view):

        @wraps(view)
        async def guarded_async(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                request.person = await run_async(steps(request))
            except Refused as refused:
                return _refusal(refused)
            return await view(request, *args, **kwargs)

        return guarded_async

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            request.person = run(steps(request))
        except Refused as refused:
            return _refusal(refused)
        return view(request, *args, **kwargs)

    return guarded


def _carried(request: HttpRequest) -> Visit:
    visit = getattr(request, _VISIT, None)
    if not isinstance(visit, Visit):
        raise ImproperlyConfigured("Add doorward.django.DoorwardMiddleware to MIDDLEWARE.")
    return visit


def _refusal(refused: Refused) -> HttpResponse:
    return HttpResponse(refused.body, content_type=refused.content_type, status=refused.status, headers=refused.headers)


def _unhandled(error: WebhookError) -> HttpResponse:
    return HttpResponse("" if error.status == 204 else str(error), content_type="text/plain", status=error.status)


def _with_session(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    visit = _carried(request)
    stated = response.headers.get("Cache-Control")
    control = visit.cache_control(stated)
    if control is not None and control != stated:
        response.headers["Cache-Control"] = control
    if visit.shows_logout:
        # Doorward must see the origin of the form. Django's own default hides it, and does not replace this.
        response.headers.setdefault("Referrer-Policy", "strict-origin-when-cross-origin")
    for line in map(_Line, visit.set_cookie):
        dict.__setitem__(response.cookies, line.key, line)
    return response


def _forget(*, setting: str, **_: Any) -> None:
    if setting == "DOORWARD":
        vars(doorward).pop("_core", None)
        vars(doorward).pop("_webhooks", None)


doorward = Doorward()
setting_changed.connect(_forget)

who, look, refresh, protect, optional = (
    doorward.who,
    doorward.look,
    doorward.refresh,
    doorward.protect,
    doorward.optional,
)
awho, alook, arefresh, webhook = doorward.awho, doorward.alook, doorward.arefresh, doorward.webhook
verify, verify_assertion = doorward.verify, doorward.verify_assertion
login_url, signup_url, account_url = doorward.login_url, doorward.signup_url, doorward.account_url
logout_form, csrf_token, check_csrf = doorward.logout_form, doorward.csrf_token, doorward.check_csrf
