// Messages of the application to one stream.
#pragma once

#include "provider/ClientGuard.h"
#include "provider/OpenStreams.h"
#include "provider/ProvidedServices.h"
#include "provider/ProviderContext.h"

namespace emissary::reactor {

/// What a link's answer to send() means for a submit.
[[nodiscard]] SubmitResult outcomeOf(Error e) noexcept;

/// The way out. An update costs one look-up of its handle, a few compares, and the link encodes it into its output.
class Submits {
public:
    using Msg = eta::codec::Msg;

    Submits(ProviderContext& context, OpenStreams& streams, ClientTable& clients, const rdm::Directory& directory,
            ProvidedServices& services, ClientGuard& guard, ClientEnds& ends) noexcept
        : context_(context), streams_(streams), clients_(clients), directory_(directory), services_(services),
          guard_(guard), ends_(ends) {}

    // What ProviderRole's functions of these names say; `packed` is submitPacked().
    [[nodiscard]] bool submitPlain(std::uint64_t handle, const Msg& m, SubmitResult& result) noexcept;
    [[nodiscard]] SubmitResult submit(std::uint64_t handle, Msg& m);
    [[nodiscard]] SubmitResult packed(std::uint64_t clientHandle, Bytes body, std::uint32_t messages,
                                      std::span<const PackedMessage> changes);
    [[nodiscard]] SubmitResult prepare(std::uint64_t handle, std::uint64_t clientHandle, Msg& m, PackedEffect& effect);

    /// The message is on its way: what it says about the stream takes effect. `imageOnly`: the stream ends with it,
    /// and the application does not know yet.
    void sent(std::uint32_t slot, const Msg& m, bool imageOnly = false);

private:
    [[nodiscard]] bool lacksRefresh(const Stream& s) const noexcept {
        return !s.is(Stream::refreshed) && context_.options.refreshFirstRequired;
    }
    /// Everything that can be wrong with a message for this stream; fills in what the stream knows, and changes nothing
    /// else: the message may not leave. `effect`: of the messages before it in its pack.
    [[nodiscard]] SubmitResult check(const Stream& stream, Msg& msg, PackedEffect& effect);
    void takeEffect(Stream& stream, const Msg& m, bool imageOnly);
    void loginSent(std::uint32_t slot, const Msg& m);
    /// What a login refresh says on JSON connections beside what the application says.
    void addConnectionFacts(const Session& session, Msg& m);
    void imageSent(std::uint32_t slot);

    ProviderContext& context_;
    OpenStreams& streams_;
    ClientTable& clients_;
    const rdm::Directory& directory_;
    ProvidedServices& services_;
    ClientGuard& guard_;
    ClientEnds& ends_;
};

}  // namespace emissary::reactor
