// A hub whose consumers are served by two threads of their own.
#pragma once

#include "hub/flow/ItemFlow.h"
#include "hub/node/fixture.h"
#include "hub/relay/Relay.h"
#include "reactor/metrics/Snapshot.h"
#include "support/AllocationCounter.h"

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace emissary::test {

/// For any thread: runs `call` on the thread of a front.
inline void postTo(relay::Front& front, std::function<void()> call) {
    {
        const std::lock_guard guard(front.reactor().lock());
        front.reactor().post(std::move(call));
    }
    front.reactor().wake();
}

/// Holds the thread of a front in a call.
class StoppedFront {
public:
    explicit StoppedFront(relay::Front& front) {
        const auto in = std::make_shared<std::promise<void>>();
        const std::shared_future<void> gone = go_.get_future().share();
        postTo(front, [in, gone] {
            in->set_value();
            gone.wait();
        });
        in->get_future().wait();
    }
    ~StoppedFront() { end(); }
    StoppedFront(const StoppedFront&) = delete;
    StoppedFront& operator=(const StoppedFront&) = delete;
    void end() {
        if (!std::exchange(ended_, true)) go_.set_value();
    }

private:
    std::promise<void> go_;
    bool ended_ = false;
};

class RelayFixture : public HubFixture {
public:
    explicit RelayFixture(const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.threads = 3;
              s.services[0].cache.rule = CachePolicy::Rule::all;
              if (change) change(s);
          }) {}

    [[nodiscard]] relay::Relay& relay() { return *hub->rooms().relay; }
    /// Of all threads together.
    [[nodiscard]] std::uint64_t count(std::string_view name) {
        return hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    /// What the provider is asked for, it answers: with the values of the items, or not any more.
    void serve() {
        while (const auto got = provider.take()) {
            if (got->msg.cls == MsgClass::Close) {
                std::erase_if(streams, [&](const auto& s) { return s.second == got->msg.streamId; });
                continue;
            }
            if (got->msg.cls != MsgClass::Request) {
                if (onOther) onOther(*got);
                continue;
            }
            std::string name = got->name();
            for (const auto& [known, stream] : streams)
                if (stream == got->msg.streamId) name = known;
            streams[name] = got->msg.streamId;
            if (!got->msg.has(RequestFlag::noRefresh)) refresh(got->msg.streamId, values[name], name);
        }
    }
    /// One more update of each item that is open.
    void tick() {
        serve();
        for (const auto& [name, stream] : streams)
            update(stream, ++values[name]);
    }
    /// The hub has nothing left to do that was there when it was asked.
    void settle(int turns = 3) {
        for (int i = 0; i < turns; ++i) {
            turn();
            serve();
        }
    }
    /// The value of the first field.
    [[nodiscard]] static std::uint64_t valueOf(const Msg& m) {
        codec::FieldListDecoder list;
        REQUIRE(list.start(m.payload).ok());
        codec::FieldEntry e;
        REQUIRE(list.next(e));
        std::uint64_t v = 0;
        REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
        return v;
    }

    std::function<void(const RawProvider::Got&)> onOther;  ///< posts and generic messages that the provider gets
    std::map<std::string, std::int32_t> streams;           ///< the provider's, by item
    std::map<std::string, std::uint64_t> values;           ///< what the last message said
};

}  // namespace emissary::test
