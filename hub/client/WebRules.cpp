// Tells browsers from programs, and notes what each may do.
#include "hub/client/WebRules.h"

#include "eta/core/addresses.h"
#include "eta/core/host_names.h"

namespace emissary::hub::client {

namespace {

constexpr std::uint32_t kPostsOfBrowser = 50;  // a second, unless the port says otherwise

}  // namespace

void WebRules::apply(Client& client) const {
    const eta::transport::ChannelInfo& info = ClientSession::of(client).channel;
    // Libraries of Python and Go send the port's own origin by themselves; no page has it.
    const bool browser = info.ofBrowser();
    client.services = services();
    client.mayPost = settings_.posting || !browser;
    client.posts.limit(settings_.postsPerSecond.value_or(browser ? kPostsOfBrowser : 0));
    // A page can write any address into its posts; one of IPv6 has no room there.
    const auto address = eta::parseAddress(eta::splitHost(info.peerAddress).host);
    client.postAddress = address ? eta::v4Of(*address).value_or(0) : 0;
}

std::string WebRules::tooManyMounts(const Client& client) const {
    if (client.maxMounts) return "this client has too many open streams (the login check says how many)";
    return ownMounts(client) ? "this client has too many open streams (WebMountsPerClient)"
                             : "this client has too many open streams (MaxMountsPerClient)";
}

}  // namespace emissary::hub::client
