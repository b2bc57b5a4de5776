// Directory messages of the application: what they change in the role's directory, and what that means for open items.
#pragma once

#include "provider/OpenStreams.h"
#include "provider/OwnRequests.h"
#include "provider/ProviderContext.h"

namespace emissary::reactor {

class ProvidedServices final : private rdm::DirectoryListener {
public:
    ProvidedServices(ProviderContext& context, rdm::Directory& directory, OpenStreams& streams,
                     OwnRequests& ownRequests) noexcept
        : context_(context), directory_(directory), streams_(streams), ownRequests_(ownRequests) {}

    /// Whether apply() can read the message.
    [[nodiscard]] static SubmitResult check(const eta::codec::Msg& msg);
    /// Services of the message become the provider's, whichever client it is for. States and merges of items apply to
    /// items of the clients that it reaches: `onlyFor`, or all when that is null. After check().
    void apply(const eta::codec::Msg& msg, const Session* onlyFor);

private:
    void onServiceDeleted(const rdm::Service& service) override;
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override;
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override;
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override;
    [[nodiscard]] bool isReached(const Stream& s) const noexcept {
        return onlyFor_ == nullptr || s.session == onlyFor_;
    }
    template <class Affected>
    void dropItems(Affected affected);

    ProviderContext& context_;
    rdm::Directory& directory_;
    OpenStreams& streams_;
    OwnRequests& ownRequests_;
    const Session* onlyFor_ = nullptr;  // of the message being taken
};

}  // namespace emissary::reactor
