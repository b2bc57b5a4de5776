// The words of the XML trace for the numbers of messages (xml-trace.md 4).
#pragma once

#include "eta/codec/Msg.h"

#include <span>
#include <string_view>

namespace emissary::eta::trace {

/// One number and its word.
struct Word {
    std::uint32_t number;
    std::string_view name;
};

/// Words that begin alike; `prefix` stands before each.
struct Words {
    std::string_view prefix;
    std::span<const Word> words;
    /// Without the prefix; empty when there is none.
    [[nodiscard]] std::string_view find(std::uint32_t number) const noexcept;
    /// The number of a word with its prefix; false when there is none.
    [[nodiscard]] bool number(std::string_view word, std::uint32_t& out) const noexcept;
};

extern const Words kDomains, kTypes, kDataStates, kStreamStates, kStateCodes, kUpdateTypes, kNakCodes;
extern const Words kMapActions, kVectorActions, kFilterActions;
extern const Words kKeyFlags, kFieldListFlags, kElementListFlags, kMapFlags, kVectorFlags, kSeriesFlags,
    kFilterListFlags, kMapEntryFlags, kVectorEntryFlags, kFilterEntryFlags;
/// Flags of a message class.
[[nodiscard]] const Words& flagsOf(codec::MsgClass cls) noexcept;
/// "requestMsg" ...
[[nodiscard]] std::string_view elementOf(codec::MsgClass cls) noexcept;

}  // namespace emissary::eta::trace
