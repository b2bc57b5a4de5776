// How the members of the public API are pinned: by their exact type, and by an address that the linker must find.
// Nothing here runs: the objects compile and test_ema_api links them, or the build stops.
#pragma once

#include <concepts>
#include <type_traits>

namespace emissary::apitest {

/// A non-static member with exactly this signature, for example member<Map, bool() const>(&Map::forth).
template <class C, class Signature>
void member(Signature C::*address) {
    [[maybe_unused]] Signature C::*volatile kept = address;  // not optimised away: the definition must exist as well
}

/// The same for static members and free functions.
template <class Signature>
void function(Signature* address) {
    [[maybe_unused]] Signature* volatile kept = address;
}

}  // namespace emissary::apitest
