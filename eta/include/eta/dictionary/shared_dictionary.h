// One dictionary in memory for all sessions of the process that have the same.
#pragma once

#include "eta/dictionary/Dictionary.h"

#include <memory>

namespace emissary::eta::dictionary {

/// True when nothing that can be asked of the two differs: fields, enumerated types, their order, tags and warnings.
[[nodiscard]] bool sameContent(const Dictionary& a, const Dictionary& b) noexcept;

/// The dictionary of this content that somebody in the process holds already, else this one, which others get from now
/// on; nobody may change it any more. Null gives null. Any thread; compares without a lock, so that two who bring the
/// same at the same moment may keep one each. Throws std::bad_alloc.
[[nodiscard]] std::shared_ptr<const Dictionary> shared(std::shared_ptr<const Dictionary> dictionary);

}  // namespace emissary::eta::dictionary
