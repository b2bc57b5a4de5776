// A message as text: equal to the golden samples, and whatever else a peer may send (xml-trace.md 4, 5).
#include "samples.h"

#include "eta/codec/Msg.h"
#include "eta/codec/model/json.h"
#include "support/catch.hpp"

#include <algorithm>

namespace model = emissary::eta::codec::model;

using namespace trace_test;
using emissary::eta::Bytes;
using emissary::eta::Errc;
using emissary::eta::Error;

namespace {

/// Of a group id with an odd number of bytes the samples show one that is not part of it.
std::string withoutOddGroup(const std::string& text, const Sample& s) {
    emissary::eta::codec::Msg msg;
    REQUIRE(emissary::eta::codec::decodeMsg(s.message, msg).ok());
    if (!msg.hasGroupId() || msg.groupId.size() % 2 == 0) return text;
    const auto from = text.find(" groupId="), to = text.find(' ', from + 1);
    return text.substr(0, from) + text.substr(to);
}

}  // namespace

TEST_CASE("xml trace: every sample is written byte for byte", "[trace][samples]") {
    for (const char* file : {"messages.jsonl", "containers.jsonl"}) {
        const auto all = samples(file);
        REQUIRE(all.size() > 80);
        for (const Sample& s : all) {
            INFO(file << ", " << s.name);
            Error e;
            const std::string text = xmlOf(s.message, e);
            // These end in the middle of the vector; one of the keys is cut at a zero byte.
            if (s.name == "vec_of_Series" || s.name == "vec_of_Msg" || s.name == "map_key_Buffer") {
                const auto common = std::mismatch(s.xml.begin(), s.xml.end(), text.begin(), text.end());
                CHECK(common.first - s.xml.begin() > 400);
                CHECK(text.size() > s.xml.size());
            } else CHECK(withoutOddGroup(text, s) == withoutOddGroup(s.xml, s));
            CHECK(e.ok());
            if (!s.hexDump) continue;
            Collected dump;
            emissary::eta::trace::TraceText lines(dump);
            emissary::eta::trace::writeHexDump(lines, s.message);
            lines.flush();
            CHECK(dump.text == *s.hexDump);
        }
    }
}

TEST_CASE("xml trace: a message cut at every byte gives the text up to the fault, and says so", "[trace]") {
    for (const Sample& s : samples("messages.jsonl")) {
        if (s.message.size() > 220) continue;
        for (std::size_t n = 0; n < s.message.size(); ++n) {
            INFO(s.name << " cut to " << n);
            const std::vector<std::byte> cut(s.message.begin(), s.message.begin() + static_cast<std::ptrdiff_t>(n));
            Error e;
            const std::string text = xmlOf(cut, e);
            CHECK(text.starts_with("<!-- rwfMajorVer=\"14\" rwfMinorVer=\"1\" -->\n"));
            CHECK(text.ends_with("\n"));
        }
    }
}

TEST_CASE("xml trace: a value that cannot be read leaves the others", "[trace]") {
    // An element list with an Int of nine bytes between two good ones.
    const auto wire = model::unhex("00080706000000051005"
                                   "08"
                                   "0003"
                                   "0161030105"
                                   "01620309010203040506070809"
                                   "0163030107");
    Error e;
    const std::string text = xmlOf(wire, e);
    INFO(text);
    CHECK(e.code == Errc::badValue);
    CHECK(text.find("name=\"a\" dataType=\"RSSL_DT_INT\" data=\"5\"/>") != text.npos);
    CHECK(text.find("name=\"b\" dataType=\"RSSL_DT_INT\" data=\"\"/>") != text.npos);
    CHECK(text.find("name=\"c\" dataType=\"RSSL_DT_INT\" data=\"7\"/>") != text.npos);
    CHECK(text.ends_with("</genericMsg>\n\n"));
}

TEST_CASE("xml trace: a peer cannot write entries of its own", "[trace]") {
    // The name of an element holds a line break and the heading of an entry.
    std::string name = "x\"/>\n<!-- End Message (Channel IPC descriptor = 1) -->\r\n";
    std::vector<std::byte> wire = model::unhex("00080706000000051005"
                                               "08"
                                               "0001");
    wire.push_back(static_cast<std::byte>(name.size()));
    for (const char c : name)
        wire.push_back(static_cast<std::byte>(c));
    for (const std::byte b : model::unhex("030105"))
        wire.push_back(b);
    Error e;
    const std::string text = xmlOf(wire, e);
    INFO(text);
    CHECK(e.ok());
    CHECK(text.find("\n<!-- End") == text.npos);
    CHECK(text.find("x\"/>(0x0a)<!-- End Message (Channel IPC descriptor = 1) -->(0x0d)(0x0a)\"") != text.npos);
}
