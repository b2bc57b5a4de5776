// Records are written whole, by one call of the system each: what is in the file survives the process.
#include "LogFile.h"

#include "logging/log_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::logging {

int openLogFile(const char* name, int flags) noexcept {
    // A pipe without a reader would keep the caller waiting.
    const int file =
        ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | flags, 0640);
    if (file < 0) {
        if (errno == ENXIO) errno = EINVAL;  // such a pipe, or a socket
        return file;
    }
    struct stat what {};
    if (::fstat(file, &what) == 0 && S_ISREG(what.st_mode)) return file;
    ::close(file);
    errno = EINVAL;
    return -1;
}

namespace {

/// Why a file was not opened.
[[nodiscard]] std::string whyNot(int error) {
    if (error == ELOOP) return "it is a symbolic link, which log files are not written through";
    if (error == EINVAL) return "it is no regular file";
    return std::strerror(error);
}

[[nodiscard]] bool takesTurns(const LoggerSettings& s) noexcept {
    return s.numberOfFiles > 0 && s.maxFileSize > 0;
}

}  // namespace

std::string LogFile::nameOf(const LoggerSettings& s, std::uint32_t number) {
    return s.fileName + "_" + (takesTurns(s) ? std::to_string(number) : std::to_string(getpid())) + ".log";
}

std::shared_ptr<LogFile> LogFile::open(const LoggerSettings& s, eta::Refused& refused) {
    const std::string name = nameOf(s, 1);
    const int file = openLogFile(name.c_str());
    if (file >= 0) return std::make_shared<LogFile>(s, file);
    refused.text = "cannot open log file [" + name + "]: " + whyNot(errno);
    return nullptr;
}

LogFile::LogFile(const LoggerSettings& s, int file)
    : base_(s.fileName), own_(nameOf(s, 1)), limit_(s.maxFileSize), files_(takesTurns(s) ? s.numberOfFiles : 0),
      keepOld_(s.keepOldFile), file_(file),
      written_(static_cast<std::uint64_t>(std::max<off_t>(0, lseek(file, 0, SEEK_END)))) {}

LogFile::~LogFile() {
    ::close(file_);
}

/// As programs that rotate logs do, which ask for a new one then (hub.md 13: SIGHUP).
bool LogFile::current() {
    const std::lock_guard guard(mutex_);
    struct stat open {
    }, there{};
    const std::string name = files_ != 0 ? inTurn(number_) : own_;
    return fstat(file_, &open) == 0 && stat(name.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
           open.st_ino == there.st_ino;
}

/// Files that have a successor grow to twice the limit while it cannot be begun.
eta::Refused LogFile::put(const LogRecord& record, const RecordForm& form) {
    const std::string text = formatted(record, form);
    if (fits(text.size())) return append(text);
    if (!turns()) return {"log file [" + own_ + "] is full (MaxLogFileSize)"};
    eta::Refused stuck = next();
    if (!stuck) return append(text);
    if (written_ + text.size() > 2 * limit_) return stuck;
    eta::Refused failed = append(text);
    if (failed || std::exchange(stuck_, true)) return failed;
    stuck.text +=
        "; records go on in the file before it, up to twice MaxLogFileSize, and are lost beyond that. Make the "
        "name writable: every record tries again.";
    (void)append(formatted({record.time, LogSeverity::warning, record.instance, "Logger", stuck.text}, form));
    return {};
}

eta::Refused LogFile::append(const std::string& text) {
    std::size_t done = 0;
    if (std::exchange(torn_, false)) (void)!::write(file_, "\n", 1);
    while (done < text.size()) {
        const ssize_t n = ::write(file_, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int reason = errno;
            torn_ = done != 0;
            written_ += done;
            return {"the log file cannot be written: " + std::string(std::strerror(reason))};
        }
        done += static_cast<std::size_t>(n);
    }
    written_ += done;
    return {};
}

/// Continues in a fresh file. Refused: the next record tries again.
eta::Refused LogFile::next() {
    const std::string name = files_ != 0 ? inTurn(number_ % files_ + 1) : own_;
    const int fresh = files_ != 0 ? openLogFile(name.c_str(), O_TRUNC) : startOver();
    if (fresh < 0) return {"cannot begin the next log file [" + name + "]: " + whyNot(errno)};
    ::close(file_);
    file_ = fresh;
    number_ = files_ != 0 ? number_ % files_ + 1 : 1;
    written_ = 0;
    stuck_ = torn_ = false;
    return {};
}

/// The full file becomes the old one, in place of the one before. Negative when that fails, with errno.
int LogFile::startOver() const {
    const std::string old = own_ + ".old";
    if (std::rename(own_.c_str(), old.c_str()) != 0) return -1;
    const int fresh = openLogFile(own_.c_str(), O_TRUNC);
    if (fresh >= 0) return fresh;
    const int reason = errno;
    std::rename(old.c_str(), own_.c_str());
    errno = reason;
    return -1;
}

}  // namespace emissary::logging
