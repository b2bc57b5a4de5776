// The payloads of an XML trace, back to their bytes (xml-trace.md 5).
#pragma once

#include "rwfcat/TraceLine.h"
#include "rwfcat/trace_values.h"

#include "eta/codec/SetDefinitions.h"

namespace emissary::rwfcat {

/// The tags of one message, in order. Digits that go on in further lines stand behind the first.
class TraceLines {
public:
    explicit TraceLines(const std::vector<std::string_view>& lines);
    /// The tag that comes next; empty at the end.
    [[nodiscard]] std::string_view next() const noexcept {
        return at_ < lines_.size() ? std::string_view(lines_[at_]) : std::string_view{};
    }
    /// Throws TraceFault at the end.
    TraceLine take();
    /// Takes a tag that must be this one.
    void expect(std::string_view tag);
    /// One level deeper; throws TraceFault when that is too deep.
    void deeper();
    void back() noexcept { --depth_; }

private:
    std::vector<std::string> lines_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

/// What stands in a slot of this type, up to the end tag of what it stands in.
[[nodiscard]] ByteVector contentOf(TraceLines& in, eta::codec::DataType type, const eta::codec::SetDefinitionDb* sets);
/// A message, with its version comment or without.
[[nodiscard]] ByteVector messageFrom(TraceLines& in);

}  // namespace emissary::rwfcat
