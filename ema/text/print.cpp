// toString() of containers, arrays and entries (ema-api.md section 15). Printing walks the encoded bytes and never
// touches the reading position of public objects.
#include "text/Printer.h"

#include "text/array_item.h"
#include "text/hex.h"

#include "Access/Include/MapEntry.h"

namespace emissary::ema {

namespace codec = eta::codec;
using access = refinitiv::ema::access::OmmError;
using eta::asText;
using eta::Bytes;

namespace {

[[nodiscard]] std::string actionName(std::uint8_t action, std::string_view kind,
                                     std::initializer_list<std::string_view> names) {
    if (action >= 1 && action <= names.size()) return std::string{names.begin()[action - 1]};
    return std::string{"Unknown "}.append(kind).append("Action value ").append(std::to_string(action));
}

/// Containers without a public class are read as Opaque.
[[nodiscard]] std::string loadName(codec::DataType type) {
    const bool unknown = codec::isContainer(type) && std::string_view{codec::name(type)} == "Unknown";
    return typeName(unknown ? codec::DataType::Opaque : type);
}

}  // namespace

int errorCodeOf(eta::Error e) noexcept {
    switch (e.code) {
    case eta::Errc::ok:
        return access::NoErrorEnum;
    case eta::Errc::truncated:
    case eta::Errc::badLength:
    case eta::Errc::badValue:
        return access::IncompleteDataEnum;
    case eta::Errc::unsupportedType:
        return access::UnsupportedDataTypeEnum;
    case eta::Errc::missingSet:
        return access::NoSetDefinitionEnum;
    case eta::Errc::tooDeep:
        return access::IteratorOverrunEnum;
    default:
        return access::UnknownErrorEnum;
    }
}

// --- public entry points

void printContainer(std::string& out, codec::DataType type, Bytes bytes, const PrintScope& scope, int indent) {
    Printer{out}.container(type, bytes, scope, indent);
}
void printMsg(std::string& out, const codec::Msg& msg, const PrintScope& scope, int indent) {
    Printer{out}.msg(msg, scope, indent);
}
void printArray(std::string& out, Bytes bytes, int indent) {
    Printer{out}.array(bytes, indent);
}
void printError(std::string& out, int code, int indent) {
    Printer{out}.error(code, indent);
}
void printFieldEntry(std::string& out, std::int16_t fieldId, Bytes data, codec::DataType setType,
                     const PrintScope& scope) {
    Printer{out}.fieldEntry(fieldId, data, setType, scope, 0, Printer::Form::alone);
}
void printElementEntry(std::string& out, const codec::ElementEntry& entry, const PrintScope& scope) {
    Printer{out}.elementEntry(entry, scope, 0, Printer::Form::alone);
}
void printMapEntry(std::string& out, const codec::MapEntry& entry, codec::DataType keyType, codec::DataType entryType,
                   const PrintScope& scope) {
    Printer{out}.mapEntry(entry, keyType, entryType, scope, 0, Printer::Form::alone);
}
void printVectorEntry(std::string& out, const codec::VectorEntry& entry, codec::DataType entryType,
                      const PrintScope& scope) {
    Printer{out}.vectorEntry(entry, entryType, scope, 0, Printer::Form::alone);
}
void printSeriesEntry(std::string& out, const codec::SeriesEntry& entry, codec::DataType entryType,
                      const PrintScope& scope) {
    Printer{out}.seriesEntry(entry, entryType, scope, 0, Printer::Form::alone);
}
void printFilterEntry(std::string& out, const codec::FilterEntry& entry, const PrintScope& scope) {
    Printer{out}.filterEntry(entry, scope, 0, Printer::Form::alone);
}

// --- containers

void Printer::container(Type type, Bytes bytes, const PrintScope& scope, int indent) {
    // The nesting is the peer's choice.
    if (depth_ >= codec::kMaxDepth) return error(access::IteratorOverrunEnum, indent);
    ++depth_;
    switch (type) {
    case Type::FieldList:
        fieldList(bytes, scope, indent);
        break;
    case Type::ElementList:
        elementList(bytes, scope, indent);
        break;
    case Type::Map:
        map(bytes, scope, indent);
        break;
    case Type::Vector:
        vector(bytes, scope, indent);
        break;
    case Type::Series:
        series(bytes, scope, indent);
        break;
    case Type::FilterList:
        filterList(bytes, scope, indent);
        break;
    case Type::NoData:
        line(indent, "NoData").line(indent, "NoDataEnd");
        break;
    case Type::Xml:
        text("Xml", bytes, indent);
        break;
    case Type::Json:
        text("Json", bytes, indent);
        break;
    case Type::AnsiPage:
        dump("AnsiPage", bytes, indent);
        break;
    case Type::Msg: {
        codec::Msg inner;
        if (const eta::Error e = codec::decodeMsg(bytes, inner); !e.ok()) error(e, indent);
        else if (inner.cls == codec::MsgClass::Close) error(access::UnsupportedDataTypeEnum, indent);
        // The service name belongs to the message outside; this one may speak of another service.
        else msg(inner, PrintScope{scope.dictionary, nullptr, {}, false}, indent);
        break;
    }
    default:  // opaque data, and types that only applications know
        dump("Opaque", bytes, indent);
        out_.append("\n");
    }
    --depth_;
}

void Printer::error(int code, int indent) {
    line(indent, "OmmError");
    lineWith(indent + 1, "ErrorCode", errorCodeName(code));
    line(indent, "OmmErrorEnd");
}

void Printer::error(eta::Error e, int indent) {
    error(errorCodeOf(e), indent);
}

void Printer::text(std::string_view word, Bytes bytes, int indent) {
    line(indent, word).line(indent + 1, eta::printable(asText(bytes), eta::LineBreaks::kept));
    line(indent, std::string{word}.append("End"));
}

// The last line is left open: AnsiPage has no newline there, Opaque does.
void Printer::dump(std::string_view word, Bytes bytes, int indent) {
    line(indent, word);
    out_.append("\n").append(hexDump(asText(bytes), HexDump::withCharacters));
    pad(indent);
    out_.append(word).append("End");
}

/// Every entry, then an OmmError block when the data end early.
template <class Decoder, class Entry, class PrintEntry>
void Printer::entries(Decoder& decoder, int indent, PrintEntry print) {
    Entry entry;
    while (decoder.next(entry))
        print(entry);
    if (!decoder.error().ok()) error(decoder.error(), indent);
}

template <class Decoder>
void Printer::totalCountHint(const Decoder& decoder) {
    if (decoder.hasTotalCountHint()) attribute("totalCountHint", text(decoder.totalCountHint()));
}

void Printer::fieldList(Bytes bytes, const PrintScope& scope, int indent) {
    codec::FieldListDecoder list;
    if (const eta::Error e = list.start(bytes, scope.sets); !e.ok()) return error(e, indent);
    pad(indent);
    out_.append("FieldList");
    if (list.hasInfo()) {
        attribute("FieldListNum", text(list.fieldListNum()));
        attribute("DictionaryId", text(list.dictionaryId()));
    }
    out_.append("\n");
    entries<codec::FieldListDecoder, codec::FieldEntry>(list, indent + 1, [&](const codec::FieldEntry& entry) {
        fieldEntry(entry.fieldId, entry.data, entry.setType, scope, indent + 1, Form::nested);
    });
    if (list.setSkipped()) error(access::NoSetDefinitionEnum, indent + 1);
    line(indent, "FieldListEnd");
}

void Printer::elementList(Bytes bytes, const PrintScope& scope, int indent) {
    codec::ElementListDecoder list;
    if (const eta::Error e = list.start(bytes, scope.sets); !e.ok()) return error(e, indent);
    pad(indent);
    out_.append("ElementList");
    if (list.hasInfo()) attribute("ElementListNum", text(list.elementListNum()));
    out_.append("\n");
    entries<codec::ElementListDecoder, codec::ElementEntry>(list, indent + 1, [&](const codec::ElementEntry& entry) {
        elementEntry(entry, scope, indent + 1, Form::nested);
    });
    if (list.setSkipped()) error(access::NoSetDefinitionEnum, indent + 1);
    line(indent, "ElementListEnd");
}

void Printer::summary(const codec::EntryContainerDecoder& decoder, const PrintScope& scope, int indent) {
    if (!decoder.hasSummary()) return;
    pad(indent);
    out_.append("SummaryData");
    dataType(decoder.entryType(), decoder.summary());
    out_.append("\n");
    container(decoder.entryType(), decoder.summary(), scope, indent + 1);
    line(indent, "SummaryDataEnd");
}

void Printer::map(Bytes bytes, PrintScope scope, int indent) {
    codec::MapDecoder decoder;
    if (const eta::Error e = decoder.start(bytes); !e.ok()) return error(e, indent);
    // Set definitions of the container are for its summary and entries.
    scope.sets = decoder.sets();
    pad(indent);
    out_.append("Map");
    totalCountHint(decoder);
    if (decoder.hasKeyFieldId()) attribute("keyFieldId", text(decoder.keyFieldId()));
    out_.append("\n");
    summary(decoder, scope, indent + 1);
    entries<codec::MapDecoder, codec::MapEntry>(decoder, indent + 1, [&](const codec::MapEntry& entry) {
        mapEntry(entry, decoder.keyType(), decoder.entryType(), scope, indent + 1, Form::nested);
    });
    line(indent, "MapEnd");
}

void Printer::vector(Bytes bytes, PrintScope scope, int indent) {
    codec::VectorDecoder decoder;
    if (const eta::Error e = decoder.start(bytes); !e.ok()) return error(e, indent);
    scope.sets = decoder.sets();
    pad(indent);
    out_.append("Vector");
    attribute("sortable", decoder.sortable() ? "true" : "false");
    totalCountHint(decoder);
    out_.append("\n");
    summary(decoder, scope, indent + 1);
    entries<codec::VectorDecoder, codec::VectorEntry>(decoder, indent + 1, [&](const codec::VectorEntry& entry) {
        vectorEntry(entry, decoder.entryType(), scope, indent + 1, Form::nested);
    });
    line(indent, "VectorEnd");
}

void Printer::series(Bytes bytes, PrintScope scope, int indent) {
    codec::SeriesDecoder decoder;
    if (const eta::Error e = decoder.start(bytes); !e.ok()) return error(e, indent);
    scope.sets = decoder.sets();
    pad(indent);
    out_.append("Series");
    // The missing closing quote is part of the text that people compare with.
    if (decoder.hasTotalCountHint()) out_.append(" totalCountHint=\"").append(text(decoder.totalCountHint()));
    out_.append("\n");
    summary(decoder, scope, indent + 1);
    entries<codec::SeriesDecoder, codec::SeriesEntry>(decoder, indent + 1, [&](const codec::SeriesEntry& entry) {
        seriesEntry(entry, decoder.entryType(), scope, indent + 1, Form::nested);
    });
    line(indent, "SeriesEnd");
}

void Printer::filterList(Bytes bytes, const PrintScope& scope, int indent) {
    codec::FilterListDecoder decoder;
    if (const eta::Error e = decoder.start(bytes); !e.ok()) return error(e, indent);
    pad(indent);
    out_.append("FilterList");
    totalCountHint(decoder);
    out_.append("\n");
    entries<codec::FilterListDecoder, codec::FilterEntry>(decoder, indent + 1, [&](const codec::FilterEntry& entry) {
        filterEntry(entry, scope, indent + 1, Form::nested);
    });
    line(indent, "FilterListEnd");
}

// --- entries

void Printer::dataType(Type type, Bytes data) {
    if (type == Type::Msg) {
        // The class is in the header; the message itself is decoded when it is printed.
        const eta::Result<codec::MsgHead> head = codec::peekMsg(data);
        const bool known = head.ok() && head.value().cls != codec::MsgClass::Close;
        attribute("dataType", known ? msgTypeName(head.value().cls) : "Error");
    } else {
        attribute("dataType", loadName(type));
    }
}

void Printer::permissionData(bool present, Bytes bytes) {
    if (present) attribute("permissionData", hexPairs(asText(bytes)));
}

void Printer::failed(std::string_view entry, int code, int indent) {
    attribute("dataType", "Error");
    out_.append("\n");
    error(code, indent + 1);
    line(indent, std::string{entry}.append("End"));
}

void Printer::load(std::string_view entry, Type type, Type setType, Bytes data, const PrintScope& scope, int indent) {
    if (codec::isContainer(type)) {
        dataType(type, data);
        out_.append("\n");
        container(type, data, scope, indent + 1);
        line(indent, std::string{entry}.append("End"));
        return;
    }
    if (type == Type::Array) {
        dataType(type, data);
        out_.append("\n");
        array(data, indent + 1);
        line(indent, std::string{entry}.append("End"));
        return;
    }
    std::string value;
    if (!appendPrimitive(value, type, data, setType)) return failed(entry, access::IncompleteDataEnum, indent);
    dataType(type, data);
    // A dump has lines of its own and is no attribute.
    if (type == Type::Buffer && !data.empty()) {
        out_.append("\n").append(value);
    } else {
        attribute("value", value);
        out_.append("\n");
    }
}

void Printer::fieldEntry(std::int16_t fieldId, Bytes data, Type setType, const PrintScope& scope, int indent,
                         Form form) {
    const eta::dictionary::FieldDefinition* field =
        scope.dictionary == nullptr ? nullptr : scope.dictionary->find(fieldId);
    open(indent, "FieldEntry", form);
    bare("fid", text(fieldId)).attribute("name", field == nullptr ? std::string_view{} : field->acronym);
    if (scope.dictionary == nullptr) return failed("FieldEntry", access::NoDictionaryEnum, indent);
    if (setType != Type::Unknown) return load("FieldEntry", codec::baseType(setType), setType, data, scope, indent);
    if (field == nullptr) return failed("FieldEntry", access::FieldIdNotFoundEnum, indent);
    load("FieldEntry", field->type, setType, data, scope, indent);
}

void Printer::elementEntry(const codec::ElementEntry& entry, const PrintScope& scope, int indent, Form form) {
    open(indent, "ElementEntry", form);
    bare("name", asText(entry.name));
    load("ElementEntry", entry.type, entry.setType, entry.data, scope, indent);
}

void Printer::mapEntry(const codec::MapEntry& entry, Type keyType, Type entryType, const PrintScope& scope, int indent,
                       Form form) {
    open(indent, "MapEntry", form);
    bare("action", actionName(entry.action, "Map", {"Update", "Add", "Delete"}));
    out_.append(" key");
    std::string key;
    const bool readable = appendPrimitive(key, keyType, entry.key, Type::Unknown);
    attribute("dataType", readable ? typeName(keyType) : "Error");
    if (!readable) attribute("value", errorCodeName(access::IncompleteDataEnum));
    else if (keyType == Type::Buffer && !entry.key.empty()) out_.append(" value=\n\n").append(key);
    else attribute("value", key);
    permissionData(entry.hasPermData, entry.permData);
    const bool noLoad = entry.action == codec::MapAction::del;
    load("MapEntry", noLoad ? Type::NoData : entryType, Type::Unknown, entry.data, scope, indent);
}

void Printer::vectorEntry(const codec::VectorEntry& entry, Type entryType, const PrintScope& scope, int indent,
                          Form form) {
    open(indent, "VectorEntry", form);
    // The quotes are as applications know them: none closes the action and none opens the index.
    out_.append("action=\"").append(actionName(entry.action, "Vector", {"Update", "Set", "Clear", "Insert", "Delete"}));
    out_.append(" index=\"").append(text(entry.index));
    permissionData(entry.hasPermData, entry.permData);
    const bool noLoad = entry.action == codec::VectorAction::del || entry.action == codec::VectorAction::clear;
    load("VectorEntry", noLoad ? Type::NoData : entryType, Type::Unknown, entry.data, scope, indent);
}

void Printer::seriesEntry(const codec::SeriesEntry& entry, Type entryType, const PrintScope& scope, int indent,
                          Form form) {
    pad(indent);
    // The attribute that follows brings one blank itself, and an entry of no other class begins with it.
    out_.append(form == Form::alone ? "SeriesEntry " : "SeriesEntry");
    load("SeriesEntry", entryType, Type::Unknown, entry.data, scope, indent);
}

void Printer::filterEntry(const codec::FilterEntry& entry, const PrintScope& scope, int indent, Form form) {
    open(indent, "FilterEntry", form);
    bare("action", actionName(entry.action, "Filter", {"Update", "Set", "Clear"}));
    attribute("filterId", text(entry.id));
    permissionData(entry.hasPermData, entry.permData);
    const bool noLoad = entry.action == codec::FilterAction::clear;
    load("FilterEntry", noLoad ? Type::NoData : entry.type, Type::Unknown, entry.data, scope, indent);
}

void Printer::array(Bytes bytes, int indent) {
    codec::ArrayDecoder decoder;
    if (const eta::Error e = decoder.start(bytes); !e.ok()) return error(e, indent);
    if (decoder.blank()) {
        line(indent, "blank array");
        return;
    }
    pad(indent);
    out_.append("OmmArray with entries of");
    dataType(decoder.itemType(), {});
    if (decoder.itemLength() != 0) {
        out_.append(" fixed");
        attribute("width", text(decoder.itemLength()));
    }
    out_.append("\n");
    entries<codec::ArrayDecoder, Bytes>(decoder, indent + 1, [&](Bytes item) {
        std::string value;
        if (!appendPrimitive(value, decoder.itemType(), valueOf(decoder, item), Type::Unknown))
            return error(access::IncompleteDataEnum, indent + 1);
        lineWith(indent + 1, "value", value);
    });
    line(indent, "OmmArrayEnd");
}

}  // namespace emissary::ema
