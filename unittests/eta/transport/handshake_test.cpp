// Handshake messages as bytes: every capture both ways, every cut, the negotiation table.
#include "eta/core/version.h"
#include "support.h"
#include "support/catch.hpp"
#include "transport/channel/handshake.h"

using namespace transport_test;

namespace {

using RequestKind = Parsed<ConnectionRequest>::Kind;
using AckKind = Parsed<ConnectionAck>::Kind;
using KeyKind = Parsed<ClientKey>::Kind;

ConnectionRequest requestOf(const ByteVector& wire) {
    const auto p = parseRequest(wire);
    INFO(p.reason);
    REQUIRE(p.kind == RequestKind::ok);
    REQUIRE(p.consumed == wire.size());
    return p.value;
}

ConnectionAck ackOf(const ByteVector& wire, bool keyAsked) {
    const auto p = parseAck(wire, keyAsked);
    INFO(p.reason);
    REQUIRE(p.kind == AckKind::ok);
    REQUIRE(p.consumed == wire.size());
    return p.value;
}

std::string reasonOf(const ByteVector& wire) {
    const auto p = parseRequest(wire);
    CHECK(p.kind == RequestKind::bad);
    return p.reason;
}
std::string ackReasonOf(const ByteVector& wire, bool keyAsked = false) {
    const auto p = parseAck(wire, keyAsked);
    CHECK(p.kind == AckKind::bad);
    return p.reason;
}

ByteVector edited(ByteVector wire, std::size_t at, const std::string& bytes) {
    const ByteVector b = hex(bytes);
    std::copy(b.begin(), b.end(), wire.begin() + static_cast<std::ptrdiff_t>(at));
    return wire;
}

}  // namespace

TEST_CASE("captured requests parse, and encode to the same bytes", "[transport][handshake]") {
    std::vector<ByteVector> wires = vectorLines("fallback_requests_14_13_12_11");
    for (const char* name : {"v14_request_nocomp", "v14_request_zlib", "v14_request_lz4", "v14_request_ping5"})
        wires.push_back(vectorLines(name).at(0));
    for (const char* name :
         {"v14_nokey_request_and_ack", "v13_request_and_ack", "v12_request_and_ack", "v11_request_and_ack"})
        wires.push_back(vectorLines(name).at(0));
    for (const ByteVector& wire : wires) {
        INFO(toHex(wire));
        CHECK(toHex(encodeRequest(requestOf(wire))) == toHex(wire));
        for (std::size_t n = 0; n < wire.size(); ++n) {
            const ByteVector cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n));
            REQUIRE(parseRequest(cut).kind == RequestKind::needMore);
        }
    }
    const ConnectionRequest r = requestOf(wires[4]);
    CHECK(r.ripcVersion == 14);
    CHECK(r.keyExchange);
    CHECK(r.pingTimeout == 60);
    CHECK(r.hostName == "vm");
    CHECK(r.ipAddress == "127.0.0.1");
    CHECK(r.componentText == "etaj3.9.1.L1.all.rrg|cliver1.0");
    CHECK(requestOf(wires[5]).compressionBitmap == 1);
    CHECK(requestOf(wires[6]).compressionBitmap == 2);
    CHECK(requestOf(wires[7]).pingTimeout == 5);
    CHECK(requestOf(wires[7]).major == 13);
    CHECK(requestOf(wires[7]).minor == 9);
    CHECK(requestOf(wires[3]).ripcVersion == 11);
}

TEST_CASE("captured acks parse, and encode to the same bytes", "[transport][handshake]") {
    struct Row {
        ByteVector wire;
        bool key;
    };
    std::vector<Row> rows;
    for (const char* name :
         {"v14_ack_keyexchange", "v14_ack_zlib", "v14_ack_lz4", "v14_ack_ping10", "v14_ack_forced_zlib"})
        rows.push_back({vectorLines(name).at(0), true});
    for (const char* name :
         {"v14_nokey_request_and_ack", "v13_request_and_ack", "v12_request_and_ack", "v11_request_and_ack"})
        rows.push_back({vectorLines(name).at(1), false});
    for (const Row& row : rows) {
        INFO(toHex(row.wire));
        CHECK(toHex(encodeAck(ackOf(row.wire, row.key))) == toHex(row.wire));
        for (std::size_t n = 0; n < row.wire.size(); ++n) {
            const ByteVector cut(row.wire.begin(), row.wire.begin() + static_cast<std::ptrdiff_t>(n));
            REQUIRE(parseAck(cut, row.key).kind == AckKind::needMore);
        }
    }
    const ConnectionAck a = ackOf(rows[0].wire, true);
    CHECK(a.ripcVersion == 14);
    CHECK(a.maxMessage == 6144);
    CHECK(a.sessionFlags == 3);
    CHECK(a.pingTimeout == 60);
    CHECK(a.hasKey);
    CHECK(a.key.p == 0x0a76b62045fadc54u);
    CHECK(a.key.g == 5);
    CHECK(a.key.serverKey == 0x09641ea16940ab55u);
    CHECK(a.componentText == "etaj3.9.1.L1.all.rrg|srvver2.0");
    CHECK(ackOf(rows[1].wire, true).compressionType == 1);
    CHECK(ackOf(rows[1].wire, true).compressionLevel == 6);
    CHECK(ackOf(rows[2].wire, true).compressionType == 2);
    CHECK(ackOf(rows[3].wire, true).pingTimeout == 10);
    CHECK(ackOf(rows[4].wire, true).forcedCompression);
    CHECK(ackOf(rows[8].wire, false).ripcVersion == 11);
}

TEST_CASE("requests that must be refused", "[transport][handshake]") {
    const ByteVector v14 = vectorLines("v14_nokey_request_and_ack").at(0);
    const ByteVector v12 = vectorLines("v12_request_and_ack").at(0);
    CHECK_THAT(reasonOf(hex("000f")), Catch::Contains("length 15"));
    CHECK_THAT(reasonOf(hex("0321")), Catch::Contains("length 801"));
    CHECK_THAT(reasonOf(hex("47455420")), Catch::Contains("HTTP"));
    CHECK_THAT(reasonOf(hex("16030100")), Catch::Contains("TLS"));
    CHECK_THAT(reasonOf(edited(v14, 3, "00000013")), Catch::Contains("version 19"));
    CHECK_THAT(reasonOf(edited(v14, 3, "00000018")), Catch::Contains("version 24"));
    CHECK(parseRequest(edited(v14, 3, "00000018")).kind == RequestKind::bad);
    CHECK(parseRequest(Bytes(edited(v14, 3, "00000018")).first(7)).kind == RequestKind::bad);  // at once
    SECTION("lengths that disagree") {
        reasonOf(edited(v14, 8, "ff"));
        reasonOf(edited(v14, 8, "05"));
        reasonOf(edited(v14, 8, "1f"));
        reasonOf(edited(v14, 8, "21"));
        reasonOf(edited(v12, 8, "1f"));
        reasonOf(edited(v14, 9, "c0"));   // bitmap
        reasonOf(edited(v14, 15, "40"));  // host
        reasonOf(edited(v14, 22, "10"));  // address
        reasonOf(edited(v14, 32, "0b"));  // block one too long
        reasonOf(edited(v14, 32, "09"));  // one too short
        reasonOf(edited(v14, 33, "0a"));  // text longer than its block
        ByteVector longer = edited(v12, 0, "0021");
        longer.push_back(std::byte{0});
        reasonOf(longer);
    }
    SECTION("two line-end bytes are tolerated, inside or behind") {
        ByteVector inside = edited(v14, 0, "002d");
        const ByteVector end = hex("0d0a");
        inside.insert(inside.end(), end.begin(), end.end());
        CHECK(requestOf(inside).ripcVersion == 14);
        ByteVector behind = v14;
        behind.insert(behind.end(), end.begin(), end.end());
        CHECK(requestOf(behind).ripcVersion == 14);
    }
    SECTION("opcode and unknown flags are ignored, and what follows the text in the block") {
        CHECK(requestOf(edited(v14, 2, "07")).ripcVersion == 14);
        const ConnectionRequest r = requestOf(edited(v14, 7, "f7"));
        CHECK_FALSE(r.keyExchange);
        CHECK(requestOf(edited(v14, 33, "05")).componentText == "pycli");
    }
    SECTION("a v13 request cannot ask for keys") {
        CHECK_FALSE(requestOf(edited(vectorLines("v13_request_and_ack").at(0), 7, "08")).keyExchange);
    }
    SECTION("every byte changed to every extreme is survived") {
        for (std::size_t i = 0; i < v14.size(); ++i) {
            for (const char* v : {"00", "01", "7f", "80", "ff"}) {
                const ByteVector bad = edited(v14, i, v);
                const auto p = parseRequest(bad);
                static_cast<void>(p);
            }
        }
    }
}

TEST_CASE("over-long texts are cut so that the lengths hold", "[transport][handshake]") {
    ConnectionRequest r;
    r.compressionBitmap = 3;
    r.hostName.assign(1000, 'h');
    r.ipAddress = "127.0.0.1";
    r.componentText.assign(1000, 'c');
    const ConnectionRequest back = requestOf(encodeRequest(r));
    CHECK(back.hostName == std::string(255 - 18 - 9, 'h'));
    CHECK(back.ipAddress == "127.0.0.1");
    CHECK(back.componentText == std::string(253, 'c'));
    CHECK(encodeRequest(r).size() == 255 + 2 + 253);
}

TEST_CASE("acks that must be refused", "[transport][handshake]") {
    const ByteVector ack = vectorLines("v14_nokey_request_and_ack").at(1);
    CHECK_THAT(ackReasonOf(hex("0401")), Catch::Contains("1025"));
    CHECK_THAT(ackReasonOf(hex("0003 02")), Catch::Contains("not a connection ack"));
    CHECK_THAT(ackReasonOf(hex("0010 02 41")), Catch::Contains("neither"));
    CHECK_THAT(ackReasonOf(edited(ack, 3, "03")), Catch::Contains("neither"));
    CHECK_THAT(ackReasonOf(edited(ack, 3, "04")), Catch::Contains("neither"));
    CHECK_THAT(ackReasonOf(edited(ack, 6, "0000000a")), Catch::Contains("version 10"));
    CHECK_THAT(ackReasonOf(edited(ack, 6, "00000005")), Catch::Contains("version 5"));
    CHECK_THAT(ackReasonOf(edited(ack, 10, "000f")), Catch::Contains("15 bytes"));
    CHECK(ackOf(edited(ack, 10, "0010"), false).maxMessage == 16);
    CHECK_THAT(ackReasonOf(edited(ack, 16, "0003")), Catch::Contains("compression 3"));
    CHECK_THAT(ackReasonOf(edited(ack, 18, "0a")), Catch::Contains("level 10"));
    ackReasonOf(edited(ack, 20, "ff"));   // text past the end
    ackReasonOf(edited(ack, 0, "0012"));  // cut short by its own length
    ackReasonOf(ack, true);               // asked for a key: text is taken as one, and is too short
    CHECK(ackOf(edited(ack, 19, "18"), false).componentText == ackOf(ack, false).componentText);  // block 2 + S
    CHECK(ackOf(edited(ack, 2, "81"), false).compressionType == 1);  // forced without a type means zlib
}

TEST_CASE("a nak yields its text", "[transport][handshake]") {
    const ByteVector wire = vectorLines("nak").at(0);
    const auto p = parseAck(wire, false);
    CHECK(p.kind == AckKind::nak);
    CHECK(p.reason == "Connection refused.");
    CHECK(encodeNak("Connection refused.") == wire);
    CHECK(parseAck(edited(wire, 6, "ffff"), false).reason == "Connection refused.");  // clamped
    CHECK(parseAck(edited(wire, 6, "0004"), false).reason == "Conn");
}

TEST_CASE("client keys", "[transport][handshake]") {
    const ByteVector wire = vectorLines("v14_client_key").at(0);
    const auto p = parseClientKey(wire);
    REQUIRE(p.kind == KeyKind::ok);
    CHECK(p.value.key == 0x068d0c688266d1a1u);
    CHECK(encodeClientKey(p.value) == wire);
    CHECK(toHex(encodeClientKey({})) == "00040800");
    CHECK(parseClientKey(hex("00040800")).kind == KeyKind::ok);
    for (std::size_t n = 0; n < wire.size(); ++n) {
        const ByteVector cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n));
        CHECK(parseClientKey(cut).kind == KeyKind::needMore);
    }
    for (const char* bad :
         {"0005", "000d", "0003 02", "0008 02 41", "000c 02", "000c 08 00", "0004 08 08", "0004 02 41"})
        CHECK(parseClientKey(hex(bad)).kind == KeyKind::bad);
}

TEST_CASE("key arithmetic", "[transport][handshake]") {
    constexpr std::uint64_t p = 0x7fffffffffffffe7, a = 0x1122334455667788, b = 0x0102030405060708;
    const std::uint64_t server = powMod(5, a, p), client = powMod(5, b, p);
    CHECK(server == 0x560a7e0e51dd22c6u);
    CHECK(client == 0x31599d7c11991a94u);
    CHECK(powMod(server, b, p) == 0x006b9bef84a902f7u);
    CHECK(powMod(client, a, p) == 0x006b9bef84a902f7u);
    CHECK(powMod(5, 3, 0) == 0);
    CHECK(powMod(5, 3, 1) == 0);
    CHECK(powMod(0xFFFFFFFFFFFFFFFEu, 2, 0xFFFFFFFFFFFFFFFFu) == 1);
    for (int i = 0; i < 100; ++i) {
        CHECK(randomModulus() >> 61 == 1);  // below 2^62, and large
    }
}

TEST_CASE("negotiation", "[transport][handshake]") {
    BindOptions o;
    o.minPingTimeoutSeconds = 10;
    o.pingTimeoutSeconds = 30;
    ConnectionRequest r;
    SECTION("ping timeout") {
        const auto agreed = [&](int wanted) {
            r.pingTimeout = static_cast<std::uint8_t>(wanted);
            return int{negotiate(o, r).pingTimeout};
        };
        CHECK(agreed(5) == 10);
        CHECK(agreed(10) == 10);
        CHECK(agreed(17) == 17);
        CHECK(agreed(30) == 30);
        CHECK(agreed(200) == 30);
        CHECK(agreed(0) == 10);
        o.pingTimeoutSeconds = 0;
        CHECK(agreed(60) == 1);
        o.pingTimeoutSeconds = 5;  // below the minimum: the maximum wins
        CHECK(agreed(60) == 5);
    }
    SECTION("ping directions") {
        for (int client = 0; client < 4; ++client) {
            for (int own = 0; own < 4; ++own) {
                o.clientToServerPings = (own & 1) != 0;
                o.serverToClientPings = (own & 2) != 0;
                r.sessionFlags = static_cast<std::uint8_t>(client);
                CHECK(int{negotiate(o, r).sessionFlags} == (client | own));
            }
        }
    }
    SECTION("the lower protocol version wins") {
        const auto agreed = [&](int major, int minor) {
            r.major = static_cast<std::uint8_t>(major);
            r.minor = static_cast<std::uint8_t>(minor);
            const ConnectionAck a = negotiate(o, r);
            return a.major * 100 + a.minor;
        };
        CHECK(agreed(13, 9) == 1309);
        CHECK(agreed(14, 0) == 1400);
        CHECK(agreed(14, 1) == 1401);
        CHECK(agreed(14, 2) == 1401);
        CHECK(agreed(15, 0) == 1401);
    }
    SECTION("no compression unless the server has one, the server's M, the request's version") {
        r.compressionBitmap = 3;
        r.ripcVersion = 12;
        o.maxFragmentSize = 1234;
        const ConnectionAck a = negotiate(o, r);
        CHECK(a.compressionType == 0);
        CHECK(a.maxMessage == 1234);
        CHECK(a.ripcVersion == 12);
    }
}

TEST_CASE("the worked example of docs/wire/ripc.md", "[transport][handshake]") {
    const auto request =
        hex("002b 00 00000017 00 20 00 3c 00 00 0e01 06 7079686f7374 09 3132372e302e302e31 0a 09 7079636c692d312e30");
    const ConnectionRequest r = requestOf(request);
    CHECK(encodeRequest(r) == request);
    ConnectionAck ack = negotiate(BindOptions{}, r);
    ack.componentText = "emissary0.1";  // today's has today's version
    CHECK(encodeAck(ack) == hex("0020 01 01 0a 00 00000009 1800 03 3c 0e01 0000 00 0c 0b 656d697373617279302e31"));
}

TEST_CASE("the handshake names this library with its version", "[transport][handshake]") {
    CHECK(componentText("") == "emissary" + std::string(emissary::version()));
    CHECK(componentText("mine") == componentText("") + "|mine");
}
