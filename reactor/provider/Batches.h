// Batches of clients (rdm.md 6.3): the items that one request opens or asks for again, the streams that one Close ends.
#pragma once

#include "provider/ProviderContext.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace emissary::reactor {

/// Takes one batch apart. Names borrow the message.
class Batch {
public:
    using Msg = eta::codec::Msg;

    /// What is wrong with it, as the end of a sentence; null when nothing is. Each kind of batch has one of the lists.
    [[nodiscard]] const char* read(const Msg& batch);

    [[nodiscard]] const std::vector<Bytes>& names() const noexcept { return names_; }
    [[nodiscard]] const std::vector<std::int32_t>& streams() const noexcept { return streams_; }
    /// The request of one item, or with an empty name of one stream: what the batch says beside its list.
    [[nodiscard]] Msg itemOf(const Msg& batch, std::int32_t streamId, Bytes name) const noexcept;
    /// "'A', 'B' and 7 more"; for texts.
    [[nodiscard]] std::string describe() const;

private:
    std::vector<Bytes> names_;
    std::vector<std::int32_t> streams_;
    std::vector<std::byte> others_;  // element list of the rest of the payload; empty: nothing else was there
};

}  // namespace emissary::reactor
