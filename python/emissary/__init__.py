"""Market data from RSSL and rssl.json.v2 providers: message by message, or as batches that Arrow and numpy read.

    import emissary
    with emissary.connect("localhost:14002", service="DIRECT_FEED") as session:
        print(session.snapshot("EMI.X")["BID"])
"""
from __future__ import annotations

from ._core import Batch, Message, version
from .cache import LastValues
from .errors import (ArgumentError, ConfigurationError, ConnectionFailed, CredentialsError, DictionaryMissing, DirectoryMissing,
                     EmissaryError, ItemClosed, ItemError, NoAnswer, PostRefused, UnknownService, UsageError)
from .provider import NiProvider, Provider
from .session import Book, Field, Image, Item, Login, Session, Table, connect

__version__ = version()
__all__ = ["ArgumentError", "Batch", "Book", "ConfigurationError", "ConnectionFailed", "CredentialsError", "DictionaryMissing",
           "DirectoryMissing", "EmissaryError", "Field", "Image", "Item", "ItemClosed", "ItemError", "LastValues", "Login", "Message",
           "NiProvider", "NoAnswer", "PostRefused", "Provider", "Session", "Table", "UnknownService", "UsageError", "connect", "version"]
