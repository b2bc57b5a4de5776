// How the members of the public API are pinned: by their exact type, and by an address that the linker must find.
#pragma once

#include "support/catch.hpp"

#include <concepts>
#include <type_traits>

namespace emissary::apitest {

/// A non-static member with exactly this signature, for example member<Map, bool() const>(&Map::forth).
template <class C, class Signature>
void member(Signature C::*address) {
    Signature C::*volatile kept = address;  // not optimised away: the definition must exist as well
    CHECK(kept != nullptr);
}

/// The same for static members and free functions.
template <class Signature>
void function(Signature* address) {
    Signature* volatile kept = address;
    CHECK(kept != nullptr);
}

}  // namespace emissary::apitest
