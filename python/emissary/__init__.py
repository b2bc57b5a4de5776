"""Market data from RSSL and rssl.json.v2 providers: message by message, or as batches that Arrow and numpy read.

    import emissary
    with emissary.connect("localhost:14002", service="DIRECT_FEED") as session:
        print(session.snapshot("EMI.X")["BID"])
"""
from __future__ import annotations

from ._core import Batch, Message, version
from .errors import (ArgumentError, ConfigurationError, ConnectionFailed, CredentialsError, DictionaryMissing, DirectoryMissing,
                     EmissaryError, ItemClosed, ItemError, NoAnswer, UnknownService, UsageError)
from .session import Image, Item, Session, Table, connect

__version__ = version()
__all__ = ["ArgumentError", "Batch", "ConfigurationError", "ConnectionFailed", "CredentialsError", "DictionaryMissing",
           "DirectoryMissing", "EmissaryError", "Image", "Item", "ItemClosed", "ItemError", "Message", "NoAnswer", "Session", "Table",
           "UnknownService", "UsageError", "connect", "version"]
