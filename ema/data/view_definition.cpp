// Reading of the lists that forth(const Data&) takes (ema-api.md 3.1).
#include "data/view_definition.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/DataAccess.h"
#include "errors/raise.h"
#include "eta/codec/containers.h"
#include "reactor/rdm/request_payload.h"

#include <optional>

namespace emissary::ema {

using codec::ElementEntry;
using reactor::rdm::View;

namespace {

[[noreturn]] void refuse(std::string_view why) {
    throwInvalidUsage(std::string("forth(const Data&): ")
                          .append(why)
                          .append("; pass an ElementList with :ViewType (UInt) and :ViewData (array of field ids or "
                                  "names), or one whose entries are arrays of field ids (Int) or names (Ascii)"),
                      access::OmmInvalidUsageException::InvalidArgumentEnum);
}

/// Calls `visit` for every entry.
template <class Visit>
void forEach(Bytes list, Visit visit) {
    codec::ElementListDecoder decoder;
    ElementEntry entry;
    if (!decoder.start(list).ok()) refuse("the list cannot be read");
    while (decoder.next(entry))
        visit(entry);
    if (!decoder.error().ok()) refuse("the list cannot be read");
}

/// The form that requests have, read as they are.
View readRequested(Bytes list, View::Kind wanted) {
    std::optional<ElementEntry> type, data;
    forEach(list, [&](const ElementEntry& e) {
        if (eta::asText(e.name) == codec::kViewType) type = e;
        if (eta::asText(e.name) == codec::kViewData) data = e;
    });
    // A blank array says not even which kind of view it belongs to.
    if (!data || data->data.empty()) refuse("':ViewData' is missing or blank");
    View view;
    if (const std::string why = reactor::rdm::readView(*type, *data, view); !why.empty()) refuse(why);
    if (view.kind != wanted) refuse("':ViewType' does not fit this list");
    return view;
}

[[nodiscard]] bool holdsIds(const ElementEntry& entry) noexcept {
    codec::ArrayDecoder array;
    return entry.type == codec::DataType::Array && array.start(entry.data).ok() &&
           array.itemType() == codec::DataType::Int;
}

}  // namespace

View readView(const access::Data& data, View::Kind wanted) {
    if (data.getDataType() != access::DataType::ElementListEnum) refuse("the argument is no ElementList");
    const Bytes list = DataAccess::encoded(static_cast<const access::ComplexType&>(data)).bytes;
    // The form shows only when all names are known: entries of any name may be the lists themselves.
    bool requested = false, any = false;
    forEach(list, [&](const ElementEntry& e) {
        any = true;
        requested = requested || eta::asText(e.name) == codec::kViewType;
    });
    if (!any) refuse("the list is empty");
    if (requested) return readRequested(list, wanted);

    View view;
    forEach(list, [&](const ElementEntry& e) {
        // Views of elements have no ids: such an array is read as one of names, and refused.
        view.kind = wanted == View::Kind::fields && holdsIds(e) ? View::Kind::fields : View::Kind::elements;
        if (e.data.empty()) refuse("'" + std::string(eta::asText(e.name)) + "' is blank");
        if (const std::string why = reactor::rdm::readViewData(e, view); !why.empty()) refuse(why);
    });
    view.kind = wanted;
    return view;
}

}  // namespace emissary::ema
