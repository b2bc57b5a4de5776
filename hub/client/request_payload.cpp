#include "hub/client/request_payload.h"

#include "eta/codec/containers.h"
#include "eta/codec/numbers.h"
#include "reactor/rdm/batch_lists.h"

#include <algorithm>
#include <string>

namespace emissary::hub::client {

using namespace eta::codec;
using eta::Bytes;
using reactor::rdm::readItemList;
using reactor::rdm::readStreamIdList;
using reactor::rdm::unpadded;
using reactor::rdm::View;

namespace {

[[nodiscard]] bool start(ArrayDecoder& array, const ElementEntry& e, DataType itemType) noexcept {
    return e.type == DataType::Array && array.start(e.data).ok() && !array.blank() && array.itemType() == itemType;
}

[[nodiscard]] const char* readView(const ElementEntry& e, View& view) {
    ArrayDecoder array;
    const bool ids = view.kind == View::Kind::fields;
    if (!start(array, e, ids ? DataType::Int : DataType::AsciiString))
        return ids ? "':ViewData' is no array of integers" : "':ViewData' is no array of ASCII strings";
    Bytes item;
    while (array.next(item)) {
        if (!ids) {
            item = unpadded(array, item);
            if (item.empty()) return "':ViewData' has an empty name";
            view.elements.emplace_back(eta::asText(item));
            continue;
        }
        std::int64_t id = 0;
        if (decodeInt(item, id) != Decoded::value || id < INT16_MIN || id > INT16_MAX)
            return "':ViewData' has a number that is no field id";
        view.fields.push_back(static_cast<std::int16_t>(id));
    }
    if (!array.error().ok()) return "':ViewData' cannot be decoded";
    // In order and each once, so that views that ask for the same are the same.
    const auto distinct = [](auto& all) {
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    distinct(view.fields);
    distinct(view.elements);
    return view.fields.empty() && view.elements.empty() ? "its view names no field, or none that is known here"
                                                        : nullptr;
}

[[nodiscard]] const char* readBehaviors(const ElementEntry& e, bool& opensStreams) {
    ElementListDecoder list;
    if (e.type != DataType::ElementList || !list.start(e.data).ok()) return "':SymbolListBehaviors' is no element list";
    ElementEntry inner;
    while (list.next(inner)) {
        if (eta::asText(inner.name) != ":DataStreams") continue;
        std::uint64_t bits = 0;
        if (inner.type != DataType::UInt || decodeUInt(inner.data, bits) != Decoded::value || bits > 2)
            return "':DataStreams' is not 0, 1 or 2";
        opensStreams = bits != 0;
    }
    return list.error().ok() ? nullptr : "':SymbolListBehaviors' cannot be decoded";
}

struct Wanted {
    bool batch = false, view = false, symbolList = false;
};

[[nodiscard]] Wanted wantedOf(const Msg& m) noexcept {
    if (m.cls == MsgClass::Close) return {m.has(CloseFlag::batch), false, false};
    return {m.has(RequestFlag::batch), m.has(RequestFlag::view),
            m.domain == kSymbolListDomain && m.containerType == DataType::ElementList};
}

}  // namespace

PayloadError readPayload(const Msg& m, RequestPayload& out) {
    out = {};
    const Wanted wanted = wantedOf(m);
    if (!wanted.batch && !wanted.view && !wanted.symbolList) return {};
    const PayloadFault first = wanted.batch  ? PayloadFault::batch
                               : wanted.view ? PayloadFault::view
                                             : PayloadFault::symbolList;
    ElementListDecoder list;
    if (m.containerType != DataType::ElementList) {
        if (!wanted.batch) return {};  // a view without payload: a reissue keeps the one it has
        return {first, "a batch needs an element list with ':ItemList' or ':StreamIdList'"};
    }
    if (!list.start(m.payload).ok()) return {first, "its element list cannot be decoded"};
    View view;
    std::optional<ElementEntry> viewData;
    bool hasType = false;
    ElementEntry e;
    while (list.next(e)) {
        const std::string_view name = eta::asText(e.name);
        const char* why = nullptr;
        PayloadFault fault = PayloadFault::batch;
        if (name == ":ItemList" && wanted.batch) {
            out.hasNames = true;
            why = readItemList(e, out.names);
        } else if (name == ":StreamIdList" && wanted.batch) {
            out.hasStreams = true;
            why = readStreamIdList(e, out.streams);
        } else if (name == ":ViewType" && wanted.view) {
            fault = PayloadFault::view;
            std::uint64_t kind = 0;
            hasType = true;
            if (e.type != DataType::UInt || decodeUInt(e.data, kind) != Decoded::value || kind < 1 || kind > 2)
                why = "':ViewType' is not 1 (field ids) or 2 (element names)";
            else view.kind = static_cast<View::Kind>(kind);
        } else if (name == ":ViewData" && wanted.view) {
            viewData = e;
        } else if (name == ":SymbolListBehaviors" && wanted.symbolList) {
            fault = PayloadFault::symbolList;
            why = readBehaviors(e, out.opensStreams);
        }
        if (why != nullptr) return {fault, why};
    }
    if (!list.error().ok()) return {first, "its element list cannot be decoded"};
    if (wanted.batch && out.hasNames == out.hasStreams)
        return {PayloadFault::batch, "a batch needs either ':ItemList' or ':StreamIdList'"};
    if (!wanted.view) return {};
    if (hasType != viewData.has_value()) return {PayloadFault::view, "a view needs both ':ViewType' and ':ViewData'"};
    if (!hasType) return {};  // as without payload
    if (const char* why = readView(*viewData, view)) return {PayloadFault::view, why};
    out.view = std::move(view);
    return {};
}

std::size_t requestsIn(const Msg& m) noexcept {
    if (!wantedOf(m).batch || m.containerType != DataType::ElementList) return 1;
    ElementListDecoder list;
    if (!list.start(m.payload).ok()) return 1;
    std::size_t most = 1;
    for (ElementEntry e; list.next(e);) {
        const std::string_view name = eta::asText(e.name);
        if ((name != ":ItemList" && name != ":StreamIdList") || e.type != DataType::Array) continue;
        ArrayDecoder array;
        if (array.start(e.data).ok()) most = std::max<std::size_t>(most, array.count());
    }
    return most;
}

}  // namespace emissary::hub::client
