// eta/transport/shm: reads the credentials of a local socket, and compares user and groups with those that are trusted.
#include "transport/shm/LocalPeer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <grp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kLargestGroupEntry = 1u << 20;

/// Nothing when there is no group of that name.
std::optional<std::uint32_t> groupNamed(const std::string& name) {
    group entry{};
    group* found = nullptr;
    for (std::vector<char> space(4096);; space.resize(space.size() * 4)) {
        const int rc = ::getgrnam_r(name.c_str(), &entry, space.data(), space.size(), &found);
        if (rc != ERANGE || space.size() > kLargestGroupEntry) break;  // a group of many members needs more space
    }
    if (found == nullptr) return std::nullopt;
    return found->gr_gid;
}

}  // namespace

LocalPeer LocalPeer::of(int socket) {
    LocalPeer peer;
    ucred credentials{};
    socklen_t size = sizeof credentials;
    // The kernel names the peer's process and user, which it cannot forge.
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return peer;
    peer.process = static_cast<std::uint32_t>(credentials.pid);
    peer.user = credentials.uid;
    peer.known = true;
    std::vector<gid_t> groups(32);
    for (int tries = 0; tries < 2; ++tries) {  // the kernel says how many there are when they do not fit
        size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
        const int rc = ::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size);
        groups.resize(rc == 0 || errno == ERANGE ? size / sizeof(gid_t) : 0);
        if (rc == 0 || errno != ERANGE) break;
    }
    peer.groups.assign(groups.begin(), groups.end());
    peer.groups.push_back(credentials.gid);
    return peer;
}

LocalTrust LocalTrust::of(const std::string& group, Refused& refused) {
    LocalTrust trust;
    if (group.empty()) return trust;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), number);
    // A number is taken as it is, a name is looked up.
    if (error == std::errc{} && end == group.data() + group.size()) trust.group_ = number;
    else trust.group_ = groupNamed(group);
    if (!trust.group_)
        refused.text =
            "SharedMemoryGroup \"" + group + "\" is no group of this host: name one of /etc/group, or leave it out";
    return trust;
}

bool LocalTrust::includes(const LocalPeer& peer) const noexcept {
    if (!peer.known) return false;
    // root, the same user, or a member of the group: everybody else could write into this process's messages.
    return peer.user == 0 || peer.user == ::geteuid() ||
           (group_ && std::find(peer.groups.begin(), peer.groups.end(), *group_) != peer.groups.end());
}

std::string LocalTrust::group() const {
    return group_ ? std::to_string(*group_) : std::string();
}

}  // namespace emissary::eta::transport
