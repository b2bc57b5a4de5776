// Reading of the lists that forth(const Data&) takes (ema-api.md 3.1).
#include "data/view_definition.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/DataAccess.h"
#include "errors/raise.h"
#include "eta/codec/containers.h"
#include "text/array_item.h"

#include <algorithm>

namespace emissary::ema {

using codec::ElementEntry;

bool ViewDefinition::names(std::int64_t fieldId) const noexcept {
    return std::find(ids.begin(), ids.end(), fieldId) != ids.end();
}
bool ViewDefinition::names(std::string_view element) const noexcept {
    return std::find(elements.begin(), elements.end(), element) != elements.end();
}

namespace {

[[noreturn]] void refuse(std::string_view what, const char* why) {
    throwInvalidUsage(std::string("forth(const Data&): ")
                          .append(what)
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
    if (!decoder.start(list).ok()) refuse("the list cannot be read", "");
    while (decoder.next(entry))
        visit(entry);
    if (!decoder.error().ok()) refuse("the list cannot be read", "");
}

/// Adds the ids or names of one array; returns its type.
codec::DataType readArray(const ElementEntry& entry, ViewDefinition& view) {
    const std::string_view name = eta::asText(entry.name);
    codec::ArrayDecoder array;
    Bytes item;
    if (entry.type != codec::DataType::Array || !array.start(entry.data).ok()) refuse(name, " is no array");
    const codec::DataType type = codec::baseType(array.itemType());
    while (array.next(item)) {
        std::int64_t id = 0;
        if (type != codec::DataType::Int) {
            view.elements.emplace_back(eta::asText(valueOf(array, item)));
            continue;
        }
        if (codec::decodeInt(item, id) != codec::Decoded::value || id < INT16_MIN || id > INT16_MAX)
            refuse(name, " holds what is no field id");
        view.ids.push_back(id);
    }
    if (!array.error().ok()) refuse(name, " cannot be read");
    return type;
}

/// The form that requests have.
ViewDefinition readRequested(Bytes list, ViewDefinition::Kind wanted) {
    ViewDefinition view;
    std::uint64_t kind = 0;
    codec::DataType type = codec::DataType::Unknown;
    forEach(list, [&](const ElementEntry& e) {
        if (eta::asText(e.name) == ":ViewType" &&
            (e.type != codec::DataType::UInt || codec::decodeUInt(e.data, kind) != codec::Decoded::value))
            refuse(":ViewType", " is no UInt");
        if (eta::asText(e.name) == ":ViewData") type = readArray(e, view);
    });
    if (type == codec::DataType::Unknown) refuse(":ViewData", " is missing");
    if (kind != wanted) refuse(":ViewType", " does not fit this list");
    if (wanted == ViewDefinition::fieldIds && type != codec::DataType::Int)
        refuse(":ViewData", " of a view of fields (:ViewType 1) is no array of Int");
    if (wanted == ViewDefinition::elementNames && type != codec::DataType::AsciiString)
        refuse(":ViewData", " of a view of elements (:ViewType 2) is no array of Ascii");
    return view;
}

}  // namespace

ViewDefinition readView(const access::Data& data, ViewDefinition::Kind wanted) {
    if (data.getDataType() != access::DataType::ElementListEnum) refuse("the argument", " is no ElementList");
    const Bytes list = DataAccess::encoded(static_cast<const access::ComplexType&>(data)).bytes;
    // The form shows only when all names are known: entries of any name may be the lists themselves.
    bool requested = false, any = false;
    forEach(list, [&](const ElementEntry& e) {
        any = true;
        requested = requested || eta::asText(e.name) == ":ViewType";
    });
    if (!any) refuse("the list", " is empty");
    if (requested) return readRequested(list, wanted);

    ViewDefinition view;
    forEach(list, [&](const ElementEntry& e) {
        const codec::DataType type = readArray(e, view);
        const bool ids = type == codec::DataType::Int && wanted == ViewDefinition::fieldIds;
        if (!ids && type != codec::DataType::AsciiString)
            refuse(eta::asText(e.name),
                   wanted == ViewDefinition::fieldIds ? " is no array of Int or Ascii" : " is no array of Ascii");
    });
    return view;
}

}  // namespace emissary::ema
