// Headers and classes of service: golden vectors in both directions, and every cut.
#include "fixture.h"
#include "support/paths.h"

#include <simdjson.h>

#include <filesystem>
#include <fstream>

using namespace tunneltest;

namespace {

template <class Each>
void forEachLine(const std::string& path, Each each) {
    std::ifstream file(path);
    REQUIRE(file);
    simdjson::dom::parser parser;
    for (std::string line; std::getline(file, line);) {
        simdjson::dom::object o;
        REQUIRE(parser.parse(line).get(o) == simdjson::SUCCESS);
        each(o);
    }
}

std::vector<SeqRange> ranges(simdjson::dom::array in) {
    std::vector<SeqRange> out;
    for (simdjson::dom::array range : in)
        out.push_back({static_cast<std::uint32_t>(range.at(0).get_uint64().value()),
                       static_cast<std::uint32_t>(range.at(1).get_uint64().value())});
    return out;
}
std::vector<SeqRange> ranges(const SeqRanges& in) {
    std::vector<SeqRange> out;
    for (std::size_t i = 0; i < in.size(); ++i)
        out.push_back(in[i]);
    return out;
}

void checkHeader(simdjson::dom::object v) {
    const std::string name(v["name"].get_string().value());
    INFO(name);
    const Block wire = unhex(v["hex"].get_string().value());
    const auto version = static_cast<std::uint8_t>(v["version"].get_uint64().value());
    Header header;
    const eta::Error e = decodeHeader(wire, version, header);
    if (v["error"].error() == simdjson::SUCCESS) {
        CHECK_FALSE(e.ok());
        return;
    }
    REQUIRE(e.ok());
    const simdjson::dom::object value = v["value"];
    const std::string_view op = value["op"];
    CHECK(header.op == (op == "data" ? OpCode::data : op == "retrans" ? OpCode::retransmission : OpCode::ack));
    std::array<std::byte, 256> room{};
    eta::BeWriter out{room};
    if (header.isData()) {
        std::uint64_t number = 0;
        CHECK(header.fragment == (value["totalMsgLength"].get_uint64().get(number) == simdjson::SUCCESS));
        if (header.fragment) {
            CHECK(header.totalBytes == number);
            CHECK(header.fragmentNumber == value["fragmentNumber"].get_uint64().value());
            CHECK(header.messageId == value["messageId"].get_uint64().value());
            CHECK(static_cast<unsigned>(header.containerType) == value["containerType"].get_uint64().value());
        }
        encodeData(out, header, version);
        if (name.find("unknown") == std::string::npos) CHECK(hex(out.view()) == hex(wire));
        return;
    }
    CHECK(header.fin == (op == "fin"));
    CHECK(header.seqNum == value["seqNum"].get_uint64().value());
    CHECK(header.window == value["recvWindow"].get_int64().value());
    CHECK(ranges(header.missing) == ranges(value["nak"].get_array().value()));
    CHECK(ranges(header.received) == ranges(value["ackRanges"].get_array().value()));
    encodeAck(out, header.fin, header.seqNum, ranges(header.missing), header.window);
    const bool ours = header.received.empty() && header.missing.size() <= kMostRanges &&
                      name.find("wide") == std::string::npos && name.find("trailing") == std::string::npos;
    if (ours) CHECK(hex(out.view()) == hex(wire));
}

}  // namespace

TEST_CASE("headers of tunnels decode and encode as the vectors say", "[tunnel]") {
    std::size_t count = 0;
    forEachLine(test::vectorPath("/tunnel/headers.jsonl"), [&](simdjson::dom::object v) {
        ++count;
        checkHeader(v);
    });
    CHECK(count == 231);
}

TEST_CASE("classes of service of the recorded sessions decode, and ours are written like them", "[tunnel]") {
    // The other library numbers its parts the same way and writes every type; the C edition leaves types out.
    std::size_t requests = 0, same = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::vectorPath("/tunnel"))) {
        if (entry.path().extension() != ".jsonl" || entry.path().filename() == "headers.jsonl" ||
            entry.path().filename() == "messages.jsonl")
            continue;
        const bool foreign = entry.path().filename() == "c-perf.jsonl";
        INFO(entry.path());
        forEachLine(entry.path().string(), [&](simdjson::dom::object v) {
            std::string_view text;
            if (v["hex"].get_string().get(text) != simdjson::SUCCESS || v["dir"].error() != simdjson::SUCCESS) return;
            const Block wire = unhex(text);
            Msg m;
            if (!decodeMsg(wire, m).ok() || m.containerType != DataType::FilterList) return;
            if (v["proxy"].error() == simdjson::SUCCESS) return;
            ClassOfService cos;
            if (!decode(m.payload, cos).ok()) return;  // made to be refused
            ++requests;
            std::array<std::byte, 1024> room{};
            eta::BeWriter out{room};
            const bool asking = m.cls == MsgClass::Request;
            REQUIRE(encode(out, cos, asking ? Writer::consumer : Writer::provider).ok());
            // What a rejection offers is recorded without the sizes; ours has them, as the table in 1.2 says.
            if (!foreign && m.cls != MsgClass::Status && m.key.filter == filterOf(cos)) {
                same += hex(out.view()) == shortLengths(hex(m.payload)) ? 1u : 0u;
                if (cos.streamVersion <= kStreamVersion) CHECK(hex(out.view()) == shortLengths(hex(m.payload)));
            }
            for (std::size_t n = 0; n < m.payload.size(); ++n) {
                const Block cut(m.payload.begin(), m.payload.begin() + static_cast<std::ptrdiff_t>(n));
                ClassOfService partial;
                (void)decode(cut, partial);  // it reads no further than the cut: AddressSanitizer looks on
            }
        });
    }
    CHECK(requests > 50);
    CHECK(same > 40);
}

TEST_CASE("a class of service keeps all its values, and wrong ones are refused", "[tunnel]") {
    ClassOfService cos = windowed(20'000);
    cos.maxMsgSize = 1'000'000;
    cos.maxFragmentSize = 3000;
    cos.authentication = Authentication::ommLogin;
    cos.guarantee = Guarantee::persistentQueue;
    cos.protocolMinorVersion = 0;
    std::array<std::byte, 1024> room{};
    eta::BeWriter out{room};
    REQUIRE(encode(out, cos, Writer::provider).ok());
    CHECK(filterOf(cos) == 0x1F);
    ClassOfService back;
    REQUIRE(decode(out.view(), back).ok());
    CHECK(back == cos);

    const auto with = [&](std::string_view from, std::string_view to) {
        std::string text = hex(out.view());
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        return unhex(text);
    };
    // ":ProtocolType" UInt of one byte, then with another type, and with a number of two bytes.
    const std::string name = hex(eta::asBytes(":ProtocolType"));
    CHECK(decode(with(name + "040100", name + "030100"), back).code == eta::Errc::unsupportedType);
    const std::string window = hex(eta::asBytes(":RecvWindowSize"));
    CHECK(decode(with(window + "03", window + "04"), back).code == eta::Errc::unsupportedType);
}
