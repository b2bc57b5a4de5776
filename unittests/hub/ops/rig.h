// Rooms that a test filled, and pages over real HTTP; another thread dispatches the reactor.
#pragma once

#include "hub/flow/ItemLife.h"
#include "hub/flow/leave_all.h"
#include "hub/ops/Pages.h"

#include "eta/codec/encoders.h"
#include "eta/core/version.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/MetricSource.h"
#include "support/catch.hpp"
#include "support/http_get.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace emissary::hub::ops::test {

namespace codec = eta::codec;

struct TestSource final : Source {
    TestSource(const Kind& kind, std::string name, bool isUp) : Source(kind, std::move(name), 1), isUp_(isUp) {}
    [[nodiscard]] bool up() const noexcept override { return isUp_; }
    [[nodiscard]] bool takesPosts() const noexcept override { return false; }
    eta::Error post(const Client&, Item*, std::uint16_t, Msg&) override { return {}; }
    eta::Error generic(Item*, Msg&) override { return {}; }
    std::atomic<bool> isUp_;
};

inline reactor::ReactorOptions named(const char* name) {
    reactor::ReactorOptions o;
    o.name = name;
    return o;
}

/// Rooms with one service, one client and one item; nothing is sent anywhere.
struct Rig final : Deliveries, Supply, flow::GroupMap, ViewOwner {
    HubSettings settings;
    reactor::Reactor reactor{named("ops")};
    TestSource up{Source::kUpstream, "up", true}, down{Source::kUpstream, "down", false},
        publisher{Source::kPublisher, "pub", true};
    ItemTable items;
    ClientTable clients;
    ServiceTable services{{}, {}};
    Mounts mounts{items, clients};
    Outputs outputs{*this, clients};
    flow::ItemFlow flow{{items, clients, services, mounts, outputs, *this, *this}};
    std::shared_ptr<eta::dictionary::Dictionary> dictionary;
    client::RecentEnds ends;
    std::atomic<bool> drained{false};
    std::optional<ops::MeshRow> meshRow;  ///< none: the hub is in no mesh
    std::atomic<bool> stop{false}, stalled{false};
    std::mutex mutex;
    std::vector<ops::CallNote> notes;  // under the mutex
    std::unique_ptr<ops::Pages> pages;
    std::thread thread;

    Rig() {
        settings.name = "alpha";
        for (std::int64_t at = 0; at < 150; ++at)
            ends.add({at, "10.0.0.2:1", "bo\"b", "2/net", "web", client::EndReason::slow, "too slow", 7});
        for (const char* name : {"up", "down"}) {
            SourceSettings s;
            s.name = name;
            s.channels.emplace_back();
            s.required = std::string_view(name) == "up";
            settings.sources.push_back(std::move(s));
        }
        settings.userClasses.push_back({"traders", {}, {"desk"}, {}, {}, ViewSettings{"quotes", {"22"}}});
        const std::lock_guard guard(reactor.lock());
        Service& feed = *services.add("FEED", 3);
        feed.supply = this;
        feed.policy.cache.rule = CachePolicy::Rule::all;
        feed.merged.state.up = true;
        feed.offers.push_back({&up, 9, &feed.merged});
        Client& c = clients.add();
        c.user = "ann<b>";
        c.groups = {"desk", "all"};
        c.userClass = 1;
        c.position = "10.0.0.1/net";
        c.loggedIn = true;
        std::destroy_at(&c.sent);
        std::construct_at(&c.sent, std::uint64_t{5});  // as if five messages had gone out
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes("IBM");
        flow::JoinRequest join;
        join.service = feed.id;
        join.domain = 6;
        join.key = &key;
        REQUIRE(flow.join(c, 7, join));
        Item& item = *items.find(items.keyOf(feed.id, 6, key));
        flow.bind(item, &up, 1);
        Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 6;
        m.flags = codec::RefreshFlag::solicited | codec::RefreshFlag::complete | codec::RefreshFlag::clearCache |
                  codec::RefreshFlag::seqNum;
        m.seqNum = 77;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, eta::asBytes("all is well")};
        m.containerType = codec::DataType::FieldList;
        reactor::GrowingBuffer payload;
        codec::FieldListEncoder list;
        list.begin(payload.start());
        list.addUInt(1, 64);  // PROD_PERM
        REQUIRE(list.complete().ok());
        m.payload = payload.view();
        flow.received(item, m);
    }
    ~Rig() {
        pages.reset();
        stop = true;
        reactor.wake();
        if (thread.joinable()) thread.join();
        const std::lock_guard guard(reactor.lock());
        emissary::test::leaveAll(flow, *clients.find(0));
    }
    std::uint16_t serve(std::chrono::milliseconds patience = std::chrono::seconds(20),
                        const std::function<void(ops::Pages::Options&)>& change = {}) {
        ops::Pages::Options options;
        options.patience = patience;
        options.http.hosts = {"hub.example.com"};
        if (change) change(options);
        pages = std::make_unique<ops::Pages>(inspected(), options);
        dispatch();
        return pages->port();
    }
    [[nodiscard]] ops::Inspected inspected() {
        ops::Inspected all{reactor,
                           items,
                           clients,
                           services,
                           flow,
                           settings,
                           [this](const auto& f) { f(up), f(down), f(publisher); },
                           [this] { return dictionary; },
                           [this](const std::string&, std::uint32_t) { drained = true; },
                           [this] { return drained.load(); },
                           nullptr,
                           &ends,
                           {},
                           {},
                           nullptr,
                           {},
                           {},
                           nullptr,
                           [this](const ops::CallNote& note) {
                               const std::lock_guard guard(mutex);
                               notes.push_back(note);
                           }};
        all.meshRow = [this] { return meshRow; };
        return all;
    }
    void dispatch() {
        thread = std::thread([this] {
            while (!stop) {
                if (stalled) std::this_thread::yield();
                else reactor.dispatch(std::chrono::milliseconds(50), 100);
            }
        });
    }

    void send(Item&, const Msg&, To) override {}
    void send(Item&, const Mount&, const Msg&) override {}
    void wanted(Item& item) override { flow::ItemLife::apply(item, flow::Event::requested); }
    void refreshWanted(Item&) override {}
    void unwanted(Item& item) override { flow.erase(item); }
    void mountsChanged(Item&) override {}
    void untrusted(Item&) override {}
    void put(Item&, Bytes) override {}
    void take(Item&) noexcept override {}
    void release(std::uint16_t) noexcept override {}
};

inline bool has(const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

}  // namespace emissary::hub::ops::test
