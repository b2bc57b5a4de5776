// A pack of messages as the API above the roles makes it.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "reactor/PackedMessage.h"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace emissary::test {

class TestPack {
public:
    std::vector<reactor::PackedMessage> changes;
    std::uint32_t messages = 0;

    /// `prepare` is the role's, with the effect of the messages so far; what it refuses is not added.
    template <class Prepare>
    auto add(std::uint64_t handle, eta::codec::Msg m, Prepare prepare) {
        reactor::PackedEffect effect;
        for (const reactor::PackedMessage& change : changes)
            if (change.handle == handle) effect = change.effect;
        const auto result = prepare(handle, m, effect);
        if (!result.ok()) return result.fault;
        std::vector<std::byte> room(eta::codec::maxEncodedSize(m));
        eta::BeWriter out(room);
        REQUIRE(eta::codec::encodeMsg(out, m).ok());
        const std::size_t at = body_.size() + 2;
        body_.resize(at + out.size());
        eta::storeBe(body_.data() + at - 2, static_cast<std::uint16_t>(out.size()));
        std::copy_n(room.begin(), out.size(), body_.begin() + static_cast<std::ptrdiff_t>(at));
        changes.push_back({handle, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(out.size()), effect});
        ++messages;
        return result.fault;
    }
    [[nodiscard]] std::span<std::byte> body() noexcept { return body_; }

private:
    std::vector<std::byte> body_;
};

}  // namespace emissary::test
