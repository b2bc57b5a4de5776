// hub/delay: a file of blocks that has no name, so that nothing of it is left when the hub ends.
#pragma once

#include "eta/core/Refused.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace emissary::hub::delay {

/// What goes to the disk and comes back as one piece.
inline constexpr std::size_t kBlock = std::size_t{64} << 10;

/// Blocks by number. The file is taken out of its folder as soon as it is open: the system gives its space back when
/// the hub ends, however it ends. read() and write() may be called by another thread than the one that made it.
class SpillFile {
public:
    /// `name` is seen only on file systems that make no files without a name; one that a crash left there is removed.
    [[nodiscard]] static std::unique_ptr<SpillFile> open(const std::string& folder, const std::string& name,
                                                         eta::Refused& refused);
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// 0, or the system's number of the error.
    [[nodiscard]] int write(std::uint64_t slot, std::span<const std::byte> block) noexcept;
    [[nodiscard]] int read(std::uint64_t slot, std::span<std::byte> block) noexcept;

private:
    explicit SpillFile(int fd) noexcept : fd_(fd) {}
    const int fd_;
};

}  // namespace emissary::hub::delay
