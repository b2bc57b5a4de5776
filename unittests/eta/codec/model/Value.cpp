// Writes a value as text and as bytes in hexadecimal.
#include "Value.h"

#include <memory>
#include <sstream>

namespace emissary::eta::codec::model {

namespace {

[[nodiscard]] std::string quoted(std::string_view bytes) {
    std::string out = hex(asBytes(bytes));
    out.insert(out.begin(), '\'');
    out.push_back('\'');
    return out;
}

[[nodiscard]] std::string parts(const Date& v) {
    std::ostringstream s;
    s << +v.day << '.' << +v.month << '.' << v.year;
    return s.str();
}

[[nodiscard]] std::string parts(const Time& v) {
    std::ostringstream s;
    s << +v.hour << ':' << +v.minute << ':' << +v.second << ':' << v.millisecond << ':' << v.microsecond << ':'
      << v.nanosecond;
    return s.str();
}

void dumpInto(std::ostream& out, const Value& v);

void dumpEntries(std::ostream& out, const std::vector<Entry>& entries) {
    out << '[';
    for (const Entry& e : entries) {
        out << "{fid=" << e.fieldId << " name=" << quoted(e.name) << " action=" << +e.action << " id=" << +e.id
            << " index=" << e.index;
        if (e.permData) out << " perm=" << quoted(*e.permData);
        if (e.ownType) out << " type=" << name(*e.ownType);
        for (const Value& key : e.key)
            out << " key=", dumpInto(out, key);
        for (const Value& value : e.value)
            out << " value=", dumpInto(out, value);
        out << '}';
    }
    out << ']';
}

void dumpDefs(std::ostream& out, const SetDefs& defs) {
    out << (defs.elements ? " elements{" : " fields{");
    for (const SetDef& d : defs.defs) {
        out << d.id << ":(";
        for (const SetDef::Item& i : d.items)
            out << i.fieldId << quoted(i.name) << name(i.type) << ' ';
        out << ')';
    }
    out << '}';
}

void dumpInto(std::ostream& out, const Value& v) {
    out << name(v.type) << '(';
    if (v.blank) out << "blank";
    else if (v.empty) out << "empty";
    else {
        switch (v.type) {
        case DataType::Int:
        case DataType::UInt:
        case DataType::Float:
        case DataType::Double:
        case DataType::Enum:
            out << std::hex << v.bits << std::dec;
            break;
        case DataType::Real:
            out << v.real.mantissa << " hint " << +v.real.hint;
            break;
        case DataType::Date:
            out << parts(v.dateTime.date);
            break;
        case DataType::Time:
            out << parts(v.dateTime.time);
            break;
        case DataType::DateTime:
            out << parts(v.dateTime.date) << ' ' << parts(v.dateTime.time);
            break;
        case DataType::Qos:
            out << dump(v.qos);
            break;
        case DataType::State:
            out << +v.state.stream << '/' << +v.state.data << '/' << +v.state.code << ' ' << quoted(v.bytes);
            break;
        case DataType::Array:
            out << name(v.itemType) << '/' << v.itemLength << ": ";
            for (const Value& item : v.items)
                dumpInto(out, item);
            break;
        case DataType::FieldList:
        case DataType::ElementList:
            if (v.info) out << "info " << v.info->first << ' ' << v.info->second;
            if (v.setId) out << " setId " << *v.setId;
            if (v.set) out << " set ", dumpEntries(out, *v.set);
            if (v.standard) out << " standard ", dumpEntries(out, *v.standard);
            break;
        case DataType::Map:
        case DataType::Vector:
        case DataType::Series:
        case DataType::FilterList:
            out << "of " << name(v.entryType) << " keys " << name(v.keyType) << (v.sortable ? " sortable" : "");
            if (v.keyFieldId) out << " keyFieldId " << *v.keyFieldId;
            if (v.setDefs) dumpDefs(out, *v.setDefs);
            for (const Value& s : v.summary)
                out << " summary ", dumpInto(out, s);
            if (v.hint) out << " hint " << *v.hint;
            dumpEntries(out, v.entries);
            break;
        case DataType::Msg:
            for (const MsgParts& m : v.msg) {
                for (const auto& [member, text] : m.shown)
                    out << member << '=' << text << ' ';
                for (const Value& a : m.attrib)
                    out << " attrib ", dumpInto(out, a);
                for (const Value& p : m.payload)
                    out << " payload ", dumpInto(out, p);
            }
            break;
        case DataType::NoData:
            break;
        default:
            out << quoted(v.bytes);
            break;
        }
    }
    out << ')';
}

[[nodiscard]] unsigned nibble(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    throw Fault("not a hex digit");
}

}  // namespace

std::string dump(const Value& v) {
    std::ostringstream out;
    dumpInto(out, v);
    return out.str();
}

std::string dump(const Qos& v) {
    std::ostringstream out;
    out << +v.timeliness << '/' << +v.rate << '/' << v.dynamic << ' ' << v.timeInfo << ' ' << v.rateInfo;
    return out.str();
}

void show(MsgParts& m) {
    const Msg& h = m.header;
    const auto put = [&m](const char* member, auto number) { m.shown[member] = std::to_string(number); };
    const auto two = [&m](const char* member, auto a, auto b) {
        m.shown[member] = std::to_string(a) + " " + std::to_string(b);
    };
    const auto bytes = [&m](const char* member, const std::string& b) { m.shown[member] = hex(asBytes(b)); };
    m.shown["class"] = name(h.cls);
    put("domain", h.domain);
    put("streamId", h.streamId);
    put("flags", h.flags);
    m.shown["containerType"] = name(h.containerType);
    const bool request = h.cls == MsgClass::Request, generic = h.cls == MsgClass::Generic,
               update = h.cls == MsgClass::Update, ack = h.cls == MsgClass::Ack, post = h.cls == MsgClass::Post;
    if (request && h.has(RequestFlag::priority)) two("priority", h.priorityClass, h.priorityCount);
    if (h.hasQos()) m.shown["qos"] = dump(h.qos);
    if (request && h.has(RequestFlag::worstQos)) m.shown["worstQos"] = dump(h.worstQos);
    if (h.hasState())
        m.shown["state"] = std::to_string(h.state.stream) + "/" + std::to_string(h.state.data) + "/" +
                           std::to_string(h.state.code) + " " + hex(asBytes(m.stateText));
    if (h.hasSeqNum()) put("seqNum", h.seqNum);
    if (generic && h.has(GenericFlag::secondarySeqNum)) put("secondarySeqNum", h.secondarySeqNum);
    if (h.hasGroupId()) bytes("groupId", m.groupId);
    if (h.hasPermData()) bytes("permData", m.permData);
    if (h.hasExtendedHeader()) bytes("extHeader", m.extendedHeader);
    if (h.hasPostUserInfo()) two("postUserInfo", h.postUserAddress, h.postUserId);
    if (h.hasPartNum()) put("partNum", h.partNum);
    if (update) put("updateType", h.updateType);
    if (update && h.has(UpdateFlag::confInfo)) two("conflation", h.conflationCount, h.conflationTime);
    if (ack) put("ackId", h.ackId);
    if (ack && h.has(AckFlag::nakCode)) put("nakCode", h.nakCode);
    if (ack && h.has(AckFlag::text)) bytes("text", m.text);
    if (post && h.has(PostFlag::postId)) put("postId", h.postId);
    if (post && h.has(PostFlag::postUserRights)) put("postUserRights", h.postUserRights);
    if (!h.hasKey()) return;
    const MsgKey& key = h.key;
    m.shown["key"] = "present";
    if (key.has(KeyFlag::serviceId)) put("key.serviceId", key.serviceId);
    if (key.has(KeyFlag::name)) bytes("key.name", m.name);
    if (key.has(KeyFlag::nameType)) put("key.nameType", key.nameType);
    if (key.has(KeyFlag::filter)) put("key.filter", key.filter);
    if (key.has(KeyFlag::identifier)) put("key.identifier", key.identifier);
}

std::string hex(Bytes b) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(b.size() * 2);
    for (const std::byte x : b) {
        const auto n = std::to_integer<unsigned>(x);
        out += digits[n >> 4];
        out += digits[n & 15];
    }
    return out;
}

std::vector<std::byte> unhex(std::string_view text) {
    std::vector<std::byte> out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        out.push_back(static_cast<std::byte>(nibble(text[i]) << 4 | nibble(text[i + 1])));
    return out;
}

Bytes wire(std::string_view hexText) {
    static std::vector<std::unique_ptr<std::byte[]>> kept;
    const auto bytes = unhex(hexText);
    auto& block = kept.emplace_back(new std::byte[bytes.size()]);
    std::copy(bytes.begin(), bytes.end(), block.get());
    return {block.get(), bytes.size()};
}

}  // namespace emissary::eta::codec::model
