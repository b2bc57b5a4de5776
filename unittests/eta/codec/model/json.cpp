// Reads the golden vectors from their JSON lines into the model.
#include "json.h"
#include "support/paths.h"

#include <simdjson.h>

#include <charconv>

namespace emissary::eta::codec::model {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;

[[nodiscard]] std::optional<element> find(const element& from, const char* member) {
    element out;
    if (from[member].get(out) != simdjson::SUCCESS) return std::nullopt;
    return out;
}

[[nodiscard]] std::string text(const element& e) {
    return std::string(std::string_view(e));
}

[[nodiscard]] std::string textOr(const element& from, const char* member, std::string otherwise = {}) {
    const auto found = find(from, member);
    return found ? text(*found) : otherwise;
}

template <class T>
[[nodiscard]] T number(const element& e) {
    if (e.is_string()) {
        const std::string_view s = e;
        T out{};
        if (std::from_chars(s.data(), s.data() + s.size(), out).ptr != s.data() + s.size()) throw Fault("not a number");
        return out;
    }
    if (e.is_uint64()) return static_cast<T>(std::uint64_t(e));
    return static_cast<T>(std::int64_t(e));
}

template <class T>
[[nodiscard]] T numberOr(const element& from, const char* member, T otherwise = {}) {
    const auto found = find(from, member);
    return found ? number<T>(*found) : otherwise;
}

[[nodiscard]] bool isTrue(const element& from, const char* member) {
    const auto found = find(from, member);
    return found && bool(*found);
}

[[nodiscard]] std::string rawBytes(const element& e) {
    const auto bytes = unhex(std::string_view(e));
    return std::string(asText(bytes));
}

[[nodiscard]] DataType dataType(std::string_view word) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    for (unsigned n = 0; n < 256; ++n) {
        const auto type = static_cast<DataType>(n);
        const std::string_view known = name(type);
        if (known != "Unknown" && std::equal(known.begin(), known.end(), word.begin(), word.end(),
                                             [&](char a, char b) { return lower(a) == lower(b); }))
            return type;
    }
    throw Fault("no such type: " + std::string(word));
}

[[nodiscard]] std::uint64_t bits(const element& e) {
    const std::string_view s = e;
    std::uint64_t out = 0;
    if (std::from_chars(s.data(), s.data() + s.size(), out, 16).ec != std::errc{}) throw Fault("not hex bits");
    return out;
}

[[nodiscard]] Date date(const element& e) {
    return {numberOr<std::uint8_t>(e, "day"), numberOr<std::uint8_t>(e, "month"), numberOr<std::uint16_t>(e, "year")};
}

[[nodiscard]] Time time(const element& e) {
    Time t;
    t.hour = numberOr<std::uint8_t>(e, "hour");
    t.minute = numberOr<std::uint8_t>(e, "minute");
    t.second = numberOr<std::uint8_t>(e, "second");
    t.millisecond = numberOr<std::uint16_t>(e, "ms");
    t.microsecond = numberOr<std::uint16_t>(e, "us");
    t.nanosecond = numberOr<std::uint16_t>(e, "ns");
    return t;
}

[[nodiscard]] Qos qos(const element& e) {
    Qos q;
    q.timeliness = numberOr<std::uint8_t>(e, "timeliness");
    q.rate = numberOr<std::uint8_t>(e, "rate");
    q.dynamic = isTrue(e, "dynamic");
    q.timeInfo = numberOr<std::uint16_t>(e, "timeInfo");
    q.rateInfo = numberOr<std::uint16_t>(e, "rateInfo");
    return q;
}

[[nodiscard]] State state(const element& e) {
    State s;
    s.stream = numberOr<std::uint8_t>(e, "stream");
    s.data = numberOr<std::uint8_t>(e, "data");
    s.code = numberOr<std::uint8_t>(e, "code");
    return s;
}

[[nodiscard]] SetDefs definitions(const element& e) {
    SetDefs out;
    out.elements = textOr(e, "of") == "ElementList";
    for (const element d : array(e["defs"])) {
        SetDef def;
        def.id = number<std::uint16_t>(d["id"]);
        for (const element i : array(d["entries"]))
            def.items.push_back({numberOr<std::int16_t>(i, "fid"), textOr(i, "name"), dataType(textOr(i, "type"))});
        out.defs.push_back(std::move(def));
    }
    return out;
}

[[nodiscard]] Value value(const element& e);

/// In words, or as it is on the wire.
[[nodiscard]] std::uint8_t action(DataType container, const element& e) {
    if (!e.is_string()) return number<std::uint8_t>(e);
    static const std::map<DataType, std::map<std::string, std::uint8_t>> words{
        {DataType::Map, {{"Update", 1}, {"Add", 2}, {"Delete", 3}}},
        {DataType::Vector, {{"Update", 1}, {"Set", 2}, {"Clear", 3}, {"Insert", 4}, {"Delete", 5}}},
        {DataType::FilterList, {{"Update", 1}, {"Set", 2}, {"Clear", 3}}}};
    return words.at(container).at(text(e));
}

[[nodiscard]] std::vector<Entry> entries(DataType container, const element& from) {
    std::vector<Entry> out;
    for (const element e : array(from)) {
        Entry entry;
        entry.fieldId = numberOr<std::int16_t>(e, "fid");
        entry.name = textOr(e, "name");
        if (const auto a = find(e, "action")) entry.action = action(container, *a);
        entry.id = numberOr<std::uint8_t>(e, "id");
        entry.index = numberOr<std::uint32_t>(e, "index");
        if (const auto p = find(e, "permData")) entry.permData = rawBytes(*p);
        if (const auto t = find(e, "type")) entry.ownType = dataType(text(*t));
        if (const auto k = find(e, "key")) entry.key.push_back(value(*k));
        if (const auto v = find(e, "value")) entry.value.push_back(value(*v));
        out.push_back(std::move(entry));
    }
    return out;
}

void lists(const element& e, Value& v) {
    if (const auto info = find(e, "info")) {
        const char* member = v.type == DataType::FieldList ? "fieldListNum" : "elementListNum";
        v.info.emplace(numberOr<std::int16_t>(*info, "dictionaryId"), numberOr<std::int16_t>(*info, member));
    }
    if (const auto id = find(e, "setId")) v.setId = number<std::uint16_t>(*id);
    if (const auto set = find(e, "set")) v.set = entries(v.type, *set);
    if (const auto standard = find(e, "standard")) v.standard = entries(v.type, *standard);
}

void containers(const element& e, Value& v) {
    v.entryType = dataType(textOr(e, "entryType"));
    if (const auto k = find(e, "keyType")) v.keyType = dataType(text(*k));
    if (const auto k = find(e, "keyFieldId")) v.keyFieldId = number<std::int16_t>(*k);
    if (const auto d = find(e, "setDefs")) v.setDefs = definitions(*d);
    if (const auto s = find(e, "summary")) v.summary.push_back(value(*s));
    if (const auto h = find(e, "totalCountHint")) v.hint = number<std::uint32_t>(*h);
    v.sortable = isTrue(e, "sorting");
    v.entries = entries(v.type, e["entries"]);
}

[[nodiscard]] MsgClass msgClass(const std::string& word) {
    for (unsigned n = 1; n <= 8; ++n)
        if (word == name(static_cast<MsgClass>(n))) return static_cast<MsgClass>(n);
    throw Fault("no such class: " + word);
}

void key(const element& e, MsgParts& m) {
    m.shown["key"] = "present";
    MsgKey& k = m.header.key;
    const auto has = [&k](std::uint16_t flag) { k.flags = static_cast<std::uint16_t>(k.flags | flag); };
    const auto show = [&m](const char* member, auto v) { m.shown[member] = std::to_string(v); };
    if (const auto v = find(e, "serviceId")) {
        has(KeyFlag::serviceId);
        show("key.serviceId", k.serviceId = number<std::uint16_t>(*v));
    }
    if (const auto v = find(e, "name")) {
        has(KeyFlag::name);
        m.name = text(*v);
        m.shown["key.name"] = hex(asBytes(m.name));
    }
    if (const auto v = find(e, "nameType")) {
        has(KeyFlag::nameType);
        show("key.nameType", k.nameType = number<std::uint8_t>(*v));
    }
    if (const auto v = find(e, "filter")) {
        has(KeyFlag::filter);
        show("key.filter", k.filter = number<std::uint32_t>(*v));
    }
    if (const auto v = find(e, "identifier")) {
        has(KeyFlag::identifier);
        show("key.identifier", k.identifier = number<std::int32_t>(*v));
    }
    if (const auto v = find(e, "attrib")) {
        has(KeyFlag::attrib);
        m.attrib.push_back(value(*v));
        k.attribType = m.attrib.front().type;
    }
}

void message(const element& e, Value& v) {
    MsgParts& m = v.msg.emplace_back();
    Msg& h = m.header;
    const auto show = [&m](const char* member, auto n) { m.shown[member] = std::to_string(n); };
    const auto two = [&m](const char* member, auto a, auto b) {
        m.shown[member] = std::to_string(a) + " " + std::to_string(b);
    };
    h.cls = msgClass(textOr(e, "class"));
    m.shown["class"] = name(h.cls);
    show("domain", h.domain = number<std::uint8_t>(e["domain"]));
    show("streamId", h.streamId = number<std::int32_t>(e["streamId"]));
    show("flags", h.flags = number<std::uint16_t>(e["flags"]));
    h.containerType = dataType(textOr(e, "containerType"));
    m.shown["containerType"] = name(h.containerType);
    if (const auto p = find(e, "priority")) {
        h.priorityClass = number<std::uint8_t>((*p)["class"]);
        h.priorityCount = number<std::uint16_t>((*p)["count"]);
        two("priority", h.priorityClass, h.priorityCount);
    }
    if (const auto q = find(e, "qos")) m.shown["qos"] = dump(h.qos = qos(*q));
    if (const auto q = find(e, "worstQos")) m.shown["worstQos"] = dump(h.worstQos = qos(*q));
    if (const auto s = find(e, "state")) {
        h.state = state(*s);
        m.stateText = textOr(*s, "text");
        m.shown["state"] = std::to_string(h.state.stream) + "/" + std::to_string(h.state.data) + "/" +
                           std::to_string(h.state.code) + " " + hex(asBytes(m.stateText));
    }
    if (const auto n = find(e, "seqNum")) show("seqNum", h.seqNum = number<std::uint32_t>(*n));
    if (const auto n = find(e, "secondarySeqNum"))
        show("secondarySeqNum", h.secondarySeqNum = number<std::uint32_t>(*n));
    const auto bytes = [&](const char* member, std::string& to) {
        const auto found = find(e, member);
        if (!found) return;
        to = rawBytes(*found);
        m.shown[member] = hex(asBytes(to));
    };
    bytes("groupId", m.groupId);
    bytes("permData", m.permData);
    bytes("extHeader", m.extendedHeader);
    if (const auto t = find(e, "text")) {
        m.text = text(*t);
        m.shown["text"] = hex(asBytes(m.text));
    }
    if (const auto u = find(e, "postUserInfo")) {
        h.postUserAddress = number<std::uint32_t>((*u)["addr"]);
        h.postUserId = number<std::uint32_t>((*u)["id"]);
        two("postUserInfo", h.postUserAddress, h.postUserId);
    }
    if (const auto n = find(e, "partNum")) show("partNum", h.partNum = number<std::uint16_t>(*n));
    if (const auto n = find(e, "updateType")) show("updateType", h.updateType = number<std::uint8_t>(*n));
    if (const auto c = find(e, "conflation")) {
        h.conflationCount = number<std::uint16_t>((*c)["count"]);
        h.conflationTime = number<std::uint16_t>((*c)["time"]);
        two("conflation", h.conflationCount, h.conflationTime);
    }
    if (const auto n = find(e, "ackId")) show("ackId", h.ackId = number<std::uint32_t>(*n));
    if (const auto n = find(e, "nakCode")) show("nakCode", h.nakCode = number<std::uint8_t>(*n));
    if (const auto n = find(e, "postId")) show("postId", h.postId = number<std::uint32_t>(*n));
    if (const auto n = find(e, "postUserRights")) show("postUserRights", h.postUserRights = number<std::uint16_t>(*n));
    if (const auto k = find(e, "key")) key(*k, m);
    if (const auto p = find(e, "payload")) {
        m.payload.push_back(value(*p));
    } else if (h.containerType != DataType::NoData) {  // a type without bytes may also be given by silence
        Value& nothing = m.payload.emplace_back();
        nothing.type = h.containerType;
        nothing.empty = true;
    }
}

void primitive(const element& e, Value& v) {
    switch (v.type) {
    case DataType::Int:
        v.bits = static_cast<std::uint64_t>(number<std::int64_t>(e["v"]));
        break;
    case DataType::UInt:
    case DataType::Enum:
        v.bits = number<std::uint64_t>(e["v"]);
        break;
    case DataType::Float:
    case DataType::Double:
        v.bits = bits(e["bits"]);
        break;
    case DataType::Real:
        v.real = {number<std::int64_t>(e["v"]), number<std::uint8_t>(e["hint"])};
        break;
    case DataType::Date:
        v.dateTime.date = date(e);
        break;
    case DataType::Time:
        v.dateTime.time = time(e);
        break;
    case DataType::DateTime:
        v.dateTime = {date(e), time(e)};
        break;
    case DataType::Qos:
        v.qos = qos(e);
        break;
    case DataType::State:
        v.state = state(e);
        v.bytes = textOr(e, "text");
        break;
    case DataType::Array:
        v.itemType = dataType(textOr(e, "itemType"));
        v.itemLength = number<std::uint16_t>(e["itemLength"]);
        for (const element item : array(e["items"]))
            v.items.push_back(value(item));
        break;
    default:
        v.bytes = rawBytes(e["hex"]);
        break;
    }
}

Value value(const element& e) {
    Value v;
    v.type = dataType(textOr(e, "t"));
    v.blank = isTrue(e, "blank");
    v.empty = isTrue(e, "empty");
    if (v.blank || v.empty || v.type == DataType::NoData) return v;
    switch (v.type) {
    case DataType::FieldList:
    case DataType::ElementList:
        lists(e, v);
        break;
    case DataType::Map:
    case DataType::Vector:
    case DataType::Series:
    case DataType::FilterList:
        containers(e, v);
        break;
    case DataType::Msg:
        message(e, v);
        break;
    default:
        primitive(e, v);
        break;
    }
    return v;
}

[[nodiscard]] Vector vector(const element& e) {
    Vector v;
    v.name = textOr(e, "name");
    v.kind = textOr(e, "kind");
    v.op = textOr(e, "op");
    v.error = textOr(e, "error");
    v.text = textOr(e, "text");
    v.iso = textOr(e, "iso");
    v.in = textOr(e, "in");
    if (const auto t = find(e, "type")) v.type = dataType(text(*t));
    if (const auto t = find(e, "setType")) v.setType = dataType(text(*t));
    if (const auto h = find(e, "hex")) v.bytes = unhex(std::string_view(*h));
    v.canonical = isTrue(e, "canonical");
    if (const auto s = find(e, "str")) v.str = text(*s);
    if (const auto b = find(e, "valid")) v.valid = bool(*b);
    if (const auto b = find(e, "partial")) v.partial = bool(*b);
    if (const auto x = find(e, "value")) v.value = value(*x);
    if (const auto x = find(e, "context")) v.context = value(*x);
    if (const auto d = find(e, "setDb")) v.setDb = definitions(*d);
    if (const auto b = find(e, "doubleBits")) v.doubleBits = bits(*b);
    if (const auto b = find(e, "inBits")) v.inBits = bits(*b);
    v.hint = numberOr<std::uint8_t>(e, "hint");
    if (const auto u = find(e, "utf8")) v.utf8 = rawBytes(*u);
    if (const auto steps = find(e, "steps"))
        for (const element s : array(*steps))
            v.steps.push_back({rawBytes(s["in"]), rawBytes(s["cache"]), rawBytes(s["utf8"]), isTrue(s, "partial")});
    return v;
}

}  // namespace

std::size_t forEachVector(const std::string& file, const std::function<void(const Vector&)>& each) {
    return forEachVectorIn(emissary::test::vectorPath("/rwf/") + file, each);
}

std::size_t forEachVectorIn(const std::string& path, const std::function<void(const Vector&)>& each) {
    simdjson::dom::parser parser;
    simdjson::dom::document_stream lines;
    const auto json = simdjson::padded_string::load(path);
    if (json.error() != simdjson::SUCCESS) throw Fault("cannot read " + path);
    if (parser.parse_many(json.value_unsafe(), std::size_t{1} << 22).get(lines) != simdjson::SUCCESS)
        throw Fault("cannot parse " + path);
    std::size_t count = 0;
    for (auto line : lines) {
        each(vector(line.value()));
        ++count;
    }
    return count;
}

}  // namespace emissary::eta::codec::model
