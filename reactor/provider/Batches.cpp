#include "provider/Batches.h"

#include "eta/codec/encoders.h"
#include "reactor/rdm/batch_lists.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::size_t kMaxItems = 10'000, kNamesInTexts = 5;

}  // namespace

const char* Batch::read(const Msg& batch) {
    ElementListDecoder list;
    if (batch.containerType != DataType::ElementList || !list.start(batch.payload).ok())
        return "a batch needs an element list with ':ItemList' or ':StreamIdList'";
    GrowingBuffer rest{256};
    ElementListEncoder others;
    others.begin(rest.start());
    bool any = false;
    ElementEntry e;
    while (list.next(e)) {
        const std::string_view name = eta::asText(e.name);
        if (name == ":ItemList" && batch.cls == MsgClass::Request) {
            if (const auto* const fault = rdm::readItemList(e, names_)) return fault;
        } else if (name == ":StreamIdList") {
            if (const auto* const fault = rdm::readStreamIdList(e, streams_)) return fault;
        } else {
            others.add(name, e.type, e.data);
            any = true;
        }
    }
    if (!list.error().ok()) return "its element list cannot be decoded";
    if (names_.empty() == streams_.empty()) return "a batch needs either ':ItemList' or ':StreamIdList'";
    if (names_.size() + streams_.size() > kMaxItems) return "a batch has at most 10000 items";
    if (any && others.complete().ok()) others_.assign(rest.view().begin(), rest.view().end());
    return nullptr;
}

Msg Batch::itemOf(const Msg& batch, std::int32_t streamId, Bytes name) const noexcept {
    Msg item = batch;
    item.streamId = streamId;
    item.flags &= static_cast<std::uint16_t>(~RequestFlag::batch);
    if (!name.empty()) {
        item.key.flags |= KeyFlag::name;
        item.key.name = name;
    }
    item.raw = {};
    item.payload = Bytes(others_);
    item.containerType = others_.empty() ? DataType::NoData : DataType::ElementList;
    return item;
}

std::string Batch::describe() const {
    std::string text;
    const std::size_t shown = std::min(names_.size(), kNamesInTexts);
    for (std::size_t i = 0; i < shown; ++i)
        text.append(i == 0 ? "'" : ", '").append(eta::asText(names_[i])).append(1, '\'');
    if (names_.size() > shown) text.append(" and ").append(std::to_string(names_.size() - shown)).append(" more");
    return text;
}

}  // namespace emissary::reactor
