// The receiving half of a tunnel: order, gaps, acknowledgements, fragments put together.
#pragma once

#include "reactor/tunnel/tunnel_types.h"
#include "tunnel/Wire.h"
#include "tunnel/header.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace emissary::reactor::tunnel {

/// Takes data messages and fins in any order and gives them out in theirs. What comes behind a gap is kept, within
/// limits; what is missing is asked for once, and again when the answer came in part, or when the owner's timer says
/// so. Session lock held throughout.
class Incoming {
public:
    struct Options {
        std::int32_t streamId = 0;
        std::uint8_t domain = 0, streamVersion = kStreamVersion;
        std::uint64_t maxMessage = 614'400;
        bool windowed = false;
        std::int32_t window = static_cast<std::int32_t>(kDefaultWindow);  ///< ours, as we say it
        Limits limits{};
    };
    /// What comes out.
    class Reader {
    public:
        virtual ~Reader() = default;
        /// One whole message; the bytes live until the call returns. False: the tunnel is gone, nothing more.
        virtual bool onData(eta::codec::DataType type, Bytes data) = 0;
        /// Everything before the peer's fin has come out.
        virtual void onFin() = 0;
    };

    Incoming(const Options& options, Counters& counters) : options_(options), counters_(counters) {}

    /// A data message, or a fin. Why the tunnel cannot go on; empty when it can.
    [[nodiscard]] std::string_view onMessage(const Header& header, std::uint32_t seqNum, eta::codec::DataType type,
                                             Bytes data, Reader& reader);

    /// An acknowledgement, a question for what is missing, or both, wait to be sent.
    [[nodiscard]] bool ackDue() const noexcept { return ackDue_ || nakDue_; }
    /// Half the window is unacknowledged: not to be put off.
    [[nodiscard]] bool ackUrgent() const noexcept { return unackedBytes_ * 2 >= options_.window; }
    void sendAck(Wire& wire);
    [[nodiscard]] bool gap() const noexcept { return ahead(highest_, last_) > 0; }
    /// Asks for what is missing once more, with the next acknowledgement.
    void askAgain() noexcept { nakDue_ = nakDue_ || gap(); }
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] std::int32_t window() const noexcept { return options_.window; }

private:
    using DataType = eta::codec::DataType;
    struct Held {
        Header header;
        DataType type = DataType::Opaque;
        std::vector<std::byte> data;
    };
    struct Serial {
        bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return ahead(b, a) > 0; }
    };
    struct Partial {
        std::uint16_t messageId = 0;
        std::uint32_t totalBytes = 0, fragments = 0;
        DataType type = DataType::Opaque;
        std::vector<std::byte> data;
    };

    void hold(const Header& header, std::uint32_t seqNum, DataType type, Bytes data);
    [[nodiscard]] std::string_view take(const Header& header, DataType type, Bytes data, Reader& reader);
    [[nodiscard]] std::string_view takeFragment(const Header& header, Bytes data, Reader& reader);
    void noteGap(const Header& header, std::uint32_t seqNum) noexcept;
    [[nodiscard]] std::size_t missing(SeqRange* out) const noexcept;

    const Options options_;
    Counters& counters_;
    std::uint32_t last_ = 0;     // highest received without a gap
    std::uint32_t highest_ = 0;  // highest seen
    std::uint32_t askedTo_ = 0;  // with asked_: everything missing up to here was asked for
    bool asked_ = false, ackDue_ = false, nakDue_ = false, finished_ = false, gone_ = false;
    std::int64_t unackedBytes_ = 0;
    std::map<std::uint32_t, Held, Serial> held_;  // behind a gap
    std::uint64_t heldBytes_ = 0, partialBytes_ = 0;
    std::vector<Partial> partials_;
};

}  // namespace emissary::reactor::tunnel
