// Exceptions of the message API.
#pragma once
#include "Ema.h"

#include <stdexcept>
#include <string>

namespace emissary::perf {

/// The code of a usage error, or NoErrorEnum for every other exception.
[[nodiscard]] inline refinitiv::ema::access::Int32 usageCode(const refinitiv::ema::access::OmmException& exception) {
    using refinitiv::ema::access::OmmInvalidUsageException;
    const auto* usage = dynamic_cast<const OmmInvalidUsageException*>(&exception);
    return usage != nullptr ? usage->getErrorCode() : OmmInvalidUsageException::NoErrorEnum;
}

/// The library has no output buffer: the rest of a burst is dropped, not the connection.
[[nodiscard]] inline bool isNoBuffers(const refinitiv::ema::access::OmmException& exception) {
    return usageCode(exception) == refinitiv::ema::access::OmmInvalidUsageException::NoBuffersEnum;
}

/// The item was closed a moment ago.
[[nodiscard]] inline bool isItemGone(const refinitiv::ema::access::OmmException& exception) {
    using namespace refinitiv::ema::access;
    return exception.getExceptionType() == OmmException::OmmInvalidHandleExceptionEnum ||
           usageCode(exception) == OmmInvalidUsageException::InvalidArgumentEnum;
}

/// Nothing more can be sent to this client now: its buffers are in use, or it has just left, which its callback
/// reports.
[[nodiscard]] inline bool endsBurst(const refinitiv::ema::access::OmmException& exception) {
    using refinitiv::ema::access::OmmInvalidUsageException;
    const auto code = usageCode(exception);
    return isNoBuffers(exception) || code == OmmInvalidUsageException::NoActiveChannelEnum ||
           code == OmmInvalidUsageException::FailureEnum;
}

/// A state as a reason for the user: its text, or a default text when it has none.
[[nodiscard]] inline std::string reasonOf(const refinitiv::ema::access::OmmState& state) {
    std::string text = state.toString().c_str();
    if (state.getStatusText().length() == 0) text += " (the peer gave no reason)";
    return text;
}

/// What the API throws in `work` leaves as std::runtime_error with the same text: its exceptions have another base.
template <class Work>
void withStandardErrors(Work&& work) {
    try {
        work();
    } catch (const refinitiv::ema::access::OmmException& exception) {
        throw std::runtime_error(exception.getText().c_str());
    }
}

}  // namespace emissary::perf
