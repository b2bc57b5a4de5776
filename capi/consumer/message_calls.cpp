// The functions of emissary.h that read a message inside its callback.
#include "calls/calls.h"
#include "consumer/Consumer.h"
#include "data/header.h"
#include "data/values.h"

using namespace emissary::capi;

int emi_message_type(const emi_message* message) {
    // No type has the number 0, so null answers "no message" instead of a crash in the caller's language.
    return message == nullptr ? 0 : message->type;
}

uint64_t emi_message_item(const emi_message* message) {
    return message == nullptr ? 0 : message->item;
}

int emi_message_state(const emi_message* message) {
    return message == nullptr ? 0 : message->state;
}

int emi_message_next_field(emi_message* message, emi_value* value, int* found, emi_error* error) {
    return guarded(error, [&] {
        need(message, "message");
        needSize(value, "value");
        need(found, "found");
        *found = 0;
        if (message->fields == nullptr || !message->fields->forth()) return;
        const auto& field = message->fields->getEntry();
        Value read = valueOf(field);
        addDisplay(field, read);
        // Containers have no value of one kind. emi_message_data() shows them, with their depth.
        if (read.kind > EMI_BYTES) {  // only in data
            read = Value();
            read.blank = true;
        }
        *value = {static_cast<std::uint32_t>(sizeof *value),
                  field.getFieldId(),
                  static_cast<std::uint8_t>(read.kind),
                  static_cast<std::uint8_t>(read.blank ? 1 : 0),
                  read.hint,
                  0,
                  0,
                  0,
                  {},
                  read.i64,
                  read.f64,
                  field.getName().c_str(),
                  read.text,
                  read.length};
        *found = 1;
    });
}

int emi_message_data(emi_message* message, const emi_value** data, size_t* count, emi_error* error) {
    return guarded(error, [&] {
        need(message, "message");
        need(data, "data");
        need(count, "count");
        *data = nullptr;
        *count = 0;
        const auto& payload = message->msg->getPayload();
        if (payload.getDataType() == refinitiv::ema::access::DataType::NoDataEnum) return;
        // Kept with the message: the caller may read the values until the callback returns.
        message->data = std::make_unique<Tree>(dataOf(payload));
        *data = message->data->values().data();
        *count = message->data->values().size();
    });
}

int emi_message_header(emi_message* message, emi_header* header, emi_error* error) {
    return guarded(error, [&] {
        need(message, "message");
        needSize(header, "header");
        *header = headerOf(message->type, *message->msg);
    });
}
