// The product code in an item's permission data.
#pragma once

#include "eta/core/bytes.h"

#include <string>

namespace emissary::hub::usage {

/// Of the form with one code: a byte 3, two bytes for a service, the digits of the code, four bits each, and 12 (0xC)
/// as their end: 03 01 01 65 62 C0 is 6562. Empty: the data have another form, which is not read.
[[nodiscard]] std::string productCode(eta::Bytes permissionData);

}  // namespace emissary::hub::usage
