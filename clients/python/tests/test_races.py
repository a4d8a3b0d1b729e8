"""Many requests at once, answers that get lost, keys that change."""

from __future__ import annotations

import glob
import os
import random
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from browser import Browser
from conftest import options_of
from servers import Proxy

from doorward.testing import Server, start_doorward

Serve = Callable[..., str]
KINDS = ["fastapi", "django"]


@pytest.mark.parametrize("kind", KINDS)
def test_parallel_requests_refresh_once(kind: str, serve: Serve, doorward_server: Server, proxy: Proxy) -> None:
    app = serve(kind, **options_of(doorward_server, proxy.url))
    cookies = dict(doorward_server.session(f"{kind}-parallel@example.com").cookies)
    Browser(cookies).get(f"{app}/")
    del cookies["svc_access"]
    proxy.delay = 0.3
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda page: Browser(cookies).get(app + page), ["/", "/open"] * 10))
    assert {answer.status for answer in answers} == {200}
    assert proxy.count("/sessions/refresh") == 1
    assert len({tuple(answer.set_cookie) for answer in answers}) == 1
    (head,) = (head for head in proxy.heads if "/sessions/refresh" in head)
    assert "origin:" not in head.lower() and "sec-fetch" not in head.lower() and head.count("svc_") == 2


def test_live_page_shows_the_new_tokens_and_other_cookies_stay_here(
    serve: Serve, doorward_server: Server, proxy: Proxy
) -> None:
    app = serve("fastapi", **options_of(doorward_server, proxy.url))
    browser = Browser({**doorward_server.session("new@example.com").cookies, "own": "1"})
    del browser.cookies["svc_access"]
    assert browser.get(f"{app}/live").status == 200
    (head,) = (head for head in proxy.heads if "refresh=look" in head)
    cookie = next(line for line in head.split("\r\n") if line.startswith("Cookie: "))
    sent = "; ".join(f"svc_{name}={browser.cookies[f'svc_{name}']}" for name in ("access", "refresh", "csrf"))
    assert cookie == f"Cookie: {sent}"


@pytest.mark.parametrize("kind", KINDS)
def test_lost_refresh_answer_keeps_the_session(kind: str, serve: Serve) -> None:
    with start_doorward() as server:
        app = serve(kind, **options_of(server))
        session = server.session()
        old = {name: value for name, value in session.cookies.items() if name != "svc_access"}
        for _ in range(3):
            assert Browser(old).get(f"{app}/live").status == 200
            server.advance("45s")
        browser = Browser(old)
        assert browser.get(f"{app}/live").status == 200
        del browser.cookies["svc_access"]
        server.advance("45s")
        assert browser.get(f"{app}/live").status == 200


class Counted:
    """An application that knows how many requests are under way."""

    def __init__(self) -> None:
        self.running = 0
        self._lock = threading.Lock()

    def asgi(self, app: Any) -> Any:
        async def counted(scope: Any, receive: Any, send: Any) -> None:
            self._add(1)
            try:
                await app(scope, receive, send)
            finally:
                self._add(-1)

        return counted

    def wsgi(self, app: Any) -> Any:
        def counted(*args: Any) -> Any:
            self._add(1)
            try:
                return app(*args)
            finally:
                self._add(-1)

        return counted

    def rest(self) -> None:
        while self.running:
            time.sleep(0.001)

    def _add(self, number: int) -> None:
        with self._lock:
            self.running += number


@pytest.mark.parametrize("kind", KINDS)
def test_cancelled_navigations_keep_sessions_and_posts(kind: str, serve: Serve) -> None:
    """1,000 of them in all, ten people, tokens of two seconds, and lost answers within the grace and after it."""
    counted = Counted()
    with start_doorward({"SVC_ACCESS_TTL": "2s"}) as server:
        wrap = counted.asgi if kind == "fastapi" else counted.wsgi
        app = serve(kind, wrap=wrap, **options_of(server))
        browsers = [Browser(server.session(f"{at}@example.com").cookies, server.clock) for at in range(10)]
        posts = [0] * len(browsers)

        def wander(at: int) -> None:
            browser = browsers[at]
            for _ in range(5):
                browser.cancel(f"{app}/live", random.choice((0, 0.001, 0.003, 0.01)))
            ending = random.choice(("post", "post", "get", "nothing arrives"))
            if ending == "post":
                answer = browser.post(f"{app}/count")
                posts[at] += 1
                assert (answer.status, answer.text) == (200, str(posts[at]))
            elif ending == "get":
                assert browser.get(f"{app}/").status == 200

        with ThreadPoolExecutor(10) as threads:
            for _ in range(10):
                assert list(threads.map(wander, range(10))) == [None] * 10
                counted.rest()
                for browser in browsers:
                    browser.cookies.pop("svc_access", None)
                server.advance(random.choice(("3s", "65s")))
        assert [browser.get(f"{app}/live").status for browser in browsers] == [200] * 10


@pytest.mark.parametrize("kind", KINDS)
def test_key_rotation_while_200_requests_run(kind: str, serve: Serve) -> None:
    with start_doorward() as server:
        proxy = Proxy(server.internal_url)
        app = serve(kind, **options_of(server, proxy.url))
        old = server.session("old@example.com")
        assert Browser(old.cookies).get(f"{app}/").status == 200
        files = (os.readlink(file) for file in glob.glob(f"/proc/{server.pid}/fd/*") if os.path.exists(file))
        folder = next(os.path.dirname(file) for file in files if file.endswith("doorward.db"))
        rotate = [os.environ.get("DOORWARD_BIN", "doorward"), "keys", "rotate"]
        subprocess.run(rotate, env={**os.environ, "SVC_DATA_DIR": folder}, check=True, capture_output=True)
        half_way = threading.Barrier(21)

        def ask(_: int) -> set[tuple[int, str]]:
            browser = Browser(old.cookies)
            found = {browser.get(f"{app}/").text for _ in range(5)}
            half_way.wait(20)
            half_way.wait(20)
            return found | {Browser(new[0].cookies).get(f"{app}/").text for _ in range(5)}  # type: ignore[operator]

        new: list[Any] = []
        with ThreadPoolExecutor(20) as threads:
            answers = [threads.submit(ask, at) for at in range(20)]
            half_way.wait(20)
            server.advance("11m")
            new.append(server.session("new@example.com"))
            proxy.asked.clear()
            half_way.wait(20)
            assert {text for answer in answers for text in answer.result()} == {old.user_id, new[0].user_id}
        assert proxy.count("jwks") <= 2
        proxy.close()
