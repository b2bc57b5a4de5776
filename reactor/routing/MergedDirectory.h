// The services of several sessions merged: which entries are one service, and its id towards the application.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Directory.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::reactor::routing {

using eta::Bytes;

/// One service towards the application. Kept for good: a service that comes back has its id again.
struct MergedService {
    static constexpr std::int32_t kNone = -1;
    std::string name;
    std::uint16_t id = 0;               ///< towards the application
    rdm::ServiceInfo info;              ///< its members agree with this
    std::vector<std::int32_t> members;  ///< by session: the service's id there, or kNone
    [[nodiscard]] bool present() const noexcept;

private:
    friend class MergedDirectory;
    static constexpr std::size_t kFilters = 7;
    std::array<std::vector<std::byte>, kFilters> shown_;  // as last published, filter by filter
    bool published_ = false;
};

/// Session lock held throughout.
class MergedDirectory {
public:
    using DirectoryOf = std::function<const rdm::Directory&(std::size_t session)>;
    /// `directoryOf` answers for sessions that are members of a service.
    MergedDirectory(std::size_t sessions, DirectoryOf directoryOf);

    /// Takes over what a session's directory has become; `there` false: the session is gone.
    void update(std::size_t session, bool there);
    [[nodiscard]] const std::vector<std::unique_ptr<MergedService>>& services() const noexcept { return services_; }
    [[nodiscard]] MergedService* find(std::uint16_t id) const noexcept;
    [[nodiscard]] MergedService* find(std::string_view name) const noexcept;  ///< the first of that name
    /// The service as the session has it; null when it has not.
    [[nodiscard]] const rdm::Service* member(const MergedService& service, std::size_t session) const;

    /// Hands out Map payloads that bring somebody who has seen everything so far up to date.
    void publish(const std::function<void(Bytes map)>& emit);
    /// Everything as one Map payload, for somebody who has seen nothing; publish() goes on from there.
    [[nodiscard]] Bytes publishAll();
    /// As if nothing had been published.
    void forget() noexcept;

private:
    [[nodiscard]] MergedService& place(std::size_t session, const rdm::Service& service);
    [[nodiscard]] MergedService& add(const rdm::Service& service);
    [[nodiscard]] std::uint16_t freeId(std::uint16_t wanted) noexcept;
    [[nodiscard]] rdm::Service compose(const MergedService& service) const;

    /// Whose id it is, and an id behind it up to which none is free.
    struct Taken {
        MergedService* service = nullptr;
        std::uint16_t next = 0;
    };
    const std::size_t sessions_;
    const DirectoryOf directoryOf_;
    std::vector<std::unique_ptr<MergedService>> services_;
    std::unordered_map<std::uint16_t, Taken> byId_;
    std::multimap<std::string_view, MergedService*> byName_;  // equal names in the order in which they came
    GrowingBuffer buffer_, part_;
};

}  // namespace emissary::reactor::routing
