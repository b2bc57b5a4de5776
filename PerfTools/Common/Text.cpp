// Formats into strings with vsnprintf, and tells time and version.
#include "Text.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace emissary::perf {

void appendf(std::string& out, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    // The first attempt uses up the arguments; lines beyond the buffer need them a second time.
    std::va_list again;
    va_copy(again, arguments);
    std::array<char, 512> buffer;
    const int length = std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
    va_end(arguments);
    if (length >= 0 && static_cast<std::size_t>(length) < buffer.size()) {
        out.append(buffer.data(), static_cast<std::size_t>(length));
    } else if (length >= 0) {
        const std::size_t old = out.size();
        out.resize(old + static_cast<std::size_t>(length) + 1);
        std::vsnprintf(out.data() + old, static_cast<std::size_t>(length) + 1, format, again);
        out.resize(old + static_cast<std::size_t>(length));
    }
    va_end(again);
}

std::string utcNow() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text;
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return {text.data(), length};
}

std::string_view toolVersion() noexcept {
    return EMISSARY_VERSION;
}

}  // namespace emissary::perf
