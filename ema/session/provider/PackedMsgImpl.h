// ema/session/provider: the content of a PackedMsg: {u16 length, message}... ready to be one transport message.
#pragma once

#include "Access/Include/OmmProvider.h"
#include "eta/codec/Msg.h"
#include "eta/core/Result.h"
#include "reactor/PackedMessage.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emissary::eta::transport {
struct ChannelInfo;
}

namespace emissary::ema {

/// Used by one thread at a time. What it holds takes effect when it was sent: see changes.
struct PackedMsgImpl {
    explicit PackedMsgImpl(refinitiv::ema::access::OmmProvider& owner) noexcept : provider(owner) {}
    refinitiv::ema::access::OmmProvider& provider;

    /// Takes a buffer for messages of one connection, with room for `maxBytes` (0: the default). `number` names the
    /// connection to the role; `describe` does it for people. Throws when the connection cannot carry such packs.
    void begin(const eta::transport::ChannelInfo& connection, std::uint64_t number, std::uint32_t maxBytes,
               std::string (*describe)(std::uint64_t number));
    /// Throws before begin(), and after the pack was sent.
    void requireBegun() const;
    /// Encodes behind what is there. Throws when it does not fit, and the pack is as it was. Any other error releases
    /// the pack and is returned.
    [[nodiscard]] eta::Error add(const eta::codec::Msg& msg, std::uint64_t handle, const reactor::PackedEffect& effect);
    /// What the messages for this handle do so far.
    [[nodiscard]] reactor::PackedEffect effectOn(std::uint64_t handle) const noexcept;
    /// Throws when there is nothing to send.
    void requireMessages() const;
    void release() noexcept;

    [[nodiscard]] std::uint64_t connection() const noexcept { return connection_; }
    [[nodiscard]] std::span<std::byte> body() noexcept { return {body_.data(), used_}; }
    /// Messages that change something, in their order; nothing of it happens before the pack has left.
    [[nodiscard]] std::span<const reactor::PackedMessage> changes() const noexcept { return changes_; }
    [[nodiscard]] std::uint32_t messages() const noexcept { return messages_; }
    [[nodiscard]] std::size_t size() const noexcept { return body_.size(); }
    [[nodiscard]] std::size_t left() const noexcept { return body_.size() - used_; }

private:
    void note(const reactor::PackedMessage& change);

    std::uint64_t connection_ = 0;
    std::vector<std::byte> body_;  // empty = no buffer; its size is the pack's limit
    std::size_t used_ = 0;
    std::uint32_t messages_ = 0;
    std::vector<reactor::PackedMessage> changes_;
    /// Of many changes: the place of the last one by handle. Empty: there are few, and all are looked at.
    boost::unordered_flat_map<std::uint64_t, std::size_t> last_;
};

}  // namespace emissary::ema
