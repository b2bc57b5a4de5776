// Frames of the backbone: a header of 32 bytes and records behind it (hub.md 12.3).
#pragma once

#include "eta/core/bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emissary::hub::mesh {

using eta::Bytes;

inline constexpr std::uint16_t kMagic = 0x454D;
inline constexpr std::uint8_t kFrameVersion = 1;
inline constexpr std::size_t kHeaderBytes = 32, kRecordBytes = 12;
inline constexpr std::size_t kMostBody = 0xFFFFFF;                      ///< bytes of one record's body
inline constexpr std::size_t kMostPayload = 256 * 1024;                 ///< bytes of records in one frame
inline constexpr std::uint64_t kMostSequence = std::uint64_t{1} << 62;  ///< a higher one is refused
inline constexpr std::uint16_t kUnicast = 0xFFFF;                       ///< lane from an owner to one hub

enum class FrameType : std::uint8_t { data = 1, heartbeat, directory, request, reply };

enum Flags : std::uint32_t { kCompressed = 1, kFirst = 2, kLast = 4, kWhole = kFirst | kLast };

/// What a record is; numbers on the wire. The room handles those without a remark.
enum class Kind : std::uint8_t {
    message = 1,          ///< an update
    image = 2,            ///< statement, then a complete refresh
    closed = 3,           ///< statement, then a status; in a lane the status alone
    groupState = 4,       ///< an update; its body is that of the last update before it in the message
    laneSwitch = 5,       ///< the item's updates behind this one are in another lane
    refused = 6,          ///< statement: the owner does not serve what was asked for
    post = 7,             ///< request: what a client far from the source has posted
    ack = 8,              ///< answer: what the source says of such a post
    generic = 9,          ///< not handled yet
    dictionaryPart = 10,  ///< heartbeat: which dictionary there is; request and answer: a part of it
    same = 11,            ///< statement: the version that was named is the latest one
    interest = 12,        ///< request: an item by name
    drop = 13,            ///< request: the item is not wanted any more
    resync = 14,          ///< request: the version that the asker has
    addressee = 15,       ///< first record of requests and replies: the epoch of the node that they are for
    laneState = 16,       ///< heartbeat: the last sequence of a wide lane
    peerState = 17,       ///< heartbeat: what was heard of a node, and the last sequence of the lane to it
    summary = 18,         ///< heartbeat: version of the directory, items that others have here, what the node can do
    service = 19,         ///< directory: a service that is new or has changed
    serviceGone = 20,     ///< directory
    wholeDirectory = 21,  ///< directory: what follows is all there is
    askDirectory = 22,    ///< request: send all of it
    postsTaken = 23,      ///< answer: all posts up to one have come
    ackHeard = 24,        ///< request: these acks have come
};
inline constexpr std::uint8_t kLastKind = 24;

struct Header {
    FrameType type = FrameType::data;
    std::uint32_t node = 0;   ///< of the sender
    std::uint64_t epoch = 0;  ///< of the sender's present life
    std::uint16_t lane = kUnicast;
    std::uint16_t records = 0;  ///< of the whole message, in each of its fragments
    std::uint32_t flags = kWhole;
    std::uint64_t sequence = 0;  ///< from 1
    [[nodiscard]] bool whole() const noexcept { return (flags & kWhole) == kWhole; }
};

struct Record {
    Kind kind = Kind::message;
    std::uint32_t number = 0;   ///< the owner's number of the item
    std::uint32_t version = 0;  ///< of the item, behind this record
    Bytes body;                 ///< borrowed
};

/// The header of a frame. Fails on another magic number, version or type, on flags that nobody has defined, on a
/// sequence of 0 or above kMostSequence, and on more than kMostPayload bytes of records; Errc::unsupportedType: the
/// frame is compressed, and this hub cannot read that.
[[nodiscard]] eta::Result<Header> readHeader(Bytes frame) noexcept;

/// Whether the bytes are exactly so many records of known kinds. Nothing of a frame is used before that is known.
[[nodiscard]] eta::Error checkRecords(Bytes records, std::size_t count) noexcept;

/// Walks over records that were checked.
class RecordReader {
public:
    explicit RecordReader(Bytes records) noexcept : in_(records) {}
    /// False at the end.
    [[nodiscard]] bool next(Record& record) noexcept;

private:
    eta::BeReader in_;
};

/// Writes the header into its 32 bytes.
void writeHeader(std::byte* to, const Header& header) noexcept;

/// Records that will go together. Its memory is kept from one frame to the next.
class Batch {
public:
    /// `bytes`: room for records at once; more is taken when a record needs it.
    explicit Batch(std::size_t bytes = 4096) { block_.reserve(kHeaderBytes + bytes), clear(); }

    /// The body is `head` and then `body`. False, and nothing added, when it is longer than a record can be or the
    /// batch has as many records as a frame can say.
    [[nodiscard]] bool add(Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body = {});
    /// An update like add(). Where its body is that of the last update in the batch, only that is written: states of a
    /// group are the same for all of its items.
    [[nodiscard]] bool addUpdate(std::uint32_t number, std::uint32_t version, Bytes body);
    [[nodiscard]] bool empty() const noexcept { return records_ == 0; }
    [[nodiscard]] std::size_t bytes() const noexcept { return block_.size() - kHeaderBytes; }  ///< of the records
    [[nodiscard]] std::uint16_t records() const noexcept { return records_; }
    void clear() noexcept;

    /// Calls `send(frame)` for each frame: one, or several fragments when there are more than `most` bytes of records.
    /// Sequences count on from `header.sequence`, which is the last one that was used before and afterwards. The batch
    /// is empty then.
    template <class Send>
    void flush(Header& header, std::size_t most, Send&& send) {
        most = std::clamp<std::size_t>(most, 1, kMostPayload);
        header.records = records_;
        std::size_t at = kHeaderBytes;
        do {
            const std::size_t n = std::min(most, block_.size() - at);
            header.flags = (at == kHeaderBytes ? kFirst : 0u) | (at + n == block_.size() ? kLast : 0u);
            ++header.sequence;
            // The header stands in front of the fragment, where the one before has been sent already.
            std::byte* const start = block_.data() + at - kHeaderBytes;
            writeHeader(start, header);
            send(Bytes{start, kHeaderBytes + n});
            at += n;
        } while (at < block_.size());
        clear();
    }

private:
    std::vector<std::byte> block_;  // place for a header, then the records
    std::uint16_t records_ = 0;
    std::size_t lastAt_ = 0, lastBytes_ = 0;  // body of the last update; 0: there is none
};

}  // namespace emissary::hub::mesh
