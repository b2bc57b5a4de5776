// What the payload of a request says: lists of names and of streams, views, behaviours of symbol lists
// (rdm.md 6.3, 6.4, 6.6).
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/rdm/View.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace emissary::hub::client {

/// Borrows the message.
struct RequestPayload {
    std::vector<eta::Bytes> names;      ///< ":ItemList"
    std::vector<std::int32_t> streams;  ///< ":StreamIdList"
    bool hasNames = false, hasStreams = false;
    std::optional<reactor::rdm::View> view;  ///< each field or element once; never without any
    bool opensStreams = false;               ///< ":DataStreams" of a symbol list is not 0
};

/// Which part of a payload is not what it must be.
enum class PayloadFault : std::uint8_t { none, batch, view, symbolList };
struct PayloadError {
    PayloadFault fault = PayloadFault::none;
    const char* why = "";  ///< ends a sentence
};

/// Reads the elements that the flags of a request (or of a close, with its batch flag) announce; others are skipped.
/// Every length and type is checked; memory is bounded by the message.
[[nodiscard]] PayloadError readPayload(const eta::codec::Msg& msg, RequestPayload& out);

/// How many requests one stands for: a batch for as many as its list has items, any other for one.
[[nodiscard]] std::size_t requestsIn(const eta::codec::Msg& request) noexcept;

}  // namespace emissary::hub::client
