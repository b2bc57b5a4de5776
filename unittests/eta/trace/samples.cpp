// Reads the golden texts of the trace, and traces messages as they do.
#include "samples.h"

#include "eta/codec/model/json.h"
#include "support/paths.h"

#include <simdjson.h>

#include <stdexcept>

namespace model = emissary::eta::codec::model;

namespace trace_test {
namespace {

/// Each character of the string is one byte.
std::string latin1(std::string_view utf8) {
    std::string bytes;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto c = static_cast<unsigned char>(utf8[i]);
        if (c < 0x80) bytes += static_cast<char>(c);
        else bytes += static_cast<char>((c & 3) << 6 | (static_cast<unsigned char>(utf8[++i]) & 0x3F));
    }
    return bytes;
}

}  // namespace

std::vector<Sample> samples(const std::string& file) {
    simdjson::dom::parser parser;
    std::vector<Sample> all;
    simdjson::dom::document_stream lines;
    const std::string path = emissary::test::vectorPath(("/xmltrace/" + file).c_str());
    if (parser.load_many(path).get(lines)) throw std::runtime_error("cannot read " + path);
    for (const auto line : lines) {
        simdjson::dom::object object = line.get_object().value();
        Sample s;
        s.name = std::string(object["name"].get_string().value());
        s.message = model::unhex(std::string(object["hex"].get_string().value()));
        s.xml = latin1(object["xml"].get_string().value());
        if (std::string_view dump; !object["hexDump"].get_string().get(dump)) s.hexDump = std::string(dump);
        all.push_back(std::move(s));
    }
    return all;
}

SessionSample sessionSample() {
    simdjson::dom::parser parser;
    const simdjson::dom::element all = parser.load(emissary::test::vectorPath("/xmltrace/session.json"));
    SessionSample s;
    const simdjson::dom::array wire = all["wire"];
    for (const auto one : wire)
        s.wire.push_back(
            {one["dir"].get_string().value() == "C>P", model::unhex(std::string(one["hex"].get_string().value()))});
    s.consumerFile = std::string(all["consumerFile"].get_string().value());
    s.providerFile = std::string(all["providerFile"].get_string().value());
    return s;
}

std::string xmlOf(emissary::eta::Bytes message, emissary::eta::Error& error) {
    Collected all;
    emissary::eta::trace::TraceText text(all);
    error = emissary::eta::trace::writeMessageXml(text, message, 14, 1);
    text.flush();
    return all.text;
}

}  // namespace trace_test
