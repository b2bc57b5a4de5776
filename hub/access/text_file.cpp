// Reads files with the system's calls, so that the reason of a failure is known.
#include "hub/access/text_file.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostKept = 100;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

}  // namespace

void Faults::add(std::size_t line, std::string text) {
    if (kept_.size() < kMostKept) kept_.push_back({line, std::move(text)});
    else ++more_;
}

std::vector<std::string> Faults::lines(const std::string& file) const {
    std::vector<std::string> out;
    for (const Fault& f : kept_)
        out.push_back(file + (f.line == 0 ? "" : ":" + std::to_string(f.line)) + ": " + f.text);
    if (more_ != 0) out.push_back(file + ": and " + std::to_string(more_) + " further errors");
    return out;
}

bool readTextFile(const std::string& path, std::string& text, Faults& faults) {
    const auto failed = [&](const std::string& why) { return faults.add(0, "cannot be read: " + why), false; };
    // Without waiting: a pipe of that name would have nobody who writes.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) return failed(std::strerror(errno));
    struct stat status {};
    if (::fstat(file.fd, &status) != 0) return failed(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) return failed("it is no file");
    text.clear();
    std::array<char, 65536> piece;
    for (;;) {
        const ssize_t n = ::read(file.fd, piece.data(), piece.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failed(std::strerror(errno));
        if (n == 0) return true;
        if (text.size() + static_cast<std::size_t>(n) > kMostBytes) return failed("it has more than 64 MiB");
        text.append(piece.data(), static_cast<std::size_t>(n));
    }
}

void eachLine(std::string_view text, const std::function<void(std::size_t, std::string_view)>& f) {
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        f(++number, line);
    }
}

std::uint64_t versionOf(const std::string& path) noexcept {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return 0;
    std::uint64_t version = 1;
    for (const auto part : {static_cast<std::uint64_t>(s.st_ino), static_cast<std::uint64_t>(s.st_dev),
                            static_cast<std::uint64_t>(s.st_size), static_cast<std::uint64_t>(s.st_mtim.tv_sec),
                            static_cast<std::uint64_t>(s.st_mtim.tv_nsec), static_cast<std::uint64_t>(s.st_ctim.tv_sec),
                            static_cast<std::uint64_t>(s.st_ctim.tv_nsec)})
        version = (version ^ part) * 0x9E3779B97F4A7C15u + (version >> 29);
    return version == 0 ? 1 : version;
}

}  // namespace emissary::hub::access
