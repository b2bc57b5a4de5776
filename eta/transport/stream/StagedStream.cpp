// Keeps transformed bytes until the stream below has taken them, and trims the block afterwards.
#include "transport/stream/StagedStream.h"

#include <cerrno>
#include <new>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kKeepBytes = 256u << 10;  // a larger block is given back as soon as it is empty

}  // namespace

std::byte* Staging::room(std::size_t bytes) noexcept {
    used_ = true;
    // A block that is large enough by its end is not moved.
    if (capacity_ - end_ >= bytes) return data_.data() + end_;
    const std::size_t held = size();
    if (capacity_ >= held + bytes && begin_ >= held) {  // moves less than it wins
        std::memcpy(data_.data(), data(), held);
    } else {
        // Doubled, so that a growing message is copied a constant number of times.
        const std::size_t grown = std::max<std::size_t>({4096, 2 * held, held + bytes});
        Block block(grown + kPadding);
        if (block.data() == nullptr) return nullptr;
        if (held != 0) std::memcpy(block.data(), data(), held);
        data_ = std::move(block);
        capacity_ = grown;
    }
    begin_ = 0;
    end_ = held;
    return data_.data() + end_;
}

bool Staging::append(Bytes bytes) noexcept {
    std::byte* const to = room(bytes.size());
    if (to == nullptr) return false;
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    added(bytes.size());
    return true;
}

void Staging::taken(std::size_t bytes) noexcept {
    begin_ += bytes;
    if (begin_ != end_) return;
    begin_ = end_ = 0;
    // A large block is given back as soon as it is empty: few connections have a burst at once.
    if (capacity_ > kKeepBytes) {
        data_ = {};
        capacity_ = 0;
    }
}

std::size_t Staging::trim() noexcept {
    // Something was staged since the last call, so the block is kept for the next burst.
    if (std::exchange(used_, false) || size() != 0 || capacity_ == 0) return 0;
    data_ = {};
    begin_ = end_ = 0;
    return std::exchange(capacity_, 0);
}

std::size_t StagedStream::trimOutput() noexcept {
    const std::lock_guard guard(lock_);
    return out_.trim() + trimStages() + below_->trimOutput();
}

IoResult StagedStream::drain() noexcept {
    // The stage is emptied before more is taken: bytes keep their order.
    while (out_.size() != 0) {
        const iovec part{out_.data(), out_.size()};
        const IoResult io = below_->send({&part, 1});
        if (io.kind != IoResult::Kind::ok) return io;
        if (io.bytes == 0) return {IoResult::Kind::wouldBlock, 0, 0};
        out_.taken(io.bytes);
    }
    return {};
}

// Both levels are asked: this one may be empty while the one below still holds a record.
bool StagedStream::allSent() noexcept {
    if (drain().kind != IoResult::Kind::ok) return false;
    if (below_->held() != 0) static_cast<void>(below_->send({}));
    return below_->held() == 0;
}

IoResult StagedStream::send(std::span<const iovec> parts) noexcept {
    const std::lock_guard guard(lock_);
    // After a failure nothing of the stream can be understood, so nothing more is sent.
    if (failed_) return {IoResult::Kind::error, 0, EPROTO};
    std::size_t taken = 0;
    const auto result = [&](const IoResult& io) {
        return io.kind == IoResult::Kind::error ? io : IoResult{IoResult::Kind::ok, taken, 0};
    };
    if (parts.empty() && out_.size() == 0) return below_->send(parts);
    for (const iovec& part : parts) {
        const Bytes in{static_cast<const std::byte*>(part.iov_base), part.iov_len};
        for (std::size_t at = 0; at < in.size();) {
            // A full stage is emptied before more is encrypted or compressed, so the memory stays bounded.
            if (out_.size() >= kStageBytes) {
                const IoResult io = drain();
                if (io.kind != IoResult::Kind::ok || below_->held() != 0) {
                    if (io.kind != IoResult::Kind::error && !finishStage()) failed_ = true;
                    return result(io);
                }
            }
            // last: the end of what the caller has, so a record may be closed.
            const std::size_t n = stage(in.subspan(at), &part == &parts.back());
            if (n == 0) {
                failed_ = true;
                return {IoResult::Kind::error, 0, EPROTO};
                // Bytes that were taken are gone from the caller's queue, whether or not they have left.
            }
            at += n;
            taken += n;
        }
    }
    if (!finishStage()) {
        failed_ = true;
        return {IoResult::Kind::error, 0, EPROTO};
    }
    return result(drain());
}

std::size_t StagedStream::held() noexcept {
    const std::lock_guard guard(lock_);
    return out_.size() + below_->held();
}

}  // namespace emissary::eta::transport
