// XML traces read back: the bytes where the trace has them, otherwise a message of the same meaning.
#include "eta/codec/model/json.h"
#include "eta/trace/message_xml.h"
#include "rwfcat/TraceFile.h"
#include "support.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <regex>

using namespace emissary::test;
using namespace emissary::rwfcat;
namespace model = emissary::eta::codec::model;
namespace trace = emissary::eta::trace;
using emissary::eta::Bytes;
using ByteVector = std::vector<std::byte>;

namespace {

struct Collected final : trace::TextSink {
    std::string text;
    bool take(std::string_view piece) override {
        text += piece;
        return true;
    }
};

std::string xmlOf(Bytes message) {
    Collected all;
    trace::TraceText text(all);
    static_cast<void>(trace::writeMessageXml(text, message, 14, 1));
    text.flush();
    return all.text;
}

std::string entry(const std::string& body) {
    return "<!-- Incoming Message (Channel IPC descriptor = 7) -->\n<!-- Time: 6:36:20:373 -->\n" + body +
           "<!-- End Message (Channel IPC descriptor = 7) -->\n";
}

std::vector<TraceEntry> entriesOf(const std::string& file) {
    std::vector<TraceEntry> all;
    static_cast<void>(readTraceFile(file, [&](const TraceEntry& e) { all.push_back(e); }));
    return all;
}

/// The size of a payload depends on how its lengths were written.
std::string withoutSize(const std::string& text) {
    static const std::regex size("dataSize=\"[0-9]+\"");
    return std::regex_replace(text, size, "dataSize");
}

}  // namespace

TEST_CASE("trace: the text alone gives back a message that has the same text", "[rwfcat][trace]") {
    std::size_t same = 0, all = 0;
    for (const char* file : {"/xmltrace/messages.jsonl", "/xmltrace/containers.jsonl"}) {
        model::forEachVectorIn(vectorPath(file), [&](const model::Vector& v) {
            INFO(v.name);
            const std::string text = xmlOf(v.bytes);
            const auto read = entriesOf(entry(text));
            REQUIRE(read.size() == 1);
            CHECK(read[0].fault.empty());
            CHECK_FALSE(read[0].exact);
            ++all;
            if (read[0].message == v.bytes) return ++same, void();
            // A group id of one byte, and a double that only more digits can tell from infinity, are not in the text.
            if (v.name == "refresh_payload_Vector" || v.name == "primitives_Double") return;
            CHECK(withoutSize(xmlOf(read[0].message)) == withoutSize(text));
        });
    }
    CHECK(all == 262);
    CHECK(same >= 225);  // byte for byte
}

TEST_CASE("trace: with its bytes an entry gives back exactly the message", "[rwfcat][trace]") {
    model::forEachVectorIn(vectorPath("/xmltrace/messages.jsonl"), [&](const model::Vector& v) {
        INFO(v.name);
        Collected all;
        trace::TraceText text(all);
        static_cast<void>(trace::writeMessageXml(text, v.bytes, 14, 1));
        trace::writeHexDump(text, v.bytes);
        text.endLine();
        text.flush();
        const auto read = entriesOf(entry(all.text));
        REQUIRE(read.size() == 1);
        CHECK(read[0].exact);
        CHECK(read[0].message == v.bytes);
        CHECK(read[0].time == "6:36:20:373");
        CHECK(read[0].heading == "Incoming Message");
    });
}

TEST_CASE("trace: a slip in a dump is named, and the rest of it is not read as something else", "[rwfcat][trace]") {
    const ByteVector message = model::unhex("0009040600000005000400" + std::string(200, '0'));
    Collected all;
    trace::TraceText text(all);
    static_cast<void>(trace::writeMessageXml(text, message, 14, 1));
    text.flush();
    const std::size_t dump = all.text.size();
    trace::writeHexDump(text, message);
    text.endLine();
    text.flush();
    for (std::size_t at = dump; at + 1 < all.text.size(); at += 7) {
        std::string damaged = all.text;
        if (damaged[at] == '\n' || damaged[at] == ' ') continue;
        damaged[at] = 'O';
        const auto read = entriesOf(entry(damaged));
        REQUIRE(read.size() == 1);
        INFO(read[0].fault);
        CHECK(read[0].message.empty());
        const auto lineStart = damaged.rfind('\n', at) + 1;
        CHECK(has(read[0].fault, ", column " + std::to_string(at - lineStart + 1) + ": not a hex digit"));
    }
}

TEST_CASE("trace: whatever stands in a file, reading ends with a message or a fault", "[rwfcat][trace]") {
    model::forEachVectorIn(vectorPath("/xmltrace/messages.jsonl"), [&](const model::Vector& v) {
        if (v.bytes.size() > 150) return;
        const std::string text = xmlOf(v.bytes);
        for (std::size_t n = 0; n + 1 < text.size(); n += 3) {  // cut, and with one character changed
            for (const bool changed : {false, true}) {
                std::string damaged = changed ? text : text.substr(0, n) + "\n";
                if (changed) damaged[n] = damaged[n] == '"' ? '<' : '"';
                const auto read = entriesOf(entry(damaged));
                REQUIRE(read.size() == 1);
                CHECK(read[0].fault.empty() == !read[0].message.empty());
            }
        }
    });
    CHECK(entriesOf("<!-- Incoming Message (Channel IPC descriptor = 7) -->\n").at(0).fault ==
          "the entry is not complete");
    std::string deep;
    for (int n = 0; n < 100000; ++n)
        deep += "<series  flags=\"0x0\" countHint=\"0\" containerType=\"RSSL_DT_SERIES\">\n<seriesEntry>\n";
    const std::string head = xmlOf(model::unhex("00080706000000051004"));
    const auto at = head.find("<dataBody>\n") + 11;
    std::string nested = head.substr(0, at) + deep;
    nested.replace(nested.find("FIELD_LIST"), 10, "SERIES");
    CHECK(entriesOf(entry(nested)).at(0).fault.find("too deep") != std::string::npos);
}

TEST_CASE("trace: as a bug report, by the program", "[rwfcat][trace]") {
    const TempFolder folder;
    const ByteVector update = model::unhex("00090406000000050004000800020016030c0d3f7fff0141");
    folder.write("report.xml",
                 entry(xmlOf(update)) + "<!-- Incoming Ping (Channel IPC descriptor = 7) -->\n" +
                     "<!-- Time: 6:36:20:374 -->\n<!-- End Message (Channel IPC descriptor = 7) -->\n" +
                     entry("<!-- JSON protocol\n{}\n-->\n") + entry("<updateMsg>\n") +
                     "<!-- Channel Closed (Channel IPC descriptor = 7) -->\n<!-- Time: 6:36:20:375 -->\n");
    const Ran ran = run(folder, std::string(RWFCAT_PROGRAM) + " report.xml");
    INFO(ran.out << ran.err);
    CHECK(ran.code == 1);  // the second message is broken
    CHECK(has(ran.out, "\"hex\":\"00090406000000050004000800020016030c0d3f7fff0141\""));
    CHECK(has(ran.out, "\"source\":{\"time\":\"6:36:20:373\",\"heading\":\"Incoming Message\",\"from\":\"text\"}"));
    CHECK(has(ran.err, "1 messages of JSON are left out"));
    CHECK(has(ran.err, "report.xml: error: line "));
    const Ran text = run(folder, std::string(RWFCAT_PROGRAM) + " --schema text --input trace report.xml");
    CHECK(has(text.out, "UpdateMsg"));
}
