// The only place that throws: everything else of ema calls these.
#pragma once

#include "Access/Include/Common.h"

#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace refinitiv::ema::access {
class SessionInfo;
}

namespace emissary::ema {

using refinitiv::ema::access::Int32;
using refinitiv::ema::access::Int64;
using refinitiv::ema::access::UInt16;
using refinitiv::ema::access::UInt64;

/// `code` is an OmmInvalidUsageException::ErrorCode.
[[noreturn]] void throwInvalidUsage(std::string_view text, Int32 code);
[[noreturn]] void throwInvalidHandle(std::string_view text, UInt64 handle);
[[noreturn]] void throwInvalidConfiguration(std::string_view text);
[[noreturn]] void throwInaccessibleLogFile(std::string_view text, std::string_view filename);
[[noreturn]] void throwMemoryExhaustion(std::string_view text);
[[noreturn]] void throwOutOfRange(std::string_view text);
[[noreturn]] void throwSystem(std::string_view text, Int64 code, void* address = nullptr);
/// Runs what opens descriptors or starts threads: what the system refuses becomes an OmmSystemException. Not around
/// callbacks of the application, whose exceptions are its own.
template <class Call>
decltype(auto) orThrowSystem(Call&& call) {
    try {
        return call();
    } catch (const std::system_error& e) { throwSystem(e.what(), e.code().value()); }
}
[[noreturn]] void throwUnsupportedDomain(std::string_view text, UInt16 domain);
/// `code` is an OmmJsonConverterException::ErrorCode; the exception keeps the session information alive.
[[noreturn]] void throwJsonConverter(std::string_view text, Int32 code,
                                     std::shared_ptr<const refinitiv::ema::access::SessionInfo> session);

}  // namespace emissary::ema
