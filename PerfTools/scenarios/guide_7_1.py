#!/usr/bin/env python3
"""Guide 7.1: interactive provider to consumer, through the distribution system.

EmaCppIProvPerf on port 17008 -> emissary-hub -> EmaCppConsPerf on port 14002, service TEST_FEED. The guide leaves open
whether anybody caches: --cache turns the hub's cache on.
"""
import sys

from scenario import Stage, arguments, consumer_words, listens, main, report, summary_of


def run(options):
    stage = Stage(options, "guide-7.1")
    # The guide's steps 1 to 3.
    stage.tool_config([("Server", "Perf_Server_1", {"Port": stage.provider_port}),
                       ("Channel", "Perf_Channel_1", {"Host": "localhost", "Port": stage.consumer_port}),
                       ("Directory", "Directory_2", {"Service": options.service})])
    cache = f'<Service><Name value="{options.service}"/><Cache value="{"all" if options.cache else "none"}"/></Service>'
    stage.hub_config(cache)
    print("Interactive provider to consumer, through the hub" + (" with its cache" if options.cache else "") + ":")
    # Step 4, with the length of the run.
    provider = stage.start("provider", ["EmaCppIProvPerf", "-providerName", "Perf_Provider", "-updateRate", options.rate,
                                        "-runTime", options.seconds + 600, "-writeStatsInterval", 1])
    stage.until(lambda: listens(stage.provider_port), provider, "the provider listens", 60)
    hub = stage.start_hub(watched=True)
    stage.until(lambda: stage.service_up(options.service), hub, f"{options.service} is up", 30)
    consumer = stage.start("consumer", consumer_words(options))
    stage.wait(consumer, options.seconds + 180)
    provider.end()
    hub.end()
    if options.summary:
        print("\nThe consumer's summary:\n" + (stage.dir / "ConsSummary.out").read_text())
    row = {"scenario": "7.1", "cache": "on" if options.cache else "off", **summary_of(stage.dir / "ConsSummary.out")}
    report(stage, "Guide 7.1: provider, hub, consumer", [row])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, cache={"action": "store_true", "help": "the hub caches"},
                                 summary={"action": "store_true", "help": "print the consumer's summary"},
                                 rate={"type": int, "default": 100000, "help": "updates a second (100000, the tool's default)"})))
