"""Doorward is away or talks nonsense: nobody is let in, and nobody loses a session."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser import Browser
from conftest import options_of
from servers import Proxy
from trickle import trickling

from doorward import Unavailable
from doorward._http import Http
from doorward.testing import Server, start_doorward

Serve = Callable[..., str]

HTML = b"<!doctype html><title>Welcome</title>"
ANSWERS = {
    "stopped": b"",
    "HTML": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(HTML), HTML),
    "half of a head": b"HTTP/1.1 200 OK\r\nSet-Cookie: svc_acc",
    "half of a body": b'HTTP/1.1 200 OK\r\nContent-Length: 999\r\nSet-Cookie: svc_access=x; Path=/\r\n\r\n{"user":',
    "nothing new": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "a cookie that is cleared": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: svc_access=; Max-Age=0\r\n\r\n",
    "a token of another": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: svc_access=a.b.c; Path=/\r\n\r\n",
    "error": b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nSet-Cookie: svc_refresh=; Max-Age=0\r\n\r\n",
    "busy": b"HTTP/1.1 429 Busy\r\nContent-Length: 0\r\n\r\n",
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
    "no HTTP": b"SSH-2.0-OpenSSH_9.2\r\n",
    "too long": b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + b"x" * 300_000,
}


@pytest.mark.parametrize("kind", ["fastapi", "django"])
def test_faulty_doorward_gives_503_and_clears_no_cookie(
    kind: str, serve: Serve, doorward_server: Server, proxy: Proxy
) -> None:
    app = serve(kind, **options_of(doorward_server, proxy.url))
    session = doorward_server.session(f"{kind}-faults@example.com")
    browser = Browser(session.cookies)

    def statuses(*pages: str) -> set[tuple[int, str]]:
        answers = [browser.get(app + page) for page in pages]
        assert not any("svc_refresh" in line for answer in answers for line in answer.set_cookie)
        return {(answer.status, answer.headers["Retry-After"] or "") for answer in answers}

    away = {(503, "5")}
    for answer in ANSWERS.values():
        proxy.answer = lambda path, answer=answer: answer  # type: ignore[misc]
        assert statuses("/", "/open") == away, "there are no keys yet"
    proxy.answer = lambda path: None
    assert statuses("/", "/live", "/open", "/verified") == {(200, "")}
    del browser.cookies["svc_csrf"], browser.cookies["svc_access"]
    for name, answer in ANSWERS.items():
        proxy.answer = lambda path, answer=answer: None if "jwks" in path else answer  # type: ignore[misc]
        browser.cookies = {**session.cookies}
        assert statuses("/", "/open") == {(200, "")}, "kept keys decide"
        assert statuses("/live", "/verified", "/looks") == away, name
        del browser.cookies["svc_access"]
        assert statuses("/", "/open", "/live") == away, name
    proxy.answer = lambda path: None
    assert browser.get(f"{app}/").status == 200


def test_slow_doorward_gives_503_after_five_seconds(serve: Serve, doorward_server: Server, proxy: Proxy) -> None:
    apps = [serve(kind, **options_of(doorward_server, proxy.url)) for kind in ("fastapi", "django")]
    browser = Browser(doorward_server.session("slow@example.com").cookies)
    assert [browser.get(f"{app}/live").status for app in apps] == [200, 200]
    del browser.cookies["svc_access"]
    proxy.delay = 30

    def timed(url: str) -> tuple[int, bool, list[str]]:
        begin = time.monotonic()
        answer = Browser(browser.cookies).get(url)
        return answer.status, 4.5 < time.monotonic() - begin < 15, answer.set_cookie

    with ThreadPoolExecutor(20) as threads:
        trickle = threads.submit(ends_in_time)
        pages = [app + page for app in apps for page in ["/", "/open", "/live", "/looks"] * 2]
        assert list(threads.map(timed, pages)) == [(503, True, [])] * 16
        assert trickle.result(), "also where a byte comes now and then"
    assert proxy.count("/sessions/refresh") == 2, "one for each application"


def ends_in_time() -> bool:
    """Whether the thread that asks has ended, not only who waits for it."""
    begin = time.monotonic()
    with trickling() as url:
        http = Http(url)
        future = http.ask("GET", "/", {}, lambda answer: answer.status)
        assert isinstance(future.exception(15), Unavailable)
    return 4.5 < time.monotonic() - begin < 15


@pytest.mark.parametrize("off", [61, -61])
def test_clock_a_minute_off(off: int, serve: Serve) -> None:
    with start_doorward({"SVC_ACCESS_TTL": "5s"}) as server:
        app = serve("fastapi", **{**options_of(server), "clock": lambda: server.clock() + off})
        browser = Browser(server.session().cookies)
        assert browser.get(f"{app}/").status == 200
        del browser.cookies["svc_access"]
        assert [browser.get(f"{app}/").status for _ in range(3)] == [200] * 3


def test_clock_an_hour_off_teaches(serve: Serve, doorward_server: Server, caplog: pytest.LogCaptureFixture) -> None:
    app = serve("fastapi", **{**options_of(doorward_server), "clock": lambda: doorward_server.clock() + 3600})
    browser = Browser(doorward_server.session("hour@example.com").cookies)
    assert [browser.get(f"{app}/").status for _ in range(2)] == [503, 503]
    assert "svc_refresh" in browser.cookies
    assert sum("clock_skew" in record.getMessage() for record in caplog.records) == 1
    assert logging.getLogger("doorward").level == logging.NOTSET
