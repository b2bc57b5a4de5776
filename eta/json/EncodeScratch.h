// Buffers of the conversion to RWF, kept by the converter from message to message.
#pragma once

#include "eta/core/GrowingBuffer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace emissary::eta::json {

/// Buffers, and what the conversion has learnt.
struct EncodeScratch {
    /// Which two fields came lately behind a field, the latest first: updates name the same fields in the same order,
    /// quotes another than trades, and to compare one name costs a fraction of finding it. Ids, because they mean
    /// something in whatever dictionary comes next.
    std::array<std::array<std::int16_t, 2>, 1024> fieldsAfter{};
    /// Which fields the last message of a shape had, by their place in it. To read the guess for a place does not wait
    /// for the field before.
    using Order = std::array<std::int16_t, 64>;
    std::array<Order, 16> orders{};
    GrowingBuffer value{256};
    std::vector<std::unique_ptr<GrowingBuffer>> nested;  // attributes and summaries, one for each level in use
    std::size_t used = 0;
};

/// A nested buffer for as long as it lives.
class NestedBuffer {
public:
    explicit NestedBuffer(EncodeScratch& scratch) : scratch_(scratch) {
        if (scratch.used == scratch.nested.size()) scratch.nested.push_back(std::make_unique<GrowingBuffer>());
        buffer_ = scratch.nested[scratch.used++].get();
        (void)buffer_->start();
    }
    ~NestedBuffer() { --scratch_.used; }
    NestedBuffer(const NestedBuffer&) = delete;
    NestedBuffer& operator=(const NestedBuffer&) = delete;
    [[nodiscard]] BeWriter& writer() noexcept { return buffer_->writer(); }

private:
    EncodeScratch& scratch_;
    GrowingBuffer* buffer_;
};

}  // namespace emissary::eta::json
