// What requests carry besides their key, byte by byte.
#include "hub/client/request_payload.h"
#include "support/catch.hpp"

#include <random>
#include <vector>

using namespace emissary;
using namespace emissary::hub::client;
using eta::codec::Msg;
namespace RequestFlag = eta::codec::RequestFlag;

namespace {

std::vector<std::byte> bytes(std::initializer_list<int> all) {
    std::vector<std::byte> out;
    for (const int b : all)
        out.push_back(static_cast<std::byte>(b));
    return out;
}

Msg request(const std::vector<std::byte>& payload, std::uint16_t flags) {
    Msg m;
    m.cls = eta::codec::MsgClass::Request;
    m.flags = flags;
    m.containerType = eta::codec::DataType::ElementList;
    m.payload = payload;
    return m;
}

}  // namespace

TEST_CASE("a list of items and a view are read from their bytes", "[hub][client][payload]") {
    //  flags: standard data | 3 elements
    const auto wire = bytes({0x08, 0, 3,
                             // ":ItemList", Array, 10 bytes: AsciiString, own lengths, 2 items "AB" and "C"
                             9, ':', 'I', 't', 'e', 'm', 'L', 'i', 's', 't', 15, 9, 17, 0, 0, 2, 2, 'A', 'B', 1, 'C',
                             // ":ViewType", UInt 1
                             9, ':', 'V', 'i', 'e', 'w', 'T', 'y', 'p', 'e', 4, 1, 1,
                             // ":ViewData", Array of Int, 2 bytes each: 25, 22, 25
                             9, ':', 'V', 'i', 'e', 'w', 'D', 'a', 't', 'a', 15, 10, 3, 2, 0, 3, 0, 25, 0, 22, 0, 25});
    RequestPayload p;
    REQUIRE(readPayload(request(wire, RequestFlag::batch | RequestFlag::view), p).fault == PayloadFault::none);
    REQUIRE(p.names.size() == 2);
    CHECK(eta::asText(p.names[0]) == "AB");
    CHECK(eta::asText(p.names[1]) == "C");
    REQUIRE(p.view);
    CHECK(p.view->fields == std::vector<std::int16_t>{22, 25});
    SECTION("only what the flags announce") {
        REQUIRE(readPayload(request(wire, RequestFlag::view), p).fault == PayloadFault::none);
        CHECK(p.names.empty());
        REQUIRE(readPayload(request(wire, RequestFlag::batch), p).fault == PayloadFault::none);
        CHECK_FALSE(p.view);
        REQUIRE(readPayload(request(wire, 0), p).fault == PayloadFault::none);
        CHECK((p.names.empty() && !p.view));
    }
    SECTION("every truncation is a fault, and nothing beyond the end is read") {
        for (std::size_t n = 0; n < wire.size(); ++n) {
            INFO(n);
            const std::vector<std::byte> cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n));
            CHECK(readPayload(request(cut, RequestFlag::batch | RequestFlag::view), p).fault != PayloadFault::none);
        }
    }
    SECTION("bytes that were changed at random are read or refused") {
        std::mt19937 random(20261122);
        for (int i = 0; i < 20'000; ++i) {
            std::vector<std::byte> bad = wire;
            for (int k = 0; k < 3; ++k)
                bad[random() % bad.size()] = static_cast<std::byte>(random());
            const PayloadError e = readPayload(request(bad, RequestFlag::batch | RequestFlag::view), p);
            if (e.fault == PayloadFault::none) CHECK_FALSE((p.names.empty() && p.streams.empty()));
        }
    }
}

TEST_CASE("a view of element names", "[hub][client][payload]") {
    const auto wire =
        bytes({0x08, 0, 2, 9, ':', 'V', 'i', 'e', 'w', 'T', 'y', 'p', 'e', 4, 1, 2,
               // ":ViewData", Array of AsciiString, 3 bytes each, padded: "BID", "A"
               9, ':', 'V', 'i', 'e', 'w', 'D', 'a', 't', 'a', 15, 10, 17, 3, 0, 2, 'B', 'I', 'D', 'A', 0, 0});
    RequestPayload p;
    REQUIRE(readPayload(request(wire, RequestFlag::view), p).fault == PayloadFault::none);
    REQUIRE(p.view);
    CHECK(p.view->kind == reactor::rdm::View::Kind::elements);
    CHECK(p.view->elements == std::vector<std::string>{"A", "BID"});
}
