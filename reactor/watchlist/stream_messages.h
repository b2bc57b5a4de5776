// Key and state in messages to the application, and the statuses that are made here.
#pragma once

#include "watchlist/Services.h"

#include <string_view>

namespace emissary::reactor::consumer {

/// The key that a message lacks, from the request (session.md 4.2). Borrows the stream.
void fillKey(const Stream& s, eta::codec::Msg& msg) noexcept;

/// A status with suspect data; borrows the stream and the text.
[[nodiscard]] eta::codec::Msg makeStatus(const Stream& s, std::uint8_t stream, std::uint8_t code,
                                         std::string_view text) noexcept;

}  // namespace emissary::reactor::consumer
