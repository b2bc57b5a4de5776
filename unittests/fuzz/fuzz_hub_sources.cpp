// Any bytes as what hostile publishers and sources do to a hub: logins and disconnects, directories, groups and
// mergers, refreshes in parts, updates and statuses on wrong streams, with wrong ids, keys and states; clients come and
// go between them. The first byte chooses modes of the service, the others are actions. Whatever came: every item's
// source is one that is there, a source that ends has nothing pointing to it, and the counts of a service are those of
// its items.
#include "acceptor/PublishedDirectory.h"
#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "hub/flow/leave_all.h"
#include "hub/publisher/PublisherPort.h"
#include "hub/upstream/Upstreams.h"
#include "reactor/rdm/stream_state.h"
#include "support/StillClock.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace emissary;
using namespace emissary::eta::codec;
using namespace emissary::hub;
using reactor::acceptor::PublishedStream;
namespace rdm = reactor::rdm;

namespace emissary::hub::upstream {

/// Speaks for the connection of a source that has none.
struct UpstreamProbe {
    static void message(UpstreamSource& source, const Item& item, std::uint64_t handle, const Msg& msg) {
        auto* const closure = reinterpret_cast<void*>(std::uintptr_t{item.generation} << 32 | item.index);
        source.onMessage(msg, {handle, &source.item_, closure, 0}, {});
    }
    static rdm::DirectoryListener& listener(UpstreamSource& source) { return source; }
    static void up(UpstreamSource& source, bool there) { source.onDirectory(there); }
};

}  // namespace emissary::hub::upstream

namespace {

constexpr std::array<const char*, 4> kNames{"FEED", "NEWS", "FX", ""};
constexpr std::array<const char*, 4> kItems{"A", "B", "C", ""};

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// Bytes of the input; zeros behind its end.
class Script {
public:
    explicit Script(std::span<const std::uint8_t> in) noexcept : in_(in) {}
    [[nodiscard]] std::uint8_t next() noexcept { return at_ < in_.size() ? in_[at_++] : std::uint8_t{0}; }
    [[nodiscard]] std::uint8_t below(std::uint8_t n) noexcept { return next() % n; }
    [[nodiscard]] bool over() const noexcept { return at_ >= in_.size(); }

private:
    std::span<const std::uint8_t> in_;
    std::size_t at_ = 0;
};

/// The rooms of a hub between sources and clients that nobody hears.
class Rooms final : Deliveries, ViewOwner, ServiceListener, AckSink {
public:
    explicit Rooms(std::uint8_t mode)
        : services_({}, settings(mode)), flow_({items_, clients_, services_, mounts_, outputs_, groups_, *this}, 200),
          records_(items_, services_, flow_, loop_), pace_(items_, clients_, services_, flow_, loop_, mode >> 7),
          groupStates_(groups_, flow_, items_, services_, *this, &pace_),
          merge_(services_, *this,
                 [] {
                     directory::MergeOptions o;
                     o.watched = [](const Service& s) { return s.items != 0; };
                     o.maxServices = 5;
                     o.maxServicesPerSource = 3;
                     return o;
                 }()),
          supply_({items_, services_, flow_, records_, groups_, groupStates_, loop_}),
          offers_(merge_, services_, supply_) {
        merge_.use(Source::kPublisher, supply_, supply_);
        upstream::Upstreams::Options options;
        options.download = false;
        for (const char* name : {"up", "other"}) {
            SourceSettings s;
            s.name = name;
            s.channels.emplace_back();
            options.sources.push_back(std::move(s));
        }
        upstreams_ = std::make_unique<upstream::Upstreams>(
            upstream::UpstreamsRooms{loop_, items_, services_, flow_, merge_, groupStates_, views_, *this},
            std::move(options));
        for (int i = 0; i < 3; ++i) {
            Client& c = clients_.add();
            c.loggedIn = true;
            c.singleOpen = i != 2;
            c.allowSuspectData = i == 0;
            c.hearsGroups = i == 1;
        }
    }
    ~Rooms() {
        for (auto& p : publishers_)
            end(p);
        loop_.dispatch(std::chrono::microseconds(0), 100);
        for (auto& p : gone_)
            supply_.release(p->source);
        gone_.clear();
        upstreams_->shutdown();
        upstreams_.reset();
        check();
    }

    void act(Script& in) {
        switch (in.below(12)) {
        case 0:
            return login(publishers_[in.below(3)], in.below(2));
        case 1:
            return end(publishers_[in.below(3)]);
        case 2:
            return publisherDirectory(in);
        case 3:
        case 4:
        case 5:
            return published(in);
        case 6:
            return client(in);
        case 7:
            clock_.advance(std::chrono::milliseconds(in.next() * 100));
            loop_.dispatch(std::chrono::microseconds(0), 100);
            return;
        case 8:
            return upstreamDirectory(in);
        case 9:
        case 10:
            return upstream(in);
        default:
            return upstream::UpstreamProbe::up(*upstreams_->sources()[in.below(2)], in.below(2) != 0);
        }
    }
    void check() {
        std::map<std::uint16_t, std::array<std::uint64_t, 3>> counts;
        std::map<std::uint16_t, std::uint64_t> items;
        items_.forEach([&](Item& item) {
            if (item.dataState > DataState::suspect || item.streamState > StreamState::redirected)
                fail("an item has a state that is none");
            ++items[item.service];
            ++counts[item.service][item.dataState];
            if (item.source != nullptr && !there(*item.source)) fail("an item's source is gone");
        });
        services_.forEach([&](Service& s) {
            if (s.items != items[s.id]) fail("a service counts other items than there are");
            for (std::size_t i = 0; i < 3; ++i)
                if (s.counts.items[i].items.get() != counts[s.id][i])
                    fail("a service counts other states than there are");
        });
    }

private:
    /// What PublisherPort and AcceptorRole keep of a connection.
    struct Publisher final : rdm::DirectoryListener {
        Publisher(Rooms& r, std::uint64_t handle, std::string user, std::uint16_t number)
            : rooms(r), source(r.role_, r.services_, handle, user, user + std::to_string(number), number) {
            source.setUp(true, r.loop_.now());
        }
        void onServiceAdded(const rdm::Service& s) override { rooms.offers_.onOffer(source, s, s.filters); }
        void onServiceChanged(const rdm::Service& s, std::uint32_t changed) override {
            rooms.offers_.onOffer(source, s, changed);
        }
        void onServiceDeleted(const rdm::Service& s) override { rooms.offers_.onOfferGone(source, s); }
        void onServiceStatus(const rdm::Service& s, const State& state) override {
            if (Service* const local = rooms.offers_.serviceOf(source, s.id))
                rooms.supply_.onServiceStatus(source, *local, state);
        }
        void onGroupMerged(const rdm::Service& s, Bytes group, Bytes into) override {
            if (Service* const local = rooms.offers_.serviceOf(source, s.id))
                rooms.supply_.onGroupMerged(source, *local, group, into);
        }
        void onGroupStatus(const rdm::Service& s, Bytes group, const State& state) override {
            if (Service* const local = rooms.offers_.serviceOf(source, s.id))
                rooms.supply_.onGroupStatus(source, *local, group, state);
        }
        Rooms& rooms;
        publisher::PublisherSource source;
        reactor::acceptor::PublishedDirectory directory;
        rdm::Directory left;  ///< once it is gone
        std::map<std::int32_t, PublishedStream> streams;
    };
    struct NobodyPublishes final : reactor::acceptor::AcceptorHandler {
        reactor::acceptor::LoginAnswer onLogin(std::uint64_t, const Msg&, const rdm::LoginAttributes&,
                                               rdm::OwnedState&) override {
            return reactor::acceptor::LoginAnswer::refused;
        }
        rdm::DirectoryListener* directoryListener(std::uint64_t) override { return nullptr; }
        void onDirectory(std::uint64_t, const rdm::Directory&, const Msg&) override {}
        void onItem(std::uint64_t, const PublishedStream&, const Msg&) override {}
        void onServiceGone(std::uint64_t, const PublishedStream&) override {}
        void onPublisherDown(std::uint64_t, const std::string&) override {}
        void onIgnored(std::uint64_t, const std::string&) override {}
    };
    using Slot = std::unique_ptr<Publisher>;

    static ServiceSettings settings(std::uint8_t mode) {
        constexpr std::array modes{PublisherMode::merge, PublisherMode::single, PublisherMode::hot,
                                   PublisherMode::merge};
        constexpr std::array unknown{UnknownItem::close, UnknownItem::suspect, UnknownItem::wait, UnknownItem::wait};
        ServiceSettings s;
        s.name = "*";
        s.publisherMode = modes[mode & 3];
        s.unknownItem = unknown[mode >> 2 & 3];
        if ((mode & 0x10) != 0) s.republishTimeout = std::chrono::seconds(1);
        if ((mode & 0x20) != 0) s.cache.rule = CachePolicy::Rule::all;
        s.sourceMode = (mode & 0x20) != 0 ? SourceMode::hot : SourceMode::ordered;
        s.deleteLostServices = (mode & 0x40) != 0;
        s.publisherOrder = {"anna"};
        s.maxItems = 6;
        return s;
    }
    [[nodiscard]] bool there(const Source& source) const {
        const auto is = [&](const Slot& p) { return p && &p->source == &source; };
        return std::ranges::any_of(publishers_, is) || std::ranges::any_of(gone_, is) ||
               std::ranges::any_of(upstreams_->sources(), [&](const auto& s) { return s.get() == &source; });
    }

    // --- publishers
    void login(Slot& p, bool first) {
        if (p) return;
        ++last_;
        p = std::make_unique<Publisher>(*this, last_, first ? "anna" : "bert", static_cast<std::uint16_t>(100 + last_));
    }
    void end(Slot& slot) {
        if (!slot) return;
        Publisher* const p = slot.get();
        gone_.push_back(std::move(slot));
        p->source.setUp(false, loop_.now());
        p->streams.clear();
        p->left = p->directory.release();
        p->left.beginClear();
        const auto takeBack = [this, p] {
            if (p->left.step(p, [] { return false; })) return true;
            offers_.onSourceGone(p->source);
            return false;
        };
        supply_.onSourceGone(p->source, takeBack, [this, p] {
            if (p->source.items() != 0 || p->source.seconds() != 0) fail("something points to a publisher that ends");
            std::erase_if(gone_, [p](const Slot& s) { return s.get() == p; });
        });
    }
    void publisherDirectory(Script& in) {
        Publisher* const p = publishers_[in.below(3)].get();
        Msg m = directory(in);
        if (p == nullptr || hasUndefinedState(m)) return;
        if (!p->directory.take(m, p).ok()) return;
        for (const std::uint16_t gone : p->directory.takeGone())
            std::erase_if(p->streams, [gone](const auto& s) { return s.second.serviceId == gone; });
        supply_.endOfDirectory();
    }
    void published(Script& in) {
        Publisher* const p = publishers_[in.below(3)].get();
        const std::int32_t stream = -1 - in.below(4);
        const Msg m = message(in, stream);
        if (p == nullptr || hasUndefinedState(m)) return;
        auto at = p->streams.find(stream);
        if (at == p->streams.end()) {
            if (m.cls == MsgClass::Generic || !m.hasKey() || !m.key.has(KeyFlag::serviceId)) return;
            if (p->directory.services().find(m.key.serviceId) == nullptr) return;
            const std::string name = m.key.has(KeyFlag::name) ? std::string(eta::asText(m.key.name)) : std::string();
            at = p->streams.emplace(stream, PublishedStream{stream, m.key.serviceId, m.domain, name, nullptr}).first;
        }
        const auto take = [&](const PublishedStream& s) {
            Service* const service = m.cls == MsgClass::Refresh ? offers_.serviceOf(p->source, s.serviceId) : nullptr;
            (void)supply_.received(p->source, service, s, m);
        };
        if (!rdm::endsStream(m)) return take(at->second);
        const PublishedStream gone = std::move(at->second);
        p->streams.erase(at);
        take(gone);
    }

    // --- upstream connections
    void upstreamDirectory(Script& in) {
        upstream::UpstreamSource& s = *upstreams_->sources()[in.below(2)];
        rdm::Directory& directory = directories_[s.number() % 2];
        const Msg m = this->directory(in);
        if (hasUndefinedState(m)) return;
        const bool replace = m.cls == MsgClass::Refresh && m.has(RefreshFlag::clearCache);
        if (directory.apply(m.payload, replace, &upstream::UpstreamProbe::listener(s)).ok())
            upstream::UpstreamProbe::up(s, true);
    }
    void upstream(Script& in) {
        upstream::UpstreamSource& s = *upstreams_->sources()[in.below(2)];
        const std::uint8_t name = in.below(4), service = in.below(4), which = in.next();
        const Msg m = message(in, 10);
        if (hasUndefinedState(m)) return;
        Service* const local = services_.find(kNames[service]);
        if (local == nullptr) return;
        const MsgKey key = keyOf(name);
        Item* const item = items_.find(items_.keyOf(local->id, 6, key));
        if (item == nullptr) return;
        // Its own stream, or any other handle that there may have been.
        const std::uint64_t handle = which < 128 && item->source == &s ? item->upstream : s.number() + which % 64u;
        upstream::UpstreamProbe::message(s, *item, handle, m);
    }

    // --- clients
    void client(Script& in) {
        Client& c = clients_[in.below(3)];
        const std::int32_t stream = 1 + in.below(4);
        const std::uint8_t what = in.next(), name = in.below(4), service = in.below(4);
        if ((what & 7) == 0) return flow_.leave(c, stream);
        if ((what & 7) == 1) return test::leaveAll(flow_, c);
        if (c.mounts.contains(stream)) return flow_.reissue(c, stream, {(what & 8) != 0, (what & 16) != 0});
        Service* const local = services_.find(kNames[service]);
        if (local == nullptr) return;
        const MsgKey key = keyOf(name);
        flow::JoinRequest r;
        r.service = local->id;
        r.domain = 6;
        r.key = &key;
        r.streaming = (what & 8) == 0;
        r.noRefresh = (what & 48) == 48;
        (void)flow_.join(c, stream, r);
    }

    // --- messages
    static MsgKey keyOf(std::uint8_t name) {
        MsgKey key;
        key.flags = KeyFlag::name;
        key.name = eta::asBytes(std::string_view(kItems[name]));
        return key;
    }
    [[nodiscard]] static State state(Script& in) {
        const std::uint8_t b = in.next();
        // Mostly states that there are.
        if (b >= 0xE0) return {static_cast<std::uint8_t>(b & 31), static_cast<std::uint8_t>(in.next() & 7), 0, {}};
        return {static_cast<std::uint8_t>(b & 1 ? 1 : b >> 1 & 7), static_cast<std::uint8_t>(b >> 4 & 3), 0, {}};
    }
    Msg message(Script& in, std::int32_t stream) {
        constexpr std::array classes{MsgClass::Refresh, MsgClass::Update, MsgClass::Status,  MsgClass::Refresh,
                                     MsgClass::Update,  MsgClass::Status, MsgClass::Generic, MsgClass::Ack};
        Msg m;
        const std::uint8_t what = in.next(), key = in.next();
        m.cls = classes[what & 7];
        m.domain = (what & 0x80) != 0 && (what & 0x40) != 0 ? 7 : 6;
        m.streamId = stream;
        m.state = state(in);
        switch (m.cls) {
        case MsgClass::Refresh:
            m.flags = RefreshFlag::qos;
            m.qos = kRealtimeTickByTick;
            if ((what & 8) == 0) m.flags |= RefreshFlag::complete;
            if ((what & 16) != 0) m.flags |= RefreshFlag::partNum;
            if ((what & 32) != 0) m.flags |= RefreshFlag::solicited;
            if ((what & 64) != 0) m.flags |= RefreshFlag::clearCache;
            if ((key & 128) == 0) m.flags |= RefreshFlag::msgKey;
            m.partNum = key >> 5 & 1;
            break;
        case MsgClass::Status:
            if ((what & 8) == 0) m.flags |= StatusFlag::state;
            if ((what & 16) != 0) m.flags |= StatusFlag::groupId;
            if ((what & 32) != 0) m.flags |= StatusFlag::clearCache;
            if ((key & 128) != 0) m.flags |= StatusFlag::msgKey;
            break;
        case MsgClass::Update:
            if ((what & 8) != 0) m.flags |= UpdateFlag::doNotCache;
            if ((key & 128) != 0) m.flags |= UpdateFlag::msgKey;
            break;
        case MsgClass::Generic:
            if ((key & 128) != 0) m.flags |= GenericFlag::msgKey;
            break;
        default:
            break;
        }
        m.groupId = std::as_bytes(std::span(kGroups[what >> 6]));
        m.key = keyOf(key & 3);
        if ((key & 64) == 0) m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = 1 + (key >> 2 & 3);
        if (m.cls == MsgClass::Ack) return m;
        m.containerType = DataType::FieldList;
        FieldListEncoder list;
        list.begin(payload_.start());
        list.addUInt(22, what);
        if ((key & 16) != 0) list.addUInt(25, key);
        (void)list.complete();
        m.payload = payload_.view();
        if ((key & 0x14) == 0x14) m.payload = m.payload.first(m.payload.size() - 1);
        // As from a wire.
        wire_.resize(maxEncodedSize(m));
        eta::BeWriter out(wire_);
        Msg back;
        if (!encodeMsg(out, m).ok() || !decodeMsg(out.view(), back).ok()) return m;
        return back;
    }
    Msg directory(Script& in) {
        Msg m;
        const std::uint8_t what = in.next();
        m.cls = (what & 1) != 0 ? MsgClass::Update : MsgClass::Refresh;
        m.domain = rdm::kDirectoryDomain;
        m.streamId = what >> 1 & 1;
        m.state = {StreamState::open, DataState::ok, 0, {}};
        if (m.cls == MsgClass::Refresh)
            m.flags = RefreshFlag::complete | ((what & 4) != 0 ? RefreshFlag::clearCache : 0);
        MapEncoder map;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map.begin(map_.start(), header, DataType::UInt);
        for (std::uint8_t n = 1 + (what >> 3 & 3); n-- != 0;)
            entry(in, map);
        (void)map.complete();
        const Bytes whole = map_.view();
        m.containerType = DataType::Map;
        m.payload = (what & 0xE0) == 0xE0 && whole.size() > 3 ? whole.first(whole.size() - 3) : whole;
        return m;
    }
    /// Whatever numbers: an encoder would refuse some.
    static void addStatus(ElementListEncoder& list, const State& state) {
        const std::array<std::byte, 3> bytes{static_cast<std::byte>(state.stream << 3 | state.data), std::byte{0},
                                             std::byte{0}};
        list.add("Status", DataType::State, Bytes(bytes));
    }
    void entry(Script& in, MapEncoder& map) {
        const std::uint8_t id = 1 + in.below(4), what = in.next();
        const std::array<std::byte, 1> key{std::byte{id}};
        if ((what & 7) == 7) return map.add(MapAction::del, Bytes(key), {});
        map.beginEntry((what & 1) != 0 ? MapAction::update : MapAction::add, Bytes(key));
        FilterListEncoder filters;
        filters.begin(map.writer(), DataType::ElementList);
        if ((what & 8) == 0) {
            filters.beginEntry(FilterAction::set, 1, DataType::ElementList);
            ElementListEncoder info;
            info.begin(filters.writer());
            info.addAscii("Name", kNames[in.below(4)]);
            info.beginElement("Capabilities", DataType::Array);
            ArrayEncoder domains;
            domains.begin(info.writer(), DataType::UInt);
            domains.addUInt(6);
            (void)domains.complete();
            info.endElement();
            (void)info.complete();
            filters.endEntry();
        }
        if ((what & 16) == 0) {
            filters.beginEntry(FilterAction::set, 2, DataType::ElementList);
            ElementListEncoder list;
            list.begin(filters.writer());
            list.addUInt("ServiceState", (what & 64) == 0 ? 1 : 0);
            if ((what & 32) != 0) addStatus(list, state(in));
            (void)list.complete();
            filters.endEntry();
        }
        if ((what & 128) != 0) {
            const std::uint8_t group = in.next();
            filters.beginEntry(FilterAction::update, 3, DataType::ElementList);
            ElementListEncoder list;
            list.begin(filters.writer());
            list.add("Group", DataType::Buffer, std::as_bytes(std::span(kGroups[group & 3])));
            if ((group & 4) != 0)
                list.add("MergedToGroup", DataType::Buffer, std::as_bytes(std::span(kGroups[group >> 3 & 3])));
            if ((group & 32) != 0) addStatus(list, state(in));
            (void)list.complete();
            filters.endEntry();
        }
        (void)filters.complete();
        map.endEntry();
    }

    // --- Deliveries, and who else hears
    void send(Item& item, const Msg& msg, To) override {
        for (std::uint32_t at = 0; at < item.mountCount; ++at)
            send(item, item.mounts[at], msg);
    }
    void send(Item& item, const Mount& mount, const Msg& msg) override {
        if (items_.find(item.index, item.generation) != &item) fail("a message about an item that is gone");
        if (clients_.find(mount.client) == nullptr) fail("a message to a client that is gone");
        if (msg.hasState() && !isDefined(msg.state)) fail("a state that is none goes out");
    }
    void release(std::uint16_t) noexcept override {}
    void onServiceAdded(const Service&) override {}
    void onServiceChanged(const Service&, std::uint32_t) override {}
    void onServiceDeleted(std::uint16_t) override {}
    void onGroupStatus(const Service&, Bytes, const State& state) override {
        if (!isDefined(state)) fail("a group's state that is none goes out");
    }
    void onGroupMerged(const Service&, Bytes, Bytes) override {}
    void onServiceData(const Service&, const rdm::ServiceData&) override {}
    void onAck(Source&, Item*, const Msg&) override {}
    void onSourceLost(Source&) override {}

    static constexpr std::array<std::array<std::uint8_t, 2>, 4> kGroups{{{0, 0}, {0, 1}, {0, 2}, {0, 3}}};
    test::StillClock clock_;
    reactor::Reactor loop_{[this] {
        reactor::ReactorOptions o;
        o.clock = &clock_;
        return o;
    }()};
    NobodyPublishes nobody_;
    reactor::acceptor::AcceptorRole role_{loop_, {}, nobody_};
    ItemTable items_;
    ClientTable clients_;
    ServiceTable services_;
    Mounts mounts_{items_, clients_};
    directory::Groups groups_{items_};
    ViewTable views_;
    Outputs outputs_{*this, clients_};
    flow::ItemFlow flow_;
    flow::Records records_;
    directory::StatusPace pace_;
    directory::GroupStates groupStates_;
    directory::Merge merge_;
    publisher::PublisherSupply supply_;
    publisher::PublisherOffers offers_;
    std::unique_ptr<upstream::Upstreams> upstreams_;
    std::array<rdm::Directory, 2> directories_;
    std::array<Slot, 3> publishers_;
    std::vector<Slot> gone_;
    std::uint64_t last_ = 0;
    reactor::GrowingBuffer payload_, map_;
    std::vector<std::byte> wire_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    Rooms rooms(data[0]);
    Script in({data + 1, std::min<std::size_t>(size - 1, 2000)});
    while (!in.over()) {
        rooms.act(in);
        rooms.check();
    }
    return 0;
}
