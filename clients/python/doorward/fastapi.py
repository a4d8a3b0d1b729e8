"""Doorward for FastAPI: `doorward = Doorward(app)`, and then `Depends(doorward.protect())`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import fastapi
from fastapi import HTTPException, Request, WebSocketException, params
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection

from doorward import _rules, asgi
from doorward._core import Refused
from doorward._errors import ConfigurationError, WebhookError
from doorward._functions import AsyncFunctions
from doorward._person import LivePerson, Person
from doorward._request import Visit
from doorward._steps import run_async
from doorward._webhook import MAX_BODY
from doorward.events import Event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from doorward._config import Options
    from doorward._rules import RuleOptions

__all__ = ["Doorward", "LivePerson", "Person"]


class _Dependency(params.Depends):
    """What `protect` and `optional` make. It stands for itself where `Depends` was forgotten: as anything else it would
    be the default of a parameter of the query, and true."""

    async def __call__(self, connection: HTTPConnection) -> Any:
        assert self.dependency is not None
        return await self.dependency(connection)

    __call__.__annotations__["connection"] = HTTPConnection  # FastAPI cannot look the name up here.


Made = TypeVar("Made", bound=Callable[..., object])


class _Parentheses:
    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> NoReturn:
        raise TypeError("Depends lacks parentheses: write Depends(doorward.protect()) or Depends(doorward.optional()).")


def _makes_dependency(function: Made) -> Made:
    """Stops the start at `Depends(doorward.optional)`, which lets everybody in: what is made is true. FastAPI reads the
    signature of what it depends on, and can make nothing of this one."""
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", "parentheses")]
    parameters[1] = parameters[1].replace(annotation=_Parentheses)
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return function


class Doorward(AsyncFunctions[HTTPConnection]):
    """One Doorward for an application, whose answers set the cookies of a refresh from now on. It protects nothing by
    itself: routes, routers and WebSockets depend on `protect` or `optional`."""

    def __init__(self, app: fastapi.FastAPI, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        app.add_middleware(self._carrying)

    @_makes_dependency
    def protect(self, **rules: Unpack[RuleOptions]) -> Callable[[HTTPConnection], Awaitable[Person]]:
        """A dependency: the person, who meets the rules. Others are redirected to the login, or get 401 or 403. With
        `live`, `verified`, `mfa` or `fresh` it is a `LivePerson`, and a logout is seen within a second; else within
        SVC_ACCESS_TTL."""
        checked = _rules.read(rules)

        async def person(connection: HTTPConnection) -> Person:
            found = await self._protect(connection, checked)
            assert found is not None
            return found

        return _Dependency(person)

    @_makes_dependency
    def optional(self) -> Callable[[HTTPConnection], Awaitable[Person | None]]:
        """A dependency: the person or None. Sessions are renewed. A logout is seen within SVC_ACCESS_TTL."""

        async def person(connection: HTTPConnection) -> Person | None:
            return await self._protect(connection, _rules.Rules(), optional=True)

        return _Dependency(person)

    @property
    def webhook(self) -> Callable[[Request], Awaitable[Event]]:
        """A dependency of the route that receives webhooks: `event: Annotated[Event, Depends(doorward.webhook)]`. The
        event is remembered once the route has answered with 2xx; one that was processed before gets 204 without it."""
        self._webhooks.require_secret()
        return self._receive

    async def _receive(self, request: Request) -> Event:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise HTTPException(413, "The body is too long for an event.")
        try:
            event = await asyncio.to_thread(self._webhooks.open, request.headers, bytes(body))
        except WebhookError as error:
            raise HTTPException(error.status, str(error)) from None
        self._carried(request).event = event
        return event

    async def _protect(self, connection: HTTPConnection, rules: _rules.Rules, optional: bool = False) -> Person | None:
        try:
            return await run_async(self._core.protect(self._carried(connection), rules, optional))
        except Refused as refused:
            if connection.scope["type"] == "websocket":
                raise WebSocketException(asgi.close_code(refused), refused.message) from None
            self._carried(connection).form_page = refused.page
            raise HTTPException(refused.status, refused.message, refused.headers) from None

    def _visit(self, request: HTTPConnection) -> Visit:
        visit = request.scope.get(asgi.KEY)
        return visit if isinstance(visit, Visit) else self._core.visit(asgi.request_of(request.scope))

    def _carried(self, connection: HTTPConnection) -> Visit:
        visit = connection.scope.get(asgi.KEY)
        if not isinstance(visit, Visit):
            raise ConfigurationError(
                "The application does not carry the session: give the outermost one to Doorward(app)."
            )
        return visit

    def _carrying(self, app: asgi.Application) -> asgi.Application:
        return asgi.carrying(self._core, self._webhooks, _leading_on(app))


def _leading_on(app: asgi.Application) -> asgi.Application:
    """The application, which answers a refused form with the page that leads on, unless it has a page of its own."""

    async def answer(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        visit: Visit | None = scope.get(asgi.KEY)

        async def send_page(message: asgi.Message) -> None:
            if visit is None or visit.form_page is None:
                return await send(message)
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                if not headers.get("content-type", "").startswith("application/json"):
                    visit.form_page = None
                    return await send(message)
                del headers["content-encoding"]
                headers["content-type"] = "text/html; charset=utf-8"
                headers["content-length"] = str(len(visit.form_page))
                return await send({**message, "headers": headers.raw})
            page, visit.form_page = visit.form_page, ""
            await send({**message, "body": page.encode()})

        await app(scope, receive, send_page)

    return answer
