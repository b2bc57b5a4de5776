// hub/delay: records in the order in which they came, in memory within a bound, and beyond it in a file.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/bytes.h"
#include "hub/delay/Disk.h"
#include "hub/delay/delay_counts.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace emissary::hub::delay {

/// One thing that happened on the original.
struct Record {
    enum class Kind : std::uint8_t {
        message,  ///< of a stream: its bytes
        gap,      ///< of a stream: what follows was left out, up to its next image
        end,      ///< of a stream: nothing more comes on it
        service,  ///< of the service: up, accepting, there, one byte each
    };
    eta::TimePoint at{};     ///< when it happened
    std::uint32_t pipe = 0;  ///< of which stream
    std::uint32_t life = 0;  ///< and which of those that had the number
    Kind kind = Kind::message;
    eta::Bytes body;
};

/// A queue of bytes in blocks. Of the blocks in the middle some stand in a file alone; those at the front are read back
/// before their time. Not larger than its bounds: a record that finds no room is refused. A record of more than 256 KiB
/// that stood in the file takes its size beyond the bound while it is read. On the loop's thread.
class DelayLine {
public:
    struct Options {
        std::uint64_t memoryBytes = 64u << 20;  ///< of blocks in memory; at least kLeastMemory
        std::uint64_t fileBytes = 0;            ///< of the file; 0: there is none
    };
    static constexpr std::uint64_t kLeastMemory = 16 * kBlock;
    /// After a failure to write, the file is left alone for this long.
    static constexpr std::chrono::seconds kRest{10};

    /// `disk` may be null. `changed` is called when the disk has answered; `told` with a sentence for the log and
    /// whether it is bad news.
    DelayLine(const Options& options, Disk* disk, LineCounts& counts, std::function<void()> changed,
              std::function<void(bool, const std::string&)> told);
    DelayLine(const DelayLine&) = delete;
    DelayLine& operator=(const DelayLine&) = delete;

    /// False: there is no room, and the record was not taken. `forced`: it is taken whatever the bound says, for
    /// records without a body that say so. Throws std::bad_alloc, and nothing was taken then.
    [[nodiscard]] bool put(const Record& record, bool forced = false);

    enum class Head : std::uint8_t {
        none,     ///< the line is empty
        loading,  ///< it comes from the file; `changed` follows
        lost,     ///< some records could not be read back, and are passed over
        ready,    ///< good until the next call of pop() or head()
    };
    [[nodiscard]] Head head(Record& out);
    /// Of a head that is ready.
    void pop();
    /// There is room again after a refusal: a quarter of the memory.
    [[nodiscard]] bool roomy() const noexcept;

private:
    static constexpr std::size_t kHeader = 24;
    static constexpr std::size_t kAhead = 4;  // blocks behind the first that are read before they are needed
    static constexpr std::uint32_t kNoRecord = kBlock;
    struct Piece {
        enum class In : std::uint8_t { memory, writing, file, reading, broken };
        std::shared_ptr<Block> bytes;
        std::uint64_t slot = 0;
        std::uint32_t first = kNoRecord;  // where the first record begins that begins in it
        std::uint32_t begun = 0;          // records that begin in it and have not been read
        In in = In::memory;
    };
    void answered(DiskJob& job);
    void written(Piece* piece, DiskJob& job);
    void begin();
    void spill(eta::TimePoint now);
    /// `blocks` of them, behind the first.
    void readAhead(std::size_t blocks);
    /// `size` bytes, from `skip` behind the front; empty: they are not all there (`broken` says why).
    [[nodiscard]] eta::Bytes look(std::size_t skip, std::size_t size, bool& broken);
    void passOver();
    void dropFirst();
    [[nodiscard]] std::size_t mostInMemory() const noexcept;
    [[nodiscard]] Piece* find(std::uint64_t number) noexcept {
        return number < firstNumber_ || number - firstNumber_ >= pieces_.size() ? nullptr
                                                                                : &pieces_[number - firstNumber_];
    }
    void count() noexcept;

    const Options options_;
    Disk* const disk_;
    LineCounts& counts_;
    const std::function<void()> changed_;
    const std::function<void(bool, const std::string&)> told_;
    std::deque<Piece> pieces_;
    std::uint64_t firstNumber_ = 0;              // of pieces_.front()
    std::size_t readAt_ = 0, writeAt_ = kBlock;  // in the first, in the last
    std::size_t inMemory_ = 0;                   // blocks, those that are being written and gone included
    std::size_t atDisk_ = 0;                     // of these, being written or read
    std::size_t headSize_ = 0;                   // of the record at the front, once it was looked at
    std::uint64_t records_ = 0;
    std::vector<std::uint64_t> freeSlots_;
    std::uint64_t slots_ = 0;  // that the file has had
    std::vector<std::byte> scratch_;
    eta::TimePoint restUntil_{};
    bool failing_ = false, rests_ = false;
};

}  // namespace emissary::hub::delay
