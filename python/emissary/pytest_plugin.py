"""Fixtures for tests of programs that use emissary; pytest finds them where the package is installed."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import emissary
import emissary.testing


@pytest.fixture
def emissary_providers() -> Iterator[Callable[..., emissary.testing.Provider]]:
    """Makes providers, with the arguments of emissary.testing.Provider; they are closed when the test ends."""
    made: list[emissary.testing.Provider] = []

    def make(*arguments: Any, **options: Any) -> emissary.testing.Provider:
        made.append(emissary.testing.Provider(*arguments, **options))
        return made[-1]

    yield make
    for provider in made:
        provider.close()


@pytest.fixture
def emissary_provider(emissary_providers: Callable[..., emissary.testing.Provider]) -> emissary.testing.Provider:
    """A provider of the service DIRECT_FEED that has no items yet."""
    return emissary_providers()


@pytest.fixture
def emissary_sessions() -> Iterator[Callable[..., emissary.Session]]:
    """Makes sessions that are connected to a provider, with the arguments of emissary.connect(); closed when the test ends."""
    made: list[emissary.Session] = []

    def make(provider: emissary.testing.Provider, **options: Any) -> emissary.Session:
        given: dict[str, Any] = {"service": provider.service, "websocket": "json" if provider.websocket else None, **options}
        made.append(emissary.connect(provider.host, **given))
        return made[-1]

    yield make
    for session in made:
        session.close()


@pytest.fixture
def emissary_session(emissary_provider: emissary.testing.Provider,
                     emissary_sessions: Callable[..., emissary.Session]) -> emissary.Session:
    """A session that is connected to emissary_provider."""
    return emissary_sessions(emissary_provider)
