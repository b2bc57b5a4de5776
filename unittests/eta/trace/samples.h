// The golden texts of the XML trace (unittests/vectors/xmltrace/README.md).
#pragma once

#include "eta/trace/message_xml.h"

#include <optional>
#include <string>
#include <vector>

namespace trace_test {

struct Sample {
    std::string name;
    std::vector<std::byte> message;
    std::string xml;  ///< as bytes
    std::optional<std::string> hexDump;
};
/// Of messages.jsonl or containers.jsonl.
std::vector<Sample> samples(const std::string& file);

/// One connection and the files that both ends wrote.
struct SessionSample {
    struct Sent {
        bool byConsumer;
        std::vector<std::byte> message;
    };
    std::vector<Sent> wire;
    std::string consumerFile, providerFile;
};
SessionSample sessionSample();

/// Collects everything.
struct Collected final : emissary::eta::trace::TextSink {
    std::string text;
    bool take(std::string_view piece) override {
        text += piece;
        return true;
    }
};

std::string xmlOf(emissary::eta::Bytes message, emissary::eta::Error& error);

}  // namespace trace_test
