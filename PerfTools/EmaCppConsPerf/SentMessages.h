// The posts and generic messages of a consumer.
#pragma once
#include "EmaPayload.h"
#include "ItemBurst.h"
#include "ItemList.h"

#include <cstdint>
#include <optional>

namespace emissary::perf {

/// Makes them from the templates of the message file. What it returns is valid until the next call; memory is reused
/// from message to message. Belongs to the worker thread.
class SentMessages {
public:
    SentMessages(const MessageData& messages, bool nanoTime);

    [[nodiscard]] bool hasPosts(Domain domain) const noexcept { return !of(domain).posts.empty(); }
    [[nodiscard]] bool hasGenerics(Domain domain) const noexcept { return !of(domain).generics.empty(); }
    [[nodiscard]] const refinitiv::ema::access::PostMsg& post(Domain domain, const ItemTurn& turn);
    [[nodiscard]] const refinitiv::ema::access::GenericMsg& generic(Domain domain, const ItemTurn& turn);
    /// The message comes of a post of ours.
    [[nodiscard]] bool isOurs(const refinitiv::ema::access::UpdateMsg& message) const;

private:
    [[nodiscard]] const PreparedDomain& of(Domain domain) const noexcept {
        return domain == Domain::marketByOrder ? orders_ : prices_;
    }
    [[nodiscard]] std::optional<TimeStamp> stampFor(const ItemTurn& turn, std::int16_t field) const;

    const std::uint32_t publisherUser_;
    const std::uint32_t publisherAddress_;
    const bool nanoTime_;
    PreparedDomain prices_;
    PreparedDomain orders_;
    PayloadEncoder encoder_;
    refinitiv::ema::access::PostMsg post_;
    refinitiv::ema::access::UpdateMsg postBody_;
    refinitiv::ema::access::GenericMsg generic_;
};

}  // namespace emissary::perf
