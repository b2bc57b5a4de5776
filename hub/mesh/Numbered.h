// hub/mesh: records by numbers that rise and are never used again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace emissary::hub::mesh {

/// Numbers begin with 1, and are given by somebody else in about their order. Records stand in pages, so they do not
/// move; a page whose records are all gone is given back, and costs a pointer from then on.
template <class T>
class Numbered {
public:
    /// The record of that number; a new one when there is none. Throws std::bad_alloc.
    T& make(std::uint32_t number) {
        const std::size_t at = number - std::size_t{1};
        if (at / kPage >= pages_.size()) pages_.resize(at / kPage + 1);
        std::unique_ptr<Page>& page = pages_[at / kPage];
        if (!page) page = std::make_unique<Page>();
        if (!page->there[at % kPage]) {
            page->there[at % kPage] = true;
            ++page->count;
            ++size_;
        }
        return page->records[at % kPage];
    }
    /// Null: there is none.
    [[nodiscard]] T* find(std::uint32_t number) noexcept {
        const std::size_t at = number - std::size_t{1};  // of 0 beyond all pages
        if (at / kPage >= pages_.size() || !pages_[at / kPage]) return nullptr;
        Page& page = *pages_[at / kPage];
        return page.there[at % kPage] ? &page.records[at % kPage] : nullptr;
    }
    [[nodiscard]] const T* find(std::uint32_t number) const noexcept {
        return const_cast<Numbered*>(this)->find(number);
    }
    /// Has no effect where there is none.
    void erase(std::uint32_t number) noexcept {
        if (find(number) == nullptr) return;
        const std::size_t at = number - std::size_t{1};
        std::unique_ptr<Page>& page = pages_[at / kPage];
        page->records[at % kPage] = T();
        page->there[at % kPage] = false;
        --size_;
        if (--page->count == 0) page.reset();
    }
    /// The lowest number from that one on that has a record; 0: there is none.
    [[nodiscard]] std::uint32_t next(std::uint32_t number) const noexcept {
        for (std::size_t at = number - std::size_t{1}; at / kPage < pages_.size();) {
            const Page* const page = pages_[at / kPage].get();
            if (page != nullptr && page->there[at % kPage]) return static_cast<std::uint32_t>(at + 1);
            at = page != nullptr ? at + 1 : (at / kPage + 1) * kPage;
        }
        return 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Calls `use(number, record)` for each; it may erase that one.
    template <class Use>
    void forEach(Use&& use) {
        for (std::size_t p = 0; p < pages_.size(); ++p)
            for (std::size_t i = 0; i < kPage && pages_[p]; ++i)
                if (pages_[p]->there[i]) use(static_cast<std::uint32_t>(p * kPage + i + 1), pages_[p]->records[i]);
    }

private:
    static constexpr std::size_t kPage = 1024;
    struct Page {
        std::array<T, kPage> records{};
        std::array<bool, kPage> there{};
        std::uint32_t count = 0;
    };
    std::vector<std::unique_ptr<Page>> pages_;
    std::size_t size_ = 0;
};

}  // namespace emissary::hub::mesh
