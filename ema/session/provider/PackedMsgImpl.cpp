// ema/session/provider: writes messages with their lengths into one buffer, within the limit of the channel.
#include "session/provider/PackedMsgImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "eta/codec/encoders.h"
#include "eta/transport/Channel.h"

#include <algorithm>

namespace emissary::ema {

using Code = refinitiv::ema::access::OmmInvalidUsageException;
namespace codec = eta::codec;

namespace {

// Size of a pack that asks for none (ema-api.md 8), and of the length in front of each message.
constexpr std::uint32_t kDefaultBytes = 6000;
constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kScanned = 16;  // messages that are looked through; of more there is a table

/// Whether something happens for the message once the pack has left. `effect` is that of its stream so far.
[[nodiscard]] bool isChange(const codec::Msg& msg, const reactor::PackedEffect& effect) noexcept {
    if (effect.opened) return true;  // where its item begins in the pack it has no stream id yet
    if (msg.cls == codec::MsgClass::Update) return msg.domain == codec::kDirectoryDomain;  // services change
    return msg.cls != codec::MsgClass::Generic;
}

}  // namespace

void PackedMsgImpl::begin(const eta::transport::ChannelInfo& connection, std::uint64_t number, std::uint32_t maxBytes,
                          std::string (*describe)(std::uint64_t number)) {
    if (connection.protocolType != eta::transport::kProtocolRwf)
        throwInvalidUsage("PackedMsg::initBuffer(): " + describe(number) +
                              " speaks JSON; packs are for RWF connections. Submit its messages one by one.",
                          Code::InvalidOperationEnum);
    const std::uint32_t most = connection.maxFragmentSize;
    if (maxBytes > most)
        throwInvalidUsage("PackedMsg::initBuffer(): " + std::to_string(maxBytes) +
                              " bytes are more than one transport message of " + describe(number) + " carries (" +
                              std::to_string(most) + ").",
                          Code::InvalidArgumentEnum);
    // A second initBuffer() gives up what was collected (ema-api.md 8).
    release();
    body_.resize(maxBytes != 0 ? maxBytes : std::min(kDefaultBytes, most));
    connection_ = number;
}

void PackedMsgImpl::requireBegun() const {
    if (body_.empty()) throwInvalidUsage("PackedMsg::addMsg(): call initBuffer() first.", Code::InvalidOperationEnum);
}

eta::Error PackedMsgImpl::add(const codec::Msg& msg, std::uint64_t handle, const reactor::PackedEffect& effect) {
    eta::Error e{eta::Errc::noSpace, 0};
    if (left() > kLengthBytes) {
        // The length in front of a message has two bytes.
        const std::size_t room = std::min<std::size_t>(left() - kLengthBytes, 0xFFFF);
        eta::BeWriter out({body_.data() + used_ + kLengthBytes, room});
        e = codec::encodeMsg(out, msg);
        if (e.ok()) {
            if (isChange(msg, effect))
                note({handle, static_cast<std::uint32_t>(used_ + kLengthBytes), static_cast<std::uint32_t>(out.size()),
                      effect});
            eta::storeBe(body_.data() + used_, static_cast<std::uint16_t>(out.size()));
            used_ += kLengthBytes + out.size();
            ++messages_;
            return e;
        }
    }
    if (e.code == eta::Errc::noSpace)
        throwInvalidUsage("PackedMsg::addMsg(): the message does not fit in the remaining " + std::to_string(left()) +
                              " bytes. Submit the pack, call initBuffer() and add the message again.",
                          Code::BufferTooSmallEnum);
    release();
    return e;
}

void PackedMsgImpl::note(const reactor::PackedMessage& change) {
    changes_.push_back(change);
    if (changes_.size() <= kScanned) return;
    try {
        for (std::size_t i = last_.empty() ? 0 : changes_.size() - 1; i < changes_.size(); ++i)
            last_[changes_[i].handle] = i;
    } catch (...) {
        changes_.pop_back();  // its message is not in the pack
        last_.clear();
        throw;
    }
}

reactor::PackedEffect PackedMsgImpl::effectOn(std::uint64_t handle) const noexcept {
    if (!last_.empty()) {
        const auto at = last_.find(handle);
        return at != last_.end() ? changes_[at->second].effect : reactor::PackedEffect{};
    }
    const auto last = std::find_if(changes_.rbegin(), changes_.rend(),
                                   [handle](const reactor::PackedMessage& c) { return c.handle == handle; });
    return last != changes_.rend() ? last->effect : reactor::PackedEffect{};
}

void PackedMsgImpl::requireMessages() const {
    if (messages_ == 0)
        throwInvalidUsage("submit(PackedMsg): the pack is empty. Call initBuffer() and addMsg() first.",
                          Code::InvalidOperationEnum);
}

void PackedMsgImpl::release() noexcept {
    body_.clear();
    used_ = 0;
    messages_ = 0;
    changes_.clear();
    last_.clear();
}

}  // namespace emissary::ema
