// logging: counts of lost records, standard streams, sinks of the application, and files that instances share.
#include "Destination.h"

#include "Journal.h"
#include "LogFile.h"
#include "eta/core/printable.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

namespace emissary::logging {

namespace {

/// Whether this thread is inside put() of some destination: sinks of the application may call back.
thread_local bool inside = false;

class Inside {
public:
    Inside() noexcept { inside = true; }
    ~Inside() { inside = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

/// Standard output or standard error, which others write to as well.
class Stream final : public Destination {
public:
    explicit Stream(std::FILE* file) noexcept : file_(file) {}

private:
    eta::Refused put(const LogRecord& record, const RecordForm& form) override {
        const std::string text = formatted(record, form);
        if (std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0) return {};
        std::clearerr(file_);
        return {std::string("the stream cannot be written: ") + std::strerror(errno)};
    }

    std::FILE* file_;
};

class ApplicationSink final : public Destination {
public:
    explicit ApplicationSink(std::shared_ptr<LogSink> sink) noexcept : sink_(std::move(sink)) {}

private:
    eta::Refused put(const LogRecord& record, const RecordForm&) override {
        try {
            sink_->write(record);
        } catch (const std::exception& e) {
            return {std::string("the sink of the application threw: ") + e.what()};
        } catch (...) { return {"the sink of the application threw"}; }
        return {};
    }

    std::shared_ptr<LogSink> sink_;
};

/// What is open, by what makes it the same.
class OpenDestinations {
public:
    template <class Make>
    std::shared_ptr<Destination> get(const std::string& key, Make make) {
        const std::lock_guard guard(mutex_);
        // Files are held by the loggers that use them. The last one that goes closes the file; only its name is left
        // here.
        std::erase_if(open_, [](const auto& known) { return known.second.expired(); });
        if (auto known = open_.find(key); known != open_.end())
            if (std::shared_ptr<Destination> still = known->second.lock(); still && still->current()) return still;
        std::shared_ptr<Destination> made = make();
        if (made) open_[key] = made;
        return made;
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<Destination>> open_;
};

}  // namespace

void Destination::write(const LogRecord& record, const RecordForm& form) {
    if (inside) {
        nested_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    const std::lock_guard guard(mutex_);
    const Inside here;
    if (!saidWhatWasLost(record, form)) {
        ++lost_;
        return;
    }
    if (eta::Refused refused = put(record, form)) {
        ++lost_;
        reason_ = std::move(refused.text);
    }
    if (const std::uint64_t nested = nested_.exchange(0, std::memory_order_relaxed); nested != 0) {
        lost_ += nested;
        reason_ = "they were made inside the sink";
    }
}

bool Destination::saidWhatWasLost(const LogRecord& next, const RecordForm& form) {
    if (lost_ == 0) return true;
    const std::string text =
        std::to_string(lost_) + " records were lost: " + eta::printable(reason_, eta::LineBreaks::kept);
    const LogRecord said{next.time, LogSeverity::warning, next.instance, "Logger", text};
    if (eta::Refused refused = put(said, form)) {
        reason_ = std::move(refused.text);
        return false;
    }
    lost_ = 0;
    return true;
}

std::shared_ptr<Destination> openDestination(const LoggerSettings& s, std::string& fileName, std::string& news,
                                             eta::Refused& refused) {
    static OpenDestinations open;
    if (s.sink) {
        // Instances that are given the same sink share one lock, so that its write() is never called twice at once.
        const auto place = reinterpret_cast<std::uintptr_t>(s.sink.get());
        return open.get("sink " + std::to_string(place), [&] { return std::make_shared<ApplicationSink>(s.sink); });
    }
    const auto stream = [&](std::FILE* file, const char* name) {
        return open.get(name, [file] { return std::make_shared<Stream>(file); });
    };
    switch (s.target) {
    case LogTarget::standardOutput:
        return stream(stdout, "stdout");
    case LogTarget::standardError:
        return stream(stderr, "stderr");
    case LogTarget::journal: {
        eta::Refused missing;
        auto journal = open.get("journal " + s.journalSocket, [&]() -> std::shared_ptr<Destination> {
            return Journal::open(s.journalSocket, missing);
        });
        if (journal) return journal;
        news = missing.text + "; records go to standard error";
        return stream(stderr, "stderr");
    }
    case LogTarget::file:
        break;
    }
    fileName = LogFile::nameOf(s, 1);
    return open.get("file " + fileName, [&]() -> std::shared_ptr<Destination> { return LogFile::open(s, refused); });
}

}  // namespace emissary::logging
