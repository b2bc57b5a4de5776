// PerfTools/Common: opens and writes files, and remembers the first failure of any.
#include "TextFile.h"

#include "InputError.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include <sys/stat.h>

namespace emissary::perf {

using namespace messages;

namespace {

std::atomic<bool> anyFailed{false};
std::mutex firstMutex;
std::string firstFailure;  // guarded by firstMutex

[[nodiscard]] bool replaceable(const std::string& name) {
    struct stat status {};
    return lstat(name.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

// Only what is an ordinary file can be replaced: /dev/null and pipes are written to as they are.
TextFile::TextFile(const std::string& name, Kind kind)
    : name_(name), written_(kind == Kind::whole && replaceable(name) ? name + ".part" : name),
      file_(std::fopen(written_.c_str(), "we")) {
    if (!file_) throw InputError("Error: Failed to open file '" + name_ + "'.");
    if (written_ != name_) std::remove(name_.c_str());
}

TextFile::~TextFile() {
    if (written_ != name_) std::remove(written_.c_str());
}

void TextFile::write(const std::string& text) {
    if (failed_ || text.empty()) return;
    // A whole file appears under its name only when it is complete: a script that waits for it never reads half of it.
    if (std::fputs(text.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0) return fail("write");
    if (written_ == name_) return;
    if (std::rename(written_.c_str(), name_.c_str()) != 0) return fail("rename");
    written_ = name_;
}

void TextFile::fail(const char* what) {
    const int error = errno;
    failed_ = true;
    anyFailed.store(true, std::memory_order_relaxed);
    const std::string text =
        std::string("Error: Failed to ") + what + " file '" + name_ + "': " + std::strerror(error) + ". It ends here.";
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
    const std::lock_guard lock(firstMutex);
    if (firstFailure.empty()) firstFailure = text;
}

std::string outputFailure() {
    const std::lock_guard lock(firstMutex);
    return firstFailure;
}

bool outputFailed() noexcept {
    return anyFailed.load(std::memory_order_relaxed) || std::ferror(stdout) != 0;
}

int codeOfOutput(int code, int failure) noexcept {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    const int why = errno;
    if (flushed && std::ferror(stdout) == 0) return outputFailed() ? failure : code;
    std::fprintf(stderr, "Error: what was to be printed is not all there: standard output cannot be written: %s.\n",
                 why == 0 ? "an earlier write failed" : std::strerror(why));
    return failure;
}

}  // namespace emissary::perf
