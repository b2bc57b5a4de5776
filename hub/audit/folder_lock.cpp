// Locks a file, and looks whether that is still the one of the folder.
#include "hub/audit/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::hub::audit {

std::string failureOf(const std::string& path) {
    return path + ": " + std::strerror(errno);
}

FolderLock::~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
}

eta::Refused FolderLock::take(const std::string& folder, const std::string& name) {
    const std::string path = folder + "/" + name;
    struct stat held {
    }, there{};
    // The lock is still on the file of that name. Otherwise the folder has been moved or emptied, and a new lock is
    // taken.
    if (fd_ >= 0 && ::fstat(fd_, &held) == 0 && ::stat(path.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
        held.st_dev == there.st_dev)
        return {};
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd < 0) return {failureOf(path)};
    // flock(), because the kernel gives the lock back when the process ends in whatever way.
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const bool taken = errno == EWOULDBLOCK;
        const std::string why = taken ? path + ": another process writes into this folder" : failureOf(path);
        ::close(fd);
        return {why};
    }
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
    return {};
}

}  // namespace emissary::hub::audit
