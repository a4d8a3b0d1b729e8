"""One application for each framework, with the same pages."""

from typing import Annotated, Any
from urllib.parse import parse_qsl

import django
from django.conf import settings
from django.http import HttpResponse
from django.template import engines
from django.test.signals import setting_changed
from django.urls import path
from fastapi import Depends, FastAPI, Request, Response, WebSocket
from fastapi.responses import HTMLResponse, PlainTextResponse

import doorward.asgi
import doorward.wsgi
from doorward import LivePerson, Person
from doorward.events import Event
from doorward.fastapi import Doorward

RULES: dict[str, dict[str, Any]] = {
    "owner": {"role": "owner"},
    "other": {"organization": "01a22488-e555-7e63-9bae-73a4629f3ebe"},
    "platform": {"platform": "monitor"},
    "verified": {"verified": True},
    "mfa": {"mfa": True},
    "fresh": {"fresh": "15m"},
}
counts: dict[str, int] = {}
received: list[Event] = []


def count(person: Person) -> str:
    counts[person.id] = counts.get(person.id, 0) + 1
    return str(counts[person.id])


def show(person: Person | None) -> str:
    return "nobody" if person is None else person.id


def live(person: LivePerson) -> str:
    return f"{person.email} {person.organization_name}"


def receive(event: Event) -> int:
    if event.type == "user.updated":
        return 500
    received.append(event)
    return 204


def fastapi_app(**options: Any) -> FastAPI:
    app = FastAPI()
    it = Doorward(app, **{"webhook_secret": "of no webhook", **options})

    @app.get("/", response_class=PlainTextResponse)
    async def home(person: Annotated[Person, Depends(it.protect())]) -> str:
        return show(person)

    @app.get("/live", response_class=HTMLResponse)
    async def live_page(request: Request, person: Annotated[LivePerson, Depends(it.protect(live=True))]) -> str:
        return live(person) + it.logout_form(request, return_to="/open")

    @app.get("/open", response_class=PlainTextResponse)
    async def open_page(person: Annotated[Person | None, Depends(it.optional())]) -> str:
        return show(person)

    @app.post("/count", response_class=PlainTextResponse)
    async def count_page(person: Annotated[Person, Depends(it.protect())]) -> str:
        return count(person)

    @app.post("/csrf", response_class=PlainTextResponse)
    async def csrf(request: Request) -> str:
        fields = dict(parse_qsl((await request.body()).decode()))
        return str(it.check_csrf(request, fields.get("csrf_token")))

    @app.get("/looks", response_class=PlainTextResponse)
    async def looks(request: Request) -> str:
        return f"{show(await it.who(request))} {show(await it.look(request))}"

    for name, rules in RULES.items():

        @app.api_route(f"/{name}", methods=["GET", "POST"], response_class=PlainTextResponse)
        async def ruled(person: Annotated[Person, Depends(it.protect(**rules))]) -> str:
            return show(person)

    @app.post("/hooks")
    async def hooks(event: Annotated[Event, Depends(it.webhook)]) -> Response:
        return Response(status_code=receive(event))

    @app.websocket("/socket")
    async def socket(socket: WebSocket, person: Annotated[Person, Depends(it.protect())]) -> None:
        await socket.accept()
        await socket.send_text(show(person))
        await socket.close()

    return app


def asgi_app(**options: Any) -> Any:
    it = doorward.asgi.Doorward(**options)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        person = await it.who(scope)
        text = count(person) if person and scope["path"] == "/count" else show(person)
        headers = [(b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})

    return it.protect(app)


def wsgi_app(**options: Any) -> Any:
    it = doorward.wsgi.Doorward(**options)

    def app(environ: Any, start_response: Any) -> Any:
        person = it.who(environ)
        text = count(person) if person and environ["PATH_INFO"] == "/count" else show(person)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [text.encode()]

    return it.protect(app)


settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="of tests",
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "doorward.django.DoorwardMiddleware"],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {"context_processors": ["doorward.django.context"]},
        }
    ],
    DOORWARD={"url": "http://localhost"},
)
django.setup()

from doorward.django import awho, alook, check_csrf, look, optional, protect, webhook, who  # noqa: E402


@protect
def home(request: Any) -> HttpResponse:
    return HttpResponse(show(request.person), content_type="text/plain")


@protect(live=True)
def live_page(request: Any) -> HttpResponse:
    template = "{{ person.email }} {{ person.organization_name }}{{ doorward.logout_form }}"
    return HttpResponse(engines["django"].from_string(template).render({}, request))


@optional
def open_page(request: Any) -> HttpResponse:
    return HttpResponse(show(request.person))


@protect
def count_page(request: Any) -> HttpResponse:
    return HttpResponse(count(request.person))


def csrf(request: Any) -> HttpResponse:
    return HttpResponse(str(check_csrf(request)))


def looks(request: Any) -> HttpResponse:
    return HttpResponse(f"{show(who(request))} {show(look(request))}")


@webhook
def hooks(request: Any, event: Event) -> HttpResponse:
    return HttpResponse(status=receive(event))


@protect
async def home_async(request: Any) -> HttpResponse:
    return HttpResponse(show(request.person), content_type="text/plain")


@protect
async def count_async(request: Any) -> HttpResponse:
    return HttpResponse(count(request.person))


async def looks_async(request: Any) -> HttpResponse:
    return HttpResponse(f"{show(await awho(request))} {show(await alook(request))}")


@webhook
async def hooks_async(request: Any, event: Event) -> HttpResponse:
    return HttpResponse(status=receive(event))


urlpatterns = [
    path("", home),
    path("live", live_page),
    path("open", open_page),
    path("count", count_page),
    path("csrf", csrf),
    path("looks", looks),
    path("hooks", hooks),
    *(
        path(name, protect(lambda request: HttpResponse(show(request.person)), **rules))
        for name, rules in RULES.items()
    ),
]
sync_patterns = list(urlpatterns)
async_patterns = [
    path("", home_async),
    path("count", count_async),
    path("looks", looks_async),
    path("hooks", hooks_async),
]


def django_app(is_async: bool, **options: Any) -> Any:
    """Django's own application, whose settings are those of the last call."""
    from django.core.handlers.asgi import ASGIHandler
    from django.core.handlers.wsgi import WSGIHandler
    from django.urls import clear_url_caches

    settings.DOORWARD = options
    setting_changed.send(sender=None, setting="DOORWARD", value=options, enter=True)
    urlpatterns[:] = (async_patterns if is_async else []) + sync_patterns
    clear_url_caches()
    return ASGIHandler() if is_async else WSGIHandler()
