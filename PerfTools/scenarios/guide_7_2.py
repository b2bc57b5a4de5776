#!/usr/bin/env python3
"""Guide 7.2: interactive provider to consumer, direct connection: the measure that the hub is compared with."""
import sys

from scenario import Stage, arguments, consumer_words, listens, main, report, summary_of


def run(options):
    stage = Stage(options, "guide-7.2", with_hub=False)
    port = stage.consumer_port  # the tools' default configuration, but for the port
    options.service = "DIRECT_FEED"
    stage.tool_config([("Server", "Perf_Server_1", {"Port": port}), ("Channel", "Perf_Channel_1", {"Port": port})])
    print("Interactive provider to consumer, direct:")
    provider = stage.start("provider", ["EmaCppIProvPerf", "-providerName", "Perf_Provider", "-updateRate", options.rate,
                                        "-runTime", options.seconds + 600, "-writeStatsInterval", 1])
    stage.until(lambda: listens(port), provider, "the provider listens", 60)
    consumer = stage.start("consumer", consumer_words(options))
    stage.wait(consumer, options.seconds + 180)
    provider.end()
    report(stage, "Guide 7.2: provider, consumer", [{"scenario": "7.2", **summary_of(stage.dir / "ConsSummary.out")}])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, rate={"type": int, "default": 100000, "help": "updates a second (100000, the tool's default)"})))
