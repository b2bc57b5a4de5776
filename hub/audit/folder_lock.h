// A folder that one process at a time writes into.
#pragma once

#include "eta/core/Refused.h"

#include <string>

namespace emissary::hub::audit {

/// Holds a lock on FOLDER/NAME, until destroyed. One thread.
class FolderLock {
public:
    FolderLock() noexcept = default;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// Makes the file, if it is not there, and takes the lock; again where the folder has become another one. Refused:
    /// the text says whether the folder cannot be used or another process uses it.
    [[nodiscard]] eta::Refused take(const std::string& folder, const std::string& name);

private:
    int fd_ = -1;
};

/// "/folder/name: No space left on device", of errno.
[[nodiscard]] std::string failureOf(const std::string& path);

}  // namespace emissary::hub::audit
