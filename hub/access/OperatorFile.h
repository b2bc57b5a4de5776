// hub/access: the tokens of those who operate the hub: who they are, and what each of them may ask for.
#pragma once

#include "hub/access/Rules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::access {

/// What the holder of a token may do. Each role may do what those before it may.
enum class OperatorRole : std::uint8_t {
    read,     ///< looks at pages and counts
    operate,  ///< changes what single clients, items, sources and ports get
    admin,    ///< drains the hub, has its configuration read again, captures connections
};
/// "read", "operate" or "admin".
[[nodiscard]] std::string_view nameOf(OperatorRole role) noexcept;

/// Lines `name:role:hash`; the hash is SHA-256 of the token in hex. A fast hash is enough because tokens are random
/// texts, not words that a person chose. Does not change; any thread.
class OperatorFile {
public:
    struct Operator {
        std::string name;
        OperatorRole role = OperatorRole::read;
        std::array<unsigned char, 32> hash{};
    };
    static constexpr std::size_t kMostTokens = 1000;
    static constexpr std::size_t kMostTokenBytes = 512;  ///< a longer text is nobody's token

    /// What can be read of the text; with any fault it must not be used. Hashes are in no fault.
    [[nodiscard]] static OperatorFile read(std::string_view text, Faults& faults);

    /// Whose token it is; null: nobody's. Takes as long whoever it is, and whatever part of it is right.
    [[nodiscard]] const Operator* find(std::string_view token) const noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return operators_.size(); }

private:
    std::vector<Operator> operators_;
};

/// The file that is in use. Any thread.
class OperatorTokens {
public:
    /// An empty path: there are no tokens.
    explicit OperatorTokens(std::string path) : path_(std::move(path)) {}

    /// Reads the file, and uses it if it has no faults. The faults, with file and line; none: it is in use.
    [[nodiscard]] std::vector<std::string> read();
    /// Null: there are no tokens.
    [[nodiscard]] std::shared_ptr<const OperatorFile> current() const;
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    const std::string path_;
    mutable std::mutex mutex_;
    std::shared_ptr<const OperatorFile> current_;  // under the mutex
};

}  // namespace emissary::hub::access
