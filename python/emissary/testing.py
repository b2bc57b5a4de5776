"""A provider in the process, for tests of programs that use emissary.

    with emissary.testing.Provider(items={"EMI.X": {"BID": Decimal("39.90")}}) as provider:
        with emissary.connect(provider.host, service=provider.service) as session:
            ...
            provider.publish("EMI.X", BID=Decimal("39.91"))
"""
from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import provider as _provider
from .errors import EmissaryError, UsageError


@dataclass(frozen=True)
class Step:
    """One step of a scripted feed, after a pause of `after` seconds.

    publish: fields of an item. send: a container (`data`), on `domain`, as `type`. stale, current, close: a state with a `text`.
    wait: until somebody has the item open. `service` is the one that has the item; None is that of Provider.play()."""

    action: Literal["publish", "send", "stale", "current", "close", "wait"]
    item: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    after: float = 0.0
    data: Any = None
    domain: str | int = "market_price"
    type: Literal["image", "update", "generic"] = "update"
    text: str = ""
    service: str | None = None


class Script:
    """A scripted feed that plays on a thread of its own. join() waits for its end, stop() ends it."""

    def __init__(self, provider: Provider, steps: Iterable[Step], service: str) -> None:
        self._steps = list(steps)
        # All of them at once: a service that is not there is an error of the caller's, and not of a thread in the middle of the feed.
        self._services = {name: provider.on(name) for name in {service, *(step.service or service for step in self._steps)}}
        self._service = service
        self._ends = threading.Event()
        self._error: EmissaryError | None = None
        self._thread = threading.Thread(target=self._play, name="emissary script", daemon=True)
        self._thread.start()

    def join(self, timeout: float = 10.0) -> None:
        """Waits for the last step. TimeoutError when it has not come in time; what a step raised comes out here."""
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TimeoutError(f"the script has not ended in {timeout:g} s")
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ends the script before its next step."""
        self._ends.set()
        self._thread.join()

    def _play(self) -> None:
        try:
            for step in self._steps:
                if self._ends.wait(step.after) if step.after > 0 else self._ends.is_set():
                    return
                self._do(step)
        except EmissaryError as error:
            self._error = error

    def _do(self, step: Step) -> None:
        provider = self._services[step.service or self._service]
        match step.action:
            case "publish":
                provider.publish(step.item, step.fields)
            case "send":
                provider.send(step.item, step.data, domain=step.domain, type=step.type)
            case "stale":
                provider.stale(step.item, step.text)
            case "current":
                provider.current(step.item, step.text)
            case "close":
                provider.close_item(step.item, step.text)
            case "wait":
                while provider.streams(step.item) == 0 and not self._ends.wait(0.002):
                    pass
            case _:
                raise UsageError(f"no step is called {step.action!r}")


class Provider(_provider.Provider):
    """emissary.Provider, which is meant for tests too, with scripted feeds."""

    def play(self, steps: Iterable[Step], *, service: str | None = None) -> Script:
        """Plays a scripted feed, on a thread of its own, beside whatever else is published. Steps that name no service are for
        `service`, and without one for the first."""
        return Script(self, steps, self.service if service is None else service)
