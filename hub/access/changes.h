// What has changed in a file of users or rules, for the audit log.
#pragma once

#include "hub/access/LoginFile.h"

#include <string>

namespace emissary::hub::access {

/// "users: 2 added (a, b), 1 removed (c), 1 changed (d)": the first names of each, no passwords. Null: there was none
/// before.
[[nodiscard]] std::string usersChanged(const LoginFile* before, const LoginFile& now);

/// "rules: 1 added (line 4), 2 removed (lines 1, 2 of before)", or that they only stand in another order. Comments and
/// empty lines are no changes.
[[nodiscard]] std::string rulesChanged(const Rules* before, const Rules& now);

}  // namespace emissary::hub::access
