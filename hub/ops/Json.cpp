#include "hub/ops/Json.h"

#include "eta/core/printable.h"

namespace emissary::hub::ops {

void Json::quoted(std::string_view text) {
    out_ += '"';
    for (const char c : eta::printable(text)) {
        if (c == '"' || c == '\\') out_ += '\\';
        out_ += c;
    }
    out_ += '"';
}

}  // namespace emissary::hub::ops
