#!/usr/bin/env python3
"""Guide 7.3: non-interactive provider to consumer, through the distribution system, whose cache is the cache of record.

--order provider (default): EmaCppNIProvPerf has published all its items before the consumer connects.
--order consumer: the consumer comes first; the hub gives temporary images (UnknownItem suspect), which the consumer does not
count, and the real ones when they are published.
"""
import sys

from scenario import Stage, arguments, consumer_words, main, report, summary_of


def run(options):
    stage = Stage(options, "guide-7.3")
    stage.without_generic_items()
    # The guide's steps 1 to 3.
    stage.tool_config([("Channel", "Perf_NIP_Channel_1", {"Host": "localhost", "Port": stage.publisher_port}),
                       ("Channel", "Perf_Channel_1", {"Host": "localhost", "Port": stage.consumer_port}),
                       ("Directory", "Perf_Directory_1", {"Service": options.service})])
    early = options.order == "consumer"
    stage.hub_config(f'<Service><Name value="{options.service}"/><UnknownItem value="{"suspect" if early else "close"}"/></Service>',
                     source=False)
    print(f"Non-interactive provider to consumer, through the hub, {options.order} first:")
    hub = stage.start_hub(watched=True)
    items = options.items or 100000

    def publish():
        # Step 4, with the length of the run.
        words = ["EmaCppNIProvPerf", "-serviceName", options.service, "-providerName", "Perf_NIPProvider_1", "-itemCount", items,
                 "-updateRate", options.rate, "-runTime", options.seconds + 600, "-writeStatsInterval", 1]
        return stage.start("publisher", words)

    if early:
        # The consumer waits for the service; it comes with the publisher, whose images take a while.
        consumer = stage.start("consumer", consumer_words(options))
        publisher = publish()
    else:
        publisher = publish()
        stage.until(lambda: stage.images(options.service) >= items, hub, f"all {items} items are published", 120)
        consumer = stage.start("consumer", consumer_words(options))
    stage.wait(consumer, options.seconds + 240)
    publisher.end()
    hub.end()
    row = {"scenario": "7.3", "first": options.order, **summary_of(stage.dir / "ConsSummary.out")}
    report(stage, "Guide 7.3: publisher, hub, consumer", [row])


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, order={"choices": ["provider", "consumer"], "default": "provider", "help": "who starts first"},
                                 rate={"type": int, "default": 100000, "help": "updates a second (100000, the tool's default)"})))
