// Message templates made ready for the message API, so that encoding one does not convert or allocate.
#pragma once
#include "Ema.h"
#include "MessageData.h"

#include <deque>
#include <memory>
#include <optional>

namespace emissary::perf {

using namespace messages;

namespace access = refinitiv::ema::access;

/// A time stamp to be added to a payload.
struct TimeStamp {
    std::int16_t field = kUpdateTimeField;
    std::uint64_t value = 0;
};

/// A field list template with its strings in the form the API takes.
class PreparedFields {
public:
    explicit PreparedFields(const FieldListTemplate& fields);
    /// Adds all fields; allocates nothing once the list has grown to its size.
    void addTo(access::FieldList& list) const;

private:
    struct State {
        StateValue value;
        access::EmaString text;
    };
    // Less than a cache line: a template is walked for every update.
    struct Step {
        std::int16_t id = 0;
        FieldType type = FieldType::buffer;
        bool blank = false;
        std::uint8_t hint = 0;    // of a real
        DateTimeValue moment;     // also dates and times
        std::int64_t number = 0;  // mantissa of a real, integers, bits of a double
        union {                   // into the lists below, which do not move their elements
            const void* none = nullptr;
            const access::EmaBuffer* bytes;
            const access::EmaString* text;
            const QosValue* qos;
            const State* state;
        };
    };
    static_assert(sizeof(Step) <= 48);
    static void addBlank(access::FieldList& list, const Step& step);
    static void addRare(access::FieldList& list, const Step& step);

    std::vector<Step> steps_;
    std::deque<access::EmaBuffer> buffers_;
    std::deque<access::EmaString> strings_;
    std::deque<QosValue> qualities_;
    std::deque<State> states_;
};

/// One message template, ready to encode. Neither copied nor moved: it points into itself.
class PreparedMessage {
public:
    PreparedMessage(const MessageTemplate& message, bool isMap);
    PreparedMessage(const PreparedMessage&) = delete;
    PreparedMessage& operator=(const PreparedMessage&) = delete;

    /// As MessageTemplate has them.
    [[nodiscard]] std::uint8_t updateType() const noexcept { return updateType_; }
    [[nodiscard]] bool numbered() const noexcept { return numbered_; }

private:
    friend class PayloadEncoder;
    struct MapEntry {
        MapEntryTemplate::Action action;
        access::EmaBuffer key;
        PreparedFields fields;
    };
    bool isMap_;
    std::uint8_t updateType_;
    bool numbered_;
    PreparedFields fields_;
    std::deque<MapEntry> entries_;
};

/// Encodes templates into containers that it keeps and reuses. One per thread. A message that holds a payload made here
/// should be cleared before the next one is made: then the payload's memory is reused instead of replaced.
class PayloadEncoder {
public:
    /// The payload, with a time stamp when one is given; valid until the next call.
    const access::ComplexType& encode(const PreparedMessage& message, const std::optional<TimeStamp>& stamp);
    /// The same with the three time stamp fields blank, as images have them.
    const access::ComplexType& encodeImage(const PreparedMessage& message);

private:
    template <class AddStamps>
    const access::ComplexType& encodeWith(const PreparedMessage& message, bool hasStamps, AddStamps addStamps);

    access::FieldList fields_;
    access::FieldList entry_;
    access::Map map_;
};

/// The prepared templates of one domain.
struct PreparedDomain {
    explicit PreparedDomain(const DomainTemplates& templates, bool isMap);
    bool present = false;
    std::deque<PreparedMessage> refresh;                          ///< one, or none when the domain is absent
    std::vector<std::unique_ptr<const PreparedMessage>> updates;  ///< chosen from for every message sent
    std::vector<std::unique_ptr<const PreparedMessage>> posts;
    std::vector<std::unique_ptr<const PreparedMessage>> generics;
};

/// Reads the message file, checked against RDMFieldDictionary and enumtype.def of the working directory, and reports
/// the memory it takes on the console. Throws InputError.
[[nodiscard]] MessageData loadMessageData(const std::string& file);

}  // namespace emissary::perf
