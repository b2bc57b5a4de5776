// capi/data: what stands in a message beside its payload.
#pragma once

#include "emissary.h"

#include "Ema.h"

#include <string>

namespace emissary::capi {

/// Texts borrow from the message.
[[nodiscard]] emi_header headerOf(emi_type type, const refinitiv::ema::access::Msg& msg);
/// Whether the header has more than the type and the item say.
[[nodiscard]] bool saysMore(emi_type type, const refinitiv::ema::access::Msg& msg);

/// A header with texts of its own.
struct KeptHeader {
    KeptHeader(emi_type type, const refinitiv::ema::access::Msg& msg)
        : header(headerOf(type, msg)), name(header.name), service(header.service), text(header.text) {}
    /// Texts live as long as this object.
    [[nodiscard]] emi_header get() const {
        emi_header h = header;
        h.name = name.c_str();
        h.service = service.c_str();
        h.text = text.c_str();
        return h;
    }

    emi_header header;
    std::string name, service, text;
};

}  // namespace emissary::capi
