// A provider that takes tunnel streams, on a thread of its own: answers requests inside, echoes generic messages.
#pragma once

#include "reactor/JsonLayer.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/tunnel/TunnelListener.h"
#include "support/Records.h"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace emissary::test {

namespace reactor = emissary::reactor;
namespace wire = emissary::eta::codec;

/// Sees the messages inside first; what it takes has no other answer. Session lock held.
using TunnelTaker = std::function<bool(reactor::tunnel::OfferedTunnel&, const wire::Msg&)>;

inline eta::transport::BindOptions anyPort() {
    eta::transport::BindOptions bind;
    bind.port = "0";
    return bind;
}

struct TunnelProviderOptions {
    std::optional<reactor::tunnel::ClassOfService> answer{};  ///< without one it takes what it is asked for
    eta::transport::BindOptions bind = anyPort();
    bool takesTunnels = true;
    TunnelTaker taker{};
    std::string service = "DIRECT_FEED";
    bool noted = true;          ///< in `told`
    std::string refuseLogin{};  ///< empty: it accepts
};

class TunnelProvider final : public reactor::ProviderHandler,
                             public reactor::tunnel::TunnelListener,
                             public reactor::tunnel::TunnelUser {
public:
    explicit TunnelProvider(TunnelProviderOptions options = {}) : options_(std::move(options)) {
        reactor::ProviderOptions o;
        o.bind = options_.bind;
        reactor::rdm::Service service;
        service.id = 1;
        service.filters = reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state;
        service.info.name = options_.service;
        service.info.capabilities = {6, 127};
        service.state.up = true;
        o.services.push_back(service);
        const std::lock_guard guard(loop_.lock());
        role_ = std::make_unique<reactor::ProviderRole>(loop_, std::move(o), *this);
        if (options_.takesTunnels) role_->serveTunnels(*this);
        const eta::Refused refused = role_->listen();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
        thread_ = std::thread([this] {
            while (!stop_)
                loop_.dispatch(std::chrono::milliseconds(20), 100);
        });
    }
    ~TunnelProvider() override {
        stop_ = true;
        loop_.wake();
        thread_.join();
        const std::lock_guard guard(loop_.lock());
        role_.reset();
    }
    [[nodiscard]] std::uint16_t port() const {
        const std::lock_guard guard(loop_.lock());
        return role_->port();
    }
    /// With the session lock held.
    template <class Call>
    auto run(Call call) {
        const std::lock_guard guard(loop_.lock());
        return call(*this);
    }
    /// One of the counts of its reactor.
    [[nodiscard]] std::uint64_t count(std::string_view name) { return loop_.metrics().value(name).value_or(0); }
    void closeTunnel() {
        run([](TunnelProvider& p) {
            if (p.tunnel != nullptr) p.tunnel->close(true);
        });
    }
    void endConnections() {
        const std::lock_guard guard(loop_.lock());
        for (const std::uint64_t client : clients_)
            (void)role_->closeClient(client, "the test ends it");
    }

    reactor::tunnel::OfferedTunnel* tunnel = nullptr;  ///< session lock
    Records<std::string> told;
    // --- session lock
    std::size_t accepted = 0;
    std::int32_t highestStreamId = 0;

private:
    // --- ProviderHandler
    void onRequest(const reactor::StreamEvent& e, const wire::Msg& m) override {
        static constexpr std::byte group[2]{};
        wire::Msg answer;
        answer.cls = wire::MsgClass::Refresh;
        answer.flags = wire::RefreshFlag::complete | wire::RefreshFlag::solicited | wire::RefreshFlag::msgKey;
        answer.state = {1, 1, 0, {}};
        answer.groupId = group;
        answer.key = m.key;
        (void)role_->submit(e.handle, answer);
        if (m.domain != 1) told.add("outside " + std::string(eta::asText(m.key.name)));
    }
    void onReissue(const reactor::StreamEvent&, const wire::Msg&) override {}
    void onClose(const reactor::StreamEvent&, const wire::Msg&) override {}
    void onPost(const reactor::StreamEvent&, const wire::Msg&) override {}
    void onGeneric(const reactor::StreamEvent&, const wire::Msg&) override {}
    void onClientUp(std::uint64_t client, const eta::transport::ChannelInfo&) override { clients_.push_back(client); }
    // --- TunnelListener
    void onTunnelRequest(reactor::tunnel::TunnelCall& call) override {
        if (options_.noted) told.add("asked " + std::string(call.name) + " d" + std::to_string(call.domain));
        highestStreamId = std::max(highestStreamId, call.streamId);
        if (options_.answer && options_.answer->streamVersion == 0)
            return void(call.reject({5, 2, 0, eta::asBytes("not here")}));
        const eta::Refused refused = call.accept(options_.answer ? *options_.answer : call.classOfService, 50, *this);
        if (refused) told.add("refused " + refused.text);
        else ++accepted;
    }
    // --- TunnelUser
    void onTunnelStatus(reactor::tunnel::OfferedTunnel& t, const reactor::tunnel::Status& s) override {
        tunnel = s.state.stream == 1 ? &t : nullptr;
        if (options_.noted) told.add("status " + std::to_string(s.state.stream) + "/" + std::to_string(s.state.data));
    }
    void onTunnelMessage(reactor::tunnel::OfferedTunnel& t, wire::DataType type, eta::Bytes data) override {
        wire::Msg m;
        if (type != wire::DataType::Msg || !decodeMsg(data, m).ok()) return told.add("data");
        if (options_.taker && options_.taker(t, m)) return;
        if (options_.noted)
            told.add(std::string(wire::name(m.cls)) + " " + std::to_string(m.streamId) + " d" +
                     std::to_string(m.domain));
        static constexpr std::byte group[2]{};
        wire::Msg answer = m;
        answer.raw = {};
        if (m.cls == wire::MsgClass::Request) {
            answer = {};
            answer.streamId = m.streamId;
            answer.domain = m.domain;
            answer.cls = wire::MsgClass::Refresh;
            answer.flags = wire::RefreshFlag::complete | wire::RefreshFlag::solicited | wire::RefreshFlag::msgKey;
            answer.state = {1, 1, 0, eta::asBytes(m.domain == 1 ? "welcome" : "all is well")};
            answer.groupId = group;
            answer.key = m.key;
            if (m.domain == 1 && !options_.refuseLogin.empty()) {
                answer.cls = wire::MsgClass::Status;
                answer.flags = wire::StatusFlag::state;
                answer.state = {4, 2, 0, eta::asBytes(options_.refuseLogin)};
            }
        } else if (m.cls == wire::MsgClass::Post) {
            answer = {};
            answer.cls = wire::MsgClass::Ack;
            answer.streamId = m.streamId;
            answer.domain = m.domain;
            answer.ackId = m.postId;
        } else if (m.cls != wire::MsgClass::Generic) {
            return;
        }
        if (t.submit(answer) != reactor::tunnel::SubmitFault::none) told.add("not taken");
    }

    const TunnelProviderOptions options_;
    mutable reactor::Reactor loop_{[] {
        reactor::ReactorOptions o;
        o.name = "provider";
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }()};
    std::unique_ptr<reactor::ProviderRole> role_;
    std::vector<std::uint64_t> clients_;
    std::thread thread_;
    std::atomic<bool> stop_{false};
};

}  // namespace emissary::test
