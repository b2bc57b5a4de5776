// The functions of emissary.h that read a message inside its callback.
#include "batch/values.h"
#include "calls/calls.h"
#include "consumer/Consumer.h"

using namespace emissary::capi;

int emi_message_type(const emi_message* message) {
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
        const Value read = valueOf(field);
        *value = {static_cast<std::uint32_t>(sizeof *value),
                  field.getFieldId(),
                  static_cast<std::uint8_t>(read.kind),
                  static_cast<std::uint8_t>(read.blank ? 1 : 0),
                  read.hint,
                  {},
                  read.i64,
                  read.f64,
                  field.getName().c_str(),
                  read.text,
                  read.length};
        *found = 1;
    });
}
