// Decodes the elements of request payloads by one set of rules, and removes names that come twice.
#include "reactor/rdm/request_payload.h"

#include "eta/codec/containers.h"
#include "eta/codec/numbers.h"
#include "eta/codec/primitives.h"
#include "eta/codec/request_elements.h"
#include "eta/core/GrowingBuffer.h"

#include <algorithm>
#include <set>

namespace emissary::reactor::rdm {

using namespace eta::codec;
using eta::Bytes;

namespace {

constexpr std::size_t kMaxName = 255;
constexpr const char* kNoElementList = "its element list cannot be decoded";

/// An array's item without the zeros that fill it up to its fixed length.
[[nodiscard]] Bytes unpadded(const ArrayDecoder& array, Bytes item) noexcept {
    while (array.itemLength() != 0 && !item.empty() && item.back() == std::byte{0})
        item = item.first(item.size() - 1);
    return item;
}

/// Keeps the first of those that are equal. Sorted copies: a payload may have 32,000 of them.
template <typename T>
void makeDistinct(std::vector<T>& all) {
    std::vector<T> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
    std::set<T> seen;
    std::erase_if(all, [&](const T& one) { return !seen.insert(one).second; });
}

/// An array that is empty may say nothing of the type of its items.
[[nodiscard]] bool start(ArrayDecoder& array, const ElementEntry& e, DataType itemType) noexcept {
    return e.type == DataType::Array && array.start(e.data).ok() && (array.blank() || array.itemType() == itemType);
}

/// Reads one payload; each function says what is wrong, or nothing.
class Reader {
public:
    Reader(const Msg& m, RequestPayload& out, PayloadParts parts) : out_(out), keepsRest_(parts.rest) {
        const bool close = m.cls == MsgClass::Close;
        batch_ = parts.lists && (close ? m.has(CloseFlag::batch) : m.has(RequestFlag::batch));
        view_ = parts.view && !close && m.has(RequestFlag::view);
        symbolList_ = parts.symbolList && !close && m.domain == kSymbolListDomain;
    }

    [[nodiscard]] PayloadError read(const Msg& m) {
        if (m.containerType != DataType::ElementList) {
            if (!batch_) return {};  // a view without payload: a reissue keeps the one it has
            return {PayloadFault::batch, "a batch needs an element list with ':ItemList' or ':StreamIdList'"};
        }
        if (!batch_ && !view_ && !symbolList_ && !keepsRest_) return {};
        ElementListDecoder list;
        if (!list.start(m.payload).ok()) return {first(), kNoElementList};
        if (keepsRest_) rest_.begin(buffer_.start());
        for (ElementEntry e; list.next(e);) {
            if (PayloadError error = element(e); !error.why.empty()) return error;
        }
        if (!list.error().ok()) return {first(), kNoElementList};
        return end();
    }

private:
    [[nodiscard]] PayloadFault first() const noexcept {
        return batch_ ? PayloadFault::batch : view_ ? PayloadFault::view : PayloadFault::symbolList;
    }

    /// Without a reason: the element can be used.
    [[nodiscard]] PayloadError element(const ElementEntry& e) {
        const std::string_view name = eta::asText(e.name);
        if (batch_ && name == kItemList) {
            hasNames_ = true;
            return {PayloadFault::batch, names(e)};
        }
        if (batch_ && name == kStreamIdList) {
            hasStreams_ = true;
            return {PayloadFault::batch, streams(e)};
        }
        if (symbolList_ && name == kSymbolListBehaviors) return {PayloadFault::symbolList, behaviors(e)};
        if (view_ && name == kViewType) {
            viewType_ = e;
        } else if (view_ && name == kViewData) {
            viewData_ = e;
        } else if (keepsRest_) {
            rest_.add(name, e.type, e.data);
            hasRest_ = true;
            out_.dataOfNoView = out_.dataOfNoView || name == kViewData;
        }
        return {};
    }

    [[nodiscard]] PayloadError end() {
        if (batch_ && hasNames_ == hasStreams_)
            return {PayloadFault::batch, "a batch needs either ':ItemList' or ':StreamIdList'"};
        if (viewType_.has_value() != viewData_.has_value())
            return {PayloadFault::view, "a view needs both ':ViewType' and ':ViewData'"};
        if (viewType_)
            if (std::string why = view(); !why.empty()) return {PayloadFault::view, std::move(why)};
        if (!hasRest_) return {};
        if (!rest_.complete().ok()) return {first(), "its element list cannot be encoded"};
        out_.rest.assign(buffer_.view().begin(), buffer_.view().end());
        return {};
    }

    [[nodiscard]] std::string names(const ElementEntry& e) {
        if (!out_.names.empty()) return "':ItemList' is there twice";
        ArrayDecoder array;
        if (!start(array, e, DataType::AsciiString)) return "':ItemList' is no array of ASCII strings";
        Bytes name;
        while (array.next(name)) {
            name = unpadded(array, name);
            if (name.empty() || name.size() > kMaxName)
                return "':ItemList' has a name of " + std::to_string(name.size()) + " bytes; 1 to 255 are possible";
            out_.names.push_back(name);
        }
        if (!array.error().ok()) return "':ItemList' cannot be decoded";
        return out_.names.empty() ? "':ItemList' is empty" : "";
    }

    [[nodiscard]] std::string streams(const ElementEntry& e) {
        if (!out_.streams.empty()) return "':StreamIdList' is there twice";
        ArrayDecoder array;
        if (!start(array, e, DataType::Int)) return "':StreamIdList' is no array of integers";
        Bytes item;
        while (array.next(item)) {
            std::int64_t id = 0;
            if (decodeInt(item, id) != Decoded::value || id < INT32_MIN || id > INT32_MAX)
                return "':StreamIdList' has " + std::to_string(id) + ", which is no stream id";
            out_.streams.push_back(static_cast<std::int32_t>(id));
        }
        if (!array.error().ok()) return "':StreamIdList' cannot be decoded";
        return out_.streams.empty() ? "':StreamIdList' is empty" : "";
    }

    [[nodiscard]] std::string view() {
        View& view = out_.view.emplace();
        if (std::string why = readView(*viewType_, *viewData_, view); !why.empty()) return why;
        // A JSON client's names of fields that the dictionary does not have were left out.
        return view.fields.empty() && view.elements.empty() ? "its view names no field, or none that is known here"
                                                            : "";
    }

    [[nodiscard]] std::string behaviors(const ElementEntry& e) {
        ElementListDecoder list;
        if (e.type != DataType::ElementList || !list.start(e.data).ok())
            return "':SymbolListBehaviors' is no element list";
        for (ElementEntry inner; list.next(inner);) {
            if (eta::asText(inner.name) != kDataStreams) continue;
            std::uint64_t bits = 0;
            if (inner.type != DataType::UInt || decodeUInt(inner.data, bits) != Decoded::value || bits > 2)
                return "':DataStreams' is not 0 (names only), 1 (open streams) or 2 (snapshots)";
            out_.dataStreams = static_cast<DataStreams>(bits);
        }
        return list.error().ok() ? "" : "':SymbolListBehaviors' cannot be decoded";
    }

    RequestPayload& out_;
    const bool keepsRest_;
    bool batch_ = false, view_ = false, symbolList_ = false;  // what is read
    bool hasNames_ = false, hasStreams_ = false, hasRest_ = false;
    std::optional<ElementEntry> viewType_, viewData_;
    eta::GrowingBuffer buffer_{keepsRest_ ? 256u : 0u};  // requests of the hub's clients take no memory here
    ElementListEncoder rest_;
};

}  // namespace

PayloadError readPayload(const Msg& m, RequestPayload& out, PayloadParts parts) {
    out = {};
    return Reader(m, out, parts).read(m);
}

bool replaceView(Bytes payload, Bytes other, eta::BeWriter& out) {
    ElementListEncoder to;
    to.begin(out);
    bool any = false;
    const auto copy = [&](Bytes from, bool ofView) {
        ElementListDecoder list;
        if (from.empty()) return true;
        if (!list.start(from).ok()) return false;
        for (ElementEntry e; list.next(e);) {
            const std::string_view name = eta::asText(e.name);
            if ((name == kViewType || name == kViewData) != ofView) continue;
            to.add(name, e.type, e.data);
            any = true;
        }
        return list.error().ok();
    };
    return copy(payload, false) && copy(other, true) && any && to.complete().ok();
}

std::string readViewData(const ElementEntry& data, View& view) {
    const bool ids = view.kind == View::Kind::fields;
    const std::string name = "'" + std::string(eta::asText(data.name)) + "'";
    ArrayDecoder array;
    if (!start(array, data, ids ? DataType::Int : DataType::AsciiString))
        return name + (ids ? " is no array of integers" : " is no array of ASCII strings");
    Bytes item;
    while (array.next(item)) {
        if (!ids) {
            item = unpadded(array, item);
            if (item.empty()) return name + " has an empty name";
            view.elements.emplace_back(eta::asText(item));
            continue;
        }
        std::int64_t id = 0;
        if (decodeInt(item, id) != Decoded::value || id < INT16_MIN || id > INT16_MAX)
            return name + " has " + std::to_string(id) + ", which is no field id";
        view.fields.push_back(static_cast<std::int16_t>(id));
    }
    if (!array.error().ok()) return name + " cannot be decoded";
    makeDistinct(view.fields);
    makeDistinct(view.elements);
    return {};
}

std::string readView(const ElementEntry& type, const ElementEntry& data, View& view) {
    std::uint64_t kind = 0;
    if (type.type != DataType::UInt || decodeUInt(type.data, kind) != Decoded::value ||
        (kind != kFieldIdView && kind != kElementNameView))
        return "':ViewType' is not 1 (field ids) or 2 (element names)";
    view.kind = static_cast<View::Kind>(kind);
    return readViewData(data, view);
}

std::size_t requestsIn(const Msg& m) noexcept {
    const bool batch = m.cls == MsgClass::Close ? m.has(CloseFlag::batch) : m.has(RequestFlag::batch);
    if (!batch || m.containerType != DataType::ElementList) return 1;
    ElementListDecoder list;
    if (!list.start(m.payload).ok()) return 1;
    std::size_t most = 1;
    for (ElementEntry e; list.next(e);) {
        const std::string_view name = eta::asText(e.name);
        if ((name != kItemList && name != kStreamIdList) || e.type != DataType::Array) continue;
        ArrayDecoder array;
        if (array.start(e.data).ok()) most = std::max<std::size_t>(most, array.count());
    }
    return most;
}

}  // namespace emissary::reactor::rdm
