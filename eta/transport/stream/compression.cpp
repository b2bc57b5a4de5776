// Wraps zlib and LZ4 as compressors and decompressors of single units, with bounds on what comes out.
#include "transport/stream/compression.h"

#include "eta/transport/FrameReader.h"

#include <algorithm>
#include <new>
#include <vector>

#include <lz4.h>
#include <zlib.h>

namespace emissary::eta::transport {
namespace {

// zlib.h takes pointers to non-const input by default; it does not write there.
Bytef* input(Bytes b) noexcept {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(b.data()));
}
Bytef* output(std::byte* p) noexcept {
    return reinterpret_cast<Bytef*>(p);
}

class Deflater final : public Compressor {
public:
    Deflater() = default;
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    ~Deflater() override {
        if (live_) ::deflateEnd(&z_);
    }
    [[nodiscard]] bool start(int level) noexcept { return live_ = ::deflateInit(&z_, std::clamp(level, 0, 9)) == Z_OK; }
    // Stored blocks are the worst case: five bytes for every block, and the sync marker behind the last.
    [[nodiscard]] std::size_t bound(std::size_t payload) const noexcept override {
        return payload + payload / 1024 * 5 + 64;
    }
    [[nodiscard]] std::size_t compress(Bytes payload, std::span<std::byte> out) noexcept override {
        z_.next_out = output(out.data());
        z_.avail_out = static_cast<uInt>(out.size());
        z_.next_in = input(payload);
        z_.avail_in = static_cast<uInt>(payload.size());
        if (::deflate(&z_, Z_SYNC_FLUSH) != Z_OK || z_.avail_in != 0 || z_.avail_out == 0) return kBroken;
        return out.size() - z_.avail_out;
    }

private:
    z_stream z_{};
    bool live_ = false;
};

class Inflater final : public Decompressor {
public:
    Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() override {
        if (live_) ::inflateEnd(&z_);
    }
    [[nodiscard]] bool start(std::size_t maxOutput) noexcept {
        maxOutput_ = maxOutput;
        // One byte more than a message may have: only then is one that is too long seen.
        out_.reset(new (std::nothrow) std::byte[maxOutput + 1 + FrameReader::kPadding]);
        return out_ != nullptr && (live_ = ::inflateInit(&z_) == Z_OK);
    }
    [[nodiscard]] bool decompress(Bytes first, Bytes second, Bytes& out) noexcept override {
        z_.next_out = output(out_.get());
        z_.avail_out = static_cast<uInt>(maxOutput_ + 1);  // one too many, to tell "just fits" from "more to come"
        for (const Bytes part : {first, second}) {
            if (part.empty()) continue;
            z_.next_in = input(part);
            z_.avail_in = static_cast<uInt>(part.size());
            const int rc = ::inflate(&z_, Z_SYNC_FLUSH);
            // Z_BUF_ERROR: nothing to do for this part, as when a unit is cut right before its marker ends.
            // Everything must have been read, or the next unit would begin in the middle.
            if ((rc != Z_OK && rc != Z_BUF_ERROR) || z_.avail_in != 0) return false;
        }
        const std::size_t produced = maxOutput_ + 1 - z_.avail_out;
        out = {out_.get(), produced};
        return produced <= maxOutput_;
    }

private:
    z_stream z_{};
    std::size_t maxOutput_ = 0;
    std::unique_ptr<std::byte[]> out_;
    bool live_ = false;
};

class Lz4Compressor final : public Compressor {
public:
    // No unit larger than its payload is ever wanted: some readers cannot put a split one together.
    // A result that is not smaller is refused by the bound, and the frame goes out plain.
    [[nodiscard]] std::size_t bound(std::size_t payload) const noexcept override { return payload; }
    [[nodiscard]] std::size_t compress(Bytes payload, std::span<std::byte> out) noexcept override {
        const int n =
            ::LZ4_compress_default(reinterpret_cast<const char*>(payload.data()), reinterpret_cast<char*>(out.data()),
                                   static_cast<int>(payload.size()), static_cast<int>(payload.size()) - 1);
        return n > 0 ? static_cast<std::size_t>(n) : kSendPlain;
    }
};

class Lz4Decompressor final : public Decompressor {
public:
    [[nodiscard]] bool start(std::size_t maxOutput) noexcept {
        maxOutput_ = maxOutput;
        out_.reset(new (std::nothrow) std::byte[maxOutput + FrameReader::kPadding]);
        return out_ != nullptr;
    }
    [[nodiscard]] bool decompress(Bytes first, Bytes second, Bytes& out) noexcept override {
        // LZ4 needs the whole unit at once (transport.md 2.6.1).
        if (!second.empty()) {
            const std::size_t total = first.size() + second.size();
            if (joined_ == nullptr || total > joinedSize_) {
                joined_.reset(new (std::nothrow) std::byte[total]);
                joinedSize_ = joined_ != nullptr ? total : 0;
                if (joined_ == nullptr) return false;
            }
            std::copy(first.begin(), first.end(), joined_.get());
            std::copy(second.begin(), second.end(), joined_.get() + first.size());
            first = {joined_.get(), total};
        }
        const int n =
            ::LZ4_decompress_safe(reinterpret_cast<const char*>(first.data()), reinterpret_cast<char*>(out_.get()),
                                  static_cast<int>(first.size()), static_cast<int>(maxOutput_));
        if (n < 0) return false;
        out = {out_.get(), static_cast<std::size_t>(n)};
        return true;
    }

private:
    std::size_t maxOutput_ = 0, joinedSize_ = 0;
    std::unique_ptr<std::byte[]> out_, joined_;
};

}  // namespace

std::unique_ptr<Compressor> Compressor::make(Compression type, int level) noexcept {
    if (type == Compression::lz4) return std::unique_ptr<Compressor>(new (std::nothrow) Lz4Compressor);
    std::unique_ptr<Deflater> d(new (std::nothrow) Deflater);
    if (d == nullptr || !d->start(level)) return nullptr;
    return d;
}

std::unique_ptr<Decompressor> Decompressor::make(Compression type, std::size_t maxOutput) noexcept {
    if (type == Compression::lz4) {
        std::unique_ptr<Lz4Decompressor> d(new (std::nothrow) Lz4Decompressor);
        if (d == nullptr || !d->start(maxOutput)) return nullptr;
        return d;
    }
    std::unique_ptr<Inflater> d(new (std::nothrow) Inflater);
    if (d == nullptr || !d->start(maxOutput)) return nullptr;
    return d;
}

}  // namespace emissary::eta::transport
