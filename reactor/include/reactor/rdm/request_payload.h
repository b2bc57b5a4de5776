// Payloads of requests, as the server of an item reads them: names of items to open, streams to ask for again or to
// close, views, behaviours of symbol lists (rdm.md 6.3, 6.4, 6.6). Consumers, interactive providers and the hub read it
// here.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "reactor/rdm/View.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace emissary::reactor::rdm {

/// How a symbol list is to open the names in it: ":DataStreams".
enum class DataStreams : std::uint8_t { none = 0, streaming = 1, snapshots = 2 };

/// Names borrow the message.
struct RequestPayload {
    std::vector<eta::Bytes> names;      ///< ":ItemList", 1 to 255 bytes each; empty: there is none
    std::vector<std::int32_t> streams;  ///< ":StreamIdList"; empty: there is none
    std::optional<View> view;           ///< in the order given, each field or element once; never without any
    DataStreams dataStreams = DataStreams::none;
    std::vector<std::byte> rest;  ///< element list of what was not read, if it was wanted; empty = nothing
    bool dataOfNoView = false;    ///< `rest` has ":ViewData"
};

/// The elements that a reader wants to understand; the flags of the message say which of them are there.
struct PayloadParts {
    bool lists = true, view = true, symbolList = true;
    bool rest = false;  ///< keep the other elements
};

/// The parts of a payload; none: all of it can be used.
enum class PayloadFault : std::uint8_t { none, batch, view, symbolList };
/// Which part of a payload cannot be used, and why.
struct PayloadError {
    PayloadFault fault = PayloadFault::none;
    std::string why{};  ///< ends a sentence
};

/// Reads the elements that the flags of a request (or of a close, with its batch flag) announce. A batch has exactly
/// one list, which is not empty; a view without payload is none, for a reissue keeps the view that its stream has.
/// Every length and type is checked; memory and time are bounded by the message. On a fault `out` is of no use.
[[nodiscard]] PayloadError readPayload(const eta::codec::Msg& msg, RequestPayload& out, PayloadParts parts = {});

/// Writes the element list `payload` with the view of `other` in the place of its own, or without one where `other` has
/// none. False when there is nothing to write, or one of them cannot be read.
[[nodiscard]] bool replaceView(eta::Bytes payload, eta::Bytes other, eta::BeWriter& out);

/// Adds what ":ViewData" names to a view of that kind, or what another array of ids or of names does; `view` may name
/// nothing afterwards. Returns what is wrong with the array, which it calls by its name; empty: nothing.
[[nodiscard]] std::string readViewData(const eta::codec::ElementEntry& data, View& view);

/// Reads both elements of a view, which may name nothing. Returns what is wrong with them; empty: nothing.
[[nodiscard]] std::string readView(const eta::codec::ElementEntry& type, const eta::codec::ElementEntry& data,
                                   View& view);

/// How many requests one stands for: as many as the list of a batch has items; one for any other.
[[nodiscard]] std::size_t requestsIn(const eta::codec::Msg& request) noexcept;

}  // namespace emissary::reactor::rdm
