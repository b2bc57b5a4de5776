// Looks up hosts, proxies, groups and interfaces of the options, and keeps their addresses instead of the names.
#include "transport/channel/Route.h"

#include "eta/transport/Channel.h"
#include "transport/channel/streams.h"
#include "transport/shm/LocalPeer.h"

#include <arpa/inet.h>
#include <net/if.h>

namespace emissary::eta::transport {
namespace {

/// Nothing to look up: an address (a colon is in no name), a device of this host, or nothing at all.
// Names are looked up on a thread of their own; everything else is known without asking.
bool needsNoLookUp(const std::string& name) noexcept {
    in_addr address{};
    return name.empty() || name.find(':') != std::string::npos || ::inet_pton(AF_INET, name.c_str(), &address) == 1 ||
           ::if_nametoindex(name.c_str()) != 0;
}

/// Puts addresses in the place of names, until one cannot be looked up.
// The first one that fails ends it: the text names one cause.
class NameReplacer {
public:
    explicit NameReplacer(Refused& failure) noexcept : failure_(failure) {}
    void group(std::string& name, const char* what) {
        if (failure_ || needsNoLookUp(name)) return;
        Refused unknown;
        if (const auto found = resolve(name, "0", false, unknown); !found.empty()) name = found.front().ip();
        else failure_.text = std::string(what) + " address \"" + name + "\": " + unknown.text;
    }
    /// Of a name that stands for addresses of both families, the one of the peer's.
    void interface(std::string& name, int family) {
        if (failure_ || needsNoLookUp(name)) return;
        SocketAddress own;
        failure_ = interfaceAddress(name, family, own);
        if (!failure_) name = own.ip();
    }

private:
    Refused& failure_;
};

int familyOf(const std::string& address) noexcept {
    return address.find(':') != std::string::npos ? AF_INET6 : AF_INET;
}

}  // namespace

std::shared_ptr<const Route> lookUp(const ConnectOptions& options) {
    return std::make_shared<const Route>(Route::of(options));
}

Route Route::of(const ConnectOptions& o) {
    Route r;
    r.options = o;
    // Lookups go out of the loop (lookUp), so this may block for as long as the resolver takes.
    r.target = describeTarget(o);
    NameReplacer replace(r.failure);
    if (isMulticast(o.connectionType)) {
        MulticastOptions& m = r.options.multicast;
        replace.group(m.receiveAddress, "receive");
        replace.group(m.sendAddress, "send");
        replace.interface(r.options.interfaceName, familyOf(m.receiveAddress));
        // Host statistics have an address of their own, and need none when they are switched off.
        if (m.hsmInterval == 0) return r;
        replace.group(m.hsmAddress, "host statistics");
        replace.interface(m.hsmInterface, familyOf(m.hsmAddress));
        // With a proxy its address is dialled; the target's name goes to it as text.
    } else if (rowOf(o.connectionType).overTcp) {
        const bool proxy = usesProxy(o);
        r.addresses = resolve(proxy ? o.proxy.host : o.host, proxy ? o.proxy.port : o.port, false, r.failure);
        if (proxy && r.failure) r.failure.text = "proxy " + o.proxy.host + ":" + o.proxy.port + ": " + r.failure.text;
        if (!r.addresses.empty()) replace.interface(r.options.interfaceName, r.addresses.front().family());
        // The group is looked up here too: the database may be remote.
    } else if (rowOf(o.connectionType).sharedMemory) {
        r.options.sharedMemoryGroup = LocalTrust::of(o.sharedMemoryGroup, r.failure).group();
    }
    return r;
}

}  // namespace emissary::eta::transport
