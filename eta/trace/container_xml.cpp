// The containers of MessageXml: entry by entry, so that a message of any size needs no memory of its own.
#include "trace/MessageXml.h"

namespace emissary::eta::trace {

using codec::DataType;

bool MessageXml::content(DataType type, Bytes bytes, Sets sets, bool deleted) {
    const bool opaque = type == DataType::Opaque || type == DataType::Xml || type == DataType::AnsiPage ||
                        (codec::isContainer(type) && kTypes.find(static_cast<std::uint32_t>(type)).empty());
    if (opaque) {
        const bool page = type == DataType::AnsiPage;
        out_.line().text(page ? "<ansiPage data=\"" : "<opaque data=\"").hex(deleted ? Bytes{} : bytes);
        out_.text(page ? "\"/>" : "\" />").end();
        return true;
    }
    if (type == DataType::Json) {
        out_.line().text("<json data=\"").escaped(deleted ? Bytes{} : bytes).text("\">").end();
        return true;
    }
    if (type == DataType::NoData || bytes.empty() || deleted) return true;
    if (nesting_ >= codec::kMaxDepth) return fail({Errc::tooDeep, 0});
    ++nesting_;
    const bool whole = container(type, bytes, sets);
    --nesting_;
    return whole;
}

bool MessageXml::container(DataType type, Bytes bytes, Sets sets) {
    if (text_.full()) return fail({Errc::noSpace, 0});
    switch (type) {
    case DataType::FieldList:
        return fieldList(bytes, sets);
    case DataType::ElementList:
        return elementList(bytes, sets);
    case DataType::Map:
        return map(bytes);
    case DataType::Vector:
        return vector(bytes);
    case DataType::Series:
        return series(bytes);
    case DataType::FilterList:
        return filterList(bytes);
    case DataType::Array:
        return array(bytes);
    case DataType::Msg:
        versions();
        return message(bytes);
    default:
        return fail({Errc::unsupportedType, 0});
    }
}

bool MessageXml::fieldList(Bytes bytes, Sets sets) {
    codec::FieldListDecoder list;
    if (const Error e = list.start(bytes, sets); !e.ok()) return fail(e);
    out_.line().text("<fieldList flags=\"").flags(kFieldListFlags, list.flags()).text("\"");
    if (list.hasInfo()) {
        out_.attribute("fieldListNum", list.fieldListNum());
        out_.attribute("dictionaryId", list.dictionaryId());
    }
    if ((list.flags() & 6) == 6) out_.attribute("setId", list.setId());
    out_.text(">").end();
    out_.deeper();
    codec::FieldEntry entry;
    while (list.next(entry)) {
        out_.line().text("<fieldEntry").attribute("fieldId", entry.fieldId);
        if (entry.setType == DataType::Unknown) {
            out_.text(" data=\"").hex(entry.data).text("\"/>").end();
            continue;
        }
        const DataType type = codec::baseType(entry.setType);
        out_.text(" dataType=\"").type(type).text("\"");
        if (codec::isPrimitive(type) && type != DataType::Array) {
            values_.value(type, entry.setType, entry.data);
            out_.text("/>").end();
            continue;
        }
        out_.text(">").end();
        out_.deeper();
        if (!content(type, entry.data, nullptr)) return false;
        out_.back();
        out_.whole("</fieldEntry>");
    }
    if (!list.error().ok()) return fail(list.error());
    if (list.setSkipped()) static_cast<void>(fail({Errc::missingSet, 0}));
    out_.back();
    out_.whole("</fieldList>");
    return true;
}

bool MessageXml::elementList(Bytes bytes, Sets sets) {
    codec::ElementListDecoder list;
    if (const Error e = list.start(bytes, sets); !e.ok()) return fail(e);
    out_.line().text("<elementList flags=\"").flags(kElementListFlags, list.flags()).text("\"");
    if (list.hasInfo()) out_.attribute("elementListNum", list.elementListNum());
    if ((list.flags() & 6) == 6) out_.attribute("setId", list.setId());
    out_.text(">").end();
    out_.deeper();
    codec::ElementEntry entry;
    while (list.next(entry)) {
        out_.line().text("<elementEntry name=\"").raw(entry.name).text("\" dataType=\"").type(entry.type).text("\"");
        const std::string_view name = asText(entry.name);
        if (entry.type == DataType::Buffer && (name == "Group" || name == "MergedToGroup")) {
            out_.text(" data=\"").group(entry.data).text("\"/>").end();
        } else if (codec::isPrimitive(entry.type) && entry.type != DataType::Array) {
            values_.value(entry.type, entry.setType, entry.data);
            out_.text("/>").end();
        } else {
            out_.text(">").end();
            out_.deeper();
            if (!content(entry.type, entry.data, nullptr)) return false;
            out_.back();
            out_.whole("</elementEntry>");
        }
    }
    if (!list.error().ok()) return fail(list.error());
    if (list.setSkipped()) static_cast<void>(fail({Errc::missingSet, 0}));
    out_.back();
    out_.whole("</elementList>");
    return true;
}

void MessageXml::definitions(Bytes bytes, bool elements) {
    codec::SetDefinitionDb db;
    const auto kind = elements ? codec::SetDefinitionDb::Kind::elements : codec::SetDefinitionDb::Kind::fields;
    if (const Error e = db.decode(bytes, kind); !e.ok()) return static_cast<void>(fail(e));
    const std::string_view word = elements ? "element" : "field";
    out_.line().text("<").text(word).text("SetDefs>").end();
    out_.deeper();
    for (std::uint16_t id = 0; id <= 15; ++id) {
        const codec::SetDefinition* const definition = db.find(id);
        if (definition == nullptr) continue;
        out_.line().text("<").text(word).text("SetDef").attribute("setId", id).text(">").end();
        out_.deeper();
        codec::SetEntry entry;
        for (auto cursor = definition->entries(); cursor.next(entry);) {
            out_.line().text("<").text(word).text("SetDefEntry");
            if (elements) out_.text(" name=\"").raw(entry.name).text("\"");
            else out_.attribute("fieldId", entry.fieldId);
            out_.text(" dataType=\"").type(entry.type).text("\" />").end();
        }
        out_.back();
        out_.line().text("</").text(word).text("SetDef>").end();
    }
    out_.back();
    out_.line().text("</").text(word).text("SetDefs>").end();
}

bool MessageXml::head(const codec::EntryContainerDecoder& list) {
    if (list.hasSetDefs()) definitions(list.setDefs(), list.entryType() == DataType::ElementList);
    if (!list.hasSummary()) return true;
    out_.whole("<summaryData>");
    out_.deeper();
    if (!content(list.entryType(), list.summary(), list.sets())) return false;
    out_.back();
    out_.whole("</summaryData>");
    return true;
}

bool MessageXml::map(Bytes bytes) {
    codec::MapDecoder list;
    if (const Error e = list.start(bytes); !e.ok()) return fail(e);
    out_.line().text("<map flags=\"").flags(kMapFlags, list.flags()).text("\"");
    out_.attribute("countHint", list.totalCountHint());
    out_.text(" keyPrimitiveType=\"").type(list.keyType()).text("\" containerType=\"").type(list.entryType());
    out_.text("\" ");
    if (list.hasKeyFieldId()) out_.text("keyFieldId=\"").number(list.keyFieldId()).text("\" ");
    out_.text(">").end();
    out_.deeper();
    if (!head(list)) return false;
    codec::MapEntry entry;
    while (list.next(entry)) {
        out_.line().text("<mapEntry flags=\"").flags(kMapEntryFlags, entry.hasPermData ? 1 : 0).text("\" action=\"");
        if (const std::string_view action = kMapActions.find(entry.action); action.empty()) out_.text("Unknown");
        else out_.text(kMapActions.prefix).text(action);
        out_.text("\" key=\"");
        values_.printed(codec::baseType(list.keyType()), list.keyType(), entry.key, true);
        out_.text("\"");
        if (entry.hasPermData) permissions(entry.permData);
        out_.text(entry.hasPermData ? ">" : " >").end();
        out_.deeper();
        if (!content(list.entryType(), entry.data, list.sets(), entry.action == codec::MapAction::del)) return false;
        out_.back();
        out_.whole("</mapEntry>");
    }
    if (!list.error().ok()) return fail(list.error());
    out_.back();
    out_.whole("</map>");
    return true;
}

bool MessageXml::vector(Bytes bytes) {
    codec::VectorDecoder list;
    if (const Error e = list.start(bytes); !e.ok()) return fail(e);
    out_.line().text("<vector flags=\"").flags(kVectorFlags, list.flags()).text("\"");
    out_.attribute("countHint", list.totalCountHint());
    out_.text(" containerType=\"").type(list.entryType()).text("\">").end();
    out_.deeper();
    if (!head(list)) return false;
    codec::VectorEntry entry;
    while (list.next(entry)) {
        out_.line().text("<vectorEntry index=\"").unsignedNumber(entry.index).text("\" action=\"");
        out_.word(kVectorActions, entry.action).text("\" flags=\"");
        out_.flags(kVectorEntryFlags, entry.hasPermData ? 1 : 0).text("\"");
        if (entry.hasPermData) out_.text("permData=\"").hex(entry.permData).text("\"");
        out_.text(">").end();
        out_.deeper();
        const bool bare = entry.action == codec::VectorAction::clear || entry.action == codec::VectorAction::del;
        if (!content(list.entryType(), entry.data, list.sets(), bare)) return false;
        out_.back();
        out_.whole("</vectorEntry>");
    }
    if (!list.error().ok()) return fail(list.error());
    out_.back();
    out_.whole("</vector>");
    return true;
}

bool MessageXml::series(Bytes bytes) {
    codec::SeriesDecoder list;
    if (const Error e = list.start(bytes); !e.ok()) return fail(e);
    out_.line().text("<series  flags=\"").flags(kSeriesFlags, list.flags()).text("\"");
    out_.attribute("countHint", list.totalCountHint());
    out_.text(" containerType=\"").type(list.entryType()).text("\">").end();
    out_.deeper();
    if (!head(list)) return false;
    codec::SeriesEntry entry;
    while (list.next(entry)) {
        out_.whole("<seriesEntry>");
        out_.deeper();
        if (!content(list.entryType(), entry.data, list.sets())) return false;
        out_.back();
        out_.whole("</seriesEntry>");
    }
    if (!list.error().ok()) return fail(list.error());
    out_.back();
    out_.whole("</series>");
    return true;
}

bool MessageXml::filterList(Bytes bytes) {
    codec::FilterListDecoder list;
    if (const Error e = list.start(bytes); !e.ok()) return fail(e);
    out_.line().text("<filterList containerType=\"").type(list.entryType()).text("\"");
    out_.attribute("countHint", list.totalCountHint());
    out_.text(" flags=\"").flags(kFilterListFlags, list.flags()).text("\">").end();
    out_.deeper();
    codec::FilterEntry entry;
    while (list.next(entry)) {
        out_.line()
            .text("<filterEntry")
            .attribute("id", entry.id)
            .text(" action=\"")
            .word(kFilterActions, entry.action);
        out_.text("\" flags=\"");
        out_.flags(kFilterEntryFlags, (entry.hasPermData ? 1u : 0u) | (entry.ownType ? 2u : 0u));
        out_.text("\" containerType=\"").type(entry.type).text("\"");
        if (entry.hasPermData) permissions(entry.permData);
        out_.text(">").end();
        out_.deeper();
        if (!content(entry.type, entry.data, nullptr, entry.action == codec::FilterAction::clear)) return false;
        out_.back();
        out_.whole("</filterEntry>");
    }
    if (!list.error().ok()) return fail(list.error());
    out_.back();
    out_.whole("</filterList>");
    return true;
}

bool MessageXml::array(Bytes bytes) {
    codec::ArrayDecoder list;
    if (const Error e = list.start(bytes); !e.ok()) return fail(e);
    if (list.blank()) return true;
    out_.line().text("<array").attribute("itemLength", list.itemLength());
    out_.text(" primitiveType=\"").type(list.itemType()).text("\">").end();
    out_.deeper();
    for (Bytes item; list.next(item);) {
        out_.line().text("<arrayEntry");
        values_.value(list.itemType(), list.itemType(), item);
        out_.text("/>").end();
    }
    if (!list.error().ok()) return fail(list.error());
    out_.back();
    out_.whole("</array>");
    return true;
}

}  // namespace emissary::eta::trace
