// config/messages: the message templates of the tools: typed field values, read from a file such as MsgData.xml.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace emissary::messages {

/// Fields that carry time stamps. Message data must not contain them.
inline constexpr std::int16_t kUpdateTimeField = 3902;   ///< TIM_TRK_1
inline constexpr std::int16_t kPostTimeField = 3903;     ///< TIM_TRK_2
inline constexpr std::int16_t kGenericTimeField = 3904;  ///< TIM_TRK_3

/// Primitive types, with the numbers they have on the wire and in dictionaries.
enum class FieldType : std::uint8_t {
    integer = 3,
    unsignedInteger = 4,
    float32 = 5,
    float64 = 6,
    real = 8,
    date = 9,
    time = 10,
    dateTime = 11,
    qos = 12,
    state = 13,
    enumeration = 14,
    buffer = 16,
    ascii = 17,
    utf8 = 18,
    rmtes = 19,
};

/// mantissa * 10^(hint - 14) for hints 0 to 21, mantissa / 2^(hint - 22) for 22 to 30, infinities and NaN 33 to 35.
struct RealValue {
    std::int64_t mantissa = 0;
    std::uint8_t hint = 14;
    friend bool operator==(const RealValue&, const RealValue&) = default;
};
struct DateValue {
    std::uint16_t year = 0;
    std::uint8_t month = 0;
    std::uint8_t day = 0;
    friend bool operator==(const DateValue&, const DateValue&) = default;
};
struct TimeValue {
    std::uint8_t hour = 0;
    std::uint8_t minute = 0;
    std::uint8_t second = 0;
    std::uint16_t millisecond = 0;
    std::uint16_t microsecond = 0;
    std::uint16_t nanosecond = 0;
    friend bool operator==(const TimeValue&, const TimeValue&) = default;
};
struct DateTimeValue {
    DateValue date;
    TimeValue time;
    friend bool operator==(const DateTimeValue&, const DateTimeValue&) = default;
};
struct QosValue {
    std::uint32_t timeliness = 0;
    std::uint32_t rate = 0;
    friend bool operator==(const QosValue&, const QosValue&) = default;
};
struct StateValue {
    std::uint8_t stream = 1;
    std::uint8_t data = 1;
    std::uint8_t code = 0;
    std::string text;
    friend bool operator==(const StateValue&, const StateValue&) = default;
};

/// The value of a field; std::monostate is blank. Enumerations are std::uint64_t, all string types std::string.
using FieldContent = std::variant<std::monostate, std::int64_t, std::uint64_t, float, double, RealValue, DateValue,
                                  TimeValue, DateTimeValue, QosValue, StateValue, std::string>;

struct FieldTemplate {
    std::int16_t id = 0;
    FieldType type = FieldType::buffer;
    FieldContent content;
};

using FieldListTemplate = std::vector<FieldTemplate>;

struct MapEntryTemplate {
    enum class Action : std::uint8_t { update = 1, add = 2, remove = 3 };
    Action action = Action::add;
    std::string key;
    FieldListTemplate fields;
};

/// The payload of one message: fields (MarketPrice) or a map (MarketByOrder).
struct MessageTemplate {
    FieldListTemplate fields;
    std::vector<MapEntryTemplate> map;
    std::uint8_t updateType = 0;  ///< of an update: 1 quote, 2 trade, ...; 0: unspecified
    bool numbered = false;        ///< of an update: it carries the sequence number of its stream
};

/// The templates of one domain. Templates of one kind take turns.
struct DomainTemplates {
    bool present = false;
    MessageTemplate refresh;
    std::vector<MessageTemplate> updates;
    std::vector<MessageTemplate> posts;
    std::vector<MessageTemplate> generics;
};

struct MessageData {
    DomainTemplates marketPrice;
    DomainTemplates marketByOrder;
};

/// Answers the type of a field, as a dictionary knows it; nothing for a field that is not in the dictionary.
using FieldTypeLookup = std::function<std::optional<std::uint8_t>(std::int32_t fieldId)>;

/// Reads a message data file. Throws InputError with file and line.
[[nodiscard]] MessageData readMessageData(const std::string& file, const FieldTypeLookup& fieldType);

/// Reads a value as `data` attributes write it; empty text is blank (an empty string for string types).
/// Nothing when the text is not a value of that type. Not for Qos and State, which are written as attributes.
[[nodiscard]] std::optional<FieldContent> parseFieldContent(FieldType type, std::string_view text);

/// Bytes of memory that the templates of a domain take, for the report after loading.
[[nodiscard]] std::size_t memoryUse(const DomainTemplates& templates);

}  // namespace emissary::messages
