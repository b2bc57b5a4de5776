// Which part of a refresh in several parts comes next.
#pragma once

#include "eta/codec/Msg.h"

#include <cstdint>

namespace emissary::hub {

/// Follows the part numbers of the refreshes of one stream. A part without a number counts as a first one, so a source
/// that numbers nothing is never found to leave out a part.
class PartOrder {
public:
    enum class Is : std::uint8_t {
        next,     ///< the first part, or the one that was to come
        missing,  ///< a part before it has not come; the refresh is given up
        rest,     ///< of a refresh that was given up
        unbegun,  ///< of a refresh whose first part has not come
    };
    /// Takes note of a part. Every refresh of the stream is to be shown, in the order in which it came.
    [[nodiscard]] Is note(const eta::codec::Msg& refresh) noexcept {
        using namespace eta::codec;
        const bool complete = refresh.has(RefreshFlag::complete);
        const auto after = [&](std::uint32_t part, std::uint16_t flag) {
            next_ = complete ? std::uint16_t{0} : static_cast<std::uint16_t>((part + 1) | flag);
        };
        if (!refresh.has(RefreshFlag::partNum) || refresh.partNum == 0) return after(0, 0), Is::next;
        const bool given = (next_ & kGivenUp) != 0, expected = refresh.partNum == (next_ & ~kGivenUp);
        if (given && expected) return after(refresh.partNum, kGivenUp), Is::rest;
        if (next_ == 0 || given) return Is::unbegun;
        after(refresh.partNum, expected ? std::uint16_t{0} : kGivenUp);
        return expected ? Is::next : Is::missing;
    }
    /// What is left of the refresh under way is not to be shown.
    void giveUp() noexcept {
        if (next_ != 0) next_ |= kGivenUp;
    }
    /// The stream is another one.
    void restart() noexcept { next_ = 0; }

private:
    static constexpr std::uint16_t kGivenUp = 0x8000;  // part numbers have 15 bits (rwf.md 2.4)
    std::uint16_t next_ = 0;                           // 0: no part is to come
};

}  // namespace emissary::hub
