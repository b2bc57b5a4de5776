// One upstream connection: its login, directory and dictionaries, and the streams of items on it (hub.md 4.1).
#pragma once

#include "hub/directory/GroupStates.h"
#include "hub/directory/Merge.h"
#include "hub/upstream/ConnectionEnd.h"
#include "hub/upstream/SourceHealth.h"
#include "hub/upstream/upstream_counts.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/MetricSource.h"
#include "reactor/consumer/ConsumerRole.h"
#include "reactor/rdm/View.h"
#include "reactor/rdm/consumer_status.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace emissary::hub::upstream {

class UpstreamSource;
using reactor::session::Handle;

/// Decides what an item's messages mean for it. Implemented by InteractiveSupply.
class UpstreamListener {
public:
    virtual ~UpstreamListener() = default;
    /// A refresh or status on the stream that the item is bound to. One that ends the stream: the handle is no more.
    virtual void onAnswer(UpstreamSource& source, Item& item, const Msg& msg) = 0;
    /// An update on the stream that the item is bound to, before it goes on; of items that are compared alone.
    virtual void onCompared(Item& item, const Msg& msg) = 0;
    /// Any message on another stream of the item.
    virtual void onOtherStream(UpstreamSource& source, Item& item, Handle handle, const Msg& msg) = 0;
    /// The source has ended the item's stream by a state of its group or service.
    virtual void onGroupEnd(UpstreamSource& source, Item& item, const eta::codec::State& state) = 0;
    /// The source calls the item suspect by a state of its group or service. True: the item goes on with another source
    /// at once, and nobody hears of it.
    virtual bool onGroupSuspect(UpstreamSource& source, Item& item) = 0;
    /// What the source says of a group, or with a null `group` of its whole service, for items that it does not serve
    /// but has a stream for.
    virtual void onSecondStates(UpstreamSource& source, Service& service, const Bytes* group,
                                const eta::codec::State& state) = 0;
    virtual void onSecondsMerged(UpstreamSource& source, Service& service, Bytes group, Bytes into) = 0;
    /// All offers of the source are gone, and what follows for its items is done or under way in slices. Behind that no
    /// item has a stream there any more; then `step` is called in slices, until it says false.
    virtual void afterLosses(UpstreamSource& source, std::function<bool()> step) = 0;
};

/// Borrowed; all of it outlives the source.
struct UpstreamRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::Merge& merge;
    directory::GroupStates& groupStates;
    UpstreamListener& listener;
    AckSink& acks;
    LogLine log;  ///< may be empty
    /// The source has all its dictionaries; may be empty.
    std::function<void(UpstreamSource&)> dictionaries;
};

/// A consumer role that recovers nothing by itself: whatever ends reaches the listener. On the reactor's thread.
class UpstreamSource final : public Source,
                             private reactor::session::ClientSink,
                             private reactor::rdm::DirectoryListener {
public:
    /// `download`: dictionaries are taken from it.
    UpstreamSource(const SourceSettings& settings, std::uint16_t number, const UpstreamRooms& rooms, bool download);
    ~UpstreamSource() override;

    void start();
    /// Logs out; nothing follows.
    void shutdown();
    /// Other limits, which hold from now on. Where anything else is another one, the connection ends as if it were
    /// lost, and a new one is made with the new settings when its items have lost it.
    void change(const SourceSettings& next);
    /// The configuration has it no more: the connection ends as if it were lost, and no other one is made. `gone`, once
    /// no item and no service knows it, in a call of its own: it may be destroyed there.
    void leave(std::function<void()> gone);

    // --- Source
    [[nodiscard]] bool up() const noexcept override { return there_ && !barred_ && !paused_; }
    [[nodiscard]] Health health() const override;
    [[nodiscard]] bool takesPosts() const noexcept override;
    eta::Error post(const Client& client, Item* item, std::uint16_t service, Msg& msg) override;
    eta::Error generic(Item* item, Msg& msg) override;
    /// ConsumerStatus for services with the source's own ids (rdm.md 3.5).
    eta::Error sayUses(std::span<const reactor::rdm::UsedService> services);

    // --- items
    /// What is asked of the source for an item.
    struct Ask {
        bool streaming = true, paused = false;
        bool confInfo = false;  ///< updates are to say how they were conflated
        std::uint8_t priorityClass = 1;
        std::uint16_t priorityCount = 1;
        std::uint8_t qos = 0;                      ///< the place in the list of its service, 0 being the best
        Bytes name;                                ///< instead of the item's own; empty: its own
        const reactor::rdm::View* view = nullptr;  ///< null: all fields
    };
    /// 0: the request is wrong and can never be made; `why` says so.
    [[nodiscard]] Handle request(Item& item, const Offer& offer, const Ask& ask, std::string& why);
    /// Says what is other now; `wantsRefresh`: another image is wanted with it.
    void reissue(Handle handle, const Item& item, const Ask& ask, bool wantsRefresh);
    void close(Handle handle);
    /// Output is behind: who has many requests should wait a moment.
    [[nodiscard]] bool congested() const noexcept { return role_->congested(); }
    [[nodiscard]] bool takesViews() const noexcept;
    /// The connection that its services have come by carries JSON.
    [[nodiscard]] bool speaksJson() const noexcept { return json_; }

    /// Its dictionaries differ from those in use: nothing is taken from it (hub.md 3.4).
    void bar(bool barred);
    /// An operator does not want it used. The connection stays, and its directory is followed.
    void pause(bool paused);
    [[nodiscard]] bool paused() const noexcept { return paused_; }
    /// It is there, and nothing is taken from it.
    [[nodiscard]] bool unused() const noexcept { return there_ && !up(); }
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept {
        return role_->dictionary();
    }
    /// The hub's, for a source that speaks JSON and provides none.
    void useDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        spare_ = std::move(dictionary);
        role_->setSpareDictionary(spare_);
    }
    [[nodiscard]] const SourceSettings& settings() const noexcept { return settings_; }

private:
    friend struct UpstreamProbe;  // the fuzz target speaks for the connection
    // --- ClientSink
    void onMessage(const Msg& msg, const reactor::session::Recipient& to, std::string_view serviceName) override;
    void onExpected(const void* client, const void* closure) noexcept override;
    void onConnection(reactor::session::ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onDirectory(bool there) override;
    // --- DirectoryListener
    void onServiceAdded(const reactor::rdm::Service& service) override;
    void onServiceChanged(const reactor::rdm::Service& service, std::uint32_t changed) override;
    void onServiceDeleted(const reactor::rdm::Service& service) override;
    void onServiceStatus(const reactor::rdm::Service& service, const eta::codec::State& state) override;
    void onGroupMerged(const reactor::rdm::Service& service, Bytes group, Bytes into) override;
    void onGroupStatus(const reactor::rdm::Service& service, Bytes group, const eta::codec::State& state) override;

    void onItem(Item& item, const Msg& msg, Handle handle);
    void compose(Msg& msg, const Item& item, const Ask& ask);
    void setThere(bool there);
    void beginAgain();
    [[nodiscard]] directory::GroupStates::Hooks hooks();
    void makeRole();

    SourceSettings settings_;
    UpstreamRooms rooms_;
    const bool download_;
    std::unique_ptr<reactor::consumer::ConsumerRole> role_;
    std::shared_ptr<const eta::dictionary::Dictionary> spare_;
    UpstreamCounts counts_;
    std::optional<reactor::MetricSource> metrics_;
    SourceHealth health_;
    Handle login_ = 0;
    reactor::TimerId again_ = 0;  // a login that was refused is tried again
    bool there_ = false, barred_ = false, paused_ = false, ending_ = false, json_ = false;
    ConnectionEnd end_;
    char item_ = 0, loginClient_ = 0;  // their addresses say whose message it is
    reactor::GrowingBuffer view_;
    std::array<std::uint32_t, 2> expected_{};  // numbers of items whose messages come soon
};

}  // namespace emissary::hub::upstream
