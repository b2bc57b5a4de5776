// Runs the thread that drives all transfers, and hands finished answers over.
#include "rest/HttpClient.h"

#include "http/Transfer.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::rest {

namespace {

class EventDescriptor {
public:
    EventDescriptor() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "cannot create an event descriptor");
    }
    ~EventDescriptor() { ::close(fd_); }
    EventDescriptor(const EventDescriptor&) = delete;
    EventDescriptor& operator=(const EventDescriptor&) = delete;
    operator int() const noexcept { return fd_; }
    void raise() const noexcept {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto n = ::write(fd_, &one, sizeof one);
    }
    void lower() const noexcept {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto n = ::read(fd_, &count, sizeof count);
    }

private:
    const int fd_;
};

[[nodiscard]] bool hasHttpScheme(const std::string& url) noexcept {
    return url.rfind("https://", 0) == 0 || url.rfind("http://", 0) == 0;
}

}  // namespace

#ifdef EMISSARY_HAVE_CURL

class HttpClient::Worker {
public:
    explicit Worker(const HttpClientOptions& options) : options_(options) {}
    ~Worker() {
        // The thread ends before the handles it uses are cleaned up.
        if (thread_.joinable()) {
            {
                const std::lock_guard guard(mutex_);
                stop_ = true;
            }
            curl_->wakeup(multi_);
            thread_.join();
        }
        if (multi_ != nullptr) static_cast<void>(curl_->multiCleanup(multi_));
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    [[nodiscard]] eta::Refused send(HttpRequest request, Id& id) {
        if (!hasHttpScheme(request.url))
            return {"'" + request.url + "' is not a URL of a REST service; it must begin with https://"};
        const std::lock_guard guard(mutex_);
        // Requests, transfers and answers that nobody took count together: a caller that takes no answers gets no more
        // memory.
        if (inUse_ >= options_.mostRequests) {
            ++counters_.refused;
            return {"no more than " + std::to_string(options_.mostRequests) +
                    " REST requests can be under way; wait for the answers"};
        }
        // Started with the first request: most programs never speak to a REST service, and they need neither libcurl
        // nor the thread.
        if (eta::Refused refused = start()) return refused;
        id = ++lastId_;
        inbox_.push_back({id, std::move(request)});
        ++inUse_;
        curl_->wakeup(multi_);
        return {};
    }

    void cancel(Id id) noexcept {
        const std::lock_guard guard(mutex_);
        // Waiting or answered already: nobody else knows the request, so it is gone at once. A running one belongs to
        // the thread.
        const auto isIt = [id](const auto& each) { return each.id == id; };
        const std::size_t gone = std::erase_if(inbox_, isIt) + std::erase_if(answers_, isIt);
        inUse_ -= gone;
        if (gone != 0 || curl_ == nullptr || std::find(running_.begin(), running_.end(), id) == running_.end()) return;
        cancelled_.push_back(id);
        curl_->wakeup(multi_);
    }

    [[nodiscard]] int fd() const noexcept { return ready_; }

    [[nodiscard]] bool tryTake(Id& id, HttpAnswer& answer) {
        const std::lock_guard guard(mutex_);
        if (answers_.empty()) {
            // Lowered under the lock: an answer that comes now raises it again.
            ready_.lower();
            return false;
        }
        id = answers_.front().id;
        answer = std::move(answers_.front().answer);
        answers_.pop_front();
        --inUse_;
        if (answers_.empty()) ready_.lower();
        return true;
    }

    [[nodiscard]] HttpCounters counters() const {
        const std::lock_guard guard(mutex_);
        return counters_;
    }

private:
    struct Waiting {
        Id id;
        HttpRequest request;
    };
    struct Answered {
        Id id;
        HttpAnswer answer;
    };

    /// The library and the thread, with the first request; mutex held.
    [[nodiscard]] eta::Refused start() {
        if (thread_.joinable()) return {};
        eta::Refused refused;
        curl_ = CurlLibrary::load(options_.library, refused);
        if (curl_ == nullptr) return refused;
        if (multi_ == nullptr) multi_ = curl_->multiInit();
        if (multi_ == nullptr) return {"libcurl cannot be used: memory is short"};
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error& e) { return {std::string("no thread for REST requests: ") + e.what()}; }
        return {};
    }

    void run() {
        ::pthread_setname_np(::pthread_self(), options_.threadName.substr(0, 15).c_str());
        // Writing to a connection that the peer has closed must not end the process.
        sigset_t pipe;
        ::sigemptyset(&pipe);
        ::sigaddset(&pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        while (takeIn()) {
            int active = 0;
            static_cast<void>(curl_->perform(multi_, &active));
            collect();
            // libcurl wakes for its own deadlines; the limit is only there because it wants one.
            static_cast<void>(curl_->poll(multi_, nullptr, 0, 3'600'000, nullptr));
        }
        for (const auto& t : transfers_)
            static_cast<void>(curl_->remove(multi_, t->handle()));
        transfers_.clear();
    }

    /// False: it is time to end.
    [[nodiscard]] bool takeIn() {
        std::deque<Waiting> fresh;
        std::vector<Id> cancelled;
        {
            const std::lock_guard guard(mutex_);
            if (stop_) return false;
            fresh.swap(inbox_);
            cancelled.swap(cancelled_);
            for (const Waiting& w : fresh)
                // Before the lock is left: cancel() finds every request in one of the three lists.
                running_.push_back(w.id);
        }
        for (const Id id : cancelled) {
            const auto at =
                std::find_if(transfers_.begin(), transfers_.end(), [id](const auto& t) { return t->id() == id; });
            if (at == transfers_.end()) continue;  // answered meanwhile: cancel() comes too late to matter
            static_cast<void>(curl_->remove(multi_, (*at)->handle()));
            transfers_.erase(at);
            const std::lock_guard guard(mutex_);
            std::erase(running_, id);
            --inUse_;
        }
        for (Waiting& w : fresh) {
            transfers_.push_back(std::make_unique<Transfer>(*curl_, w.id, std::move(w.request), options_.mostBytes));
            launch(transfers_.size() - 1);
        }
        return true;
    }

    void launch(std::size_t index) {
        Transfer& t = *transfers_[index];
        {
            const std::lock_guard guard(mutex_);
            ++counters_.requests;
        }
        // A request that libcurl refuses still gets an answer, because its caller waits for one.
        if (t.prepare() && curl_->add(multi_, t.handle()) == CURLM_OK) return;
        if (t.answer().failure.empty()) t.answer().failure = "libcurl does not take the request";
        finish(index);
    }

    void collect() {
        int left = 0;
        while (const CURLMsg* const message = curl_->next(multi_, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL* const handle = message->easy_handle;
            const CURLcode result = message->data.result;
            const auto at = std::find_if(transfers_.begin(), transfers_.end(),
                                         [handle](const auto& t) { return t->handle() == handle; });
            if (at == transfers_.end()) continue;
            // Removed before anything else: a handle must leave the multi handle before it is changed or used again.
            static_cast<void>(curl_->remove(multi_, handle));
            const auto index = static_cast<std::size_t>(at - transfers_.begin());
            if (!(*at)->finished(result)) {
                finish(index);
                continue;
            }
            {
                const std::lock_guard guard(mutex_);
                ++counters_.redirects;
            }
            // The same handle once more: it keeps the connection when the target is on the same host.
            launch(index);
        }
    }

    void finish(std::size_t index) {
        const std::unique_ptr<Transfer> done = std::move(transfers_[index]);
        transfers_.erase(transfers_.begin() + static_cast<std::ptrdiff_t>(index));
        const std::lock_guard guard(mutex_);
        if (!done->answer().good()) ++counters_.failures;
        std::erase(running_, done->id());
        // Cancelled while the transfer ended: nobody takes this answer, and it must not keep its place.
        const auto broken = std::find(cancelled_.begin(), cancelled_.end(), done->id());
        if (broken != cancelled_.end()) {
            cancelled_.erase(broken);
            --inUse_;
            return;
        }
        answers_.push_back({done->id(), std::move(done->answer())});
        ready_.raise();
    }

    const HttpClientOptions& options_;
    const EventDescriptor ready_;
    mutable std::mutex mutex_;
    // Guarded by mutex_; together they hold no more than mostRequests.
    std::deque<Waiting> inbox_;
    std::deque<Answered> answers_;
    std::vector<Id> running_, cancelled_;
    std::size_t inUse_ = 0;
    Id lastId_ = 0;
    bool stop_ = false;
    HttpCounters counters_;
    // Set before the thread starts.
    const CurlLibrary* curl_ = nullptr;
    CURLM* multi_ = nullptr;
    // The thread's own.
    std::vector<std::unique_ptr<Transfer>> transfers_;
    std::thread thread_;
};

#else

class HttpClient::Worker {
public:
    explicit Worker(const HttpClientOptions&) {}
    [[nodiscard]] eta::Refused send(const HttpRequest&, Id&) {
        return {"libcurl is not available: this library was built without its headers; install libcurl4-openssl-dev "
                "and build again"};
    }
    void cancel(Id) noexcept {}
    [[nodiscard]] int fd() const noexcept { return ready_; }
    [[nodiscard]] bool tryTake(Id&, HttpAnswer&) { return false; }
    [[nodiscard]] HttpCounters counters() const { return {}; }

private:
    const EventDescriptor ready_;
};

#endif

HttpClient::HttpClient(HttpClientOptions options)
    : options_(std::move(options)), worker_(std::make_unique<Worker>(options_)) {}
HttpClient::~HttpClient() = default;

eta::Refused HttpClient::send(HttpRequest request, Id& id) {
    return worker_->send(std::move(request), id);
}
void HttpClient::cancel(Id id) noexcept {
    worker_->cancel(id);
}
int HttpClient::fd() const noexcept {
    return worker_->fd();
}
bool HttpClient::tryTake(Id& id, HttpAnswer& answer) {
    return worker_->tryTake(id, answer);
}
HttpCounters HttpClient::counters() const {
    return worker_->counters();
}

HttpAnswer HttpClient::perform(HttpRequest request) {
    HttpAnswer answer;
    Id id = 0, got = 0;
    if (eta::Refused refused = send(std::move(request), id)) {
        answer.failure = std::move(refused.text);
        return answer;
    }
    // Answers of other requests are dropped here: perform() has the client for itself.
    for (pollfd wait{fd(), POLLIN, 0};;) {
        static_cast<void>(::poll(&wait, 1, -1));
        while (tryTake(got, answer))
            if (got == id) return answer;
    }
}

}  // namespace emissary::rest
