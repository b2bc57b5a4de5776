// Sequenced multicast: numbered datagrams that are never repaired (transport.md 7.2).
#pragma once

#include "emissary/Counter.h"
#include "eta/core/FutexLock.h"
#include "transport/multicast/sockets.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace emissary::eta::transport {

namespace mcast {

inline constexpr std::size_t kSequencedHeader = 12;

/// Header of such a datagram; the length of the header is part of it.
struct SequencedHeader {
    std::uint8_t flags = 0, protocolType = 0, major = kRwfMajor, minor = kRwfMinor;
    std::uint16_t instance = 0;
    std::uint32_t sequence = 0;
    static constexpr std::uint8_t kRetransmission = 0x01;
};
/// False when it is shorter than its header, of another version or protocol type, or a message in it has a length that
/// leads beyond its end. `body`: {u16 length, message} repeated; empty for a ping.
[[nodiscard]] bool parseSequenced(Bytes datagram, SequencedHeader& header, Bytes& body,
                                  std::uint8_t protocolType = kProtocolRwf) noexcept;
void writeSequencedHeader(std::byte* to, const SequencedHeader& header) noexcept;

/// Numbers of each sender's channel, to see what is missing between them.
class SequenceTracker {
public:
    /// How many are missing before this one: 0 also for the first one, one that was seen, and a retransmission.
    [[nodiscard]] std::uint32_t follows(const Endpoint& from, std::uint16_t instance, std::uint32_t sequence) noexcept;
    [[nodiscard]] std::size_t senders() const noexcept { return known_.size(); }
    static constexpr std::size_t kMaxSenders = 256;

private:
    struct Known {
        Endpoint from;
        std::uint16_t instance = 0;
        std::uint32_t next = 0;
        std::uint64_t used = 0;
    };
    std::vector<Known> known_;
    std::uint64_t clock_ = 0;
};

}  // namespace mcast

/// Sends frames as datagrams and gives the messages of those who send to the group heard. Order and repetition are the
/// application's affair: Channel::datagramInfo() says which datagram a message came in.
class SequencedStream final : public ByteStream, private MessageSource {
public:
    /// Null when refused.
    [[nodiscard]] static std::unique_ptr<SequencedStream> open(const ConnectOptions& options, Refused& refused);

    [[nodiscard]] IoResult handshake() noexcept override { return {}; }
    [[nodiscard]] IoResult receive(std::span<std::byte>) noexcept override { return {IoResult::Kind::end, 0, 0}; }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override;
    void shutdown() noexcept override;
    void close() noexcept override;
    [[nodiscard]] int fd() const noexcept override { return sockets_.poll.get(); }
    [[nodiscard]] std::string reason() const override { return reason_; }
    [[nodiscard]] MessageSource* messageSource() noexcept override { return this; }
    [[nodiscard]] MulticastCounters multicastCounters() const noexcept override;
    [[nodiscard]] const DatagramInfo* datagramInfo() const noexcept override { return &info_; }
    Error sendSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept override;
    std::size_t describe(ChannelInfo& info) const override;

private:
    struct Sockets {
        SocketAddress sendGroup, receiveGroup;
        Descriptor poll, wake, group, own;
    };
    SequencedStream(const ConnectOptions& options, Sockets sockets);

    [[nodiscard]] Event next(Bytes& message) noexcept override;
    [[nodiscard]] bool more() const noexcept override { return at_ < count_ || !body_.empty(); }
    [[nodiscard]] std::uint64_t messages() const noexcept override { return messages_.get(); }
    [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_.get(); }
    [[nodiscard]] Told lastCondition() const noexcept override { return told_; }
    [[nodiscard]] bool outputReady() const noexcept override { return blocked_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool peerExpected() const noexcept override { return false; }

    enum class Opened : std::uint8_t { nothing, ping, messages, gap };
    [[nodiscard]] Opened open(std::size_t datagram) noexcept;
    void watchOutput(bool blocked) noexcept;

    const MulticastOptions options_;
    const mcast::SequencedHeader own_;  // of what we send, but for its number
    Sockets sockets_;
    std::atomic<bool> shutDown_{false}, blocked_{false};

    // input owner
    mcast::Batch batch_;
    std::size_t at_ = 0, count_ = 0;  // datagrams of the batch
    Bytes body_;                      // the rest of the datagram being read
    mcast::SequenceTracker tracker_;
    DatagramInfo info_;
    mcast::Endpoint infoFrom_;
    Told told_;
    std::uint16_t ownPort_ = 0;
    std::vector<std::array<std::uint8_t, 16>> ownAddresses_;
    std::string reason_;
    Counter messages_, bytes_, received_, gaps_, rejected_, overflows_;

    // output half
    FutexLock lock_;
    std::uint32_t next_ = 1;
    std::vector<std::byte> datagram_;
    Counter sent_;
};

}  // namespace emissary::eta::transport
