"""The fixture of pytest, which an entry point names, so that tests need no import."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from doorward.testing import Server, start_doorward


@pytest.fixture(scope="session")
def doorward_server() -> Iterator[Server]:
    """A running Doorward, one for all tests: give each test people of its own. A test that moves the clock starts its
    own with `start_doorward`."""
    with start_doorward() as server:
        yield server
