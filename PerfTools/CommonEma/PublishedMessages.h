// PerfTools/CommonEma: a provider's images, updates and generic messages, made from the templates of the message file.
#pragma once
#include "EmaPayload.h"
#include "ItemList.h"
#include "Settings.h"
#include "SharedStatistics.h"
#include "TemplateTurns.h"

#include <optional>
#include <vector>

namespace emissary::perf {

/// Builds the messages of one publishing thread, which both kinds of provider send. What it returns has neither key nor
/// handle and is valid until the next call; memory is reused from message to message.
class PublishedMessages {
public:
    /// Both outlive it.
    PublishedMessages(const PublishingSettings& settings, const MessageData& messages);

    /// Encodes what is encoded once: the images, and with -preEnc updates and generic messages without a time stamp. To
    /// be called on the publishing thread. `solicited`: the images answer requests.
    void prepare(bool solicited);

    /// The moment (nowNanos()) that the time stamps of the messages built from here on carry, in place of the present.
    void stampWith(std::int64_t due) noexcept { stamp_ = due; }

    /// Templates for `domain` were in the message file.
    [[nodiscard]] bool has(Domain domain) const noexcept { return of(domain).present; }
    [[nodiscard]] bool hasGenerics(Domain domain) const noexcept { return !of(domain).generics.empty(); }

    /// The payload of an image is the same for every item: key, state and what else differs are set by the caller.
    [[nodiscard]] access::RefreshMsg& image(Domain domain) noexcept {
        return domain == Domain::marketByOrder ? orderImage_ : priceImage_;
    }
    /// The update of the template whose turn it is. With `latency` it carries the present time, or that of stampWith().
    [[nodiscard]] access::UpdateMsg& update(Domain domain, TemplateTurns& turns, bool latency);
    /// What update() returned last is to carry the sequence number of its stream.
    [[nodiscard]] bool wantsNumber() const noexcept { return wantsNumber_; }
    /// The same as update() for generic messages.
    [[nodiscard]] access::GenericMsg& generic(Domain domain, TemplateTurns& turns, bool latency);
    /// A message for content that is made elsewhere, in memory that is reused.
    [[nodiscard]] access::UpdateMsg& emptyUpdate() { return update_.clear(); }

    /// Microseconds that messages with a time stamp took to encode, with -measureEncode. Any thread.
    [[nodiscard]] SharedStatistics& encodeTimes() noexcept { return encodeTimes_; }

private:
    [[nodiscard]] const PreparedDomain& of(Domain domain) const noexcept {
        return domain == Domain::marketByOrder ? orders_ : prices_;
    }
    /// Lays the payload of a template into `message`, stamped with the time if `stampField` says where.
    template <class Message>
    void fill(Message& message, const PreparedMessage& content, std::optional<std::int16_t> stampField);

    const PublishingSettings& settings_;
    PreparedDomain prices_;
    PreparedDomain orders_;
    PayloadEncoder encoder_;
    bool wantsNumber_ = false;
    std::int64_t stamp_ = 0;  // 0: the present
    access::UpdateMsg update_;
    access::GenericMsg generic_;
    access::RefreshMsg priceImage_;
    access::RefreshMsg orderImage_;
    std::vector<access::UpdateMsg> readyUpdates_;    // with -preEnc: one per MarketPrice template
    std::vector<access::GenericMsg> readyGenerics_;  // the same
    SharedStatistics encodeTimes_;
};

}  // namespace emissary::perf
