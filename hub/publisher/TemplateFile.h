// Images of items that nobody publishes, from a message file (hub.md 4.5, perftools.md 6.1).
#pragma once

#include "eta/codec/Types.h"
#include "eta/codec/numbers.h"
#include "eta/dictionary/Dictionary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::hub::publisher {

/// The refresh of each domain in the file, encoded once.
class TemplateFile {
public:
    struct Image {
        eta::codec::DataType type = eta::codec::DataType::NoData;
        std::vector<std::byte> payload;  ///< empty: the file has no refresh for the domain
    };
    /// Throws std::runtime_error, with file and line, for what cannot be read or does not agree with the dictionary.
    TemplateFile(const std::string& file, const eta::dictionary::Dictionary& dictionary);
    /// Null when the file says nothing of the domain.
    [[nodiscard]] const Image* image(std::uint8_t domain) const noexcept;

private:
    Image marketPrice_, marketByOrder_;
};

}  // namespace emissary::hub::publisher
