// What one publisher's directory streams say, taken together.
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/Reactor.h"
#include "reactor/rdm/Directory.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emissary::reactor::acceptor {

/// The services of one publisher, and which of its directory streams each belongs to: the last whose refresh named it,
/// or the one that brought it. A publisher with a stream for each handle (MergeSourceDirectoryStreams=0, session.md 7)
/// clears and ends them one by one; that must not touch what the others say. Not thread safe.
class PublishedDirectory final : private rdm::DirectoryListener {
public:
    /// Takes a refresh, update or status over. A clearing image takes away what its stream had and the image does not
    /// name (an image of several parts when the last has come), the stream's end (or a clearing status) all that the
    /// stream had. What cannot be used is left out (takeSkipped()). On an error nothing is changed. `listener` (may be
    /// null) hears of every change, once this object holds it.
    [[nodiscard]] Error take(const eta::codec::Msg& m, rdm::DirectoryListener* listener = nullptr) {
        if (const Error e = begin(m, listener); !e.ok()) return e;
        step();
        return {};
    }
    /// The same in steps: step() does the rest. The message's content lives until step() returns false. Work that was
    /// begun before is dropped.
    [[nodiscard]] Error begin(const eta::codec::Msg& m, rdm::DirectoryListener* listener);
    /// As rdm::Directory::step().
    bool step(const std::function<bool()>& goesOn = {});

    [[nodiscard]] const rdm::Directory& services() const noexcept { return services_; }
    /// The services, for the caller: none are left here. What was begun is over.
    [[nodiscard]] rdm::Directory release() { return std::exchange(services_, {}); }
    /// Ids of the services that went since the last call.
    [[nodiscard]] std::vector<std::uint16_t> takeGone() noexcept { return std::exchange(gone_, {}); }
    /// What of the last message was left out, as a sentence; empty = nothing.
    [[nodiscard]] std::string takeSkipped() noexcept { return std::exchange(skipped_, {}); }

private:
    void onServiceAdded(const rdm::Service& service) override;
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override;
    void onServiceDeleted(const rdm::Service& service) override;
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override;
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override;
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override;
    void onSkipped(const std::string& what) override;
    [[nodiscard]] std::vector<std::uint16_t> sweep(const rdm::ImagePart& part, std::vector<std::uint16_t> named);
    [[nodiscard]] std::vector<std::uint16_t> ofStream() const;

    rdm::Directory services_;
    std::unordered_map<std::uint16_t, std::int32_t> streamOf_;
    /// By stream, of images that come in parts: services of the stream's directory before that no part has named yet.
    std::unordered_map<std::int32_t, std::vector<std::uint16_t>> unnamed_;
    std::vector<std::uint16_t> gone_;
    std::string skipped_;
    std::int32_t stream_ = 0;                     // of the message under way
    std::vector<std::uint16_t> image_;            // likewise: what its refresh names
    bool ends_ = false;                           // likewise: what its stream has left goes in the end
    rdm::DirectoryListener* listener_ = nullptr;  // likewise
};

}  // namespace emissary::reactor::acceptor
