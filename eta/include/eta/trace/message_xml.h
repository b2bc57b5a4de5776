// A message as the text of the XML trace (xml-trace.md 4, 5).
#pragma once

#include "eta/core/Result.h"
#include "eta/core/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace emissary::eta::trace {

/// Takes finished pieces of a text, in order.
class TextSink {
public:
    virtual ~TextSink() = default;
    /// The piece lives until the call returns. False: no more is wanted.
    [[nodiscard]] virtual bool take(std::string_view piece) = 0;
};

/// Collects text, and hands it on in pieces of about 64 KiB, so that a message of any size costs no more memory than
/// that.
class TraceText {
public:
    /// The sink outlives this.
    explicit TraceText(TextSink& sink) noexcept : sink_(sink) {}
    TraceText(const TraceText&) = delete;
    TraceText& operator=(const TraceText&) = delete;

    /// Appends; throws std::bad_alloc.
    void add(std::string_view text) { text_ += text; }
    void add(char c) { text_ += c; }  ///< appends one character
    /// Ends a line, the place where a piece may end.
    void endLine() {
        text_ += '\n';
        if (text_.size() >= kPiece) flush();
    }
    /// Hands on what is there.
    void flush();
    /// The sink wants no more.
    [[nodiscard]] bool full() const noexcept { return full_; }
    /// Drops what was not handed on, and begins anew.
    void restart() noexcept {
        text_.clear();
        full_ = false;
    }

private:
    static constexpr std::size_t kPiece = 64u << 10;
    TextSink& sink_;
    std::string text_;
    bool full_ = false;
};

/// Writes a message of RWF: the comment with the version, the element, an empty line. Of a message that is broken
/// inside, what was read before the fault, closed tag by tag up to the one that holds it. Errors: nothing but the
/// comment was written when the header cannot be read, and the text ends at the fault otherwise. Throws std::bad_alloc.
[[nodiscard]] Error writeMessageXml(TraceText& out, Bytes message, unsigned major, unsigned minor);

/// Bytes as upper-case digits, 32 bytes a line, without a line end behind the last.
void writeHexDump(TraceText& out, Bytes bytes);

}  // namespace emissary::eta::trace
