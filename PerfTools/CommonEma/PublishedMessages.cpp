// Prepares messages for each template, and fills in stamps and sequence numbers.
#include "PublishedMessages.h"

#include "Clock.h"

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

PublishedMessages::PublishedMessages(const PublishingSettings& settings, const MessageData& messages)
    : settings_(settings), prices_(messages.marketPrice, false), orders_(messages.marketByOrder, true) {}

void PublishedMessages::prepare(bool solicited) {
    const auto prepareImage = [&](const PreparedDomain& domain, RefreshMsg& image, UInt16 domainType) {
        if (!domain.present) return;
        image.clear().domainType(domainType).solicited(solicited).complete(true).qos();
        image.payload(encoder_.encodeImage(domain.refresh.front()));
    };
    prepareImage(prices_, priceImage_, rdm::MMT_MARKET_PRICE);
    prepareImage(orders_, orderImage_, rdm::MMT_MARKET_BY_ORDER);
    if (!settings_.preEncode) return;
    // A message that is kept refers to its payload: the vector must not move its elements while it grows.
    readyUpdates_.reserve(prices_.updates.size());
    for (const auto& message : prices_.updates)
        readyUpdates_.emplace_back()
            .updateTypeNum(message->updateType())
            .payload(encoder_.encode(*message, std::nullopt));
    readyGenerics_.reserve(prices_.generics.size());
    for (const auto& message : prices_.generics)
        readyGenerics_.emplace_back().complete(true).payload(encoder_.encode(*message, std::nullopt));
}

template <class Message>
void PublishedMessages::fill(Message& message, const PreparedMessage& content, std::optional<std::int16_t> stampField) {
    // Only stamped messages are measured: two more looks at the clock for each message would change what is measured.
    const bool measure = stampField && settings_.measureEncode;
    const std::int64_t begin = measure ? nowNanos() : 0;
    std::optional<TimeStamp> stamp;
    if (stampField)
        stamp = TimeStamp{
            *stampField, static_cast<std::uint64_t>(stampUnits(settings_.nanoTime, stamp_ != 0 ? stamp_ : nowNanos()))};
    message.payload(encoder_.encode(content, stamp));
    if (measure) encodeTimes_.add(static_cast<double>(nowNanos() - begin) / 1000.0);
}

UpdateMsg& PublishedMessages::update(Domain domain, TemplateTurns& turns, bool latency) {
    const PreparedDomain& templates = of(domain);
    const std::size_t number = turns.take(domain, templates.updates.size());
    const PreparedMessage& content = *templates.updates[number];
    // The caller sets the number, because streams count and templates do not.
    wantsNumber_ = content.numbered();
    // A stamp has to be encoded into its message, so stamped updates never come from the prepared ones.
    if (!latency && settings_.preEncode && domain == Domain::marketPrice) return readyUpdates_[number];
    update_.clear();
    if (content.updateType() != 0) update_.updateTypeNum(content.updateType());
    if (domain == Domain::marketByOrder) update_.domainType(rdm::MMT_MARKET_BY_ORDER);
    fill(update_, content, latency ? std::optional(kUpdateTimeField) : std::nullopt);
    return update_;
}

GenericMsg& PublishedMessages::generic(Domain domain, TemplateTurns& turns, bool latency) {
    const PreparedDomain& templates = of(domain);
    const std::size_t number = turns.take(domain, templates.generics.size());
    if (!latency && settings_.preEncode && domain == Domain::marketPrice) return readyGenerics_[number];
    generic_.clear().complete(true).domainType(static_cast<UInt16>(domain));
    fill(generic_, *templates.generics[number], latency ? std::optional(kGenericTimeField) : std::nullopt);
    return generic_;
}

}  // namespace emissary::perf
