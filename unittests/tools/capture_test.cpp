// pcap and pcapng files made here: link layers, both IP versions, retransmitted, reordered and missing segments.
#include "eta/codec/model/Value.h"
#include "rwfcat/rwfcat.h"
#include "support.h"
#include "support/paths.h"

#include <map>

#ifdef RWFCAT_HAS_PCAP

using namespace emissary::eta;
using namespace emissary::rwfcat;
using codec::model::unhex;

namespace {

using Data = std::vector<std::byte>;

void put(Data& out, std::uint64_t v, int bytes, bool little = false) {
    for (int i = 0; i < bytes; ++i)
        out.push_back(static_cast<std::byte>(v >> 8 * (little ? i : bytes - 1 - i)));
}

void put(Data& out, const Data& more) {
    out.insert(out.end(), more.begin(), more.end());
}

struct Packet {
    bool fromServer = false;
    std::uint32_t sequence = 0;
    Data payload;
    std::uint8_t flags = 0x18;
    std::size_t captured = SIZE_MAX;  // bytes of the packet that the capture kept
};

enum class Link { ethernet = 1, vlan = -1, cooked = 113, loopback = 0, raw = 101 };

Data segment(const Packet& p, bool v6) {
    Data tcp;
    put(tcp, p.fromServer ? 14002 : 40000, 2);
    put(tcp, p.fromServer ? 40000 : 14002, 2);
    put(tcp, p.sequence, 4);
    put(tcp, 0, 4);
    put(tcp, 0x50, 1);
    put(tcp, p.flags, 1);
    put(tcp, 0, 6);
    put(tcp, p.payload);
    Data ip;
    if (v6) {
        put(ip, 0x60000000, 4);
        put(ip, tcp.size(), 2);
        put(ip, 6, 1);
        put(ip, 64, 1);
        for (const unsigned end : {p.fromServer ? 2u : 1u, p.fromServer ? 1u : 2u})
            put(ip, 0, 8), put(ip, end, 8);
    } else {
        put(ip, 0x45, 1);
        put(ip, 0, 1);
        put(ip, 20 + tcp.size(), 2);
        put(ip, 0, 4);
        put(ip, 64, 1);
        put(ip, 6, 1);
        put(ip, 0, 2);
        put(ip, p.fromServer ? 0x0A000002 : 0x0A000001, 4);
        put(ip, p.fromServer ? 0x0A000001 : 0x0A000002, 4);
    }
    put(ip, tcp);
    return ip;
}

Data frameOf(const Packet& p, Link link, bool v6) {
    Data out;
    const unsigned type = v6 ? 0x86DD : 0x0800;
    if (link == Link::ethernet || link == Link::vlan) put(out, 0, 12);
    if (link == Link::vlan) put(out, 0x81000005, 4);
    if (link == Link::cooked) put(out, 0, 14);
    if (link == Link::loopback) put(out, v6 ? 10 : 2, 4, true);
    else if (link != Link::raw) put(out, type, 2);
    put(out, segment(p, v6));
    return out;
}

std::string file(const std::vector<Packet>& packets, Link link = Link::ethernet, bool v6 = false, bool ng = false) {
    Data out;
    const unsigned linkType = link == Link::vlan ? 1 : static_cast<unsigned>(link);
    if (ng) {
        put(out, unhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000"));
        put(out, 1, 4, true), put(out, 20, 4, true), put(out, linkType, 2, true), put(out, 0, 2, true);
        put(out, 65535, 4, true), put(out, 20, 4, true);
    } else {
        put(out, unhex("d4c3b2a1020004000000000000000000ffff0000"));
        put(out, linkType, 4, true);
    }
    std::uint64_t microseconds = 1'700'000'000'000'001;
    for (const Packet& p : packets) {
        const Data packet = frameOf(p, link, v6);
        const std::size_t kept = std::min(packet.size(), p.captured);
        if (ng) {
            const std::size_t padded = (kept + 3) / 4 * 4;
            put(out, 6, 4, true), put(out, 32 + padded, 4, true), put(out, 0, 4, true);
            put(out, microseconds >> 32, 4, true), put(out, microseconds & 0xFFFFFFFF, 4, true);
            put(out, kept, 4, true), put(out, packet.size(), 4, true);
            out.insert(out.end(), packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(kept));
            out.resize(out.size() + padded - kept);
            put(out, 32 + padded, 4, true);
        } else {
            put(out, microseconds / 1'000'000, 4, true), put(out, microseconds % 1'000'000, 4, true);
            put(out, kept, 4, true), put(out, packet.size(), 4, true);
            out.insert(out.end(), packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(kept));
        }
        ++microseconds;
    }
    return {reinterpret_cast<const char*>(out.data()), out.size()};
}

struct Printed {
    Counts counts;
    std::string out, notes;
};

Printed printed(const std::string& content, std::uint16_t port = 0) {
    Printed p;
    Options options;
    options.capture.port = port;
    const Outputs outputs{[&p](std::string_view s) { p.out += s; },
                          [&p](std::string_view s) { p.notes.append(s) += "\n"; }};
    p.counts = print(content, "capture", options, outputs);
    return p;
}

Data handshake(bool ack) {
    std::ifstream in(emissary::test::vectorPath("/ripc/v14_nokey_request_and_ack.hex"));
    std::string line;
    std::vector<std::string> lines;
    while (std::getline(in, line))
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    REQUIRE(lines.size() == 2);
    return unhex(lines[ack ? 1 : 0]);
}

/// A frame with a close message of that stream.
Data closing(unsigned stream) {
    Data out = unhex("000d02"
                     "00080506");
    put(out, stream, 4);
    put(out, 0, 2);
    return out;
}

/// Client and server shake hands, then the server sends four messages of 13 bytes each.
std::vector<Packet> conversation() {
    const Data request = handshake(false), ack = handshake(true);
    std::vector<Packet> all{{false, 999, {}, 0x02}, {true, 0xFFFFFF00, {}, 0x12}, {false, 1000, request}};
    std::uint32_t at = 0xFFFFFF01;  // wraps on the way
    all.push_back({true, at, ack});
    at += static_cast<std::uint32_t>(ack.size());
    for (unsigned stream = 1; stream <= 20; ++stream) {
        all.push_back({true, at, closing(stream)});
        at += 13;
    }
    return all;
}

std::vector<int> streams(const std::string& out) {
    std::vector<int> ids;
    for (std::size_t at = 0; (at = out.find("\"streamId\":", at)) != std::string::npos; ++at)
        ids.push_back(std::stoi(out.substr(at + 11)));
    return ids;
}

std::vector<int> upTo(int n) {
    std::vector<int> ids;
    for (int i = 1; i <= n; ++i)
        ids.push_back(i);
    return ids;
}

}  // namespace

TEST_CASE("captures of every link layer and both formats", "[rwfcat]") {
    for (const Link link : {Link::ethernet, Link::vlan, Link::cooked, Link::loopback, Link::raw})
        for (const bool v6 : {false, true})
            for (const bool ng : {false, true}) {
                INFO(static_cast<int>(link) << (v6 ? " IPv6" : " IPv4") << (ng ? " pcapng" : " pcap"));
                const Printed p = printed(file(conversation(), link, v6, ng));
                INFO(p.notes);
                CHECK(streams(p.out) == upTo(20));
                CHECK(p.counts.faults == 0);
                CHECK(emissary::test::has(p.notes, "connection request, RIPC 14"));
                const char* const source = v6 ? "\"from\":\"[::2]:14002\",\"to\":\"[::1]:40000\""
                                              : "\"from\":\"10.0.0.2:14002\",\"to\":\"10.0.0.1:40000\"";
                CHECK(emissary::test::has(p.out, source));
                CHECK(emissary::test::has(p.out, "\"time\":\"2023-11-14T22:13:20.000005Z\""));
            }
}

TEST_CASE("segments that come twice, overlapping or out of order", "[rwfcat]") {
    auto all = conversation();
    SECTION("twice") {
        all.insert(all.begin() + 7, all[6]);
        all.push_back(all[10]);
        all.insert(all.begin() + 4, all[3]);
    }
    SECTION("overlapping") {
        Packet both{true, all[6].sequence, all[6].payload};
        put(both.payload, all[7].payload);
        put(both.payload, {all[8].payload.begin(), all[8].payload.begin() + 5});
        all.insert(all.begin() + 7, both);
    }
    SECTION("out of order") {
        std::swap(all[6], all[9]);
        std::swap(all[12], all[13]);
    }
    SECTION("cut into bytes") {
        std::vector<Packet> bytes(all.begin(), all.begin() + 4);
        for (std::size_t i = 4; i < all.size(); ++i)
            for (std::size_t n = 0; n < all[i].payload.size(); ++n)
                bytes.push_back({true, all[i].sequence + static_cast<std::uint32_t>(n), {all[i].payload[n]}});
        all = bytes;
    }
    const Printed p = printed(file(all));
    INFO(p.notes);
    CHECK(streams(p.out) == upTo(20));
    CHECK(p.counts.faults == 0);
}

TEST_CASE("segments that were not captured", "[rwfcat]") {
    auto all = conversation();
    std::vector<int> expected = upTo(20);
    SECTION("a whole one") {
        all.erase(all.begin() + 9);
        expected.erase(expected.begin() + 5);
    }
    SECTION("a part of one") {
        all[9].captured = 14 + 20 + 20 + 6;
        expected.erase(expected.begin() + 5);
    }
    const Printed p = printed(file(all));
    INFO(p.notes);
    CHECK(streams(p.out) == expected);
    CHECK(p.counts.faults == 1);
    CHECK(emissary::test::has(p.notes, "bytes were not captured"));
    CHECK(emissary::test::has(p.notes, "10.0.0.2:14002 > 10.0.0.1:40000"));
}

TEST_CASE("other traffic is left alone", "[rwfcat]") {
    Packet http{false, 5, unhex("474554202f20485454502f312e310d0a0d0a")};
    const Printed p = printed(file({http}));
    CHECK(p.out.empty());
    CHECK(p.counts.faults == 1);  // nothing was found
    CHECK(emissary::test::has(p.notes, "no RSSL connection was found in this capture"));
    CHECK(printed(file(conversation()), 14002).counts.messages == 20);
    CHECK(printed(file(conversation()), 14002).counts.faults == 0);
    const Printed other = printed(file(conversation()), 14003);
    CHECK(other.counts.messages == 0);
    CHECK(other.counts.faults == 1);
    CHECK(emissary::test::has(other.notes, "no RSSL connection was found on port 14003"));
    // from the middle, without the handshake
    auto all = conversation();
    all.erase(all.begin(), all.begin() + 6);
    CHECK(printed(file(all)).counts.messages == 18);
    // the same ends connect again
    auto twice = conversation();
    const auto again = conversation();
    twice.insert(twice.end(), again.begin(), again.end());
    CHECK(printed(file(twice)).counts.messages == 40);
}

TEST_CASE("files that are no captures, or end early", "[rwfcat]") {
    const std::string whole = file(conversation());
    for (std::size_t n = 4; n < whole.size(); n += 17) {
        const Printed p = printed(whole.substr(0, n));
        CHECK(p.counts.messages <= 20);
    }
    CHECK(printed(whole.substr(0, 10)).counts.faults == 1);
    CHECK(printed(whole.substr(0, whole.size() - 3)).counts.faults >= 1);
    for (std::size_t i = 0; i < whole.size(); i += 3) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 0xFF);
        CHECK(printed(changed).counts.messages <= 20);
    }
}

#endif
