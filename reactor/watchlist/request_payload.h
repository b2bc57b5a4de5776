// What a request says beside its name: key members and QoS that few have, and the elements of its payload that mean
// something to the watchlist.
#pragma once

#include "reactor/rdm/request_payload.h"
#include "reactor/watchlist/WatchlistOptions.h"
#include "watchlist/Stream.h"

#include <memory>

namespace emissary::reactor::consumer {

using rdm::DataStreams;
using rdm::RequestPayload;
using rdm::SharedView;
using rdm::View;

[[nodiscard]] inline bool mayHaveExtras(const eta::codec::Msg& m) noexcept {
    using namespace eta::codec;
    return (m.flags & (RequestFlag::batch | RequestFlag::view)) != 0 ||
           (m.domain == eta::codec::kSymbolListDomain && m.containerType == DataType::ElementList &&
            !m.payload.empty());
}

inline constexpr std::uint16_t kRareKeyFlags =
    eta::codec::KeyFlag::filter | eta::codec::KeyFlag::identifier | eta::codec::KeyFlag::attrib;

/// Takes any QoS (best realtime tick-by-tick, worst unknown delay, slowest conflation), or says nothing of it.
[[nodiscard]] bool takesAnyQos(const eta::codec::Msg& m) noexcept;

/// A copy of what the request has beside its name; null when it has nothing.
[[nodiscard]] std::unique_ptr<RareKey> rareKeyOf(const eta::codec::Msg& m);

/// What a reissue would change of the key and the QoS that its stream was opened with (session.md 4.3), as a sentence;
/// empty when nothing. What it leaves out stays as it is.
[[nodiscard]] std::string_view changeOfKey(const eta::codec::Msg& reissue, const RareKey* first) noexcept;

/// Whether a request can be the first one of a stream.
[[nodiscard]] Refusal checkFirstRequest(const RequestView& request);

/// Reads what the watchlist needs of the payload, and keeps the rest for the provider. Refused when an element is not
/// what it must be.
[[nodiscard]] Refusal readExtras(const eta::codec::Msg& m, RequestPayload& out);

}  // namespace emissary::reactor::consumer
