// Receives from the stream until a message is whole, decompresses, and counts what came and what is held.
#include "eta/transport/ChannelInput.h"

#include "transport/stream/ByteStream.h"
#include "transport/stream/compression.h"
#include "transport/tcp/TcpStream.h"

#include <algorithm>
#include <cerrno>

namespace emissary::eta::transport {
namespace {

// One read() stops after this many receives that completed no message, so that a peer with a huge fragmented message
// does not keep the thread from others.
constexpr int kReceivesPerRead = 16;

}  // namespace

const char* describe(Condition condition) noexcept {
    switch (condition) {
    case Condition::none:
        break;
    case Condition::gap:
        return "packets are lost for good";
    case Condition::slowReader:
        return "packets were dropped: this end reads too slowly";
    case Condition::congestion:
        return "what is sent is lost faster than it can be repaired";
    }
    return "nothing happened";
}

// From here on the limits of the agreed size hold; in the handshake the buffer is small.
bool ChannelInput::start(Start agreed, TimePoint now) noexcept {
    source_ = agreed.source;
    peerPings_ = agreed.peerPings;
    // Silence is counted from now: the handshake had its own time limit.
    silence_.restart(receipts_.get(), now);
    // A source has its own buffers, and none is made here.
    if (source_ != nullptr) {
        if (agreed.budget != nullptr) source_->useBudget(std::move(agreed.budget));
        return true;
    }
    if (agreed.budget != nullptr) frames_.useBudget(std::move(agreed.budget));
    return frames_.activate(agreed.maxMessage, agreed.fragmentIdBytes, agreed.capacity, {});
}

void ChannelInput::decompressWith(std::unique_ptr<Decompressor> decompressor) noexcept {
    frames_.decompressWith(std::move(decompressor));
}

IoResult ChannelInput::receive() noexcept {
    const IoResult io = stream_->receive(frames_.space());
    // A call that gave bytes from within the stream was no system call.
    if (!streamHasInput_)
        calls_.add();  // otherwise it gave what it held: the next WebSocket frame, the rest of a TLS record
    if (io.kind == IoResult::Kind::ok) {
        frames_.added(io.bytes);
        bytes_.add(io.bytes);
        receipts_.add();
    }
    noteHeld();
    return io;
}

void ChannelInput::noteHeld() noexcept {
    held_.set(frames_.bytesHeld() + stream_->inputHeld());
}

ReadResult ChannelInput::readOn(FrameEvent event) noexcept {
    using Kind = ReadResult::Kind;
    if (source_ != nullptr) return readSource();
    ReadResult r;
    // A short read means that the kernel has no more, so a further call that would only say so is saved.
    bool drained = false;  // the last receive took everything the kernel had
    for (int receives = 0;; ++receives) {
        // Asked for before the next frame: the poller will not report bytes that a TLS record still holds.
        if (event == FrameEvent::message || event == FrameEvent::ping) {
            r.kind = event == FrameEvent::message ? Kind::message : Kind::ping;
            r.more = more();
            return r;
        }
        if (event == FrameEvent::failed) {
            peerAtFault_ = true;
            r.kind = Kind::closed;
            return r;
        }
        if (drained) return r;
        if (receives == kReceivesPerRead) {
            r.more = true;
            return r;
        }
        const std::size_t room = frames_.space().size();
        const IoResult io = receive();
        streamHasInput_ = stream_->hasInput();
        switch (io.kind) {
        case IoResult::Kind::ok:
            drained = io.bytes < room && !streamHasInput_;
            break;
        case IoResult::Kind::wouldBlock:
            return r;
        case IoResult::Kind::end:
        case IoResult::Kind::error:
            r.kind = Kind::closed;
            // EPROTO is used for faults of the peer inside a layer.
            peerAtFault_ = io.error == EPROTO;  // of TLS or WebSocket
            error_ = io.error;
            // Bytes of a message that never becomes whole: the log says so.
            cut_ = !frames_.buffered().empty();
            return r;
        }
        event = frames_.next(r.message);
    }
}

ReadResult ChannelInput::readSource() noexcept {
    using Event = MessageSource::Event;
    ReadResult r;
    if (!source_->more()) calls_.add();  // otherwise the message is there
    const Event event = source_->next(r.message);
    switch (event) {
    case Event::message:
        r.kind = ReadResult::Kind::message;
        break;
    case Event::ping:
        r.kind = ReadResult::Kind::ping;
        break;
    case Event::condition: {
        // The source reports what was lost; the messages that follow are good.
        const MessageSource::Told told = source_->lastCondition();
        r.kind = ReadResult::Kind::condition;
        r.condition = told.condition;
        r.lost = told.lost;
        break;
    }
    case Event::needMore:
        noteHeld();
        break;
    case Event::failed:
    case Event::ended:
        // A failed source was given messages that make no sense; one that ended was not.
        peerAtFault_ = event == Event::failed;
        r.kind = ReadResult::Kind::closed;
        return r;
    }
    r.more = source_->more();
    return r;
}

bool ChannelInput::outputReady() const noexcept {
    return source_ != nullptr && source_->outputReady();
}

std::string ChannelInput::whyEnded(int writeError) const {
    // The frame's own fault says most, then the stream's reason, then the system's error.
    if (frames_.fault() != FrameFault::none) return frames_.faultText();
    // A writer may have met the reason first: then the kernel gave it the error, and gives us only the end.
    const int error = error_ != 0 ? error_ : writeError;
    std::string text = stream_->reason();
    if (text.empty() && error != 0) text = errnoText(error);
    // A peer that closes in order is no loss.
    if (text.starts_with("closed by peer")) return text;
    if (!text.empty()) return "connection lost: " + text;
    return cut_ ? "closed by peer in the middle of a message" : "closed by peer";
}

// Sources count in messages, frames in bytes; each ignores what it does not know.
void ChannelInput::limit(const FrameLimits& limits, std::size_t bytes) noexcept {
    frames_.setLimits(limits);
    if (source_ != nullptr) source_->limitMessages(bytes);
}

bool ChannelInput::stalled(TimePoint now, Duration limit) noexcept {
    return source_ != nullptr ? source_->stalled(now, limit) : frames_.stalled(now, limit);
}

bool ChannelInput::silentFor(Duration limit, TimePoint now) noexcept {
    // Neither side has promised pings, so silence means nothing (transport.md 2.7).
    if (!peerPings_) return false;
    const std::uint64_t received = source_ != nullptr ? source_->bytes() : receipts_.get();
    // Nobody is expected to speak, e.g. in a group without members: the time begins when somebody is.
    if (source_ == nullptr || source_->peerExpected()) return silence_.idleFor(limit, received, now);
    silence_.hold(now);
    return false;
}

void ChannelInput::trim() noexcept {
    static_cast<void>(frames_.trim());
    stream_->trimInput();
    noteHeld();
}

void ChannelInput::count(ChannelCounters& c, bool started) const noexcept {
    c.readCalls = calls_.get();
    c.bytesRead = bytes_.get();
    // The counters of the wire and those of the content differ by what compression saved.
    c.uncompressedBytesRead = c.bytesRead + static_cast<std::uint64_t>(frames_.inflatedBytes());
    c.messagesRead = frames_.messages();
    if (started && source_ != nullptr) {
        c.messagesRead = source_->messages();
        c.bytesRead = source_->bytes();
        c.uncompressedBytesRead = c.bytesRead + source_->inflatedBytes();
        // The subtraction may wrap; the output adds what it has.
        c.bytesWritten -= source_->deflatedBytes();
    }
    c.inputHeld = held_.get();
    c.pingsRead = frames_.pings();
    c.fragmentsRead = frames_.fragments();
    c.partialsReplaced = frames_.partialsReplaced();
}

}  // namespace emissary::eta::transport
