// Connections of clients on threads of their own (hub.md 10): the side that has the items.
#pragma once

#include "hub/client/Connections.h"
#include "hub/relay/Front.h"
#include "hub/relay/ItemSides.h"
#include "reactor/memory.h"
#include "reactor/metrics/Snapshot.h"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace emissary::hub::relay {

struct RelayOptions {
    std::uint32_t fronts = 1;       ///< threads that serve connections, 64 at most
    std::string instance;           ///< label of counts
    std::vector<std::string> cpus;  ///< binding of the fronts; may be shorter
    const reactor::TimeSource* clock = nullptr;
    fanout::SlowRules slow;
};

/// The stage's end of the rings. The rooms of the hub use it as their Outputs, and to make connections of listeners.
/// Writes a message once and pushes a record to every front that has a mount for it. Waits while a ring is full, which
/// stops the sources. Stage thread only, with the stage's session lock held; a front never takes that lock.
class Relay final : public Outputs, public client::ConnectionMaker, reactor::TurnEnd, reactor::MemoryOwner {
public:
    static constexpr std::size_t kMostFronts = 64;
    static constexpr std::size_t kMostWaiting = 64u << 20;  ///< bytes of messages that fronts have not passed

    /// Borrowed, all of it. Throws std::system_error when descriptors are exhausted.
    Relay(reactor::Reactor& reactor, ClientTable& clients, const ViewTable& views, const RelayOptions& options);
    ~Relay();  ///< stop() is part of it
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    /// The fronts' threads begin; the listeners are there.
    void start();
    /// Stops and joins the fronts' threads; clients get no message.
    void stop() noexcept;

    // --- Outputs
    void send(Item& item, const Msg& msg, To to) override;
    void send(Item& item, const Mount& mount, const Msg& msg) override;
    void sendToo(Item& item, const Mount& mount, const Msg& msg) override;
    eta::Error tell(Client& client, std::int32_t stream, const Msg& msg) override;
    void flush() noexcept override {}
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) override;
    void mounted(Item& item, const Mount& mount) override;
    void unmounted(Item& item, const Mount& mount) noexcept override;
    void touched(const Item& item) noexcept override { sides_.touch(item); }
    void quietened(Item& item, Mount& mount) noexcept override;
    void loggedIn(const Client& client) override;
    void directoryChanged(Bytes map) override;
    [[nodiscard]] bool behind(const Client& client) noexcept override;

    [[nodiscard]] std::unique_ptr<client::Connections> make(const reactor::ProviderOptions& options,
                                                            client::Listener& listener) override;

    // --- for RelayedConnections
    [[nodiscard]] static ToFront recordFor(const Client& client, ToFront::Kind kind) noexcept {
        ToFront r;
        r.kind = kind;
        r.client = client.slot;
        return r;
    }
    void push(const Client& client, const ToFront& record) noexcept {
        Line& line = lineOf(client);
        line.bytes += record.length;
        push(*line.front, record);
    }
    /// With a message; false: it cannot be encoded.
    [[nodiscard]] bool push(const Client& client, ToFront record, const Msg& msg);
    /// The batch that is being handled would take ids of the role's streams.
    [[nodiscard]] bool collides() const noexcept { return collides_; }
    void forget(const Client& client) noexcept { lineOf(client).clients[client.slot] = nullptr; }
    /// With the front's session lock held.
    template <class F>
    void forEachFront(F&& f) {
        for (Line& line : fronts_) {
            const std::lock_guard guard(line.front->reactor().lock());
            f(*line.front);
        }
    }

    [[nodiscard]] const StageCounts& counts() const noexcept { return counts_; }

private:
    /// One front, and what the stage knows of it.
    struct Line final : reactor::EventSource {
        Line(Relay& r, const FrontOptions& options);
        void onReady(std::uint32_t) noexcept override { relay.takeFrom(*this); }
        Relay& relay;
        Bell bell;  // rung by the front
        std::unique_ptr<Front> front;
        std::vector<Client*> clients;  // by the front's number
        std::uint64_t rung = 0;        // records that the front was woken for
        std::uint64_t mark = 0;        // a number of records, pushed some time ago
        std::size_t bytes = 0;         // of messages to single clients since
    };

    [[nodiscard]] Line& lineOf(const Client& client) noexcept { return fronts_[client.front]; }
    void push(Front& front, const ToFront& record) noexcept;
    void pushTo(std::uint64_t fronts, const ToFront& record) noexcept;
    [[nodiscard]] std::span<std::byte> room(std::size_t bytes);
    [[nodiscard]] Bytes write(const Item& item, const Msg& msg, std::uint16_t wants);
    [[nodiscard]] Bytes encode(const Msg& msg);
    /// Tells the fronts which mounts get updates from now on.
    void look(Item& item, ItemSide& side);
    void mirror(const Item& item, Mount& mount, bool isLive) noexcept;
    [[nodiscard]] bool live(const Mount& mount) noexcept;
    void takeFrom(Line& line) noexcept;
    void take(Line& line, const ToStage& record);
    void collect(reactor::metrics::Snapshot& into);
    void arrived(Line& line, const ToStage& record);
    void published(client::Listener& listener, const Loose& loose);
    void onTurnEnd() noexcept override;
    void trimMemory() noexcept override {
        log_->trim();
        sides_.trim();
    }
    [[nodiscard]] std::size_t places() const noexcept override {
        return log_->bytes() / MessageLog::kSegment + sides_.places();
    }

    reactor::Reactor& reactor_;
    ClientTable& clients_;
    const ViewTable& views_;
    const std::size_t mostAhead_;  // bytes to single clients that a front has not seen
    StageCounts counts_;
    ItemSides sides_;
    std::deque<Line> fronts_;
    std::vector<client::Listener*> listeners_;
    std::unique_ptr<MessageLog> log_;
    Msg inbound_;
    Bytes last_;  // the message that went to one mount last, in the log
    bool collides_ = false;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::relay
