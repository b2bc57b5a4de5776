// A channel of encoded messages: images, and packets of updates of all its instruments.
#pragma once

#include "BookFeed.h"
#include "emissary/book/Types.h"
#include "eta/core/bytes.h"

#include <memory>
#include <vector>

namespace bookbench {

using emissary::book::Kind;
using emissary::perf::FeedEntry;
using emissary::perf::FeedTraits;

inline constexpr std::int32_t kFirstStream = 5;

/// An entry and the instrument that it is of.
struct Operation {
    std::uint32_t instrument;
    FeedEntry entry;
};

/// Updates in memory: messages behind their lengths (u16), several to a packet.
struct Packets {
    struct Packet {
        std::size_t at;
        std::uint32_t bytes, messages;
        std::uint32_t operations;  ///< of its messages
    };
    std::vector<std::byte> memory;
    std::vector<Packet> packets;
    std::vector<Operation> operations;  ///< the same, decoded
    std::size_t messages = 0, single = 0;
    [[nodiscard]] double averageBytes() const {
        return packets.empty() ? 0 : static_cast<double>(memory.size()) / static_cast<double>(packets.size());
    }
};

class Feed {
public:
    Feed(FeedTraits traits, Kind kind);
    /// The parts of an instrument's image, each an encoded refresh.
    [[nodiscard]] std::vector<std::vector<std::byte>> image(std::uint32_t instrument) const;
    void imageEntries(std::uint32_t instrument, std::vector<FeedEntry>& to) const;
    /// The entries of the next message, and the instrument that they are of; 99 of 100 messages have one.
    [[nodiscard]] std::uint32_t message(std::vector<FeedEntry>& to);
    /// The next messages, encoded.
    void next(std::size_t messages, Packets& to);
    [[nodiscard]] const FeedTraits& traits() const { return traits_; }
    [[nodiscard]] Kind kind() const { return kind_; }
    /// Measured: average and largest number of levels and orders a side.
    struct Depth {
        double average = 0;
        std::size_t most = 0;
    };
    [[nodiscard]] Depth levels() const;
    [[nodiscard]] Depth orders() const;

private:
    void step(std::uint32_t instrument, FeedEntry& to);
    FeedTraits traits_;
    Kind kind_;
    std::vector<emissary::perf::OrderSource> orders_;
    std::vector<emissary::perf::PriceSource> prices_;
    std::vector<FeedEntry> points_;
    emissary::perf::ZipfChooser chooser_;
    std::mt19937_64 random_;
    std::uint32_t time_ = 36'000'000;
};

}  // namespace bookbench
