// The items that a tool requests or publishes, read from a file such as 350k.xml.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// Message domains of the tools.
enum class Domain : std::uint8_t { marketPrice = 6, marketByOrder = 7, marketByPrice = 8 };

/// A compact list: all names share one piece of memory.
class ItemList {
public:
    struct Entry {
        Domain domain : 4 = Domain::marketPrice;
        bool post : 1 = false;      ///< takes part in posting
        bool generic : 1 = false;   ///< takes part in generic messages
        bool snapshot : 1 = false;  ///< requested without updates
    };
    static_assert(sizeof(Entry) == 1);

    void add(std::string_view name, Entry entry);
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] const Entry& entry(std::size_t index) const noexcept { return entries_[index]; }
    /// Valid as long as the list is neither changed nor destroyed.
    [[nodiscard]] std::string_view name(std::size_t index) const noexcept {
        const std::uint32_t begin = index == 0 ? 0 : ends_[index - 1];
        return std::string_view(names_).substr(begin, ends_[index] - begin);
    }
    void shrinkToFit();

private:
    std::string names_;
    std::vector<std::uint32_t> ends_;  // where each name ends within names_
    std::vector<Entry> entries_;
};

/// Reads the first `count` items of the file and stops there. Throws InputError with one line per problem, also when
/// the file holds fewer items.
[[nodiscard]] ItemList readItemList(const std::string& file, std::size_t count);

}  // namespace emissary::perf
