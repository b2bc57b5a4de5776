// Text from elsewhere on its way to a terminal or a log.
#pragma once

#include <string>
#include <string_view>

namespace emissary::eta {

/// What becomes of line feeds and tabs, and of carriage returns in front of line feeds.
enum class LineBreaks : bool { escaped, kept };

/// Appends the text with everything that a terminal would obey spelled out as "\x1B": control characters (C0, DEL and,
/// as UTF-8, C1) and bytes that are no UTF-8. What people can read stays as it is, a backslash as well, so that text
/// without such bytes is not changed and escaping twice is the same as once.
void appendPrintable(std::string& out, std::string_view text, LineBreaks lineBreaks = LineBreaks::escaped);

/// The same as a new string.
[[nodiscard]] inline std::string printable(std::string_view text, LineBreaks lineBreaks = LineBreaks::escaped) {
    std::string out;
    appendPrintable(out, text, lineBreaks);
    return out;
}

/// Every byte outside ' '..'~' spelled out: for text in a coding that is not known.
void appendPrintableAscii(std::string& out, std::string_view text);

/// Whether appendPrintable() would change nothing, for text of ' '..'~' alone (the common case; others may be false).
[[nodiscard]] bool isPlain(std::string_view text) noexcept;

}  // namespace emissary::eta
