#include "TextFile.h"

#include "InputError.h"

#include <atomic>
#include <cerrno>
#include <cstring>

namespace emissary::perf {

namespace {

std::atomic<bool> anyFailed{false};

}  // namespace

TextFile::TextFile(const std::string& name) : name_(name), file_(std::fopen(name.c_str(), "we")) {
    if (!file_) throw InputError("Error: Failed to open file '" + name + "'.");
}

void TextFile::write(const std::string& text) {
    if (failed_ || text.empty()) return;
    if (std::fputs(text.c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0) return;
    const int error = errno;
    failed_ = true;
    anyFailed.store(true, std::memory_order_relaxed);
    std::printf("Error: Failed to write file '%s': %s. It ends here.\n", name_.c_str(), std::strerror(error));
    std::fflush(stdout);
}

bool outputFailed() noexcept {
    return anyFailed.load(std::memory_order_relaxed) || std::ferror(stdout) != 0;
}

}  // namespace emissary::perf
