from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from apps import asgi_app, django_app, fastapi_app, wsgi_app
from servers import Proxy, serve_asgi, serve_wsgi

from doorward._pytest_plugin import doorward_server  # noqa: F401, where the package is not installed
from doorward.testing import Server

APPS: dict[str, tuple[Callable[..., Any], Callable[[Any, int], Any]]] = {
    "fastapi": (fastapi_app, serve_asgi),
    "django": (lambda **options: django_app(False, **options), serve_wsgi),
    "django-async": (lambda **options: django_app(True, **options), serve_asgi),
    "asgi": (asgi_app, serve_asgi),
    "wsgi": (wsgi_app, serve_wsgi),
}
FRAMEWORKS = ["fastapi", "django", "django-async"]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("DOORWARD_") and name != "DOORWARD_BIN"]:
        monkeypatch.delenv(name)


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serves the application of a framework until the test ends, and returns its address."""
    with ExitStack() as stack:

        def start(kind: str, port: int = 0, wrap: Callable[[Any], Any] = lambda app: app, **options: Any) -> str:
            make, run = APPS[kind]
            return str(stack.enter_context(run(wrap(make(**options)), port)))

        yield start


@pytest.fixture
def proxy(doorward_server: Server) -> Iterator[Proxy]:
    """Stands before the Doorward of all tests."""
    proxy = Proxy(doorward_server.internal_url)
    yield proxy
    proxy.close()


def options_of(server: Server, internal_url: str | None = None) -> dict[str, Any]:
    return {"url": server.url, "internal_url": internal_url or server.internal_url, "clock": server.clock}
