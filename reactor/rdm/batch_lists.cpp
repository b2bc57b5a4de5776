#include "reactor/rdm/batch_lists.h"

#include "eta/codec/primitives.h"

namespace emissary::reactor::rdm {

using namespace eta::codec;
using eta::Bytes;

namespace {

constexpr std::size_t kMaxName = 255;

[[nodiscard]] bool start(ArrayDecoder& array, const ElementEntry& e) noexcept {
    return e.type == DataType::Array && array.start(e.data).ok() && !array.blank();
}

}  // namespace

Bytes unpadded(const ArrayDecoder& array, Bytes item) noexcept {
    while (array.itemLength() != 0 && !item.empty() && item.back() == std::byte{0})
        item = item.first(item.size() - 1);
    return item;
}

const char* readItemList(const ElementEntry& e, std::vector<Bytes>& out) {
    ArrayDecoder array;
    if (!start(array, e) || array.itemType() != DataType::AsciiString)
        return "':ItemList' is no array of ASCII strings";
    Bytes name;
    while (array.next(name)) {
        name = unpadded(array, name);
        if (name.empty() || name.size() > kMaxName) return "':ItemList' has a name that is not 1 to 255 bytes long";
        out.push_back(name);
    }
    if (!array.error().ok()) return "':ItemList' cannot be decoded";
    return out.empty() ? "':ItemList' is empty" : nullptr;
}

const char* readStreamIdList(const ElementEntry& e, std::vector<std::int32_t>& out) {
    ArrayDecoder array;
    if (!start(array, e) || array.itemType() != DataType::Int) return "':StreamIdList' is no array of integers";
    Bytes item;
    while (array.next(item)) {
        std::int64_t id = 0;
        if (decodeInt(item, id) != Decoded::value || id < INT32_MIN || id > INT32_MAX)
            return "':StreamIdList' has a number that is no stream id";
        out.push_back(static_cast<std::int32_t>(id));
    }
    if (!array.error().ok()) return "':StreamIdList' cannot be decoded";
    return out.empty() ? "':StreamIdList' is empty" : nullptr;
}

}  // namespace emissary::reactor::rdm
