"""Logins that the program of a provider decides on."""
import threading

import pytest

import emissary


@pytest.fixture(params=[False, True], ids=["ripc", "json"])
def provider(request):
    with emissary.Provider("MY_FEED", {"A.X": {"BID": 1}}, websocket=request.param, logins=True) as provider:
        yield provider


def connect(provider, **options):
    return emissary.connect(provider.host, service="MY_FEED", websocket="json" if provider.websocket else None, **options)


def test_the_program_accepts_and_refuses_logins(provider):
    asked = []

    def decide(messages):
        for message in messages:
            assert message.type == "request" and message.domain == 1 and message.item != 0 and message.stale is False
            asked.append((message.name, message.data["Password"]))
            if asked[-1] == ("alice", "secret"):
                provider.accept_login(message)
            else:
                provider.refuse_login(message, "alice alone may come in")
            with pytest.raises(emissary.ItemError, match=f"no login {message.item} waits"):
                provider.accept_login(message)
        return len(asked) < 2

    deciding = threading.Thread(target=provider.run, args=(decide,))
    deciding.start()
    with pytest.raises(emissary.CredentialsError, match="alice alone may come in"):
        connect(provider, user="mallory", password="guess")
    with connect(provider, user="alice", password="secret") as session:
        assert session.snapshot("A.X")["BID"] == 1
    deciding.join(10)
    assert not deciding.is_alive() and asked == [("mallory", "guess"), ("alice", "secret")]


def test_a_login_that_nobody_answers_waits(provider):
    with pytest.raises(emissary.ConnectionFailed):
        connect(provider, user="alice", timeout=0.2)
    assert [message.name for message in provider.received(10)] == ["alice"]
