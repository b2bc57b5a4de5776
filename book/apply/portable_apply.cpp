// Reads maps and field lists of a message with the public classes and applies their entries.
#include "apply/portable_apply.h"

#include "apply/conversions.h"

namespace emissary::book::detail {

using namespace refinitiv::ema::access;

namespace {

[[nodiscard]] std::string_view textOf(const EmaBuffer& b) {
    return {b.c_buf(), b.length()};
}
[[nodiscard]] std::string_view textOf(const EmaString& s) {
    return {s.c_str(), s.length()};
}

[[nodiscard]] FieldType typeOf(DataType::DataTypeEnum type) noexcept {
    switch (type) {
    case DataType::IntEnum:
        return FieldType::signedInt;
    case DataType::UIntEnum:
        return FieldType::unsignedInt;
    case DataType::RealEnum:
        return FieldType::real;
    case DataType::EnumEnum:
        return FieldType::enumeration;
    case DataType::DateEnum:
        return FieldType::date;
    case DataType::TimeEnum:
        return FieldType::time;
    case DataType::BufferEnum:
    case DataType::AsciiEnum:
    case DataType::Utf8Enum:
    case DataType::RmtesEnum:
        return FieldType::text;
    case DataType::MapEnum:
        return FieldType::container;
    default:
        return FieldType::none;
    }
}

void readText(const Field& field, const FieldEntry& e, Values& out, Applier::Texts& texts) {
    // The bytes as they came, whatever the text's type; the same load object shows the next field later.
    std::string& kept = texts[static_cast<std::size_t>(field.meaning)];
    kept = textOf(e.getLoad().getAsHex());
    if (kept.empty()) out.setBlank(field.meaning);
    else out.set(field.meaning, std::string_view(kept));
}

void readField(const Field& field, const FieldEntry& e, Values& out, Applier::Texts& texts) {
    // A value that cannot be read makes the entry faulty, not the message.
    const DataType::DataTypeEnum type = e.getLoadType();
    if (type == DataType::ErrorEnum) return out.fail(Fault::malformedField, field.id);
    if (typeOf(type) != field.type) return out.fail(Fault::fieldType, field.id);
    if (field.type == FieldType::text || field.type == FieldType::container) return readText(field, e, out, texts);
    if (e.getCode() == Data::BlankEnum) return out.setBlank(field.meaning);
    switch (field.type) {
    case FieldType::real:
        return out.set(field.meaning, e.getReal().getMantissa(),
                       static_cast<std::uint8_t>(e.getReal().getMagnitudeType()));
    case FieldType::unsignedInt:
        if (e.getUInt() >> 63 != 0) return out.fail(Fault::malformedField, field.id);
        return out.set(field.meaning, static_cast<std::int64_t>(e.getUInt()));
    case FieldType::signedInt:
        return out.set(field.meaning, e.getInt());
    case FieldType::enumeration:
        return out.set(field.meaning, e.getEnum());
    // The date is packed, so that it fits into the field of a row.
    case FieldType::date: {
        const OmmDate& d = e.getDate();
        return out.set(field.meaning, packedDate(d.getYear(), d.getMonth(), d.getDay()));
    }
    case FieldType::time: {
        const OmmTime& t = e.getTime();
        const std::int64_t nanos = nanosOfDay(t.getHour(), t.getMinute(), t.getSecond(), t.getMillisecond(),
                                              t.getMicrosecond(), t.getNanosecond());
        return nanos < 0 ? out.setBlank(field.meaning) : out.set(field.meaning, nanos);
    }
    case FieldType::text:
    case FieldType::container:
    case FieldType::none:
        return;
    }
}

void readList(const FieldList& list, Applier& applier, Values& out) {
    const Fields& fields = applier.fields();
    out.reset();
    try {
        while (list.forth()) {
            const FieldEntry& e = list.getEntry();
            const Field& field = fields.find(e.getFieldId());
            if (field.meaning != Meaning::ignored) readField(field, e, out, applier.texts);
        }
    } catch (const OmmException&) { out.fail(Fault::malformedField, 0); }
}

[[nodiscard]] std::string_view keyOf(const refinitiv::ema::access::Key& key, NumericKey& text) {
    switch (key.getDataType()) {
    case DataType::IntEnum:
        // Numbers become text, so that a key is found whichever way it was sent.
        return text.of(key.getInt());
    case DataType::UIntEnum:
        return text.of(key.getUInt());
    case DataType::BufferEnum:
        return textOf(key.getBuffer());
    case DataType::AsciiEnum:
        return textOf(key.getAscii());
    default:
        return textOf(key.getData().getAsHex());
    }
}

void applyMap(Applier& applier, const Map& map) {
    Values& values = applier.scratch;
    const DataType::DataTypeEnum summary = map.getSummaryData().getDataType();
    // The summary is applied before the entries, as rank rules decide where those go.
    if (summary == DataType::FieldListEnum) {
        readList(map.getSummaryData().getFieldList(), applier, values);
        applier.summary(values);
    } else if (summary != DataType::NoDataEnum) {
        return applier.malformed();
    }
    while (map.forth()) {
        const MapEntry& e = map.getEntry();
        if (e.getLoadType() == DataType::ErrorEnum) return applier.malformed();  // the map breaks off here
        NumericKey numeric;
        const Key key(keyOf(e.getKey(), numeric));
        values.reset();
        if (e.getAction() != MapEntry::DeleteEnum) {
            const DataType::DataTypeEnum type = e.getLoadType();
            if (type == DataType::FieldListEnum) readList(e.getFieldList(), applier, values);
            else if (type != DataType::NoDataEnum) return applier.malformed();
        }
        if (!applier.entry(static_cast<std::uint8_t>(e.getAction()), key, values)) return;
    }
}

}  // namespace

MessageHead headOf(const RefreshMsg& msg) {
    MessageHead head;
    head.cls = MessageHead::Class::refresh;
    head.clearCache = msg.getClearCache();
    head.complete = msg.getComplete();
    head.hasSequence = msg.hasSeqNum();
    if (head.hasSequence) head.sequence = msg.getSeqNum();
    head.hasPart = msg.hasPartNum();
    if (head.hasPart) head.part = msg.getPartNum();
    const OmmState& state = msg.getState();
    head.hasState = true;
    head.stream = static_cast<std::uint8_t>(state.getStreamState());
    head.data = static_cast<std::uint8_t>(state.getDataState());
    return head;
}

UpdateHead headOf(const UpdateMsg& msg) {
    UpdateHead head;
    head.doNotCache = msg.getDoNotCache();
    head.hasSequence = msg.hasSeqNum();
    if (head.hasSequence) head.sequence = msg.getSeqNum();
    return head;
}

MessageHead headOf(const StatusMsg& msg) {
    MessageHead head;
    head.cls = MessageHead::Class::status;
    head.clearCache = msg.getClearCache();
    head.hasState = msg.hasState();
    if (head.hasState) {
        head.stream = static_cast<std::uint8_t>(msg.getState().getStreamState());
        head.data = static_cast<std::uint8_t>(msg.getState().getDataState());
    }
    return head;
}

template <class Head>
Verdict applyPublic(Applier& applier, Book& book, const Head& head, const Payload& payload) {
    if (applier.begin(book, head)) {
        const DataType::DataTypeEnum type = payload.getDataType();
        try {
            if (type == DataType::MapEnum) applyMap(applier, payload.getMap());
            else if (type != DataType::NoDataEnum) applier.malformed();
            // A payload that throws is malformed as a whole.
        } catch (const OmmException&) { applier.malformed(); }
    }
    return applier.finish(head);
}

template Verdict applyPublic(Applier&, Book&, const MessageHead&, const Payload&);
template Verdict applyPublic(Applier&, Book&, const UpdateHead&, const Payload&);

}  // namespace emissary::book::detail
