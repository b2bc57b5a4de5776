// The common part of the layers above a socket: bytes are transformed into a block of their own and sent from there.
#pragma once

#include "eta/core/FutexLock.h"
#include "eta/core/pages.h"
#include "transport/stream/ByteStream.h"

#include <memory>
#include <mutex>

namespace emissary::eta::transport {

/// Bytes on their way: written at the end, taken from the front. Contiguous, growing, memory given back after bursts.
class Staging {
public:
    /// Room for at least `bytes` behind what is held; null when memory is short.
    [[nodiscard]] std::byte* room(std::size_t bytes) noexcept;
    [[nodiscard]] std::size_t roomLeft() const noexcept { return capacity_ - end_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    void added(std::size_t bytes) noexcept { end_ += bytes; }
    void taken(std::size_t bytes) noexcept;
    void retract(std::size_t bytes) noexcept { end_ -= bytes; }  ///< takes back the last ones added
    void clear() noexcept { begin_ = end_ = 0; }
    /// Copies; false when memory is short.
    [[nodiscard]] bool append(Bytes bytes) noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
    [[nodiscard]] std::byte* data() const noexcept { return data_.data() + begin_; }
    [[nodiscard]] Bytes view() const noexcept { return {data(), size()}; }
    /// Gives the block back when it is empty and nothing was in it since the last call; how many bytes that were.
    std::size_t trim() noexcept;

    /// Readable bytes behind what room() gave, so that vector code may read past the end.
    static constexpr std::size_t kPadding = 64;

private:
    Block data_;
    std::size_t begin_ = 0, end_ = 0, capacity_ = 0;
    bool used_ = false;  // since the last trim
};

/// A stream that turns what it is given into other bytes for the stream below. Its lock guards the output side, because
/// some answers (WebSocket pong, TLS key update) are written by the thread that reads.
class StagedStream : public ByteStream {
public:
    explicit StagedStream(std::unique_ptr<ByteStream> below) noexcept : below_(std::move(below)) {}
    [[nodiscard]] IoResult handshake() noexcept override { return below_->handshake(); }
    [[nodiscard]] bool handshakeWantsWrite() const noexcept override { return below_->handshakeWantsWrite(); }
    [[nodiscard]] bool hasInput() const noexcept override { return below_->hasInput(); }
    [[nodiscard]] bool heard() const noexcept override { return below_->heard(); }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept final;
    [[nodiscard]] std::size_t held() noexcept final;
    [[nodiscard]] std::size_t inputHeld() const noexcept override { return below_->inputHeld(); }
    void trimInput() noexcept override { below_->trimInput(); }
    std::size_t trimOutput() noexcept final;
    [[nodiscard]] bool finishes() const noexcept override { return below_->finishes(); }
    void finish(std::uint16_t code, std::string_view text) noexcept override { below_->finish(code, text); }
    void shutdown() noexcept override { below_->shutdown(); }
    void close() noexcept override { below_->close(); }
    [[nodiscard]] int fd() const noexcept override { return below_->fd(); }
    [[nodiscard]] std::string reason() const override { return below_->reason(); }
    [[nodiscard]] bool pathOpen() const noexcept override { return below_->pathOpen(); }
    [[nodiscard]] MessageSource* messageSource() noexcept override { return below_->messageSource(); }
    std::size_t describe(ChannelInfo& info) const override { return below_->describe(info); }

protected:
    static constexpr std::size_t kStageBytes = 64u << 10;  ///< handed down when this much has gathered
    /// Answers of the reading side that a peer does not read are not worth more memory than this, data included.
    static constexpr std::size_t kMaxHeldForAnswers = 256u << 10;

    /// Transforms a part of `in` (as much as suits) into staging(); how many bytes were taken, 0 for a failure, which
    /// latches. `last`: nothing comes behind `in` in this send(). Lock held.
    [[nodiscard]] virtual std::size_t stage(Bytes in, bool last) noexcept = 0;
    /// What stage() kept back for want of more is transformed now; false for a failure. Lock held.
    [[nodiscard]] virtual bool finishStage() noexcept { return true; }
    /// Staging blocks beside staging(), for trimOutput(). Lock held.
    virtual std::size_t trimStages() noexcept { return 0; }
    /// Hands down what is staged; staging() keeps the rest. Lock held.
    [[nodiscard]] IoResult drain() noexcept;
    /// drain(), and what the layers below hold too. During handshakes.
    [[nodiscard]] bool allSent() noexcept;
    [[nodiscard]] Staging& staging() noexcept { return out_; }

    std::unique_ptr<ByteStream> below_;
    FutexLock lock_;

private:
    Staging out_;  // under lock_
    bool failed_ = false;
};

}  // namespace emissary::eta::transport
