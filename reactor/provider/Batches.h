// Batches of clients (rdm.md 6.3): the items that one request opens or asks for again, the streams that one Close ends.
#pragma once

#include "provider/ProviderContext.h"
#include "reactor/rdm/request_payload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::reactor {

/// Takes one batch apart. Names borrow the message.
class Batch {
public:
    using Msg = eta::codec::Msg;

    /// What is wrong with it, as the end of a sentence; empty when nothing is. Each batch has one of the lists; that of
    /// a close has streams.
    [[nodiscard]] std::string read(const Msg& batch);

    [[nodiscard]] const std::vector<Bytes>& names() const noexcept { return payload_.names; }
    [[nodiscard]] const std::vector<std::int32_t>& streams() const noexcept { return payload_.streams; }
    [[nodiscard]] std::size_t size() const noexcept { return names().size() + streams().size(); }
    /// The request of one item, or with an empty name of one stream: what the batch says beside its list.
    [[nodiscard]] Msg itemOf(const Msg& batch, std::int32_t streamId, Bytes name) const noexcept;
    /// "'A', 'B' and 7 more"; for texts.
    [[nodiscard]] std::string describe() const;

private:
    rdm::RequestPayload payload_;
};

}  // namespace emissary::reactor
