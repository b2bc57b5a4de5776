// What publishers' directories offer, on its way to the merge of services (hub.md 4.4, PublisherMode single).
#pragma once

#include "hub/directory/GroupStates.h"
#include "hub/directory/Merge.h"
#include "hub/publisher/PublisherSource.h"
#include "hub/publisher/PublisherSupply.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emissary::hub::publisher {

/// PublisherGroups, of a port or of a service: one of the user's groups is in the list, or the list is empty.
[[nodiscard]] inline bool hasOneOf(std::span<const std::string> groups, std::span<const std::string> list) noexcept {
    return list.empty() || std::ranges::find_first_of(groups, list) != groups.end();
}

/// Passes offers on; of a service in single mode those of one publisher at a time, the next one's when that has gone.
/// What the others publish meanwhile is kept as their standby images. On the reactor's thread.
class PublisherOffers {
public:
    /// All borrowed.
    PublisherOffers(directory::Merge& merge, ServiceTable& services, PublisherSupply& supply) noexcept
        : merge_(merge), services_(services), supply_(supply) {}

    /// The user of the publisher has one of the groups that may offer the service (PublisherGroups of the service). A
    /// name that is too long is not looked at: Merge refuses it, and nothing keeps it.
    [[nodiscard]] bool mayOffer(const PublisherSource& source, const std::string& service) const noexcept;
    void onOffer(PublisherSource& source, const reactor::rdm::Service& offered, std::uint32_t changed);
    /// By hand, or since the publisher is lost (Source::up()).
    void onOfferGone(PublisherSource& source, const reactor::rdm::Service& service);
    /// Whatever it offers is offered no more.
    void onSourceGone(PublisherSource& source);
    /// The service that the publisher's offer of that id belongs to, whether it is in use or waits for its turn; null
    /// when it is left out.
    [[nodiscard]] Service* serviceOf(const PublisherSource& source, std::uint16_t id) noexcept;

private:
    struct Offered {
        PublisherSource* source = nullptr;
        const reactor::rdm::Service* service = nullptr;
    };
    /// In the order in which they came; the first is passed on.
    using Queue = std::vector<Offered>;
    [[nodiscard]] bool single(const std::string& service) const {
        return services_.policyOf(service).publisherMode == PublisherMode::single;
    }
    /// The next one is offered before the first is taken back, so that clients see the service go on.
    void leave(const std::string& name, PublisherSource& source);
    /// Out of the queue it stands in, but for that of one name.
    void leaveOther(PublisherSource& source, std::uint16_t service, std::string_view butFor);

    directory::Merge& merge_;
    ServiceTable& services_;
    PublisherSupply& supply_;
    std::map<std::string, Queue> queues_;  // by service name
    /// The name under which an offer stands in a queue, by publisher and its number of the service.
    std::map<std::pair<const PublisherSource*, std::uint16_t>, std::string> queued_;
};

}  // namespace emissary::hub::publisher
