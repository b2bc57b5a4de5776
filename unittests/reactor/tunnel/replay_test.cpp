// Sessions recorded between other libraries: each end does what was recorded when it gets what the other one sent.
#include "replay.h"

#include <filesystem>
#include <set>

using namespace tunneltest;

namespace {

/// All of them, and where ours differ: tunnel.md, in the section that is named, says why.
const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all{
        {.name = "open-close"},
        {.name = "open-close-quiet"},
        {.name = "close-provider"},
        {.name = "close-with-data"},
        // 7.5: the recorded ends give up sooner than ours, which then have nothing left to close.
        {.name = "close-both", .without = 1},
        {.name = "close-while-opening"},
        // 7.5: a close ends, whatever the other side does.
        {.name = "close-fin-lost", .provider = false, .instead = {"Close"}},
        {.name = "close-fin-lost", .consumer = false},
        {.name = "close-unanswered", .provider = false, .instead = {"Close"}},
        {.name = "close-unanswered", .consumer = false, .instead = {"Status"}},
        {.name = "auth-flow"},
        {.name = "auth-demanded"},
        {.name = "auth-unanswered"},
        // 6.1: a refused login is followed by an orderly close.
        {.name = "auth-refused", .provider = false, .instead = {"fin 2", "Close"}},
        {.name = "auth-refused", .consumer = false},
        {.name = "sizes"},
        {.name = "small-maximum", .merged = true},  // 1.7: fragments are no longer than the provider said
        {.name = "loss-consumer-data"},
        {.name = "loss-provider-data"},
        {.name = "loss-fragment"},
        {.name = "loss-last"},
        {.name = "repeat-reorder"},
        // 3: who asks for what was never sent is no peer of this tunnel.
        {.name = "nak-unknown", .provider = false, .without = 1, .instead = {"Close"}},
        {.name = "nak-unknown", .consumer = false},
        {.name = "window"},
        {.name = "window-buffers"},
        {.name = "two-tunnels"},
        {.name = "two-tunnels", .nth = 1, .streamId = 1002},
        {.name = "reject-closed"},
        {.name = "reject-redirect"},
        {.name = "version-1"},
        // 6.1: the provider is told that nobody waits any more.
        {.name = "unanswered", .provider = false, .instead = {"Close"}},
        {.name = "unanswered", .consumer = false},
        {.name = "local-refusals"},
        {.name = "channel-lost"},
        // The checks before a provider's application is asked are its role's:
        // ema/session/consumer/tunnel_requests_test.cpp.
        {.name = "no-listener", .provider = false},
        {.name = "bad-requests", .provider = false},
        {.name = "ema", .byWire = true, .streamId = 3},
        {.name = "c-perf", .byWire = true, .streamId = 1000},
    };
    return all;
}

}  // namespace

TEST_CASE("the consumer's end does what was recorded", "[tunnel]") {
    for (const Scenario& s : scenarios()) {
        if (!s.consumer) continue;
        INFO(s.name << " " << s.streamId);
        Replay(s, true).run();
    }
}

TEST_CASE("the provider's end does what was recorded", "[tunnel]") {
    for (const Scenario& s : scenarios()) {
        if (!s.provider) continue;
        INFO(s.name << " " << s.streamId);
        Replay(s, false).run();
    }
}

TEST_CASE("no recording is left out", "[tunnel]") {
    std::set<std::string> replayed{"headers", "messages"};  // the codec's
    for (const Scenario& s : scenarios())
        replayed.insert(s.name);
    std::set<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(test::vectorPath("/tunnel")))
        if (entry.path().extension() == ".jsonl") there.insert(entry.path().stem());
    CHECK(there == replayed);
}
