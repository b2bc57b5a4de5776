// The error code with which a call is refused as a misuse of the API.
#pragma once

#include "Ema.h"

#include <string>

namespace emissary::test {

/// Error code of the OmmInvalidUsageException that the call throws; its text goes to `text`.
template <class Call>
refinitiv::ema::access::Int32 usageCode(Call call, std::string* text = nullptr) {
    using refinitiv::ema::access::OmmInvalidUsageException;
    try {
        call();
    } catch (const OmmInvalidUsageException& e) {
        if (text != nullptr) *text = e.getText().c_str();
        return e.getErrorCode();
    }
    return OmmInvalidUsageException::NoErrorEnum;
}

}  // namespace emissary::test
