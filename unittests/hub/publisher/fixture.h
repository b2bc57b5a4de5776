// Scripted publishers on real sockets, the publishers' side of a hub, and clients that note what they get; the clock
// stands still.
#pragma once

#include "hub/flow/fixture.h"
#include "hub/publisher/PublisherPort.h"
#include "support/RawConsumer.h"
#include "support/StillClock.h"
#include "support/until.h"

namespace emissary::test {

/// A policy of PublisherFixture.
inline void waits(ServiceSettings& s) {
    s.unknownItem = UnknownItem::wait;
}

/// Accepts every login at once; all users are in the group feeds.
class Everybody final : public client::LoginCheck {
    std::optional<client::LoginVerdict> check(const client::LoginAsk& ask, std::uint64_t,
                                              client::LoginVerdicts&) override {
        client::LoginVerdict yes;
        yes.user = ask.as;
        yes.groups = {"feeds"};
        return yes;
    }
    void cancel(std::uint64_t) noexcept override {}
};

class PublisherFixture : public Deliveries, public ViewOwner, public ServiceListener {
public:
    StillClock clock;
    reactor::Reactor loop{[this] {
        reactor::ReactorOptions o;
        o.clock = &clock;
        return o;
    }()};
    std::vector<std::string> out, log, events;
    bool withoutFields = false;  ///< payloads are not looked at
    ItemTable items;
    ClientTable clients;
    ServiceTable services;
    Mounts mounts{items, clients};
    directory::Groups groups{items};
    Outputs outputs{*this, clients};
    ItemFlow flow{{items, clients, services, mounts, outputs, groups, *this}, 6000};
    flow::Records records{items, services, flow, loop};
    const std::uint32_t statusRate;  ///< statuses a second; 0 = no limit
    const bool inShares;             ///< directories are taken over and told of within shares of turns, as in a hub
    directory::StatusPace pace{items, clients, services, flow, loop, statusRate};
    directory::GroupStates groupStates{groups, flow, items, services, *this, &pace};
    directory::Merge merge{services, *this, [this] {
                               directory::MergeOptions o;
                               o.watched = [this](const Service& s) { return watched(s); };
                               if (inShares) o.reactor = &loop;
                               return o;
                           }()};
    publisher::PublisherSupply supply{{items, services, flow, records, groups, groupStates, loop}};
    publisher::PublisherOffers offers{merge, services, supply};
    publisher::PublisherNames names;
    Everybody logins;
    std::unique_ptr<publisher::PublisherPort> port;

    explicit PublisherFixture(const std::function<void(ServiceSettings&)>& policy = {}, std::uint32_t rate = 0,
                              bool shares = false)
        : services({}, settings(policy)), statusRate(rate), inShares(shares) {
        merge.use(Source::kPublisher, supply, supply);
        reactor::acceptor::AcceptorOptions options;
        options.bind.port = "0";
        options.hostName = "hub";
        options.announceName = "ADH";
        options.share = merge.readingShare();
        const std::lock_guard guard(loop.lock());
        port = std::make_unique<publisher::PublisherPort>(
            loop, options, publisher::PublisherPort::Rooms{names, offers, supply, services, nullptr, logins},
            publisher::PublisherPort::LoginRules{}, [this](Severity, const std::string& line) { log.push_back(line); });
        REQUIRE_FALSE(port->listen());
    }
    ~PublisherFixture() override {
        const std::lock_guard guard(loop.lock());
        port.reset();
    }
    static ServiceSettings settings(const std::function<void(ServiceSettings&)>& policy) {
        ServiceSettings s;
        s.name = "*";
        if (policy) policy(s);
        return s;
    }

    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    template <class Condition>
    void until(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!condition()) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            turn();
        }
    }
    void wait(std::chrono::milliseconds by) {
        clock.advance(by);
        for (int n = 0; n < 3; ++n)
            turn();
    }
    publisher::PublisherCounts& counts() { return supply.counts(); }

    bool watched(const Service& service) {
        bool any = false;
        const auto look = [&](const Item& i) { any = any || i.mountCount != 0; };
        items.forEachOf(service.id, nullptr, look);
        items.forEachSource(service.id, [&](const Source& s) { items.forEachOf(service.id, &s, look); });
        return any;
    }

    // --- clients
    Client& client() {
        Client& c = clients.add();
        c.loggedIn = true;
        return c;
    }
    bool join(Client& c, std::int32_t stream, std::string_view name, std::uint8_t domain = 6) {
        const codec::MsgKey key = FlowFixture::named(name);
        JoinRequest r;
        r.service = 3;
        r.domain = domain;
        r.key = &key;
        return flow.join(c, stream, r);
    }
    Item* item(std::string_view name) { return items.find(items.keyOf(3, 6, FlowFixture::named(name))); }
    std::vector<std::string> take() { return std::exchange(out, {}); }
    /// What a client that comes late gets at once.
    std::string late(std::string_view name) {
        const std::vector<std::string> kept = take();
        Client& c = client();
        REQUIRE(join(c, 99, name));
        const std::string got = out.empty() ? "nothing" : out.at(0).substr(out[0].find(' ') + 1);
        leaveAll(flow, c);
        clients.remove(c);
        out = kept;
        return got;
    }

    // --- Deliveries
    void send(Item& to, const Msg& msg, To which) override {
        for (std::uint32_t at = 0; at < to.mountCount; ++at) {
            const Mount& m = to.mounts[at];
            const bool waiting = m.is(Mount::waiting);
            if (which == To::waiting ? !waiting : which == To::settled ? waiting : false) continue;
            if (which == To::live && awaitsImage(m)) continue;
            send(to, m, msg);
        }
    }
    void send(Item& to, const Mount& mount, const Msg& msg) override {
        REQUIRE(items.find(to.index, to.generation) == &to);
        std::string line = std::to_string(mount.client) + ":" + std::to_string(mount.stream) + " ";
        Msg shown = msg;
        if (withoutFields) shown.containerType = codec::DataType::NoData;
        out.push_back(line + FlowFixture::text(shown));
    }
    void release(std::uint16_t) noexcept override {}

    // --- ServiceListener
    void onServiceAdded(const Service& s) override { events.push_back("add " + s.name); }
    void onServiceChanged(const Service& s, std::uint32_t) override {
        events.push_back("change " + s.name + (s.up() ? " up" : " down"));
    }
    void onServiceDeleted(std::uint16_t id) override { events.push_back("delete " + std::to_string(id)); }
    void onGroupStatus(const Service& s, Bytes, const codec::State& state) override {
        events.push_back("group " + s.name + " " + std::to_string(state.data));
    }
    void onGroupMerged(const Service& s, Bytes, Bytes) override { events.push_back("merged " + s.name); }
    void onServiceData(const Service&, const reactor::rdm::ServiceData&) override {}
};

/// A publisher of service FEED, id 3.
class ScriptedPublisher {
public:
    explicit ScriptedPublisher(PublisherFixture& f, const std::string& user = "pub", bool ready = true)
        : f_(f), raw(f.port->port(), [&f] { f.turn(); }) {
        if (!ready) return;
        login(user);
        CHECK(raw.next().msg.cls == codec::MsgClass::Refresh);
        directory({service()});
        settle();
    }
    void login(const std::string& user, std::uint8_t nameType = 1) {
        reactor::rdm::LoginAttributes asked;
        asked.role = 1;
        reactor::GrowingBuffer attributes;
        REQUIRE(reactor::rdm::encodeLogin(attributes.start(), asked).ok());
        Msg m = RawConsumer::loginRequest(user);
        m.key.flags |= codec::KeyFlag::attrib | codec::KeyFlag::nameType;
        m.key.nameType = nameType;
        m.key.attribType = codec::DataType::ElementList;
        m.key.attrib = attributes.view();
        raw.send(m);
    }
    static reactor::rdm::Service service(std::uint16_t id = 3, std::string name = "FEED") {
        reactor::rdm::Service s;
        s.id = id;
        s.filters = reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state;
        s.info.name = std::move(name);
        s.info.capabilities = {6, 7};
        s.state.up = true;
        return s;
    }
    void directory(const std::vector<reactor::rdm::Service>& list, codec::MsgClass cls = codec::MsgClass::Refresh,
                   std::uint16_t flags = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache,
                   std::uint32_t filters = 0x3F) {
        reactor::rdm::Directory d;
        for (const auto& s : list)
            REQUIRE(d.add(s));
        reactor::GrowingBuffer map;
        if (cls == codec::MsgClass::Update)
            REQUIRE(reactor::rdm::Directory::encodeService(map.start(), list.at(0), filters, true).ok());
        else REQUIRE(d.encode(map.start(), {filters, {}}).ok());
        send(0, 4, cls, flags, {}, [&](Msg& m) {
            m.containerType = codec::DataType::Map;
            m.payload = map.view();
        });
    }
    void deleteService(std::uint16_t id) {
        reactor::GrowingBuffer map;
        REQUIRE(reactor::rdm::Directory::encodeDeletes(map.start(), std::array{id}).ok());
        send(0, 4, codec::MsgClass::Update, 0, {}, [&](Msg& m) {
            m.containerType = codec::DataType::Map;
            m.payload = map.view();
        });
    }
    /// Of a group of service FEED; `into`: it is merged, and `state` is not said.
    void groupStatus(Bytes group, const codec::State& state, Bytes into = {}) {
        update(codec::FilterAction::set, 3, [&](codec::ElementListEncoder& e) {
            e.add("Group", codec::DataType::Buffer, group);
            if (!into.empty()) return e.add("MergedToGroup", codec::DataType::Buffer, into);
            addStatus(e, state);
        });
    }
    void serviceStatus(const codec::State& state) {
        update(codec::FilterAction::update, 2, [&](codec::ElementListEncoder& e) {
            e.addUInt("ServiceState", 1);
            addStatus(e, state);
        });
    }
    using Change = std::function<void(Msg&)>;
    void send(std::int32_t stream, std::uint8_t domain, codec::MsgClass cls, std::uint16_t flags, std::string_view name,
              const Change& change) {
        Msg m;
        m.cls = cls;
        m.domain = domain;
        m.streamId = stream;
        m.flags = flags;
        static constexpr std::byte kGroup[2] = {};
        m.groupId = kGroup;
        m.state = {codec::StreamState::open, ok, 0, {}};
        if (!name.empty()) {
            m.flags |= cls == codec::MsgClass::Generic ? codec::GenericFlag::msgKey : codec::RefreshFlag::msgKey;
            m.key = FlowFixture::named(name);
            m.key.flags |= codec::KeyFlag::serviceId;
            m.key.serviceId = 3;
        }
        if (change) change(m);
        raw.send(m);
    }
    static constexpr std::uint16_t kWhole = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
    void refresh(std::int32_t stream, std::string_view name, FlowFixture::Fields fields, std::uint16_t flags = kWhole,
                 const Change& change = {}) {
        encode(fields);
        send(stream, 6, codec::MsgClass::Refresh, flags, name, [&](Msg& m) { payload(m, change); });
    }
    void update(std::int32_t stream, FlowFixture::Fields fields, std::string_view name = {}, std::uint16_t flags = 0) {
        encode(fields);
        send(stream, 6, codec::MsgClass::Update, flags, name, [&](Msg& m) { payload(m, {}); });
    }
    void status(std::int32_t stream, std::uint8_t streamState, std::uint8_t data) {
        send(stream, 6, codec::MsgClass::Status, codec::StatusFlag::state, {}, [&](Msg& m) {
            m.state = {streamState, data, 0, {}};
        });
    }
    /// Everything that was sent so far has been taken.
    void settle() { REQUIRE(raw.silent()); }
    void go() {
        const std::uint64_t before = f_.counts().losses;
        raw.disconnect();
        f_.until([&] { return f_.counts().losses != before; });
    }

private:
    PublisherFixture& f_;
    reactor::GrowingBuffer fields_, state_;
    void addStatus(codec::ElementListEncoder& e, const codec::State& state) {
        codec::encodeState(state_.start(), state);
        e.add("Status", codec::DataType::State, state_.view());
    }
    /// An update of one filter entry of the directory.
    void update(std::uint8_t action, std::uint8_t filter,
                const std::function<void(codec::ElementListEncoder&)>& elements) {
        reactor::GrowingBuffer map;
        eta::BeWriter& out = map.start();
        codec::MapEncoder services;
        codec::EntryContainerHeader header;
        header.entryType = codec::DataType::FilterList;
        services.begin(out, header, codec::DataType::UInt);
        const std::byte id[] = {std::byte{3}};
        services.beginEntry(codec::MapAction::update, Bytes(id));
        codec::FilterListEncoder filters;
        filters.begin(out, codec::DataType::ElementList);
        filters.beginEntry(action, filter, codec::DataType::ElementList);
        codec::ElementListEncoder list;
        list.begin(out);
        elements(list);
        REQUIRE(list.complete().ok());
        filters.endEntry();
        REQUIRE(filters.complete().ok());
        services.endEntry();
        REQUIRE(services.complete().ok());
        send(0, 4, codec::MsgClass::Update, 0, {}, [&](Msg& m) {
            m.containerType = codec::DataType::Map;
            m.payload = map.view();
        });
    }
    void encode(const FlowFixture::Fields& fields) {
        codec::FieldListEncoder list;
        list.begin(fields_.start());
        for (const auto& [id, value] : fields.list)
            list.addUInt(id, value);
        REQUIRE(list.complete().ok());
    }
    void payload(Msg& m, const Change& change) {
        m.containerType = codec::DataType::FieldList;
        m.payload = fields_.view();
        if (change) change(m);
    }

public:
    RawConsumer raw;
};

}  // namespace emissary::test
