// Services that owners offer: what this node says of its own, and what it has heard (hub.md 12.1).
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "hub/mesh/Sender.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::mesh {

struct OfferedService {
    std::uint8_t rank = 0;  ///< the lowest is preferred
    bool up = true;
    bool leaves = false;             ///< it is up for the time being; whoever can should ask another owner
    std::string hub{};               ///< the owner's name, for people; at most 255 bytes
    std::vector<std::byte> about{};  ///< what the owner says of the service; bytes to this room
    bool operator==(const OfferedService&) const = default;
};

/// Tells all nodes what there is here: everything from time to time, and each change when it comes. On the node's
/// thread.
class OwnDirectory {
public:
    OwnDirectory(Sender& sender, const MeshOptions& options, MeshCounts& counts);
    /// New, or changed. False: there are as many as options say, or a name is too long, or empty.
    bool offer(const std::string& service, OfferedService what);
    void withdraw(const std::string& service);
    void sendAll(eta::TimePoint now);
    /// When somebody asks; at most one answer in a heartbeat's time, since all hear it.
    void asked() noexcept { asked_ = true; }
    void tick(eta::TimePoint now);
    [[nodiscard]] std::uint32_t version() const noexcept { return version_; }

private:
    void add(Kind kind, const std::string& name, const OfferedService& what);
    void flush();

    Sender& sender_;
    const MeshOptions& options_;
    MeshCounts& counts_;
    std::string to_;
    std::map<std::string, OfferedService> services_;
    Batch batch_;
    eta::GrowingBuffer head_;
    std::uint64_t sequence_ = 0;
    std::uint32_t version_ = 0;
    eta::TimePoint sentAll_ = eta::TimePoint::min();
    bool asked_ = true;
};

/// The services of one other node, as far as their versions follow each other. On the node's thread.
class HeardDirectory {
public:
    /// Records of a directory frame; those behind a version that is missing are passed over, and come again with the
    /// next heartbeat. True: something has changed.
    bool received(Bytes records, const MeshOptions& options, MeshCounts& counts);
    [[nodiscard]] const OfferedService* find(const std::string& service) const noexcept;
    /// False until all of it has come once.
    [[nodiscard]] bool isAt(std::uint32_t version) const noexcept { return known_ && version_ == version; }
    [[nodiscard]] bool known() const noexcept { return known_; }
    [[nodiscard]] const std::unordered_map<std::string, OfferedService>& services() const noexcept { return services_; }
    void clear() { services_.clear(), known_ = false, version_ = 0; }

private:
    std::unordered_map<std::string, OfferedService> services_;
    std::uint32_t version_ = 0;
    bool known_ = false;
};

}  // namespace emissary::hub::mesh
