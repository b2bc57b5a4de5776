"""The exceptions of the package: one class for each cause, with the library's text."""


class EmissaryError(Exception):
    """Every error of the library."""


class ArgumentError(EmissaryError, ValueError):
    """A value that cannot be used."""


class ConfigurationError(EmissaryError):
    """A configuration that cannot be read or used."""


class ConnectionFailed(EmissaryError, ConnectionError):
    """No login answer in time: the host or port is wrong, or nobody answers."""


class CredentialsError(EmissaryError, PermissionError):
    """The provider refused the login."""


class DirectoryMissing(EmissaryError):
    """The provider gave no directory of services in time."""


class DictionaryMissing(EmissaryError):
    """The provider gave no dictionary in time."""


class UsageError(EmissaryError, RuntimeError):
    """Not possible now: the session is closed, or another thread is inside a call."""


class ItemError(EmissaryError):
    """Something about one item; `name`, `service` and `code` say which and why."""

    name: str = ""
    service: str = ""
    code: int = 0


class ItemClosed(ItemError):
    """The provider closed the item or refused to open it."""


class UnknownService(ItemError):
    """No provider has this service."""


class PostRefused(ItemError):
    """The provider refused a post: `nack` is its code, `post` the number of the post."""

    nack: int = 0
    post: int = 0


class NoAnswer(ItemError, TimeoutError):
    """No image, or no ack, came in time."""
