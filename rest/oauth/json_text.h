// JSON that is read from, and into, memory that is overwritten.
#pragma once

#include "eta/core/json_escapes.h"
#include "rest/Secret.h"

#include <string_view>

#include <simdjson.h>

namespace emissary::rest {

/// A parser over a text that stays where it is: what is unescaped goes into secrets, never into the parser's buffers.
class JsonText {
public:
    using Object = simdjson::ondemand::object;
    using Value = simdjson::ondemand::value;

    /// Borrows the text, and gives it the room that the parser reads behind it.
    explicit JsonText(Secret& text) {
        text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
        const simdjson::padded_string_view view(text.view(), text.capacity());
        failed_ = parser_.iterate(view).get(document_) != simdjson::SUCCESS;
    }
    /// False: the text is no object.
    [[nodiscard]] bool object(Object& out) { return !failed_ && document_.get_object().get(out) == simdjson::SUCCESS; }
    /// Nothing but blanks follows what was read.
    [[nodiscard]] bool atEnd() { return !failed_ && document_.current_location().error() == simdjson::OUT_OF_BOUNDS; }

    /// False: not a string.
    [[nodiscard]] bool string(Value value, Secret& out) {
        simdjson::ondemand::raw_json_string raw;
        if (value.get_raw_json_string().get(raw) != simdjson::SUCCESS) return false;
        // Unescaping never makes it longer; the parser may write a little beyond.
        const std::string_view token = value.raw_json_token();
        std::vector<unsigned char, WipingAllocator<unsigned char>> bytes(token.size() + simdjson::SIMDJSON_PADDING);
        unsigned char* end = bytes.data();
        std::string_view text;
        if (parser_.unescape(raw, end).get(text) != simdjson::SUCCESS) return false;
        out.clear();
        out.append(text);
        return true;
    }
    /// The same for what is not secret.
    [[nodiscard]] bool string(Value value, std::string& out) {
        Secret text;
        if (!string(value, text)) return false;
        out.assign(text.view());
        return true;
    }

private:
    simdjson::ondemand::parser parser_;
    simdjson::ondemand::document document_;
    bool failed_ = false;
};

/// Adds a string with its quotes.
inline void appendJsonString(Secret& out, std::string_view text) {
    out.append("\"");
    eta::writeJsonEscaped(text, [&out](std::string_view piece) { out.append(piece); });
    out.append("\"");
}

}  // namespace emissary::rest
