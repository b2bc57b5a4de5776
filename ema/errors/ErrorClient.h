// The error client that an application gave one instance, of either class, or none.
#pragma once

#include "Access/Include/OmmException.h"

#include <new>
#include <string>

namespace refinitiv::ema::access {
class OmmConsumerErrorClient;
class OmmProviderErrorClient;
class SessionInfo;
}  // namespace refinitiv::ema::access

namespace emissary::ema {

/// Where the failures of one instance go: to the application's error client when there is one, else they are thrown.
/// A value; the client is the application's and outlives the instance.
class ErrorClient {
public:
    explicit ErrorClient(refinitiv::ema::access::OmmConsumerErrorClient* client) noexcept : consumers_(client) {}
    explicit ErrorClient(refinitiv::ema::access::OmmProviderErrorClient* client) noexcept : providers_(client) {}
    [[nodiscard]] explicit operator bool() const noexcept { return consumers_ != nullptr || providers_ != nullptr; }

    /// Runs a public call: what the library throws in it reaches the caller, or the error client when there is one.
    template <class Call>
    void guarded(Call&& call) const {
        try {
            call();
        } catch (const refinitiv::ema::access::OmmException& e) {
            if (!tell(e)) throw;
        } catch (const std::bad_alloc&) { tellOutOfMemory(); }
    }
    /// False when there is no error client, and for what is always thrown: errors of configuration, ranges and domains.
    [[nodiscard]] bool tell(const refinitiv::ema::access::OmmException& e) const;
    /// Throws OmmMemoryExhaustionException when there is no error client.
    void tellOutOfMemory() const;
    /// Something went wrong on the API dispatch thread. Nothing without an error client.
    void tellDispatchError(const std::string& text) const;
    /// A peer's text could not be converted, or it refused one of ours. Nothing without an error client: what a peer
    /// sends must not end an application that does not expect it. `session` is of the error client's kind.
    void tellJsonFailure(const std::string& text, const refinitiv::ema::access::SessionInfo& session) const;

private:
    template <class Tell>
    void toClient(Tell tell) const;

    refinitiv::ema::access::OmmConsumerErrorClient* consumers_ = nullptr;  // at most one of the two
    refinitiv::ema::access::OmmProviderErrorClient* providers_ = nullptr;
};

}  // namespace emissary::ema
