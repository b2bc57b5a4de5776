// Reads the names or stream ids of a batch, and makes a single request of each.
#include "provider/Batches.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;

namespace {

constexpr std::size_t kMaxItems = 10'000, kNamesInTexts = 5;

}  // namespace

std::string Batch::read(const Msg& batch) {
    // Views are for the application, as those of other requests are.
    // The views of a batch stay in each item's payload: the application judges them.
    rdm::PayloadError error = rdm::readPayload(batch, payload_, {true, false, false, true});
    if (error.fault != rdm::PayloadFault::none) return std::move(error.why);
    if (batch.cls == MsgClass::Close && payload_.streams.empty()) return "a batch close needs ':StreamIdList'";
    if (size() > kMaxItems) return "a batch has at most 10000 items";
    return {};
}

Msg Batch::itemOf(const Msg& batch, std::int32_t streamId, Bytes name) const noexcept {
    Msg item = batch;
    item.streamId = streamId;
    item.flags &= static_cast<std::uint16_t>(~RequestFlag::batch);
    if (!name.empty()) {
        item.key.flags |= KeyFlag::name;
        item.key.name = name;
    }
    // Encoded anew when it goes on, because raw would still be the batch.
    item.raw = {};
    item.payload = Bytes(payload_.rest);
    item.containerType = payload_.rest.empty() ? DataType::NoData : DataType::ElementList;
    return item;
}

std::string Batch::describe() const {
    std::string text;
    const std::size_t shown = std::min(names().size(), kNamesInTexts);
    for (std::size_t i = 0; i < shown; ++i)
        text.append(i == 0 ? "'" : ", '").append(eta::asText(names()[i])).append(1, '\'');
    if (names().size() > shown) text.append(" and ").append(std::to_string(names().size() - shown)).append(" more");
    return text;
}

}  // namespace emissary::reactor
