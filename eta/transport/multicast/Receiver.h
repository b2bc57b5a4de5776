// The receiving half of reliable multicast: datagrams of several senders in, their messages in order out. No I/O, no
// clock of its own.
#pragma once

#include "eta/transport/FrameReader.h"
#include "transport/multicast/datagram.h"

#include <memory>
#include <vector>

namespace emissary::eta::transport::mcast {

using Duration = Clock::duration;

struct ReceiverOptions {
    std::uint32_t ownSession = 0;  ///< datagrams of this session are our own
    std::uint16_t returnPort = 0;  ///< of our requests
    std::uint8_t protocolType = 0;
    Duration firstRequest = std::chrono::milliseconds(100);  ///< tdata: longest wait before asking
    Duration nextRequest = std::chrono::milliseconds(400);   ///< trreq
    std::uint32_t requests = 3;                              ///< nrreq
    std::size_t maxMissing = 128;                            ///< nmissing, of one sender
    std::size_t maxWaiting = 65535;                          ///< userQLimit
    std::size_t poolHigh = 190000, poolLow = 180000;
    std::size_t maxMessageBytes = 64u << 20;
    std::uint64_t seed = 1;  ///< of the random waits

    /// After this long no receiver asks for a packet any more.
    [[nodiscard]] Duration giveUpAfter() const noexcept {
        return firstRequest + nextRequest * static_cast<int>(requests + 1) * 5 / 4;
    }
};

/// Used by the input owner; the counters may be read by any thread.
class Receiver {
public:
    explicit Receiver(const ReceiverOptions& options);
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;
    ~Receiver();

    /// A datagram of the group that parse() found good, no request. Views given by next() die here.
    void receive(const Header& header, Bytes body, const Endpoint& from, TimePoint now) noexcept;
    /// The system dropped datagrams because they were not fetched in time.
    void overflowed(std::uint64_t packets) noexcept;

    enum class Event : std::uint8_t { message, ping, gap, slowReader, nothing };
    /// What comes next, of whichever sender; message bytes are valid until the next call or receive().
    [[nodiscard]] Event next(Bytes& message) noexcept;
    [[nodiscard]] std::uint32_t lost() const noexcept { return told_; }  ///< packets of the gap just reported
    [[nodiscard]] const Endpoint& lastSender() const noexcept { return lastSender_; }
    /// next() has something to say.
    [[nodiscard]] bool ready() const noexcept;

    /// Sends the requests that are due, gives up, forgets silent senders. Call at deadline().
    void expire(TimePoint now, Outlet& out) noexcept;
    [[nodiscard]] TimePoint deadline() const noexcept;

    /// True when a sender has been heard and has not said goodbye.
    [[nodiscard]] bool senderKnown() const noexcept;
    [[nodiscard]] std::size_t senders() const noexcept { return sources_.size(); }
    [[nodiscard]] std::size_t bytesHeld() const noexcept;  ///< of packets held back and of messages in pieces
    [[nodiscard]] std::size_t stored() const noexcept { return stored_; }  ///< packets held back, of all senders

    Counter messages, gaps, requestsSent, requestDatagrams, repairsReceived, duplicates, rejected, overflows, heard,
        sendersLost;

    static constexpr std::size_t kMaxSenders = 64;
    static constexpr std::chrono::seconds kSilence{10};
    static constexpr std::size_t kMaxFrameBody = kMaxDatagram - kHeaderBytes - frame::kHeader;

private:
    struct Stored {
        std::unique_ptr<std::byte[]> data;
        std::uint16_t length = 0, firstStart = 0;
    };
    struct Missing {
        std::uint32_t sequence = 0, requests = 0;
        TimePoint since{}, due{};
    };
    struct Source {
        Endpoint key;
        std::uint32_t session = 0, previousSession = 0;
        std::uint32_t expected = 0, end = 0;  // next to be delivered; behind the last one known to exist
        std::uint32_t lost = 0;               // given up, not reported yet
        bool hadPrevious = false, synced = false, leaving = false, failed = false, pending = false;
        bool skipToStart = false;  // the rest of a message whose beginning is lost
        TimePoint heard{}, due = TimePoint::max();
        std::size_t stored = 0;
        std::vector<Stored> ring;
        std::vector<Missing> missing;  // ascending
        FrameReader reader;
    };

    [[nodiscard]] Source* find(const Endpoint& from, const Header& header, TimePoint now) noexcept;
    [[nodiscard]] bool startReader(Source& s) noexcept;
    void restart(Source& s, std::uint32_t session) noexcept;
    void synchronize(Source& s, const Header& header) noexcept;
    void receiveData(Source& s, const Header& header, Bytes body, TimePoint now) noexcept;
    void promised(Source& s, Bytes body, TimePoint now) noexcept;
    void nowMissing(Source& s, std::uint32_t from, std::uint32_t to, TimePoint now) noexcept;
    void forgetBefore(Source& s, std::uint32_t oldest) noexcept;
    void jump(Source& s, std::uint32_t to) noexcept;
    [[nodiscard]] bool store(Source& s, const Header& header, Bytes body) noexcept;
    [[nodiscard]] bool feed(Source& s, Bytes body, std::uint16_t firstStart) noexcept;
    enum class Advanced : std::uint8_t { fed, gap, nothing };
    [[nodiscard]] Advanced advance(Source& s) noexcept;
    void clearStored(Source& s) noexcept;
    void requestMissing(Source& s, TimePoint now, Outlet& out) noexcept;
    void renewDue(Source& s) noexcept;
    [[nodiscard]] Duration randomUpTo(Duration limit) noexcept;

    const ReceiverOptions options_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::size_t current_ = 0;  // whose turn it is in next()
    std::size_t stored_ = 0;
    bool poolFull_ = false, slow_ = false;
    std::uint32_t told_ = 0;
    Endpoint lastSender_;
    std::uint64_t random_;
    TimePoint silenceAt_ = TimePoint::max();
};

}  // namespace emissary::eta::transport::mcast
