// One dictionary in memory for all sessions of the process that have the same.
#pragma once

#include "eta/dictionary/Dictionary.h"

#include <memory>

namespace emissary::eta::dictionary {

/// True when nothing that can be asked of the two differs: fields, enumerated types, their order, tags and warnings.
[[nodiscard]] bool sameContent(const Dictionary& a, const Dictionary& b) noexcept;

/// The dictionary of equal content that the process holds already; else this one, which later calls return. Nobody may
/// change it any more. Null gives null. Any thread; compares without a lock, so two threads that bring equal ones at
/// the same moment may keep one each. Throws std::bad_alloc.
[[nodiscard]] std::shared_ptr<const Dictionary> shared(std::shared_ptr<const Dictionary> dictionary);

}  // namespace emissary::eta::dictionary
