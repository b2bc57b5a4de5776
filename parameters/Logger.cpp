// Log records to a file or standard output (ema-config.md section 10, docs/adr/0003-own-log-file-writer.md).
#include "parameters/Logger.h"

#include "eta/core/Clock.h"
#include "eta/core/printable.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace emissary::parameters {

namespace {

/// An open file that the instances naming it share.
class Sink {
public:
    Sink(std::string name, std::FILE* file, const LoggerSettings& s)
        : base_(std::move(name)), own_(fileName(s, 1)), file_(file), limit_(s.maxFileSize), files_(s.numberOfFiles),
          keepOld_(s.keepOldFile) {
        if (file_ != stdout) written_ = static_cast<std::uint64_t>(std::max(0L, std::ftell(file_)));
    }
    ~Sink() {
        if (file_ != stdout && file_ != nullptr) std::fclose(file_);
    }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    /// Writes a record. Returns a text that must become a record of its own (a file could not be changed), or empty.
    [[nodiscard]] std::string write(const std::string& record) {
        const std::lock_guard guard(mutex_);
        std::string news;
        if (limit_ > 0 && file_ != stdout && written_ + record.size() > limit_ && (!turns() || !next(news))) {
            // A file without a successor ends at the limit. Others grow to twice the limit while the next file cannot
            // be opened.
            if (!turns()) return news;
            if (written_ + record.size() > 2 * limit_) {
                ++lost_;
                return news;
            }
        }
        std::fwrite(record.data(), 1, record.size(), file_);
        std::fflush(file_);
        written_ += record.size();
        return news;
    }

    /// The name that record files have on disk: with a number when files are written in turn, else with the process id.
    static std::string fileName(const LoggerSettings& s, std::uint32_t number) {
        const bool inTurn = s.numberOfFiles > 0 && s.maxFileSize > 0;
        return s.fileName + "_" + (inTurn ? std::to_string(number) : std::to_string(getpid())) + ".log";
    }

private:
    [[nodiscard]] bool turns() const noexcept { return files_ != 0 || keepOld_; }
    /// Continues in a fresh file. Returns false when there is none, or when it cannot be opened: the next record tries
    /// again, and only the first failure in a row is reported.
    bool next(std::string& news) {
        const std::string name = files_ != 0 ? base_ + "_" + std::to_string(number_ % files_ + 1) + ".log" : own_;
        std::FILE* const fresh = files_ != 0 ? std::fopen(name.c_str(), "we") : startOver();
        const int reason = errno;
        if (fresh == nullptr) {
            if (!std::exchange(stuck_, true))
                news = "cannot begin the next log file [" + name + "]: " + std::strerror(reason) +
                       "; records go on in the file before it, up to twice MaxLogFileSize, and are lost beyond that. "
                       "Make the name writable: every record tries again.";
            return false;
        }
        std::fclose(file_);
        file_ = fresh;
        number_ = files_ != 0 ? number_ % files_ + 1 : 1;
        written_ = 0;
        if (std::exchange(stuck_, false))
            news = "log file [" + name + "] could be begun; " + std::to_string(std::exchange(lost_, 0)) +
                   " records were lost before.";
        return true;
    }

    /// The full file becomes the old one, in place of the one before. Null when that fails.
    std::FILE* startOver() {
        const std::string old = own_ + ".old";
        if (std::rename(own_.c_str(), old.c_str()) != 0) return nullptr;
        std::FILE* const fresh = std::fopen(own_.c_str(), "we");
        if (fresh != nullptr) return fresh;
        const int reason = errno;
        std::rename(old.c_str(), own_.c_str());
        errno = reason;
        return nullptr;
    }

    std::mutex mutex_;
    std::string base_, own_;
    std::FILE* file_;
    std::uint64_t limit_ = 0, written_ = 0, lost_ = 0;
    std::uint32_t files_ = 0, number_ = 1;
    bool keepOld_ = false;
    bool stuck_ = false;  // the next file could not be begun
};

std::shared_ptr<Sink> openSink(const LoggerSettings& s, std::string& fileName, eta::Refused& refused) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<Sink>> open;
    if (!s.toFile) return std::make_shared<Sink>("", stdout, s);
    fileName = Sink::fileName(s, 1);
    const std::lock_guard guard(mutex);
    if (std::shared_ptr<Sink> sink = open[fileName].lock()) return sink;
    std::FILE* file = std::fopen(fileName.c_str(), "ae");
    if (file == nullptr) {
        refused.text = "cannot open log file [" + fileName + "]: " + std::strerror(errno);
        return nullptr;
    }
    std::fseek(file, 0, SEEK_END);
    auto sink = std::make_shared<Sink>(s.fileName, file, s);
    open[fileName] = sink;
    return sink;
}

const char* severityName(LogSeverity s) noexcept {
    switch (s) {
    case LogSeverity::verbose:
        return "Verbose";
    case LogSeverity::success:
        return "Success";
    case LogSeverity::warning:
        return "Warning";
    case LogSeverity::error:
        return "Error";
    case LogSeverity::none:
        break;
    }
    return "NoLogMsg";
}

/// Adds time and instance name to the records of one instance.
class InstanceLogger final : public Logger {
public:
    InstanceLogger(std::shared_ptr<Sink> sink, const LoggerSettings& s, std::string instance)
        : sink_(std::move(sink)), instance_(std::move(instance)), withDate_(s.includeDate), oneLine_(s.oneLine) {
        threshold_ = s.severity;
    }

private:
    void write(std::string_view client, LogSeverity severity, std::string_view text) noexcept override {
        try {
            const std::string news = sink_->write(record(client, severity, text));
            if (!news.empty()) (void)sink_->write(record("Logger", LogSeverity::warning, news));
        } catch (...) {
            // Out of memory while logging: the record is lost, the program goes on.
        }
    }

    [[nodiscard]] std::string record(std::string_view client, LogSeverity severity, std::string_view text) const {
        const auto now = eta::WallClock::now();
        const std::time_t seconds = eta::WallClock::to_time_t(now);
        const auto part = now - eta::WallClock::from_time_t(seconds);
        tm local{};
        localtime_r(&seconds, &local);
        char stamp[48];
        const std::size_t n = std::strftime(stamp, sizeof stamp, withDate_ ? "%Y/%m/%d %H:%M:%S" : "%H:%M:%S", &local);
        std::snprintf(stamp + n, sizeof stamp - n, ".%03ld",
                      static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(part).count()));
        if (oneLine_) {
            std::string line = std::string(stamp) + " " + severityName(severity) + " " + std::string(client) + ": ";
            eta::appendPrintable(line, text);
            return line += '\n';
        }
        std::string out = std::string("loggerMsg\n    TimeStamp: ") + stamp +
                          "\n    ClientName: " + std::string(client) + "\n    Severity: " + severityName(severity) +
                          "\n    Text:    ";
        for (const char c : eta::printable(text, eta::LineBreaks::kept)) {
            out += c;
            if (c == '\n') out += '\t';
        }
        return out += "\n\tInstance Name " + instance_ + "\nloggerMsgEnd\n\n";
    }

    std::shared_ptr<Sink> sink_;
    std::string instance_;
    bool withDate_, oneLine_;
};

}  // namespace

std::shared_ptr<Logger> Logger::open(const LoggerSettings& settings, const std::string& instanceName,
                                     std::string& fileName, eta::Refused& refused) {
    std::shared_ptr<Sink> sink = openSink(settings, fileName, refused);
    if (!sink) return nullptr;
    return std::make_shared<InstanceLogger>(std::move(sink), settings, instanceName);
}

}  // namespace emissary::parameters
