// The port of a role: takes its connections in.
#pragma once

#include "provider/ProviderContext.h"
#include "provider/SharedListener.h"

#include <memory>
#include <string>

namespace emissary::reactor {

/// The part that takes connections over.
class NewConnections {
public:
    virtual void onConnection(std::unique_ptr<eta::transport::Channel> channel) = 0;

protected:
    ~NewConnections() = default;
};

/// One role's part of a SharedListener: accepts what waits, a bounded number a turn, and takes what other roles of the
/// process hand over.
class ClientPort final : EventSource {
public:
    ClientPort(ProviderContext& context, NewConnections& to) noexcept : context_(context), to_(to) {}
    ~ClientPort();
    ClientPort(const ClientPort&) = delete;
    ClientPort& operator=(const ClientPort&) = delete;

    [[nodiscard]] eta::Refused listen();
    /// No connection comes in any more; those that are there count until they end.
    void stop() noexcept;
    /// 0 before listen().
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Of all roles that share the port; all zero before listen() and after stop().
    [[nodiscard]] eta::transport::ServerCounters counters() const;
    void collect(metrics::Snapshot& into, bool ofListener) const;
    /// A connection that came from here has ended.
    void connectionEnded() noexcept {
        if (listener_) listener_->ended(*member_);
    }

private:
    /// Connections that another role of the process accepted for this one.
    struct Inbox final : EventSource {
        explicit Inbox(ClientPort& p) noexcept : port(p) {}
        void onReady(std::uint32_t) noexcept override { port.takeHandedOver(); }
        ClientPort& port;
    };
    void onReady(std::uint32_t epollEvents) noexcept override;
    void acceptWaiting();
    void takeHandedOver();
    void pause();

    ProviderContext& context_;
    NewConnections& to_;
    std::shared_ptr<SharedListener> listener_;  // shared by the roles of the process that serve one port together
    std::unique_ptr<SharedListener::Member> member_;
    Inbox inbox_{*this};
    TimerId timer_ = 0;
    std::uint32_t emptyAccepts_ = 0;
    std::uint16_t port_ = 0;
};

}  // namespace emissary::reactor
