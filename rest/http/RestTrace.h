// Entries of the REST log (credentials.md 8.1). Passwords and keys never get into one.
#pragma once

#include "rest/http_types.h"

#include <string>
#include <string_view>

namespace emissary::rest {

[[nodiscard]] std::string traceOf(const HttpRequest& request);
/// `headers`: the answer's header lines.
[[nodiscard]] std::string traceOf(const HttpAnswer& answer, std::string_view headers, Tracing how);
[[nodiscard]] std::string traceOfFailure(std::string_view text, int errorId, long systemError);

/// A form with the values of its secrets replaced by `***`.
[[nodiscard]] std::string maskedForm(std::string_view form);
/// A JSON text with its tokens replaced by `***`. A text that is cut off, or is not JSON, is masked in the part that
/// can be read.
[[nodiscard]] std::string maskedTokens(std::string_view json);

}  // namespace emissary::rest
