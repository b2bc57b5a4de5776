// Directory updates that say nothing of services.
#pragma once

#include "rdm/ServiceEntries.h"

#include <string_view>

namespace emissary::reactor::rdm {

/// In the record of such an update.
inline constexpr std::string_view kForeignUpdate = "an update whose payload is no map of services";

/// True if the message is an update whose payload is not a directory. Such an update is dropped and changes nothing; a
/// refresh of that kind counts as missing and has to be requested again.
[[nodiscard]] inline bool isForeignUpdate(const eta::codec::Msg& m) noexcept {
    using namespace eta::codec;
    if (m.cls != MsgClass::Update || m.containerType == DataType::NoData) return false;
    if (m.containerType != DataType::Map) return true;
    MapDecoder map;
    if (m.payload.empty() || !map.start(m.payload).ok()) return false;  // what cannot be read is another matter
    return !isOfServices(map);
}

}  // namespace emissary::reactor::rdm
