// The server end of publishers: what its handler may rely on.
#include "reactor/niprovider/AcceptorRole.h"

#include "eta/codec/encoders.h"
#include "reactor/GrowingBuffer.h"
#include "support/RawConsumer.h"
#include "support/until.h"

#include <mutex>

using namespace emissary;
using namespace emissary::test;
namespace rdm = reactor::rdm;

namespace {

using Octets = std::vector<std::byte>;

struct Listening final : reactor::niprovider::AcceptorHandler {
    reactor::Reactor loop{{}};
    std::unique_ptr<reactor::niprovider::AcceptorRole> role;
    std::vector<Octets> items;
    std::vector<std::string> names, ignored;
    std::string gone;

    Listening() {
        reactor::niprovider::AcceptorOptions options;
        options.bind.port = "0";
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<reactor::niprovider::AcceptorRole>(loop, options, *this);
        REQUIRE_FALSE(role->listen());
    }
    ~Listening() override {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    void onDirectory(std::uint64_t, const rdm::Directory&, const codec::Msg&) override {}
    void onIgnored(std::uint64_t, const std::string& why) override { ignored.push_back(why); }
    void onPublisherDown(std::uint64_t, const std::string& reason) override { gone = reason; }
    void onItem(std::uint64_t, const reactor::niprovider::PublishedStream& stream, const codec::Msg& m) override {
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
    CHECK(l.role->counters().malformed == 0);
}
