// What the JSON tests share: an independent reader of JSON texts, RWF messages as comparable text, the vectors.
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/json/Converter.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace json_test {

using namespace emissary::eta;

/// A JSON value with the text of its numbers. Thrown std::runtime_error: the text is not JSON.
struct Json {
    enum class Kind { null, boolean, number, string, array, object } kind = Kind::null;
    std::string text;  ///< number as written, string unescaped, "true" / "false"
    std::vector<Json> items;
    std::map<std::string, Json> members;
    std::string source;  ///< the text that it was read from

    [[nodiscard]] const Json* find(const std::string& name) const;
    [[nodiscard]] const Json& at(const std::string& name) const;
};
[[nodiscard]] Json parseJson(const std::string& text);

/// Empty when both are equal by the rules of unittests/vectors/json/README.md, else the path and what differs.
[[nodiscard]] std::string difference(const Json& expected, const Json& actual);

/// A message as text in which everything that the vectors' rules leave open is left out.
[[nodiscard]] std::string describe(Bytes message, const dictionary::Dictionary& dictionary);

[[nodiscard]] std::vector<std::byte> unhex(const std::string& text);
[[nodiscard]] std::string hex(Bytes bytes);

/// The dictionary of vectors/json/fields.json.
[[nodiscard]] const dictionary::Dictionary& vectorDictionary();

/// Services FEED_A 260 and FEED_B 7012, or those given.
class NamedServices : public json::ServiceNames {
public:
    explicit NamedServices(std::map<std::string, std::uint16_t> ids = {{"FEED_A", 260}, {"FEED_B", 7012}})
        : ids_(std::move(ids)) {}
    [[nodiscard]] std::optional<std::uint16_t> idOf(std::string_view serviceName) const noexcept override;
    [[nodiscard]] std::string_view nameOf(std::uint16_t serviceId) const noexcept override;

private:
    std::map<std::string, std::uint16_t> ids_;
};

/// The vectors' defaults: nothing added, unknown fields skipped.
[[nodiscard]] json::Options plainOptions();
/// With plainOptions() and vectorDictionary().
[[nodiscard]] json::Converter plain();

/// Everything a text turns into: RWF messages as bytes, "Ping", "Pong", "Error", and at the end why it stopped.
struct Conversion {
    std::vector<std::string> messages;  ///< hex, or the word
    std::string failure;                ///< class name; empty when all went well
    std::string reply;                  ///< the Error message that answers it
};
[[nodiscard]] Conversion convert(json::Converter& converter, const std::string& text);

/// A message as JSON text; the text "error N" with its Errc on failure.
[[nodiscard]] std::string toText(json::Converter& converter, Bytes message);

/// Calls `each` for every line of every vector file; returns how many there were.
std::size_t forEachVector(const std::function<void(const std::string& file, const Json& line)>& each);

}  // namespace json_test
