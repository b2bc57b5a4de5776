// The whole path: a provider that publishes a channel, a connection, a consumer that builds its books.
#pragma once

#include "Latency.h"

namespace bookbench {

/// Runs every cell between two threads of this process, connected over the loopback interface: from submit() of a
/// packet to onBookChanged (of messages: to the end of their callback). A packet is sent when the one before has come
/// and the delay has passed. `dictionary` is the path of an RDMFieldDictionary with its enumtype.def beside it.
[[nodiscard]] std::vector<Cell> measureLive(const LatencyOptions& options, const std::string& dictionary);

}  // namespace bookbench
