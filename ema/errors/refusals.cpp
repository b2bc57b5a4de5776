// ema/errors: holds the rows from each refusal to its exception, code and text.
#include "errors/refusals.h"

#include "Access/Include/IOCtlCode.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJsonConverterException.h"
#include "eta/codec/Msg.h"
#include "reactor/json_text.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/session/session_types.h"
#include "reactor/tunnel/tunnel_types.h"

#include <array>
#include <utility>

namespace emissary::ema {

using Code = refinitiv::ema::access::OmmInvalidUsageException;
using reactor::SubmitFault;
using reactor::niprovider::PublishFault;
using reactor::session::Refusal;

namespace {

enum class Throws : std::uint8_t { usage, handle, json };

/// The exception for one refusal. Words in braces are taken from the refused call, see text().
struct Row {
    Throws what;
    Int32 code;  // of an OmmInvalidUsageException or OmmJsonConverterException
    const char* text;
};

constexpr Row kUnknownHandle{Throws::handle, 0,
                             "Attempt to use invalid Handle on {call}. {instance}, handle={handle}."};

// --- the table -------------------------------------------------------------------------------------------------------

/// No switch here has a default: the compiler names the refusal that has no row.
constexpr Row rowOf(Refusal::Kind kind) {
    constexpr const char* text = "{call} failed: {reason}";
    switch (kind) {
    case Refusal::Kind::invalidHandle:
        return kUnknownHandle;
    case Refusal::Kind::invalidUsage:
        return {Throws::usage, Code::FailureEnum, text};
    case Refusal::Kind::invalidArgument:
        return {Throws::usage, Code::InvalidArgumentEnum, text};
    case Refusal::Kind::invalidData:
        return {Throws::usage, Code::InvalidDataEnum, text};
    case Refusal::Kind::invalidOperation:
        return {Throws::usage, Code::InvalidOperationEnum, text};
    case Refusal::Kind::noActiveChannel:
        return {Throws::usage, Code::NoActiveChannelEnum, text};
    case Refusal::Kind::noBuffers:
        return {Throws::usage, Code::NoBuffersEnum, text};
    case Refusal::Kind::conversion:
        return {Throws::json, Code::InvalidDataEnum, text};
    }
    return {Throws::usage, Code::FailureEnum, text};
}

/// A message that cannot be encoded.
Row encodingRow(const RefusedCall& call) {
    if (call.jsonSession) return {Throws::json, Code::InvalidDataEnum, "{call}: the message for {subject} {noJson}"};
    const Int32 code = call.error.code == eta::Errc::outOfRange ? Code::ValueOutOfRangeEnum : Code::InvalidDataEnum;
    return {Throws::usage, code, "{call}: the message for {subject} cannot be encoded: {error}."};
}

Row rowOf(SubmitFault fault, const RefusedCall& call) {
    switch (fault) {
    case SubmitFault::unknownHandle:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: handle {handle} does not exist; the item was closed or never opened. Use event.getHandle() of "
                "an open request."};
    case SubmitFault::notAllowed:
        if (call.handle != 0)
            return {Throws::usage, Code::InvalidArgumentEnum,
                    "{call}: this message class is not allowed on {subject}."};
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: handle 0 sends to all clients, which works for RefreshMsg and StatusMsg on the login, "
                "directory and dictionary domains and UpdateMsg on the directory domain, not on domain {domain}. Pass "
                "the handle of one item."};
    // An invalid handle is what EMA throws here (ema-api.md 7.1).
    case SubmitFault::refreshFirst:
        return {Throws::handle, 0,
                "{call}: a refresh must be submitted first on {subject}. Submit a RefreshMsg, or configure "
                "RefreshFirstRequired 0."};
    case SubmitFault::unknownService:
        return {Throws::usage, Code::InvalidOperationEnum,
                "{call}: the source directory has no service with id {service}, named for {subject}; nothing was "
                "sent."};
    case SubmitFault::badDirectory:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the payload for {subject} is no valid source directory ({error}). It must be a Map of "
                "services with their mandatory elements."};
    case SubmitFault::badDictionary:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the payload for {subject} is no dictionary. It must be a Series."};
    case SubmitFault::unknownAck:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: ack id {ack} belongs to no unacknowledged post on {subject}. Use the post's id once, or "
                "configure EnforceAckIDValidation 0."};
    case SubmitFault::noBuffers:
        return {Throws::usage, Code::NoBuffersEnum,
                "{call}: the output buffers for {subject} are all in use: the client reads too slowly. Submit again "
                "later, or raise GuaranteedOutputBuffers of the server."};
    case SubmitFault::clientGone:
        return {Throws::usage, Code::FailureEnum, "{call}: the connection of {subject} is lost."};
    case SubmitFault::none:
    case SubmitFault::noClient:
    case SubmitFault::badRequest:
    case SubmitFault::encoding:
        break;
    }
    return encodingRow(call);
}

Row packRow(SubmitFault fault) {
    if (fault == SubmitFault::noBuffers)
        return {Throws::usage, Code::NoBuffersEnum,
                "{call}: the client's output buffers are all in use. Submit again later, or raise "
                "GuaranteedOutputBuffers of the server."};
    return {Throws::usage, Code::NoActiveChannelEnum, "{call}: the client has disconnected."};
}

/// For requests that an interactive provider makes to a client.
Row requestRow(SubmitFault fault) {
    switch (fault) {
    case SubmitFault::unknownHandle:
        return kUnknownHandle;
    case SubmitFault::noClient:
        return {Throws::usage, Code::NoActiveChannelEnum,
                "{call}: no client is logged in that could be asked for a dictionary. Register when a login request "
                "was accepted, or load the dictionary from files."};
    case SubmitFault::badRequest:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: a dictionary request needs a name (RWFFld, RWFEnum ...) of name type 0 or 1; a reissue keeps "
                "name, service and interestAfterRefresh."};
    case SubmitFault::noBuffers:
        return {Throws::usage, Code::NoBuffersEnum,
                "{call}: the client's output buffers are all in use. Try again later."};
    case SubmitFault::clientGone:
        return {Throws::usage, Code::NoActiveChannelEnum, "{call}: the connection to the client is lost."};
    case SubmitFault::none:
    case SubmitFault::notAllowed:
    case SubmitFault::refreshFirst:
    case SubmitFault::unknownService:
    case SubmitFault::badDirectory:
    case SubmitFault::badDictionary:
    case SubmitFault::unknownAck:
    case SubmitFault::encoding:
        break;
    }
    return {Throws::usage, Code::InvalidDataEnum, "{call}: the request cannot be encoded: {error}."};
}

/// Of what a non-interactive provider publishes; the words in braces are filled in from the call.
Row rowOf(PublishFault fault, const RefusedCall& call) {
    switch (fault) {
    case PublishFault::registeredHandle:
        return {Throws::handle, 0,
                "{call}: handle {handle} was returned by registerClient() and names no published item. Choose another "
                "number."};
    case PublishFault::unknownHandle:
        return {Throws::handle, 0,
                "{call}: nothing is published with handle {handle}. Submit a RefreshMsg with it first."};
    case PublishFault::notAllowed:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: a {class} message of domain {domain} cannot be published with {subject}."};
    case PublishFault::refreshFirst:
        return {Throws::handle, 0,
                "{call}: a refresh must be submitted first on {subject} (again after each reconnect). Submit a "
                "RefreshMsg, or configure RefreshFirstRequired 0."};
    case PublishFault::noService:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the first message of {subject} must name its service. Set serviceName() or serviceId()."};
    case PublishFault::unknownService:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the source directory has no service with id {service}; nothing was sent for {subject}. "
                "Configure the service or submit a directory refresh with it."};
    case PublishFault::otherService:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: {subject} cannot move to the service with id {service}. Close it with a final state, or use "
                "another handle."};
    case PublishFault::endsInPack:
        return {Throws::usage, Code::InvalidOperationEnum,
                "{call}: a message in front of it in this pack ends {subject}. Submit the pack, then publish the item "
                "again."};
    case PublishFault::badDirectory:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the payload is no valid source directory ({error}). It must be a Map of services with their "
                "mandatory elements."};
    case PublishFault::badDictionary:
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the payload for {subject} is no dictionary. It must be a Series."};
    case PublishFault::tooManyItems:
        return {Throws::usage, Code::InvalidOperationEnum,
                "{call}: no stream is left for {subject}. Close items that are not needed."};
    case PublishFault::noChannel:
        return {Throws::usage, Code::NoActiveChannelEnum,
                "{call}: there is no connection that is logged in; nothing was sent for {subject}. Submit again after "
                "the login client heard 'channel up'."};
    case PublishFault::noBuffers:
        return {Throws::usage, Code::NoBuffersEnum,
                "{call}: the output buffers are all in use: the server reads too slowly. Submit again later, or raise "
                "GuaranteedOutputBuffers of the channel."};
    case PublishFault::none:
    case PublishFault::encoding:
        break;
    }
    return encodingRow(call);
}

Row packRow(PublishFault fault) {
    if (fault == PublishFault::noBuffers)
        return {Throws::usage, Code::NoBuffersEnum,
                "{call}: the output buffers are all in use. Submit again later, or raise GuaranteedOutputBuffers of "
                "the channel."};
    return {Throws::usage, Code::NoActiveChannelEnum, "{call}: the connection that the pack was begun for is lost."};
}

constexpr Row rowOf(reactor::tunnel::SubmitFault fault) {
    using Fault = reactor::tunnel::SubmitFault;
    constexpr const char* text = "{call}: the message for {subject} is not sent: {reason}.";
    switch (fault) {
    case Fault::full:
        return {Throws::usage, Code::NoBuffersEnum, text};
    case Fault::authentication:
        return {Throws::usage, Code::InvalidOperationEnum, text};
    case Fault::tooLong:
    case Fault::empty:
    case Fault::encoding:
        return {Throws::usage, Code::InvalidDataEnum, text};
    case Fault::none:
    case Fault::notOpen:
        break;
    }
    return {Throws::usage, Code::FailureEnum, text};
}

/// Codes that other libraries have and that cannot have an effect here say why, and what to use (transport.md 3.4).
Row optionRow(eta::Errc why, refinitiv::ema::access::Int32 code) {
    constexpr refinitiv::ema::access::Int32 kDebugFlags = 6, kFlushOrder = 7;
    if (code == kDebugFlags)
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: there are no dumps of frames to switch on; modifyIOCtl(11, 1) traces the messages, with "
                "XmlTraceHex their bytes as well."};
    if (code == kFlushOrder)
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: output has one priority, so there is no order of flushing to choose."};
    if (code == refinitiv::ema::access::IOCtlCode::ServerNumPoolBuffersEnum)
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the clients of a server share no pool of buffers; each connection has a bound of its own: use "
                "MaxNumBuffersEnum or NumGuaranteedBuffersEnum."};
    if (why == eta::Errc::usage)
        return {Throws::usage, Code::InvalidArgumentEnum,
                "{call}: the code is not one that can be changed on this connection; use one of IOCtlCode, for example "
                "HighWaterMarkEnum."};
    return {Throws::usage, why == eta::Errc::system ? Code::FailureEnum : Code::InvalidArgumentEnum,
            "{call} failed: {error}."};
}

// --- from a row to the exception -------------------------------------------------------------------------------------

/// Puts words for the names in braces. A name that says nothing about this call becomes nothing: only refused messages
/// have a class, a domain, a service and an ack id.
std::string text(const char* pattern, const RefusedCall& call, const std::string& reason) {
    const auto word = [&](std::string_view name) -> std::string {
        if (name == "call") return call.call;
        if (name == "handle") return std::to_string(call.handle);
        if (name == "subject") return call.subject;
        if (name == "instance") return call.instance;
        if (name == "reason") return reason;
        if (name == "error") return eta::describe(call.error.code);
        if (name == "noJson") return reactor::cannotBeJson(call.error.code);
        if (call.msg == nullptr) return {};
        if (name == "class") return eta::codec::name(call.msg->cls);
        if (name == "domain") return std::to_string(call.msg->domain);
        if (name == "service") return std::to_string(call.msg->key.serviceId);
        if (name == "ack") return std::to_string(call.msg->ackId);
        return {};
    };
    std::string out;
    for (std::string_view rest = pattern; !rest.empty();) {
        const auto open = rest.find('{');
        out += rest.substr(0, open);
        if (open == std::string_view::npos) break;
        const auto close = rest.find('}', open);
        out += word(rest.substr(open + 1, close - open - 1));
        rest.remove_prefix(close + 1);
    }
    return out;
}

[[noreturn]] void raise(const Row& row, const RefusedCall& call, const std::string& reason = {}) {
    const std::string what = text(row.text, call, reason);
    switch (row.what) {
    case Throws::usage:
        break;
    case Throws::handle:
        throwInvalidHandle(what, call.handle);
    case Throws::json:
        throwJsonConverter(what, row.code, call.jsonSession);
    }
    throwInvalidUsage(what, row.code);
}

}  // namespace

void throwRefusal(const Refusal& refusal, const RefusedCall& call) {
    raise(rowOf(refusal.kind), call, refusal.text);
}

void throwRefusal(SubmitFault fault, Publishing doing, const RefusedCall& call) {
    // A pack is made before it is sent: nothing is dropped when a service is not known (ema-api.md 8).
    if (doing == Publishing::addToPack && fault == SubmitFault::unknownService)
        raise({Throws::usage, Code::InvalidArgumentEnum,
               "{call}: the source directory has no service with id {service}."},
              call);
    raise(doing == Publishing::sendPack ? packRow(fault) : rowOf(fault, call), call);
}

void throwRefusal(PublishFault fault, Publishing doing, const RefusedCall& call) {
    raise(doing == Publishing::sendPack ? packRow(fault) : rowOf(fault, call), call);
}

void throwRefusal(reactor::tunnel::SubmitFault fault, const RefusedCall& call) {
    raise(rowOf(fault), call, reactor::tunnel::describe(fault));
}

void throwRequestRefusal(SubmitFault fault, const RefusedCall& call) {
    raise(requestRow(fault), call);
}

void throwOptionRefusal(refinitiv::ema::access::Int32 code, const RefusedCall& call) {
    raise(optionRow(call.error.code, code), call);
}

}  // namespace emissary::ema
