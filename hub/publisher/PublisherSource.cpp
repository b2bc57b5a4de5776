// Sends requests, posts and generic messages to the publisher's connection.
#include "hub/publisher/PublisherSource.h"

#include "reactor/rdm/Login.h"

#include <utility>

namespace emissary::hub::publisher {

using namespace eta::codec;

bool PublisherSource::bar(std::uint16_t service, const std::string& name) {
    const auto [at, isNew] = barred_.try_emplace(service, name);
    if (!isNew && std::exchange(at->second, name) == name) return false;
    if (whenBarred_) whenBarred_(name);
    return true;
}

Source::Health PublisherSource::health() const {
    constexpr std::size_t kMostNamed = 10;
    Health health{up_ ? "" : "its directory has not come", since_, 0};
    health.barredServices = barred_.size();
    for (auto at = barred_.begin(); at != barred_.end() && health.barred.size() < kMostNamed; ++at)
        health.barred.push_back(at->second);
    return health;
}

eta::Error PublisherSource::send(const Item& item, Msg& msg) {
    msg.streamId = static_cast<std::int32_t>(static_cast<std::int64_t>(item.upstream));
    if (msg.hasKey() && msg.key.has(KeyFlag::serviceId)) {
        Service* const service = services_.find(item.service);
        const Offer* const offer = service != nullptr ? service->offerOf(*this) : nullptr;
        if (offer != nullptr) msg.key.serviceId = offer->id;
        else msg.key.flags &= static_cast<std::uint16_t>(~KeyFlag::serviceId);
    }
    return role_.send(handle_, msg);
}

eta::Error PublisherSource::post(const Client& /*client*/, Item* item, std::uint16_t, Msg& msg) {
    return item != nullptr ? send(*item, msg) : eta::Error{eta::Errc::usage, 0};
}

eta::Error PublisherSource::generic(Item* item, Msg& msg) {
    if (item != nullptr) return send(*item, msg);
    msg.streamId = reactor::rdm::kLoginStreamId;
    return role_.send(handle_, msg);
}

}  // namespace emissary::hub::publisher
