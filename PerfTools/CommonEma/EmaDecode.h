// Walking a received payload the way an application does: every field, as its native type.
#pragma once
#include "Ema.h"
#include "MessageData.h"

#include <cstdint>

namespace emissary::perf {

using namespace messages;

namespace access = refinitiv::ema::access;

/// The time stamps found in a payload; 0 when a stamp is absent or blank.
struct FoundStamps {
    std::uint64_t update = 0;
    std::uint64_t post = 0;
    std::uint64_t generic = 0;
};

/// Reads payloads. One per receiving thread.
class PayloadDecoder {
public:
    /// Reads all of a FieldList or Map; other payloads are ignored. May throw what the API throws for broken data.
    FoundStamps decode(const access::Payload& payload);
    /// A number computed from everything that was read, so that the compiler cannot remove the reading.
    [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }

private:
    void decodeFields(const access::FieldList& list, FoundStamps& stamps);
    void decodeMap(const access::Map& map, FoundStamps& stamps);

    std::uint64_t digest_ = 0;
};

}  // namespace emissary::perf
