"""What ships: types, reference, README, and the cases that all clients share."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from browser import Answer, Browser
from servers import free_port

from doorward.testing import Server

ROOT = Path(__file__).parents[1]
CASES = ROOT.parent / "conformance"


def run(*command: str, **more: object) -> str:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_reference_is_current() -> None:
    # In a process of its own: with the threads of other tests, `ast` of Python 3.11 may raise a SystemError.
    current = run("-c", "from make_reference import reference; print(reference(), end='')")
    assert (ROOT / "reference.md").read_text() == current, "run make_reference.py"


def test_types_are_strict() -> None:
    run("-m", "mypy", "--strict", "--cache-dir", os.devnull, "doorward")


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not beside this folder")
@pytest.mark.parametrize("kind", ["verify", "gate", "webhooks"])
def test_conformance(kind: str) -> None:
    cases = json.loads((CASES / f"{kind}.json").read_text())["cases"]
    asked = "".join(json.dumps({key: it for key, it in case.items() if key != "expect"}) + "\n" for case in cases)
    answers = run("-m", "doorward.conformance", kind, input=asked).splitlines()
    assert [json.loads(line) for line in answers] == [{"id": case["id"], **case["expect"]} for case in cases]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("framework", ["fastapi", "django"])
def test_readme_runs(framework: str, doorward_server: Server, tmp_path: Path) -> None:
    fastapi, settings, views = blocks("python")
    if framework == "fastapi":
        (tmp_path / "main.py").write_text(fastapi)
        program = ["-m", "uvicorn", "main:app", "--port"]
    else:
        run("-m", "django", "startproject", "example", str(tmp_path))
        (tmp_path / "home.html").write_text(blocks("html")[0])
        with (tmp_path / "example/settings.py").open("a") as file:
            file.write(settings + "TEMPLATES[0]['DIRS'].append(BASE_DIR)\n")
        routes = 'from django.urls import path\n\nurlpatterns = [path("", home)]\n'
        (tmp_path / "example/urls.py").write_text(views + routes)
        program = ["manage.py", "runserver", "--noreload"]
    port = str(free_port())
    environment = {**os.environ, "DOORWARD_URL": doorward_server.url, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, *program, port], cwd=tmp_path, env=environment) as server:
        try:
            session = doorward_server.session(f"{framework}-readme@example.com")
            page = opened(Browser(session.cookies), f"http://127.0.0.1:{port}/")
            assert (page.status, f"{framework}-readme@example.com, " in page.text) == (200, True)
            assert "<button>Log out</button></form>" in page.text
        finally:
            server.terminate()


def opened(browser: Browser, url: str) -> Answer:
    """The page, as soon as its server listens."""
    end = time.monotonic() + 15
    while True:
        try:
            return browser.get(url)
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.02)
