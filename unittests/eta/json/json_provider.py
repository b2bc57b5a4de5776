"""The provider that strangers' JSON clients are tested against: examples/provider/posting/blotter, started and watched."""
import json
import os
import pathlib
import socket
import subprocess
import tempfile

PATIENCE = 20

_CONFIG = """<EmaConfig>
  <IProviderGroup><DefaultIProvider value="Provider"/><IProviderList>
    <IProvider><Name value="Provider"/><Server value="Server"/></IProvider>
  </IProviderList></IProviderGroup>
  <ServerGroup><ServerList>
    <Server><Name value="Server"/>{parameters}</Server>
  </ServerList></ServerGroup>
</EmaConfig>
"""


def check(condition, what, message=None):
    if not condition:
        raise AssertionError(what if message is None else f"{what}: {json.dumps(message)}")


class Provider:
    """`with Provider(program, dictionaries, ServerType="ServerType::RSSL_WEBSOCKET") as p:` gives p.port of one that is
    ready; it ends with its client, and p.finish() gives what it printed."""

    def __init__(self, program, dictionaries, **parameters):
        self._folder = tempfile.TemporaryDirectory()
        here = pathlib.Path(self._folder.name)
        lines = "".join(f'<{name} value="{value}"/>' for name, value in parameters.items())
        (here / "EmaConfig.xml").write_text(_CONFIG.format(parameters=lines), encoding="utf-8")
        for file in "RDMFieldDictionary", "enumtype.def":
            (here / file).symlink_to(pathlib.Path(dictionaries).resolve() / file)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process = subprocess.Popen([os.path.abspath(program), str(self.port)], cwd=here, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        try:
            check(self._process.stdout.readline().strip() == "ready", "the provider did not start")
        except BaseException:
            self.__exit__()
            raise
        return self

    def finish(self):
        return self._process.communicate(timeout=PATIENCE)[0]

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()
