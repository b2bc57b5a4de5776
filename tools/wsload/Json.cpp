// tools/wsload: takes over what simdjson reads.
#include "Json.h"

#include "eta/core/json_escapes.h"

#include <simdjson.h>

namespace emissary::wsload {

namespace {

namespace sj = simdjson::ondemand;
using simdjson::SUCCESS;

// Bounds the recursion: the text comes from a server.
constexpr int kDeepest = 64;

/// simdjson checks a value when it is read, so each one is.
bool read(sj::value from, Json& into, int depth) {
    sj::json_type type{};
    if (depth > kDeepest || from.type().get(type) != SUCCESS) return false;
    switch (type) {
    case sj::json_type::object: {
        into.kind = Json::Kind::object;
        sj::object object;
        if (from.get_object().get(object) != SUCCESS) return false;
        for (auto field : object) {
            std::string_view name;
            sj::value value;
            if (field.unescaped_key().get(name) != SUCCESS) return false;
            JsonMember& member = into.members.emplace_back(JsonMember{std::string(name), {}});
            if (field.value().get(value) != SUCCESS || !read(value, member.value, depth + 1)) return false;
        }
        return true;
    }
    case sj::json_type::array: {
        into.kind = Json::Kind::array;
        sj::array array;
        if (from.get_array().get(array) != SUCCESS) return false;
        for (auto element : array) {
            sj::value value;
            if (element.get(value) != SUCCESS || !read(value, into.elements.emplace_back(), depth + 1)) return false;
        }
        return true;
    }
    case sj::json_type::string: {
        into.kind = Json::Kind::text;
        std::string_view text;
        if (from.get_string().get(text) != SUCCESS) return false;
        into.text = text;
        return true;
    }
    case sj::json_type::number: {
        into.kind = Json::Kind::number;
        const std::string_view token = from.raw_json_token();  // with the blanks behind it
        into.text = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
        return from.get_number().error() == SUCCESS;
    }
    case sj::json_type::boolean:
        into.kind = Json::Kind::boolean;
        return from.get_bool().get(into.flag) == SUCCESS;
    case sj::json_type::null: {
        bool null = false;
        return from.is_null().get(null) == SUCCESS && null;
    }
    }
    return false;
}

}  // namespace

std::optional<Json> parseJson(std::string_view text) {
    // As the one element of an array: simdjson reads a value that is the whole text in another way.
    std::string whole;
    whole.reserve(text.size() + 2 + simdjson::SIMDJSON_PADDING);
    whole.append("[").append(text).append("]");
    sj::parser parser;
    sj::document document;
    sj::value all;
    Json value;
    if (parser.iterate(whole).get(document) != SUCCESS || document.get_value().get(all) != SUCCESS ||
        !read(all, value, -1) || document.current_location().error() != simdjson::OUT_OF_BOUNDS ||
        value.elements.size() != 1)
        return std::nullopt;
    return std::move(value.elements.front());
}

std::string quoted(std::string_view text) {
    std::string out;
    eta::appendJsonString(out, text);
    return out;
}

}  // namespace emissary::wsload
