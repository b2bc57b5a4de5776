// Messages of the application to all streams of login, directory or dictionary.
#pragma once

#include "provider/Submits.h"

namespace emissary::reactor {

/// ProviderRole::submitToAll().
class FanOut {
public:
    using Msg = eta::codec::Msg;

    FanOut(ProviderContext& context, OpenStreams& streams, ClientTable& clients, ProvidedServices& services,
           Submits& submits) noexcept
        : context_(context), streams_(streams), clients_(clients), services_(services), submits_(submits) {}

    [[nodiscard]] SubmitResult submitToAll(const Msg& m);

private:
    [[nodiscard]] SubmitResult toAll(const Msg& m);
    [[nodiscard]] SubmitResult directoryToAll(const Msg& m);
    void deliver(std::uint32_t slot, const Msg& copy, SubmitResult& result);

    ProviderContext& context_;
    OpenStreams& streams_;
    ClientTable& clients_;
    ProvidedServices& services_;
    Submits& submits_;
};

}  // namespace emissary::reactor
