// Dictionary requests of the application, answered from memory when the dictionaries did not come over the channel.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/consumer/consumer_types.h"
#include "session/RequestTable.h"

#include <map>
#include <memory>
#include <string>

namespace emissary::reactor::consumer {

using session::Request;
using session::RequestTable;

/// Session lock held throughout.
class LocalDictionary {
public:
    LocalDictionary(Reactor& reactor, RequestTable& requests, ConsumerSink& sink, const ConsumerOptions& options)
        : calls_(reactor), requests_(requests), sink_(sink), options_(options) {}

    [[nodiscard]] bool present() const noexcept { return options_.localDictionary != nullptr; }
    Handle add(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// The dictionary again, in the detail that the request now wants.
    [[nodiscard]] Refusal reissue(const Request& r, const RequestView& request);
    void remove(Request& r);

private:
    struct Asked {
        Handle handle;
        std::string name, serviceName;
        std::uint32_t filter;
        int serviceId;
        bool streaming;
    };
    void answerLater(const Asked& asked);
    void answer(const Asked& asked);

    OwnCalls calls_;
    RequestTable& requests_;
    ConsumerSink& sink_;
    const ConsumerOptions& options_;
    std::map<Handle, Asked> open_;
};

}  // namespace emissary::reactor::consumer
