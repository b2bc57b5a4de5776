// capi/consumer: the order books of a consumer, and their content as columns.
#pragma once

#include "emissary.h"

#include "batch/Batch.h"
#include "emissary/book/Store.h"

#include <cstdint>
#include <memory>

namespace emissary::capi {

/// The store of the books, whose changes nobody listens to: they are looked at when the program wants to.
class Books final : public book::BookListener {
public:
    [[nodiscard]] book::Store& store() noexcept { return store_; }

private:
    void onBookChanged(const book::Book&, book::Span<const book::Change>) override {}
    [[nodiscard]] static book::BookOptions options() {
        book::BookOptions options;
        options.trackChanges = false;
        return options;
    }

    book::Store store_{*this, options()};
};

/// Fills in what is known of the book.
void describe(const book::Book& from, emi_book& to);
/// Levels or orders as rows; `depth` levels of each side, 0: all.
[[nodiscard]] std::unique_ptr<emi_batch> levelsOf(const book::Book& from, std::uint64_t item, emi_state state,
                                                  std::size_t depth);
[[nodiscard]] std::unique_ptr<emi_batch> ordersOf(const book::Book& from, std::uint64_t item, emi_state state,
                                                  std::size_t depth);

}  // namespace emissary::capi
