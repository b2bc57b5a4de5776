// Whether two message keys name the same thing.
#pragma once

#include "eta/codec/Msg.h"

namespace emissary::test {

/// Equality of rdm.md 1.6: members count only when their flag is set; a missing name type means RIC.
[[nodiscard]] inline bool sameKey(const eta::codec::MsgKey& a, const eta::codec::MsgKey& b) noexcept {
    using namespace eta::codec;
    // A name without a type is a RIC, so the two flag words agree once the type flag is left out.
    constexpr auto compared = static_cast<std::uint16_t>(~KeyFlag::nameType);
    if ((a.flags & compared) != (b.flags & compared)) return false;
    const auto sameBytes = [](eta::Bytes x, eta::Bytes y) { return eta::asText(x) == eta::asText(y); };
    const auto nameType = [](const MsgKey& k) { return k.has(KeyFlag::nameType) ? k.nameType : std::uint8_t{1}; };
    if (a.has(KeyFlag::name) && (!sameBytes(a.name, b.name) || nameType(a) != nameType(b))) return false;
    if (a.has(KeyFlag::serviceId) && a.serviceId != b.serviceId) return false;
    if (a.has(KeyFlag::filter) && a.filter != b.filter) return false;
    if (a.has(KeyFlag::identifier) && a.identifier != b.identifier) return false;
    return !a.has(KeyFlag::attrib) || (a.attribType == b.attribType && sameBytes(a.attrib, b.attrib));
}

}  // namespace emissary::test
