// What an owner says about one item, in answer to a request: bytes in front of the body of images and the like.
#pragma once

#include "eta/core/bytes.h"

#include <array>
#include <cstdint>

namespace emissary::hub::mesh {

/// "The version in this record is the latest one; updates above it come in this lane, behind this sequence."
struct Statement {
    std::uint32_t ask = 0;           ///< the asker's number for its wish; never used for another one
    std::uint32_t registration = 0;  ///< of the asker at the owner; another one when the owner had forgotten it
    std::uint16_t lane = 0;
    std::uint64_t sequence = 0;  ///< the lane's last one then

    static constexpr std::size_t kBytes = 20;

    [[nodiscard]] std::array<std::byte, kBytes> bytes() const noexcept {
        std::array<std::byte, kBytes> raw;
        eta::BeWriter out(raw);
        out.u32(ask);
        out.u32(registration);
        out.u16(lane);
        out.u16(0);
        out.write(sequence);
        return raw;
    }
    /// Fails the reader when the bytes are too few.
    [[nodiscard]] static Statement read(eta::BeReader& in) noexcept {
        Statement s;
        s.ask = in.u32();
        s.registration = in.u32();
        s.lane = in.u16();
        static_cast<void>(in.u16());
        s.sequence = in.read<std::uint64_t>();
        return s;
    }
};

}  // namespace emissary::hub::mesh
