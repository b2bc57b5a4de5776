// ema/errors: throws the exceptions of the interface with their texts, and implements their classes.
#include "errors/raise.h"

#include "Access/Include/OmmInaccessibleLogFileException.h"
#include "Access/Include/OmmInvalidConfigurationException.h"
#include "Access/Include/OmmInvalidHandleException.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJsonConverterException.h"
#include "Access/Include/OmmMemoryExhaustionException.h"
#include "Access/Include/OmmOutOfRangeException.h"
#include "Access/Include/OmmSystemException.h"
#include "Access/Include/OmmUnsupportedDomainTypeException.h"
#include "Access/Include/SessionInfo.h"
#include "eta/core/printable.h"

#include <cstdio>

namespace emissary::ema {

namespace {

using refinitiv::ema::access::EmaString;
using refinitiv::ema::access::UInt32;

// Texts quote what others sent, which may be long; a log line of this length is still read.
constexpr std::size_t kTextLimit = 2048;

/// What peers and users wrote is quoted in texts: it must not steer the terminal of a reader.
EmaString limited(std::string_view text) {
    const std::string shown = eta::printable(text.substr(0, kTextLimit), eta::LineBreaks::kept);
    return {shown.data(), static_cast<UInt32>(std::min(shown.size(), kTextLimit))};
}

}  // namespace

/// Friend of the exception classes: makes what only the library may make.
struct Raise {
    template <class E, class... Args>
    [[noreturn]] static void raise(std::string_view text, const Args&... args) {
        throw E(limited(text), args...);
    }
};

using namespace refinitiv::ema::access;

void throwInvalidUsage(std::string_view text, Int32 code) {
    Raise::raise<OmmInvalidUsageException>(text, code);
}
void throwInvalidHandle(std::string_view text, UInt64 handle) {
    Raise::raise<OmmInvalidHandleException>(text, handle);
}
void throwInvalidConfiguration(std::string_view text) {
    Raise::raise<OmmInvalidConfigurationException>(text);
}
void throwInaccessibleLogFile(std::string_view text, std::string_view filename) {
    Raise::raise<OmmInaccessibleLogFileException>(text, limited(filename));
}
void throwMemoryExhaustion(std::string_view text) {
    Raise::raise<OmmMemoryExhaustionException>(text);
}
void throwOutOfRange(std::string_view text) {
    Raise::raise<OmmOutOfRangeException>(text);
}
void throwSystem(std::string_view text, Int64 code, void* address) {
    Raise::raise<OmmSystemException>(text, code, address);
}
void throwUnsupportedDomain(std::string_view text, UInt16 domain) {
    Raise::raise<OmmUnsupportedDomainTypeException>(text, domain);
}

namespace {

/// The session information is shared: a copy of the exception may outlive the connection and the instance.
class JsonConverterError final : public OmmJsonConverterException {
public:
    JsonConverterError(const EmaString& text, Int32 code, std::shared_ptr<const SessionInfo> session)
        : OmmJsonConverterException(text, code), session_(std::move(session)) {}
    JsonConverterError(const JsonConverterError& other) = default;
    const SessionInfo& getSessionInfo() const override { return *session_; }

private:
    std::shared_ptr<const SessionInfo> session_;
};

}  // namespace

void throwJsonConverter(std::string_view text, Int32 code, std::shared_ptr<const SessionInfo> session) {
    throw JsonConverterError(limited(text), code, std::move(session));
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

OmmException::OmmException(const EmaString& text, const EmaString& suffix) : text_(text), suffix_(suffix) {}
OmmException::OmmException(const OmmException& other) : text_(other.text_), suffix_(other.suffix_) {}
OmmException::~OmmException() = default;

const EmaString& OmmException::getExceptionTypeAsString() const {
    static const EmaString kNames[] = {
        "OmmInvalidUsageException",        "OmmInvalidConfigurationException",  "OmmSystemException",
        "OmmOutOfRangeException",          "OmmInvalidHandleException",         "OmmMemoryExhaustionException",
        "OmmInaccessibleLogFileException", "OmmUnsupportedDomainTypeException", "OmmJsonConverterException"};
    return kNames[getExceptionType()];
}
OmmException::operator const char*() const {
    return toString().c_str();
}

// Every class has the same three members; only its number and its suffix differ.
#define EMISSARY_EXCEPTION(Class)                                                                                      \
    Class::~Class() = default;                                                                                         \
    OmmException::ExceptionType Class::getExceptionType() const {                                                      \
        return Class##Enum;                                                                                            \
    }                                                                                                                  \
    const EmaString& Class::getText() const {                                                                          \
        return text_;                                                                                                  \
    }                                                                                                                  \
    const EmaString& Class::toString() const {                                                                         \
        whole_.set("Exception Type='")                                                                                 \
            .append(getExceptionTypeAsString())                                                                        \
            .append("', Text='")                                                                                       \
            .append(text_)                                                                                             \
            .append("'");                                                                                              \
        return whole_.append(suffix_);                                                                                 \
    }
EMISSARY_EXCEPTION(OmmInvalidUsageException)
EMISSARY_EXCEPTION(OmmInvalidHandleException)
EMISSARY_EXCEPTION(OmmInvalidConfigurationException)
EMISSARY_EXCEPTION(OmmInaccessibleLogFileException)
EMISSARY_EXCEPTION(OmmMemoryExhaustionException)
EMISSARY_EXCEPTION(OmmOutOfRangeException)
EMISSARY_EXCEPTION(OmmSystemException)
EMISSARY_EXCEPTION(OmmUnsupportedDomainTypeException)
EMISSARY_EXCEPTION(OmmJsonConverterException)
#undef EMISSARY_EXCEPTION

namespace {
// What toString() has behind the text; the API's own words, which programs look for.
EmaString quoted(const char* name, Int64 value) {
    return EmaString(", ").append(name).append("='").append(value).append("'");
}
EmaString quoted(const char* name, UInt64 value) {
    return EmaString(", ").append(name).append("='").append(value).append("'");
}
}  // namespace

OmmInvalidUsageException::OmmInvalidUsageException(const EmaString& text, Int32 code)
    : OmmException(text, quoted("ErrorCode", static_cast<Int64>(code))), code_(code) {}
Int32 OmmInvalidUsageException::getErrorCode() const {
    return code_;
}
OmmInvalidHandleException::OmmInvalidHandleException(const EmaString& text, UInt64 handle)
    : OmmException(text, quoted("Handle", handle)), handle_(handle) {}
UInt64 OmmInvalidHandleException::getHandle() const {
    return handle_;
}
OmmInvalidConfigurationException::OmmInvalidConfigurationException(const EmaString& text) : OmmException(text, {}) {}
OmmInaccessibleLogFileException::OmmInaccessibleLogFileException(const EmaString& text, const EmaString& filename)
    : OmmException(text, {}), filename_(filename) {}
const EmaString& OmmInaccessibleLogFileException::getFilename() const {
    return filename_;
}
OmmMemoryExhaustionException::OmmMemoryExhaustionException(const EmaString& text) : OmmException(text, {}) {}
OmmOutOfRangeException::OmmOutOfRangeException(const EmaString& text) : OmmException(text, {}) {}
OmmSystemException::OmmSystemException(const EmaString& text, Int64 code, void* address)
    : OmmException(text, {}), code_(code), address_(address) {
    char out[40];
    std::snprintf(out, sizeof out, ", exceptionAddress='%p'", address);
    suffix_ = quoted("exceptionCode", code).append(out);
}
Int64 OmmSystemException::getSystemExceptionCode() const {
    return code_;
}
void* OmmSystemException::getSystemExceptionAddress() const {
    return address_;
}
OmmUnsupportedDomainTypeException::OmmUnsupportedDomainTypeException(const EmaString& text, UInt16 domain)
    : OmmException(text, quoted("DomainType", static_cast<UInt64>(domain))), domain_(domain) {}
OmmJsonConverterException::OmmJsonConverterException(const EmaString& text, Int32 code)
    : OmmException(text, quoted("ErrorCode", static_cast<Int64>(code))), code_(code) {}
Int32 OmmJsonConverterException::getErrorCode() const {
    return code_;
}
UInt16 OmmUnsupportedDomainTypeException::getDomainType() const {
    return domain_;
}

}  // namespace refinitiv::ema::access
