// The directory towards clients: answers cut to the request, changes, groups; dictionaries.
#include "fixture.h"
#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
namespace StreamState = codec::StreamState;
using json_test::Json;

namespace {

/// "Add 3: 1=Name,... 2=..." for each service of a directory message: filter ids in brackets.
std::string text(const Msg& m) {
    std::string out;
    codec::MapDecoder map;
    REQUIRE(map.start(m.payload).ok());
    for (codec::MapEntry entry; map.next(entry);) {
        std::uint64_t id = 0;
        REQUIRE(codec::decodeUInt(entry.key, id) == codec::Decoded::value);
        out += (entry.action == codec::MapAction::add      ? "add "
                : entry.action == codec::MapAction::update ? "update "
                                                           : "delete ") +
               std::to_string(id);
        if (!entry.data.empty()) {
            codec::FilterListDecoder filters;
            REQUIRE(filters.start(entry.data).ok());
            for (codec::FilterEntry f; filters.next(f);) {
                CHECK(f.action == codec::FilterAction::set);
                out += " " + std::to_string(f.id);
            }
        }
        out += ";";
    }
    return out;
}

struct DirectoryFixture : PortFixture {
    DirectoryFixture() {
        feed().merged.filters |= Filter::load | Filter::link;
        feed().merged.load.openLimit = 7;
        feed().merged.links.push_back({"src", 1, 1, 1, {}});
        change(Filter::load | Filter::link);
    }
    void change(std::uint32_t filters) {
        locked([&] {
            port->services().onServiceChanged(feed(), filters);
            return 0;
        });
    }
    RawConsumer with(std::uint32_t filter, std::optional<std::uint16_t> service = {}, bool streaming = true) {
        RawConsumer c = loggedIn();
        Msg m = RawConsumer::directoryRequest(filter);
        if (!streaming) m.flags = 0;
        if (service) {
            m.key.flags |= codec::KeyFlag::serviceId;
            m.key.serviceId = *service;
        }
        c.send(m);
        return c;
    }
};

}  // namespace

TEST_CASE("directory requests are answered with the filters and services asked for", "[hub][client][directory]") {
    DirectoryFixture f;
    f.locked([&] {
        f.port->services().onServiceAdded(f.add("SECOND", 9));
        return 0;
    });
    struct Row {
        std::uint32_t filter;
        std::optional<std::uint16_t> service;
        std::uint32_t said;
        std::string text;
    };
    for (const Row& row : {Row{63, {}, 0x2B, "add 3 1 2 4 6;add 9 1 2;"}, Row{3, {}, 3, "add 3 1 2;add 9 1 2;"},
                           Row{1, {}, 1, "add 3 1;add 9 1;"}, Row{2, 9, 2, "add 9 2;"}, Row{63, 77, 0, ""},
                           Row{0x08, 3, 8, "add 3 4;"}}) {
        INFO(row.filter);
        RawConsumer c = f.with(row.filter, row.service);
        const Received got = c.next();
        checkState(got, 2, StreamState::open, codec::DataState::ok);
        CHECK(got.msg.flags ==
              (RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache | RefreshFlag::solicited));
        CHECK(got.msg.key.filter == row.said);
        CHECK(got.msg.key.has(codec::KeyFlag::serviceId) == row.service.has_value());
        CHECK(text(got.msg) == row.text);
    }
    SECTION("a snapshot leaves no stream behind") {
        RawConsumer c = f.with(3, {}, false);
        checkState(c.next(), 2, StreamState::nonStreaming, codec::DataState::ok);
        f.change(Filter::state);
        c.send(RawConsumer::request(2, 6, "IBM", 3));
        CHECK(c.next().msg.domain == 6);
    }
    SECTION("a reissue changes what is told") {
        RawConsumer c = f.with(1);
        CHECK(text(c.next().msg) == "add 3 1;add 9 1;");
        c.send(RawConsumer::directoryRequest(2));
        CHECK(text(c.next().msg) == "add 3 2;add 9 2;");
        f.change(Filter::info | Filter::state);
        CHECK(text(c.next().msg) == "update 3 2;");
        c.send(RawConsumer::close(2, 4));
        f.runUntil([&] { return ClientSession::of(f.client()).directories.empty(); });
        f.change(Filter::state);
        CHECK(PortFixture::silent(c));
    }
}

TEST_CASE("changes of services reach those who asked for them", "[hub][client][directory]") {
    DirectoryFixture f;
    RawConsumer all = f.with(63), state = f.with(2), other = f.with(63, 9);
    (void)all.next();
    (void)state.next();
    CHECK(text(other.next().msg).empty());
    const auto quiet = [&](RawConsumer& c) { CHECK(PortFixture::silent(c)); };

    f.change(Filter::state);
    const Received got = all.next();
    CHECK(got.msg.cls == MsgClass::Update);
    CHECK(got.msg.has(codec::UpdateFlag::doNotConflate));
    CHECK(text(got.msg) == "update 3 2;");
    CHECK(text(state.next().msg) == "update 3 2;");
    quiet(other);

    f.change(Filter::load);
    CHECK(text(all.next().msg) == "update 3 4;");
    quiet(state);

    Service& added = f.add("SECOND", 9);
    f.locked([&] {
        f.port->services().onServiceAdded(added);
        return 0;
    });
    CHECK(text(all.next().msg) == "add 9 1 2;");
    CHECK(text(state.next().msg) == "add 9 2;");
    CHECK(text(other.next().msg) == "add 9 1 2;");

    // Down: the state. Up: what the service is comes along.
    f.feed().merged.state.up = false;
    f.change(Filter::state);
    CHECK(text(all.next().msg) == "update 3 2;");
    f.feed().merged.state.up = true;
    f.change(Filter::state);
    CHECK(text(all.next().msg) == "update 3 1 2;");
    (void)state.next();
    CHECK(text(state.next().msg) == "update 3 2;");

    f.locked([&] {
        f.port->services().onServiceDeleted(9);
        return 0;
    });
    CHECK(text(all.next().msg) == "delete 9;");
    CHECK(text(state.next().msg) == "delete 9;");
    CHECK(text(other.next().msg) == "delete 9;");
    f.locked([&] {
        f.port->services().onServiceDeleted(9);
        return 0;
    });
    quiet(all);
}

TEST_CASE("a directory is encoded once for all who ask for the same, until it changes", "[hub][client][directory]") {
    DirectoryFixture f;
    f.locked([&] {
        f.port->services().onServiceAdded(f.add("SECOND", 9));
        return 0;
    });
    const auto encoded = [&f] {
        return f.locked([&f] { return dynamic_cast<Directories&>(f.port->services()).encoded(); });
    };
    const auto answer = [&f](std::uint32_t filter, std::optional<std::uint16_t> service = {}) {
        RawConsumer c = f.with(filter, service);
        return text(c.next().msg);
    };
    for (int i = 0; i < 3; ++i)
        CHECK(answer(3) == "add 3 1 2;add 9 1 2;");
    CHECK(encoded() == 1);
    for (int i = 0; i < 2; ++i)
        CHECK(answer(2) == "add 3 2;add 9 2;");
    CHECK(encoded() == 2);
    CHECK(answer(3, 9) == "add 9 1 2;");
    CHECK(answer(3, 77).empty());
    CHECK(answer(3) == "add 3 1 2;add 9 1 2;");
    CHECK(encoded() == 2);
    SECTION("a service that comes is in the next answer, and one that is gone is not") {
        f.locked([&] {
            f.port->services().onServiceAdded(f.add("THIRD", 12));
            return 0;
        });
        CHECK(answer(3) == "add 3 1 2;add 9 1 2;add 12 1 2;");
        CHECK(encoded() == 3);
        f.locked([&] {
            f.port->services().onServiceDeleted(9);
            return 0;
        });
        CHECK(answer(3) == "add 3 1 2;add 12 1 2;");
    }
    SECTION("a state is the new one") {
        f.feed().merged.state.up = false;
        f.change(Filter::state);
        RawConsumer c = f.with(3);
        rdm::Directory seen;
        REQUIRE(seen.apply(c.next().msg.payload, true).ok());
        CHECK_FALSE(seen.find("FEED")->state.up);
        CHECK(seen.find("SECOND")->state.up);
    }
    SECTION("what is kept has a bound: the oldest goes") {
        for (const std::uint32_t filter : {1u, 8u, 9u, 10u, 11u, 32u, 33u})
            (void)answer(filter);
        CHECK(encoded() == 9);
        CHECK(answer(2) == "add 3 2;add 9 2;");
        CHECK(encoded() == 9);
        CHECK(answer(3) == "add 3 1 2;add 9 1 2;");
        CHECK(encoded() == 10);
    }
}

TEST_CASE("directories of ports that show some services are kept apart", "[hub][client][directory]") {
    ListenerSettings shows = PortFixture::webSocket();
    shows.web.services = {"SECOND", "THIRD"};
    PortFixture f(PortFixture::defaults(), shows);
    f.locked([&] {
        f.port->services().onServiceAdded(f.add("SECOND", 9));
        f.port->setDictionary(smallDictionary());
        return 0;
    });
    const auto namesSeen = [](const Json& got) {
        std::string out;
        for (const Json& entry : got.at("Map").at("Entries").items)
            out += entry.at("Key").text + ";";
        return out;
    };
    const auto encoded = [&f] {
        return f.locked([&f] { return dynamic_cast<Directories&>(f.port->services()).encoded(); });
    };
    std::vector<std::unique_ptr<TextClient>> clients;
    for (int i = 0; i < 3; ++i) {
        TextClient& c =
            *clients.emplace_back(std::make_unique<TextClient>(webSocketTo(f.port->port()), [&f] { f.turn(); }));
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        (void)c.next("Domain", "Login");
        c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
        CHECK(namesSeen(c.next("Domain", "Source")) == "9;");
        c.send(R"({"ID":3,"Domain":"Source","Key":{"Filter":3,"Service":3}})");
        const Json other = c.next("ID", "3");
        CHECK((other.find("Map") == nullptr || other.at("Map").find("Entries") == nullptr || namesSeen(other).empty()));
    }
    CHECK(encoded() == 1);
    SECTION("a drain names those alone") {
        f.locked([&] {
            f.port->drain(std::chrono::hours(1), {});
            return 0;
        });
        for (const auto& c : clients) {
            const Json told = c->next("Type", "Update");
            CHECK(told.at("ID").text == "2");
            CHECK(namesSeen(told) == "9;");
        }
    }
}

TEST_CASE("a drain is told in one message for all services, and once", "[hub][client][directory]") {
    DirectoryFixture f;
    Service& second = f.add("SECOND", 9);
    f.locked([&] {
        f.port->services().onServiceAdded(second);
        return 0;
    });
    RawConsumer all = f.with(63), state = f.with(2), one = f.with(63, 9), info = f.with(1), late = f.loggedIn();
    for (RawConsumer* const c : {&all, &state, &one, &info})
        (void)c->next();
    SECTION("services that take requests") {
        f.locked([&] {
            f.port->drain(std::chrono::hours(1), {});
            return 0;
        });
        const Received got = all.next();
        CHECK(got.msg.cls == MsgClass::Update);
        CHECK(got.msg.has(codec::UpdateFlag::doNotConflate));
        CHECK(text(got.msg) == "update 3 2;update 9 2;");
        rdm::Directory told;
        REQUIRE(told.add(f.feed().merged));
        REQUIRE(told.add(second.merged));
        REQUIRE(told.apply(got.msg.payload, false).ok());
        for (const auto& s : told.services())
            CHECK_FALSE(s->state.acceptingRequests());
        CHECK(text(state.next().msg) == "update 3 2;update 9 2;");
        CHECK(text(one.next().msg) == "update 9 2;");
        // What the sources say of it afterwards is no news.
        f.feed().merged.state.accepting = false;
        f.change(Filter::state);
        for (RawConsumer* const c : {&all, &state, &one, &info})
            CHECK(PortFixture::silent(*c));
        late.send(RawConsumer::directoryRequest(2));
        rdm::Directory seen;
        REQUIRE(seen.apply(late.next().msg.payload, true).ok());
        CHECK_FALSE(seen.find(std::uint16_t{3})->state.acceptingRequests());
        CHECK_FALSE(seen.find(std::uint16_t{9})->state.acceptingRequests());
        // But their end is.
        f.feed().merged.state.up = false;
        f.change(Filter::state);
        CHECK(text(state.next().msg) == "update 3 2;");
    }
    SECTION("one that takes none already is not named") {
        f.feed().merged.state.accepting = false;
        f.change(Filter::state);
        CHECK(text(all.next().msg) == "update 3 2;");
        f.locked([&] {
            f.port->drain(std::chrono::hours(1), {});
            return 0;
        });
        CHECK(text(all.next().msg) == "update 9 2;");
        CHECK(PortFixture::silent(all));
    }
}

TEST_CASE("group states, merges and service data are passed on and not kept", "[hub][client][directory]") {
    DirectoryFixture f;
    RawConsumer groups = f.with(63), none = f.with(0x3B);
    (void)groups.next();
    (void)none.next();
    const std::byte one[] = {std::byte{0}, std::byte{3}, std::byte{0}, std::byte{1}}, two[] = {std::byte{9}};
    f.locked([&] {
        f.port->services().onGroupStatus(f.feed(), one, {StreamState::open, codec::DataState::suspect, 0, {}});
        f.port->services().onGroupMerged(f.feed(), one, two);
        return 0;
    });
    rdm::Directory peer;
    struct Heard : rdm::DirectoryListener {
        std::vector<std::string> all;
        void onGroupMerged(const rdm::Service&, Bytes g, Bytes into) override {
            all.push_back("merged " + std::to_string(g.size()) + " " + std::to_string(into.size()));
        }
        void onGroupStatus(const rdm::Service&, Bytes g, const codec::State& s) override {
            all.push_back("status " + std::to_string(g.size()) + " " + std::to_string(int{s.data}));
        }
    } heard;
    REQUIRE(peer.add(f.feed().merged));
    for (int i = 0; i < 2; ++i)
        REQUIRE(peer.apply(groups.next().msg.payload, false, &heard).ok());
    CHECK(heard.all == std::vector<std::string>{"status 4 2", "merged 4 1"});
    CHECK(PortFixture::silent(none));

    rdm::ServiceData data;
    data.type = 1;
    data.dataType = codec::DataType::Opaque;
    data.data.resize(3);
    f.locked([&] {
        f.port->services().onServiceData(f.feed(), data);
        return 0;
    });
    CHECK(text(groups.next().msg) == "update 3 5;");
    CHECK(text(none.next().msg) == "update 3 5;");
    CHECK(f.port->counts().of.ignored == 0);
    RawConsumer late = f.with(63);
    CHECK(text(late.next().msg) == "add 3 1 2 4 6;");
    std::size_t hearing = 0;
    for (std::uint32_t i = 0; i < f.clients.end(); ++i)
        hearing += f.clients.find(i) != nullptr && f.clients.find(i)->hearsGroups ? 1 : 0;
    CHECK(hearing == 2);
}

TEST_CASE("dictionaries come when the hub has them, and again when they change", "[hub][client][directory]") {
    PortFixture f;
    const auto serve = [&](std::string_view version) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version " + std::string(version) +
                                         "\n!tag DictionaryId 1\nBID \"BID\" 22 NULL PRICE 17 REAL64 9\n",
                                     "fields"));
        f.locked([&] {
            f.port->serve({"RWFFld", reactor::ServedDictionary::Kind::fields, d});
            return 0;
        });
    };
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
    CHECK(c.next().msg.state.stream == StreamState::closedRecover);
    serve("4.20.1");
    c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
    CHECK(c.next().msg.has(RefreshFlag::solicited));
    serve("4.20.2");
    const Received got = c.next();
    CHECK_FALSE(got.msg.has(RefreshFlag::solicited));
    CHECK(eta::asText(got.msg.payload).find("4.20.2") != std::string_view::npos);
}

TEST_CASE("directory requests beyond a turn's budget wait, each is answered, and those of closed streams are not",
          "[hub][client]") {
    DirectoryFixture f;
    for (std::uint16_t i = 0; i < 2000; ++i)
        f.locked([&] {
            f.port->services().onServiceAdded(f.add("S" + std::to_string(i), static_cast<std::uint16_t>(100 + i)));
            return 0;
        });
    RawConsumer probe = f.loggedIn("probe"), c = f.loggedIn("greedy");
    constexpr int kRequests = 40;
    Msg ask = RawConsumer::directoryRequest(Filter::info | Filter::state);
    for (int i = 0; i < kRequests; ++i)
        c.send(ask);
    Msg other = ask;
    other.streamId = 77;
    c.send(other);
    c.send(RawConsumer::close(77));
    c.send(RawConsumer::request(9, 6, "IBM", 3));
    f.runUntil([&] { return !ClientSession::of(f.client("greedy")).held.empty(); });
    probe.send(RawConsumer::request(5, 6, "PROBE", 3));
    CHECK(probe.next().msg.cls == MsgClass::Refresh);
    for (int i = 0; i < kRequests; ++i) {
        const Received got = c.next();
        REQUIRE(got.msg.domain == 4);
        REQUIRE(got.msg.streamId == ask.streamId);
        codec::MapDecoder map;
        REQUIRE(map.start(got.msg.payload).ok());
        int entries = 0;
        for (codec::MapEntry entry; map.next(entry);)
            ++entries;
        CHECK(entries == 2001);
    }
    Received last = c.next();
    if (last.msg.streamId == 77) last = c.next();  // it was answered before its end was read
    CHECK(last.msg.streamId == 9);
    const std::size_t one = 4 * 2001 * 200;  // more than the longest answer counts as
    CHECK(f.port->counts().of.turnWork.get() <= TurnBudget::kOfTurn * 3 / 2 + 2 * one);
    CHECK(ClientSession::of(f.client("greedy")).idle());
}
