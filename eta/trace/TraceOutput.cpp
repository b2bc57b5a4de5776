// Opens, rolls and closes the trace file of a channel, and stops tracing when writing fails.
#include "trace/TraceOutput.h"

#include "eta/core/Clock.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace emissary::eta::trace {
namespace {

// Text that one message may have at least, however small the files are.
constexpr std::int64_t kLeastEntry = 16 << 20;
// Channels that become active in the same millisecond take the next ones.
constexpr int kNames = 1000;

/// errno of the failure; 0: all is written.
int writeAll(int fd, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
        else if (n == 0) return ENOSPC;
        else if (errno != EINTR) return errno;
    }
    return 0;
}

std::string errorText(int error) {
    return std::system_category().message(error);
}

}  // namespace

void TraceCommon::tell(TraceNotice notice, const std::string& text) const noexcept try {
    if (report) report(notice, text);
} catch (...) { return; }  // a report that fails does not end a channel

TraceOutput::TraceOutput(std::shared_ptr<TraceCommon> common) : common_(std::move(common)) {}

TraceOutput::~TraceOutput() {
    closeFile();
}

bool TraceOutput::start() {
    const XmlTraceOptions& o = common_->options;
    stdout_ = o.toStdout;
    if (o.toFile || !o.toStdout) static_cast<void>(openFile());
    return file_ >= 0 || stdout_;
}

bool TraceOutput::openFile() {
    const XmlTraceOptions& o = common_->options;
    if (o.maxFiles != 0 && common_->files.fetch_add(1, std::memory_order_relaxed) >= o.maxFiles) {
        common_->files.fetch_sub(1, std::memory_order_relaxed);
        common_->tell(TraceNotice::stopped, "XML trace: " + std::to_string(o.maxFiles) +
                                                " files were begun, as many as XmlTraceMaxFiles allows; no more are "
                                                "written");
        return false;
    }
    using std::chrono::milliseconds;
    auto ms = std::chrono::duration_cast<milliseconds>(WallClock::now().time_since_epoch()).count();
    int error = EEXIST;
    for (int tries = 0; tries < kNames && error == EEXIST; ++tries, ++ms) {
        name_ = o.fileName + "_" + std::to_string(ms) + ".xml";
        file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (file_ >= 0) {
            size_ = 0;
            common_->tell(TraceNotice::opened, "XML trace: messages go to " + name_);
            return true;
        }
        error = errno;
    }
    common_->tell(TraceNotice::stopped,
                  "XML trace: cannot open " + name_ + ": " + errorText(error) + "; choose another XmlTraceFileName");
    return false;
}

void TraceOutput::closeFile() noexcept {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

bool TraceOutput::beginEntry() {
    entry_ = 0;
    aim_ = kBoth;
    if (file_ >= 0 && size_ >= common_->options.maxFileSize) {
        closeFile();
        if (!common_->options.multipleFiles)
            common_->tell(TraceNotice::stopped, "XML trace: " + name_ + " has reached XmlTraceMaxFileSize (" +
                                                    std::to_string(common_->options.maxFileSize) +
                                                    " bytes) and gets no further messages");
        else static_cast<void>(openFile());
    }
    return file_ >= 0 || stdout_;
}

bool TraceOutput::take(std::string_view piece) {
    if (file_ >= 0 && (aim_ & kFile) != 0) toFile(piece);
    if (stdout_ && (aim_ & kStdout) != 0) toStdout(piece);
    entry_ += static_cast<std::int64_t>(piece.size());
    return (file_ >= 0 || stdout_) && entry_ < std::max(common_->options.maxFileSize, kLeastEntry);
}

void TraceOutput::toFile(std::string_view piece) {
    const int error = writeAll(file_, piece);
    size_ += static_cast<std::int64_t>(piece.size());
    if (error == 0) return;
    closeFile();
    common_->tell(TraceNotice::stopped,
                  "XML trace: writing " + name_ + " failed: " + errorText(error) + "; it gets no further messages");
}

/// Names and texts stand in the trace as the peer sent them; a terminal must not obey them.
void TraceOutput::toStdout(std::string_view piece) {
    static constexpr char kDigits[] = "0123456789abcdef";
    printable_.clear();
    for (const char c : piece) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7F) || c == '\n') printable_ += c;
        else printable_.append("(0x").append({kDigits[byte >> 4], kDigits[byte & 15], ')'});
    }
    const int error = writeAll(STDOUT_FILENO, printable_);
    if (error == 0) return;
    stdout_ = false;
    common_->tell(TraceNotice::stopped, "XML trace: writing to standard output failed: " + errorText(error) +
                                            "; it gets no further messages");
}

void TraceOutput::stop(const std::string& why) noexcept {
    closeFile();
    stdout_ = false;
    common_->tell(TraceNotice::stopped, why);
}

}  // namespace emissary::eta::trace
