// Makes HTTP requests in a thread of its own (credentials.md 5, 9).
#pragma once

#include "eta/core/Count.h"
#include "eta/core/Refused.h"
#include "rest/http_types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace emissary::rest {

/// What a client is made from.
struct HttpClientOptions {
    std::string threadName = "rest";   ///< of the thread that makes the requests
    std::string library{};             ///< file name of libcurl; empty = libcurl.so.4
    std::size_t mostRequests = 64;     ///< under way or waiting for their turn; one more is refused
    std::size_t mostBytes = 1u << 20;  ///< of an answer's body once unpacked; a longer one is a failure
};

/// What a client counts since it was made.
struct HttpCounters {
    eta::Total<"emissary_rest_requests_total", "requests", "REST requests made, redirects included."> requests;
    eta::Total<"emissary_rest_failures_total", "requests", "REST requests without an answer that can be used.">
        failures;
    eta::Total<"emissary_rest_redirects_total", "requests", "REST requests made once more elsewhere."> redirects;
    eta::Total<"emissary_rest_refused_total", "requests", "REST requests refused because too many were under way.">
        refused;
};

/// Requests go in from any thread, one thread makes them side by side, answers wait here until they are taken. The
/// thread starts with the first request and sleeps while there is nothing to do. Nothing here blocks for longer than a
/// lock of a few instructions, but for perform() and the destructor, which waits for the thread to break off.
class HttpClient {
public:
    using Id = std::uint64_t;  ///< names a request; none has the number 0

    /// Nothing is loaded or started before the first request.
    explicit HttpClient(HttpClientOptions options);
    ~HttpClient();  ///< breaks off what is under way
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// Refused when libcurl is not there, when the URL is no http(s) URL, or when too many requests are under way.
    [[nodiscard]] eta::Refused send(HttpRequest request, Id& id);
    /// Breaks it off, or forgets its answer; unknown ids are ignored.
    void cancel(Id id) noexcept;
    /// Readable while answers wait; for poll and epoll.
    [[nodiscard]] int fd() const noexcept;
    /// False when no answer waits.
    [[nodiscard]] bool tryTake(Id& id, HttpAnswer& answer);
    /// send() and the wait for its answer; a refusal is the answer's failure. Not beside tryTake() of another thread.
    [[nodiscard]] HttpAnswer perform(HttpRequest request);
    /// The values now; any thread.
    [[nodiscard]] HttpCounters counters() const;

    class Worker;

private:
    const HttpClientOptions options_;
    std::unique_ptr<Worker> worker_;
};

}  // namespace emissary::rest
