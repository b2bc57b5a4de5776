// Labels and texts in the exposition format of Prometheus.
#pragma once

#include "reactor/metrics/Snapshot.h"

#include <string>
#include <string_view>

namespace emissary::reactor::metrics {

/// Appends `in`, escaped as the format asks: backslashes and line feeds, and quotes where `quotes` is set.
void appendEscaped(std::string& out, std::string_view in, bool quotes);

/// {instance="A",role="consumer"}; with `le` where one is given. Empty without labels.
[[nodiscard]] std::string labelText(const Labels& labels, std::string_view le = {});

}  // namespace emissary::reactor::metrics
