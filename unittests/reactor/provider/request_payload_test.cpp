// What requests carry besides their key, byte by byte, and what is refused.
#include "reactor/rdm/request_payload.h"

#include "eta/codec/numbers.h"
#include "support/catch.hpp"

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::reactor::rdm;
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

TEST_CASE("a list of items and a view are read from their bytes", "[reactor][rdm][payload]") {
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
    CHECK(p.view->fields == std::vector<std::int16_t>{25, 22});  // each once
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

TEST_CASE("a view of element names", "[reactor][rdm][payload]") {
    const auto wire =
        bytes({0x08, 0, 2, 9, ':', 'V', 'i', 'e', 'w', 'T', 'y', 'p', 'e', 4, 1, 2,
               // ":ViewData", Array of AsciiString, 3 bytes each, padded: "BID", "A"
               9, ':', 'V', 'i', 'e', 'w', 'D', 'a', 't', 'a', 15, 10, 17, 3, 0, 2, 'B', 'I', 'D', 'A', 0, 0});
    RequestPayload p;
    REQUIRE(readPayload(request(wire, RequestFlag::view), p).fault == PayloadFault::none);
    REQUIRE(p.view);
    CHECK(p.view->kind == View::Kind::elements);
    CHECK(p.view->elements == std::vector<std::string>{"BID", "A"});
}

namespace {

/// An element list, piece by piece; arrays are given as their bytes.
struct Elements {
    std::vector<std::byte> wire = bytes({0x08, 0, 0});
    Elements& add(std::string_view name, int type, std::initializer_list<int> content) {
        wire[2] = static_cast<std::byte>(static_cast<int>(wire[2]) + 1);
        const auto put = [&](int b) { wire.push_back(static_cast<std::byte>(b)); };
        put(static_cast<int>(name.size()));
        for (const char c : name)
            put(c);
        put(type);
        put(static_cast<int>(content.size()));
        for (const int b : content)
            put(b);
        return *this;
    }
    Elements& names() { return add(":ItemList", 15, {17, 0, 0, 1, 1, 'A'}); }
    Elements& streams() { return add(":StreamIdList", 15, {3, 1, 0, 2, 5, 0xFB}); }
    Elements& type(int kind) { return add(":ViewType", 4, {kind}); }
    Elements& ids() { return add(":ViewData", 15, {3, 2, 0, 1, 0, 22}); }
};

constexpr std::uint16_t kBatch = RequestFlag::batch, kView = RequestFlag::view;

}  // namespace

TEST_CASE("what a request payload must not be, for every reader", "[reactor][rdm][payload]") {
    const auto faultOf = [](const Elements& e, std::uint16_t flags, std::string_view text, std::uint8_t domain = 6) {
        Msg m = request(e.wire, flags);
        m.domain = domain;
        RequestPayload p;
        PayloadError error = readPayload(m, p);
        CHECK_THAT(error.why, Catch::Contains(std::string(text)));
        return error.fault;
    };
    using F = PayloadFault;
    constexpr std::uint8_t kList = eta::codec::kSymbolListDomain;
    CHECK(faultOf(Elements{}, kBatch, "a batch needs either") == F::batch);
    CHECK(faultOf(Elements{}.names().streams(), kBatch, "a batch needs either") == F::batch);
    CHECK(faultOf(Elements{}.names().names(), kBatch, "':ItemList' is there twice") == F::batch);
    CHECK(faultOf(Elements{}.streams().streams(), kBatch, "':StreamIdList' is there twice") == F::batch);
    CHECK(faultOf(Elements{}.add(":ItemList", 15, {}), kBatch, "':ItemList' is empty") == F::batch);
    CHECK(faultOf(Elements{}.add(":ItemList", 15, {17, 0, 0, 1, 0}), kBatch, "a name of 0 bytes") == F::batch);
    CHECK(faultOf(Elements{}.add(":ItemList", 15, {17, 2, 0, 1, 0, 0}), kBatch, "a name of 0 bytes") == F::batch);
    CHECK(faultOf(Elements{}.add(":ItemList", 4, {1}), kBatch, "no array of ASCII strings") == F::batch);
    CHECK(faultOf(Elements{}.add(":StreamIdList", 15, {3, 5, 0, 1, 1, 0, 0, 0, 0}), kBatch, "4294967296") == F::batch);
    CHECK(faultOf(Elements{}.type(1), kView, "both ':ViewType' and ':ViewData'") == F::view);
    CHECK(faultOf(Elements{}.ids(), kView, "both ':ViewType' and ':ViewData'") == F::view);
    CHECK(faultOf(Elements{}.type(3).ids(), kView, "':ViewType' is not 1") == F::view);
    CHECK(faultOf(Elements{}.type(2).ids(), kView, "no array of ASCII strings") == F::view);
    CHECK(faultOf(Elements{}.type(1).add(":ViewData", 15, {}), kView, "names no field") == F::view);
    CHECK(faultOf(Elements{}.type(1).add(":ViewData", 15, {3, 2, 0, 0}), kView, "names no field") == F::view);
    CHECK(faultOf(Elements{}.type(1).add(":ViewData", 15, {3, 0, 0, 1, 3, 0, 0x9C, 0x40}), kView, "40000") == F::view);
    CHECK(faultOf(Elements{}.type(2).add(":ViewData", 15, {17, 0, 0, 1, 0}), kView, "an empty name") == F::view);
    CHECK(faultOf(Elements{}.add(":SymbolListBehaviors", 4, {1}), 0, "no element list", kList) == F::symbolList);
    CHECK(faultOf(Elements{}.names(), 0, "") == F::none);
    CHECK(faultOf(Elements{}.names().type(1).ids(), kBatch | kView, "") == F::none);
}

TEST_CASE("elements that nobody reads are kept where they are wanted", "[reactor][rdm][payload]") {
    const Elements all = Elements{}.add("Mine", 4, {7}).names().type(1).ids();
    RequestPayload p;
    REQUIRE(readPayload(request(all.wire, kBatch | kView), p).fault == PayloadFault::none);
    CHECK(p.rest.empty());
    PayloadParts parts;
    parts.rest = true;
    REQUIRE(readPayload(request(all.wire, kBatch | kView), p, parts).fault == PayloadFault::none);
    CHECK(p.rest == Elements{}.add("Mine", 4, {7}).wire);
    CHECK_FALSE(p.dataOfNoView);
    REQUIRE(readPayload(request(all.wire, kBatch), p, parts).fault == PayloadFault::none);
    CHECK(p.rest == Elements{}.add("Mine", 4, {7}).type(1).ids().wire);
    CHECK(p.dataOfNoView);
    parts.view = false;
    REQUIRE(readPayload(request(all.wire, kBatch | kView), p, parts).fault == PayloadFault::none);
    CHECK_FALSE(p.view);
    CHECK(p.rest == Elements{}.add("Mine", 4, {7}).type(1).ids().wire);
    REQUIRE(readPayload(request(Elements{}.names().wire, kBatch), p, parts).fault == PayloadFault::none);
    CHECK(p.rest.empty());
}

TEST_CASE("a batch stands for as many requests as its list has items", "[reactor][rdm][payload]") {
    CHECK(requestsIn(request(Elements{}.streams().wire, kBatch)) == 2);
    CHECK(requestsIn(request(Elements{}.streams().wire, 0)) == 1);
    CHECK(requestsIn(request(Elements{}.add(":ItemList", 15, {17, 0, 3, 232}).wire, kBatch)) == 1000);
}
