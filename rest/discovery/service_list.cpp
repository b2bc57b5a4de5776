// Reads the answer of service discovery. It comes from outside: an entry of another shape is skipped, not an error.
#include "oauth/json_text.h"
#include "rest/discovery.h"

#include <algorithm>
#include <charconv>

namespace emissary::rest {

namespace {

using simdjson::SUCCESS;
using Type = simdjson::ondemand::json_type;

[[nodiscard]] bool readStrings(JsonText& json, JsonText::Value value, std::vector<std::string>& out) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return true;  // of another type: skipped
    for (auto each : array) {
        JsonText::Value element;
        Type type{};
        if (each.get(element) != SUCCESS || element.type().get(type) != SUCCESS) return false;
        std::string text;
        if (type == Type::string && json.string(element, text)) out.push_back(std::move(text));
    }
    return true;
}

/// A string, or the digits of a number.
void readPort(JsonText& json, JsonText::Value value, std::string& out) {
    Type type{};
    std::uint64_t number = 0;
    if (value.type().get(type) != SUCCESS) return;
    if (type == Type::string) static_cast<void>(json.string(value, out));
    else if (type == Type::number && value.get_uint64().get(number) == SUCCESS) out = std::to_string(number);
}

/// False: the text is no JSON.
[[nodiscard]] bool readService(JsonText& json, JsonText::Object object, ServiceEndpoint& out) {
    for (auto field : object) {
        std::string_view name;
        JsonText::Value value;
        if (field.unescaped_key().get(name) != SUCCESS || field.value().get(value) != SUCCESS) return false;
        if (name == "endpoint") static_cast<void>(json.string(value, out.endpoint));
        else if (name == "provider") static_cast<void>(json.string(value, out.provider));
        else if (name == "transport") static_cast<void>(json.string(value, out.transport));
        else if (name == "port") readPort(json, value, out.port);
        else if (name == "location" && !readStrings(json, value, out.locations)) return false;
        else if (name == "dataFormat" && !readStrings(json, value, out.dataFormats)) return false;
    }
    return true;
}

/// A host that can stand in a header line or in what a proxy is asked, and the number of a port.
// Control characters and spaces would let an endpoint add lines to a request.
[[nodiscard]] bool canBeReached(const ServiceEndpoint& s) noexcept {
    const bool host = !s.endpoint.empty() &&
                      std::all_of(s.endpoint.begin(), s.endpoint.end(), [](char c) { return c > ' ' && c < '\x7F'; });
    std::uint16_t port = 0;
    const char* const end = s.port.data() + s.port.size();
    const auto read = std::from_chars(s.port.data(), end, port);
    return host && read.ec == std::errc() && read.ptr == end && port != 0;
}

}  // namespace

eta::Refused readServices(Secret& body, std::vector<ServiceEndpoint>& services) {
    const eta::Refused noJson{"the answer of service discovery is no JSON object"};
    services.clear();
    JsonText json(body);
    JsonText::Object object;
    if (!json.object(object)) return noJson;
    bool found = false;
    for (auto field : object) {
        std::string_view name;
        JsonText::Value value;
        if (field.unescaped_key().get(name) != SUCCESS || field.value().get(value) != SUCCESS) return noJson;
        simdjson::ondemand::array array;
        if (name != "services" || value.get_array().get(array) != SUCCESS) continue;
        found = true;
        for (auto each : array) {
            JsonText::Value element;
            Type type{};
            if (each.get(element) != SUCCESS || element.type().get(type) != SUCCESS) return noJson;
            JsonText::Object entry;
            if (type != Type::object || element.get_object().get(entry) != SUCCESS) continue;
            if (!readService(json, entry, services.emplace_back())) return noJson;
        }
    }
    // The text after the last brace counts too: a cut or joined answer is not taken for a whole one.
    if (!json.atEnd()) return noJson;
    return found ? eta::Refused{} : eta::Refused{"the answer of service discovery has no array 'services'"};
}

const ServiceEndpoint* chooseService(const std::vector<ServiceEndpoint>& services, std::string_view transport,
                                     std::string_view location) {
    const ServiceEndpoint* single = nullptr;
    // An endpoint with two or more locations is preferred (credentials.md 4.1): it survives the loss of one of its
    // zones.
    for (const ServiceEndpoint& s : services) {
        if (s.transport != transport || s.locations.empty() || s.locations.front().rfind(location, 0) != 0 ||
            !canBeReached(s))
            continue;
        if (s.locations.size() >= 2) return &s;
        if (single == nullptr) single = &s;
    }
    return single;
}

}  // namespace emissary::rest
