// Decides what becomes of a message that was refused, and of its item, by the exception.
#include "ItemBurst.h"

namespace emissary::perf {

using namespace refinitiv::ema::access;

ItemBurst::Then ItemBurst::after(const OmmException& exception) const {
    // No output buffers, or the connection is just being lost, which the status of the login reports.
    const auto code = usageCode(exception);
    if (isNoBuffers(exception) || code == OmmInvalidUsageException::NoActiveChannelEnum) return Then::drop;
    // The item waits for its image again: its provider was lost, or called it suspect.
    if (code == OmmInvalidUsageException::FailureEnum) return Then::skip;
    const bool ended = exception.getExceptionType() == OmmException::OmmInvalidHandleExceptionEnum;
    if (!ended) return Then::fail;
    return recover_ ? Then::skip : Then::forget;
}

}  // namespace emissary::perf
