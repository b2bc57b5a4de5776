// tools/rwfcat: files of the XML trace, back to messages (xml-trace.md 3).
#pragma once

#include "eta/core/bytes.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::rwfcat {

/// One message of a trace.
struct TraceEntry {
    std::string heading;             ///< "Incoming Message", "Outgoing Message", "Pack Message"
    std::string time;                ///< as it stands there: local time, H:MM:SS:mmm
    std::size_t line = 0;            ///< of the heading, from 1
    std::vector<std::byte> message;  ///< RWF
    bool exact = false;              ///< from the bytes that XmlTraceHex writes; otherwise put together from the text
    std::string fault;               ///< why there is no message; empty = there is one
};

/// Calls `each` for every message, in order; pings and messages of JSON are left out. Returns how many of those.
std::size_t readTraceFile(std::string_view content, const std::function<void(const TraceEntry&)>& each);
/// Begins like a trace.
[[nodiscard]] bool isTrace(std::string_view content) noexcept;

}  // namespace emissary::rwfcat
