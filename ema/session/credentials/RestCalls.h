// ema/session/credentials: REST calls of one consumer: answers come back on its loop (credentials.md 9).
#pragma once

#include "reactor/Reactor.h"
#include "rest/HttpClient.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace emissary::ema {

/// Session lock held throughout; callbacks on the dispatching thread.
class RestCalls final : reactor::EventSource {
public:
    using Id = std::uint64_t;  ///< none has the number 0
    using Done = std::function<void(rest::HttpAnswer& answer)>;
    using Trace = std::function<void(const std::string& entry)>;

    /// `trace` gets the entries of answers that have some, before their `done`.
    RestCalls(reactor::Reactor& loop, rest::HttpClientOptions options, Trace trace);
    ~RestCalls() override;
    RestCalls(const RestCalls&) = delete;
    RestCalls& operator=(const RestCalls&) = delete;

    /// `done` comes once, later, also when the request cannot be made: the answer says so then.
    Id send(rest::HttpRequest request, Done done);
    [[nodiscard]] rest::HttpCounters counters() const { return client_.counters(); }

private:
    void onReady(std::uint32_t epollEvents) noexcept override;
    void deliver(Id id, rest::HttpAnswer& answer);

    reactor::Reactor& loop_;
    const Trace trace_;
    rest::HttpClient client_;
    std::map<rest::HttpClient::Id, Done> waiting_;
    const std::shared_ptr<RestCalls*> self_;  // what posted calls look at: null once this is gone
};

}  // namespace emissary::ema
