// Reads rare members and the payload of a request, and checks which of them may change later.
#include "watchlist/request_payload.h"

#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Qos.h"

#include <algorithm>

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {

std::vector<std::byte> copyOf(Bytes b) {
    return {b.begin(), b.end()};
}

/// As a worst QoS: any (unknown delay or worse, slowest conflation).
bool isSlowest(const Qos& q) noexcept {
    return q.timeliness >= 2 && q.rate == 3 && q.rateInfo == 65535 && (q.timeliness == 2 || q.timeInfo == 65535);
}

}  // namespace

Refusal readExtras(const Msg& m, RequestPayload& out) {
    rdm::PayloadParts parts;
    parts.rest = true;
    rdm::PayloadError error = rdm::readPayload(m, out, parts);
    if (error.fault == rdm::PayloadFault::none) {
        if (m.has(RequestFlag::batch) && out.names.empty()) error.why = "a batch request needs ':ItemList'";
        else if (out.dataOfNoView) error.why = "a view needs both ':ViewType' and ':ViewData'";
        else return {};
    }
    return {K::invalidArgument, "The payload of the request cannot be used: " + error.why + '.'};
}

bool takesAnyQos(const Msg& m) noexcept {
    if (!m.has(RequestFlag::qos)) return true;
    return m.has(RequestFlag::worstQos) && m.qos.timeliness == 1 && m.qos.rate == 1 && isSlowest(m.worstQos);
}

std::unique_ptr<RareKey> rareKeyOf(const Msg& m) {
    const bool anyQos = takesAnyQos(m);
    const bool payload = m.containerType != DataType::NoData;
    if (anyQos && (m.key.flags & kRareKeyFlags) == 0 && !m.hasExtendedHeader() && !payload) return nullptr;
    auto made = std::make_unique<RareKey>();
    RareKey& rare = *made;
    rare.flags = m.key.flags & kRareKeyFlags;
    if (m.key.has(KeyFlag::identifier)) rare.identifier = m.key.identifier;
    if (m.key.has(KeyFlag::filter)) rare.filter = m.key.filter;
    if (m.key.has(KeyFlag::attrib)) {
        rare.attribType = m.key.attribType;
        rare.attrib = copyOf(m.key.attrib);
    }
    if (m.hasExtendedHeader()) {
        rare.hasExtendedHeader = true;
        rare.extendedHeader = copyOf(m.extendedHeader);
    }
    if (payload) {
        rare.payloadType = m.containerType;
        rare.payload = copyOf(m.payload);
    }
    if (!anyQos) {
        rare.hasQos = true;
        rare.best = m.qos;
        rare.hasWorst = m.has(RequestFlag::worstQos);
        if (rare.hasWorst) rare.worst = m.worstQos;
    }
    return made;
}

std::string_view changeOfKey(const Msg& m, const RareKey* first) noexcept {
    static const RareKey none;
    const RareKey& was = first != nullptr ? *first : none;
    const auto had = [&](std::uint16_t flag) { return (was.flags & flag) != 0; };
    if (m.key.has(KeyFlag::filter) && (!had(KeyFlag::filter) || m.key.filter != was.filter))
        return "A reissue must not change the key's filter.";
    if (m.key.has(KeyFlag::identifier) && (!had(KeyFlag::identifier) || m.key.identifier != was.identifier))
        return "A reissue must not change the key's identifier.";
    if (m.key.has(KeyFlag::attrib) &&
        (!had(KeyFlag::attrib) || m.key.attribType != was.attribType ||
         !std::equal(m.key.attrib.begin(), m.key.attrib.end(), was.attrib.begin(), was.attrib.end())))
        return "A reissue must not change the key's attributes.";
    if (m.has(RequestFlag::qos) && !rdm::equal(m.qos, was.hasQos ? was.best : kRealtimeTickByTick))
        return "A reissue must not change the QoS.";
    if (m.has(RequestFlag::worstQos)) {
        const bool same = was.hasQos ? was.hasWorst && rdm::equal(m.worstQos, was.worst) : isSlowest(m.worstQos);
        if (!same) return "A reissue must not change the worst QoS.";
    }
    return {};
}

Refusal checkFirstRequest(const RequestView& request) {
    const Msg& m = request.msg;
    if (m.has(RequestFlag::noRefresh))
        return {K::invalidArgument, "The first request of a stream must ask for the initial image."};
    if (m.key.has(KeyFlag::name) && m.key.name.size() > 255)
        return {K::invalidArgument, "The item name is longer than 255 bytes."};
    if (m.has(RequestFlag::qos) && !rdm::specified(m.qos))
        return {K::invalidArgument, "The request's QoS is not specified."};
    if (m.has(RequestFlag::worstQos) && (!m.has(RequestFlag::qos) || !rdm::specified(m.worstQos)))
        return {K::invalidArgument, "The request's worst QoS is not specified."};
    if (m.domain == rdm::kDictionaryDomain &&
        ((!m.has(RequestFlag::batch) && (!m.key.has(KeyFlag::name) || m.key.name.empty())) ||
         (m.key.has(KeyFlag::nameType) && m.key.nameType > 1)))
        return {K::invalidArgument, "A dictionary request needs a name, and name type 0 or 1."};
    return {};
}

}  // namespace emissary::reactor::consumer
