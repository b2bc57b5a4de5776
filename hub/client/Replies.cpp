// Encodes statuses and acks that no source has sent.
#include "hub/client/Replies.h"

#include "eta/core/printable.h"

#include <algorithm>
#include <string>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {

struct Row {
    std::uint8_t stream, code;
};

/// By Reason.
// NotEntitled and faults of the request are final: asking again gives the same answer. ClosedRecover is for what may
// pass (hub.md 5.1).
constexpr std::array<Row, kReasonNames.size()> kRows{{
    {StreamState::closed, 5},          // domain: UsageError
    {StreamState::closed, 5},          // key
    {StreamState::closed, 15},         // serviceUnknown: SourceUnknown
    {StreamState::closedRecover, 0},   // serviceDown
    {StreamState::closed, 5},          // capability
    {StreamState::closedRecover, 0},   // qos
    {StreamState::closed, 5},          // privateStream
    {StreamState::closedRecover, 5},   // streamInUse: session.md 5.3, row 6
    {StreamState::closed, 13},         // clientMounts: TooManyItems
    {StreamState::closed, 13},         // clientKeys
    {StreamState::closed, 27},         // userMounts: ExceededMaxMountsPerUser
    {StreamState::closed, 21},         // view: InvalidView
    {StreamState::closed, 23},         // batch: UnableToRequestAsBatch
    {StreamState::closed, 13},         // batchItems
    {StreamState::closed, 5},          // symbolList
    {StreamState::closedRecover, 12},  // openChecks: NoResources
    {StreamState::closed, 3},          // notEntitled: NotEntitled
    {StreamState::closedRecover, 13},  // serviceItems
    {StreamState::closed, 21},         // viewRequired: InvalidView
    {StreamState::closedRecover, 29},  // rightsUnknown: DacsDown
}};

// Peers choose their names; a log line stays readable and short whatever they send.
constexpr std::size_t kMaxShown = 64;  // bytes of a name, in texts

/// "item request 'TRI.N' of service 7"
[[nodiscard]] std::string textOf(const Client& client, const Msg& request) {
    std::string text = "item request";
    if (request.key.has(KeyFlag::name)) {
        const Bytes name = request.key.name.first(std::min(request.key.name.size(), kMaxShown));
        text.append(" '").append(eta::printable(eta::asText(name))).append("'");
    }
    if (request.key.has(KeyFlag::serviceId)) text.append(" of service ").append(std::to_string(request.key.serviceId));
    if (const std::string_view service = carriedService(client, request); !service.empty())
        text.append(" of service '").append(eta::printable(service.substr(0, kMaxShown))).append("'");
    return text;
}

}  // namespace

void Replies::refuse(Client& client, const Msg& request, std::int32_t stream, Reason reason, std::string_view why) {
    // The order is count, message, log, audit: the client's answer waits for none of the slower ones.
    ++context_.counts.refused[reason].requests;
    if (request.key.has(KeyFlag::serviceId))
        if (Service* const service = context_.rooms.services.find(request.key.serviceId))
            ++service->counts.refused.requests;
    const std::string text = textOf(client, request).append(" refused: ").append(why);
    const Row row = kRows[static_cast<std::size_t>(reason)];
    status(client, request, stream, {row.stream, DataState::suspect, row.code, eta::asBytes(text)});
    context_.log(nameOf(client) + ": " + text);
    context_.audit(AuditEvent::Kind::requestRefused, client, [&](AuditEvent& e) {
        const bool numbered = request.key.has(KeyFlag::serviceId);
        const Service* const service =
            numbered ? context_.rooms.services.find(request.key.serviceId) : defaultService(context_, client);
        e.service = service != nullptr ? std::string_view(service->name) : std::string_view();
        if (const std::string_view carried = carriedService(client, request); !numbered && !carried.empty())
            e.service = carried;
        if (request.key.has(KeyFlag::name)) e.item = eta::asText(request.key.name);
        e.code = kReasonNames[static_cast<std::size_t>(reason)];
        e.text = why;
        e.parameter = parameterOf(reason);
    });
}

void Replies::status(Client& client, const Msg& request, std::int32_t stream, const State& state) {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = request.domain;
    m.flags = StatusFlag::state;
    if (request.has(RequestFlag::privateStream)) m.flags |= StatusFlag::privateStream;
    if (request.has(RequestFlag::qualified)) m.flags |= StatusFlag::qualified;
    // Clients that asked for the key in updates (all JSON clients do, unless they say otherwise) need it in statuses
    // too, or they could not match a refusal (hub.md 5.3).
    if (request.cls == MsgClass::Request && request.has(RequestFlag::msgKeyInUpdates) &&
        request.key.has(KeyFlag::name)) {
        m.flags |= StatusFlag::msgKey;
        m.key = request.key;
        // A JSON request may carry a service name that has no id; the header gives the name back as it came.
        if (!carriedService(client, request).empty()) {
            m.flags |= StatusFlag::extendedHeader;
            m.extendedHeader = request.extendedHeader;
        } else if (const Service* const service =
                       m.key.has(KeyFlag::serviceId) ? nullptr : defaultService(context_, client)) {
            m.key.flags |= KeyFlag::serviceId;
            m.key.serviceId = service->id;
        }
    }
    m.state = state;
    (void)context_.rooms.out.tell(client, stream, m);  // a client that gets no answer ends
}

// An ack of a close carries the stream id as its ack id (hub.md 5.5).
void Replies::closed(Client& client, const Msg& close, std::int32_t stream) {
    Msg m;
    m.cls = MsgClass::Ack;
    m.domain = close.domain;
    m.ackId = static_cast<std::uint32_t>(stream);
    (void)context_.rooms.out.tell(client, stream, m);
}

}  // namespace emissary::hub::client
