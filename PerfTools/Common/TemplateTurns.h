// Which template of the message file is due, for senders that use the templates in rotation.
#pragma once
#include "ItemList.h"

#include <array>
#include <cstddef>

namespace emissary::perf {

/// Counts through the templates of each domain by itself: a domain with few would else hold up one with many.
class TemplateTurns {
public:
    /// The number that is due of `count`, at least 1; the next one is due after it.
    [[nodiscard]] std::size_t take(Domain domain, std::size_t count) noexcept {
        std::size_t& due = due_[domain == Domain::marketByOrder ? 1 : 0];
        if (due >= count) due = 0;  // a comparison: a division for each message would show
        return due++;
    }

private:
    std::array<std::size_t, 2> due_{};
};

}  // namespace emissary::perf
