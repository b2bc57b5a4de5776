// tools/rwfcat: writes everything that stands in a message as members of the vectors' schema.
#include "vector_json.h"

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"
#include "eta/core/json_escapes.h"

#include <bit>
#include <cstdio>
#include <type_traits>

namespace emissary::rwfcat {

using namespace emissary::eta;
using namespace emissary::eta::codec;

namespace {

/// Thrown inside this file only.
struct Bad {
    Error error;
};

class Writer {
public:
    Writer(std::string& out, Bytes all, const JsonContext& context) : out_(out), base_(all.data()), context_(context) {}

    void value(Bytes in, DataType type, const SetDefinitionDb* sets = nullptr, DataType setType = DataType::Unknown);

private:
    // --- JSON
    void separate() {
        if (out_.back() != '{' && out_.back() != '[' && out_.back() != ':') out_ += ',';
    }
    void open(char c) {
        separate();
        out_ += c;
    }
    void key(std::string_view name) {
        separate();
        out_.append("\"").append(name).append("\":");
    }
    template <class T>
    void number(std::string_view name, T v) {
        key(name);
        out_ += std::to_string(v);
    }
    void text(std::string_view name, std::string_view v) {
        key(name);
        appendAsciiJsonString(out_, v);
    }
    void hex(std::string_view name, Bytes v) {
        key(name);
        out_ += '"';
        appendHex(out_, v);
        out_ += '"';
    }
    void flag(std::string_view name, bool v) {
        key(name);
        out_ += v ? "true" : "false";
    }

    // --- failures
    // The offset is from the start of the message, however deep the fault is.
    [[nodiscard]] std::uint32_t offsetOf(Bytes at) const {
        return at.data() == nullptr ? 0 : static_cast<std::uint32_t>(at.data() - base_);
    }
    void check(Error e, Bytes in) const {
        if (!e.ok()) throw Bad{{e.code, offsetOf(in) + e.offset}};
    }
    /// False for a blank value, which has been written then.
    bool present(Decoded d, Bytes in) {
        if (d == Decoded::malformed) throw Bad{{Errc::badValue, offsetOf(in)}};
        if (d == Decoded::blank) flag("blank", true);
        return d == Decoded::value;
    }

    // --- parts
    bool primitive(Bytes in, DataType type, DataType setType);
    void date(const Date& v);
    void time(const Time& v);
    void qos(const Qos& v);
    void state(const State& v);
    void array(Bytes in);
    void fieldList(Bytes in, const SetDefinitionDb* sets);
    void elementList(Bytes in, const SetDefinitionDb* sets);
    void map(Bytes in);
    void vector(Bytes in);
    void series(Bytes in);
    void filterList(Bytes in);
    void message(Bytes in);
    void msgKey(const MsgKey& k);
    void head(const EntryContainerDecoder& in);
    void definitions(const SetDefinitionDb& db, Bytes raw);
    void action(std::uint8_t number, std::initializer_list<const char*> words);
    void permData(bool has, Bytes v) {
        if (has) hex("permData", v);
    }
    /// Set id, set values and standard entries; `writeEntry` writes the content of one entry.
    template <class Entry, class List, class WriteEntry>
    void listEntries(List& list, Bytes in, WriteEntry writeEntry);

    std::string& out_;
    const std::byte* base_;
    const JsonContext& context_;
    int depth_ = 0;
};

void Writer::date(const Date& v) {
    number("day", +v.day);
    number("month", +v.month);
    number("year", v.year);
}

void Writer::time(const Time& v) {
    number("hour", +v.hour);
    number("minute", +v.minute);
    number("second", +v.second);
    number("ms", v.millisecond);
    number("us", v.microsecond);
    number("ns", v.nanosecond);
}

void Writer::qos(const Qos& v) {
    number("timeliness", +v.timeliness);
    number("rate", +v.rate);
    flag("dynamic", v.dynamic);
    number("timeInfo", v.timeInfo);
    number("rateInfo", v.rateInfo);
}

void Writer::state(const State& v) {
    number("stream", +v.stream);
    number("data", +v.data);
    number("code", +v.code);
    text("text", asText(v.text));
}

bool Writer::primitive(Bytes in, DataType type, DataType setType) {
    // Numbers of 64 bits are written as text: JSON readers would round them.
    const auto decimal = [this](auto v) {
        key("v");
        out_.append("\"").append(std::to_string(v)).append("\"");
    };
    // Floats are written as their bits, so that no digit is lost.
    const auto bits = [this](auto v) {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%0*llx", static_cast<int>(2 * sizeof v),
                      static_cast<unsigned long long>(v));
        text("bits", digits);
    };
    switch (type) {
    case DataType::Int: {
        std::int64_t v = 0;
        if (present(decodeInt(in, v), in)) decimal(v);
        return true;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (present(decodeUInt(in, v), in)) decimal(v);
        return true;
    }
    case DataType::Float: {
        float v = 0;
        if (present(decodeFloat(in, v), in)) bits(std::bit_cast<std::uint32_t>(v));
        return true;
    }
    case DataType::Double: {
        double v = 0;
        if (present(decodeDouble(in, v), in)) bits(std::bit_cast<std::uint64_t>(v));
        return true;
    }
    case DataType::Real: {
        Real v;
        if (present(decodeSetReal(in, setType, v), in)) number("hint", +v.hint), decimal(v.mantissa);
        return true;
    }
    case DataType::Date: {
        Date v;
        if (present(decodeDate(in, v), in)) date(v);
        return true;
    }
    case DataType::Time: {
        Time v;
        if (present(decodeTime(in, v), in)) time(v);
        return true;
    }
    case DataType::DateTime: {
        DateTime v;
        if (present(decodeDateTime(in, v), in)) date(v.date), time(v.time);
        return true;
    }
    case DataType::Qos: {
        Qos v;
        if (present(decodeQos(in, v), in)) qos(v);
        return true;
    }
    case DataType::State: {
        State v;
        if (present(decodeState(in, v), in)) state(v);
        return true;
    }
    case DataType::Enum: {
        std::uint16_t v = 0;
        if (present(decodeEnum(in, v), in)) number("v", v);
        return true;
    }
    default:
        return false;
    }
}

void Writer::array(Bytes in) {
    ArrayDecoder list;
    check(list.start(in), in);
    if (list.blank()) return flag("blank", true);
    text("itemType", schemaName(list.itemType()));
    number("itemLength", list.itemLength());
    key("items");
    open('[');
    for (Bytes item; list.next(item);)
        value(item, list.itemType());
    check(list.error(), in);
    out_ += ']';
}

template <class Entry, class List, class WriteEntry>
void Writer::listEntries(List& list, Bytes in, WriteEntry writeEntry) {
    // Flags of set data and standard data (rwf.md 3.9).
    if ((list.flags() & 0x06) == 0x06) number("setId", list.setId());
    if (list.setSkipped()) check({Errc::missingSet, 0}, in);
    const bool hasStandard = (list.flags() & 0x08) != 0;
    bool inSet = (list.flags() & 0x02) != 0;
    if (inSet) key("set"), open('[');
    else if (hasStandard) key("standard"), open('[');
    for (Entry entry; list.next(entry);) {
        const bool standard = entry.setType == DataType::Unknown;
        if (inSet && standard) inSet = false, out_ += ']', key("standard"), open('[');
        open('{');
        writeEntry(entry, standard);
        out_ += '}';
    }
    check(list.error(), in);
    if (inSet && hasStandard) out_ += ']', key("standard"), open('[');
    if (inSet || hasStandard) out_ += ']';
}

void Writer::fieldList(Bytes in, const SetDefinitionDb* sets) {
    FieldListDecoder list;
    check(list.start(in, sets), in);
    if (list.hasInfo()) {
        key("info");
        open('{');
        number("dictionaryId", list.dictionaryId());
        number("fieldListNum", list.fieldListNum());
        out_ += '}';
    }
    listEntries<FieldEntry>(list, in, [this](const FieldEntry& entry, bool standard) {
        const FieldInfo info = context_.field ? context_.field(entry.fieldId) : FieldInfo{};
        number("fid", entry.fieldId);
        if (!info.name.empty()) text("name", info.name);
        key("value");
        value(entry.data, standard ? info.type : baseType(entry.setType), nullptr, entry.setType);
    });
}

void Writer::elementList(Bytes in, const SetDefinitionDb* sets) {
    ElementListDecoder list;
    check(list.start(in, sets), in);
    if (list.hasInfo()) {
        key("info");
        open('{');
        number("elementListNum", list.elementListNum());
        out_ += '}';
    }
    listEntries<ElementEntry>(list, in, [this](const ElementEntry& entry, bool) {
        text("name", asText(entry.name));
        key("value");
        value(entry.data, entry.type, nullptr, entry.setType);
    });
}

/// The ids stand in `raw` in wire order; the database only finds by id.
void Writer::definitions(const SetDefinitionDb& db, Bytes raw) {
    const bool elements = db.kind() == SetDefinitionDb::Kind::elements;
    key("setDefs");
    open('{');
    text("of", elements ? "ElementList" : "FieldList");
    key("defs");
    open('[');
    BeReader in{raw};
    static_cast<void>(in.u8());
    for (unsigned left = in.u8(); left != 0; --left) {
        const SetDefinition* const set = db.find(in.u15rb());
        if (set == nullptr) throw Bad{{Errc::missingSet, offsetOf(raw)}};
        open('{');
        number("id", set->id());
        key("entries");
        open('[');
        SetEntry entry;
        for (auto cursor = set->entries(); cursor.next(entry);) {
            open('{');
            if (elements) text("name", asText(entry.name));
            else number("fid", entry.fieldId);
            text("type", schemaName(entry.type));
            out_ += '}';
        }
        out_ += "]}";
        for (unsigned skip = in.u8(); skip != 0; --skip) {
            static_cast<void>(elements ? in.buf15() : in.take(2));
            static_cast<void>(in.u8());
        }
    }
    out_ += "]}";
}

void Writer::head(const EntryContainerDecoder& in) {
    // Definitions come first, because the summary and the entries need them.
    text("entryType", schemaName(in.entryType()));
    if (in.hasSetDefs()) definitions(*in.sets(), in.setDefs());
    if (in.hasSummary()) key("summary"), value(in.summary(), in.entryType(), in.sets());
    if (in.hasTotalCountHint()) number("totalCountHint", in.totalCountHint());
    key("entries");
    open('[');
}

/// Words for the numbers from 1 on; other numbers as they are.
void Writer::action(std::uint8_t number, std::initializer_list<const char*> words) {
    if (number >= 1 && number <= words.size()) return text("action", words.begin()[number - 1]);
    this->number("action", +number);
}

void Writer::map(Bytes in) {
    MapDecoder list;
    check(list.start(in), in);
    text("keyType", schemaName(list.keyType()));
    if (list.hasKeyFieldId()) number("keyFieldId", list.keyFieldId());
    head(list);
    for (MapEntry entry; list.next(entry);) {
        open('{');
        action(entry.action, {"Update", "Add", "Delete"});
        key("key");
        value(entry.key, list.keyType());
        permData(entry.hasPermData, entry.permData);
        // A Delete has a key and nothing else.
        if (entry.action != MapAction::del && list.entryType() != DataType::NoData)
            key("value"), value(entry.data, list.entryType(), list.sets());
        out_ += '}';
    }
    check(list.error(), in);
    out_ += ']';
}

void Writer::vector(Bytes in) {
    VectorDecoder list;
    check(list.start(in), in);
    if (list.sortable()) flag("sorting", true);
    head(list);
    for (VectorEntry entry; list.next(entry);) {
        open('{');
        action(entry.action, {"Update", "Set", "Clear", "Insert", "Delete"});
        number("index", entry.index);
        permData(entry.hasPermData, entry.permData);
        const bool payload = entry.action != VectorAction::clear && entry.action != VectorAction::del;
        if (payload && list.entryType() != DataType::NoData)
            key("value"), value(entry.data, list.entryType(), list.sets());
        out_ += '}';
    }
    check(list.error(), in);
    out_ += ']';
}

void Writer::series(Bytes in) {
    SeriesDecoder list;
    check(list.start(in), in);
    head(list);
    for (SeriesEntry entry; list.next(entry);) {
        open('{');
        if (list.entryType() != DataType::NoData) key("value"), value(entry.data, list.entryType(), list.sets());
        out_ += '}';
    }
    check(list.error(), in);
    out_ += ']';
}

void Writer::filterList(Bytes in) {
    FilterListDecoder list;
    check(list.start(in), in);
    text("entryType", schemaName(list.entryType()));
    if (list.hasTotalCountHint()) number("totalCountHint", +list.totalCountHint());
    key("entries");
    open('[');
    for (FilterEntry entry; list.next(entry);) {
        open('{');
        action(entry.action, {"Update", "Set", "Clear"});
        number("id", +entry.id);
        if (entry.ownType) text("type", schemaName(entry.type));
        permData(entry.hasPermData, entry.permData);
        if (entry.action != FilterAction::clear && entry.type != DataType::NoData)
            key("value"), value(entry.data, entry.type);
        out_ += '}';
    }
    check(list.error(), in);
    out_ += ']';
}

void Writer::msgKey(const MsgKey& k) {
    open('{');
    if (k.has(KeyFlag::serviceId)) number("serviceId", k.serviceId);
    if (k.has(KeyFlag::name)) text("name", asText(k.name));
    if (k.has(KeyFlag::nameType)) number("nameType", +k.nameType);
    if (k.has(KeyFlag::filter)) number("filter", k.filter);
    if (k.has(KeyFlag::identifier)) number("identifier", k.identifier);
    if (k.has(KeyFlag::attrib)) key("attrib"), value(k.attrib, k.attribType);
    out_ += '}';
}

void Writer::message(Bytes in) {
    Msg m;
    // The message is decoded as a whole, so a fault of its header is found before anything is written.
    check(decodeMsg(in, m), in);
    const bool request = m.cls == MsgClass::Request, generic = m.cls == MsgClass::Generic,
               update = m.cls == MsgClass::Update, ack = m.cls == MsgClass::Ack, post = m.cls == MsgClass::Post;
    const auto object = [this](const char* name, auto&& write) {
        key(name);
        open('{');
        write();
        out_ += '}';
    };
    text("class", name(m.cls));
    number("domain", +m.domain);
    number("streamId", m.streamId);
    number("flags", m.flags);
    text("containerType", schemaName(m.containerType));
    if (request && m.has(RequestFlag::priority))
        object("priority", [&] { number("class", +m.priorityClass), number("count", m.priorityCount); });
    if (m.hasQos()) object("qos", [&] { qos(m.qos); });
    if (request && m.has(RequestFlag::worstQos)) object("worstQos", [&] { qos(m.worstQos); });
    if (m.hasState()) object("state", [&] { state(m.state); });
    if (m.hasSeqNum()) number("seqNum", m.seqNum);
    if (generic && m.has(GenericFlag::secondarySeqNum)) number("secondarySeqNum", m.secondarySeqNum);
    if (m.hasGroupId()) hex("groupId", m.groupId);
    if (m.hasPermData()) hex("permData", m.permData);
    if (m.hasKey()) key("key"), msgKey(m.key);
    if (m.hasExtendedHeader()) hex("extHeader", m.extendedHeader);
    if (m.hasPostUserInfo())
        object("postUserInfo", [&] { number("addr", m.postUserAddress), number("id", m.postUserId); });
    if (m.hasPartNum()) number("partNum", m.partNum);
    if (update) number("updateType", +m.updateType);
    if (update && m.has(UpdateFlag::confInfo))
        object("conflation", [&] { number("count", m.conflationCount), number("time", m.conflationTime); });
    if (ack) number("ackId", m.ackId);
    if (ack && m.has(AckFlag::nakCode)) number("nakCode", +m.nakCode);
    if (ack && m.has(AckFlag::text)) text("text", asText(m.text));
    if (post && m.has(PostFlag::postId)) number("postId", m.postId);
    if (post && m.has(PostFlag::postUserRights)) number("postUserRights", m.postUserRights);
    if (m.containerType != DataType::NoData) key("payload"), value(m.payload, m.containerType);
}

void Writer::value(Bytes in, DataType type, const SetDefinitionDb* sets, DataType setType) {
    // Depth counts containers, so that a message of nested ones cannot exhaust the stack.
    const bool nested = (isContainer(type) || type == DataType::Array) && !in.empty();
    if (nested && depth_ == kMaxDepth) throw Bad{{Errc::tooDeep, offsetOf(in)}};
    depth_ += nested;
    open('{');
    if (type == DataType::Unknown) {
        text("t", "Buffer");
        flag("unknown", true);
        if (in.empty()) flag("blank", true);
        else hex("hex", in);
    } else {
        text("t", schemaName(type));
        if (isContainer(type) && in.empty()) {
            if (type != DataType::NoData) flag("empty", true);
        } else if (!primitive(in, type, setType)) {
            switch (type) {
            case DataType::Array:
                array(in);
                break;
            case DataType::FieldList:
                fieldList(in, sets);
                break;
            case DataType::ElementList:
                elementList(in, sets);
                break;
            case DataType::Map:
                map(in);
                break;
            case DataType::Vector:
                vector(in);
                break;
            case DataType::Series:
                series(in);
                break;
            case DataType::FilterList:
                filterList(in);
                break;
            case DataType::Msg:
                message(in);
                break;
            default:
                if (in.empty()) flag("blank", true);
                else hex("hex", in);
                break;
            }
        }
    }
    depth_ -= nested;
    out_ += '}';
}

// Nothing of a faulty value stays in the output.
Error guarded(std::string& out, Bytes in, const JsonContext& context, const std::function<void(Writer&)>& write) {
    const std::size_t before = out.size();
    out += ':';  // so that the first value is not separated from what was there
    Writer writer(out, in, context);
    try {
        write(writer);
    } catch (const Bad& bad) {
        out.resize(before);
        return bad.error;
    }
    out.erase(before, 1);
    return {};
}

}  // namespace

Error appendVectorJson(std::string& out, Bytes in, DataType type, const JsonContext& context) {
    return guarded(out, in, context, [&](Writer& w) { w.value(in, type, context.sets); });
}

Error appendSetValueJson(std::string& out, Bytes in, DataType setType, const JsonContext& context) {
    return guarded(out, in, context, [&](Writer& w) { w.value(in, baseType(setType), nullptr, setType); });
}

std::string schemaName(DataType type) {
    std::string word = name(type);
    // The vectors' schema writes the types of sets in capitals.
    if (const auto n = static_cast<unsigned>(type); n >= 64 && n <= 84)
        for (char& c : word)
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return word;
}

DataType schemaType(std::string_view word) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (unsigned n = 1; n < 256; ++n) {
        const std::string_view known = name(static_cast<DataType>(n));
        bool same = known != "Unknown" && known.size() == word.size();
        for (std::size_t i = 0; same && i < known.size(); ++i)
            same = lower(known[i]) == lower(word[i]);
        if (same) return static_cast<DataType>(n);
    }
    return DataType::Unknown;
}

void appendHex(std::string& out, Bytes bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (const std::byte b : bytes) {
        const auto n = std::to_integer<unsigned>(b);
        out += kDigits[n >> 4];
        out += kDigits[n & 15];
    }
}

}  // namespace emissary::rwfcat
