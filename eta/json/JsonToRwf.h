// Message objects of a JSON tree as RWF messages, through the codec's encoders (json.md 2 - 7).
#pragma once

#include "json/EntriesToRwf.h"
#include "json/MessageToRwf.h"
#include "json/PayloadToRwf.h"
#include "json/RequestBodies.h"
#include "json/ValuesToRwf.h"

namespace emissary::eta::json {

/// The conversion of one message, of parts that know each other: messages, payloads, entries, values.
class JsonToRwf {
public:
    JsonToRwf(const Options& options, const dictionary::Dictionary* dictionary, const ServiceNames* services,
              Tree& tree, EncodeScratch& scratch, Failure& failure) noexcept
        : tree_(tree), in_(options, tree, failure), names_(dictionary, scratch), values_(in_, options, tree, scratch),
          payloads_(in_, options, tree, values_, names_, entries_, messages_),
          entries_(in_, tree, scratch, values_, payloads_), bodies_(in_, tree, values_, names_),
          messages_(in_, options, services, tree, scratch, values_, payloads_, bodies_) {
        scratch.used = 0;
    }
    JsonToRwf(const JsonToRwf&) = delete;
    JsonToRwf& operator=(const JsonToRwf&) = delete;

    /// The message at `object`: appended to `out` when its type is one of RWF's. False after a failure.
    [[nodiscard]] bool message(NodeIndex object, BeWriter& out, std::uint8_t& type, PeerError& peerError);
    /// The fields of a message whose header is in `out`.
    [[nodiscard]] bool fields(NodeIndex object, BeWriter& out) {
        return payloads_.container(codec::DataType::FieldList, object, out, 1) && out.ok();
    }
    /// A status in the place of the message at `object`, which was refused.
    [[nodiscard]] bool status(NodeIndex object, const Failure& refused, const codec::State& state, BeWriter& out);

private:
    Tree& tree_;
    MemberReader in_;
    FieldNames names_;
    ValuesToRwf values_;
    PayloadToRwf payloads_;
    EntriesToRwf entries_;
    RequestBodies bodies_;
    MessageToRwf messages_;
};

}  // namespace emissary::eta::json
