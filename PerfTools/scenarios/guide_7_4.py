#!/usr/bin/env python3
"""Guide 7.4: a consumer posts to the distribution system, and measures when its posts come back.

With a publisher (default): EmaCppNIProvPerf publishes the items, --updates 0 without update traffic. --posting-only: no
provider at all; the hub offers the service itself (Static) with images from a message file (UnknownItem template).
"""
import sys

from scenario import Stage, arguments, fail, main, report, summary_of

STATIC = """<Service><Name value="{name}"/><Static value="1"/><UnknownItem value="template"/><TemplateFile value="MsgData.xml"/>
      <InfoFilter><ServiceId value="1"/><Vendor value="Emissary"/>
        <Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/></Capabilities>
        <DictionariesUsed><DictionariesUsedEntry value="Files"/></DictionariesUsed></InfoFilter>
      <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter></Service>"""


def run(options):
    stage = Stage(options, "guide-7.4")
    stage.without_generic_items()
    # The guide's steps 1 to 3.
    stage.tool_config([("Channel", "Perf_NIP_Channel_1", {"Host": "localhost", "Port": stage.publisher_port}),
                       ("Channel", "Perf_Channel_1", {"Host": "localhost", "Port": stage.consumer_port}),
                       ("Directory", "Perf_Directory_1", {"Service": options.service})])
    items = options.items or 100000
    name = options.service
    stage.hub_config(STATIC.format(name=name) if options.posting_only else f'<Service><Name value="{name}"/></Service>', source=False)
    print("Posting to the hub, " + ("without any provider:" if options.posting_only else "with a publisher:"))
    hub = stage.start_hub(watched=True)
    publisher = None
    if not options.posting_only:
        words = ["EmaCppNIProvPerf", "-h", "localhost", "-p", stage.publisher_port, "-serviceName", name, "-itemCount", items,
                 "-updateRate", options.updates, "-runTime", options.seconds + 600, "-writeStatsInterval", 1]
        if options.updates == 0:
            words += ["-latencyUpdateRate", 0]
        publisher = stage.start("publisher", words)
        stage.until(lambda: stage.images(name) >= items, hub, f"all {items} items are published", 120)
    else:
        stage.until(lambda: stage.service_up(name), hub, f"{name} is up", 10)
    consumer = stage.start("consumer", ["EmaCppConsPerf", "-h", "localhost", "-p", stage.consumer_port, "-serviceName", name,
                                        "-postingRate", options.posts, "-postingLatencyRate", 10, "-itemCount", items,
                                        "-steadyStateTime", options.seconds, "-writeStatsInterval", 1, "-latencyFile", "latency"])
    stage.wait(consumer, options.seconds + 240)
    if publisher is not None:
        publisher.end()
    hub.end()
    row = {"scenario": "7.4", "provider": "none" if options.posting_only else "publisher", **summary_of(stage.dir / "ConsSummary.out")}
    if not row.get("post mean us"):
        fail("no post came back to the consumer: its summary has no posting latency\n" + (stage.dir / "ConsSummary.out").read_text())
    report(stage, "Guide 7.4: posting to the hub", [row])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, posting_only={"action": "store_true", "help": "no provider"},
                                 posts={"type": int, "default": 10000, "help": "posts a second, not below the tick rate of 1000 (10000)"},
                                 updates={"type": int, "default": 100000, "help": "of the publisher, a second (100000)"})))
