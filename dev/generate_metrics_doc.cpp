// Writes docs/metrics.md from the counts' own texts: generate_metrics_doc > docs/metrics.md
#include "session/extensions/counts_catalogue.h"

#include <cstdio>

int main() {
    const std::string text = emissary::reactor::metricsAsMarkdown(emissary::ema::countGroups());
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
