// Opens files to which records are added.
#pragma once

namespace emissary::logging {

/// For writing at the end, with close-on-exec; `flags`: more of open(2), as O_TRUNC. A file that is made may be read by
/// its owner and group alone (0640, less the umask). A last part of the name that is a symbolic link is not followed,
/// and nothing but a regular file is opened, since a user who may write to the directory could lead the records
/// elsewhere. Returns the descriptor, which is the caller's; negative, with errno, when it cannot be: ELOOP for a link,
/// EINVAL for what is no regular file. Any thread.
[[nodiscard]] int openLogFile(const char* name, int flags = 0) noexcept;

}  // namespace emissary::logging
