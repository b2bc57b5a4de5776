// Answers to requests for items that nobody has published (hub.md 4.5).
#pragma once

#include "hub/flow/ItemFlow.h"
#include "hub/flow/Records.h"
#include "hub/publisher/TemplateFile.h"
#include "reactor/Reactor.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub::publisher {

/// Answers by the policy of the service. Stage thread only.
///
/// A publisher sends its directory first and then its images, which may be many. A client that asks in between, as all
/// do after a restart of the hub, must not hear that there is no such item. So `close` is held back while a publisher
/// starts: until it has sent no new item for kPause, and for kLongest at most.
class UnknownItems {
public:
    static constexpr std::chrono::milliseconds kPause{1000};
    static constexpr std::chrono::seconds kLongest{60};

    UnknownItems(flow::ItemFlow& flow, flow::Records& records, ItemTable& items, reactor::Reactor& reactor) noexcept
        : flow_(flow), records_(records), items_(items), reactor_(reactor) {}
    ~UnknownItems() { reactor_.cancelTimer(timer_); }
    UnknownItems(const UnknownItems&) = delete;
    UnknownItems& operator=(const UnknownItems&) = delete;

    /// Items that wait there are not looked at here. Outlives the items.
    void use(RequestedItems& requested) noexcept { requested_ = &requested; }
    /// Before the first request for the service's items.
    void useTemplates(const std::string& service, TemplateFile file);
    /// The item is idle, and mounts wait. It may be gone when this returns.
    void answer(Service& service, Item& item);
    /// A publisher that has sent nothing yet offers the service.
    void starts(const Service& service);
    /// It sent an item that was not there.
    void grows(const Service& service);
    /// The publisher is lost, or its service is down. When no other one offers the service, what was held back waits
    /// as do items of a service that is not there.
    void stops(const Service& service, const Source& lost);

private:
    struct Start {
        reactor::TimePoint begun{}, last{};
        bool lost = false;                                          ///< nobody offers the service any more
        std::vector<std::pair<std::uint32_t, std::uint32_t>> held;  ///< items by index and generation
        [[nodiscard]] reactor::TimePoint end() const noexcept {
            return lost ? begun : std::min(last + kPause, begun + kLongest);
        }
    };
    void hold(Start& start, Item& item);
    void look();
    void close(Item& item, std::string_view why);
    void suspect(const Service& service, Item& item);
    void wait(Item& item);
    void fill(const Service& service, Item& item);
    /// A complete refresh, solicited, from here.
    [[nodiscard]] static Msg refresh(const Service& service, const Item& item);

    flow::ItemFlow& flow_;
    flow::Records& records_;
    ItemTable& items_;
    reactor::Reactor& reactor_;
    RequestedItems* requested_ = nullptr;
    std::map<std::string, TemplateFile> templates_;  // by service name
    std::map<std::uint16_t, Start> starts_;          // by service
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::publisher
