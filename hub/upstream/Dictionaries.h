// Dictionaries that sources provide: which one is used, and which source does not fit it (hub.md 3.4).
#pragma once

#include "hub/upstream/UpstreamSource.h"

#include <functional>
#include <memory>
#include <string>

namespace emissary::hub::upstream {

/// The first one that came is used, until a source has a newer one of the same major and minor version. A source whose
/// major or minor version is another serves nothing, unless that is accepted. Stage thread only.
class Dictionaries {
public:
    using Dictionary = std::shared_ptr<const eta::dictionary::Dictionary>;
    struct Options {
        bool acceptMismatch = false;
        std::function<void(const Dictionary&)> changed;  ///< another one is in use; may be empty
        LogLine log;                                     ///< may be empty
    };
    explicit Dictionaries(Options options) : options_(std::move(options)) {}

    /// The source has downloaded its own.
    void offered(UpstreamSource& source);
    /// Null while there is none.
    [[nodiscard]] const Dictionary& inUse() const noexcept { return inUse_; }

    /// What two versions ("4.20.31") are to each other.
    enum class Order : std::uint8_t { same, older, newer, different };
    [[nodiscard]] static Order compare(std::string_view offered, std::string_view inUse) noexcept;

private:
    Options options_;
    Dictionary inUse_;
};

}  // namespace emissary::hub::upstream
