// Item flow between a supply that notes what it is asked, and clients that note what they get.
#pragma once

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "hub/core/live.h"
#include "hub/flow/ItemFlow.h"
#include "hub/flow/ItemLife.h"
#include "hub/flow/leave_all.h"
#include "reactor/GrowingBuffer.h"
#include "support/catch.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace emissary::test {

using namespace hub;
namespace codec = eta::codec;
using codec::DataState::ok;
using codec::DataState::suspect;
using flow::ItemFlow;
using flow::JoinRequest;
using flow::Reissue;

class TestSource final : public Source {
public:
    explicit TestSource(std::string name) : Source(kUpstream, std::move(name), 1) {}
    [[nodiscard]] bool up() const noexcept override { return true; }
    [[nodiscard]] bool takesPosts() const noexcept override { return false; }
    eta::Error post(const Client&, Item*, std::uint16_t, Msg&) override { return {}; }
    eta::Error generic(Item*, Msg&) override { return {}; }
};

/// "1:5 RFSH Ok solicited complete clear {22=5 25=7}" for each message a client gets.
class FlowFixture : public Deliveries, public Supply, public flow::GroupMap, public ViewOwner {
public:
    TestSource source{"one"}, other{"two"};  // before the items: nothing points to a source that ends
    ItemTable items;
    ClientTable clients;
    ServiceTable services{{}, settings()};
    Mounts mounts{items, clients};
    Service& service;
    Outputs outputs{*this, clients};
    ItemFlow flow{{items, clients, services, mounts, outputs, *this, *this}, 200};
    std::vector<std::string> out, asked;
    std::vector<std::uint16_t> released;

    explicit FlowFixture(CachePolicy::Rule rule = CachePolicy::Rule::all) : service(*services.add("FEED", 3)) {
        service.supply = this;
        service.policy.cache.rule = rule;
    }
    static ServiceSettings settings() { return {}; }

    Client& client() {
        Client& c = clients.add();
        c.loggedIn = true;
        return c;
    }
    static codec::MsgKey named(std::string_view name) {
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        return key;
    }
    bool join(Client& c, std::int32_t stream, std::string_view name = "IBM", JoinRequest r = {}) {
        const codec::MsgKey key = named(name);
        r.service = service.id;
        r.domain = 6;
        r.key = &key;
        return flow.join(c, stream, r);
    }
    Item* item(std::string_view name = "IBM") { return items.find(items.keyOf(service.id, 6, named(name))); }

    // --- messages of the source
    struct Fields {
        std::vector<std::pair<std::int16_t, std::uint64_t>> list;
    };
    Msg message(codec::MsgClass cls, std::uint16_t flags, const Fields& fields) {
        Msg m;
        m.cls = cls;
        m.domain = 6;
        m.flags = flags;
        m.state = {codec::StreamState::open, ok, 0, {}};
        m.containerType = codec::DataType::FieldList;
        codec::FieldListEncoder list;
        list.begin(payload_.start());
        for (const auto& [id, value] : fields.list)
            list.addUInt(id, value);
        REQUIRE(list.complete().ok());
        m.payload = payload_.view();
        return m;
    }
    static constexpr std::uint16_t kWhole =
        codec::RefreshFlag::solicited | codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
    void refresh(Fields fields, std::uint16_t flags = kWhole,
                 codec::State state = {codec::StreamState::open, ok, 0, {}}, std::uint16_t part = 0) {
        Msg m = message(codec::MsgClass::Refresh, flags, fields);
        m.state = state;
        m.partNum = part;
        flow.received(*item(), m);
    }
    void update(Fields fields, std::uint16_t flags = 0, std::uint32_t seqNum = 0) {
        Msg m = message(codec::MsgClass::Update, flags, fields);
        m.seqNum = seqNum;
        flow.received(*item(), m);
    }
    void status(codec::State state) {
        Msg m;
        m.cls = codec::MsgClass::Status;
        m.domain = 6;
        m.flags = codec::StatusFlag::state;
        m.state = state;
        flow.received(*item(), m);
    }
    /// What went out since the last call.
    std::vector<std::string> take() { return std::exchange(out, {}); }
    std::vector<std::string> takeAsked() { return std::exchange(asked, {}); }

    // --- Deliveries
    void send(Item& to, const Msg& msg, To which) override {
        for (std::uint32_t at = 0; at < to.mountCount; ++at) {
            Mount& m = to.mounts[at];
            if (clients[m.client].sink != nullptr) continue;
            const bool waiting = m.is(Mount::waiting);
            if (which == To::waiting ? !waiting : which == To::settled ? waiting : false) continue;
            if (which == To::live) {
                if (awaitsImage(m)) continue;
                if (!flows(m, clients[m.client], to.service)) {
                    m.set(Mount::missed, true);
                    continue;
                }
            }
            send(to, m, msg);
        }
    }
    void send(Item& to, const Mount& mount, const Msg& msg) override {
        REQUIRE(items.find(to.index, to.generation) == &to);
        out.push_back(std::to_string(mount.client) + ":" + std::to_string(mount.stream) + " " + text(msg));
    }

    // --- Supply
    void wanted(Item& i) override {
        asked.push_back("wanted " + i.name());
        onWanted(i);
    }
    void refreshWanted(Item& i) override { asked.push_back("refresh " + i.name()); }
    void unwanted(Item& i) override {
        asked.push_back("unwanted " + i.name());
        onUnwanted(i);
    }
    void mountsChanged(Item& i) override { asked.push_back("changed " + i.name()); }
    void untrusted(Item& i) override { asked.push_back("untrusted " + i.name()); }
    std::function<void(Item&)> onWanted = [this](Item& i) {
        flow::ItemLife::apply(i, flow::Event::requested);
        flow.bind(i, &source, 1);
    };
    std::function<void(Item&)> onUnwanted = [this](Item& i) { flow.erase(i); };

    // --- GroupMap, ViewOwner
    void put(Item& i, Bytes) override { number(i, 1); }
    void take(Item& i) noexcept override { number(i, 0); }
    void release(std::uint16_t view) noexcept override { released.push_back(view); }

    static std::string text(const Msg& m) {
        using namespace codec;
        std::string t = m.cls == MsgClass::Refresh ? "RFSH" : m.cls == MsgClass::Update ? "UPD" : name(m.cls);
        if (m.hasState()) {
            static const char* const streams[] = {"", "", "NonStreaming/", "Recover/", "Closed/", "Redirected/"};
            t += std::string(" ") + streams[m.state.stream] + (m.state.data == suspect ? "Suspect" : "Ok");
            if (m.state.code != 0) t += "/" + std::to_string(m.state.code);
        }
        if (m.cls == MsgClass::Refresh) {
            if (m.has(RefreshFlag::solicited)) t += " solicited";
            if (m.has(RefreshFlag::complete)) t += " complete";
            if (m.has(RefreshFlag::clearCache)) t += " clear";
            if (m.has(RefreshFlag::partNum)) t += " part" + std::to_string(m.partNum);
            CHECK(m.key.serviceId == 3);
        }
        if (m.containerType != DataType::FieldList) return t;
        t += " {";
        FieldListDecoder fields;
        REQUIRE(fields.start(m.payload).ok());
        for (FieldEntry e; fields.next(e);) {
            std::uint64_t v = 0;
            REQUIRE(decodeUInt(e.data, v) == Decoded::value);
            t += (t.back() == '{' ? "" : " ") + std::to_string(e.fieldId) + "=" + std::to_string(v);
        }
        return t + "}";
    }

private:
    reactor::GrowingBuffer payload_;
};

}  // namespace emissary::test
