// Writes docs/metrics.md from the counts' own texts: generate_metrics_doc > docs/metrics.md
#include "apply/count_rows.h"
#include "session/extensions/counts_catalogue.h"

#include <cstdio>

int main() {
    auto groups = emissary::ema::countGroups();
    groups.push_back({"Order books", "", emissary::book::detail::countRows()});
    const std::string text = emissary::reactor::metricsAsMarkdown(groups);
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
