"""A hub that publishers and consumers connect to. EMISSARY_HUB is the program; run.sh sets it."""
import os
import pathlib
import re
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


class Hub:
    """`more` is for its Hub entry; without a Dictionary it serves none."""

    def __init__(self, folder, more='<Dictionary value="D"/>'):
        self.file, self.log = folder / "HubConfig.xml", folder / "hub.log"
        self.more, self.consumers, self.publishers = more, 0, 0
        self.start()

    def start(self):
        """On ports that are free the first time, on the same ones again."""
        self.file.write_text(CONFIG.format(consumers=self.consumers, publishers=self.publishers, tree=TREE, more=self.more))
        program = os.environ.get("EMISSARY_HUB", str(TREE / "build/release/bin/emissary-hub"))
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([program, "-c", str(self.file)], cwd=self.file.parent, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 20
        while not (self._listens("consumers") and self._listens("publishers")):
            assert self.process.poll() is None and time.monotonic() < end, "the hub does not start: " + self.log.read_text()

    def _listens(self, who):
        """Whether the hub has said on which port."""
        said = re.search(rf"{who} on port (\d+) ", self.log.read_text())
        if said:
            setattr(self, who, int(said[1]))
        return said is not None

    def stop(self):
        self.process.kill()
        self.process.wait()
