// Dictionaries from memory, part by part.
#pragma once

#include "provider/OpenStreams.h"
#include "provider/ProviderContext.h"

namespace emissary::reactor {

/// Answers requests on domain 5. Which part leaves when is for the Outbox to say.
class DictionaryAnswers {
public:
    DictionaryAnswers(ProviderContext& context, OpenStreams& streams) noexcept : context_(context), streams_(streams) {}

    /// The served dictionary that a request names; null when there is none.
    [[nodiscard]] const ServedDictionary* named(const eta::codec::Msg& request) const noexcept;
    /// Takes down what the stream's next answer is. True when it starts a job, which wants a place in the outbox.
    [[nodiscard]] bool ask(Session& session, std::uint64_t handle, const ServedDictionary& dictionary,
                           const eta::codec::MsgKey& key, bool solicited = true);
    /// A dictionary that is new, or in the place of another of its name.
    void serve(ServedDictionary dictionary);
    enum class Step : std::uint8_t { done, more, blocked, again };
    /// again: the stream wants another dictionary, behind what else waits.
    [[nodiscard]] Step sendPart(Session& session, std::uint64_t handle);

private:
    /// One part as a refresh; false: it cannot be encoded and `m` is the status that says so.
    [[nodiscard]] bool compose(const DictionaryJob& job, const Stream& stream, eta::dictionary::Dictionary::Part& part,
                               std::string& text, eta::codec::Msg& m);

    ProviderContext& context_;
    OpenStreams& streams_;
};

}  // namespace emissary::reactor
