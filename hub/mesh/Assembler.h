// Fragments of one sender's messages on one way, put together.
#pragma once

#include "hub/mesh/frames.h"

#include <vector>

namespace emissary::hub::mesh {

/// One message at a time, because a sender's fragments follow each other. Bounded; what does not fit is dropped.
class Assembler {
public:
    enum class Result : std::uint8_t {
        complete,  ///< records() has all of them
        waits,     ///< more fragments have to come
        broken,    ///< this fragment continues nothing, or the message is too long: it is lost
    };
    /// A frame that is not whole. `mostBytes`: bound on the message.
    [[nodiscard]] Result add(const Header& header, Bytes records, std::size_t mostBytes);
    /// Valid until the next call.
    [[nodiscard]] Bytes records() const noexcept { return block_; }
    void clear() noexcept { std::vector<std::byte>().swap(block_), next_ = 0; }

private:
    std::vector<std::byte> block_;
    std::uint64_t next_ = 0;  // sequence of the fragment that has to come; 0: none
    std::uint16_t count_ = 0;
};

}  // namespace emissary::hub::mesh
