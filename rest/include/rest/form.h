// Forms: application/x-www-form-urlencoded, and URLs with a query (credentials.md 2, 4).
#pragma once

#include "rest/Secret.h"

#include <string>
#include <string_view>

namespace emissary::rest {

/// Adds `name=value`, with `&` in front unless the form is empty. Letters, digits and `-._~` stay, everything else is
/// percent-encoded.
void addMember(Secret& form, std::string_view name, std::string_view value);

/// The URL with a query member added, behind `?` or, when it has a query, `&`.
[[nodiscard]] std::string withQuery(std::string url, std::string_view name, std::string_view value);

}  // namespace emissary::rest
