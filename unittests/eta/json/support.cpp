// Parses and compares JSON independently of the code under test, and converts messages for the tests.
#include "support.h"

#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"
#include "eta/codec/text.h"
#include "support/paths.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace json_test {

using namespace codec;

namespace {

/// A plain recursive reader, nothing in common with the one under test.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}
    Json document() {
        Json v = value();
        space();
        if (i_ != text_.size()) bad();
        return v;
    }

private:
    [[noreturn]] void bad() const { throw std::runtime_error("not JSON at " + std::to_string(i_) + ": " + text_); }
    char peek() const { return i_ < text_.size() ? text_[i_] : '\0'; }
    void space() {
        while (i_ < text_.size() && std::string_view(" \t\r\n").find(text_[i_]) != std::string_view::npos)
            ++i_;
    }
    void expect(std::string_view word) {
        if (text_.compare(i_, word.size(), word) != 0) bad();
        i_ += word.size();
    }
    Json value() {
        space();
        const std::size_t start = i_;
        Json v = any();
        v.source = text_.substr(start, i_ - start);
        return v;
    }
    Json any() {
        Json v;
        switch (peek()) {
        case '{':
            v.kind = Json::Kind::object;
            ++i_;
            space();
            for (bool first = true; peek() != '}'; first = false) {
                if (!first) expect(",");
                space();
                if (peek() != '"') bad();
                const std::string name = string();
                space();
                expect(":");
                if (!v.members.emplace(name, value()).second) throw std::runtime_error("twice: " + name);
                space();
            }
            ++i_;
            return v;
        case '[':
            v.kind = Json::Kind::array;
            ++i_;
            space();
            for (bool first = true; peek() != ']'; first = false) {
                if (!first) expect(",");
                v.items.push_back(value());
                space();
            }
            ++i_;
            return v;
        case '"':
            v.kind = Json::Kind::string;
            v.text = string();
            return v;
        case 't':
            expect("true");
            v.kind = Json::Kind::boolean;
            v.text = "true";
            return v;
        case 'f':
            expect("false");
            v.kind = Json::Kind::boolean;
            v.text = "false";
            return v;
        case 'n':
            expect("null");
            return v;
        default: {
            const std::size_t start = i_;
            while (std::string_view("+-.eE0123456789").find(peek()) != std::string_view::npos && peek() != '\0')
                ++i_;
            if (i_ == start) bad();
            v.kind = Json::Kind::number;
            v.text = text_.substr(start, i_ - start);
            return v;
        }
        }
    }
    std::string string() {
        std::string out;
        ++i_;
        while (peek() != '"') {
            if (i_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20) bad();
            if (peek() != '\\') {
                out += text_[i_++];
                continue;
            }
            const char c = text_.at(++i_);
            ++i_;
            static const std::map<char, char> escapes{{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
                                                      {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'}};
            if (const auto found = escapes.find(c); found != escapes.end()) {
                out += found->second;
            } else if (c == 'u') {
                unsigned code = static_cast<unsigned>(std::stoul(text_.substr(i_, 4), nullptr, 16));
                i_ += 4;
                if (code >= 0xD800 && code < 0xDC00) {
                    expect("\\u");
                    code = 0x10000 + ((code - 0xD800) << 10) +
                           (static_cast<unsigned>(std::stoul(text_.substr(i_, 4), nullptr, 16)) - 0xDC00);
                    i_ += 4;
                }
                const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
                if (code < 0x80) put(code);
                else if (code < 0x800) put(0xC0 | code >> 6), put(0x80 | (code & 63));
                else if (code < 0x10000) put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
                else
                    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)),
                        put(0x80 | (code & 63));
            } else {
                bad();
            }
        }
        ++i_;
        return out;
    }

    const std::string& text_;
    std::size_t i_ = 0;
};

/// Sign, digits without zeros at either end, power of ten of the last digit.
std::string canonicalNumber(const std::string& text) {
    std::string digits;
    long exponent = 0;
    bool fraction = false, negative = false;
    std::size_t i = 0;
    if (text[0] == '-') negative = true, ++i;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        digits += text[i];
        if (fraction) --exponent;
    }
    if (i < text.size()) exponent += std::stol(text.substr(i + 1));
    while (!digits.empty() && digits.back() == '0')
        digits.pop_back(), ++exponent;
    digits.erase(0, digits.find_first_not_of('0'));
    if (digits.empty()) return "0";
    return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
}

double toleranceOf(const Json& object, double inherited) {
    for (const char* name : {"Type", "KeyType"})
        if (const Json* type = object.find(name); type != nullptr) {
            if (type->text == "Float") return 1e-6;
            if (type->text == "Double") return 1e-14;
        }
    return inherited;
}

std::string compare(const Json& a, const Json& b, const std::string& path, double tolerance) {
    if (a.kind != b.kind) return path + ": " + a.source + " != " + b.source;
    switch (a.kind) {
    case Json::Kind::number: {
        if (canonicalNumber(a.text) == canonicalNumber(b.text)) return {};
        const double x = std::stod(a.text), y = std::stod(b.text);
        if (tolerance != 0 && std::abs(x - y) <= tolerance * std::abs(x)) return {};
        return path + ": " + a.text + " != " + b.text;
    }
    case Json::Kind::array:
        if (a.items.size() != b.items.size()) return path + ": sizes " + a.source + " != " + b.source;
        for (std::size_t i = 0; i < a.items.size(); ++i)
            if (auto d = compare(a.items[i], b.items[i], path + "[" + std::to_string(i) + "]", tolerance); !d.empty())
                return d;
        return {};
    case Json::Kind::object: {
        const double inner = toleranceOf(a, tolerance);
        const auto optional = [](const Json& object, const std::string& name) {
            const Json* v = object.find(name);  // may be left out
            return name == "ViewType" && v != nullptr && v->text == "FidList";
        };
        for (const auto& [name, value] : a.members) {
            const Json* other = b.find(name);
            if (other == nullptr) {
                if (optional(a, name)) continue;
                return path + ": no " + name + " in " + b.source;
            }
            if (auto d = compare(value, *other, path + "." + name, inner); !d.empty()) return d;
        }
        for (const auto& [name, value] : b.members)
            if (a.find(name) == nullptr && !optional(b, name)) return path + ": surplus " + name + " in " + b.source;
        return {};
    }
    default:
        return a.text == b.text ? std::string{} : path + ": '" + a.text + "' != '" + b.text + "'";
    }
}

/// Writes what a message holds; see describe().
class Describer {
public:
    explicit Describer(const dictionary::Dictionary& d) : dictionary_(d) {}

    std::string message(Bytes in) const {
        Msg m;
        if (!decodeMsg(in, m).ok()) throw std::runtime_error("message does not decode: " + hex(in));
        std::ostringstream out;
        std::uint16_t flags = m.flags;
        if (m.cls == MsgClass::Request && (m.domain == 1 || m.domain == 5))
            flags = static_cast<std::uint16_t>(flags & ~RequestFlag::msgKeyInUpdates);
        out << codec::name(m.cls) << " domain " << int{m.domain} << " stream " << m.streamId << " flags " << std::hex
            << flags << std::dec;
        if (m.hasState()) out << " state " << state(m.state);
        if (m.hasQos()) out << " qos " << qos(m.qos);
        if (m.cls == MsgClass::Request) {
            if (m.has(RequestFlag::worstQos)) out << " worst " << qos(m.worstQos);
            if (m.has(RequestFlag::priority)) out << " priority " << int{m.priorityClass} << "/" << m.priorityCount;
        }
        if (m.hasSeqNum()) out << " seq " << m.seqNum;
        if (m.hasPartNum()) out << " part " << m.partNum;
        if (m.hasPermData()) out << " perm " << hex(m.permData);
        if (m.hasGroupId()) out << " group " << hex(m.groupId);
        if (m.hasPostUserInfo()) out << " user " << m.postUserAddress << "/" << m.postUserId;
        if (m.hasExtendedHeader()) out << " ext " << hex(m.extendedHeader);
        switch (m.cls) {
        case MsgClass::Update:
            out << " type " << int{m.updateType};
            if (m.has(UpdateFlag::confInfo)) out << " conflation " << m.conflationCount << "/" << m.conflationTime;
            break;
        case MsgClass::Ack:
            out << " ack " << m.ackId;
            if (m.has(AckFlag::nakCode)) out << " nak " << int{m.nakCode};
            if (m.has(AckFlag::text)) out << " text " << asText(m.text);
            break;
        case MsgClass::Generic:
            if (m.has(GenericFlag::secondarySeqNum)) out << " second " << m.secondarySeqNum;
            break;
        case MsgClass::Post:
            if (m.has(PostFlag::postId)) out << " id " << m.postId;
            if (m.has(PostFlag::postUserRights)) out << " rights " << m.postUserRights;
            break;
        default:
            break;
        }
        if (m.hasKey()) {
            const MsgKey& k = m.key;
            out << " key";
            if (k.has(KeyFlag::serviceId)) out << " service " << k.serviceId;
            if (k.has(KeyFlag::name)) out << " name " << hex(k.name) << " of type " << int{k.nameType};
            if (k.has(KeyFlag::filter)) out << " filter " << k.filter;
            if (k.has(KeyFlag::identifier)) out << " id " << k.identifier;
            if (k.has(KeyFlag::attrib))
                out << " attributes " << any(k.attribType, k.attrib, DataType::Unknown, nullptr);
        }
        if (m.containerType != DataType::NoData)
            out << " " << any(m.containerType, m.payload, DataType::Unknown, nullptr);
        return out.str();
    }

private:
    static std::string qos(const Qos& q) {
        TextBuffer buffer;
        return std::string(toText(q, buffer));
    }
    static std::string state(const State& s) {
        return std::string(streamStateName(s.stream)) + "/" + dataStateName(s.data) + " code " +
               std::to_string(s.code) + " text " + std::string(asText(s.text));
    }
    static std::string real(const Real& r) {
        if (r.hint >= 33) return "special " + std::to_string(r.hint);
        long double scale = 1;
        std::string mantissa = std::to_string(r.mantissa);
        if (r.hint <= 21) return canonicalNumber(mantissa + "e" + std::to_string(int{r.hint} - 14));
        scale = std::ldexp(static_cast<long double>(r.mantissa), -(int{r.hint} - 22));
        std::ostringstream out;
        out.precision(30);
        out << std::fixed << scale;
        return canonicalNumber(out.str());
    }

    std::string any(DataType type, Bytes in, DataType setType, const SetDefinitionDb* sets) const {
        const std::string name = codec::name(type);
        if (in.empty() && isPrimitive(type)) return name + "()";
        const auto read = [&](auto value, auto decode, auto print) {
            switch (decode(in, value)) {
            case Decoded::value:
                return name + "(" + print(value) + ")";
            case Decoded::blank:
                return name + "()";
            default:
                throw std::runtime_error("malformed " + name);
            }
        };
        const auto number = [](auto v) { return std::to_string(v); };
        const auto bits = [](auto v) {
            std::ostringstream out;
            out.precision(std::numeric_limits<decltype(v)>::digits10);
            out << v;
            return out.str();
        };
        TextBuffer buffer;
        const auto text = [&buffer](const auto& v) { return std::string(toIsoText(v, buffer)); };
        switch (type) {
        case DataType::Int:
            return read(std::int64_t{}, decodeInt, number);
        case DataType::UInt:
            return read(std::uint64_t{}, decodeUInt, number);
        case DataType::Enum:
            return read(std::uint16_t{}, decodeEnum, number);
        case DataType::Float:
            return read(float{}, decodeFloat, bits);
        case DataType::Double:
            return read(double{}, decodeDouble, bits);
        case DataType::Real:
            return read(
                Real{}, [&](Bytes b, Real& r) { return decodeSetReal(b, setType, r); }, real);
        case DataType::Date:
            return read(Date{}, decodeDate, text);
        case DataType::Time:
            return read(Time{}, decodeTime, text);
        case DataType::DateTime:
            return read(DateTime{}, decodeDateTime, text);
        case DataType::Qos:
            return read(Qos{}, decodeQos, [](const Qos& q) { return qos(q); });
        case DataType::State:
            return read(State{}, decodeState, [](const State& s) { return state(s); });
        case DataType::Array:
            return array(in);
        case DataType::FieldList:
            return fields(in, sets);
        case DataType::ElementList:
            return elements(in, sets);
        case DataType::Map:
            return map(in);
        case DataType::Vector:
            return vector(in);
        case DataType::Series:
            return series(in);
        case DataType::FilterList:
            return filterList(in);
        case DataType::Msg:
            return "Msg{" + (in.empty() ? std::string{} : message(in)) + "}";
        default:
            return name + "(" + hex(in) + ")";
        }
    }

    template <class T>
    static void check(const T& decoder) {
        if (!decoder.error().ok()) throw std::runtime_error("container does not decode");
    }
    std::string array(Bytes in) const {
        ArrayDecoder a;
        if (!a.start(in).ok()) throw std::runtime_error("array does not decode");
        std::string out = std::string("Array[") + codec::name(a.itemType()) + ":";
        for (Bytes item; a.next(item);)
            out += any(a.itemType(), item, DataType::Unknown, nullptr) + " ";
        check(a);
        return out + "]";
    }
    std::string fields(Bytes in, const SetDefinitionDb* sets) const {
        FieldListDecoder list;
        if (!list.start(in, sets).ok()) throw std::runtime_error("fields do not decode");
        std::string out = "Fields{";
        for (FieldEntry e; list.next(e);) {
            const auto* field = dictionary_.find(e.fieldId);
            const DataType type = e.setType != DataType::Unknown ? baseType(e.setType)
                                  : field != nullptr             ? field->type
                                                                 : DataType::Buffer;
            out += std::to_string(e.fieldId) + "=" + any(type, e.data, e.setType, nullptr) + " ";
        }
        check(list);
        return out + "}";
    }
    std::string elements(Bytes in, const SetDefinitionDb* sets) const {
        ElementListDecoder list;
        if (!list.start(in, sets).ok()) throw std::runtime_error("elements do not decode");
        std::string out = "Elements{";
        for (ElementEntry e; list.next(e);)
            out.append(asText(e.name)).append("=").append(any(e.type, e.data, e.setType, nullptr)).append(" ");
        check(list);
        return out + "}";
    }
    template <class Container>
    std::string start(Container& c, Bytes in) const {
        if (!c.start(in).ok()) throw std::runtime_error("container does not decode: " + hex(in));
        std::string out;
        if (c.hasTotalCountHint()) out += "hint " + std::to_string(c.totalCountHint()) + " ";
        return out;
    }
    std::string summary(const EntryContainerDecoder& c) const {
        return c.hasSummary() ? "summary " + any(c.entryType(), c.summary(), DataType::Unknown, c.sets()) + " " : "";
    }
    template <class Entry>
    static std::string perm(const Entry& e) {
        return e.hasPermData ? " perm " + hex(e.permData) : "";
    }
    std::string map(Bytes in) const {
        MapDecoder c;
        std::string out = "Map{" + start(c, in) + summary(c) + codec::name(c.keyType()) + " ";
        if (c.hasKeyFieldId()) out += "field " + std::to_string(c.keyFieldId()) + " ";
        for (MapEntry e; c.next(e);) {
            out += std::to_string(e.action) + " " + any(c.keyType(), e.key, DataType::Unknown, nullptr) + perm(e);
            if (e.action != MapAction::del) out += any(c.entryType(), e.data, DataType::Unknown, c.sets());
            out += "; ";
        }
        check(c);
        return out + "}";
    }
    std::string vector(Bytes in) const {
        VectorDecoder c;
        std::string out = "Vector{" + start(c, in) + summary(c) + (c.sortable() ? "sortable " : "");
        for (VectorEntry e; c.next(e);) {
            out += std::to_string(e.action) + " " + std::to_string(e.index) + perm(e);
            if (e.action != VectorAction::del && e.action != VectorAction::clear)
                out += any(c.entryType(), e.data, DataType::Unknown, c.sets());
            out += "; ";
        }
        check(c);
        return out + "}";
    }
    std::string series(Bytes in) const {
        SeriesDecoder c;
        std::string out = "Series{" + start(c, in) + summary(c);
        for (SeriesEntry e; c.next(e);)
            out += any(c.entryType(), e.data, DataType::Unknown, c.sets()) + "; ";
        check(c);
        return out + "}";
    }
    std::string filterList(Bytes in) const {
        FilterListDecoder c;
        std::string out = "FilterList{" + start(c, in);
        for (FilterEntry e; c.next(e);) {
            out += std::to_string(e.action) + " " + std::to_string(e.id) + perm(e);
            if (e.action != FilterAction::clear) out += any(e.type, e.data, DataType::Unknown, nullptr);
            out += "; ";
        }
        check(c);
        return out + "}";
    }

    const dictionary::Dictionary& dictionary_;
};

std::string readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

const Json* Json::find(const std::string& name) const {
    const auto found = members.find(name);
    return found == members.end() ? nullptr : &found->second;
}
const Json& Json::at(const std::string& name) const {
    if (const Json* v = find(name); v != nullptr) return *v;
    throw std::runtime_error("no member " + name + " in " + source);
}

Json parseJson(const std::string& text) {
    return Reader(text).document();
}

std::string difference(const Json& expected, const Json& actual) {
    return compare(expected, actual, "", 0);
}

std::string describe(Bytes message, const dictionary::Dictionary& dictionary) {
    return Describer(dictionary).message(message);
}

std::vector<std::byte> unhex(const std::string& text) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoul(text.substr(i, 2), nullptr, 16)));
    return out;
}

std::string hex(Bytes bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const std::byte b : bytes)
        (out += digits[std::to_integer<unsigned>(b) >> 4]) += digits[std::to_integer<unsigned>(b) & 15];
    return out;
}

const dictionary::Dictionary& vectorDictionary() {
    static const dictionary::Dictionary loaded = [] {
        const std::map<std::string, std::string> fileTypes{{"UInt", "INTEGER UINT64"},
                                                           {"Int", "INTEGER INT64"},
                                                           {"Real", "PRICE REAL64"},
                                                           {"Date", "DATE DATE"},
                                                           {"Time", "TIME TIME"},
                                                           {"Enum", "ENUMERATED ENUM"},
                                                           {"Buffer", "NONE BUFFER"},
                                                           {"Array", "NONE ARRAY"},
                                                           {"Series", "NONE SERIES"},
                                                           {"Map", "NONE MAP"},
                                                           {"Vector", "NONE VECTOR"},
                                                           {"ElementList", "NONE ELEMENT_LIST"},
                                                           {"AsciiString", "ALPHANUMERIC ASCII_STRING"},
                                                           {"RmtesString", "ALPHANUMERIC RMTES_STRING"}};
        std::string fields = "!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n";
        std::string enums = "!tag Type 2\n!tag DT_Version 1.0\n!tag DictionaryId 1\n";
        const Json list = parseJson(readFile(emissary::test::vectorPath("/json/fields.json")));
        for (const Json& f : list.items) {
            const std::string name = f.at("name").text, id = f.at("fid").text;
            const std::string& types = fileTypes.at(f.at("type").text);
            const std::size_t gap = types.find(' ');
            const bool isEnum = f.find("enum") != nullptr;
            fields += name + " \"" + name + "\" " + id + " NULL " + types.substr(0, gap) + " 20" +
                      (isEnum ? " ( 3 )" : "") + types.substr(gap) + " 10\n";
            if (!isEnum) continue;
            enums += name + " " + id + "\n";
            for (const auto& [value, display] : f.at("enum").members) {
                const bool raw = display.text.starts_with("0x");
                enums += "  " + value + (raw ? " #" + display.text.substr(2) + "#" : " \"" + display.text + "\"") +
                         " meaning\n";
            }
            if (name == "PRCTCK_1") enums += "  2 #fe# meaning\n";
        }
        dictionary::Dictionary d;
        if (const auto e = d.parseFields(fields, "fields.json")) throw std::runtime_error(e.text);
        if (const auto e = d.parseEnums(enums, "fields.json")) throw std::runtime_error(e.text);
        return d;
    }();
    return loaded;
}

std::optional<std::uint16_t> NamedServices::idOf(std::string_view serviceName) const noexcept {
    for (const auto& [name, id] : ids_)
        if (name == serviceName) return id;
    return std::nullopt;
}
std::string_view NamedServices::nameOf(std::uint16_t serviceId) const noexcept {
    for (const auto& [name, id] : ids_)
        if (id == serviceId) return name;
    return {};
}

json::Options plainOptions() {
    json::Options options;
    options.catchUnknownFields = false;
    options.defaultDynamicQos = false;
    return options;
}

json::Converter plain() {
    json::Converter converter(plainOptions());
    converter.setDictionary(&vectorDictionary());
    return converter;
}

Conversion convert(json::Converter& converter, const std::string& text) {
    Conversion result;
    const std::unique_ptr<char[]> exact(new char[text.size()]);  // a sanitizer sees what is read behind it
    std::copy(text.begin(), text.end(), exact.get());
    const auto failed = [&] {
        GrowingBuffer reply;
        converter.writeError(reply.start());  // quotes the text
        result.failure = json::name(converter.failure().cls);
        result.reply = asText(reply.view());
        return result;
    };
    if (!converter.start({exact.get(), text.size()})) return failed();
    GrowingBuffer buffer(64);
    for (;;) {
        switch (converter.next(buffer.start())) {
        case json::Inbound::message:
            result.messages.push_back(hex(buffer.view()));
            break;
        case json::Inbound::ping:
            result.messages.emplace_back("Ping");
            break;
        case json::Inbound::pong:
            result.messages.emplace_back("Pong");
            break;
        case json::Inbound::error:
            result.messages.emplace_back("Error");
            break;
        case json::Inbound::failure:
            return failed();
        case json::Inbound::end:
            return result;
        }
    }
}

std::string toText(json::Converter& converter, Bytes message) {
    GrowingBuffer buffer(16);
    const Error e = converter.toJson(message, buffer.start());
    if (!e.ok()) return "error " + std::to_string(static_cast<int>(e.code));
    return std::string(asText(buffer.view()));
}

std::size_t forEachVector(const std::function<void(const std::string& file, const Json& line)>& each) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(emissary::test::vectorPath("/json"))) {
        if (entry.path().extension() != ".jsonl") continue;
        std::istringstream in(readFile(entry.path()));
        for (std::string line; std::getline(in, line);) {
            each(entry.path().stem().string(), parseJson(line));
            ++count;
        }
    }
    return count;
}

}  // namespace json_test
