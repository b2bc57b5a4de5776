#include "Report.h"

#include "InputError.h"
#include "Text.h"

namespace emissary::perf {

std::string valueLine(const char* name, const ValueStatistics& values, bool nanos) {
    std::string out;
    const char* format = nanos ? "%s: Avg:%8.3f StdDev:%8.3f Max:%8.3f Min:%8.3f, Msgs: %llu\n"
                               : "%s: Avg:%6.1f StdDev:%6.1f Max:%6.0f Min:%6.0f, Msgs: %llu\n";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    appendf(out, format, name, values.mean(), values.stdDev(), values.max(), values.min(),
            static_cast<unsigned long long>(values.count()));
#pragma GCC diagnostic pop
    return out;
}

std::string quantileLine(const char* name, const LatencyHistogram& histogram, bool nanos) {
    std::string out = name;
    const double scale = nanos ? 1000.0 : 1.0;
    const int decimals = nanos ? 3 : 0;
    const auto add = [&](const char* label, std::uint64_t value) {
        appendf(out, " %s: %.*f", label, decimals, static_cast<double>(value) / scale);
    };
    out += ':';
    add("p50", histogram.quantile(0.5));
    add("p99", histogram.quantile(0.99));
    add("p99.9", histogram.quantile(0.999));
    add("Max", histogram.max());
    out += '\n';
    return out;
}

std::string numberedCsv(const std::string& base, std::size_t number) {
    return base + std::to_string(number) + ".csv";
}

TextFile::TextFile(const std::string& name) : file_(std::fopen(name.c_str(), "we")) {
    if (!file_) throw InputError("Error: Failed to open file '" + name + "'.");
}

void TextFile::write(const std::string& text) {
    std::fputs(text.c_str(), file_.get());
    std::fflush(file_.get());
}

}  // namespace emissary::perf
