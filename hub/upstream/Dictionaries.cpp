// Compares dictionaries of sources with the one in use, and bars sources that contradict it.
#include "hub/upstream/Dictionaries.h"

#include <algorithm>
#include <array>

namespace emissary::hub::upstream {

namespace {

std::array<std::uint32_t, 3> numbersOf(std::string_view version) noexcept {
    std::array<std::uint32_t, 3> n{};
    std::size_t at = 0;
    for (const char c : version) {
        if (c == '.') {
            if (++at == n.size()) break;
        } else if (c >= '0' && c <= '9' && n[at] < 100'000'000)
            n[at] = n[at] * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return n;
}

}  // namespace

Dictionaries::Order Dictionaries::compare(std::string_view offered, std::string_view inUse) noexcept {
    const auto a = numbersOf(offered), b = numbersOf(inUse);
    if (a[0] != b[0] || a[1] != b[1]) return Order::different;
    return a[2] == b[2] ? Order::same : a[2] < b[2] ? Order::older : Order::newer;
}

void Dictionaries::offered(UpstreamSource& source) {
    const Dictionary fresh = source.dictionary();
    if (fresh == nullptr || !fresh->hasFields() || fresh == inUse_) return;
    const auto take = [&] {
        inUse_ = fresh;
        if (options_.changed) options_.changed(inUse_);
    };
    if (inUse_ == nullptr) return take();
    const auto &theirs = fresh->fieldTags(), &ours = inUse_->fieldTags();
    const Order fields = compare(theirs.version, ours.version);
    const Order enums = compare(fresh->enumTags().dtVersion, inUse_->enumTags().dtVersion);
    const bool different = fields == Order::different || enums == Order::different;
    if (different && options_.log)
        options_.log(Severity::warning, "source '" + source.name() + "': its dictionaries have versions " +
                                            theirs.version + " and " + fresh->enumTags().dtVersion + ", those in use " +
                                            ours.version + " and " + inUse_->enumTags().dtVersion +
                                            (options_.acceptMismatch ? "; it is used all the same"
                                                                     : "; it is not used (see DictionaryMismatch)"));
    source.bar(different && !options_.acceptMismatch);
    if (!different && (fields == Order::newer || enums == Order::newer)) take();
}

}  // namespace emissary::hub::upstream
