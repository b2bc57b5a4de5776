// Writes the lines of events: number, text, comments, the end.
#include "transport/websocket/EventWriter.h"

#include "eta/core/json_escapes.h"

#include <array>
#include <charconv>
#include <cstring>

namespace emissary::eta::transport::ws {
namespace {

const Bytes kComment = asBytes(":\n\n"), kEnd = asBytes("\n\n");

[[nodiscard]] bool append(Staging& out, std::string_view before, std::uint64_t number,
                          std::string_view behind) noexcept {
    std::array<char, 20> digits{};  // of any number
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return out.append(asBytes(before)) && out.append(asBytes(std::string_view(digits.data(), end))) &&
           out.append(asBytes(behind));
}

/// An event has its text in one line. Outside of strings a line end of JSON is a blank, and inside of them there is
/// none.
void joinLines(std::byte* begin, std::byte* end) noexcept {
    for (const int lineEnd : {'\n', '\r'})
        for (std::byte* at = begin; at != end; *at++ = std::byte{' '}) {
            at = static_cast<std::byte*>(std::memchr(at, lineEnd, static_cast<std::size_t>(end - at)));
            if (at == nullptr) break;
        }
}

}  // namespace

bool EventWriter::put(Staging& out, std::initializer_list<Bytes> parts, bool first, bool last) noexcept {
    if (first && !append(out, "id: ", ++id_, "\ndata: ")) return false;
    for (const Bytes p : parts) {
        if (p.empty()) continue;
        std::byte* const to = out.room(p.size());
        if (to == nullptr) return false;
        std::memcpy(to, p.data(), p.size());
        joinLines(to, to + p.size());
        out.added(p.size());
    }
    open_ = !last;
    return open_ || out.append(kEnd);
}

bool EventWriter::comment(Staging& out) noexcept {
    return out.append(kComment);
}

bool EventWriter::close(Staging& out, std::uint16_t code, std::string_view text) noexcept {
    bool good = append(out, "event: close\ndata: {\"Code\":", code, ",\"Text\":\"");
    writeJsonEscaped(text, [&](std::string_view piece) { good = good && out.append(asBytes(piece)); });
    return good && out.append(asBytes("\"}\n\n"));
}

}  // namespace emissary::eta::transport::ws
