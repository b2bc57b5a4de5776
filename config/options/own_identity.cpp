// User name and address of this process, from the system alone: no look-up that could block.
#include "config/options/own_identity.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pwd.h>
#include <unistd.h>

namespace emissary::parameters {

std::string operatingSystemUser() {
    char text[1024];
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(geteuid(), &entry, text, sizeof text, &found) == 0 && found != nullptr) return found->pw_name;
    return "user";
}

std::string ownAddress() {
    std::string address = "127.0.0.1";
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return address;
    for (const ifaddrs* i = all; i != nullptr; i = i->ifa_next) {
        if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
        char text[INET_ADDRSTRLEN] = "";
        const auto* in = reinterpret_cast<const sockaddr_in*>(i->ifa_addr);
        if (inet_ntop(AF_INET, &in->sin_addr, text, sizeof text) != nullptr) address = text;
        break;
    }
    freeifaddrs(all);
    return address;
}

std::string ownPosition() {
    return ownAddress() + "/net";
}

}  // namespace emissary::parameters
