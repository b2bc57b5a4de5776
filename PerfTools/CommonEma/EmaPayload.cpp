// Converts templates once, and adds their fields to field lists and maps.
#include "EmaPayload.h"

#include "InputError.h"

#include <bit>
#include <cstdio>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

constexpr Int16 kOrderIdField = 3426;  // names the map keys of MarketByOrder

}  // namespace

PreparedFields::PreparedFields(const FieldListTemplate& fields) {
    steps_.reserve(fields.size());
    for (const FieldTemplate& field : fields) {
        Step step;
        step.id = field.id;
        step.type = field.type;
        step.blank = std::holds_alternative<std::monostate>(field.content);
        if (const auto* i = std::get_if<std::int64_t>(&field.content)) step.number = *i;
        if (const auto* u = std::get_if<std::uint64_t>(&field.content)) step.number = static_cast<std::int64_t>(*u);
        if (const auto* f = std::get_if<float>(&field.content))
            // One number holds every kind of value, floating point as its bits, so that a step stays small.
            step.number = std::bit_cast<std::int64_t>(static_cast<double>(*f));
        if (const auto* d = std::get_if<double>(&field.content)) step.number = std::bit_cast<std::int64_t>(*d);
        if (const auto* r = std::get_if<RealValue>(&field.content)) {
            step.number = r->mantissa;
            step.hint = r->hint;
        }
        if (const auto* d = std::get_if<DateValue>(&field.content)) step.moment.date = *d;
        if (const auto* t = std::get_if<TimeValue>(&field.content)) step.moment.time = *t;
        if (const auto* m = std::get_if<DateTimeValue>(&field.content)) step.moment = *m;
        // Rare values live beside the steps; they are kept in containers that never move what they hold.
        if (const auto* q = std::get_if<QosValue>(&field.content)) step.qos = &qualities_.emplace_back(*q);
        if (const auto* s = std::get_if<StateValue>(&field.content))
            step.state = &states_.emplace_back(State{*s, EmaString(s->text.c_str())});
        if (const auto* text = std::get_if<std::string>(&field.content)) {
            const auto length = static_cast<UInt32>(text->size());
            if (field.type == FieldType::ascii) step.text = &strings_.emplace_back(text->c_str(), length);
            else step.bytes = &buffers_.emplace_back(text->data(), length);
        }
        steps_.push_back(step);
    }
}

void PreparedFields::addBlank(FieldList& list, const Step& step) {
    switch (step.type) {
    case FieldType::integer:
        list.addCodeInt(step.id);
        break;
    case FieldType::unsignedInteger:
        list.addCodeUInt(step.id);
        break;
    case FieldType::float32:
        list.addCodeFloat(step.id);
        break;
    case FieldType::float64:
        list.addCodeDouble(step.id);
        break;
    case FieldType::real:
        list.addCodeReal(step.id);
        break;
    case FieldType::date:
        list.addCodeDate(step.id);
        break;
    case FieldType::time:
        list.addCodeTime(step.id);
        break;
    case FieldType::dateTime:
        list.addCodeDateTime(step.id);
        break;
    case FieldType::qos:
        list.addCodeQos(step.id);
        break;
    case FieldType::state:
        list.addCodeState(step.id);
        break;
    case FieldType::enumeration:
        list.addCodeEnum(step.id);
        break;
    case FieldType::buffer:
        list.addCodeBuffer(step.id);
        break;
    case FieldType::ascii:
        list.addCodeAscii(step.id);
        break;
    case FieldType::utf8:
        list.addCodeUtf8(step.id);
        break;
    case FieldType::rmtes:
        list.addCodeRmtes(step.id);
        break;
    }
}

// Types that few templates have. A call and a switch for each is no cost there.
void PreparedFields::addRare(FieldList& list, const Step& step) {
    const DateValue& date = step.moment.date;
    const TimeValue& time = step.moment.time;
    switch (step.type) {
    case FieldType::date:
        list.addDate(step.id, date.year, date.month, date.day);
        break;
    case FieldType::dateTime:
        list.addDateTime(step.id, date.year, date.month, date.day, time.hour, time.minute, time.second,
                         time.millisecond, time.microsecond, time.nanosecond);
        break;
    case FieldType::float32:
        list.addFloat(step.id, static_cast<float>(std::bit_cast<double>(step.number)));
        break;
    case FieldType::float64:
        list.addDouble(step.id, std::bit_cast<double>(step.number));
        break;
    case FieldType::qos:
        list.addQos(step.id, step.qos->timeliness, step.qos->rate);
        break;
    case FieldType::state: {
        const StateValue& state = step.state->value;
        list.addState(step.id, static_cast<OmmState::StreamState>(state.stream),
                      static_cast<OmmState::DataState>(state.data), state.code, step.state->text);
        break;
    }
    case FieldType::utf8:
        list.addUtf8(step.id, *step.bytes);
        break;
    case FieldType::ascii:
        list.addAscii(step.id, *step.text);
        break;
    case FieldType::buffer:
        list.addBuffer(step.id, *step.bytes);
        break;
    default:
        break;  // addTo() has the others
    }
}

// The types that most fields of an update have are added here, without a call for each, and distinguished by
// comparisons: a processor predicts those better than the jump of a switch.
void PreparedFields::addTo(FieldList& list) const {
    for (const Step& step : steps_) {
        if (step.blank) {
            addBlank(list, step);
        } else if (step.type == FieldType::real) {
            list.addReal(step.id, step.number, static_cast<OmmReal::MagnitudeType>(step.hint));
        } else if (step.type == FieldType::enumeration) {
            list.addEnum(step.id, static_cast<UInt16>(step.number));
        } else if (step.type == FieldType::rmtes) {
            list.addRmtes(step.id, *step.bytes);
        } else if (step.type == FieldType::time) {
            const TimeValue& time = step.moment.time;
            list.addTime(step.id, time.hour, time.minute, time.second, time.millisecond, time.microsecond,
                         time.nanosecond);
        } else if (step.type == FieldType::unsignedInteger) {
            list.addUInt(step.id, static_cast<UInt64>(step.number));
        } else if (step.type == FieldType::integer) {
            list.addInt(step.id, step.number);
        } else {
            addRare(list, step);
        }
    }
}

PreparedMessage::PreparedMessage(const MessageTemplate& message, bool isMap)
    : isMap_(isMap), updateType_(message.updateType), numbered_(message.numbered), fields_(message.fields) {
    for (const MapEntryTemplate& entry : message.map)
        entries_.push_back({entry.action, EmaBuffer(entry.key.data(), static_cast<UInt32>(entry.key.size())),
                            PreparedFields(entry.fields)});
}

template <class AddStamps>
const ComplexType& PayloadEncoder::encodeWith(const PreparedMessage& message, bool hasStamps, AddStamps addStamps) {
    fields_.clear();
    if (!message.isMap_) {
        message.fields_.addTo(fields_);
        if (hasStamps) addStamps(fields_);
        fields_.complete();
        return fields_;
    }
    map_.clear();
    // A stamp concerns the message, not an order: it travels in the map's summary.
    map_.keyFieldId(kOrderIdField);
    if (hasStamps) {
        addStamps(fields_);
        fields_.complete();
        map_.summaryData(fields_);
    }
    for (const auto& entry : message.entries_) {
        const auto action = static_cast<MapEntry::MapAction>(entry.action);
        if (entry.action == MapEntryTemplate::Action::remove) {
            map_.addKeyBuffer(entry.key, action);
            continue;
        }
        entry_.clear();
        entry.fields.addTo(entry_);
        entry_.complete();
        map_.addKeyBuffer(entry.key, action, entry_);
    }
    map_.complete();
    return map_;
}

const ComplexType& PayloadEncoder::encode(const PreparedMessage& message, const std::optional<TimeStamp>& stamp) {
    return encodeWith(message, stamp.has_value(), [&](FieldList& list) { list.addUInt(stamp->field, stamp->value); });
}

const ComplexType& PayloadEncoder::encodeImage(const PreparedMessage& message) {
    return encodeWith(message, true, [](FieldList& list) {
        // An image announces the stamp fields as blank, so that a cache behind it knows all fields of the item from the
        // start.
        list.addCodeUInt(kUpdateTimeField).addCodeUInt(kPostTimeField).addCodeUInt(kGenericTimeField);
    });
}

PreparedDomain::PreparedDomain(const DomainTemplates& templates, bool isMap) : present(templates.present) {
    if (!present) return;
    refresh.emplace_back(templates.refresh, isMap);
    for (const MessageTemplate& message : templates.updates)
        updates.push_back(std::make_unique<const PreparedMessage>(message, isMap));
    for (const MessageTemplate& message : templates.posts)
        posts.push_back(std::make_unique<const PreparedMessage>(message, isMap));
    for (const MessageTemplate& message : templates.generics)
        generics.push_back(std::make_unique<const PreparedMessage>(message, isMap));
}

MessageData loadMessageData(const std::string& file) {
    static constexpr const char* kFields = "RDMFieldDictionary";
    static constexpr const char* kEnums = "enumtype.def";
    // Used for checking only; it is destroyed before the test begins.
    refinitiv::ema::rdm::DataDictionary dictionary;
    const char* current = kFields;
    try {
        dictionary.loadFieldDictionary(kFields);
        current = kEnums;
        dictionary.loadEnumTypeDictionary(kEnums);
    } catch (const OmmException& exception) {
        throw InputError("Error: Failed to load dictionary file '" + std::string(current) +
                         "': " + exception.getText().c_str());
    }
    MessageData data = readMessageData(file, [&](std::int32_t id) -> std::optional<std::uint8_t> {
        const auto fieldId = static_cast<Int16>(id);
        // A field that the dictionary lacks has no type to check against; the reader then says which one it is.
        if (!dictionary.hasEntry(fieldId)) return std::nullopt;
        return dictionary.getEntry(fieldId).getRwfType();
    });
    std::printf("Data loaded from XML. Market Price Memory: %zu bytes, Market By Order Memory: %zu bytes\n\n",
                memoryUse(data.marketPrice), memoryUse(data.marketByOrder));
    return data;
}

}  // namespace emissary::perf
