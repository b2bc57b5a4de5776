// One RWF message as one JSON object, in one pass over the bytes (json.md 2 - 7).
#pragma once

#include "json/MessageToJson.h"
#include "json/PayloadToJson.h"
#include "json/ValuesToJson.h"

namespace emissary::eta::json {

/// The conversion of one message, of parts that know each other: messages, payloads, values.
class RwfToJson {
public:
    RwfToJson(const Options& options, const dictionary::Dictionary* dictionary, const ServiceNames* services,
              TextScratch& scratch, BeWriter& out) noexcept
        : w_(out, error_), values_(w_, options, scratch, payloads_),
          payloads_(w_, dictionary, scratch, values_, messages_), messages_(w_, services, values_, payloads_) {}
    RwfToJson(const RwfToJson&) = delete;
    RwfToJson& operator=(const RwfToJson&) = delete;

    /// Writes the object; on failure what was written so far stands behind the caller's place.
    [[nodiscard]] Error message(Bytes in) noexcept { return ended(messages_.messageObject(in, 0)); }
    [[nodiscard]] Error message(const codec::Msg& m) noexcept { return ended(messages_.messageObject(m, 0)); }

private:
    [[nodiscard]] Error ended(bool good) noexcept {
        return good && error_.ok() ? Error{w_.out().failure(), 0} : error_;
    }

    Error error_;
    MemberWriter w_;
    ValuesToJson values_;
    PayloadToJson payloads_;
    MessageToJson messages_;
};

}  // namespace emissary::eta::json
