// Any text as a number, date or time as people write them; what is read is written and read again.
#include "eta/codec/text.h"

#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::codec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    TextBuffer buffer;
    Real real;
    if (parseReal(text, real) == Decoded::value) {
        static_cast<void>(toDouble(real));
        const std::string_view shown = toText(real, buffer);
        Real again;
        if (shown.empty() || parseReal(shown, again) != Decoded::value) std::abort();
        // Beyond 2^53 a mantissa is rounded when it becomes a double, with or without its trailing zeros.
        constexpr std::int64_t kExact = std::int64_t{1} << 53;
        const bool exact = real.mantissa < kExact && real.mantissa > -kExact;
        if (real.hint <= 22 && exact && toDouble(again) != toDouble(real)) std::abort();
    }
    DateTime v;
    if (parseDate(text, v.date) == Decoded::value) {
        static_cast<void>(toText(v.date, buffer));
        static_cast<void>(toIsoText(v.date, buffer));
    }
    if (parseTime(text, v.time) == Decoded::value) {
        static_cast<void>(toText(v.time, buffer));
        static_cast<void>(toIsoText(v.time, buffer));
    }
    if (parseDateTime(text, v) == Decoded::value) {
        static_cast<void>(toText(v, buffer));
        static_cast<void>(toIsoText(v, buffer));
    }
    return 0;
}
