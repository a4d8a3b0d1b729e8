"""Rules are generators that yield what they wait for, so that they are written once for sync and async applications."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Generator
from concurrent.futures import Future
from typing import Any, TypeVar

from doorward._errors import Unavailable

T = TypeVar("T")
Steps = Generator["Future[Any]", Any, T]

LIMIT = 5.0
"""Seconds that anyone waits for Doorward, in all."""


def run(steps: Steps[T]) -> T:
    """Takes the steps in this thread."""
    result: Any = None
    error: BaseException | None = None
    while True:
        try:
            future = steps.send(result) if error is None else steps.throw(error)
        except StopIteration as end:
            value: T = end.value
            return value
        result, error = None, None
        try:
            result = future.result(LIMIT)
        except concurrent.futures.TimeoutError:
            error = Unavailable()
        except Exception as failure:
            error = failure


async def run_async(steps: Steps[T]) -> T:
    """Takes the steps in this task. A task that is cancelled leaves what others wait for alone."""
    result: Any = None
    error: BaseException | None = None
    while True:
        try:
            future = steps.send(result) if error is None else steps.throw(error)
        except StopIteration as end:
            value: T = end.value
            return value
        result, error = None, None
        try:
            result = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), LIMIT)
        except asyncio.TimeoutError:
            error = Unavailable()
        except Exception as failure:
            error = failure
