// A received message as toString() of the public API prints it.
#pragma once

#include "eta/core/bytes.h"
#include "eta/dictionary/Dictionary.h"

#include <string>

namespace emissary::rwfcat {

class TextOf {
public:
    /// Loads RDMFieldDictionary and enumtype.def of the folder; empty: no dictionary. Throws std::runtime_error.
    explicit TextOf(const std::string& dictionaryFolder);
    /// `message` must decode.
    [[nodiscard]] std::string operator()(eta::Bytes message) const;
    [[nodiscard]] const eta::dictionary::Dictionary& dictionary() const noexcept { return dictionary_; }

private:
    eta::dictionary::Dictionary dictionary_;
};

}  // namespace emissary::rwfcat
