// config/messages: reads a message file. A fault names file, line and remedy, since people write these files.
#include "InputError.h"
#include "MessageData.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <memory>
#include <unistd.h>

namespace emissary::messages {

namespace {

struct TypeName {
    std::string_view name;
    FieldType type;
};
constexpr std::array kTypeNames = {
    TypeName{"RSSL_DT_INT", FieldType::integer},
    TypeName{"RSSL_DT_UINT", FieldType::unsignedInteger},
    TypeName{"RSSL_DT_FLOAT", FieldType::float32},
    TypeName{"RSSL_DT_DOUBLE", FieldType::float64},
    TypeName{"RSSL_DT_REAL", FieldType::real},
    TypeName{"RSSL_DT_DATE", FieldType::date},
    TypeName{"RSSL_DT_TIME", FieldType::time},
    TypeName{"RSSL_DT_DATETIME", FieldType::dateTime},
    TypeName{"RSSL_DT_QOS", FieldType::qos},
    TypeName{"RSSL_DT_STATE", FieldType::state},
    TypeName{"RSSL_DT_ENUM", FieldType::enumeration},
    TypeName{"RSSL_DT_BUFFER", FieldType::buffer},
    TypeName{"RSSL_DT_ASCII_STRING", FieldType::ascii},
    TypeName{"RSSL_DT_UTF8_STRING", FieldType::utf8},
    TypeName{"RSSL_DT_RMTES_STRING", FieldType::rmtes},
};

struct NumberName {
    std::string_view name;
    std::uint32_t number;
};
constexpr std::uint32_t kUnknownDelay = 0xFFFF'FFFFU;
constexpr std::uint32_t kJustInTime = 0xFFFF'FF00U;
constexpr std::array kQosTimes = {NumberName{"RSSL_QOS_TIME_REALTIME", 0},
                                  NumberName{"RSSL_QOS_TIME_DELAYED_UNKNOWN", kUnknownDelay},
                                  NumberName{"RSSL_QOS_TIME_DELAYED", 1}};
constexpr std::array kQosRates = {NumberName{"RSSL_QOS_RATE_TICK_BY_TICK", 0},
                                  NumberName{"RSSL_QOS_RATE_JIT_CONFLATED", kJustInTime},
                                  NumberName{"RSSL_QOS_RATE_TIME_CONFLATED", 1}};
constexpr std::array kStreams = {NumberName{"RSSL_STREAM_OPEN", 1}, NumberName{"RSSL_STREAM_NON_STREAMING", 2},
                                 NumberName{"RSSL_STREAM_CLOSED_RECOVER", 3}, NumberName{"RSSL_STREAM_CLOSED", 4},
                                 NumberName{"RSSL_STREAM_REDIRECTED", 5}};
constexpr std::array kDataStates = {NumberName{"RSSL_DATA_NO_CHANGE", 0}, NumberName{"RSSL_DATA_OK", 1},
                                    NumberName{"RSSL_DATA_SUSPECT", 2}};
constexpr std::array kUpdateTypes = {
    NumberName{"Unspecified", 0}, NumberName{"Quote", 1},       NumberName{"Trade", 2},
    NumberName{"NewsAlert", 3},   NumberName{"VolumeAlert", 4}, NumberName{"OrderIndication", 5},
    NumberName{"ClosingRun", 6},  NumberName{"Correction", 7},  NumberName{"MarketDigest", 8},
    NumberName{"QuotesTrade", 9}, NumberName{"Multiple", 10},   NumberName{"Verify", 11}};
constexpr std::array kStatusCodes = {
    NumberName{"RSSL_SC_NONE", 0},
    NumberName{"RSSL_SC_NOT_FOUND", 1},
    NumberName{"RSSL_SC_TIMEOUT", 2},
    NumberName{"RSSL_SC_NOT_ENTITLED", 3},
    NumberName{"RSSL_SC_INVALID_ARGUMENT", 4},
    NumberName{"RSSL_SC_USAGE_ERROR", 5},
    NumberName{"RSSL_SC_PREEMPTED", 6},
    NumberName{"RSSL_SC_JIT_CONFLATION_STARTED", 7},
    NumberName{"RSSL_SC_REALTIME_RESUMED", 8},
    NumberName{"RSSL_SC_FAILOVER_STARTED", 9},
    NumberName{"RSSL_SC_FAILOVER_COMPLETED", 10},
    NumberName{"RSSL_SC_GAP_DETECTED", 11},
    NumberName{"RSSL_SC_NO_RESOURCES", 12},
    NumberName{"RSSL_SC_TOO_MANY_ITEMS", 13},
    NumberName{"RSSL_SC_ALREADY_OPEN", 14},
    NumberName{"RSSL_SC_SOURCE_UNKNOWN", 15},
    NumberName{"RSSL_SC_NOT_OPEN", 16},
    NumberName{"RSSL_SC_NON_UPDATING_ITEM", 19},
};

[[nodiscard]] std::string_view nodeName(const xmlNode* node) {
    return reinterpret_cast<const char*>(node->name);
}

template <class Number>
[[nodiscard]] std::optional<Number> toNumber(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// RSSL_DT_UINT_2 is a form of RSSL_DT_UINT.
[[nodiscard]] std::optional<FieldType> typeOf(std::string_view name, bool sizedToo) {
    for (const TypeName& known : kTypeNames)
        if (known.name == name) return known.type;
    // Message files name the sized forms in set definitions only, so the caller decides whether they are known.
    if (sizedToo && name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= '1' && name.back() <= '9')
        return typeOf(name.substr(0, name.size() - 2), false);
    return std::nullopt;
}

[[nodiscard]] std::string nameOf(std::uint8_t type) {
    for (const TypeName& known : kTypeNames)
        if (static_cast<std::uint8_t>(known.type) == type) return std::string(known.name);
    return "type " + std::to_string(type);
}

// What libxml2 complained about first.
struct ParseError {
    std::string text;
    int line = 0;
};

void rememberFirstError(void* context, xmlErrorPtr error) {
    auto& first = *static_cast<ParseError*>(static_cast<xmlParserCtxtPtr>(context)->_private);
    if (error->level < XML_ERR_ERROR || !first.text.empty() || error->message == nullptr) return;
    first.text = error->message;
    while (!first.text.empty() && first.text.back() == '\n')
        first.text.pop_back();
    first.line = error->line;
}

// Reads one document. Every function throws InputError with the line of the node it stumbles over.
class Reader {
public:
    Reader(const std::string& file, const FieldTypeLookup& fieldType) : file_(file), fieldType_(fieldType) {}

    [[nodiscard]] MessageData read() {
        // libxml2's own message does not say why a file cannot be opened.
        if (access(file_.c_str(), R_OK) != 0)
            throw InputError("Error: Cannot open '" + file_ + "': " + std::strerror(errno) + ".");
        const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxtPtr)> parser(xmlNewParserCtxt(), xmlFreeParserCtxt);
        if (!parser) throw InputError("Error: No memory to read '" + file_ + "'.");
        parser->_private = &parseError_;
        parser->sax->serror = rememberFirstError;
        const std::unique_ptr<xmlDoc, void (*)(xmlDocPtr)> document(
            xmlCtxtReadFile(parser.get(), file_.c_str(), nullptr,
                            XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOCDATA),
            xmlFreeDoc);
        if (!document) throw InputError("Error: " + describeParseError());
        const xmlNode* root = xmlDocGetRootElement(document.get());
        if (nodeName(root) != "msgFormat") failUnrecognized(root);
        MessageData data;
        for (const xmlNode* node : children(root)) {
            if (nodeName(node) == "marketPriceMsgList") readDomain(node, data.marketPrice, false);
            else if (nodeName(node) == "marketByOrderMsgList") readDomain(node, data.marketByOrder, true);
            else failUnrecognized(node);
        }
        return data;
    }

private:
    [[noreturn]] void fail(const xmlNode* node, const std::string& what) const {
        throw InputError("Error: " + file_ + ":" + std::to_string(xmlGetLineNo(node)) + ": " + what);
    }
    [[noreturn]] void failUnrecognized(const xmlNode* node) const {
        fail(node, "Unrecognized element name '" + std::string(nodeName(node)) + "' while parsing " + file_ + ".");
    }
    [[noreturn]] void failUnknown(const xmlNode* node) const {
        fail(node, "unknown node name '" + std::string(nodeName(node)) + "'");
    }
    [[nodiscard]] std::string describeParseError() const {
        if (parseError_.text.empty()) return "Cannot read '" + file_ + "'.";
        return file_ + ":" + std::to_string(parseError_.line) + ": " + parseError_.text;
    }

    // Element children; text that is not white space has no place in this format.
    [[nodiscard]] std::vector<const xmlNode*> children(const xmlNode* parent) const {
        std::vector<const xmlNode*> result;
        for (const xmlNode* node = parent->children; node != nullptr; node = node->next) {
            if (node->type == XML_ELEMENT_NODE) result.push_back(node);
            else if (node->type == XML_TEXT_NODE && xmlIsBlankNode(node) == 0)
                fail(node, "unexpected text inside element '" + std::string(nodeName(parent)) + "'");
        }
        return result;
    }
    [[nodiscard]] const xmlNode* onlyChild(const xmlNode* parent, std::string_view name) const {
        const auto nodes = children(parent);
        for (const xmlNode* node : nodes)
            if (nodeName(node) != name) failUnknown(node);
        if (nodes.size() != 1)
            fail(parent, "element '" + std::string(nodeName(parent)) + "' should contain exactly one element, '" +
                             std::string(name) + "'");
        return nodes.front();
    }
    [[nodiscard]] static std::optional<std::string> attribute(const xmlNode* node, const char* name) {
        const std::unique_ptr<xmlChar, void (*)(void*)> value(xmlGetProp(node, reinterpret_cast<const xmlChar*>(name)),
                                                              [](void* p) { xmlFree(p); });
        if (!value) return std::nullopt;
        return std::string(reinterpret_cast<const char*>(value.get()));
    }
    [[nodiscard]] std::string needAttribute(const xmlNode* node, const char* name) const {
        auto value = attribute(node, name);
        if (!value) fail(node, "missing attribute '" + std::string(name) + "'");
        return *std::move(value);
    }

    void readDomain(const xmlNode* list, DomainTemplates& domain, bool isMap) {
        domain.present = true;
        bool refreshSeen = false;
        for (const xmlNode* node : children(list)) {
            if (nodeName(node) == "refreshMsg") {
                if (refreshSeen) fail(node, "duplicate refreshMsg found.");
                refreshSeen = true;
                domain.refresh = readMessage(node, isMap);
            } else if (nodeName(node) == "updateMsg") {
                MessageTemplate& update = domain.updates.emplace_back(readMessage(node, isMap));
                if (attribute(node, "updateType"))
                    update.updateType = static_cast<std::uint8_t>(namedNumber(node, "updateType", kUpdateTypes));
                update.numbered = flag(node, "seqNum");
            } else if (nodeName(node) == "postMsg") {
                domain.posts.push_back(readMessage(onlyChild(node, "updateMsg"), isMap));
            } else if (nodeName(node) == "genMsg") {
                domain.generics.push_back(readMessage(node, isMap));
            } else {
                failUnrecognized(node);
            }
        }
        // Every domain has an image and an update: a provider cannot serve the domain without them.
        if (!refreshSeen) fail(list, "refreshMsg not found");
        if (domain.updates.empty()) fail(list, "updateMsg not found");
    }

    [[nodiscard]] MessageTemplate readMessage(const xmlNode* message, bool isMap) {
        const xmlNode* body = onlyChild(message, "dataBody");
        MessageTemplate result;
        if (isMap) result.map = readMap(onlyChild(body, "map"));
        else result.fields = readFields(onlyChild(body, "fieldList"));
        return result;
    }

    [[nodiscard]] FieldListTemplate readFields(const xmlNode* list) {
        FieldListTemplate fields;
        for (const xmlNode* node : children(list)) {
            if (nodeName(node) != "fieldEntry") failUnknown(node);
            fields.push_back(readField(node));
        }
        return fields;
    }

    // Id and type of a field, checked against the dictionary.
    [[nodiscard]] FieldTemplate readFieldHead(const xmlNode* node, bool sizedToo) const {
        const std::string idText = needAttribute(node, "fieldId");
        const auto id = toNumber<std::int16_t>(idText);
        if (!id) fail(node, "invalid fieldId '" + idText + "'");
        const std::string typeText = needAttribute(node, "dataType");
        const auto type = typeOf(typeText, sizedToo);
        if (!type) fail(node, "unknown dataType '" + typeText + "'");
        // The tools write their time stamps into these fields, and a value of the file would be read as a stamp.
        if (*id >= kUpdateTimeField && *id <= kGenericTimeField)
            fail(node, "Field ID " + idText + " is reserved and not allowed in message data.");
        const auto known = fieldType_(*id);
        if (!known) fail(node, "Field " + idText + " not found in dictionary.");
        // The dictionary decides how the value is encoded: another type in the file would be a value nobody can read.
        if (*known != static_cast<std::uint8_t>(*type))
            fail(node, "Field with ID " + idText + " has dataType mismatch with dictionary(" +
                           nameOf(static_cast<std::uint8_t>(*type)) + " instead of " + nameOf(*known) + ")");
        return {.id = *id, .type = *type, .content = {}};
    }

    [[nodiscard]] FieldTemplate readField(const xmlNode* node) const {
        FieldTemplate field = readFieldHead(node, false);
        const bool structured = field.type == FieldType::qos || field.type == FieldType::state;
        if (structured) {
            if (!attribute(node, "data").value_or("").empty())
                fail(node, "attribute 'data' of a Qos or State field must be empty");
            field.content = field.type == FieldType::qos ? readQos(node) : readState(node);
            return field;
        }
        const std::string text = needAttribute(node, "data");
        auto content = parseFieldContent(field.type, text);
        if (!content)
            fail(node, "'" + text + "' is not a value of type " + nameOf(static_cast<std::uint8_t>(field.type)));
        field.content = *std::move(content);
        return field;
    }

    template <class Names>
    [[nodiscard]] std::uint32_t namedNumber(const xmlNode* node, const char* attributeName, const Names& names) const {
        const std::string text = needAttribute(node, attributeName);
        for (const NumberName& known : names)
            if (known.name == text) return known.number;
        const auto number = toNumber<std::uint8_t>(text);
        if (!number) fail(node, "unknown value '" + text + "' of attribute '" + attributeName + "'");
        return *number;
    }
    [[nodiscard]] bool flag(const xmlNode* node, const char* name) const {
        const std::string text = attribute(node, name).value_or("false");
        if (text != "true" && text != "false")
            fail(node, "attribute '" + std::string(name) + "' must be true or false, not '" + text + "'");
        return text == "true";
    }
    [[nodiscard]] std::uint32_t plainNumber(const xmlNode* node, const char* name, std::uint32_t fallback) const {
        const auto text = attribute(node, name);
        if (!text) return fallback;
        const auto number = toNumber<std::uint16_t>(*text);
        if (!number) fail(node, "invalid number '" + *text + "' in attribute '" + name + "'");
        return *number;
    }

    [[nodiscard]] FieldContent readQos(const xmlNode* node) const {
        if (!attribute(node, "qosTimeliness") && !attribute(node, "qosRate")) return {};
        QosValue qos;
        qos.timeliness = namedNumber(node, "qosTimeliness", kQosTimes);
        qos.rate = namedNumber(node, "qosRate", kQosRates);
        // 1 says that the delay is a number of its own, which comes from another attribute.
        if (qos.timeliness == 1) qos.timeliness = plainNumber(node, "qosTimeInfo", 1);
        if (qos.rate == 1) qos.rate = plainNumber(node, "qosRateInfo", 1);
        return qos;
    }
    [[nodiscard]] FieldContent readState(const xmlNode* node) const {
        if (!attribute(node, "streamState") && !attribute(node, "dataState")) return {};
        StateValue state;
        state.stream = static_cast<std::uint8_t>(namedNumber(node, "streamState", kStreams));
        state.data = static_cast<std::uint8_t>(namedNumber(node, "dataState", kDataStates));
        if (attribute(node, "code")) state.code = static_cast<std::uint8_t>(namedNumber(node, "code", kStatusCodes));
        state.text = attribute(node, "text").value_or("");
        return state;
    }

    [[nodiscard]] std::vector<MapEntryTemplate> readMap(const xmlNode* map) {
        std::vector<MapEntryTemplate> entries;
        for (const xmlNode* node : children(map)) {
            if (nodeName(node) == "fieldSetDefs") checkSetDefinitions(node);
            else if (nodeName(node) == "mapEntry") entries.push_back(readMapEntry(node));
            else failUnknown(node);
        }
        return entries;
    }
    // Set definitions are checked; the access API has no way to send them, so entries go out in standard form.
    void checkSetDefinitions(const xmlNode* definitions) const {
        for (const xmlNode* definition : children(definitions)) {
            if (nodeName(definition) != "fieldSetDef") failUnknown(definition);
            const std::string id = needAttribute(definition, "setId");
            if (!toNumber<std::uint16_t>(id)) fail(definition, "invalid setId '" + id + "'");
            for (const xmlNode* entry : children(definition)) {
                if (nodeName(entry) != "fieldSetDefEntry") failUnknown(entry);
                static_cast<void>(readFieldHead(entry, true));
            }
        }
    }
    [[nodiscard]] MapEntryTemplate readMapEntry(const xmlNode* node) {
        MapEntryTemplate entry;
        const std::string action = needAttribute(node, "action");
        if (action == "RSSL_MPEA_ADD_ENTRY") entry.action = MapEntryTemplate::Action::add;
        else if (action == "RSSL_MPEA_UPDATE_ENTRY") entry.action = MapEntryTemplate::Action::update;
        else if (action == "RSSL_MPEA_DELETE_ENTRY") entry.action = MapEntryTemplate::Action::remove;
        else fail(node, "unknown value '" + action + "' of attribute 'action'");
        entry.key = needAttribute(node, "key");
        // A deleted entry has a key and no content.
        if (entry.action != MapEntryTemplate::Action::remove) entry.fields = readFields(onlyChild(node, "fieldList"));
        return entry;
    }

    const std::string& file_;
    const FieldTypeLookup& fieldType_;
    ParseError parseError_;
};

[[nodiscard]] std::size_t memoryOf(const FieldListTemplate& fields) {
    std::size_t bytes = fields.capacity() * sizeof(FieldTemplate);
    for (const FieldTemplate& field : fields)
        if (const auto* text = std::get_if<std::string>(&field.content)) bytes += text->size();
    return bytes;
}

[[nodiscard]] std::size_t memoryOf(const MessageTemplate& message) {
    std::size_t bytes = sizeof(MessageTemplate) + memoryOf(message.fields);
    for (const MapEntryTemplate& entry : message.map)
        bytes += sizeof entry + entry.key.size() + memoryOf(entry.fields);
    return bytes;
}

}  // namespace

MessageData readMessageData(const std::string& file, const FieldTypeLookup& fieldType) {
    return Reader(file, fieldType).read();
}

std::size_t memoryUse(const DomainTemplates& templates) {
    if (!templates.present) return 0;
    std::size_t bytes = memoryOf(templates.refresh);
    for (const auto* list : {&templates.updates, &templates.posts, &templates.generics})
        for (const MessageTemplate& message : *list)
            bytes += memoryOf(message);
    return bytes;
}

}  // namespace emissary::messages
