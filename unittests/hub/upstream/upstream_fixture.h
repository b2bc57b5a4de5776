// Two scripted providers, and the rooms of a hub between them and clients that write down what they get; on a clock
// that moves only when told to.
#pragma once

#include "hub/core/live.h"
#include "hub/upstream/Upstreams.h"
#include "support/RawProvider.h"
#include "support/StillClock.h"
#include "support/catch.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace emissary::test {

using namespace hub;
using codec::DataState::ok;
using codec::DataState::suspect;
namespace Stream = codec::StreamState;

/// A group of items at a provider, and a state that it may have.
inline constexpr std::byte kOne[] = {std::byte{0}, std::byte{5}};
inline constexpr codec::State kSuspect{Stream::open, suspect, 0, {}};

/// "1:5 RFSH Open/Ok solicited 42" for each message a client gets; the number is the first field's value.
class Upstream : public Deliveries, public ServiceListener, public AckSink {
public:
    StillClock clock;
    RawProvider a, b;
    std::unique_ptr<reactor::Reactor> loop;
    ItemTable items;
    ClientTable clients;
    std::unique_ptr<ServiceTable> services;
    Mounts mounts{items, clients};
    ViewTable views;
    directory::Groups groups{items};
    Outputs outputs{*this, clients};
    std::unique_ptr<flow::ItemFlow> flow;
    std::unique_ptr<directory::Merge> merge;
    std::unique_ptr<directory::GroupStates> groupStates;
    std::unique_ptr<upstream::Upstreams> upstreams;
    ServiceSettings policy;  ///< of all services
    std::vector<SourceSettings> settings;
    bool realTime = false;
    bool download = false, acceptMismatch = false;
    std::vector<std::string> out, told, log, acks;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::pair<std::uint8_t, std::uint64_t>> last;  // data state, value
    std::size_t messages = 0;
    bool quiet = false;             ///< only counts
    bool sleeps = false;            ///< A neither reads nor answers
    RawProvider* third = nullptr;   ///< where a test has one
    std::uint16_t lastService = 0;  ///< in the last key that had one
    std::vector<upstream::Dictionaries::Dictionary> dictionaries;

    Upstream() {
        a.services = {RawProvider::service(7, "FEED")};
        b.services = {RawProvider::service(9, "FEED")};
        for (auto* p : {&a, &b})
            for (auto& s : p->services)
                s.info.dictionariesProvided.reset();
        add("A", a);
        add("B", b);
    }
    ~Upstream() override {
        if (!loop) return;
        const std::lock_guard guard(loop->lock());
        if (upstreams) upstreams->shutdown();
        upstreams.reset();
    }
    void add(const std::string& name, const RawProvider& provider) {
        SourceSettings s;
        s.name = name;
        s.userName = "hub";
        eta::transport::ConnectOptions connect;
        connect.host = "127.0.0.1";
        connect.port = std::to_string(provider.port());
        s.channels.push_back(connect);
        s.channelNames.push_back(name);
        s.reconnect.jitterSeed = 1;
        settings.push_back(s);
    }
    void start() {
        reactor::ReactorOptions o;
        o.name = "hub";
        if (!realTime) o.clock = &clock;
        loop = std::make_unique<reactor::Reactor>(o);
        const std::lock_guard guard(loop->lock());
        services = std::make_unique<ServiceTable>(std::vector<ServiceSettings>{}, policy);
        flow = std::make_unique<flow::ItemFlow>(flow::Rooms{items, clients, *services, mounts, outputs, groups, views});
        directory::MergeOptions options;
        options.log = [this](Severity, const std::string& s) { log.push_back(s); };
        merge = std::make_unique<directory::Merge>(*services, *this, options);
        groupStates = std::make_unique<directory::GroupStates>(groups, *flow, items, *services, *this);
        upstreams = std::make_unique<upstream::Upstreams>(
            upstream::UpstreamsRooms{*loop, items, *services, *flow, *merge, *groupStates, views, *this},
            upstream::Upstreams::Options{settings, download, acceptMismatch,
                                         [this](const auto& d) { dictionaries.push_back(d); },
                                         [this](Severity, const std::string& s) { log.push_back(s); }});
        merge->start();
        upstreams->start();
    }
    [[nodiscard]] upstream::UpstreamSource& at(std::size_t i) { return *upstreams->sources()[i]; }
    /// Both sources are up.
    void ready() {
        start();
        until([&] { return std::ranges::all_of(upstreams->sources(), [](const auto& s) { return s->up(); }); });
        settle();
    }
    void turn(int ms = 1) {
        pollBoth();
        loop->dispatch(std::chrono::milliseconds(ms), 1000);
        pollBoth();
    }
    void pollBoth() {
        if (!sleeps) a.poll();
        b.poll();
        if (third != nullptr) third->poll();
    }
    template <class Condition>
    void until(Condition condition) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) {
                for (const auto& e : out)
                    UNSCOPED_INFO(e);
                for (const auto& w : a.wire)
                    UNSCOPED_INFO("A " << w);
                for (const auto& w : b.wire)
                    UNSCOPED_INFO("B " << w);
                for (const auto& l : log)
                    UNSCOPED_INFO(l);
                FAIL("what was waited for did not happen");
            }
            turn();
        }
    }
    /// What is under way has arrived: nothing has moved for some turns.
    void settle() {
        const auto state = [&] {
            return out.size() + told.size() + a.wire.size() + b.wire.size() + messages + acks.size() +
                   (third != nullptr ? third->wire.size() : 0);
        };
        std::size_t before = state();
        for (int still = 0; still < 8;) {
            turn();
            const std::size_t now = state();
            still = now == before ? still + 1 : 0;
            before = now;
        }
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }

    // --- clients
    Client& client(bool singleOpen = true, bool allowSuspect = true) {
        Client& c = clients.add();
        c.loggedIn = true;
        c.singleOpen = singleOpen;
        c.allowSuspectData = allowSuspect;
        return c;
    }
    static codec::MsgKey named(std::string_view name) {
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        return key;
    }
    bool join(Client& c, std::int32_t stream, std::string_view name = "IBM", flow::JoinRequest r = {}) {
        const std::lock_guard guard(loop->lock());
        const codec::MsgKey key = named(name);
        r.service = services->find("FEED")->id;
        r.domain = 6;
        r.key = &key;
        return flow->join(c, stream, r);
    }
    void leave(Client& c, std::int32_t stream) {
        const std::lock_guard guard(loop->lock());
        flow->leave(c, stream);
    }
    Item* item(std::string_view name = "IBM") {
        return items.find(items.keyOf(services->find("FEED")->id, 6, named(name)));
    }
    std::vector<std::string> take() { return std::exchange(out, {}); }
    [[nodiscard]] bool got(const std::string& line) const { return std::ranges::find(out, line) != out.end(); }

    // --- providers
    /// The request for the item that the provider has got; fails when it does not come.
    codec::Msg expect(RawProvider& p, std::string_view name, bool withRefresh = true) {
        const auto find = [&] {
            return std::ranges::find_if(p.inbox, [&](const RawProvider::Got& g) {
                return g.msg.cls == codec::MsgClass::Request && g.name() == name &&
                       g.msg.has(codec::RequestFlag::noRefresh) != withRefresh;
            });
        };
        until([&] { return find() != p.inbox.end(); });
        const auto at = find();
        got_ = std::move(*at);
        p.inbox.erase(at);
        return got_.msg;
    }
    void refresh(RawProvider& p, std::int32_t id, std::uint64_t value, std::uint8_t stream = Stream::open,
                 bool solicited = true, eta::Bytes group = {}, std::optional<std::uint32_t> seqNum = {}) {
        codec::Msg m = RawProvider::refresh(id, stream, solicited);
        if (seqNum) {
            m.flags |= codec::RefreshFlag::seqNum;
            m.seqNum = *seqNum;
        }
        if (!group.empty()) m.groupId = group;
        fields(m, value);
        p.send(m);
    }
    void update(RawProvider& p, std::int32_t id, std::uint64_t value, std::optional<std::uint32_t> seqNum = {}) {
        codec::Msg m = RawProvider::update(id);
        if (seqNum) {
            m.flags |= codec::UpdateFlag::seqNum;
            m.seqNum = *seqNum;
        }
        fields(m, value);
        p.send(m);
    }
    /// Opened by the client, answered by the provider.
    std::int32_t open(Client& c, std::int32_t stream, std::string_view name, RawProvider& p, std::uint64_t value,
                      eta::Bytes group = {}) {
        REQUIRE(join(c, stream, name));
        const std::int32_t id = expect(p, name).streamId;
        refresh(p, id, value, Stream::open, true, group);
        settle();
        return id;
    }
    [[nodiscard]] static std::size_t count(const std::vector<std::string>& lines, std::string_view what) {
        return static_cast<std::size_t>(
            std::ranges::count_if(lines, [&](const std::string& l) { return l.find(what) != l.npos; }));
    }

    // --- Deliveries
    void send(Item& to, const Msg& msg, To which) override {
        for (std::uint32_t at = 0; at < to.mountCount; ++at) {
            Mount& m = to.mounts[at];
            const bool waiting = m.is(Mount::waiting);
            if (which == To::waiting ? !waiting : which == To::settled && waiting) continue;
            if (which == To::live && (awaitsImage(m) || m.is(Mount::paused))) continue;
            send(to, m, msg);
        }
    }
    void send(Item&, const Mount& mount, const Msg& msg) override {
        static constexpr const char* kNames[] = {"?", "REQ", "RFSH", "STAT", "UPD", "CLOSE", "ACK", "GEN", "POST"};
        static constexpr const char* kStream[] = {"?", "Open", "NonStreaming", "Recover", "Closed", "Redirected"};
        static constexpr const char* kData[] = {"NoChange", "Ok", "Suspect"};
        ++messages;
        std::string s = std::to_string(mount.client) + ":" + std::to_string(mount.stream) + " " +
                        kNames[static_cast<std::size_t>(msg.cls)];
        auto& truth = last[{mount.client, mount.stream}];
        if (msg.hasState() && msg.cls != codec::MsgClass::Update) {
            if (msg.state.data != codec::DataState::noChange) truth.first = msg.state.data;
            s += std::string(" ") + kStream[msg.state.stream] + "/" + kData[msg.state.data];
            if (msg.state.code != 0) s += "/" + std::to_string(msg.state.code);
        }
        if (msg.cls == codec::MsgClass::Refresh && msg.has(codec::RefreshFlag::solicited)) s += " solicited";
        if (msg.cls == codec::MsgClass::Refresh && msg.hasSeqNum()) s += " seq" + std::to_string(msg.seqNum);
        if (msg.hasKey() && msg.key.has(codec::KeyFlag::serviceId)) {
            CHECK(services->find(msg.key.serviceId) != nullptr);
            lastService = msg.key.serviceId;
        }
        codec::FieldListDecoder list;
        codec::FieldEntry e;
        if (msg.containerType == codec::DataType::FieldList && list.start(msg.payload).ok() && list.next(e) &&
            codec::decodeUInt(e.data, truth.second) == codec::Decoded::value)
            s += " " + std::to_string(truth.second);
        if (!quiet) out.push_back(s);
    }
    // --- ServiceListener
    void onServiceAdded(const Service& s) override { told.push_back("add " + s.name + (s.up() ? " up" : " down")); }
    void onServiceChanged(const Service& s, std::uint32_t) override {
        told.push_back("change " + s.name + (s.up() ? " up" : " down"));
    }
    void onServiceDeleted(std::uint16_t id) override { told.push_back("delete " + std::to_string(id)); }
    void onGroupStatus(const Service& s, Bytes, const codec::State& state) override {
        told.push_back("group " + s.name + " " + std::to_string(state.data) + "/" + std::to_string(state.code));
    }
    void onGroupMerged(const Service& s, Bytes, Bytes) override { told.push_back("merged " + s.name); }
    void onServiceData(const Service& s, const reactor::rdm::ServiceData&) override {
        told.push_back("data " + s.name);
    }
    // --- AckSink
    void onAck(Source& s, Item* i, const Msg& m) override {
        acks.push_back(s.name() + " " + (i != nullptr ? i->name() : "login") + " " + std::to_string(m.ackId));
    }
    void onSourceLost(Source& s) override { acks.push_back("lost " + s.name()); }

private:
    void fields(codec::Msg& m, std::uint64_t value) {
        codec::FieldListEncoder list;
        list.begin(payload_.start());
        list.addUInt(1, value);
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = payload_.view();
    }
    reactor::GrowingBuffer payload_;
    RawProvider::Got got_;
};

}  // namespace emissary::test
