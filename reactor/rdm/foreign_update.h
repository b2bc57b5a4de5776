// Directory updates that say nothing of services.
#pragma once

#include "rdm/ServiceEntries.h"

#include <string_view>

namespace emissary::reactor::rdm {

/// In the record of such an update.
inline constexpr std::string_view kForeignUpdate = "an update whose payload is no map of services";

/// Whether the message is an update of another shape than a directory has: it costs itself alone. An image of such a
/// shape is none, so whoever waits for one has to ask again.
[[nodiscard]] inline bool isForeignUpdate(const eta::codec::Msg& m) noexcept {
    using namespace eta::codec;
    if (m.cls != MsgClass::Update || m.containerType == DataType::NoData) return false;
    if (m.containerType != DataType::Map) return true;
    MapDecoder map;
    if (m.payload.empty() || !map.start(m.payload).ok()) return false;  // what cannot be read is another matter
    return !isOfServices(map);
}

}  // namespace emissary::reactor::rdm
