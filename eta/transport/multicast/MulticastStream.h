// A connection over reliable multicast: the protocol (Sender, Receiver) with sockets and a timer around it.
#pragma once

#include "eta/core/FutexLock.h"
#include "transport/multicast/Receiver.h"
#include "transport/multicast/Sender.h"
#include "transport/multicast/sockets.h"

#include <atomic>
#include <memory>
#include <string>

namespace emissary::eta::transport {

/// Sends frames to one group and gives the messages of everybody who sends to another (or the same) one. The descriptor
/// is an epoll instance over both sockets and a timer: it is readable when datagrams came, when a request, a heartbeat
/// or a repair is due, and when output that was pushed back may go on. All of that happens in next(): a program that
/// does not read does not repair either.
class MulticastStream final : public ByteStream, private MessageSource, private mcast::Outlet {
public:
    /// Null when refused.
    [[nodiscard]] static std::unique_ptr<MulticastStream> open(const ConnectOptions& options, Refused& refused);
    ~MulticastStream() override;

    [[nodiscard]] IoResult handshake() noexcept override { return {}; }  // there is nobody to talk to
    [[nodiscard]] IoResult receive(std::span<std::byte>) noexcept override { return {IoResult::Kind::end, 0, 0}; }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override;
    [[nodiscard]] std::size_t held() noexcept override;
    void shutdown() noexcept override;
    void close() noexcept override;
    [[nodiscard]] int fd() const noexcept override { return poll_.get(); }
    [[nodiscard]] std::string reason() const override { return reason_; }
    [[nodiscard]] MessageSource* messageSource() noexcept override { return this; }
    [[nodiscard]] MulticastCounters multicastCounters() const noexcept override;
    [[nodiscard]] std::size_t inputHeld() const noexcept override { return receiver_.bytesHeld(); }
    std::size_t describe(ChannelInfo& info) const override;
    [[nodiscard]] const DatagramInfo* datagramInfo() const noexcept override { return &info_; }

private:
    struct Sockets {
        SocketAddress sendGroup, receiveGroup, statisticsGroup;
        Descriptor poll, timer, group, own, statistics;
    };
    MulticastStream(const ConnectOptions& options, Sockets sockets, std::uint32_t session, std::uint64_t seed);

    // MessageSource
    [[nodiscard]] Event next(Bytes& message) noexcept override;
    [[nodiscard]] bool more() const noexcept override { return batchFull_ || receiver_.ready(); }
    [[nodiscard]] std::uint64_t messages() const noexcept override { return receiver_.messages.get(); }
    [[nodiscard]] std::uint64_t bytes() const noexcept override { return bytes_.get(); }
    [[nodiscard]] Told lastCondition() const noexcept override { return told_; }
    [[nodiscard]] bool outputReady() const noexcept override { return progress_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool peerExpected() const noexcept override { return receiver_.senderKnown(); }

    // Outlet
    void toGroup(Bytes datagram) noexcept override;
    void toPeer(const mcast::Endpoint& to, Bytes datagram) noexcept override;

    void turn() noexcept;
    void takeGroup(TimePoint now) noexcept;
    void takeRequests(TimePoint now) noexcept;
    void transmit(TimePoint now) noexcept;    // lock held
    void arm(TimePoint at) noexcept;          // lock held
    void watchOutput(bool blocked) noexcept;  // lock held
    void sendStatistics(TimePoint now) noexcept;
    [[nodiscard]] Event failGap(std::uint32_t lost);
    void showSender() noexcept;

    const MulticastOptions options_;
    const std::uint32_t session_;
    Sockets sockets_;
    Descriptor& poll_ = sockets_.poll;
    std::string reason_;
    std::atomic<bool> shutDown_{false};

    // input owner
    mcast::Receiver receiver_;
    mcast::Batch batch_;
    bool batchFull_ = false;
    Told told_;
    mcast::Endpoint infoFrom_;  // what info_ says
    DatagramInfo info_;
    Counter bytes_, multicastReceived_, unicastReceived_, unicastSent_, rejected_;
    TimePoint statisticsAt_ = TimePoint::max();

    // under lock_: the output half, and the input owner for requests and the timer
    alignas(64) FutexLock lock_;
    mcast::Sender sender_;
    TimePoint armed_ = TimePoint::max();
    bool blocked_ = false;
    TimePoint retryAt_ = TimePoint::max();  // the network or the memory was short, and nothing tells when that is over
    Counter multicastSent_;
    std::atomic<bool> progress_{false}, congested_{false};
    std::atomic<int> error_{0};  // errno of what the network refused for good
};

}  // namespace emissary::eta::transport
