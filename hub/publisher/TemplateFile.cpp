// Encodes the images of a message file, once for each domain.
#include "hub/publisher/TemplateFile.h"

#include "MessageData.h"
#include "eta/codec/encoders.h"
#include "reactor/GrowingBuffer.h"

#include <stdexcept>
#include <variant>

namespace emissary::hub::publisher {

using namespace eta::codec;

namespace {

constexpr std::int16_t kOrderIdField = 3426;  // key of order maps (perftools.md 6.1)

/// One field; a value that is blank, or that the type does not know, is blank.
class FieldWriter {
public:
    FieldWriter(FieldListEncoder& list, const messages::FieldTemplate& field) noexcept : list_(list), field_(field) {}

    void operator()(std::monostate) const { list_.addBlank(field_.id); }
    void operator()(std::int64_t v) const { list_.addInt(field_.id, v); }
    void operator()(std::uint64_t v) const {
        if (field_.type == messages::FieldType::enumeration) list_.addEnum(field_.id, static_cast<std::uint16_t>(v));
        else list_.addUInt(field_.id, v);
    }
    void operator()(float v) const { list_.field(field_.id), encodeFloatPrefixed(list_.writer(), v); }
    void operator()(double v) const { list_.field(field_.id), encodeDoublePrefixed(list_.writer(), v); }
    void operator()(const messages::RealValue& v) const { list_.addReal(field_.id, {v.mantissa, v.hint}); }
    void operator()(const messages::DateValue& v) const {
        list_.field(field_.id), encodeDatePrefixed(list_.writer(), date(v));
    }
    void operator()(const messages::TimeValue& v) const {
        list_.field(field_.id), encodeTimePrefixed(list_.writer(), time(v));
    }
    void operator()(const messages::DateTimeValue& v) const {
        list_.field(field_.id), encodeDateTimePrefixed(list_.writer(), {date(v.date), time(v.time)});
    }
    void operator()(const messages::QosValue& v) const {
        list_.field(field_.id), encodeQosPrefixed(list_.writer(), qos(v));
    }
    void operator()(const messages::StateValue& v) const {
        list_.field(field_.id),
            encodeStatePrefixed(list_.writer(), {v.stream, v.data, v.code, eta::asBytes(std::string_view(v.text))});
    }
    void operator()(const std::string& v) const { list_.add(field_.id, eta::asBytes(v)); }

private:
    [[nodiscard]] static Date date(const messages::DateValue& v) noexcept { return {v.day, v.month, v.year}; }
    [[nodiscard]] static Time time(const messages::TimeValue& v) noexcept {
        return {v.hour, v.minute, v.second, v.millisecond, v.microsecond, v.nanosecond};
    }
    /// From the numbers of the file: 0 best, the two highest without a time, else a time.
    [[nodiscard]] static Qos qos(const messages::QosValue& v) noexcept {
        constexpr std::uint32_t kUnknownDelay = 0xFFFF'FFFF, kJustInTime = 0xFFFF'FF00;
        Qos q = kRealtimeTickByTick;
        if (v.timeliness == kUnknownDelay) q.timeliness = 2;
        else if (v.timeliness != 0) q.timeliness = 3, q.timeInfo = static_cast<std::uint16_t>(v.timeliness);
        if (v.rate == kJustInTime) q.rate = 2;
        else if (v.rate != 0) q.rate = 3, q.rateInfo = static_cast<std::uint16_t>(v.rate);
        return q;
    }
    FieldListEncoder& list_;
    const messages::FieldTemplate& field_;
};

void write(FieldListEncoder& list, const messages::FieldListTemplate& fields) {
    for (const messages::FieldTemplate& field : fields)
        std::visit(FieldWriter(list, field), field.content);
}

/// The fields that tools put time stamps into are blank in images, so that caches know them (perftools.md 1.5).
void writeStamps(FieldListEncoder& list) {
    for (const std::int16_t id : {messages::kUpdateTimeField, messages::kPostTimeField, messages::kGenericTimeField})
        list.addBlank(id);
}

[[nodiscard]] eta::Error encodeFields(eta::BeWriter& out, const messages::FieldListTemplate& fields, bool stamps) {
    FieldListEncoder list;
    list.begin(out);
    write(list, fields);
    if (stamps) writeStamps(list);
    return list.complete();
}

/// An order book as publishers send it: a map by order id, with the time stamps in its summary.
[[nodiscard]] eta::Error encodeBook(eta::BeWriter& out, const std::vector<messages::MapEntryTemplate>& entries) {
    reactor::GrowingBuffer summary;
    if (const eta::Error e = encodeFields(summary.start(), {}, true); !e.ok()) return e;
    EntryContainerHeader header;
    header.entryType = DataType::FieldList;
    header.hasSummary = true;
    header.summary = summary.view();
    MapEncoder map;
    map.begin(out, header, DataType::Buffer, &kOrderIdField);
    for (const messages::MapEntryTemplate& entry : entries) {
        const auto action = static_cast<std::uint8_t>(entry.action);
        if (entry.action == messages::MapEntryTemplate::Action::remove) {
            map.add(action, eta::asBytes(std::string_view(entry.key)), {});
            continue;
        }
        map.beginEntry(action, eta::asBytes(std::string_view(entry.key)));
        if (const eta::Error e = encodeFields(out, entry.fields, false); !e.ok()) return e;
        map.endEntry();
    }
    return map.complete();
}

[[nodiscard]] std::vector<std::byte> encoded(const std::string& file, const messages::DomainTemplates& domain,
                                             bool book) {
    if (!domain.present) return {};
    reactor::GrowingBuffer out;
    const eta::Error e =
        book ? encodeBook(out.start(), domain.refresh.map) : encodeFields(out.start(), domain.refresh.fields, true);
    if (!e.ok())
        throw std::runtime_error("Error: " + file + ": the refresh of " + (book ? "MarketByOrder" : "MarketPrice") +
                                 " cannot be encoded: " + eta::describe(e.code) + ".");
    return {out.view().begin(), out.view().end()};
}

}  // namespace

TemplateFile::TemplateFile(const std::string& file, const eta::dictionary::Dictionary& dictionary) {
    const messages::MessageData data =
        messages::readMessageData(file, [&](std::int32_t id) -> std::optional<std::uint8_t> {
            const auto* const field =
                id >= -32768 && id <= 32767 ? dictionary.find(static_cast<std::int16_t>(id)) : nullptr;
            if (field == nullptr) return std::nullopt;
            return static_cast<std::uint8_t>(field->type);
        });
    marketPrice_ = {DataType::FieldList, encoded(file, data.marketPrice, false)};
    marketByOrder_ = {DataType::Map, encoded(file, data.marketByOrder, true)};
}

const TemplateFile::Image* TemplateFile::image(std::uint8_t domain) const noexcept {
    const Image& image = domain == 7 ? marketByOrder_ : marketPrice_;
    return (domain == kMarketPriceDomain || domain == 7) && !image.payload.empty() ? &image : nullptr;
}

}  // namespace emissary::hub::publisher
