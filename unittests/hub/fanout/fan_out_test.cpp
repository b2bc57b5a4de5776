// Who gets which form of a message, and what of it on the wire.
#include "fixture.h"

#include "hub/fanout/outgoing.h"
#include "reactor/metrics/Snapshot.h"
#include "support/AllocationCounter.h"
#include "support/StillClock.h"

using namespace emissary;
using namespace emissary::test;
namespace F = codec::UpdateFlag;

namespace {

/// With key (of another service number), conflation members and everything else that an update may have.
codec::Msg fullUpdate(eta::Bytes payload) {
    static const std::byte perm[] = {std::byte{3}, std::byte{0x10}, std::byte{0x43}};
    codec::Msg m =
        update(payload, F::msgKey | F::confInfo | F::seqNum | F::permData | F::postUserInfo | F::doNotRipple);
    m.updateType = 4;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = 4711;
    m.key.name = eta::asBytes("TRI.N");
    m.conflationCount = 3;
    m.conflationTime = 250;
    m.seqNum = 0xFEDCBA98;
    m.permData = perm;
    m.postUserAddress = 0x7F000001;
    m.postUserId = 12345;
    return m;
}

}  // namespace

TEST_CASE("every mount gets its form of an update, with its stream id, byte for byte", "[hub][fanout]") {
    FanOutFixture f;
    auto &plain = f.connect(), &keyed = f.connect(), &conf = f.connect(), &both = f.connect();
    f.mount(plain, 5);
    f.mount(plain, 6);  // twice by one client
    f.mount(keyed, 7, Mount::keyInUpdates);
    f.mount(conf, -8, Mount::confInfo);
    f.mount(both, 0x7FFFFFFF, Mount::keyInUpdates | Mount::confInfo);
    const auto payload = fields({{22, 1}, {25, 2}});
    const Made in = received(fullUpdate(payload));
    f.send(in.msg);

    codec::Msg m = fullUpdate(payload);
    m.key.serviceId = f.item->service;
    CHECK(f.next(both) == bytesOf(m, 0x7FFFFFFF));
    m.flags &= static_cast<std::uint16_t>(~F::confInfo);
    CHECK(f.next(keyed) == bytesOf(m, 7));
    m.flags &= static_cast<std::uint16_t>(~F::msgKey);
    CHECK(f.next(plain) == bytesOf(m, 5));
    CHECK(f.next(plain) == bytesOf(m, 6));
    m.flags |= F::confInfo;
    CHECK(f.next(conf) == bytesOf(m, -8));
    CHECK(f.out->counts().messages.get() == 5);
    CHECK(plain.client->sent == 2);
}

TEST_CASE("an update without key goes out as it came, and so do its unknown ends", "[hub][fanout]") {
    FanOutFixture f;
    auto& c = f.connect();
    f.mount(c, 5, Mount::confInfo);
    const auto payload = fields({{22, 1}});
    Made in = received(update(payload, F::seqNum));
    in.bytes[8] = in.bytes[8];
    f.send(in.msg);
    ByteVector expected = in.bytes;
    eta::storeBe(expected.data() + 4, std::uint32_t{5});
    CHECK(f.next(c) == expected);
}

TEST_CASE("who asked for keys gets the item's with a message that has none", "[hub][fanout]") {
    FanOutFixture f;
    auto &keyed = f.connect(), &plain = f.connect();
    f.mount(keyed, 5, Mount::keyInUpdates);
    f.mount(plain, 6);
    static const std::byte group[2] = {};
    const auto payload = fields({{22, 1}});
    codec::Msg m = update(payload, F::seqNum);
    m.seqNum = 9;
    std::uint16_t flag = F::msgKey;
    SECTION("update") {}
    SECTION("update whose key names no item") {
        m.flags |= F::msgKey;
        m.key.flags = codec::KeyFlag::serviceId;
        m.key.serviceId = 4711;
    }
    SECTION("refresh") {
        m.cls = codec::MsgClass::Refresh;
        m.flags = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.groupId = group;
        flag = codec::RefreshFlag::msgKey;
    }
    SECTION("status") {
        m.cls = codec::MsgClass::Status;
        m.flags = codec::StatusFlag::state;
        m.state = {codec::StreamState::open, codec::DataState::suspect, 0, {}};
        m.containerType = codec::DataType::NoData;
        m.payload = {};
        flag = codec::StatusFlag::msgKey;
    }
    const Made in = received(m);
    f.send(in.msg, To::all);
    m.flags &= static_cast<std::uint16_t>(~F::msgKey);
    m.key = {};
    CHECK(f.next(plain) == bytesOf(m, 6));
    m.flags |= flag;
    m.key = f.item->msgKey();
    CHECK(f.next(keyed) == bytesOf(m, 5));
}

TEST_CASE("no service is put into the key of a generic message that names none", "[hub][fanout]") {
    FanOutFixture f;
    auto& c = f.connect();
    f.mount(c, 5, GENERATE(std::uint16_t{0}, Mount::keyInUpdates));
    codec::Msg m;
    m.cls = codec::MsgClass::Generic;
    m.domain = 6;
    m.flags = codec::GenericFlag::complete;
    if (GENERATE(true, false)) {
        m.flags |= codec::GenericFlag::msgKey;
        m.key.flags = codec::KeyFlag::name;
        m.key.name = eta::asBytes("TOPIC");
    }
    const Made in = received(m);
    f.send(GENERATE(true, false) ? in.msg : m, To::all);
    CHECK(f.next(c) == bytesOf(m, 5));
}

TEST_CASE("refreshes, statuses and generic messages keep their key, under the hub's service number", "[hub][fanout]") {
    FanOutFixture f;
    auto& c = f.connect();
    f.mount(c, 5);
    const codec::MsgClass cls = GENERATE(codec::MsgClass::Refresh, codec::MsgClass::Status, codec::MsgClass::Generic);
    static const std::byte group[4] = {std::byte{0}, std::byte{7}, std::byte{0}, std::byte{1}};
    codec::Msg m;
    m.cls = cls;
    m.domain = 6;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = 4711;
    m.key.name = eta::asBytes("TRI.N");
    m.state = {codec::StreamState::open, codec::DataState::ok, 0, eta::asBytes("fine")};
    m.groupId = group;
    if (cls == codec::MsgClass::Refresh) m.flags = codec::RefreshFlag::msgKey | codec::RefreshFlag::complete;
    if (cls == codec::MsgClass::Status)
        m.flags = codec::StatusFlag::msgKey | codec::StatusFlag::state | codec::StatusFlag::groupId;
    if (cls == codec::MsgClass::Generic) m.flags = codec::GenericFlag::msgKey | codec::GenericFlag::complete;
    f.send(m, To::all);
    m.key.serviceId = f.item->service;
    CHECK(f.next(c) == bytesOf(m, 5));
}

TEST_CASE("which mounts a message is for", "[hub][fanout]") {
    FanOutFixture f;
    auto& c = f.connect();
    auto &paused = f.connect(), &standby = f.connect();
    f.mount(c, 1);
    f.mount(c, 2, Mount::waiting);
    f.mount(c, 3, Mount::waiting | Mount::inParts);
    f.mount(c, 4, Mount::paused);
    f.mount(paused, 5);
    f.mount(standby, 6);
    paused.client->paused = standby.client->onStandby = true;
    const Made m = received(update({}));
    const auto streams = [&](To to) {
        f.send(m.msg, to);
        f.turn();
        std::set<std::int32_t> got;
        for (auto* p : {&c, &paused, &standby})
            for (;;) {
                const auto r = FanOutFixture::read(*p);
                if (r.kind != eta::transport::ReadResult::Kind::message) break;
                got.insert(codec::peekMsg(r.message).value().streamId);
            }
        return got;
    };
    CHECK(streams(To::live) == std::set<std::int32_t>{1, 3});
    for (std::uint32_t i = 0; i < f.item->mountCount; ++i)
        CHECK(f.item->mounts[i].is(Mount::missed) == (f.item->mounts[i].stream > 3));
    CHECK(streams(To::waiting) == std::set<std::int32_t>{2, 3});
    CHECK(streams(To::settled) == std::set<std::int32_t>{1, 4, 5, 6});
    CHECK(streams(To::all) == std::set<std::int32_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a login's filter of update types", "[hub][fanout]") {
    FanOutFixture f;
    auto &all = f.connect(), &some = f.connect();
    f.mount(all, 5);
    f.mount(some, 6);
    some.client->updateTypes = 1u << 2;
    for (const int type : {0, 1, 2, 63, 64, 255}) {
        codec::Msg m = update({});
        m.updateType = static_cast<std::uint8_t>(type);
        f.send(received(m).msg);
    }
    codec::Msg status;
    status.cls = codec::MsgClass::Status;
    status.domain = 6;
    f.send(status, To::all);
    CHECK(f.received(all) == 7);
    CHECK(f.received(some) == 4);  // 2, 64, 255 and the status
}

TEST_CASE("mounts with views get their fields, and updates without any are not sent", "[hub][fanout][view]") {
    FanOutFixture f;
    const std::uint16_t bid = f.views.intern({reactor::rdm::View::Kind::fields, {22}, {}});
    const std::uint16_t ask = f.views.intern({reactor::rdm::View::Kind::fields, {25, 30}, {}});
    auto &whole = f.connect(), &bids = f.connect(), &asks = f.connect();
    f.mount(whole, 5);
    f.mount(bids, 6, 0, bid);
    f.mount(bids, 7, 0, bid);
    f.mount(asks, 8, 0, ask);
    const auto payload = fields({{22, 1}, {23, 9}}), left = fields({{22, 1}});
    f.send(received(update(payload)).msg);
    CHECK(f.next(whole) == bytesOf(update(payload), 5));
    CHECK(f.next(bids) == bytesOf(update(left), 6));
    CHECK(f.next(bids) == bytesOf(update(left), 7));
    CHECK(f.received(asks) == 0);
    codec::Msg refresh;
    refresh.cls = codec::MsgClass::Refresh;
    refresh.domain = 6;
    refresh.containerType = codec::DataType::FieldList;
    refresh.payload = payload;
    static const std::byte group[2]{};
    refresh.groupId = group;
    f.send(refresh, To::all);
    const auto none = fields({});
    refresh.payload = none;
    CHECK(f.next(asks) == bytesOf(refresh, 8));
    // Malformed: those who need it filtered hear that what they have is not the latest.
    CHECK(f.received(bids) == 2);
    f.send(update(Bytes(payload).first(6)));
    const auto told =
        fanout::inPlaceOf(update({}), "a message of this item cannot be cut to the view: its data are malformed");
    CHECK(told.state.stream == codec::StreamState::open);
    CHECK(told.state.data == codec::DataState::suspect);
    CHECK(f.next(bids) == bytesOf(told, 6));
    CHECK(f.next(bids) == bytesOf(told, 7));
}

TEST_CASE("those for whom a message cannot be written hear that they lack it", "[hub][fanout][json]") {
    FanOutFixture f;
    auto &rwf = f.connect(), &json = f.connect(true);
    f.mount(rwf, 5);
    f.mount(json, 6);
    const auto payload = fields({{22, 1}});
    codec::Msg m = update(payload);
    m.cls = codec::MsgClass::Refresh;
    m.flags = codec::RefreshFlag::complete | codec::RefreshFlag::qos;  // one that is unspecified cannot be encoded
    m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    static const std::byte group[2]{};
    m.groupId = group;
    f.send(m, To::all);
    CHECK(f.next(rwf) == bytesOf(fanout::inPlaceOf(m, fanout::kNotEncoded), 5));
    CHECK_THAT(f.text(json), Catch::Contains(R"("Type":"Status")") && Catch::Contains(R"("Data":"Suspect")") &&
                                 Catch::Contains("cannot be passed on"));
    CHECK(f.out->counts().unsent.get() == 1);
}

TEST_CASE("JSON and RWF clients get the same messages in their own form", "[hub][fanout][json]") {
    FanOutFixture f;
    auto &rwf = f.connect(), &json = f.connect(true);
    f.mount(rwf, 5);
    f.mount(json, 6);
    f.mount(json, -7);
    codec::Msg m = update({});
    m.containerType = codec::DataType::NoData;
    m.updateType = 1;
    SECTION("messages of a turn are one array") {
        f.locked([&] {
            f.out->send(*f.item, m, To::live);
            m.updateType = 2;
            f.out->send(*f.item, m, To::live);
        });
        const auto one = [](int id, const char* type) {
            return "{\"ID\":" + std::to_string(id) + ",\"Type\":\"Update\",\"UpdateType\":\"" + type + "\"}";
        };
        CHECK(f.text(json) ==
              "[" + one(6, "Quote") + "," + one(-7, "Quote") + "," + one(6, "Trade") + "," + one(-7, "Trade") + "]");
        m.updateType = 1;
        CHECK(f.next(rwf) == bytesOf(m, 5));
    }
    SECTION("fields need a dictionary") {
        const auto payload = fields({{22, 1}});
        f.send(update(payload));
        CHECK(f.received(json) == 0);
        CHECK(f.received(rwf) == 1);
        CHECK(f.out->counts().unsent.get() == 1);
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                     "BID \"BID\" 22 NULL INTEGER 17 UINT64 8\n",
                                     "fields"));
        f.locked([&] { f.out->setDictionary(d); });
        f.send(update(payload));
        CHECK_THAT(f.text(json), Catch::Contains("\"Fields\":{\"BID\":1}") && Catch::Contains("\"ID\":-7"));
    }
    SECTION("an image that cannot be made JSON is told, and so is an update") {
        codec::Msg image;
        image.cls = codec::MsgClass::Refresh;
        image.domain = 6;
        image.flags = codec::RefreshFlag::complete | codec::RefreshFlag::solicited;
        image.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        static const std::byte group[2]{};
        image.groupId = group;
        image.containerType = codec::DataType::FieldList;
        const auto payload = fields({{22, 1}});
        image.payload = payload;
        f.send(image, To::all);
        const std::string none = f.text(json);
        CHECK_THAT(none, Catch::Contains("\"ID\":6,\"Type\":\"Status\"") && Catch::Contains("\"ID\":-7") &&
                             Catch::Contains("\"Stream\":\"Open\",\"Data\":\"Suspect\",\"Code\":\"Error\"") &&
                             Catch::Contains("the hub has no dictionary"));
        image.state.stream = codec::StreamState::nonStreaming;
        f.send(image, To::all);
        CHECK_THAT(f.text(json), Catch::Contains("\"Stream\":\"ClosedRecover\""));
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                     "BID \"BID\" 22 NULL INTEGER 17 UINT64 8\n",
                                     "fields"));
        f.locked([&] { f.out->setDictionary(d); });
        f.send(update(Bytes(payload).first(6)));
        CHECK_THAT(f.text(json), Catch::Contains("\"ID\":6,\"Type\":\"Status\"") && Catch::Contains("\"ID\":-7") &&
                                     Catch::Contains("data are malformed"));
        CHECK(f.received(rwf) == 3);
        CHECK(f.out->counts().unsent.get() == 3);
    }
    SECTION("with keys and services' names where they were asked for, enumerated fields as each port has them") {
        struct Names final : eta::json::ServiceNames {
            std::optional<std::uint16_t> idOf(std::string_view) const noexcept override { return {}; }
            std::string_view nameOf(std::uint16_t id) const noexcept override { return id == 7 ? "FEED" : ""; }
        } names;
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                     "CURRENCY \"CURRENCY\" 15 NULL ENUMERATED 5 ( 3 ) ENUM 2\n",
                                     "fields"));
        REQUIRE_FALSE(d->parseEnums("!tag Type 2\n!tag DT_Version 1.0\n!tag DictionaryId 1\n"
                                    "CURRENCY 15\n 840 \"USD\" dollar\n",
                                    "enums"));
        auto& numbers = f.connect(true);
        numbers.client->expandsEnums = false;
        f.mount(json, 8, Mount::keyInUpdates);
        f.mount(numbers, 9, Mount::keyInUpdates);
        std::vector<std::byte> room(64);
        eta::BeWriter out(room);
        codec::FieldListEncoder list;
        list.begin(out);
        list.addEnum(15, 840);
        REQUIRE(list.complete().ok());
        m = update(out.view());
        f.locked([&] {
            f.out->setDictionary(d);
            f.out->setServices(&names);
            f.out->send(*f.item, m, To::live);
            f.out->flush();
        });
        const auto one = [](int id, bool key, const char* value) {
            return "{\"ID\":" + std::to_string(id) + ",\"Type\":\"Update\",\"UpdateType\":\"Unspecified\"" +
                   (key ? ",\"Key\":{\"Service\":\"FEED\",\"Name\":\"TRI.N\"}" : "") +
                   ",\"Fields\":{\"CURRENCY\":" + value + "}}";
        };
        CHECK(f.text(json) ==
              "[" + one(6, false, "\"USD\"") + "," + one(-7, false, "\"USD\"") + "," + one(8, true, "\"USD\"") + "]");
        CHECK(f.text(numbers) == "[" + one(9, true, "840") + "]");
        f.locked([&] { f.out->setServices(nullptr); });
    }
    SECTION("more than a frame holds comes in several messages, in order") {
        const std::string large(20'000, 'x');
        m.containerType = codec::DataType::Xml;
        m.payload = eta::asBytes(large);
        f.locked([&] {
            for (int i = 0; i < 10; ++i)
                f.out->send(*f.item, m, To::live);
        });
        std::size_t ids = 0, messages = 0;
        while (ids < 20) {
            const std::string text = f.text(json);
            ++messages;
            for (std::size_t at = 0; (at = text.find("\"ID\":", at)) != std::string::npos; ++at)
                CHECK(text.compare(at + 5, 2, ids++ % 2 == 0 ? "6," : "-7") == 0);
        }
        CHECK(messages > 1);
        CHECK(messages <= 20);
    }
}

TEST_CASE("messages keep their order for each client, whatever is full on the way", "[hub][fanout]") {
    FanOutFixture f;
    std::deque<FanOutFixture::Peer*> peers;
    for (int i = 0; i < 3; ++i)
        f.mount(*peers.emplace_back(&f.connect()), i);
    const std::vector<std::byte> large(400'000, std::byte{7});  // more than the log usually holds
    const std::size_t kMessages = 9000;                         // more than it has deliveries for
    f.locked([&] {
        for (auto* p : peers)
            f.out->admit(*p->client);
        for (std::size_t i = 0; i < kMessages; ++i) {
            codec::Msg m = update({}, F::seqNum);
            m.seqNum = static_cast<std::uint32_t>(i);
            if (i == 4000) {
                m.containerType = codec::DataType::Opaque;
                m.payload = large;
            }
            f.out->send(*f.item, m, To::live);
        }
    });
    for (auto* p : peers) {
        std::size_t got = 0;
        while (got < kMessages) {
            f.turn();
            const auto r = FanOutFixture::read(*p);
            if (r.kind != eta::transport::ReadResult::Kind::message) continue;
            codec::Msg m;
            REQUIRE(codec::decodeMsg(r.message, m).ok());
            REQUIRE(m.seqNum == got);
            REQUIRE((m.payload.size() == large.size()) == (got == 4000));
            ++got;
        }
    }
    CHECK(f.cut.empty());
}

TEST_CASE("clients that leave in the middle of a turn", "[hub][fanout]") {
    FanOutFixture f;
    auto &a = f.connect(), &b = f.connect();
    f.mount(a, 5);
    f.mount(b, 6);
    const Made m = received(update({}));
    SECTION("lose what was gathered; another one under their number has nothing of it") {
        f.locked([&] {
            f.out->send(*f.item, m.msg, To::live);
            f.mounts.remove(*a.client, 5);
            const std::uint32_t index = a.client->index;
            a.link->close();
            f.clients.remove(*a.client);
            Client& fresh = f.clients.add();
            REQUIRE(fresh.index == index);
            fresh.link = b.link.get();
            f.mounts.add(*f.item, fresh, 77, 0, 0);
            f.out->send(*f.item, m.msg, To::live);
            f.out->flush();
            a.client = &fresh;
        });
        std::vector<std::int32_t> streams;
        while (streams.size() < 3)
            streams.push_back(codec::peekMsg(f.next(b)).value().streamId);
        CHECK(streams == std::vector<std::int32_t>{77, 6, 6});
    }
    SECTION("or get it, where it is flushed before they are closed") {
        f.locked([&] {
            f.out->send(*f.item, m.msg, To::live);
            f.out->flush();
            a.link->close();
            a.client->link = nullptr;
        });
        CHECK(f.next(a) == bytesOf(m.msg, 5));
        f.send(m.msg);
        CHECK(f.received(b) == 2);
    }
}

TEST_CASE("a message on a stream that is no mount", "[hub][fanout]") {
    FanOutFixture f;
    auto &rwf = f.connect(), &json = f.connect(true);
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.domain = 6;
    ack.ackId = 7;
    f.locked([&] {
        CHECK(f.out->tell(*rwf.client, 5, ack).ok());
        CHECK(f.out->tell(*json.client, 6, ack).ok());
    });
    CHECK(f.next(rwf) == bytesOf(ack, 5));
    CHECK(f.text(json) == R"([{"ID":6,"Type":"Ack","AckID":7}])");
    rwf.client->link = nullptr;
    CHECK(f.out->tell(*rwf.client, 5, ack).code == eta::Errc::closed);
}

TEST_CASE("updates cost no memory and one system call a client and turn", "[hub][fanout]") {
    FanOutFixture f;
    std::deque<FanOutFixture::Peer*> peers;
    const std::uint16_t view = f.views.intern({reactor::rdm::View::Kind::fields, {22}, {}});
    for (int i = 0; i < 20; ++i)
        f.mount(*peers.emplace_back(&f.connect(i % 10 == 9)), i + 1, i % 2 != 0 ? Mount::keyInUpdates : 0,
                i % 3 == 0 ? view : 0);
    auto d = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                 "BID \"BID\" 22 NULL INTEGER 17 UINT64 8\nASK \"ASK\" 25 NULL INTEGER 17 UINT64 8\n",
                                 "fields"));
    f.locked([&] { f.out->setDictionary(d); });
    const auto payload = fields({{22, 1}, {25, 2}});
    const Made m = received(fullUpdate(payload));
    std::uint64_t allocated = 0, calls = 0;
    const auto writes = [&] {
        std::uint64_t sum = 0;
        for (auto* p : peers)
            sum += p->link->channel()->counters().writeCalls;
        return sum;
    };
    for (int round = 0; round < 4; ++round) {
        calls = writes();
        f.locked([&] {
            f.loop.post([&] {
                for (int i = 0; i < 30; ++i)
                    f.out->send(*f.item, m.msg, To::live);
            });
        });
        const std::uint64_t before = allocationsOfThisThread();
        f.turn();
        allocated = allocationsOfThisThread() - before;
        calls = writes() - calls;
        for (auto* p : peers)
            while (FanOutFixture::readOne(*p)) {}
    }
    CHECK(allocated == 0);
    CHECK(calls == peers.size());
}

TEST_CASE("updates are counted by listener, other messages are not", "[hub][fanout]") {
    FanOutFixture f;
    f.locked([&] {
        f.out->addListener("inside", {});
        f.out->addListener("outside", {});
    });
    auto &a = f.connect(), &b = f.connect(), &json = f.connect(true);
    b.client->listener = json.client->listener = 1;
    f.mount(a, 5);
    f.mount(b, 6);
    f.mount(b, 7);
    f.mount(json, 8);
    const auto payload = fields({{22, 1}});
    for (int i = 0; i < 3; ++i)
        f.send(received(update(payload)).msg);
    codec::Msg status;
    status.cls = codec::MsgClass::Status;
    status.flags = codec::StatusFlag::state;
    status.state = {codec::StreamState::open, codec::DataState::suspect, 0, {}};
    f.send(status, To::all);
    f.turn();
    std::map<std::string, std::uint64_t> counted;
    const auto all = f.loop.metrics();
    for (const auto& family : all.families())
        if (std::string_view(family.row->name) == "emissary_hub_updates_out_total")
            for (const auto& sample : family.samples)
                for (const auto& [label, value] : all.labels(sample))
                    if (label == "listener") counted[value] += sample.value;
    // Without a dictionary JSON clients get no field lists.
    CHECK(counted == std::map<std::string, std::uint64_t>{{"inside", 3}, {"outside", 6}});
}

TEST_CASE("the time from reading an update to handing it over is the longest of the turn", "[hub][fanout]") {
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    FanOutFixture f({}, options);
    auto& c = f.connect();
    f.mount(c, 5);
    const auto payload = fields({{22, 1}});
    const Made m = received(update(payload));
    const auto forwarded = [&f] { return f.out->counts().forward.get(); };
    const auto seconds = [&] { return std::chrono::nanoseconds(forwarded().nanoseconds); };
    f.locked([&] {
        f.out->send(*f.item, m.msg, To::live);
        clock.advance(std::chrono::milliseconds(2));
        f.out->send(*f.item, m.msg, To::live);
        clock.advance(std::chrono::milliseconds(1));
        f.out->flush();
        f.out->flush();  // nothing more
    });
    CHECK(seconds() == std::chrono::milliseconds(3));
    // Told of it by who has read it: the older one counts.
    f.locked([&] {
        f.out->receivedAt(clock.now() - std::chrono::milliseconds(40));
        f.out->receivedAt(clock.now());
        f.out->send(*f.item, m.msg, To::live);
        f.out->flush();
    });
    CHECK(seconds() == std::chrono::milliseconds(43));
    // Nobody gets it: nothing was forwarded.
    f.locked([&] {
        f.out->send(f.newItem("NOBODY"), m.msg, To::live);
        f.out->flush();
    });
    CHECK(seconds() == std::chrono::milliseconds(43));
}
