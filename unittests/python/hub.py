"""A hub that publishers and consumers connect to. EMISSARY_HUB is the program; run.sh sets it."""
import os
import pathlib
import socket
import subprocess
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
CONFIG = """<HubConfig>
  <Hub><Listeners value="C"/><NiListeners value="P"/><HttpPort value="0"/>{more}</Hub>
  <ServerGroup><ServerList>
    <Server><Name value="C"/><Port value="{consumers}"/></Server><Server><Name value="P"/><Port value="{publishers}"/></Server>
  </ServerList></ServerGroup>
  <ServiceGroup><ServiceList><Service><Name value="NI_FEED"/><ForwardPosts value="1"/><ForwardGenerics value="1"/></Service></ServiceList>
  </ServiceGroup>
  <DictionaryGroup><DictionaryList><Dictionary><Name value="D"/><DictionaryType value="FileDictionary"/>
    <RdmFieldDictionaryFileName value="{tree}/etc/RDMFieldDictionary"/><EnumTypeDefFileName value="{tree}/etc/enumtype.def"/>
  </Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


class Hub:
    """`more` is for its Hub entry; without a Dictionary it serves none."""

    def __init__(self, folder, more='<Dictionary value="D"/>'):
        self.consumers, self.publishers = free_port(), free_port()
        self.file = folder / "HubConfig.xml"
        self.file.write_text(CONFIG.format(consumers=self.consumers, publishers=self.publishers, tree=TREE, more=more))
        self.start()

    def start(self):
        program = os.environ.get("EMISSARY_HUB", str(TREE / "build/release/bin/emissary-hub"))
        self.process = subprocess.Popen([program, "-c", str(self.file)], cwd=self.file.parent, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not (answers(self.consumers) and answers(self.publishers)):
            assert self.process.poll() is None and time.monotonic() < end, "the hub does not start"

    def stop(self):
        self.process.kill()
        self.process.wait()
