// The layout of the lines of toString() (ema-api.md section 15).
#pragma once

#include "eta/core/printable.h"

#include <string>
#include <string_view>
#include <type_traits>

namespace emissary::ema {

/// Appends lines and attributes to one string, four blanks for each step of nesting.
class TextLayout {
public:
    enum class Form { nested, alone };  ///< alone: entry.toString(), two blanks after the class word

    explicit TextLayout(std::string& out) noexcept : out_(out) {}

    void pad(int indent) { out_.append(static_cast<std::size_t>(indent) * 4, ' '); }
    TextLayout& line(int indent, std::string_view word) {
        pad(indent);
        out_.append(word).append("\n");
        return *this;
    }
    void open(int indent, std::string_view word, Form form) {
        pad(indent);
        out_.append(word).append(form == Form::alone ? "  " : " ");
    }
    /// ` key="value"`
    TextLayout& attribute(std::string_view key, std::string_view value) {
        out_.append(" ");
        return bare(key, value);
    }
    /// `key="value"`; the value may be a peer's text, and stays on its line.
    TextLayout& bare(std::string_view key, std::string_view value) {
        out_.append(key).append("=\"");
        eta::appendPrintable(out_, value);
        out_.append("\"");
        return *this;
    }
    template <class Number>
    static std::string text(Number n) {
        return std::to_string(n);
    }
    template <class Value>
    void lineWith(int indent, std::string_view key, const Value& value) {
        pad(indent);
        if constexpr (std::is_arithmetic_v<Value>) bare(key, text(value));
        else bare(key, value);
        out_.append("\n");
    }

protected:
    std::string& out_;
};

}  // namespace emissary::ema
