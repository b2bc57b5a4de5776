// reactor/rdm: numbers for the ids of item groups, so that an open stream keeps two bytes of its group (rdm.md 9).
#pragma once

#include "eta/core/bytes.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::reactor::rdm {

using eta::Bytes;

/// The groups that open streams are in. A group lives as long as a stream is in it: its number and its memory are free
/// again with the last one, so that what goes away with a service or a connection empties the table by itself.
class ItemGroups {
public:
    using Number = std::uint16_t;
    static constexpr Number kDefault = 0;       ///< of streams in no group: no id, or two zero bytes
    static constexpr Number kUnknown = 0xFFFF;  ///< a group without a number; see same()
    static constexpr std::size_t kMost = 0xFFFE;

    /// The stream whose number this is changes to the group of that id. When all numbers are in use it becomes
    /// kUnknown, which is counted: such a stream gets no group statuses.
    void put(Number& stream, Bytes id);
    /// The stream is over, or off the wire; its number is kDefault afterwards.
    void take(Number& stream) noexcept;
    /// kUnknown when no stream is in that group.
    [[nodiscard]] Number find(Bytes id) const noexcept;
    /// kUnknown equals no group, not even another kUnknown: the ids behind the two may differ.
    [[nodiscard]] static constexpr bool same(Number a, Number b) noexcept { return a == b && a != kUnknown; }

    [[nodiscard]] std::size_t size() const noexcept { return byId_.size(); }  ///< without the default group
    [[nodiscard]] std::uint64_t unnumbered() const noexcept { return unnumbered_; }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view id) const noexcept { return std::hash<std::string_view>{}(id); }
    };
    struct Group {
        const std::string* id = nullptr;  ///< the key in byId_
        std::uint32_t members = 0;
    };
    [[nodiscard]] static bool isDefault(Bytes id) noexcept;
    [[nodiscard]] Number join(Bytes id);

    std::unordered_map<std::string, Number, Hash, std::equal_to<>> byId_;
    std::vector<Group> groups_;  // number - 1 is the index
    std::vector<Number> free_;   // has room for all numbers that were ever given
    std::uint64_t unnumbered_ = 0;
};

}  // namespace emissary::reactor::rdm
