// Which image a message goes to, and what one row of hub.md 6.2 and 6.3 after the other says.
#include "support/catch.hpp"

#include "eta/codec/containers.h"
#include "messages.h"

using namespace emissary;
using namespace emissary::test;
using hub::cache::Applied;
using hub::cache::ImageId;
using hub::cache::ImageStore;
namespace MapAction = eta::codec::MapAction;
namespace RefreshFlag = eta::codec::RefreshFlag;
namespace StatusFlag = eta::codec::StatusFlag;
namespace UpdateFlag = eta::codec::UpdateFlag;
namespace VectorAction = eta::codec::VectorAction;

namespace {
constexpr auto kFields = DataType::FieldList;
}

TEST_CASE("refreshes make, replace and overlay an image", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{22, "a"}, {25, "b"}})), false) == Applied::ok);
    CHECK(store.images() == 1);
    CHECK(store.complete(id));
    CHECK(store.current(id));
    CHECK(store.containerType(id) == kFields);

    SECTION("an update before any refresh makes none") {
        ImageId none = 0;
        CHECK(store.apply(none, updateOf(kFields, p.fields({{22, "x"}})), false) == Applied::notCurrent);
        CHECK(none == 0);
        CHECK(store.images() == 1);
    }
    SECTION("without CLEAR_CACHE the image is the superset") {
        REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{30, "c"}, {22, "d"}})), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{22, "d"}, {25, "b"}, {30, "c"}})));
    }
    SECTION("CLEAR_CACHE, a solicited complete one of domain 6, and the caller's word replace it") {
        Msg m = refreshOf(kFields, p.fields({{30, "c"}}));
        bool replace = false;
        SECTION("CLEAR_CACHE") {
            m.flags |= RefreshFlag::clearCache;
        }
        SECTION("domain 6") {
            m.flags |= RefreshFlag::solicited;
        }
        SECTION("the caller") {
            replace = true;
        }
        REQUIRE(store.apply(id, m, replace) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{30, "c"}})));
    }
    SECTION("a solicited one of another domain is laid over it") {
        Msg m = refreshOf(kFields, p.fields({{30, "c"}}), RefreshFlag::solicited);
        m.domain = 7;
        REQUIRE(store.apply(id, m, false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{22, "a"}, {25, "b"}, {30, "c"}})));
    }
    SECTION("one of another container type replaces it, an update of another type makes it untrue") {
        REQUIRE(store.apply(id, refreshOf(DataType::Map, p.map({{MapAction::add, "k", {{1, "v"}}}})), false) ==
                Applied::ok);
        CHECK(store.containerType(id) == DataType::Map);
        CHECK(store.apply(id, updateOf(kFields, p.fields({{22, "x"}})), false) == Applied::notCurrent);
        CHECK_FALSE(store.current(id));
    }
    SECTION("one without payload changes nothing, with CLEAR_CACHE it leaves nothing") {
        REQUIRE(store.apply(id, refreshOf(DataType::NoData, {}), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{22, "a"}, {25, "b"}})));
        REQUIRE(store.apply(id, refreshOf(kFields, {}, RefreshFlag::clearCache), false) == Applied::ok);
        CHECK(imageOf(store, id).empty());
        CHECK(store.containerType(id) == kFields);
    }
    SECTION("DO_NOT_CACHE passes by") {
        REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{22, "x"}}), RefreshFlag::doNotCache), true) ==
                Applied::ok);
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{22, "x"}}), UpdateFlag::doNotCache), false) ==
                Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{22, "a"}, {25, "b"}})));
    }
    SECTION("a status with CLEAR_CACHE leaves an image without payload, which takes updates") {
        Msg m;
        m.cls = MsgClass::Status;
        REQUIRE(store.apply(id, m, false) == Applied::ok);
        CHECK_FALSE(imageOf(store, id).empty());
        m.flags = StatusFlag::clearCache;
        REQUIRE(store.apply(id, m, false) == Applied::ok);
        CHECK(imageOf(store, id).empty());
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{22, "x"}})), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{22, "x"}})));
    }
    store.drop(id);
    CHECK(id == 0);
    CHECK(store.images() == 0);
}

TEST_CASE("a refresh in parts begins beside the image", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    const auto row = [&](const char* key) { return p.map({{MapAction::add, key, {{1, key}}}}); };
    REQUIRE(store.apply(id, refreshOf(DataType::Map, row("old")), false) == Applied::ok);
    REQUIRE(store.apply(id, partOf(DataType::Map, row("a"), 0, RefreshFlag::clearCache), false) == Applied::ok);
    CHECK_FALSE(store.complete(id));
    CHECK(store.images() == 1);

    SECTION("updates between the parts go into the new one, which takes over when complete") {
        REQUIRE(store.apply(id, updateOf(DataType::Map, row("u")), false) == Applied::ok);
        REQUIRE(store.apply(id, partOf(DataType::Map, row("b"), 1, RefreshFlag::complete), false) == Applied::ok);
        CHECK(store.complete(id));
        CHECK(imageOf(store, id) == bytesOf(p.map({{MapAction::add, "a", {{1, "a"}}},
                                                   {MapAction::add, "u", {{1, "u"}}},
                                                   {MapAction::add, "b", {{1, "b"}}}})));
    }
    SECTION("given up, the old one is back, and not current if it missed an update") {
        const bool update = GENERATE(false, true);
        if (update) REQUIRE(store.apply(id, updateOf(DataType::Map, row("u")), false) == Applied::ok);
        store.abandonParts(id);
        CHECK(store.complete(id));
        CHECK(store.current(id) == !update);
        CHECK(imageOf(store, id) == bytesOf(row("old")));
    }
    SECTION("a part that is missing makes the result untrue until the next whole refresh") {
        CHECK(store.apply(id, partOf(DataType::Map, row("b"), 2, RefreshFlag::complete), false) == Applied::notCurrent);
        CHECK(store.complete(id));
        CHECK_FALSE(store.current(id));
        Msg posted = refreshOf(DataType::Map, row("p"), RefreshFlag::postUserInfo);
        CHECK(store.apply(id, posted, false) == Applied::notCurrent);
        CHECK_FALSE(store.current(id));
        Msg healing = refreshOf(DataType::Map, row("c"), GENERATE(std::uint16_t{0}, RefreshFlag::solicited));
        healing.domain = 7;
        REQUIRE(store.apply(id, healing, false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(row("c")));
    }
    SECTION("a first part once more takes the place of what missed an update in between") {
        REQUIRE(store.apply(id, updateOf(DataType::Map, row("u")), false) == Applied::ok);
        const Msg again = partOf(DataType::Map, row("c"), 0);
        CHECK(store.heals(id, again));
        REQUIRE(store.apply(id, again, false) == Applied::ok);
        REQUIRE(store.apply(id, partOf(DataType::Map, row("d"), 1, RefreshFlag::complete), false) == Applied::ok);
        CHECK(imageOf(store, id) ==
              bytesOf(p.map({{MapAction::add, "c", {{1, "c"}}}, {MapAction::add, "d", {{1, "d"}}}})));
    }
    SECTION("a first part once more begins again") {
        REQUIRE(store.apply(id, partOf(DataType::Map, row("c"), 0, RefreshFlag::clearCache), false) == Applied::ok);
        REQUIRE(store.apply(id, partOf(DataType::Map, row("d"), 1, RefreshFlag::complete), false) == Applied::ok);
        CHECK(imageOf(store, id) ==
              bytesOf(p.map({{MapAction::add, "c", {{1, "c"}}}, {MapAction::add, "d", {{1, "d"}}}})));
    }
    SECTION("given up without an image from before, nothing is left") {
        ImageId fresh = 0;
        REQUIRE(store.apply(fresh, partOf(DataType::Map, row("a"), 0), true) == Applied::ok);
        CHECK(store.images() == 2);
        store.abandonParts(fresh);
        CHECK(fresh == 0);
        CHECK(store.images() == 1);
        CHECK(store.apply(fresh, partOf(DataType::Map, row("b"), 1, RefreshFlag::complete), false) ==
              Applied::notCurrent);
        CHECK(fresh == 0);
    }
    store.drop(id);
    CHECK(store.images() == 0);
}

TEST_CASE("stored values ripple before a new one is set", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    store.setDictionary(rdmDictionary());
    ImageId id = 0;
    // BID ripples to BID_1 and that to BID_2; a long value moves as well.
    const std::string longValue(100, 'l');
    REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{24, "3"}, {22, longValue}, {23, "2"}})), false) ==
            Applied::ok);
    SECTION("along the chain, from its end") {
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{22, "new"}})), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{24, "2"}, {22, "new"}, {23, longValue}})));
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{22, "x"}, {22, "y"}})), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{24, "new"}, {22, "y"}, {23, "x"}})));
    }
    SECTION(
        "not with DO_NOT_RIPPLE, not in corrections and verifications, not in refreshes, not without a dictionary") {
        Msg m = updateOf(kFields, p.fields({{22, "new"}}));
        SECTION("flag") {
            m.flags = UpdateFlag::doNotRipple;
        }
        SECTION("correction") {
            m.updateType = 7;
        }
        SECTION("verify") {
            m.updateType = 11;
        }
        SECTION("refresh") {
            m = refreshOf(kFields, m.payload);
        }
        SECTION("no dictionary") {
            store.setDictionary(nullptr);
        }
        REQUIRE(store.apply(id, m, false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{24, "3"}, {22, "new"}, {23, "2"}})));
    }
    SECTION("the chain ends at a field that the image has not") {
        ImageId shorter = 0;
        REQUIRE(store.apply(shorter, refreshOf(kFields, p.fields({{22, "1"}, {24, "3"}})), false) == Applied::ok);
        REQUIRE(store.apply(shorter, updateOf(kFields, p.fields({{22, "0"}})), false) == Applied::ok);
        CHECK(imageOf(store, shorter) == bytesOf(p.fields({{22, "0"}, {24, "3"}})));
        // BID_1 comes later in the same message: it is not there when BID is set.
        REQUIRE(store.apply(shorter, updateOf(kFields, p.fields({{22, "9"}, {23, "2"}})), false) == Applied::ok);
        CHECK(imageOf(store, shorter) == bytesOf(p.fields({{22, "9"}, {24, "3"}, {23, "2"}})));
        store.drop(shorter);
    }
    store.drop(id);
}

TEST_CASE("RMTES values with commands are applied to what is stored", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    store.setDictionary(rdmDictionary());
    ImageId id = 0;
    REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{3, "HELLO WORLD"}})), false) == Applied::ok);
    SECTION("in place") {
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{3, "\x1B[6`THERE"}})), false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{3, "HELLO THERE"}})));
        REQUIRE(store.apply(id, updateOf(kFields, p.fields({{3, "\x1B[90`FAR"}})), false) == Applied::ok);
        CHECK(imageOf(store, id).size() == 1 + 2 + 3 + 93);
    }
    SECTION("one that fails leaves what was there, and the image is not current") {
        CHECK(store.apply(id, updateOf(kFields, p.fields({{3, "\x1B[65536`x\x1B[2b"}})), false) == Applied::notCurrent);
        CHECK(imageOf(store, id) == bytesOf(p.fields({{3, "HELLO WORLD"}})));
        CHECK(store.counts().notCurrent == 1);
        CHECK(store.apply(id, updateOf(kFields, p.fields({{3, "FINE"}})), false) == Applied::notCurrent);
        CHECK(store.counts().notCurrent == 1);
    }
    SECTION("without a dictionary nobody knows") {
        store.setDictionary(nullptr);
        CHECK(store.apply(id, updateOf(kFields, p.fields({{3, "\x1B[6`THERE"}})), false) == Applied::notCurrent);
    }
    SECTION("pieces that would make a command are not passed off as text") {
        REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{3, "ab[2`x"}})), false) == Applied::ok);
        CHECK(store.apply(id, updateOf(kFields, p.fields({{3, "\x1B[1`\x1Bq\x1B[2`[2`"}})), false) ==
              Applied::notCurrent);
    }
    store.drop(id);
}

TEST_CASE("fields that no refresh had", "[hub][cache]") {
    Payloads p;
    const bool add = GENERATE(true, false);
    ImageStore store({.addUnknownFields = add});
    ImageId id = 0;
    REQUIRE(store.apply(id, refreshOf(kFields, p.fields({{22, "a"}})), false) == Applied::ok);
    REQUIRE(store.apply(id, updateOf(kFields, p.fields({{40, "x"}, {22, "b"}, {41, "y"}, {40, "z"}})), false) ==
            Applied::ok);
    CHECK(imageOf(store, id) == bytesOf(add ? p.fields({{22, "b"}, {40, "z"}, {41, "y"}}) : p.fields({{22, "b"}})));
    CHECK(store.counts().unknownFields == (add ? 2 : 3));
    store.drop(id);
}

TEST_CASE("values are kept byte for byte at every length", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    std::vector<Payloads::Field> all;
    for (std::int16_t i = 0; i < 300; ++i)
        all.emplace_back(static_cast<std::int16_t>(i * 7 - 900), std::string(static_cast<std::size_t>(i), 'v'));
    all.emplace_back(5000, std::string(65535, 'm'));
    const Bytes first = p.keep([&](BeWriter& out) { Payloads::writeFields(out, all); }, 1u << 18);
    REQUIRE(store.apply(id, refreshOf(kFields, first), false) == Applied::ok);
    CHECK(imageOf(store, id) == bytesOf(first));
    // Each one takes the length that another had; the slots have been made for the first.
    for (std::size_t i = 0; i < 300; ++i)
        all[i].second = std::string((i * 37 + 11) % 300, 'w');
    all.back().second.clear();
    const Bytes second = p.keep([&](BeWriter& out) { Payloads::writeFields(out, all); }, 1u << 18);
    REQUIRE(store.apply(id, updateOf(kFields, second), false) == Applied::ok);
    CHECK(imageOf(store, id) == bytesOf(second));
    // A new image with these fields shares the slots, though none of its values fits.
    ImageId other = 0;
    REQUIRE(store.apply(other, refreshOf(kFields, second), false) == Applied::ok);
    CHECK(store.counts().shapes == 1);
    CHECK(imageOf(store, other) == bytesOf(second));
    store.drop(id);
    store.drop(other);
}

TEST_CASE("entries of maps", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    REQUIRE(store.apply(id, refreshOf(DataType::Map, p.map({{MapAction::add, "a", {{1, "x"}, {2, "y"}}}})), false) ==
            Applied::ok);
    SECTION("Update applies, Add replaces, Delete removes, and what was not there is made or ignored") {
        REQUIRE(store.apply(id,
                            updateOf(DataType::Map, p.map({{MapAction::update, "a", {{2, "z"}}},
                                                           {MapAction::update, "new", {{3, "n"}}},
                                                           {MapAction::del, "nobody", {}}})),
                            false) == Applied::ok);
        CHECK(store.counts().updateWithoutAdd == 1);
        CHECK(imageOf(store, id) ==
              bytesOf(p.map({{MapAction::add, "a", {{1, "x"}, {2, "z"}}}, {MapAction::add, "new", {{3, "n"}}}})));
        REQUIRE(store.apply(
                    id,
                    updateOf(DataType::Map, p.map({{MapAction::add, "a", {{7, "q"}}}, {MapAction::del, "new", {}}})),
                    false) == Applied::ok);
        CHECK(imageOf(store, id) == bytesOf(p.map({{MapAction::add, "a", {{7, "q"}}}})));
    }
    SECTION("an action without meaning is ignored and counted") {
        REQUIRE(store.apply(id, updateOf(DataType::Map, p.map({{9, "a", {{1, "no"}}}})), false) == Applied::ok);
        CHECK(store.counts().unknownActions == 1);
        CHECK(imageOf(store, id) == bytesOf(p.map({{MapAction::add, "a", {{1, "x"}, {2, "y"}}}})));
    }
    SECTION("an update without entries leaves the type of the keys as it is") {
        ImageId orders = 0;
        const Bytes image = p.map({{MapAction::add, "a", {{1, "x"}}}}, DataType::AsciiString);
        REQUIRE(store.apply(orders, refreshOf(DataType::Map, image), false) == Applied::ok);
        REQUIRE(store.apply(orders, updateOf(DataType::Map, p.map({})), false) == Applied::ok);
        CHECK(store.current(orders));
        CHECK(imageOf(store, orders) == bytesOf(image));
        CHECK(store.apply(orders, updateOf(DataType::Map, p.map({{MapAction::del, "a", {}}})), false) ==
              Applied::notCurrent);
        store.drop(orders);
    }
    SECTION("thousands are found, and removed in any order") {
        std::vector<Payloads::MapRow> rows;
        for (int i = 0; i < 5000; ++i)
            rows.push_back({MapAction::add, "key " + std::to_string(i * 7919 % 5000), {{1, std::to_string(i)}}});
        const auto big = [&](const std::vector<Payloads::MapRow>& r) {
            ImageId scratch = 0;
            for (const auto& row : r) {
                Payloads one;
                REQUIRE(store.apply(scratch == 0 ? id : scratch, updateOf(DataType::Map, one.map({row})), false) ==
                        Applied::ok);
            }
        };
        big(rows);
        for (auto& r : rows)
            r.action = MapAction::del;
        std::swap(rows[0], rows[4999]);
        big(rows);
        CHECK(imageOf(store, id) == bytesOf(p.map({{MapAction::add, "a", {{1, "x"}, {2, "y"}}}})));
    }
    store.drop(id);
}

TEST_CASE("a map that one message cannot carry is written in parts", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    for (int round = 0; round < 70; ++round) {
        Payloads part;
        const Bytes payload = part.keep([&](BeWriter& out) {
            eta::codec::MapEncoder m;
            m.begin(out, {}, DataType::UInt);
            for (int i = 0; i < 1000; ++i) {
                std::array<std::byte, 8> key;
                BeWriter k{key};
                eta::codec::encodeUInt(k, static_cast<std::uint64_t>(round * 1000 + i));
                m.add(MapAction::add, k.view(), {});
            }
            if (!m.complete().ok()) std::abort();
        });
        REQUIRE(store.apply(id,
                            partOf(DataType::Map, payload, static_cast<std::uint16_t>(round),
                                   round == 69 ? RefreshFlag::complete : std::uint16_t{0}),
                            round == 0) == Applied::ok);
    }
    REQUIRE(store.complete(id));
    std::vector<std::byte> block(store.maxSize(id));
    BeWriter whole{block};
    CHECK(store.write(id, whole).code == eta::Errc::outOfRange);
    CHECK(whole.size() == 0);
    CHECK(whole.ok());
    CHECK(store.inParts(id, 6000));

    hub::cache::PartCursor at;
    std::uint64_t next = 0;
    std::uint16_t parts = 0;
    while (!at.last) {
        CHECK(at.partNum == parts++);
        BeWriter out{block};
        REQUIRE(store.writePart(id, out, 6000, at).ok());
        CHECK(out.size() <= 6000);
        eta::codec::MapDecoder in;
        REQUIRE(in.start(out.view()).ok());
        eta::codec::MapEntry e;
        for (std::uint64_t key = 0; in.next(e); ++next) {
            static_cast<void>(eta::codec::decodeUInt(e.key, key));
            if (key != next || e.action != MapAction::add) FAIL("key " << key << " instead of " << next);
        }
        REQUIRE(in.error().ok());
    }
    CHECK(next == 70000);
    // With room for more, a part ends where the count does.
    at = {};
    BeWriter out{block};
    REQUIRE(store.writePart(id, out, 1u << 30, at).ok());
    CHECK_FALSE(at.last);
    store.drop(id);
}

TEST_CASE("a writer without enough room is back where it stood", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    const std::array payloads{std::pair{kFields, p.fields({{22, "aaaaaaaaaaaa"}, {25, std::string(80, 'b')}})},
                              std::pair{DataType::Map, p.map({{MapAction::add, "k", {{1, "v"}}},
                                                              {MapAction::add, "l", {{1, std::string(90, 'v')}}}})}};
    for (const auto& [type, payload] : payloads) {
        ImageId id = 0;
        REQUIRE(store.apply(id, refreshOf(type, payload), false) == Applied::ok);
        const std::string image = imageOf(store, id);
        for (std::size_t room = 0; room < image.size(); ++room) {
            const std::unique_ptr<std::byte[]> block{new std::byte[room + 3]};
            BeWriter out{{block.get(), room + 3}};
            out.bytes(eta::asBytes("abc"));
            CHECK(store.write(id, out).code == eta::Errc::noSpace);
            CHECK(eta::asText(out.view()) == "abc");
        }
        store.drop(id);
    }
}

TEST_CASE("containers are looked into down to the eighth level", "[hub][cache]") {
    Payloads p;
    const auto nest = [&](int levels, std::uint8_t action, const std::string& value) {
        Bytes inner = p.fields({{22, value}});
        for (int i = 1; i < levels; ++i) {
            inner = p.keep([&](BeWriter& out) {
                eta::codec::MapEncoder m;
                eta::codec::EntryContainerHeader head;
                head.entryType = i == 1 ? DataType::FieldList : DataType::Map;
                m.begin(out, head, DataType::Buffer);
                m.add(action, eta::asBytes("k"), inner);
                if (!m.complete().ok()) std::abort();
            });
        }
        return inner;
    };
    ImageStore store;
    ImageId id = 0;
    const int levels = GENERATE(8, 9);
    REQUIRE(store.apply(id, refreshOf(DataType::Map, nest(levels, MapAction::add, "a")), false) == Applied::ok);
    CHECK(imageOf(store, id) == bytesOf(nest(levels, MapAction::add, "a")));
    const Applied result = store.apply(id, updateOf(DataType::Map, nest(levels, MapAction::update, "b")), false);
    CHECK(result == (levels == 8 ? Applied::ok : Applied::notCurrent));
    if (levels == 8) CHECK(imageOf(store, id) == bytesOf(nest(levels, MapAction::add, "b")));
    store.drop(id);
}

TEST_CASE("vectors have an end", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    ImageId id = 0;
    const auto vector = [&](std::uint8_t action, std::uint32_t from, std::uint32_t count) {
        return p.keep(
            [&](BeWriter& out) {
                eta::codec::VectorEncoder v;
                eta::codec::EntryContainerHeader head;
                v.begin(out, head, true);
                for (std::uint32_t i = 0; i < count; ++i)
                    v.add(action, from + i, {});
                if (!v.complete().ok()) std::abort();
            },
            1u << 19);
    };
    REQUIRE(store.apply(id, refreshOf(DataType::Vector, vector(VectorAction::set, 0, 60000)), false) == Applied::ok);
    SECTION("what no message could bring is refused") {
        CHECK(store.apply(id, updateOf(DataType::Vector, vector(VectorAction::insert, 0, 6000)), false) ==
              Applied::full);
        CHECK_FALSE(store.current(id));
        CHECK(store.counts().full == 1);
    }
    SECTION("an index cannot be shifted beyond the largest") {
        REQUIRE(store.apply(id, updateOf(DataType::Vector, vector(VectorAction::set, 0x3FFFFFFF, 1)), false) ==
                Applied::ok);
        CHECK(store.apply(id, updateOf(DataType::Vector, vector(VectorAction::insert, 5, 1)), false) ==
              Applied::notCurrent);
    }
    store.drop(id);
}

TEST_CASE("a payload that ends early never leaves an image that says it is current", "[hub][cache]") {
    Payloads p;
    const std::array payloads{std::pair{kFields, p.fields({{22, "abc"}, {25, std::string(300, 'x')}, {3, "text"}})},
                              std::pair{DataType::Map, p.map({{MapAction::add, "k", {{1, "v"}, {2, "w"}}},
                                                              {MapAction::add, "l", {{1, "v"}}}})}};
    for (const auto& [type, payload] : payloads) {
        for (std::size_t n = 1; n < payload.size(); ++n) {
            const std::unique_ptr<std::byte[]> cut{new std::byte[n]};  // a sanitizer sees what is read behind it
            std::copy_n(payload.begin(), n, cut.get());
            ImageStore store;
            store.setDictionary(rdmDictionary());
            ImageId id = 0;
            CHECK(store.apply(id, refreshOf(type, {cut.get(), n}), false) == Applied::malformed);
            CHECK(id == 0);
            CHECK(store.counts().malformed == 1);
            REQUIRE(store.apply(id, refreshOf(type, payload), false) == Applied::ok);
            const std::string before = imageOf(store, id);
            CHECK(store.apply(id, updateOf(type, {cut.get(), n}), false) == Applied::malformed);
            CHECK_FALSE(store.current(id));
            CHECK_FALSE(imageOf(store, id) == "(not written)");
            REQUIRE(store.apply(id, refreshOf(type, payload, RefreshFlag::clearCache), false) == Applied::ok);
            CHECK(store.current(id));
            CHECK(imageOf(store, id) == before);
            store.drop(id);
            CHECK(store.images() == 0);
        }
    }
}

TEST_CASE("payloads that are not looked into", "[hub][cache]") {
    ImageStore store;
    ImageId id = 0;
    REQUIRE(store.apply(id, refreshOf(DataType::Json, eta::asBytes("{\"a\":1}")), false) == Applied::ok);
    CHECK(imageOf(store, id) == "{\"a\":1}");
    CHECK(store.apply(id, updateOf(DataType::Json, eta::asBytes("{\"a\":2}")), false) == Applied::notCurrent);
    CHECK(imageOf(store, id) == "{\"a\":1}");
    REQUIRE(store.apply(id, refreshOf(DataType::Json, eta::asBytes("{\"a\":3}"), RefreshFlag::solicited), false) ==
            Applied::ok);
    CHECK(store.current(id));
    CHECK(imageOf(store, id) == "{\"a\":3}");
    SECTION("parts without numbers are not taken for a whole one, though the first leaves the image out of date") {
        Msg part = refreshOf(DataType::Json, eta::asBytes("{\"a\":"));
        part.flags &= static_cast<std::uint16_t>(~(RefreshFlag::complete | RefreshFlag::clearCache));
        CHECK(store.apply(id, part, false) == Applied::notCurrent);
        Msg last = refreshOf(DataType::Json, eta::asBytes("4}"));
        last.flags &= static_cast<std::uint16_t>(~RefreshFlag::clearCache);
        CHECK_FALSE(store.heals(id, last));
        CHECK(store.apply(id, last, false) == Applied::notCurrent);
        CHECK_FALSE(store.current(id));
        CHECK(store.heals(id, last));  // it would be the next one
    }
    store.drop(id);
}
