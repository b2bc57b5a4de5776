// Writes counts in the JSON form of OTLP, where 64-bit numbers are texts.
#include "hub/ops/otlp_text.h"

#include "eta/core/version.h"
#include "hub/ops/Json.h"
#include "reactor/metrics/process.h"

#include <string_view>

namespace emissary::hub::ops {

namespace {

using eta::Buckets;
using eta::CountKind;
using reactor::metrics::Family;
using reactor::metrics::Sample;
using reactor::metrics::Snapshot;

constexpr int kCumulative = 2;  // AGGREGATION_TEMPORALITY_CUMULATIVE

/// Words of ours as units of UCUM, or in braces: then nobody puts them behind a name.
std::string unitOf(std::string_view word) {
    if (word.empty()) return {};
    if (word == "bytes") return "By";
    if (word == "seconds") return "s";
    return "{" + std::string(word) + "}";
}

void attribute(Json& j, std::string_view key, std::string_view value) {
    j.object().value("key", key).object("value").value("stringValue", value).end().end();
}

class Writer {
public:
    Writer(Json& json, const OtlpOrigin& origin)
        : j_(json), start_(std::to_string(origin.start)), now_(std::to_string(origin.now)) {}

    void family(const Snapshot& counts, const Family& f) {
        begin(f.row->name, f.row->meaning, f.row->kind == CountKind::histogram ? "s" : unitOf(f.row->unit),
              f.row->kind);
        for (const Sample& s : f.samples) {
            point();
            j_.array("attributes");
            for (const auto& [name, value] : counts.labels(s))
                attribute(j_, name, value);
            j_.end();
            if (f.row->kind == CountKind::histogram) buckets(counts.buckets(s));
            else j_.value("asInt", std::to_string(s.value));
            j_.end();
        }
        end();
    }
    /// One number of the process, which is no count; the names are those of the page for Prometheus.
    void number(const char* name, const char* unit, CountKind kind, double value, std::string_view hub) {
        begin(name, {}, unit, kind);
        point();
        j_.array("attributes");
        attribute(j_, "hub", hub);
        if (std::string_view(name) == "emissary_build_info") attribute(j_, "version", version());
        j_.end().value("asDouble", value).end();
        end();
    }

private:
    void begin(std::string_view name, std::string_view meaning, std::string_view unit, CountKind kind) {
        j_.object().value("name", name).value("description", meaning).value("unit", unit);
        j_.object(kind == CountKind::total ? "sum" : kind == CountKind::histogram ? "histogram" : "gauge");
        if (kind == CountKind::total || kind == CountKind::histogram) j_.value("aggregationTemporality", kCumulative);
        if (kind == CountKind::total) j_.value("isMonotonic", true);
        j_.array("dataPoints");
    }
    void end() { j_.end().end().end(); }
    void point() { j_.object().value("startTimeUnixNano", start_).value("timeUnixNano", now_); }
    void buckets(const Buckets& b) {
        std::uint64_t all = 0;
        j_.array("bucketCounts");
        for (const std::uint64_t n : b.counts)
            all += n, j_.value({}, std::to_string(n));
        j_.end().array("explicitBounds");
        for (const std::uint64_t bound : Buckets::kBounds)
            j_.raw({}, seconds(bound));
        j_.end().value("count", std::to_string(all)).raw("sum", seconds(b.nanoseconds));
    }
    /// Without a rounding that would move a bound.
    [[nodiscard]] static std::string seconds(std::uint64_t nanoseconds) { return std::to_string(nanoseconds) + "e-9"; }

    Json& j_;
    const std::string start_, now_;
};

}  // namespace

std::string otlpText(const Snapshot& counts, const OtlpOrigin& origin) {
    Json j;
    j.object().array("resourceMetrics").object().object("resource").array("attributes");
    attribute(j, "service.name", "emissary-hub");
    attribute(j, "service.instance.id", origin.hub);
    attribute(j, "service.version", version());
    j.end().end().array("scopeMetrics").object().object("scope");
    j.value("name", "emissary-hub").value("version", std::string_view(version())).end().array("metrics");
    Writer w(j, origin);
    for (const Family& f : counts.families())
        w.family(counts, f);
    const reactor::metrics::ProcessUsage u = reactor::metrics::processUsage();
    w.number("process_resident_memory_bytes", "By", CountKind::level, static_cast<double>(u.residentBytes), origin.hub);
    w.number("process_cpu_seconds_total", "s", CountKind::total, u.cpuSeconds, origin.hub);
    w.number("process_start_time_seconds", "s", CountKind::level, u.startSeconds, origin.hub);
    w.number("emissary_uptime_seconds", "s", CountKind::level, u.upSeconds, origin.hub);
    w.number("emissary_build_info", "", CountKind::level, 1, origin.hub);
    return j.end().end().end().end().end().end().take();
}

}  // namespace emissary::hub::ops
