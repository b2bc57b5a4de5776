// Quotes and escapes a text.
#include "hub/ops/Json.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"

namespace emissary::hub::ops {

void Json::quoted(std::string_view text) {
    eta::appendJsonString(out_, eta::printable(text));
}

}  // namespace emissary::hub::ops
