// The server end of publishers: what its handler may rely on.
#include "reactor/acceptor/AcceptorRole.h"

#include "eta/codec/encoders.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/TurnShare.h"
#include "support/RawConsumer.h"
#include "support/until.h"

#include <mutex>
#include <optional>

using namespace emissary;
using namespace emissary::test;
namespace rdm = reactor::rdm;

namespace {

using Octets = std::vector<std::byte>;

struct Listening final : reactor::acceptor::AcceptorHandler {
    reactor::Reactor loop{{}};
    std::unique_ptr<reactor::acceptor::AcceptorRole> role;
    std::vector<Octets> items;
    std::vector<std::string> names, ignored;
    std::string gone;

    /// One service of a directory in each turn, or one of its items.
    std::optional<reactor::TurnShare> share;
    std::vector<std::string> events;
    struct Changes final : rdm::DirectoryListener {
        explicit Changes(std::vector<std::string>& e) : events(e) {}
        void onServiceAdded(const rdm::Service& s) override { events.push_back("add " + s.name()); }
        void onServiceDeleted(const rdm::Service& s) override { events.push_back("delete " + s.name()); }
        std::vector<std::string>& events;
    } changes{events};

    explicit Listening(bool inSteps = false) {
        reactor::acceptor::AcceptorOptions options;
        options.bind.port = "0";
        const std::lock_guard guard(loop.lock());
        if (inSteps) options.share = &share.emplace(loop, std::chrono::microseconds(0));
        role = std::make_unique<reactor::acceptor::AcceptorRole>(loop, options, *this);
        REQUIRE_FALSE(role->listen());
    }
    ~Listening() override {
        const std::lock_guard guard(loop.lock());
        role.reset();
        share.reset();
    }
    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    void onDirectory(std::uint64_t, const rdm::Directory& d, const codec::Msg& m) override {
        events.push_back(std::string(codec::name(m.cls)) + " of " + std::to_string(d.services().size()));
    }
    rdm::DirectoryListener* directoryListener(std::uint64_t) override { return &changes; }
    void onServiceGone(std::uint64_t, const reactor::acceptor::PublishedStream& stream) override {
        events.push_back("closed " + stream.name);
    }
    void onIgnored(std::uint64_t, const std::string& why) override { ignored.push_back(why); }
    void onPublisherDown(std::uint64_t, const std::string& reason) override { gone = reason; }
    void onItem(std::uint64_t, const reactor::acceptor::PublishedStream& stream, const codec::Msg& m) override {
        items.emplace_back(m.raw.begin(), m.raw.end());
        names.push_back(stream.name);
    }
};

/// Logged in, with service 3.
RawConsumer publisher(Listening& l) {
    RawConsumer p(l.role->port(), [&l] { l.turn(); });
    rdm::LoginAttributes attributes;
    attributes.role = 1;
    reactor::GrowingBuffer list, map;
    REQUIRE(rdm::encodeLogin(list.start(), attributes).ok());
    codec::Msg login;
    rdm::makeLoginRequest(login, "pub", 1, list.view());
    p.send(login);
    REQUIRE(p.next().msg.state.stream == codec::StreamState::open);
    rdm::Service service;
    service.id = 3;
    service.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    service.info.name = "FEED";
    service.info.capabilities = {6};
    service.state.up = true;
    rdm::Directory d;
    REQUIRE(d.add(service));
    REQUIRE(d.encode(map.start(), {}).ok());
    codec::Msg directory;
    directory.cls = codec::MsgClass::Refresh;
    directory.domain = 4;
    directory.flags = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
    directory.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    directory.containerType = codec::DataType::Map;
    directory.payload = map.view();
    p.send(directory);
    return p;
}

}  // namespace

TEST_CASE("onItem is given each message byte for byte as it was published (Msg::raw)", "[niprovider]") {
    Listening l;
    RawConsumer p = publisher(l);
    static constexpr std::byte group[] = {std::byte{1}, std::byte{2}}, perm[] = {std::byte{3}, std::byte{0x10}},
                               extra[] = {std::byte{9}, std::byte{8}, std::byte{7}};
    const auto encoded = [](const codec::Msg& m) {
        Octets bytes(codec::maxEncodedSize(m));
        eta::BeWriter out(bytes);
        REQUIRE(codec::encodeMsg(out, m).ok());
        bytes.resize(out.size());
        return bytes;
    };
    codec::Msg m;
    m.domain = 6;
    m.streamId = -1;
    m.groupId = group;
    m.permData = perm;
    m.extendedHeader = extra;
    m.seqNum = 77;
    m.state = {codec::StreamState::open, codec::DataState::ok, 0, eta::asBytes("as it is")};
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = 3;
    m.key.name = eta::asBytes("TRI.N");
    m.containerType = codec::DataType::Opaque;
    m.payload = extra;
    std::vector<Octets> sent;
    const auto send = [&](codec::MsgClass cls, std::uint16_t flags) {
        m.cls = cls;
        m.flags = flags;
        sent.push_back(encoded(m));
        p.sendBytes(sent.back());
    };
    namespace R = codec::RefreshFlag;
    namespace U = codec::UpdateFlag;
    namespace S = codec::StatusFlag;
    send(codec::MsgClass::Refresh, R::extendedHeader | R::permData | R::msgKey | R::seqNum | R::complete);
    send(codec::MsgClass::Update, U::extendedHeader | U::permData | U::msgKey | U::seqNum | U::discardable);
    send(codec::MsgClass::Update, 0);
    send(codec::MsgClass::Generic, codec::GenericFlag::complete | codec::GenericFlag::seqNum);
    // Longer than a fragment, so that it comes in several and is put together.
    const Octets large(20'000, std::byte{0x5A});
    m.payload = large;
    send(codec::MsgClass::Update, U::seqNum);
    m.payload = extra;
    send(codec::MsgClass::Status, S::state | S::groupId | S::extendedHeader);
    REQUIRE(turnUntil([&] { return l.items.size() == sent.size(); },
                      [&] {
                          p.flush();
                          l.turn();
                      }));
    for (std::size_t i = 0; i < sent.size(); ++i) {
        INFO("message " << i);
        CHECK(l.items[i] == sent[i]);
        CHECK(l.names[i] == "TRI.N");
    }
}

TEST_CASE("what of a publisher's directory cannot be used costs itself alone", "[niprovider][acceptor]") {
    Listening l;
    RawConsumer p = publisher(l);
    const auto send = [&](std::uint8_t filter, const std::function<void(codec::ElementListEncoder&)>& elements) {
        reactor::GrowingBuffer map;
        codec::MapEncoder services;
        codec::EntryContainerHeader header;
        header.entryType = codec::DataType::FilterList;
        services.begin(map.start(), header, codec::DataType::UInt);
        const std::byte three[] = {std::byte{3}};
        services.beginEntry(codec::MapAction::update, three);
        codec::FilterListEncoder filters;
        filters.begin(map.writer(), codec::DataType::ElementList);
        filters.beginEntry(codec::FilterAction::update, filter, codec::DataType::ElementList);
        codec::ElementListEncoder e;
        e.begin(map.writer());
        elements(e);
        REQUIRE(e.complete().ok());
        filters.endEntry();
        REQUIRE(filters.complete().ok());
        services.endEntry();
        REQUIRE(services.complete().ok());
        codec::Msg m;
        m.cls = codec::MsgClass::Update;
        m.domain = 4;
        m.containerType = codec::DataType::Map;
        m.payload = map.view();
        p.send(m);
    };
    const auto service = [&] { return l.role->directory(l.role->publishers().at(0))->find("FEED"); };
    send(3, [](auto& e) { e.addUInt("Status", 1); });
    send(1, [](auto& e) {
        e.addAscii("Vendor", "somebody");
        e.addUInt("ItemList", 1);
    });
    send(2, [](auto& e) { e.addUInt("AcceptingRequests", 0); });
    REQUIRE(turnUntil([&] { return service() != nullptr && !service()->state.acceptingRequests(); },
                      [&] {
                          p.flush();
                          l.turn();
                      }));
    CHECK(service()->info.vendor == "somebody");
    CHECK(service()->state.up);
    CHECK(l.gone.empty());
    REQUIRE(l.ignored.size() == 2);
    CHECK(l.ignored[0].find("service id 3: Group: ") != std::string::npos);
    CHECK(l.ignored[1].find("service id 3: Info: element 'ItemList'") != std::string::npos);

    // An update that is no map of services says nothing of them.
    reactor::GrowingBuffer map;
    codec::MapEncoder names;
    codec::EntryContainerHeader header;
    header.entryType = codec::DataType::FilterList;
    names.begin(map.start(), header, codec::DataType::AsciiString);
    names.add(codec::MapAction::del, eta::asBytes(std::string_view("3")), {});
    REQUIRE(names.complete().ok());
    codec::Msg m;
    m.cls = codec::MsgClass::Update;
    m.domain = 4;
    for (const auto type : {codec::DataType::Map, codec::DataType::Opaque}) {
        m.containerType = type;
        m.payload = map.view();
        p.send(m);
    }
    REQUIRE(turnUntil([&] { return l.ignored.size() == 4; },
                      [&] {
                          p.flush();
                          l.turn();
                      }));
    CHECK(l.ignored[2].find("no map of services") != std::string::npos);
    CHECK(service() != nullptr);
    CHECK(l.gone.empty());
    CHECK(l.role->counters().malformed == 0);
}

TEST_CASE("a long directory is taken over in steps, and what follows it waits", "[niprovider][acceptor]") {
    using Strings = std::vector<std::string>;
    Listening l(true);
    RawConsumer p = publisher(l);
    REQUIRE(turnUntil([&] { return !l.events.empty() && l.events.back() == "Refresh of 1"; }, [&] { l.turn(); }));
    CHECK(std::exchange(l.events, {}) == Strings{"add FEED", "Refresh of 1"});
    const auto directory = [&](codec::MsgClass cls, const std::vector<std::string>& names, Bytes deletes = {}) {
        rdm::Directory d;
        for (std::size_t i = 0; i < names.size(); ++i) {
            rdm::Service s;
            s.id = static_cast<std::uint16_t>(10 + i);
            s.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
            s.info.name = names[i];
            s.info.capabilities = {6};
            REQUIRE(d.add(s));
        }
        reactor::GrowingBuffer map;
        if (deletes.empty()) REQUIRE(d.encode(map.start(), {}).ok());
        codec::Msg m;
        m.cls = cls;
        m.domain = 4;
        if (cls == codec::MsgClass::Refresh) m.flags = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.containerType = codec::DataType::Map;
        m.payload = deletes.empty() ? map.view() : deletes;
        p.send(m);
    };
    const auto item = [&](std::int32_t stream, std::uint16_t service, const std::string& name) {
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 6;
        m.streamId = stream;
        m.flags = codec::RefreshFlag::msgKey | codec::RefreshFlag::complete;
        static constexpr std::byte group[2] = {};
        m.groupId = group;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = service;
        m.key.name = eta::asBytes(name);
        p.send(m);
    };
    const auto until = [&](const std::function<bool()>& done) {
        std::size_t turns = 0;
        REQUIRE(turnUntil(done, [&] {
            const std::size_t before = l.events.size();
            l.turn();
            CHECK(l.events.size() <= before + 2);  // a step, and the end
            ++turns;
        }));
        return turns;
    };
    item(-1, 3, "OLD");
    directory(codec::MsgClass::Refresh, {"A", "B", "C"});  // FEED is not in it
    item(-2, 12, "NEW");
    item(-3, 11, "X");
    item(-4, 11, "Y");
    const std::size_t turns = until([&] { return l.names.size() == 4; });
    CHECK(turns >= 4);
    CHECK(l.names == Strings{"OLD", "NEW", "X", "Y"});
    CHECK(l.ignored.empty());
    CHECK(std::exchange(l.events, {}) ==
          Strings{"delete FEED", "add A", "add B", "add C", "closed OLD", "Refresh of 3"});
    SECTION("a deleted service takes its streams along, and no others") {
        reactor::GrowingBuffer map;
        const std::uint16_t ids[] = {11};
        REQUIRE(rdm::Directory::encodeDeletes(map.start(), ids).ok());
        directory(codec::MsgClass::Update, {}, map.view());
        item(-5, 12, "AFTER");
        until([&] { return l.names.back() == "AFTER"; });
        CHECK(l.events == Strings{"delete B", "closed X", "closed Y", "Update of 2"});
        CHECK(l.role->streams(l.role->publishers().front()) == 2);
    }
    SECTION("one that cannot be read ends the publisher, and one that ends meanwhile is over") {
        const bool rubbish = GENERATE(true, false);
        directory(codec::MsgClass::Update, {"A", "B2", "C2", "D", "E"});
        if (rubbish) {
            static constexpr std::byte bad[3] = {};
            directory(codec::MsgClass::Update, {}, bad);
        } else {
            until([&] { return !l.events.empty(); });
            p.disconnect();
        }
        until([&] { return !l.gone.empty(); });
        for (int i = 0; i < 10; ++i)
            l.turn();
        if (rubbish) CHECK(l.events.back() == "Update of 5");
    }
}
