// Connections of clients on threads of their own (hub.md 10): the side that has the items.
#pragma once

#include "hub/client/Connections.h"
#include "hub/relay/Intake.h"
#include "hub/relay/ItemSides.h"
#include "hub/relay/ItemTexts.h"
#include "reactor/memory.h"
#include "reactor/metrics/Snapshot.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace emissary::hub::relay {

struct RelayOptions {
    std::uint32_t fronts = 1;       ///< threads that serve connections, 64 at most
    std::string instance;           ///< label of counts
    std::vector<std::string> cpus;  ///< binding of the fronts; may be shorter
    const reactor::TimeSource* clock = nullptr;
    std::vector<fanout::SlowRules> slow;  ///< by the listener's place in the settings; beyond them the defaults
    fanout::RateRules rates;
    fanout::FanOut::RuleOf ruleOf;  ///< may be empty
    /// flow::ItemFlow::renew() and renewed().
    std::function<bool(Item& item, bool state, const std::function<bool(const Client&)>& lacks)> renew;
    std::function<void(Item& item)> renewed;
};

/// The stage's end of the rings. The rooms of the hub use it as their ClientOutput, and to make connections of
/// listeners. Writes a message once, with its texts where JSON clients of several fronts have the item, and pushes a
/// record to every front that has a mount for it. Never waits: a front that takes too little lags alone (Line). Stage
/// thread only, with the stage's session lock held; a front never takes that lock.
class Relay final : public ClientOutput,
                    public client::ConnectionMaker,
                    Line::Owner,
                    reactor::TurnEnd,
                    reactor::MemoryOwner {
public:
    static constexpr std::size_t kMostFronts = 64;

    /// Borrowed, all of it. Throws std::system_error when descriptors are exhausted.
    Relay(reactor::Reactor& reactor, ItemTable& items, ClientTable& clients, const ViewTable& views,
          const RelayOptions& options);
    ~Relay();  ///< stop() is part of it
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    /// The fronts' threads begin; the listeners are there.
    void start();
    /// Stops and joins the fronts' threads; clients get no message.
    void stop() noexcept;

    // --- ClientOutput
    void send(Item& item, const Msg& msg, To to) override;
    void send(Item& item, const Mount& mount, const Msg& msg) override;
    void sendToo(Item& item, const Mount& mount, const Msg& msg) override;
    eta::Error tell(Client& client, std::int32_t stream, const Msg& msg) override;
    void flush() noexcept override {}
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) override;
    void mounted(Item& item, const Mount& mount) override;
    void unmounted(Item& item, const Mount& mount, Leaves how) noexcept override;
    void touched(const Item& item) noexcept override { sides_.touch(item); }
    void quietened(Item& item, Mount& mount) noexcept override;
    void loggedIn(const Client& client) override;
    void classify(Client& client, std::uint8_t userClass) override;
    void directoryChanged(Bytes map) override;
    [[nodiscard]] Backlog behind(const Client& client) noexcept override;

    [[nodiscard]] std::unique_ptr<client::Connections> make(const reactor::ProviderOptions& options,
                                                            client::Listener& listener) override;

    /// Other rules for the listeners there are, in their order, and for the rate of updates; `ofServices`: by service
    /// id, the number of its rule among them. Fronts take them when they come to it, behind what was sent before.
    void changeRules(const fanout::RateRules& rates, const std::vector<fanout::SlowRules>& slow,
                     const std::vector<std::uint8_t>& ofServices);

    // --- for RelayedConnections
    void push(const Client& client, const ToFront& record) noexcept {
        Line& line = lineOf(client);
        line.count(record.length);
        line.push(record);
    }
    /// With a message; false: it cannot be encoded.
    [[nodiscard]] bool push(const Client& client, ToFront record, const Msg& msg);
    [[nodiscard]] bool collides() const noexcept { return intake_.collides(); }
    void forget(const Client& client) noexcept { lineOf(client).removed(client.slot); }
    [[nodiscard]] std::deque<Line>& lines() noexcept { return lines_; }

    [[nodiscard]] const StageCounts& counts() const noexcept { return counts_; }

private:
    [[nodiscard]] Line& lineOf(const Client& client) noexcept { return lines_[client.front]; }
    void signalled(Line& line) noexcept override;
    /// Sends what was left out for the front on the line, one item after the other.
    void catchUp(Line& line);
    /// To each of the fronts that the message, of which the record has the bytes, is for.
    void pushTo(std::uint64_t fronts, const ToFront& record, const Item& item, const Msg& msg);
    void pushLate(Line& line, const ToFront& record, const Item& item, const Msg& msg);
    void pushTo(const Mount& mount, const ToFront& record, const Item& item, const Msg& msg);
    [[nodiscard]] std::span<std::byte> room(std::size_t bytes);
    /// Writes the message for mounts that want these, and for a side its texts behind it; sets the record's bytes,
    /// which are none when it cannot be encoded.
    void write(const Item& item, const ItemSide* side, const Msg& msg, std::uint16_t wants, ToFront& record);
    [[nodiscard]] Bytes encode(const Msg& msg);
    /// Tells the fronts which mounts get updates from now on.
    void look(Item& item, ItemSide& side);
    void mirror(const Item& item, Mount& mount, bool isLive) noexcept;
    /// Whether updates of the item go to the mount now; unlike hub::isLive() it changes nothing.
    [[nodiscard]] bool live(const Item& item, const Mount& mount) noexcept;
    void collect(reactor::metrics::Snapshot& into);
    void onTurnEnd() noexcept override;
    void trimMemory() noexcept override {
        log_->trim();
        sides_.trim();
    }
    [[nodiscard]] std::size_t places() const noexcept override {
        return log_->bytes() / MessageLog::kSegment + sides_.places();
    }

    reactor::Reactor& reactor_;
    ItemTable& items_;
    ClientTable& clients_;
    const ViewTable& views_;
    const decltype(RelayOptions::renew) renew_;
    const decltype(RelayOptions::renewed) renewed_;
    std::vector<fanout::SlowRules> slow_;
    const fanout::FanOut::RuleOf ruleOf_;
    StageCounts counts_;
    ItemSides sides_;
    ItemTexts texts_;
    reactor::GrowingBuffer message_{4096};
    std::uint64_t lagging_ = 0;  // bit n: line n lags
    std::deque<Line> lines_;
    Line* only_ = nullptr;  // whose mounts are being renewed: what is sent is for this front alone
    Intake intake_;
    std::unique_ptr<MessageLog> log_;
    std::uint64_t segments_ = 0;  // of the log, at the last stock-taking
    Bytes last_;                  // the message that went to one mount last, in the log
    reactor::MetricSource metrics_;
};

/// Before the fronts' threads begin, and in tests: with the front's session lock held, for which it waits.
template <class F>
void forEachFront(Relay& relay, F&& f) {
    for (Line& line : relay.lines()) {
        const std::lock_guard guard(line.front().reactor().lock());
        f(line.front());
    }
}

}  // namespace emissary::hub::relay
