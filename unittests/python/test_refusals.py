"""What a server refuses has an exception of its own, with the library's text."""
import pytest

import emissary
from hub import Hub

# openssl passwd -6 -salt emissary secret
USERS = "dana:$6$emissary$kfHI0FVmTp0PKMiYJBSe0M57XJruvCG0F1gT/Raty1nuwVbifx9QtPbe6KfBkATfneCDuKGYOXQ5B0F.4e65./::\n"


@pytest.fixture
def hub_with_users(tmp_path):
    users = tmp_path / "users"
    users.write_text(USERS)
    users.chmod(0o600)
    hub = Hub(tmp_path, f'<Dictionary value="D"/><LoginCheck value="file"/><LoginFile value="{users}"/>')
    yield hub
    hub.stop()


@pytest.mark.parametrize("websocket", [None, "json"])
def test_bad_credentials(hub_with_users, websocket):
    host = f"localhost:{hub_with_users.consumers}"
    # Publishers are users as well.
    with pytest.raises(emissary.CredentialsError, match="not accepted"):
        emissary.NiProvider(f"localhost:{hub_with_users.publishers}", service="NI_FEED", service_id=5, user="dana", password="wrong")
    with emissary.NiProvider(f"localhost:{hub_with_users.publishers}", service="NI_FEED", service_id=5, user="dana", password="secret") as publisher:
        publisher.publish("A.X", BID=1)
        with emissary.connect(host, service="NI_FEED", user="dana", password="secret", websocket=websocket) as session:
            assert session.snapshot("A.X")["BID"] == 1
    for user, password in ("dana", "wrong"), ("dana", None), ("eric", "secret"):
        with pytest.raises(emissary.CredentialsError, match="not accepted") as refused:
            emissary.connect(host, user=user, password=password, websocket=websocket)
        assert isinstance(refused.value, PermissionError) and "secret" not in str(refused.value)


CONFIG = """<EmaConfig><ConsumerGroup><DefaultConsumer value="C"/><ConsumerList><Consumer><Name value="C"/>
  <DictionaryRequestTimeOut value="500"/></Consumer></ConsumerList></ConsumerGroup></EmaConfig>"""


def test_a_missing_dictionary(tmp_path):
    hub = Hub(tmp_path, "")
    try:
        with emissary.NiProvider(f"localhost:{hub.publishers}", service="NI_FEED", service_id=5) as publisher:
            publisher.publish("A.X", BID=1)
            with pytest.raises(emissary.DictionaryMissing, match="dictionary"):
                with emissary.connect(f"localhost:{hub.consumers}", service="NI_FEED", config_text=CONFIG, consumer_name="C") as session:
                    session.field("BID")
    finally:
        hub.stop()
