// A snapshot as text, as JSON and for Prometheus.
#include "reactor/metrics/Snapshot.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"
#include "labels.h"

#include <cstdio>
#include <string>

namespace emissary::reactor::metrics {
namespace {

using eta::Buckets;
using eta::CountKind;

/// Nanoseconds as seconds, without digits that say nothing.
[[nodiscard]] std::string seconds(std::uint64_t nanoseconds) {
    std::string out = std::to_string(nanoseconds / 1'000'000'000);
    std::string rest = std::to_string(1'000'000'000 + nanoseconds % 1'000'000'000).substr(1);
    rest.erase(rest.find_last_not_of('0') + 1);
    return rest.empty() ? out : out + "." + rest;
}

/// Labels may be names that peers have given: services, publishers. Their line feeds are left to the format.
[[nodiscard]] std::string shown(std::string_view label) {
    std::string out;
    for (std::size_t end = label.find('\n'); end != std::string_view::npos; end = label.find('\n')) {
        eta::appendPrintable(out, label.substr(0, end));
        out += '\n';
        label.remove_prefix(end + 1);
    }
    eta::appendPrintable(out, label);
    return out;
}

}  // namespace

void appendEscaped(std::string& out, std::string_view in, bool quotes) {
    for (const char c : in) {
        if (c == '\\') out += "\\\\";
        else if (c == '\n') out += "\\n";
        else if (c == '"' && quotes) out += "\\\"";
        else out += c;
    }
}

std::string labelText(const Labels& labels, std::string_view le) {
    std::string out;
    const auto put = [&out](std::string_view name, std::string_view value) {
        out += out.empty() ? "{" : ",";
        out.append(name).append("=\"");
        appendEscaped(out, shown(value), true);
        out += '"';
    };
    for (const auto& [name, value] : labels)
        put(name, value);
    if (!le.empty()) put("le", le);
    return out.empty() ? out : out + "}";
}

namespace {

/// Counts add up from bucket to bucket there, with bounds in seconds.
void prometheusBuckets(std::string& out, const char* name, const Labels& labels, const Buckets& b) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < b.counts.size(); ++i) {
        below += b.counts[i];
        const std::string le = i < Buckets::kBounds.size() ? seconds(Buckets::kBounds[i]) : "+Inf";
        out.append(name).append("_bucket").append(labelText(labels, le)) += ' ';
        out.append(std::to_string(below)) += '\n';
    }
    out.append(name).append("_sum").append(labelText(labels)) += ' ';
    out.append(seconds(b.nanoseconds)) += '\n';
    out.append(name).append("_count").append(labelText(labels)) += ' ';
    out.append(std::to_string(below)) += '\n';
}

void jsonBuckets(std::string& out, const Buckets& b) {
    out += "\"sum\":" + seconds(b.nanoseconds) + ",\"buckets\":[";
    for (std::size_t i = 0; i < b.counts.size(); ++i) {
        if (i != 0) out += ',';
        out += "{\"le\":";
        out += i < Buckets::kBounds.size() ? seconds(Buckets::kBounds[i]) : "null";
        out += ",\"count\":" + std::to_string(b.counts[i]) + "}";
    }
    out += ']';
}

/// The smallest bound that the given number of a thousand durations does not pass.
[[nodiscard]] std::string perMille(const Buckets& b, std::uint64_t all, std::uint64_t share) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < Buckets::kBounds.size(); ++i) {
        below += b.counts[i];
        if (below * 1000 >= all * share) return "<= " + seconds(Buckets::kBounds[i]);
    }
    return "> " + seconds(Buckets::kBounds.back());
}

}  // namespace

std::string Snapshot::text() const {
    std::string out;
    for (const Family& f : families_) {
        for (const Sample& s : f.samples) {
            out.append(f.row->name).append(labelText(labels(s))).append(" ").append(std::to_string(s.value));
            if (f.row->kind != CountKind::histogram) {
                out.append(" ").append(f.row->unit);
            } else if (s.value != 0) {
                const Buckets& b = buckets(s);
                out += " times, " + seconds(b.nanoseconds) + " seconds in all, 50% " + perMille(b, s.value, 500) +
                       ", 99% " + perMille(b, s.value, 990) + ", 99.9% " + perMille(b, s.value, 999);
            }
            out += '\n';
        }
    }
    return out;
}

std::string Snapshot::json() const {
    std::string out = "{\"metrics\":[";
    const char* between = "";
    for (const Family& f : families_) {
        out.append(between).append("\n{\"name\":\"").append(f.row->name).append("\",\"kind\":\"");
        out.append(kindName(f.row->kind)).append("\",\"unit\":");
        eta::appendJsonString(out, f.row->unit);
        out += ",\"meaning\":";
        eta::appendJsonString(out, f.row->meaning);
        out += ",\"samples\":[";
        between = "";
        for (const Sample& s : f.samples) {
            out.append(between).append("{\"labels\":{");
            between = "";
            for (const auto& [name, value] : labels(s)) {
                out.append(between);
                eta::appendJsonString(out, name);
                out += ':';
                eta::appendJsonString(out, shown(value));
                between = ",";
            }
            out += f.row->kind == CountKind::histogram ? "},\"count\":" : "},\"value\":";
            out += std::to_string(s.value);
            if (f.row->kind == CountKind::histogram) {
                out += ',';
                jsonBuckets(out, buckets(s));
            }
            out += '}';
            between = ",";
        }
        out += "]}";
        between = ",";
    }
    return out + "\n]}\n";
}

std::string Snapshot::prometheus() const {
    std::string out;
    for (const Family& f : families_) {
        out.append("# HELP ").append(f.row->name).append(" ");
        appendEscaped(out, f.row->meaning, false);
        out.append("\n# TYPE ").append(f.row->name).append(" ").append(kindName(f.row->kind)) += '\n';
        for (const Sample& s : f.samples) {
            if (f.row->kind == CountKind::histogram) {
                prometheusBuckets(out, f.row->name, labels(s), buckets(s));
                continue;
            }
            out.append(f.row->name).append(labelText(labels(s))) += ' ';
            out.append(std::to_string(s.value)) += '\n';
        }
    }
    return out;
}

}  // namespace emissary::reactor::metrics
