// Lists the groups of counts with their titles and labels, and writes the reference page from them.
#include "reactor/metrics_catalogue.h"

#include "eta/transport/options.h"
#include "loop/loop_counts.h"
#include "reactor/consumer/ConsumerRole.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/tunnel/tunnel_types.h"

namespace emissary::reactor {

using metrics::rows;

std::span<const MetricGroup> metricGroups() noexcept {
    static const MetricGroup groups[] = {
        {"Connections",
         "`channel`: where the connections go (`host:port`), or `accepted`; those that have ended are included",
         rows<eta::transport::ChannelCounters>},
        {"Multicast", "`channel`, as above; only for connections of that kind",
         rows<eta::transport::MulticastCounters>},
        {"Listening sockets", "`role`; of all instances of the process that share the port",
         rows<eta::transport::ServerCounters>},
        {"Consumer", "`role`", rows<consumer::ConsumerCounters>},
        {"Interactive provider", "`role`", rows<ProviderCounters>},
        {"Non-interactive provider", "`role`", rows<niprovider::NiProviderCounters>},
        {"Tunnel streams", "`role`", rows<tunnel::Counters>},
        {"Event loop", "", rows<LoopCounts>},
        {"Worker thread", "", rows<WorkerCounts>},
        {"Queues",
         "`queue`: `posted` (calls for the next turn of the loop; when full, the call that posts fails as if memory "
         "had "
         "run out), `lookups` (results of name look-ups; when full, the look-up waits), `worker` (commands for the "
         "worker "
         "thread; never full, each connection has a place for each command), `connections` (accepted for this provider "
         "by "
         "another one of the process; when full, that one keeps them)",
         rows<QueueCounts>},
    };
    return groups;
}

std::string metricsAsMarkdown(std::span<const MetricGroup> groups) {
    std::string out = R"(# Counts

This page is written by `generate_metrics_doc > docs/metrics.md`; a test compares it with the code. Names, units and
meanings stand beside the counts themselves, in the headers that declare them.

Where to read them:

- `emissary/metrics.h`: `emissary::metrics(consumer)` and `emissary::metrics(provider)` return a snapshot, which gives text,
  JSON, the Prometheus format and single values.
- The configuration parameter `MetricsPort` (off by default) serves `http://127.0.0.1:PORT/metrics` (Prometheus 0.0.4),
  `/metrics.json`, `/metrics.txt` and `/healthz`, which answers `ok` while the process lives, whatever its callbacks do.
  The other pages wait for a callback that is running.

Every sample has the label `instance`, the name of the consumer or provider. Counters grow only, from the construction of
the instance on; gauges go up and down, those that end in `_peak` or `_peak_bytes` keep the highest value.
)";
    for (const MetricGroup& group : groups) {
        out.append("\n## ").append(group.title).append("\n\n");
        if (*group.labels != '\0') out.append("Labels: ").append(group.labels).append(".\n\n");
        out += "| name | kind | unit | meaning |\n| --- | --- | --- | --- |\n";
        for (const eta::CountRow& row : group.rows) {
            out.append("| `").append(row.name).append("` | ").append(metrics::kindName(row.kind)).append(" | ");
            out.append(row.unit).append(" | ").append(row.meaning).append(" |\n");
        }
    }
    return out;
}

}  // namespace emissary::reactor
