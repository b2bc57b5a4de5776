#include "watchlist/request_payload.h"

#include "eta/codec/containers.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Qos.h"

#include <algorithm>

namespace emissary::reactor::consumer {

using namespace eta::codec;
using K = Refusal::Kind;

namespace {

constexpr std::size_t kMaxName = 255;

Refusal wrong(std::string text) {
    return {K::invalidArgument, std::move(text)};
}

std::vector<std::byte> copyOf(Bytes b) {
    return {b.begin(), b.end()};
}

/// As a worst QoS: any (unknown delay or worse, slowest conflation).
bool isSlowest(const Qos& q) noexcept {
    return q.timeliness >= 2 && q.rate == 3 && q.rateInfo == 65535 && (q.timeliness == 2 || q.timeInfo == 65535);
}

Refusal readNames(const ElementEntry& e, RequestExtras& out) {
    ArrayDecoder array;
    if (e.type != DataType::Array || !array.start(e.data).ok() || array.blank() ||
        array.itemType() != DataType::AsciiString)
        return wrong("':ItemList' of a batch request must be an array of ASCII strings.");
    Bytes name;
    while (array.next(name)) {
        if (array.itemLength() != 0)  // fixed length: padded with zeros
            while (!name.empty() && name.back() == std::byte{0})
                name = name.first(name.size() - 1);
        if (name.empty() || name.size() > kMaxName)
            return wrong("':ItemList' of a batch request holds a name of " + std::to_string(name.size()) +
                         " bytes; 1 to 255 are possible.");
        out.names.push_back(name);
    }
    if (!array.error().ok()) return wrong("':ItemList' of a batch request cannot be decoded.");
    if (out.names.empty()) return wrong("':ItemList' of a batch request is empty.");
    return {};
}

Refusal readViewData(const ElementEntry& e, View& view) {
    ArrayDecoder array;
    const bool ids = view.kind == View::Kind::fields;
    const DataType wanted = ids ? DataType::Int : DataType::AsciiString;
    if (e.type != DataType::Array || !array.start(e.data).ok() || (!array.blank() && array.itemType() != wanted))
        return wrong(ids ? "':ViewData' of a view of fields must be an array of integers."
                         : "':ViewData' of a view of elements must be an array of ASCII strings.");
    Bytes item;
    while (!array.blank() && array.next(item)) {
        if (!ids) {
            view.elements.emplace_back(eta::asText(item));
            continue;
        }
        std::int64_t id = 0;
        if (decodeInt(item, id) != Decoded::value || id < INT16_MIN || id > INT16_MAX)
            return wrong("':ViewData' holds " + std::to_string(id) + ", which is no field id.");
        view.fields.push_back(static_cast<std::int16_t>(id));
    }
    return array.error().ok() ? Refusal{} : wrong("':ViewData' cannot be decoded.");
}

Refusal readBehaviors(const ElementEntry& e, RequestExtras& out) {
    ElementListDecoder list;
    if (e.type != DataType::ElementList || !list.start(e.data).ok())
        return wrong("':SymbolListBehaviors' must be an element list.");
    ElementEntry inner;
    while (list.next(inner)) {
        if (eta::asText(inner.name) != ":DataStreams") continue;
        std::uint64_t bits = 0;
        if (inner.type != DataType::UInt || decodeUInt(inner.data, bits) != Decoded::value || bits > 2)
            return wrong("':DataStreams' must be 0 (names only), 1 (open streams) or 2 (snapshots).");
        out.dataStreams = static_cast<DataStreams>(bits);
    }
    return list.error().ok() ? Refusal{} : wrong("':SymbolListBehaviors' cannot be decoded.");
}

}  // namespace

Refusal readExtras(const Msg& m, RequestExtras& out) {
    out = {};
    out.batch = m.has(RequestFlag::batch);
    out.wantsView = m.has(RequestFlag::view);
    if (m.containerType != DataType::ElementList) {
        if (out.batch) return wrong("A batch request needs an element list with ':ItemList'.");
        return {};  // a view without payload: see RequestExtras::view
    }
    ElementListDecoder in;
    if (!in.start(m.payload).ok()) return wrong("The request's element list cannot be decoded.");
    View view;
    bool hasType = false, hasData = false, named = false, others = false;
    ElementEntry e, data;
    GrowingBuffer buffer;
    ElementListEncoder rest;
    rest.begin(buffer.start());
    while (in.next(e)) {
        const std::string_view name = eta::asText(e.name);
        if (name == ":ItemList" && out.batch) {
            if (Refusal refusal = readNames(e, out)) return refusal;
            named = true;
        } else if (name == ":ViewType" && out.wantsView) {
            std::uint64_t kind = 0;
            if (e.type != DataType::UInt || decodeUInt(e.data, kind) != Decoded::value || kind < 1 || kind > 2)
                return wrong("':ViewType' must be 1 (field ids) or 2 (element names).");
            view.kind = static_cast<View::Kind>(kind);
            hasType = true;
        } else if (name == ":ViewData") {
            data = e;
            hasData = true;
        } else if (name == ":SymbolListBehaviors" && m.domain == eta::codec::kSymbolListDomain) {
            if (Refusal refusal = readBehaviors(e, out)) return refusal;
        } else {
            rest.add(name, e.type, e.data);
            others = true;
        }
    }
    if (!in.error().ok()) return wrong("The request's element list cannot be decoded.");
    if (out.batch && !named) return wrong("A batch request needs ':ItemList'.");
    if (hasType != hasData)
        return wrong(hasType ? "A view needs ':ViewData' beside ':ViewType'."
                             : "A view needs ':ViewType' beside ':ViewData'.");
    if (hasType) {
        if (Refusal refusal = readViewData(data, view)) return refusal;
        View distinct;
        distinct.kind = view.kind;
        distinct.add(view);
        out.view = std::make_shared<const View>(std::move(distinct));
    }
    if (others) {
        if (!rest.complete().ok()) return wrong("The request's element list cannot be encoded.");
        out.rest.assign(buffer.view().begin(), buffer.view().end());
    }
    return {};
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
