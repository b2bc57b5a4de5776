// Sends requests on the REST thread, and delivers answers on the loop.
#include "session/credentials/RestCalls.h"

#include <utility>

#include <sys/epoll.h>

namespace emissary::ema {

RestCalls::RestCalls(reactor::Reactor& loop, rest::HttpClientOptions options, Trace trace)
    : loop_(loop), trace_(std::move(trace)), client_(std::move(options)), self_(std::make_shared<RestCalls*>(this)) {
    // The REST thread makes the descriptor readable, and onReady() takes the answers on the dispatching thread.
    loop_.watch(client_.fd(), EPOLLIN, *this);
}

RestCalls::~RestCalls() {
    *self_ = nullptr;
    loop_.unwatch(client_.fd());
}

RestCalls::Id RestCalls::send(rest::HttpRequest request, Done done) {
    Id id = 0;
    eta::Refused refused = client_.send(std::move(request), id);
    if (!refused) {
        waiting_.emplace(id, std::move(done));
        return id;
    }
    // Later, as for every other answer: a caller in the middle of its own work is not called back.
    loop_.post([self = self_, done = std::move(done), text = std::move(refused.text)] {
        if (*self == nullptr) return;
        rest::HttpAnswer answer;
        answer.failure = text;
        done(answer);
    });
    return 0;
}

void RestCalls::onReady(std::uint32_t) noexcept {
    rest::HttpAnswer answer;
    rest::HttpClient::Id id = 0;
    const std::shared_ptr<RestCalls*> self = self_;  // a callback may end everything
    while (*self != nullptr && client_.tryTake(id, answer)) {
        deliver(id, answer);
        answer = {};
    }
}

void RestCalls::deliver(Id id, rest::HttpAnswer& answer) {
    const auto at = waiting_.find(id);
    if (at == waiting_.end()) return;
    // Out of the table first: `done` may send the next request, or end this object.
    const Done done = std::move(at->second);
    waiting_.erase(at);
    for (const std::string& entry : answer.trace)
        trace_(entry);
    done(answer);
}

}  // namespace emissary::ema
