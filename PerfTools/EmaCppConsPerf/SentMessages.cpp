// PerfTools/EmaCppConsPerf: makes posts and generic messages, and tells own posts from those of others.
#include "SentMessages.h"

#include "Clock.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

// The host's IPv4 address as a number; 127.0.0.1 when it has none.
[[nodiscard]] std::uint32_t hostAddress() {
    char name[256] = {};
    // One byte less than the room: gethostname() need not end a name that it cuts.
    gethostname(name, sizeof name - 1);
    addrinfo hints{};
    hints.ai_family = AF_INET;
    addrinfo* found = nullptr;
    std::uint32_t address = INADDR_LOOPBACK;
    if (getaddrinfo(name, nullptr, &hints, &found) == 0 && found != nullptr)
        address = ntohl(reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr.s_addr);
    if (found != nullptr) freeaddrinfo(found);
    return address;
}

}  // namespace

SentMessages::SentMessages(const MessageData& messages, bool nanoTime)
    : publisherUser_(static_cast<std::uint32_t>(getpid())), publisherAddress_(hostAddress()), nanoTime_(nanoTime),
      prices_(messages.marketPrice, false), orders_(messages.marketByOrder, true) {}

std::optional<TimeStamp> SentMessages::stampFor(const ItemTurn& turn, std::int16_t field) const {
    if (!turn.latency) return std::nullopt;
    return TimeStamp{field, static_cast<std::uint64_t>(stampUnits(nanoTime_, nowNanos()))};
}

const PostMsg& SentMessages::post(Domain domain, const ItemTurn& turn) {
    const auto& posts = of(domain).posts;
    const std::optional<TimeStamp> stamp = stampFor(turn, kPostTimeField);
    const auto domainType = static_cast<UInt16>(domain);
    postBody_.clear();
    postBody_.domainType(domainType).payload(encoder_.encode(*posts[turn.number % posts.size()], stamp));
    post_.clear();
    post_.domainType(domainType).publisherId(publisherUser_, publisherAddress_).complete(true).payload(postBody_);
    return post_;
}

const GenericMsg& SentMessages::generic(Domain domain, const ItemTurn& turn) {
    const auto& generics = of(domain).generics;
    const std::optional<TimeStamp> stamp = stampFor(turn, kGenericTimeField);
    generic_.clear();
    generic_.domainType(static_cast<UInt16>(domain)).complete(true);
    generic_.payload(encoder_.encode(*generics[turn.number % generics.size()], stamp));
    return generic_;
}

bool SentMessages::isOurs(const UpdateMsg& message) const {
    // User and address together: two tools of one host differ by process id, and two hosts by address.
    return message.hasPublisherId() && message.getPublisherIdUserId() == publisherUser_ &&
           message.getPublisherIdUserAddress() == publisherAddress_;
}

}  // namespace emissary::perf
