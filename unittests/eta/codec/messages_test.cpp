// Message headers beyond the vectors: reuse, clean-up, late members, tolerance, keys.
#include "eta/codec/Msg.h"
#include "eta/codec/model/json.h"
#include "support/catch.hpp"
#include "support/same_key.h"

using namespace emissary::eta;
using namespace emissary::eta::codec;
using emissary::test::sameKey;
using model::hex;
using model::unhex;
using model::wire;

namespace {

[[nodiscard]] std::string encoded(const Msg& m) {
    std::vector<std::byte> block(maxEncodedSize(m));
    BeWriter out{block};
    const Error e = encodeMsg(out, m);
    return e.ok() ? hex(out.view()) : describe(e.code);
}

}  // namespace

TEST_CASE("one Msg struct serves every message in turn", "[codec][msg]") {
    // The same result from a fresh struct and from one that has seen every class and every member.
    Msg reused;
    model::forEachVector("messages.jsonl", [&reused](const model::Vector& v) {
        INFO(v.name);
        Msg fresh;
        REQUIRE(decodeMsg(v.bytes, fresh).ok());
        REQUIRE(decodeMsg(v.bytes, reused).ok());
        CHECK(encoded(reused) == encoded(fresh));
        CHECK(reused.hasKey() == fresh.hasKey());
        if (fresh.hasKey()) CHECK(sameKey(reused.key, fresh.key));
        CHECK(reused.raw.size() == v.bytes.size());
    });
}

TEST_CASE("an update without optional members has the same bytes in every block", "[codec][msg]") {
    // The writer has a way of its own for these where there is room, and goes piece by piece where there may not be.
    const std::vector<std::byte> content(300, std::byte{0xC3});
    constexpr std::uint16_t kFlags[] = {UpdateFlag::doNotCache, UpdateFlag::doNotConflate, UpdateFlag::doNotRipple,
                                        UpdateFlag::discardable, 0x8000};  // the last one is not defined
    for (unsigned chosen = 0; chosen < 1u << std::size(kFlags); ++chosen)
        for (const std::int32_t stream : {5, -1, 0x7FFFFFFF})
            for (const std::size_t size : {std::size_t{0}, std::size_t{1}, content.size()})
                for (const DataType type : {DataType::NoData, DataType::FieldList, DataType::Json}) {
                    Msg m;
                    m.cls = MsgClass::Update;
                    m.domain = static_cast<std::uint8_t>(250 + chosen % 6);
                    m.streamId = stream;
                    m.updateType = 200;
                    m.containerType = type;
                    m.payload = Bytes(content).first(size);
                    for (std::size_t i = 0; i < std::size(kFlags); ++i)
                        if ((chosen >> i & 1) != 0) m.flags |= kFlags[i];

                    std::vector<std::byte> block(400);
                    BeWriter expected{block};
                    const auto flags = static_cast<std::uint16_t>(m.flags & 0x7FF);
                    expected.u16(flags < 0x80 ? 9 : 10);
                    expected.u8(4);
                    expected.u8(m.domain);
                    expected.u32(static_cast<std::uint32_t>(stream));
                    expected.u15rb(flags);
                    expected.u8(static_cast<std::uint8_t>(static_cast<unsigned>(type) - 128u));
                    expected.u8(200);
                    if (type != DataType::NoData) expected.bytes(m.payload);
                    const std::string bytes = hex(expected.view());

                    CAPTURE(chosen, stream, size, static_cast<int>(type));
                    CHECK(maxEncodedSize(m) >= expected.size());
                    for (std::size_t room = expected.size() - 1; room < expected.size() + 4; ++room) {
                        std::vector<std::byte> small(room);
                        BeWriter out{small};
                        const Error e = encodeMsg(out, m);
                        if (room < expected.size()) {
                            CHECK_FALSE(e.ok());
                            CHECK(out.size() == 0);
                        } else {
                            CHECK(e.ok());
                            CHECK(hex(out.view()) == bytes);
                        }
                    }
                }
}

TEST_CASE("flags of members that are empty are cleared when written", "[codec][msg]") {
    Msg m;
    SECTION("permission data and conflation of an update") {
        m.flags = UpdateFlag::permData | UpdateFlag::confInfo | UpdateFlag::doNotCache;
        //                        size  class, domain, stream | flags | type | update type
        CHECK(encoded(m) == "0009"
                            "0406"
                            "00000000"
                            "40"
                            "00"
                            "00");
    }
    SECTION("group id of a status") {
        m.cls = MsgClass::Status;
        m.flags = StatusFlag::groupId;
        CHECK(encoded(m) == "0008"
                            "0306"
                            "00000000"
                            "00"
                            "00");
    }
    SECTION("text and nak code of an ack") {
        m.cls = MsgClass::Ack;
        m.flags = AckFlag::text | AckFlag::nakCode;
        CHECK(encoded(m) == "000c"
                            "0606"
                            "00000000"
                            "00"
                            "00"
                            "00000000");
    }
    SECTION("key name, and name type with it") {
        m.cls = MsgClass::Request;
        m.key.flags = KeyFlag::name | KeyFlag::nameType;
        CHECK(encoded(m) == "000b"
                            "0106"
                            "00000000"
                            "00"
                            "00"
                            "800100");
    }
    SECTION("a refresh without group id gets the two-byte zero group, and never a request key") {
        m.cls = MsgClass::Refresh;
        m.flags = RefreshFlag::reqMsgKey;
        m.state = {StreamState::open, DataState::ok, 0, {}};
        CHECK(encoded(m) == "000e"
                            "0206"
                            "00000000"
                            "00"
                            "00"
                            "090000"
                            "020000");
    }
}

TEST_CASE("late members that old senders leave out lose their flag", "[codec][msg]") {
    Msg m;
    SECTION("post user info of an update, with fewer than 8 bytes left") {
        REQUIRE(decodeMsg(wire("000e"
                               "0406"
                               "00000005"
                               "8200"
                               "00"
                               "00"
                               "01020304"),
                          m)
                    .ok());
        CHECK(m.flags == 0);
        CHECK_FALSE(m.hasPostUserInfo());
    }
    SECTION("part number of a refresh") {
        REQUIRE(decodeMsg(wire("000f"
                               "0206"
                               "00000005"
                               "9000"
                               "00"
                               "090000"
                               "020000"),
                          m)
                    .ok());
        CHECK(m.flags == 0);
    }
    SECTION("part number and user rights of a post") {
        REQUIRE(decodeMsg(wire("0011"
                               "0806"
                               "00000005"
                               "8300"
                               "00"
                               "0000000100000002"),
                          m)
                    .ok());
        CHECK(m.flags == 0);
        CHECK(m.postUserId == 2);
    }
    SECTION("but half a part number is an error") {
        CHECK(decodeMsg(wire("0010"
                             "0206"
                             "00000005"
                             "9000"
                             "00"
                             "090000"
                             "020000"
                             "80"),
                        m)
                  .code == Errc::truncated);
    }
}

TEST_CASE("what a decoder must tolerate in a message", "[codec][msg]") {
    Msg m;
    SECTION("reserved class bits and undefined flags") {
        REQUIRE(decodeMsg(wire("0009"
                               "e406"
                               "00000005"
                               "f800"
                               "00"
                               "00"),
                          m)
                    .code == Errc::truncated);
        REQUIRE(decodeMsg(wire("000a"
                               "e406"
                               "00000005"
                               "f800"
                               "00"
                               "00"),
                          m)
                    .ok());
        CHECK(m.cls == MsgClass::Update);
    }
    SECTION("header and key bytes of later versions") {
        REQUIRE(decodeMsg(wire("0010"
                               "0106"
                               "00000005"
                               "00"
                               "04"
                               "03"
                               "00"
                               "aabb"
                               "ccddeeff"
                               "080000"),
                          m)
                    .ok());
        CHECK(m.key.flags == 0);
        CHECK(hex(m.payload) == "080000");
    }
    SECTION("a payload type that nobody knows") {
        REQUIRE(decodeMsg(wire("0009"
                               "0406"
                               "00000005"
                               "00"
                               "7f"
                               "00"
                               "1234"),
                          m)
                    .ok());
        CHECK(static_cast<unsigned>(m.containerType) == 255);
        CHECK(hex(m.payload) == "1234");
    }
    SECTION("a request key, where flagged") {
        REQUIRE(decodeMsg(wire("0012"
                               "0206"
                               "00000005"
                               "a000"
                               "00"
                               "090000"
                               "00"
                               "04"
                               "02024142"),
                          m)
                    .ok());
        CHECK(m.has(RefreshFlag::reqMsgKey));
        CHECK(asText(m.reqKey.name) == "AB");
        CHECK(m.reqKey.nameType == 1);
    }
}

TEST_CASE("what a decoder must refuse in a message", "[codec][msg]") {
    Msg m;
    CHECK(decodeMsg(wire("0008"
                         "0006"
                         "00000005"
                         "00"
                         "00"),
                    m)
              .code == Errc::badValue);
    CHECK(decodeMsg(wire("0008"
                         "0906"
                         "00000005"
                         "00"
                         "00"),
                    m)
              .code == Errc::badValue);
    CHECK(decodeMsg(wire("0008"
                         "1f06"
                         "00000005"
                         "00"
                         "00"),
                    m)
              .code == Errc::badValue);
    CHECK(decodeMsg(wire("0009"
                         "0406"
                         "00000005"
                         "00"
                         "80"
                         "00"),
                    m)
              .code == Errc::unsupportedType);
    CHECK(decodeMsg(wire("ffff"
                         "0406"
                         "00000005"
                         "00"
                         "00"
                         "00"),
                    m)
              .code == Errc::truncated);
    CHECK(decodeMsg(wire("0005"
                         "0406"
                         "00000005"
                         "00"
                         "00"
                         "00"),
                    m)
              .code == Errc::truncated);
    // The name claims 9 bytes, its key has 4: reading on into the extended header would be wrong.
    CHECK(decodeMsg(wire("0016"
                         "0106"
                         "00000005"
                         "01"
                         "00"
                         "04"
                         "02"
                         "09"
                         "4142"
                         "07"
                         "01020304050607"),
                    m)
              .code == Errc::truncated);
    CHECK(decodeMsg({}, m).code == Errc::truncated);
}

TEST_CASE("class, domain and stream id are known without decoding", "[codec][msg]") {
    const auto head = peekMsg(unhex("0016"
                                    "0106"
                                    "fffffffb"));
    REQUIRE(head.ok());
    CHECK(head.value().cls == MsgClass::Request);
    CHECK(head.value().domain == 6);
    CHECK(head.value().streamId == -5);
    CHECK(peekMsg(unhex("00160106fffffb")).error().code == Errc::truncated);
    CHECK(peekMsg(unhex("0016"
                        "0006"
                        "fffffffb"))
              .error()
              .code == Errc::badValue);
}

TEST_CASE("keys on their own", "[codec][msg]") {
    MsgKey key;
    key.flags = 0x3F;
    key.serviceId = 260;
    key.name = asBytes("IBM.N");
    key.nameType = 2;
    key.filter = 0x7F;
    key.identifier = -2;
    key.attribType = DataType::ElementList;
    const auto attrib = unhex("080000");
    key.attrib = attrib;
    std::array<std::byte, 64> block;
    BeWriter out{block};
    encodeKeyContent(out, key);
    REQUIRE(out.ok());
    CHECK(hex(out.view()) == "3f"
                             "fe0104"
                             "0549424d2e4e"
                             "02"
                             "0000007f"
                             "fffffffe"
                             "0503080000");
    MsgKey back;
    REQUIRE(decodeKey(out.view(), back).ok());
    CHECK(sameKey(key, back));
    for (std::size_t n = 0; n < out.size(); ++n)
        CHECK_FALSE(decodeKey(out.view().first(n), back).ok());
}
