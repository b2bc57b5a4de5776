// Exceptions of the library as codes of the C interface, and its versions.
#include "calls/calls.h"

#include "Ema.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>

namespace emissary {
std::string_view version() noexcept;  // of the library; a literal
}

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;

// The caller's size is checked before anything is written: a caller built with a smaller structure gets the code alone.
int store(emi_error* error, int code, const char* text) noexcept {
    if (error == nullptr || error->size < sizeof(emi_error)) return code;
    error->code = code;
    std::size_t length = std::min(std::strlen(text), sizeof error->text - 1);
    // A character of several bytes is kept whole or left out.
    if (text[length] != '\0')
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
            --length;
    std::memcpy(error->text, text, length);
    error->text[length] = '\0';
    return code;
}

// Codes, not texts, are the contract of the C interface: callers decide by the code whether another try makes sense.
emi_code codeOf(const OmmException& failure) noexcept {
    switch (failure.getExceptionType()) {
    case OmmException::OmmInvalidConfigurationExceptionEnum:
        return EMI_E_CONFIGURATION;
    case OmmException::OmmInvalidHandleExceptionEnum:
        return EMI_E_ITEM;
    case OmmException::OmmMemoryExhaustionExceptionEnum:
        return EMI_E_MEMORY;
    case OmmException::OmmOutOfRangeExceptionEnum:
        return EMI_E_ARGUMENT;
    case OmmException::OmmInvalidUsageExceptionEnum:
        break;
    default:
        return EMI_E_OTHER;
    }
    switch (static_cast<const OmmInvalidUsageException&>(failure).getErrorCode()) {
    // A login that got no answer and a channel that is down are one case for the caller: try again later.
    case OmmInvalidUsageException::LoginRequestTimeOutEnum:
    case OmmInvalidUsageException::NoActiveChannelEnum:
        return EMI_E_CONNECTION;
    case OmmInvalidUsageException::LoginRequestRejectedEnum:
        return EMI_E_CREDENTIALS;
    case OmmInvalidUsageException::DirectoryRequestTimeOutEnum:
        return EMI_E_DIRECTORY;
    case OmmInvalidUsageException::DictionaryRequestTimeOutEnum:
        return EMI_E_DICTIONARY;
    case OmmInvalidUsageException::InvalidArgumentEnum:
        return EMI_E_ARGUMENT;
    default:
        return EMI_E_USAGE;
    }
}

}  // namespace

int report(emi_error* error) noexcept {
    // Called inside a catch block: the exception in flight is thrown again to be sorted by type, the most special
    // first.
    try {
        throw;
    } catch (const Failure& failure) {
        return store(error, failure.code, failure.what());
    } catch (const OmmException& failure) {
        return store(error, codeOf(failure), failure.getText().c_str());
    } catch (const std::bad_alloc&) {
        return store(error, EMI_E_MEMORY, "out of memory");
    } catch (const std::exception& failure) { return store(error, EMI_E_OTHER, failure.what()); } catch (...) {
        return store(error, EMI_E_OTHER, "an unknown exception");
    }
}

}  // namespace emissary::capi

const char* emi_version(void) {
    return emissary::version().data();
}
uint32_t emi_interface_version(void) {
    return EMI_INTERFACE_VERSION;
}
