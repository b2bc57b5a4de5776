// Opens, writes, changes and removes the files of an audit folder.
#include "hub/audit/DayFiles.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::hub::audit {

namespace {

constexpr std::string_view kBegin = "audit-", kEnd = ".jsonl";
constexpr const char* kLockName = "audit.lock";
constexpr std::size_t kNameSize = kBegin.size() + 10 + 1 + 5 + kEnd.size();  // audit-2026-11-28-00001.jsonl
constexpr std::uint32_t kMostNumber = 99'999;
constexpr std::streamoff kTail = 64 << 10;

[[nodiscard]] std::optional<int> numberIn(std::string_view text) noexcept {
    int n = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (ec != std::errc() || end != text.data() + text.size() || n < 0) return {};
    return n;
}

/// The last one that ends with a line feed, of the file's last 64 KiB.
[[nodiscard]] std::string lastLineOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in ? std::streamoff(in.tellg()) : 0;
    if (size <= 0) return {};
    // A line is far shorter than this, so the tail has a whole one.
    const std::streamoff from = std::max<std::streamoff>(size - kTail, 0);
    std::string tail(static_cast<std::size_t>(size - from), '\0');
    if (!in.seekg(from).read(tail.data(), static_cast<std::streamsize>(tail.size()))) return {};
    const std::size_t end = tail.rfind('\n');
    if (end == std::string::npos) return {};
    const std::size_t before = end == 0 ? std::string::npos : tail.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return tail.substr(begin, end - begin);
}

}  // namespace

DayFiles::~DayFiles() {
    close();
}

void DayFiles::close() noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

bool DayFiles::fail(const std::string& what) {
    failure_ = failureOf(what);
    close();
    return false;
}

std::string DayFiles::nameOf(Place place) const {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(place.day))};
    char name[64];
    std::snprintf(name, sizeof name, "audit-%04d-%02u-%02u-%05u.jsonl", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), place.number);
    return rules_.folder + "/" + name;
}

std::optional<DayFiles::Place> DayFiles::placeOf(std::string_view name) noexcept {
    if (name.size() != kNameSize || !name.starts_with(kBegin) || !name.ends_with(kEnd)) return {};
    name.remove_prefix(kBegin.size());
    const auto year = numberIn(name.substr(0, 4)), month = numberIn(name.substr(5, 2)),
               day = numberIn(name.substr(8, 2)), number = numberIn(name.substr(11, 5));
    if (!year || !month || !day || !number) return {};
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return {};
    return Place{std::chrono::sys_days(date).time_since_epoch().count(), static_cast<std::uint32_t>(*number)};
}

std::vector<std::string> DayFiles::list() const {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(rules_.folder, error), end; !error && at != end; at.increment(error))
        if (std::string name = at->path().filename().string(); placeOf(name)) names.push_back(std::move(name));
    // Names sort like times: the date is written with leading zeros, and so is the number.
    std::ranges::sort(names);
    return names;
}

eta::Refused DayFiles::open(std::int64_t day) {
    if (!ready(day, 0)) return {failure_};
    return {};
}

bool DayFiles::openAt(Place place) {
    // Taken again with each file: an operator may have moved the folder away, and another process may write into the
    // new one.
    if (const eta::Refused refused = lock_.take(rules_.folder, kLockName)) {
        failure_ = refused.text;
        close();
        return false;
    }
    close();
    path_ = nameOf(place);
    // O_APPEND: a line is written at the end even when a tool has shortened the file.
    fd_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    if (fd_ < 0) return fail(path_);
    struct stat s {};
    if (::fstat(fd_, &s) != 0) return fail(path_);
    size_ = static_cast<std::uint64_t>(s.st_size);
    char last = '\n';
    // The last process may have been killed in the middle of a line. A line feed keeps its rest apart from the next
    // one.
    torn_ = size_ != 0 && ::pread(fd_, &last, 1, s.st_size - 1) == 1 && last != '\n';
    tooLarge_ = false;
    place_ = place;
    ++opened_;
    prune();
    return true;
}

/// Only files of ours, which names tell; the one that is written is the last.
void DayFiles::prune() {
    if (rules_.files == 0) return;
    const std::vector<std::string> names = list();
    for (std::size_t i = 0; i + rules_.files < names.size(); ++i)
        if (::unlink((rules_.folder + "/" + names[i]).c_str()) == 0) ++removed_;
}

bool DayFiles::movedAway() const noexcept {
    struct stat open {
        // logrotate and operators rename files: lines written on would be in a file that nobody looks for.
    }, there{};
    return ::fstat(fd_, &open) != 0 || ::stat(path_.c_str(), &there) != 0 || open.st_ino != there.st_ino ||
           open.st_dev != there.st_dev;
}

/// A file is open that takes `more` bytes of that day.
bool DayFiles::ready(std::int64_t day, std::size_t more) {
    if (fd_ >= 0 && movedAway()) close();
    if (fd_ < 0) {
        Place latest{day, 1};
        if (const std::vector<std::string> names = list(); !names.empty()) {
            const Place found = *placeOf(names.back());
            // The clock may have gone back. Lines then go on in the latest file, whose name stays the last one.
            if (found.day >= day) latest = found;
        }
        if (!openAt(latest)) return false;
    }
    if (day > place_.day) return openAt({day, 1});
    if (size_ == 0 || (size_ + more <= rules_.bytes && !tooLarge_)) return true;
    // No number is left for this day: the name of the next day keeps the order of names.
    if (place_.number == kMostNumber) return openAt({place_.day + 1, 1});
    return openAt({place_.day, place_.number + 1});
}

bool DayFiles::writeAll(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        size_ += static_cast<std::uint64_t>(n);
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

std::size_t DayFiles::write(std::int64_t day, std::string_view lines, const std::vector<std::size_t>& ends) {
    std::size_t done = 0;  // lines
    while (done != ends.size()) {
        const std::size_t from = done == 0 ? 0 : ends[done - 1];
        if (!ready(day, ends[done] - from)) return done;
        // As many as fit into this file.
        std::size_t last = done;
        while (last + 1 != ends.size() && size_ + (ends[last + 1] - from) <= rules_.bytes)
            ++last;
        if (torn_) {
            if (!writeAll("\n")) return fail(path_), done;
            torn_ = false;
        }
        const std::uint64_t before = size_;
        if (writeAll(lines.substr(from, ends[last] - from))) {
            done = last + 1;
            continue;
        }
        const int why = errno;
        while (done <= last && ends[done] - from <= size_ - before)
            ++done;
        // The rest of a broken line is cut off, or ended so that the next line stands alone.
        const std::uint64_t whole = before + (done == 0 ? 0 : ends[done - 1]) - from;
        if (size_ != whole) {
            torn_ = ::ftruncate(fd_, static_cast<off_t>(whole)) != 0;
            if (!torn_) size_ = whole;
        }
        if (why == EFBIG && size_ != 0) {
            tooLarge_ = true;  // the limit is one of each file: the next one takes them
            continue;
        }
        errno = why;
        return fail(path_), done;
    }
    return done;
}

bool DayFiles::sync() {
    // Some file systems cannot be synchronised: that is no failure of this file.
    if (fd_ < 0 || ::fdatasync(fd_) == 0 || errno == EINVAL || errno == EROFS) return true;
    return fail(path_);
}

std::string DayFiles::lastLine() const {
    const std::vector<std::string> names = list();
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        if (std::string line = lastLineOf(rules_.folder + "/" + *name); !line.empty()) return line;
    return {};
}

}  // namespace emissary::hub::audit
