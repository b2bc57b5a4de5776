// Which number the next message of each sender must have.
#pragma once
#include "eta/transport/Channel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::perf {

/// A connection has one sender, a multicast group any number: the senders heard last are remembered, and a
/// sender that is heard for the first time may begin with any number. Used by one thread.
class SenderNumbers {
public:
    enum class Place : std::uint8_t {
        first,  ///< the sender's first message
        next,   ///< follows its last one
        other,  ///< does not
    };

    /// Says what a message with that number is; its successor is expected from now on. With `other`, `due` is the
    /// number that was expected.
    /// `sender`: null for a connection with one peer.
    [[nodiscard]] Place place(const eta::transport::DatagramInfo* sender, std::uint64_t number, std::uint64_t& due);
    /// Messages were lost: the next one counts as the sender's first.
    void forget() noexcept { known_.clear(); }

    static constexpr std::size_t kMaxSenders = 64;

private:
    struct Sender {
        std::string address;
        std::uint16_t port = 0, instance = 0;
        std::uint64_t due = 0, heard = 0;
    };
    std::vector<Sender> known_;
    std::uint64_t clock_ = 0;  // messages so far
};

}  // namespace emissary::perf
