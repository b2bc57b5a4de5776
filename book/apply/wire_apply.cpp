// Reads maps and field lists from their bytes, set definitions included, and applies the entries.
#include "apply/wire_apply.h"

#include "apply/conversions.h"
#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"

namespace emissary::book::detail {

namespace codec = eta::codec;
using eta::Bytes;

namespace {

[[nodiscard]] FieldType typeOf(codec::DataType setType) noexcept {
    switch (codec::baseType(setType)) {
    case codec::DataType::Int:
        return FieldType::signedInt;
    case codec::DataType::UInt:
        return FieldType::unsignedInt;
    case codec::DataType::Real:
        return FieldType::real;
    case codec::DataType::Enum:
        return FieldType::enumeration;
    case codec::DataType::Date:
        return FieldType::date;
    case codec::DataType::Time:
        return FieldType::time;
    case codec::DataType::Buffer:
    case codec::DataType::AsciiString:
    case codec::DataType::Utf8String:
    case codec::DataType::RmtesString:
        return FieldType::text;
    case codec::DataType::Map:
        return FieldType::container;
    default:
        return FieldType::none;
    }
}

[[nodiscard]] codec::Decoded readTime(Bytes in, std::int64_t& out) noexcept {
    codec::Time t;
    const codec::Decoded outcome = codec::decodeTime(in, t);
    if (outcome != codec::Decoded::value) return outcome;
    out = nanosOfDay(t.hour, t.minute, t.second, t.millisecond, t.microsecond, t.nanosecond);
    return out < 0 ? codec::Decoded::blank : outcome;
}

/// One value; blank ones are marked, malformed ones make the entry faulty.
void readField(const Field& field, Bytes in, Values& out, codec::DataType setType = codec::DataType::Unknown) {
    std::int64_t value = 0;
    std::uint8_t hint = 14;
    codec::Decoded outcome = codec::Decoded::blank;
    switch (field.type) {
    case FieldType::real: {
        codec::Real real;
        outcome = setType == codec::DataType::Real4RB || setType == codec::DataType::Real8RB
                      ? codec::decodeSetReal(in, setType, real)
                      : codec::decodeReal(in, real);
        value = real.mantissa;
        hint = real.hint;
        break;
    }
    case FieldType::unsignedInt: {
        std::uint64_t number = 0;
        outcome = codec::decodeUInt(in, number);
        value = static_cast<std::int64_t>(number);
        // Unsigned values above the signed range cannot be quantities.
        if (value < 0) return out.fail(Fault::malformedField, field.id);  // above the range of all these fields
        break;
    }
    case FieldType::signedInt:
        outcome = codec::decodeInt(in, value);
        break;
    case FieldType::enumeration: {
        std::uint16_t number = 0;
        outcome = codec::decodeEnum(in, number);
        value = number;
        break;
    }
    case FieldType::time:
        outcome = readTime(in, value);
        break;
    case FieldType::date: {
        codec::Date date;
        outcome = codec::decodeDate(in, date);
        value = packedDate(date.year, date.month, date.day);
        break;
    }
    case FieldType::text:
    case FieldType::container:
        if (in.empty()) return out.setBlank(field.meaning);
        return out.set(field.meaning, eta::asText(in));
    case FieldType::none:
        return;
    }
    if (outcome == codec::Decoded::value) [[likely]]
        return out.set(field.meaning, value, hint);
    if (outcome == codec::Decoded::blank) return out.setBlank(field.meaning);
    out.fail(Fault::malformedField, field.id);
}

void readSetList(Bytes in, const codec::SetDefinitionDb* sets, const Fields& fields, Values& out) {
    codec::FieldListDecoder list;
    if (!list.start(in, sets).ok()) return out.fail(Fault::malformedField, 0);
    codec::FieldEntry e;
    while (list.next(e)) {
        const Field& field = fields.find(e.fieldId);
        if (field.meaning == Meaning::ignored) continue;
        if (e.setType != codec::DataType::Unknown && typeOf(e.setType) != field.type) {
            out.fail(Fault::fieldType, field.id);
            continue;
        }
        readField(field, e.data, out, e.setType);
    }
    if (!list.error().ok()) out.fail(Fault::malformedField, 0);
}

/// Widths of the numbers that nearly every field is: a Real's mantissa stands behind its hint.
struct NumberShape {
    std::uint8_t head = 0, most = 0;  ///< most: 0 for everything else
};
constexpr auto kNumberShapes = [] {
    std::array<NumberShape, 9> shapes{};
    shapes[static_cast<std::size_t>(FieldType::unsignedInt)] = {0, 8};
    shapes[static_cast<std::size_t>(FieldType::real)] = {1, 8};
    shapes[static_cast<std::size_t>(FieldType::enumeration)] = {0, 2};
    return shapes;
}();

/// The eight bytes that end with a number's last, the others shifted out. They are readable: at least nine bytes stand
/// before every number, of a map's head, a list's (3) and a field's (3).
struct LastBytes {
    std::uint64_t word;
    unsigned unused;
    LastBytes(const std::byte* end, std::size_t width) noexcept
        : word(eta::loadBe<std::uint64_t>(end - 8)), unused(static_cast<unsigned>(64 - 8 * width)) {}
    [[nodiscard]] std::int64_t asSigned() const noexcept { return static_cast<std::int64_t>(word << unused) >> unused; }
    [[nodiscard]] std::int64_t asUnsigned() const noexcept {
        return static_cast<std::int64_t>(word << unused >> unused);
    }
};

/// The usual list: standard entries with one-byte lengths behind a three-byte head (rwf.md 3.2).
[[gnu::always_inline]] inline void readList(Bytes in, const codec::SetDefinitionDb* sets, const Fields& fields,
                                            Values& out) {
    constexpr std::uint8_t kStandardAlone = 0x08;
    out.reset();
    if (in.empty()) return;
    if (in.size() < 3 || eta::loadBe<std::uint8_t>(in.data()) != kStandardAlone)
        return readSetList(in, sets, fields, out);
    const std::byte* p = in.data() + 3;
    const std::byte* const end = in.data() + in.size();
    std::uint64_t present = 0, blank = 0;  // of `out`; kept in registers
    for (unsigned left = eta::loadBe<std::uint16_t>(in.data() + 1); left != 0; --left) {
        if (end - p < 3) return out.fail(Fault::malformedField, 0);
        const auto id = static_cast<std::int16_t>(eta::loadBe<std::uint16_t>(p));
        std::size_t length = eta::loadBe<std::uint8_t>(p + 2);
        p += 3;
        // 0xFE: two bytes of length follow (rwf.md 1.4).
        if (length >= 0xFE) [[unlikely]] {
            if (length == 0xFF || end - p < 2) return out.fail(Fault::malformedField, 0);
            length = eta::loadBe<std::uint16_t>(p);
            p += 2;
        }
        if (static_cast<std::size_t>(end - p) < length) return out.fail(Fault::malformedField, 0);
        const Field& field = fields.find(id);
        const NumberShape shape = kNumberShapes[static_cast<std::size_t>(field.type)];
        const std::size_t width = length - shape.head;
        // width - 1 covers a width of 0, which becomes very large.
        if (width - 1 < shape.most) [[likely]] {
            const bool real = field.type == FieldType::real;
            const unsigned hint = real ? eta::loadBe<std::uint8_t>(p) & 0x3Fu : 14u;
            const LastBytes last(p + length, width);
            const std::int64_t value = real ? last.asSigned() : last.asUnsigned();
            if (hint < kHints && (real || value >= 0)) [[likely]] {
                present |= Values::bit(field.meaning);
                // A field that comes twice in a list counts as the last one.
                if (blank != 0) [[unlikely]]
                    blank &= ~Values::bit(field.meaning);
                out.values[static_cast<std::size_t>(field.meaning)].number = {value, static_cast<std::uint8_t>(hint)};
                p += length;
                continue;
            }
        }
        if (field.meaning != Meaning::ignored) {
            out.present = present;
            out.blank = blank;
            readField(field, {p, length}, out);
            present = out.present;
            blank = out.blank;
        }
        p += length;
    }
    out.present = present;
    out.blank = blank;
}

/// Numbers as decimal text, everything else as it stands.
class KeyText {
public:
    explicit KeyText(codec::DataType type) noexcept
        : signed_(type == codec::DataType::Int), unsigned_(type == codec::DataType::UInt) {}
    [[nodiscard]] std::string_view of(Bytes key) noexcept {
        if (signed_) {
            std::int64_t n = 0;
            if (codec::decodeInt(key, n) == codec::Decoded::value) return text_.of(n);
        } else if (unsigned_) {
            std::uint64_t n = 0;
            if (codec::decodeUInt(key, n) == codec::Decoded::value) return text_.of(n);
        }
        return eta::asText(key);
    }

private:
    NumericKey text_;
    bool signed_, unsigned_;
};

/// Where the entries of a usual update begin: of a map of field lists with text keys and neither definitions, summary,
/// permission data nor a hint (rwf.md 3.4).
struct PlainMap {
    const std::byte* entries;
    unsigned count;
    bool lists;  ///< false: entries without content
};

/// False: the map is not of that kind.
[[nodiscard]] inline bool readPlainHead(Bytes payload, PlainMap& out) noexcept {
    constexpr std::uint8_t kKeyFieldId = 0x10, kNoData = 0, kFieldLists = 4;
    if (payload.size() < 5) return false;
    const std::byte* p = payload.data();
    const auto flags = eta::loadBe<std::uint8_t>(p);
    const auto keyType = static_cast<codec::DataType>(eta::loadBe<std::uint8_t>(p + 1));
    const auto entryType = eta::loadBe<std::uint8_t>(p + 2);
    if ((flags & ~kKeyFieldId) != 0 || (entryType != kFieldLists && entryType != kNoData) ||
        keyType < codec::DataType::Buffer || keyType > codec::DataType::RmtesString)
        return false;
    p += 3;
    if (flags != 0) {
        if (payload.size() < 7) return false;
        p += 2;
    }
    out = {p + 2, eta::loadBe<std::uint16_t>(p), entryType == kFieldLists};
    return true;
}

/// An entry's action and key; false: it breaks off.
[[nodiscard]] inline bool readEntryHead(const std::byte*& p, const std::byte* end, unsigned& action,
                                        Bytes& key) noexcept {
    if (end - p < 2) return false;
    action = eta::loadBe<std::uint8_t>(p) & 0x0Fu;
    std::size_t length = eta::loadBe<std::uint8_t>(p + 1);
    p += 2;
    if (length >= 0x80) [[unlikely]] {  // two bytes of length
        if (p == end) return false;
        length = (length & 0x7F) << 8 | eta::loadBe<std::uint8_t>(p++);
    }
    if (static_cast<std::size_t>(end - p) < length) return false;
    key = {p, length};
    p += length;
    return true;
}

/// Reads what MapDecoder would, in one loop. False, and nothing done: the map is not of the usual kind.
bool applyPlainMap(Applier& applier, Bytes payload) {
    PlainMap map;
    if (!readPlainHead(payload, map)) return false;
    const std::byte* p = map.entries;
    const std::byte* const end = payload.data() + payload.size();
    Values& values = applier.scratch;
    const Fields& fields = applier.fields();
    for (unsigned left = map.count; left != 0; --left) {
        unsigned action;
        Bytes name;
        if (!readEntryHead(p, end, action, name)) return applier.malformed(), true;
        const Key key(eta::asText(name));
        applier.expect(key);
        if (!map.lists) {
            values.reset();
        } else if (action != codec::MapAction::del) {
            if (p == end) return applier.malformed(), true;
            std::size_t length = eta::loadBe<std::uint8_t>(p++);
            if (length >= 0xFE) [[unlikely]] {
                if (length == 0xFF || end - p < 2) return applier.malformed(), true;
                length = eta::loadBe<std::uint16_t>(p);
                p += 2;
            }
            if (static_cast<std::size_t>(end - p) < length) return applier.malformed(), true;
            readList({p, length}, nullptr, fields, values);
            p += length;
        }
        if (!applier.entry(static_cast<std::uint8_t>(action), key, values)) return true;
    }
    return true;
}

void applyMap(Applier& applier, Bytes payload) {
    if (applyPlainMap(applier, payload)) return;
    codec::MapDecoder map;
    if (!map.start(payload).ok()) return applier.malformed();
    // A map of Deletes alone may have no type of entry at all.
    const bool lists = map.entryType() == codec::DataType::FieldList || map.entryType() == codec::DataType::NoData;
    if (!lists && (map.count() != 0 || map.hasSummary())) return applier.malformed();
    Values& values = applier.scratch;
    const Fields& fields = applier.fields();
    if (map.hasSummary() && !map.summary().empty()) {
        readList(map.summary(), map.sets(), fields, values);
        applier.summary(values);
    }
    KeyText keyText(map.keyType());
    codec::MapEntry e;
    while (map.next(e)) {
        const Key key(keyText.of(e.key));
        applier.expect(key);
        if (e.action != codec::MapAction::del) readList(e.data, map.sets(), fields, values);
        // False: the message was given up.
        if (!applier.entry(e.action, key, values)) return;
    }
    if (!map.error().ok()) applier.malformed();
}

[[nodiscard]] MessageHead headOf(const codec::Msg& msg) noexcept {
    MessageHead head;
    if (msg.cls == codec::MsgClass::Refresh) {
        head.hasSequence = msg.hasSeqNum();
        head.sequence = msg.seqNum;
        head.clearCache = msg.has(codec::RefreshFlag::clearCache);
        head.complete = msg.has(codec::RefreshFlag::complete);
        head.hasPart = msg.hasPartNum();
        head.part = msg.partNum;
    } else {
        head.cls = MessageHead::Class::status;
        head.clearCache = msg.has(codec::StatusFlag::clearCache);
    }
    head.hasState = msg.hasState();
    head.stream = msg.state.stream;
    head.data = msg.state.data;
    return head;
}

template <class Head>
[[gnu::always_inline]] inline Verdict applyMsg(Applier& applier, Book& book, const codec::Msg& msg, const Head& head) {
    if (applier.begin(book, head)) {
        if (msg.containerType == codec::DataType::Map) [[likely]]
            applyMap(applier, msg.payload);
        else if (msg.containerType != codec::DataType::NoData) applier.malformed();
    }
    return applier.finish(head);
}

Verdict applyOther(Applier& applier, Book& book, const codec::Msg& msg) {
    // Other classes carry nothing for a book.
    if (msg.cls != codec::MsgClass::Refresh && msg.cls != codec::MsgClass::Status) return Verdict::fine;
    return applyMsg(applier, book, msg, headOf(msg));
}

}  // namespace

Verdict applyWire(Applier& applier, Book& book, const codec::Msg& msg) {
    if (msg.cls != codec::MsgClass::Update) [[unlikely]]
        return applyOther(applier, book, msg);
    const UpdateHead head{msg.has(codec::UpdateFlag::doNotCache), msg.has(codec::UpdateFlag::seqNum), msg.seqNum};
    return applyMsg(applier, book, msg, head);
}

Verdict applyMalformed(Applier& applier, Book& book) {
    const UpdateHead head;
    if (applier.begin(book, head)) applier.malformed();
    return applier.finish(head);
}

bool firstTag(Bytes payload, std::uint32_t& tag) noexcept {
    PlainMap map;
    if (!readPlainHead(payload, map) || map.count == 0) return false;
    unsigned action;
    Bytes name;
    const std::byte* p = map.entries;
    if (!readEntryHead(p, payload.data() + payload.size(), action, name)) return false;
    tag = Key(eta::asText(name)).tag();
    return true;
}

}  // namespace emissary::book::detail
