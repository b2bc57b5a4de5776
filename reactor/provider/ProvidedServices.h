// reactor/provider: directory messages of the application: what they change in the role's directory, and what that
// means for open items.
#pragma once

#include "provider/OpenStreams.h"
#include "provider/OwnRequests.h"
#include "provider/ProviderContext.h"

#include <cstdint>
#include <vector>

namespace emissary::reactor {

/// What a message says of open items is gathered while it is taken over, and carried out in one walk of the streams:
/// there may be a million of these, and thousands of services and groups in a message.
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
    /// What becomes of items of a service: of all of them, or of a group's.
    struct Said {
        enum class Kind : std::uint8_t { deleted, ended, groupEnded, groupMerged };
        Kind kind = Kind::deleted;
        std::uint16_t service = 0;
        std::vector<std::byte> group, into;
    };
    void carryOut();

    ProviderContext& context_;
    rdm::Directory& directory_;
    OpenStreams& streams_;
    OwnRequests& ownRequests_;
    // Of the message being taken.
    const Session* onlyFor_ = nullptr;
    std::vector<Said> said_;
};

}  // namespace emissary::reactor
