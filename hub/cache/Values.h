// Bytes of any length in blocks: values of elements, permissions, payloads that nobody looks into, long field values.
#pragma once

#include "hub/cache/nodes.h"

#include <memory>

namespace emissary::hub::cache {

/// Byte nodes of a pool, and RMTES on top of stored bytes. One thread.
class Values {
public:
    /// Borrows the pool.
    explicit Values(BlockPool& pool) noexcept : pool_(pool) {}

    /// Puts `bytes` in the place of what `ref` holds; the same block when they fit well. False when memory has run out:
    /// then nothing has changed. No bytes are 0.
    [[nodiscard]] bool set(Ref& ref, Bytes bytes, DataType type = DataType::Unknown) noexcept;
    /// Nothing for 0.
    [[nodiscard]] Bytes get(Ref ref) const noexcept { return ref == 0 ? Bytes{} : pool_.as<BytesNode>(ref)->view(); }

    /// Makes an RMTES value whole: `value` itself, or what it makes of the stored bytes; borrows until the next call.
    /// False when it cannot be applied.
    [[nodiscard]] bool wholeRmtes(Bytes stored, Bytes& value) noexcept;

private:
    BlockPool& pool_;
    std::unique_ptr<std::byte[]> rmtes_;  // of the longest value, made when first needed
};

}  // namespace emissary::hub::cache
