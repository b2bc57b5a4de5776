// Prints the messages of all input forms; a slip in the input is named with line, column and remedy.
#include "rwfcat.h"

#include "TraceFile.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"
#include "eta/trace/SecretMask.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace emissary::rwfcat {

using namespace emissary::eta;
using namespace emissary::eta::codec;

namespace {

constexpr std::string_view kBlanks = " \t\r";

int nibble(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/// A character that stands where it should not, for people.
std::string characterText(char c) {
    if (c > ' ' && c <= '~') return {'\'', c, '\''};
    char text[16];
    std::snprintf(text, sizeof text, "byte 0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return text;
}

/// Without the control characters that every binary input has: then it is lines of hex, with slips or without.
bool isPlainText(std::string_view content) noexcept {
    return std::none_of(content.begin(), content.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\r' && c != '\n');
    });
}

/// Calls `each` with every line and its number, from 1; comments and empty lines are left out.
template <class F>
void forEachLine(std::string_view content, F&& each) {
    for (std::size_t number = 1; !content.empty(); ++number) {
        const std::size_t end = content.find('\n');
        const std::string_view line = content.substr(0, end);
        content = end == std::string_view::npos ? std::string_view{} : content.substr(end + 1);
        const std::size_t first = line.find_first_not_of(kBlanks);
        if (first != std::string_view::npos && line[first] != '#') each(line, number);
    }
}

/// Empty text: good; otherwise what is wrong, and nothing was appended.
std::string unhex(std::string_view line, std::vector<std::byte>& out) {
    const std::size_t before = out.size();
    int high = -1;
    std::size_t last = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (kBlanks.find(line[i]) != std::string_view::npos) continue;
        const int n = nibble(line[i]);
        if (n < 0) {
            out.resize(before);
            return "column " + std::to_string(i + 1) + ": not a hex digit: " + characterText(line[i]) +
                   "; correct it (two of 0-9 and a-f for each byte), or begin the line with # to leave it out";
        }
        last = i + 1;
        if (high >= 0) out.push_back(static_cast<std::byte>(high * 16 + n)), high = -1;
        else high = n;
    }
    if (high < 0) return {};
    out.resize(before);
    return "an odd number of hex digits, the last in column " + std::to_string(last) +
           ": one is missing, or one is too many; write two for each byte";
}

std::string timeText(const Place& place) {
    const auto seconds = static_cast<std::time_t>(place.seconds);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64], whole[96];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(whole, sizeof whole, "%s.%06dZ", text, static_cast<int>(place.microseconds));
    return whole;
}

class Printer final : public StreamSink, public CaptureSink {
public:
    Printer(std::string_view name, const Options& options, const Outputs& outputs)
        : name_(name), options_(options), outputs_(outputs) {
        if (options.dictionary != nullptr)
            context_.field = [d = options.dictionary](std::int16_t id) -> FieldInfo {
                const dictionary::FieldDefinition* field = d->find(id);
                return field == nullptr ? FieldInfo{} : FieldInfo{field->type, field->acronym};
            };
    }

    void hexLines(std::string_view content) {
        forEachLine(content, [this](std::string_view line, std::size_t number) {
            std::vector<std::byte> bytes;
            const std::string where = "line " + std::to_string(number);
            const std::string fault = unhex(line, bytes);
            if (!fault.empty()) return bad(where + ", " + fault);
            value(bytes, options_.type, where, "");
        });
    }
    void streamHexLines(std::string_view content) {
        std::vector<std::byte> bytes;
        std::string fault;  // the first one: without its bytes, those behind it would be read as something else
        forEachLine(content, [&](std::string_view line, std::size_t number) {
            if (!fault.empty()) return;
            fault = unhex(line, bytes);
            if (!fault.empty()) fault = "line " + std::to_string(number) + ", " + fault;
        });
        stream(bytes);
        if (!fault.empty()) bad(fault + "; what follows was not decoded");
    }
    void stream(Bytes bytes) {
        Agreement agreement = options_.capture.agreement;
        RipcStream stream(agreement, *this, false);
        stream.feed(bytes);
        stream.finish();
    }
    void capture(Bytes bytes) {
        const std::string fault = readCapture(bytes, options_.capture, *this);
        if (!fault.empty()) bad(fault);
        const std::uint16_t port = options_.capture.port;
        // A capture without one RSSL connection is a mistake of the caller, so it is a fault.
        if (!found_ && fault.empty())
            bad(port == 0 ? "no RSSL connection was found in this capture; --port takes a connection whose beginning "
                            "is missing"
                          : "no RSSL connection was found on port " + std::to_string(port) +
                                "; without --port all connections are looked at");
    }
    void trace(std::string_view content) {
        // A trace holds both directions, so the heading says which it was.
        const std::size_t json = readTraceFile(content, [this](const TraceEntry& entry) {
            const std::string where = "line " + std::to_string(entry.line);
            found_ = true;
            if (!entry.fault.empty()) return bad(where + ": " + entry.fault);
            std::string source = ",\"source\":{\"time\":";
            appendAsciiJsonString(source, entry.time);
            source += ",\"heading\":";
            appendAsciiJsonString(source, entry.heading);
            source += entry.exact ? ",\"from\":\"bytes\"}" : ",\"from\":\"text\"}";
            value(entry.message, DataType::Msg, where, source);
        });
        if (json != 0) note(std::to_string(json) + " messages of JSON are left out");
        else if (!found_) bad("no message of a trace was found");
    }
    [[nodiscard]] const Counts& counts() const { return counts_; }

    void onMessage(Bytes message, std::uint64_t offset) override { value(message, DataType::Msg, at(offset), ""); }
    void onNote(std::uint64_t offset, const std::string& text) override { note(at(offset) + ": " + text); }
    void onBadBytes(std::uint64_t offset, const std::string& text) override { bad(at(offset) + ": " + text); }

    void onMessage(Bytes message, std::uint64_t offset, const Place& place) override {
        std::string source = ",\"source\":{\"time\":";
        appendAsciiJsonString(source, timeText(place));
        source += ",\"from\":";
        appendAsciiJsonString(source, place.from);
        source += ",\"to\":";
        appendAsciiJsonString(source, place.to);
        source += ",\"offset\":" + std::to_string(offset) + "}";
        value(message, DataType::Msg, at(offset, place), source);
    }
    void onNote(std::uint64_t offset, const std::string& text, const Place& place) override {
        note(at(offset, place) + ": " + text);
    }
    void onBadBytes(std::uint64_t offset, const std::string& text, const Place& place) override {
        bad(at(offset, place) + ": " + text);
    }

private:
    static std::string at(std::uint64_t offset) { return "offset " + std::to_string(offset); }
    static std::string at(std::uint64_t offset, const Place& place) {
        return place.from + " > " + place.to + ", " + at(offset);
    }
    /// Notes contain texts of peers, which must neither steer a terminal nor begin a line.
    void note(const std::string& text) {
        found_ = true;
        outputs_.notes(printable(name_ + ": " + text));
    }
    void bad(const std::string& text) {
        ++counts_.faults;
        note("error: " + text);
    }

    void value(Bytes in, DataType type, const std::string& where, const std::string& source) {
        found_ = true;
        std::string json;
        const Error e = appendVectorJson(json, in, type, context_);
        if (!e.ok()) bad(where + ", byte " + std::to_string(e.offset) + ": " + describe(e.code));
        else ++counts_.messages;
        // The verdict is that of the bytes as they came; the printed bytes have no secrets.
        if (const Bytes masked = mask_.rwf(in, type); masked.data() != in.data()) {
            in = masked;
            json.clear();
            if (e.ok() && !appendVectorJson(json, in, type, context_).ok()) json = "null";
        }
        std::string line;
        // The text of a message is that of toString(), so that traces can be compared.
        if (options_.schema == Schema::text) {
            if (!e.ok()) return;
            line = "# " + where + "\n" + options_.textOf(in) + "\n";
            return outputs_.out(line);
        }
        line = "{\"name\":";
        appendAsciiJsonString(line, where);
        const char* kind = !e.ok()                 ? "negative"
                           : type == DataType::Msg ? "msg"
                           : isContainer(type)     ? "container"
                                                   : "primitive";
        line.append(",\"kind\":\"")
            .append(kind)
            .append("\",\"type\":\"")
            .append(schemaName(type))
            .append("\",\"hex\":\"");
        appendHex(line, in);
        line += '"';
        if (e.ok()) line += ",\"value\":" + json;
        else
            line.append(",\"error\":\"")
                .append(describe(e.code))
                .append("\",\"offset\":")
                .append(std::to_string(e.offset));
        outputs_.out(line + source + "}\n");
    }

    std::string name_;
    const Options& options_;
    const Outputs& outputs_;
    JsonContext context_;
    trace::SecretMask mask_;
    Counts counts_;
    bool found_ = false;  // something was said of the input
};

}  // namespace

Input guessInput(std::string_view content) noexcept {
    if (isCapture(asBytes(content))) return Input::capture;
    if (isTrace(content)) return Input::trace;
    const bool http = content.starts_with("GET ") || content.starts_with("HTTP/1.");
    return isPlainText(content) && !http ? Input::hex : Input::raw;
}

Counts print(std::string_view content, std::string_view name, const Options& options, const Outputs& outputs) {
    Printer printer(name, options, outputs);
    switch (options.input == Input::automatic ? guessInput(content) : options.input) {
    case Input::automatic:
    case Input::hex:
        printer.hexLines(content);
        break;
    case Input::streamHex:
        printer.streamHexLines(content);
        break;
    case Input::raw:
        printer.stream(asBytes(content));
        break;
    case Input::capture:
        printer.capture(asBytes(content));
        break;
    case Input::trace:
        printer.trace(content);
        break;
    }
    return printer.counts();
}

}  // namespace emissary::rwfcat
