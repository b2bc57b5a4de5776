// Messages of items on their way to the clients that have mounts on them (hub.md 5.3, 5.4, 9).
#pragma once

#include "eta/json/Converter.h"
#include "hub/conflate/PendingUpdates.h"
#include "hub/core/ClientOutput.h"
#include "hub/core/ViewTable.h"
#include "hub/fanout/OutputLimits.h"
#include "hub/fanout/RateClasses.h"
#include "hub/fanout/SharedTexts.h"
#include "hub/fanout/SlowClients.h"
#include "hub/fanout/TurnLog.h"
#include "hub/fanout/ViewFilter.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/MetricSource.h"
#include "reactor/TurnEnd.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::hub::fanout {

/// Sends messages to mounts. Fills in each mount's stream id and the item's service id. A message whose `raw` is set
/// goes out with these bytes if its header may stay; otherwise it is encoded from its members. Updates lose their key
/// and their conflation members unless the mount asked for them; a mount that asked for the key gets the item's key in
/// refreshes, updates and statuses that come without one. Refreshes and updates are cut down to the mount's view; an
/// update of which the view leaves nothing is not sent. JSON clients get texts, with names of services, and enumerated
/// fields as numbers or texts (Client::expandsEnums). Each form is made once for all mounts that need it. Mounts that a
/// live update skips because they are paused or on standby get Mount::missed.
///
/// Updates of services and listeners with an interval wait until it is over (RateClasses). Whatever else is sent to the
/// mounts of the item goes behind what waits.
///
/// Updates for a client that is behind wait, joined, until it reads again (SlowClients, PendingUpdates), and those for
/// one that has used up its limit until it has some left (OutputLimits); whatever else is sent to a mount goes behind
/// what waits for it.
///
/// Output is gathered (TurnLog) and written client by client at the end of the reactor's turn, or when the log is full;
/// order is kept for each client. No allocation once buffers have grown, and no system call of its own.
///
/// Thread of its reactor only. Calls no other room, except through SlowClients, and that call comes from the loop.
class FanOut final : public ClientOutput,
                     reactor::TurnEnd,
                     SlowClients::Waiting,
                     RateClasses::Sender,
                     OutputLimits::Waiting {
public:
    /// The subject of a message: its service id, and the item that supplies the key. Null item: the key is in the
    /// message.
    struct Subject {
        std::uint16_t service = 0;
        const Item* item = nullptr;
        std::uint32_t index = 0;  ///< the item's number
        std::uint8_t rule = 0;    ///< of its service, a number of RateRules::services
    };
    /// Mounts of one item.
    struct List {
        std::span<Mount> mounts;
        Subject of;
        std::uint32_t live = 0xFFFFFFFF;  ///< updates go to this many mounts from the first on (MountsOf)
    };

    /// Finds an item that has mounts by its number, for what is sent when its interval is over.
    using Find = std::function<List(std::uint32_t item)>;
    /// The rule of a service, a number of RateRules::services.
    using RuleOf = std::function<std::uint8_t(std::uint16_t service)>;

    /// Session lock held, as for everything here; all of it is borrowed. `cutOff` ends the connection of a client that
    /// does not read.
    FanOut(ClientTable& clients, const ViewTable& views, reactor::Reactor& reactor, const SlowRules& rules,
           SlowClients::CutOff cutOff);
    ~FanOut() = default;

    void send(Item& item, const Msg& msg, To to) override { send(listOf(item), msg, to); }
    void send(Item& item, const Mount& mount, const Msg& msg) override { send(subjectOf(item), mount, msg); }
    void sendToo(Item& item, const Mount& mount, const Msg& msg) override { sendToo(subjectOf(item), mount, msg); }
    [[nodiscard]] bool holdsFor(const Item& item, const Mount& mount) const noexcept override;
    eta::Error tell(Client& client, std::int32_t stream, const Msg& msg) override;
    void unmounted(Item& item, const Mount& mount, Leaves how) noexcept override {
        unmounted(item.index, item.mountCount, clients_[mount.client], mount.stream, how);
    }
    void flush() noexcept override;
    /// The same without an Item. `texts`: those of the message that another thread has made.
    void send(List list, const Msg& msg, To to, const SharedTexts& texts = {});
    void send(const Subject& of, const Mount& mount, const Msg& msg);
    /// The message that was sent last, to another mount.
    void sendToo(const Subject& of, const Mount& mount, const Msg& msg);
    /// What waits on the stream is dropped, or goes out when the mount changes. `mounts`: of the item, with this one.
    void unmounted(std::uint32_t item, std::uint32_t mounts, Client& client, std::int32_t stream, Leaves how) noexcept;
    /// Sends what waits for the interval of an item.
    void sendWaiting(std::uint32_t item) {
        if (rates_.active()) [[unlikely]]
            rates_.sendWaiting(item);
    }
    /// Rules for the rate of updates, before the first listener. `find` and `ruleOf` are called by send(); a front,
    /// which has no Item, needs no `ruleOf`.
    void setRates(const RateRules& rules, Find find, RuleOf ruleOf = {}) {
        rates_.setRules(rules);
        limits_.setLimits(rules.listenerLimits, rules.userLimits);
        find_ = std::move(find);
        ruleOf_ = std::move(ruleOf);
    }
    /// An encoded message on a stream that is no mount.
    eta::Error tell(Client& client, std::int32_t stream, eta::Bytes message);
    /// The output of the connection gets the room that SlowRules give it.
    void admit(Client& client) noexcept override;
    /// Updates to clients of the next listener are counted under this name, and these rules hold for them.
    void addListener(std::string name, const SlowRules& rules) {
        listeners_.push_back({std::move(name), {}});
        slow_.addListener(rules);
        rates_.addListener(rules.joinedTypes);
    }
    /// Other rules for the listeners there are (SlowRules in their order) and the rates of updates; sendAllWaiting()
    /// was called under the old ones. Throws std::bad_alloc.
    void changeRules(const RateRules& rates, std::span<const SlowRules> slow);
    /// Sends what waits for the interval of any item.
    void sendAllWaiting() { rates_.sendAll(); }
    void classify(Client& client, std::uint8_t userClass) override;
    void loggedIn(const Client& client) override;
    /// Sets the receive time used for latency counts of the messages sent next. Called by a front before it sends items
    /// owned by the stage thread. The oldest time since the last flush wins.
    void receivedAt(reactor::TimePoint when) noexcept { since_ = std::min(since_, when); }
    /// Null: services are numbers.
    void setServices(const eta::json::ServiceNames* services) noexcept override { converter_.setServices(services); }
    /// The dictionary of JSON clients.
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) override;

    /// See SlowClients::unreadChanged.
    void onUnread(std::function<void(Client& client)> told) { slow_.unreadChanged = std::move(told); }

    /// See SlowClients::notice.
    void onNotice(LogLine notice) { slow_.notice = std::move(notice); }

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
    void collect(reactor::metrics::Snapshot& into) const;

private:
    struct OfListener {
        std::string name;
        ListenerCounts counts;
    };
    using Place = TurnLog::Place;
    /// One form of the message that is being sent; stale unless it has the number of that message.
    struct Form {
        Place place;
        std::uint64_t made = 0;
    };
    /// By Mount::keyInUpdates, Mount::confInfo, Client::json and Client::expandsEnums.
    using Forms = std::array<Form, kForms>;
    /// Forms of the message with one QoS.
    struct OfQos {
        eta::codec::Qos qos;  ///< not of the first one, which has the message's own
        Forms whole;
        std::vector<Forms> viewed;  ///< by view number - 1
    };
    static constexpr std::size_t kMostQos = 9;  ///< QoS that forms are kept of; with more they are made anew

    void begin() noexcept {
        ++message_;
        shared_ = {};
        forms_ = ofQos_.data();
        saidQos_ = 0;
    }
    template <class Waits>
    void sendTo(List list, const Msg& msg, To to, const SharedTexts& texts, Waits waits);
    [[nodiscard]] Subject subjectOf(const Item& item) const {
        return {item.service, &item, item.index,
                rates_.byService() && ruleOf_ ? ruleOf_(item.service) : std::uint8_t{0}};
    }
    [[nodiscard]] List listOf(Item& item) const {
        return {{item.mounts, item.mountCount}, subjectOf(item), item.liveCount};
    }
    /// Bit n: the update waits for clients of the rate class n.
    [[nodiscard]] std::uint64_t hold(const List& list, const Msg& msg, To to);
    std::size_t sendToClass(std::uint32_t item, std::uint8_t rateClass, const Msg& msg) override;
    void deliver(const Subject& of, const Mount& mount, Client& client, const Msg& msg);
    eta::Error deliver(Client& client, std::int32_t stream, Place& place);
    [[nodiscard]] bool waits(const Subject& of, const Mount& mount, Client& client, const Msg& msg);
    void sendWaiting(Client& client, std::int32_t stream);
    void sendJoined(Client& client, std::int32_t stream, const Msg& msg);
    void countUpdate(Client& client, std::size_t bytes) noexcept;
    // SlowClients::Waiting, OutputLimits::Waiting
    void starved(Client& client) noexcept override { slow_.starved(client); }
    std::size_t sendOldest(Client& client, std::size_t mostBytes) override;
    void tellState(Client& client, std::uint8_t code, std::string_view text) override;
    [[nodiscard]] Place form(const Subject& of, const Msg& msg, std::uint16_t view, std::size_t which);
    [[nodiscard]] Forms& formsOf(std::uint16_t view);
    [[nodiscard]] OfQos& formsWith(const eta::codec::Qos& qos) noexcept;
    [[nodiscard]] Place image(const Subject& of, const Mount& mount, const Client& client, const Msg& msg,
                              std::uint16_t view);
    [[nodiscard]] Place make(const Subject& of, const Msg& msg, std::size_t which, std::uint16_t view);
    [[nodiscard]] Place encode(const Msg& msg);
    [[nodiscard]] Place copy(eta::Bytes bytes);
    [[nodiscard]] Place render(Place message, bool expandEnums);
    [[nodiscard]] Place notJson(const Msg& msg);
    [[nodiscard]] std::span<std::byte> room(std::size_t bytes);
    void onTurnEnd() noexcept override { flush(); }

    reactor::Reactor& reactor_;
    ClientTable& clients_;
    const ViewTable& views_;
    Counts counts_;
    std::vector<OfListener> listeners_;
    reactor::TimePoint since_ = reactor::TimePoint::max();  // the oldest update in the log was received
    TurnLog log_;
    SlowClients slow_;
    ViewFilter filter_;
    conflate::PayloadMerger merger_;
    RateClasses rates_;
    OutputLimits limits_;
    Find find_;
    RuleOf ruleOf_;
    eta::json::Converter converter_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    reactor::GrowingBuffer payload_{4096}, text_{4096};
    std::uint64_t message_ = 0;  // number of the message being sent; forms of the log that was written out are stale
    std::array<OfQos, kMostQos> ofQos_;  // the first: with the message's own QoS
    OfQos* forms_ = ofQos_.data();       // those of the mount that is served
    std::size_t saidQos_ = 0;            // how many of the others the message has
    SharedTexts shared_;                 // of the message being sent
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::fanout
