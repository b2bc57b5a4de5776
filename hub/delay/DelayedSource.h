// hub/delay: what a delayed service has instead of a connection: its original, heard some time ago.
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/delay/DelayLine.h"
#include "hub/delay/Pipes.h"
#include "hub/directory/Merge.h"
#include "hub/sink/ItemFeed.h"
#include "reactor/MetricSource.h"
#include "reactor/TurnShare.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace emissary::hub::delay {

/// Borrowed; all of it outlives the source.
struct DelayRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    Outputs& outputs;
    ViewTable& views;
    directory::Merge& merge;
    LogLine log;  ///< may be empty
};

/// One delayed service. What its feed hears goes into the line with its time, and out of it to the items of the
/// service when that is long enough ago, in order; states of the original as well. Never early: what the line has no
/// room for, or does not give back, makes its item Suspect at the time when it would have been shown, and the item is
/// asked for again. On the reactor's thread, with the session lock held.
class DelayedSource final : public Source, private sink::FeedHandler {
public:
    DelayedSource(const ServiceSettings& settings, std::uint16_t number, const DelayRooms& rooms);
    ~DelayedSource() override;

    /// Makes the file, if there is to be one.
    [[nodiscard]] eta::Refused start();
    /// The configuration has the service no more: it is deleted, and nothing more is shown or heard. What closeNext()
    /// leaves may be destroyed.
    void leave();
    /// Closes one stream of the original; false: there is none left.
    [[nodiscard]] bool closeNext();
    [[nodiscard]] bool leaves() const noexcept { return leaves_; }
    /// Clients see another state of the original from now on; null: it is gone.
    void noteOriginal(const Service* original);
    [[nodiscard]] const DelaySettings& settings() const noexcept { return settings_; }

    // --- items of the delayed service, from their Supply
    void wanted(Item& item);
    void unwanted(Item& item);
    /// Clients need an image that the item does not have.
    void renew(Item& item);

    // --- Source
    [[nodiscard]] bool up() const noexcept override { return true; }
    [[nodiscard]] bool takesPosts() const noexcept override { return false; }
    eta::Error post(const Client&, Item*, std::uint16_t, Msg&) override { return {eta::Errc::closed, 0}; }
    eta::Error generic(Item*, Msg&) override { return {eta::Errc::closed, 0}; }

private:
    // --- FeedHandler
    void onMessage(const Item& original, const Msg& msg) override;
    void onEnd(std::int32_t stream) noexcept override;
    void onLost(std::int32_t stream) noexcept override;

    void stopTimers() noexcept;
    // --- the original
    void offer();
    void ask(std::uint32_t number);
    void askSoon();
    void askAll();
    void open(std::uint32_t number);
    void park(std::uint32_t number);
    void close(std::uint32_t number);
    void openAgain();
    /// The former stream has said all that it had to.
    void closeFormer(std::uint32_t number);
    void gap(std::uint32_t number) noexcept;

    // --- the delayed service
    void begin(reactor::Duration delay);
    void run();
    void handle(const Record& record);
    void show(std::uint32_t number, const Record& record);
    void showService(eta::Bytes state);
    /// `watched`: somebody wanted the item a moment ago.
    void settle(std::uint32_t number, bool watched);
    /// Who wanted the item did not stay for the image, and may come for it.
    void left(std::uint32_t number);
    void sweep();
    [[nodiscard]] bool stays(const Pipe& pipe) const noexcept {
        return pipe.kept || pipe.staysUntil > rooms_.reactor.now();
    }
    [[nodiscard]] Item* itemFor(std::uint32_t number);
    void bind(std::uint32_t number, Item& item);
    void suspectAll(std::string_view why);
    [[nodiscard]] Item* itemOf(const Pipe& pipe) noexcept { return rooms_.items.find(pipe.item, pipe.generation); }
    [[nodiscard]] Service* service() noexcept { return rooms_.services.find(name()); }
    [[nodiscard]] std::string when(eta::TimePoint at) const;
    [[nodiscard]] std::string late() const;

    const DelaySettings settings_;
    DelayRooms rooms_;
    LineCounts lineCounts_;
    DelayCounts counts_;
    std::unique_ptr<Disk> disk_;
    std::unique_ptr<DelayLine> line_;
    Pipes pipes_;
    using Ref = std::pair<std::uint32_t, std::uint32_t>;  // a pipe and its life
    std::deque<Ref> asking_;
    std::vector<Ref> gapped_, parked_,
        staying_;                        // that wait for room, or to be asked for again; for the original; for somebody
    std::vector<std::int32_t> closing_;  // streams that are closed in a turn of their own
    reactor::TurnShare share_;
    reactor::TimerId timer_ = 0, askTimer_ = 0, offerTimer_ = 0, againTimer_ = 0, sweepTimer_ = 0, closeTimer_ = 0;
    eta::TimePoint due_{};
    reactor::rdm::Service offered_;
    bool there_ = false, originalUp_ = false, originalAccepts_ = false, leaves_ = false;
    std::uint32_t closed_ = 0;  // leaving: numbers of pipes below it are closed
    reactor::GrowingBuffer encoded_;
    std::optional<reactor::MetricSource> metrics_;
    sink::ItemFeed feed_;  // goes first: nothing is heard any more
};

}  // namespace emissary::hub::delay
