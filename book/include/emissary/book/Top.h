// The best levels of a book for other threads.
#pragma once

#include "emissary/book/Book.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace emissary::book {

/// What a book publishes to after each message; TopOfBook is the one to use.
class TopSink {
public:
    /// Called on the dispatching thread after each message that counted; must not block.
    virtual void publish(const Book& book) noexcept = 0;

protected:
    ~TopSink() = default;
};

/// One level, copied.
struct TopLevel {
    Ticks ticks = 0;           ///< the price
    Real size;                 ///< sum of its orders
    std::uint32_t orders = 0;  ///< how many
};

/// The best N levels of both sides at one moment, copied.
template <std::size_t N>
struct Snapshot {
    std::uint64_t version = 0;                   ///< of the book; 0: nothing was published yet
    State state = State::empty;                  ///< whether the content can be relied on
    Phase phase = Phase::unknown;                ///< of the market's day
    int scale = 8;                               ///< ticks are in units of 10^-scale
    std::uint32_t bidLevels = 0, askLevels = 0;  ///< how many of bids and asks count
    std::array<TopLevel, N> bids, asks;          ///< the best first
};

/// The best N levels of one book, readable from any thread while the dispatching thread goes on (a sequence lock: the
/// writer never waits, a reader that meets it tries again). Hand it to Book::publishTo().
template <std::size_t N>
class TopOfBook final : public TopSink {
    static_assert(N >= 1 && N <= 16);

public:
    /// False when the writer was at work every time of a few tries; `out` is then of no use.
    [[nodiscard]] bool read(Snapshot<N>& out) const noexcept {
        for (int tries = 0; tries != 64; ++tries) {
            const std::uint64_t before = sequence_.load(std::memory_order_acquire);  // with the release in publish()
            if ((before & 1) != 0) continue;
            Words words;
            for (std::size_t i = 0; i != kWords; ++i)
                words[i] = words_[i].load(std::memory_order_acquire);  // before the number below is read
            if (sequence_.load(std::memory_order_relaxed) != before) continue;
            unpack(words, out);
            return true;
        }
        return false;
    }

    void publish(const Book& book) noexcept override {
        const std::uint64_t sequence = sequence_.load(std::memory_order_relaxed);
        sequence_.store(sequence + 1, std::memory_order_relaxed);
        put(0, book.version());
        const std::size_t bids = std::min(N, book.bids().depth()), asks = std::min(N, book.asks().depth());
        put(1, static_cast<std::uint64_t>(book.state()) | static_cast<std::uint64_t>(book.phase()) << 8 |
                   static_cast<std::uint64_t>(book.scale()) << 16 | std::uint64_t{bids} << 24 |
                   std::uint64_t{asks} << 32);
        for (std::size_t i = 0; i != bids; ++i)
            putLevel(2 + 3 * i, book.bids()[i]);
        for (std::size_t i = 0; i != asks; ++i)
            putLevel(2 + 3 * (N + i), book.asks()[i]);
        sequence_.store(sequence + 2, std::memory_order_release);  // with the acquire in read()
    }

private:
    static constexpr std::size_t kWords = 2 + 6 * N;
    using Words = std::array<std::uint64_t, kWords>;
    /// Release, with the acquire in read(): a thread that sees a new word also sees that the number is odd.
    void put(std::size_t at, std::uint64_t word) noexcept { words_[at].store(word, std::memory_order_release); }
    void putLevel(std::size_t at, const Level& level) noexcept {
        const Real size = level.size();
        put(at, static_cast<std::uint64_t>(level.price().ticks));
        put(at + 1, static_cast<std::uint64_t>(size.mantissa));
        put(at + 2, std::uint64_t{size.hint} << 32 | level.orders());
    }
    static TopLevel levelOf(const Words& words, std::size_t at) noexcept {
        return {static_cast<Ticks>(words[at]),
                {static_cast<std::int64_t>(words[at + 1]), static_cast<std::uint8_t>(words[at + 2] >> 32)},
                static_cast<std::uint32_t>(words[at + 2])};
    }
    static void unpack(const Words& words, Snapshot<N>& out) noexcept {
        out.version = words[0];
        out.state = static_cast<State>(words[1] & 0xFF);
        out.phase = static_cast<Phase>(words[1] >> 8 & 0xFF);
        out.scale = static_cast<int>(words[1] >> 16 & 0xFF);
        out.bidLevels = static_cast<std::uint32_t>(words[1] >> 24 & 0xFF);
        out.askLevels = static_cast<std::uint32_t>(words[1] >> 32 & 0xFF);
        for (std::size_t i = 0; i != out.bidLevels; ++i)
            out.bids[i] = levelOf(words, 2 + 3 * i);
        for (std::size_t i = 0; i != out.askLevels; ++i)
            out.asks[i] = levelOf(words, 2 + 3 * (N + i));
    }

    std::atomic<std::uint64_t> sequence_{0};  ///< odd while the writer is at work
    std::array<std::atomic<std::uint64_t>, kWords> words_{};
};

}  // namespace emissary::book
