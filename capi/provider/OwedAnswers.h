// capi/provider: answers to requests that found the client's output full.
#pragma once

#include "Ema.h"
#include "provider/Order.h"
#include "provider/Turns.h"

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace emissary::capi {

/// They are sent when there is room, client after client, so that none waits for another one's room. A client has at
/// most one for each of its requests, whose number the library bounds. Any thread; its lock is never held while
/// something is sent.
class OwedAnswers {
public:
    using Handle = refinitiv::ema::access::UInt64;
    /// Makes an answer as of now and submits it; throws what submit() throws. Called with `sending` locked.
    using Send = std::function<void()>;

    /// `sending` is the order of publishers.
    explicit OwedAnswers(Order& sending) : sending_(sending) {}

    /// Calls it; false when it throws that the output is full, and nothing was sent.
    [[nodiscard]] static bool hasRoom(const std::function<void()>& submit);

    /// It takes the place of one that the stream has.
    void add(Handle client, Handle stream, Send send);
    [[nodiscard]] bool has(Handle client, Handle stream);
    /// The stream's answer now, if it has one. False: there is no room. `sending` is locked.
    bool sendNow(Handle client, Handle stream);
    /// The stream is no more, or has another answer.
    void forget(Handle client, Handle stream);
    void forget(Handle client);
    /// Waits for what is being sent; nothing is sent from now on.
    void end() { turns_.end(); }

private:
    using Key = std::pair<Handle, Handle>;  // client and stream
    Turns::Left sendSome() noexcept;
    struct Owed {
        std::uint64_t number = 0;  ///< of all that were added
        Send send;
    };
    bool send(const Key& key, const Owed& answer);

    Order& sending_;
    std::mutex lock_;
    std::map<Key, Owed> owed_;  // under lock_
    std::uint64_t last_ = 0;    // under lock_
    Handle served_ = 0;         // the client whose turn it was last; of the thread of turns_
    Turns turns_{"emi-answers", [this] { return sendSome(); }};
};

}  // namespace emissary::capi
