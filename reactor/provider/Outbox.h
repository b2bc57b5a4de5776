// Answers of the role itself leave no faster than the client reads: what does not fit its output waits.
#pragma once

#include "provider/DictionaryAnswers.h"
#include "provider/ProviderContext.h"

namespace emissary::reactor {

/// Bytes of output that the link's options allow to wait.
[[nodiscard]] std::size_t outputBound(Link& link) noexcept;

/// Every client's queue of answers. A client with more than 4 MiB of answers waiting does not read: its connection
/// ends, which is counted (ProviderCounters::overrun). It ends from the loop, never inside a call of this class.
class Outbox {
public:
    Outbox(ProviderContext& context, DictionaryAnswers& dictionaries, ClientEnds& ends) noexcept
        : context_(context), dictionaries_(dictionaries), ends_(ends) {}

    /// Sends, or queues when the output is full.
    void send(Session& session, const eta::codec::Msg& m);
    /// A dictionary, when its turn comes.
    void sendDictionary(Session& session, std::uint64_t handle);
    /// The client's login has ended: answers that wait are dropped.
    void clear(Session& session) noexcept;

private:
    void queue(Session& session, OutboxJob job);
    void endSoon(Session& session);
    void pump(Session& session);
    void wait(Session& session);
    void pumpAfter(Session& session, Duration delay);
    [[nodiscard]] DictionaryAnswers::Step step(Session& session, const OutboxJob& job);

    ProviderContext& context_;
    DictionaryAnswers& dictionaries_;
    ClientEnds& ends_;
};

}  // namespace emissary::reactor
