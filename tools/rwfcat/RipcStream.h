// tools/rwfcat: one direction of an RSSL connection, as captured: handshake, frames, packed and fragmented messages,
// compression (docs/wire/ripc.md). The channel's own frame reader does the work; this finds its settings and its place.
#pragma once

#include "eta/transport/FrameReader.h"
#include "eta/transport/options.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::rwfcat {

/// What both directions of a connection agreed on, or what the user says where the handshake was not captured.
struct Agreement {
    int ripcVersion = 14;
    std::size_t maxMessage = eta::transport::frame::kMaxBody;  ///< any, until an ack names it
    eta::transport::Compression compression = eta::transport::Compression::none;
    bool known = false;     ///< by an ack, or by the user
    bool keyAsked = false;  ///< by the request
};

/// What a stream tells. Offsets count the direction's bytes from its first captured one.
class StreamSink {
public:
    virtual ~StreamSink() = default;
    /// One message; valid during the call.
    virtual void onMessage(eta::Bytes message, std::uint64_t offset) = 0;
    /// A note for the user: a handshake, or bytes that are skipped.
    virtual void onNote(std::uint64_t offset, const std::string& text) = 0;
    /// A fault: bytes that cannot be a part of the stream.
    virtual void onBadBytes(std::uint64_t offset, const std::string& text) = 0;
};

class RipcStream {
public:
    /// Both are shared with the other direction and must outlive the stream. `startsAnywhere`: the capture may begin in
    /// the middle of a frame, so look for the first one.
    RipcStream(Agreement& agreement, StreamSink& sink, bool startsAnywhere);

    void feed(eta::Bytes bytes);
    /// `missing` bytes were not captured here: whatever is incomplete is given up, and the next frame is looked for.
    void gap(std::uint64_t missing);
    /// The capture ends: tells of what is left incomplete.
    void finish();

private:
    enum class State : std::uint8_t { first, searching, frames, stopped };
    [[nodiscard]] bool step();
    [[nodiscard]] bool search();
    [[nodiscard]] bool handshake(eta::Bytes in, std::size_t& used);
    void frame(eta::Bytes whole);
    [[nodiscard]] bool startReader();
    void stop(const std::string& why);
    [[nodiscard]] eta::Bytes buffered() const { return eta::Bytes(buffer_).subspan(begin_); }
    void consume(std::size_t n);

    Agreement& agreement_;
    StreamSink& sink_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::uint64_t offset_ = 0;  // of buffer_[begin_]
    State state_ = State::first;
    bool startsAnywhere_, compressedOk_ = true, complained_ = false;
    bool incomplete_ = false;  // something before this place was not captured, or was skipped
    std::unique_ptr<eta::transport::FrameReader> reader_;
};

}  // namespace emissary::rwfcat
