// Any bytes as the answers of a token service and of service discovery. The first byte chooses the grant, a failure of
// which a person is told, or discovery; the rest is the body. What is taken must be fit to be sent on, in a header line
// or as a host and a port; what a person is told must not repeat a secret.
#include "rest/discovery.h"
#include "rest/token.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace emissary;
using namespace emissary::rest;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// Something to see, and nothing that ends a header line.
[[nodiscard]] bool plain(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

void token(std::string_view in, Grant grant) {
    Secret body(in);
    Token t;
    t.access = Secret("before");
    if (const eta::Refused refused = readToken(body, grant, t)) {
        if (refused.text.empty()) fail("an answer is refused without a reason");
        if (t.access.view() != "before" || t.expiresIn.count() != 0) fail("an answer that is refused leaves something");
        if (!body.empty()) fail("an answer is left in memory");
        return;
    }
    if (!body.empty()) fail("an answer is left in memory");
    if (!plain(t.access.view())) fail("a token that is none");
    if (!plain(t.type)) fail("a kind of token that is none");
    if (grant != Grant::clientCredentials && t.refresh.empty()) fail("no token to refresh with");
    if (t.expiresIn < std::chrono::seconds(1) || t.expiresIn > std::chrono::hours(24 * 3650))
        fail("a token lives for longer than is believed, or not at all");
    const std::chrono::seconds life = assumedLife(t.expiresIn);
    if (life < std::chrono::seconds(0) || life >= t.expiresIn) fail("a token is used for longer than it lives");
}

void failure(std::string_view in, TokenRequest what) {
    Credential c;
    c.userName = "anna";
    c.password = Secret("#Pass#");
    c.clientSecret = Secret("#Sec ret#");
    HttpAnswer answer;
    answer.status = 400;
    answer.body = Secret(in);
    const std::string text = describeTokenFailure(answer, what, c);
    for (const Secret* const s : {&c.password, &c.clientSecret})
        if (text.find(s->view()) != std::string::npos) fail("a person is told a secret");
    if (text.find("%23Pass%23") != std::string::npos) fail("a person is told a secret as it is sent");
    if (describeDiscoveryFailure(answer, c.password).find(c.password.view()) != std::string::npos)
        fail("a person is told a token");
}

void services(std::string_view in) {
    Secret body(in);
    std::vector<ServiceEndpoint> all;
    if (const eta::Refused refused = readServices(body, all)) {
        if (refused.text.empty()) fail("an answer is refused without a reason");
        return;
    }
    if (all.size() > in.size() / 2) fail("more services than the answer has room for");
    const auto choose = [&](std::string_view transport, std::string_view location) {
        const ServiceEndpoint* const s = chooseService(all, transport, location);
        if (s == nullptr) return;
        if (s < all.data() || s >= all.data() + all.size()) fail("an endpoint that is none of them");
        if (s->transport != transport || s->locations.empty() || !s->locations.front().starts_with(location))
            fail("an endpoint that was not asked for");
        if (!plain(s->endpoint)) fail("an endpoint without a host");
        unsigned port = 0;
        const char* const end = s->port.data() + s->port.size();
        const auto read = std::from_chars(s->port.data(), end, port);
        if (read.ec != std::errc() || read.ptr != end || port < 1 || port > 65535) fail("an endpoint without a port");
    };
    for (const ServiceEndpoint& s : all)
        if (!s.locations.empty()) choose(s.transport, s.locations.front());
    for (const char* const transport : {"tcp", "websocket"})
        choose(transport, "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view in(reinterpret_cast<const char*>(data + 1), size - 1);
    switch (data[0] % 6) {
    case 0:
        token(in, Grant::password);
        break;
    case 1:
        token(in, Grant::refreshToken);
        break;
    case 2:
        token(in, Grant::clientCredentials);
        break;
    case 3:
        failure(in, TokenRequest::first);
        break;
    case 4:
        failure(in, TokenRequest::renewal);
        break;
    default:
        services(in);
    }
    return 0;
}
