// Payloads cut down to what a view asks for (hub.md 5.4).
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/GrowingBuffer.h"
#include "reactor/rdm/View.h"

#include <memory>
#include <vector>

namespace emissary::hub::fanout {

/// Field lists keep the fields of a view, element lists the elements, in the order in which they came. In containers
/// that applies to the summary and to every entry; keys, actions and permissions stay. Of a message inside a payload
/// the payload is cut. Set-defined data come out as standard data, so that no definitions are needed. What holds
/// neither stays as it is.
class ViewFilter {
public:
    /// What is left of a payload.
    enum class Left : std::uint8_t {
        something,
        nothing,    ///< not a field, element or entry: as an update it is not worth sending
        malformed,  ///< the payload cannot be decoded, or what is left cannot be encoded
    };

    /// `view` has its fields and names in rising order, as ViewTable keeps them. `out` is written at its end.
    [[nodiscard]] Left filter(const reactor::rdm::View& view, eta::codec::DataType type, eta::Bytes payload,
                              eta::BeWriter& out) noexcept;

private:
    /// Summaries while they are made, one for each depth.
    std::vector<std::unique_ptr<eta::GrowingBuffer>> summaries_;
};

}  // namespace emissary::hub::fanout
