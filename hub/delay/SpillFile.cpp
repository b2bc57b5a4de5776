// hub/delay: opens a file without a name, and reads and writes it block by block.
#include "hub/delay/SpillFile.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace emissary::hub::delay {

std::unique_ptr<SpillFile> SpillFile::open(const std::string& folder, const std::string& name, eta::Refused& refused) {
    int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        const std::string path = folder + "/" + name;
        (void)::unlink(path.c_str());
        fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0) (void)::unlink(path.c_str());
    }
    if (fd < 0) {
        refused.text = "DelayFolder: a file cannot be made in '" + folder + "': " + std::strerror(errno) +
                       "; name a folder that is there and that the hub may write to";
        return nullptr;
    }
    return std::unique_ptr<SpillFile>(new SpillFile(fd));
}

SpillFile::~SpillFile() {
    ::close(fd_);
}

int SpillFile::write(std::uint64_t slot, std::span<const std::byte> block) noexcept {
    auto at = static_cast<off_t>(slot * kBlock);
    while (!block.empty()) {
        const ssize_t n = ::pwrite(fd_, block.data(), block.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        block = block.subspan(static_cast<std::size_t>(n));
        at += n;
    }
    return 0;
}

int SpillFile::read(std::uint64_t slot, std::span<std::byte> block) noexcept {
    auto at = static_cast<off_t>(slot * kBlock);
    while (!block.empty()) {
        const ssize_t n = ::pread(fd_, block.data(), block.size(), at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        block = block.subspan(static_cast<std::size_t>(n));
        at += n;
    }
    return 0;
}

}  // namespace emissary::hub::delay
