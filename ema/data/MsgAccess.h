// ema/data: the bridge between public message objects and codec's messages; used by consumer and provider.
#pragma once

#include "Access/Include/Msg.h"
#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/dictionary/Dictionary.h"

#include <string_view>

namespace emissary::ema {

/// What decoding needs beyond the bytes. Borrowed; must outlive the objects it is given to.
struct DecodeContext {
    const eta::dictionary::Dictionary* dictionary = nullptr;  ///< null: fields are OmmError/NoDictionary
    std::string_view serviceName;                             ///< for getServiceName(); borrowed
    bool hasServiceName = false;
};

struct MsgAccess {
    /// Re-points a reusable message object (of the class that `wire` has) at a decoded header: borrows `wire`, the
    /// bytes behind it and the context until the next point(). The payload is decoded only when the application walks
    /// it. Does not allocate.
    static void point(refinitiv::ema::access::Msg& msg, const eta::codec::Msg& wire,
                      const DecodeContext& context) noexcept;
    /// Header and payload as built or received, ready for eta::codec::encodeMsg. Completes an open payload (throws
    /// OmmInvalidUsageException when that is not possible). Valid while the message is unchanged.
    [[nodiscard]] static const eta::codec::Msg& wire(const refinitiv::ema::access::Msg& msg);
    [[nodiscard]] static bool hasServiceName(const refinitiv::ema::access::Msg& msg) noexcept;
    [[nodiscard]] static std::string_view serviceName(const refinitiv::ema::access::Msg& msg) noexcept;
    /// The service list that the request names, or empty.
    [[nodiscard]] static std::string_view serviceList(const refinitiv::ema::access::Msg& msg) noexcept;
};

}  // namespace emissary::ema
