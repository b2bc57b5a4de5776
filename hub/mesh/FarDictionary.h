// hub/mesh: the dictionary of another node, asked for part by part; what its bytes mean is not this room's affair.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emissary::hub::mesh {

inline constexpr std::uint32_t kMostDictionaryParts = 4096;
inline constexpr std::size_t kMostDictionary = std::size_t{16} << 20;  ///< bytes of all parts
inline constexpr std::size_t kMostDictionaryPart = 192 * 1024;         ///< a row of it may be long
inline constexpr std::size_t kMostDictionaryVersion = 64;              ///< bytes of its name
inline constexpr std::size_t kDictionaryPartsAtOnce = 4;               ///< asked for, and given, at once

/// A dictionary in parts. Its id is a hash of them: equal ids are equal dictionaries.
struct DictionaryParts {
    std::uint64_t id = 0;  ///< 0: there is none
    std::string version;   ///< for people, and to compare; at most kMostDictionaryVersion bytes
    std::vector<std::vector<std::byte>> parts;
};

/// One that is being fetched: bounded, each part once, given up with its owner.
class FarDictionary {
public:
    /// Begins anew where the id is another. False: it has more parts than may be.
    [[nodiscard]] bool begin(std::uint64_t id, std::uint32_t parts) {
        if (id == got_.id && parts == got_.parts.size()) return true;
        clear();
        if (parts == 0 || parts > kMostDictionaryParts) return false;
        got_.id = id;
        got_.parts.resize(parts);
        return true;
    }
    /// A part has come. False: there is more of it than may be.
    [[nodiscard]] bool take(std::uint64_t id, std::uint32_t number, eta::Bytes part) {
        if (id != got_.id || number >= got_.parts.size() || part.empty() || !got_.parts[number].empty()) return true;
        if (bytes_ + part.size() > kMostDictionary) return false;
        bytes_ += part.size();
        got_.parts[number].assign(part.begin(), part.end());
        ++have_;
        return true;
    }
    [[nodiscard]] bool complete() const noexcept { return got_.id != 0 && have_ == got_.parts.size(); }
    [[nodiscard]] const DictionaryParts& got() const noexcept { return got_; }
    /// Calls `ask(number)` for the first parts that are missing, when all that were asked for have come or `again` has
    /// passed since.
    template <class Ask>
    void pump(eta::TimePoint now, eta::Duration again, Ask&& ask) {
        if (complete() || (have_ < awaited_ && now - askedAt_ < again)) return;
        std::size_t left = kDictionaryPartsAtOnce;
        for (std::uint32_t n = 0; n < got_.parts.size() && left != 0; ++n) {
            if (!got_.parts[n].empty()) continue;
            ask(n);
            --left;
        }
        awaited_ = have_ + static_cast<std::uint32_t>(kDictionaryPartsAtOnce - left);
        askedAt_ = now;
    }
    void clear() { *this = {}; }

private:
    DictionaryParts got_;
    std::size_t bytes_ = 0;
    std::uint32_t have_ = 0, awaited_ = 0;
    eta::TimePoint askedAt_ = eta::TimePoint::min();
};

}  // namespace emissary::hub::mesh
