// Stores bytes of any length, and resolves RMTES text that changes a part of the old one.
#include "hub/cache/Values.h"

#include "eta/codec/Rmtes.h"

#include <cstring>
#include <new>

namespace emissary::hub::cache {
namespace {
constexpr std::size_t kLongest = 65535;  // of a field or element (rwf.md 7.1)
}

bool Values::set(Ref& ref, Bytes bytes, DataType type) noexcept {
    // An empty value needs no block.
    if (bytes.empty()) {
        pool_.give(ref);
        ref = 0;
        return true;
    }
    const std::size_t needed = sizeof(BytesNode) + bytes.size();
    // A block is kept if the value fits and does not waste three quarters of it.
    if (ref == 0 || pool_.capacity(ref) < needed || pool_.capacity(ref) / 4 > needed) {
        // The new block first, so the old value survives when there is no memory.
        const Ref fresh = pool_.take(needed);
        if (fresh == 0) return false;
        pool_.give(ref);
        ref = fresh;
    }
    BytesNode& node = *new (pool_.at(ref)) BytesNode;
    node.kind = Kind::bytes;
    node.type = type;
    node.size = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(&node + 1, bytes.data(), bytes.size());
    return true;
}

bool Values::wholeRmtes(Bytes stored, Bytes& value) noexcept {
    constexpr int escape = 0x1B;
    if (value.size() < 3 || std::memchr(value.data(), escape, value.size()) == nullptr) return true;
    if (!eta::codec::isRmtesPartial(value)) return true;
    // One buffer for all, made with the first such value: few fields have them.
    if (!rmtes_) rmtes_.reset(new (std::nothrow) std::byte[kLongest]);
    if (!rmtes_ || stored.size() > kLongest) return false;
    std::size_t length = stored.size();
    if (length != 0) std::memcpy(rmtes_.get(), stored.data(), length);
    if (!eta::codec::applyRmtes(value, {rmtes_.get(), kLongest}, length).ok()) return false;
    value = {rmtes_.get(), length};
    // A value whose stored bytes are a command would be carried out by whoever joins later.
    return !eta::codec::isRmtesPartial(value);  // pieces that make a command: a late joiner would carry it out
}

}  // namespace emissary::hub::cache
