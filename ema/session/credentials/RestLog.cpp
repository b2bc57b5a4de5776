// Writes entries to the log file or standard output, and hands them to the application.
#include "session/credentials/RestLog.h"

#include "logging/log_file.h"

#include <utility>

#include <unistd.h>

namespace emissary::ema {

bool RestLog::write(const std::string& entry) {
    // After one failure the file is left alone: the caller reports a false once, and not for every call.
    if (!options_.toFile || failed_) return true;
    std::FILE* to = stdout;
    if (!options_.fileName.empty()) {
        // Opened with the first entry, because modifyReactorIOCtl() can switch the log on at any time.
        if (const int fd = file_ ? -1 : logging::openLogFile(options_.fileName.c_str()); fd >= 0) {
            file_.reset(::fdopen(fd, "a"));
            if (!file_) ::close(fd);
        }
        to = file_.get();
    }
    const bool good =
        to != nullptr && std::fwrite(entry.data(), 1, entry.size(), to) == entry.size() && std::fflush(to) == 0;
    failed_ = !good;
    return good;
}

}  // namespace emissary::ema
