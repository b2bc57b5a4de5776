// ema/errors: refusals of the layers below as exceptions of the public interface: the one table between the two.
#pragma once

#include "errors/raise.h"
#include "eta/core/Result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace emissary::eta::codec {
struct Msg;
}
namespace emissary::reactor {
enum class SubmitFault : std::uint8_t;
}
namespace emissary::reactor::session {
struct Refusal;
}
namespace emissary::reactor::niprovider {
enum class PublishFault : std::uint8_t;
}
namespace emissary::reactor::tunnel {
enum class SubmitFault : std::uint8_t;
}

namespace emissary::ema {

/// A call that was refused, for the text of the exception; which members a text names depends on the refusal.
struct RefusedCall {
    std::string call;                      ///< "submit(RefreshMsg)"
    UInt64 handle = 0;                     ///< that the application passed
    std::string instance{};                ///< whose handle it should have been: "OmmConsumer name='Consumer_1'"
    std::string subject{};                 ///< what the handle names, in the role's words
    const eta::codec::Msg* msg = nullptr;  ///< that the application passed
    eta::Error error{};                    ///< why something cannot be encoded or read
    /// Given when the peer speaks JSON: what cannot be encoded is then an OmmJsonConverterException about it.
    std::shared_ptr<const refinitiv::ema::access::SessionInfo> jsonSession{};
};

/// What a provider was doing with a message.
enum class Publishing : std::uint8_t { submit, addToPack, sendPack };

/// Each throws the exception that documents the refusal.
[[noreturn]] void throwRefusal(const reactor::session::Refusal& refusal, const RefusedCall& call);
[[noreturn]] void throwRefusal(reactor::SubmitFault fault, Publishing doing, const RefusedCall& call);
[[noreturn]] void throwRefusal(reactor::niprovider::PublishFault fault, Publishing doing, const RefusedCall& call);
/// Of a message for a stream inside a tunnel stream.
[[noreturn]] void throwRefusal(reactor::tunnel::SubmitFault fault, const RefusedCall& call);
/// Of a request that an interactive provider makes of its clients.
[[noreturn]] void throwRequestRefusal(reactor::SubmitFault fault, const RefusedCall& call);
/// Of a channel's option; `call.error` says why.
[[noreturn]] void throwOptionRefusal(refinitiv::ema::access::Int32 code, const RefusedCall& call);

}  // namespace emissary::ema
